def more(a, b):
    return a > b
