import sys

ABSOLUTE_ZERO = -273.15


def kelvin(celsius):
    if celsius < ABSOLUTE_ZERO:
        raise ValueError("colder than cold")
    return celsius - ABSOLUTE_ZERO


def fahrenheit(celsius):
    return celsius * 9 / 5 + 32


def main(arguments=None):
    words = sys.argv[1:] if arguments is None else arguments
    if not words:
        print("usage: temperature CELSIUS")
        return 2
    print(fahrenheit(float(words[0])))
    return 0
