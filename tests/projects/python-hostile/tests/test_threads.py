import unittest

from hostile.work import squares


class Threads(unittest.TestCase):
    def test_squares(self):
        self.assertEqual(squares([1, 2, 3]), [2, 5, 10])
