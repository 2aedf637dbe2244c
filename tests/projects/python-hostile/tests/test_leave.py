"""On some mutants the process is gone in the middle of a test: no failing test is named, and no other test ever runs."""

import unittest

from hostile.leave import check, crash


class Leave(unittest.TestCase):
    def test_a_check(self):
        self.assertEqual(check(1), 2)

    def test_a_crash(self):
        self.assertEqual(crash(1), 2)
