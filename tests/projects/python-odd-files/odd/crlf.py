def bigger(a, b):
    """Carriage return and line feed."""
    if a > b:
        return a
    return b


def twice(a):
    # mutate: ignore
    return a + a
