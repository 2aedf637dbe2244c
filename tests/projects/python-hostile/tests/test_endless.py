"""Never ends on some mutants: one loop burns the processor, the other one sleeps."""

import unittest

from hostile.loops import countdown, wait


class Endless(unittest.TestCase):
    def test_it_counts(self):
        self.assertEqual(countdown(5), 5)

    def test_it_waits(self):
        self.assertTrue(wait(2))
