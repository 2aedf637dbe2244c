import time


def countdown(start):
    """Endless, and burning a processor, once the step goes the wrong way."""
    steps = 0
    while start > 0:
        start = start - 1
        steps += 1
    return steps


def wait(ticks):
    """Endless, and doing nothing at all, once the step goes the wrong way."""
    while ticks > 0:
        time.sleep(0.01)
        ticks = ticks - 1
    return True
