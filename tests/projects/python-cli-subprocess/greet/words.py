def greeting(name, others):
    if others > 1:
        return "hello " + name + " and friends"
    return "hello " + name


def shout(text):
    """Reached only by a process with an empty environment."""
    return text.upper() + "!"
