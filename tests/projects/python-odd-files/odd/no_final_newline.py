def half(a):
    return a / 2