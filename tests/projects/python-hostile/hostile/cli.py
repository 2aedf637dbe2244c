import sys


def main(arguments):
    if len(arguments) < 2:
        return 2
    total = int(arguments[0]) + int(arguments[1])
    print(total)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
