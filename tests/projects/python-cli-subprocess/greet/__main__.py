import sys

from greet.words import greeting, shout


def main(arguments):
    if not arguments:
        print("usage: greet NAME [--loud]", file=sys.stderr)
        return 2
    text = greeting(arguments[0], len(arguments) - 1)
    if "--loud" in arguments:
        text = shout(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
