import os
import tempfile
import unittest

from flicker.score import bonus, points

FILE = os.environ.get("FLICKER_FILE") or os.path.join(tempfile.gettempdir(), "python-flicker-count")


def runs_so_far():
    try:
        with open(FILE) as file:
            return len(file.read())
    except FileNotFoundError:
        return 0
    finally:
        with open(FILE, "a") as file:
            file.write("x")


class Score(unittest.TestCase):
    def test_points(self):
        self.assertEqual(points(2, 1), 7)

    def test_every_other_run(self):
        self.assertEqual(runs_so_far() % 2, 0, "an odd run")
        self.assertEqual(bonus(1), 2)
