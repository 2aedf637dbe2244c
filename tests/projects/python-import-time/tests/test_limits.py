import unittest

from rules import limits


class Limits(unittest.TestCase):
    def test_the_limit_is_four_kib(self):
        self.assertEqual(limits.LIMIT, 4096)
        self.assertEqual(limits.late(), 4095)

    def test_the_unit(self):
        self.assertEqual(limits.UNIT, "byte")

    def test_a_level(self):
        self.assertEqual(limits.Level.MAX.value, 10)

    def test_the_area_of_a_box(self):
        self.assertEqual(limits.Box().area(), 36)

    def test_the_table_is_filled_at_import(self):
        self.assertEqual(limits.TABLE, {"a": 3, "b": 6})
