"""Takes all memory there is on some mutants."""

import unittest

from hostile.memory import pages


class Memory(unittest.TestCase):
    def test_two_pages(self):
        self.assertEqual(pages(2), 2)
