def healthy(a, b):
    return a + b


def ill(a):
    if a >
        return 1


def also_healthy(a):
    return a * 2
