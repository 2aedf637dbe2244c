"""Writes into the project. What an earlier run wrote must never be seen by a later one."""

import unittest

from hostile.cache import price


class Writes(unittest.TestCase):
    def test_the_price_is_kept(self):
        self.assertEqual(price(20), 41)
