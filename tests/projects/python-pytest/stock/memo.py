from functools import lru_cache


@lru_cache(maxsize=None)
def rate(country):
    """The first caller pays, all later ones read the memory."""
    if country == "home":
        return 19
    return 7 + 1
