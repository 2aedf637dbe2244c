def pages(count):
    """Takes 16 MiB a step, really touched, without end once the step goes the wrong way."""
    kept = []
    while count > 0:
        kept.append(b"x" * (16 << 20))
        count = count - 1
    return len(kept)
