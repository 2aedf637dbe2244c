import os


def check(value):
    """Ends the whole process, with exit code 0 and without a word, if the value is wrong."""
    if value < 0:
        os._exit(0)
    return value + 1


def crash(value):
    """Ends the whole process by a signal if the value is wrong."""
    if value < 0:
        os.abort()
    return value + 1
