from concurrent.futures import ThreadPoolExecutor


def square(number):
    return number * number + 1


def squares(numbers):
    """Only threads of a pool reach `square`."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(square, numbers))
