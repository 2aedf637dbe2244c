LIMIT = 2 + 1


def over(a):
    return a > LIMIT
