"""Everything here but the bodies of functions runs once, at import."""

import enum
import sys

KIB = 2 * 512
LIMIT = KIB * 4
SMALL = [size for size in (1, 512, 4096) if size < LIMIT]
MODERN = sys.version_info >= (3, 0)

if MODERN and LIMIT > 0:
    UNIT = "byte"
else:
    UNIT = "octet"


def times(count):
    """A decorator with an argument: its outer body runs at import."""
    bonus = count + 1

    def wrap(function):
        def inner(*arguments):
            return function(*arguments) * bonus

        return inner

    return wrap


class Level(enum.Enum):
    LOW = 1
    HIGH = 1 + 1
    MAX = HIGH * 5


class Box:
    width = 3 * 4
    empty = not width

    def area(self, height=2 + 1):
        return self.width * height


@times(2)
def weight(grams):
    return grams - 1


TABLE = {"a": weight(2), "b": weight(3)}


def late():
    """Reached by tests only."""
    return LIMIT - 1
