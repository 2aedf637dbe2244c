def label(name):
    """A name as it stands on the shelf."""
    text = name.strip()
    if len(text) > 12:
        return text[:11] + "."
    return text.upper()


def plural(count, word):
    if count == 1:
        return "1 " + word
    return str(count) + " " + word + "s"
