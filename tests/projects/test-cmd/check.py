import sys

from calc import clamp, middle

CHECKS = [
    (clamp(5, 0, 10), 5),
    (clamp(-5, 0, 10), 0),
    (clamp(15, 0, 10), 10),
    (middle(0, 4), 2),
]

wrong = [(got, wanted) for got, wanted in CHECKS if got != wanted]
for got, wanted in wrong:
    print("got %r, wanted %r" % (got, wanted))
sys.exit(1 if wrong else 0)
