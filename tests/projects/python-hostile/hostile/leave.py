import os


def check(value, wrong=False):
    """Ends the whole process with exit code 0 and without a word."""
    if wrong:
        os._exit(0)
    return value + 1


def crash(value, broken=False):
    """Ends the whole process by a signal."""
    if broken:
        os.abort()
    return value + 1
