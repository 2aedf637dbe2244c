import unittest

from red.add import add


class Add(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)

    def test_wrong_from_the_start(self):
        self.assertEqual(add(1, 2), 4)
