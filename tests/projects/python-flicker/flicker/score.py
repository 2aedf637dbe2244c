def points(wins, draws):
    return wins * 3 + draws


def bonus(wins):
    """Only the flickering test looks at it."""
    return wins + 1
