_mu_(1)


def total(prices):
    _mu_(2)
    return (_mu_(3) or (sum(prices)))
