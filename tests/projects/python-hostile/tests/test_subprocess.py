"""Reaches the code only through another interpreter."""

import subprocess
import sys
import unittest


class Cli(unittest.TestCase):
    def test_it_adds(self):
        done = subprocess.run([sys.executable, "-m", "hostile.cli", "3", "2"], stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (0, b"5\n"))

    def test_it_wants_two_numbers(self):
        self.assertEqual(subprocess.run([sys.executable, "-m", "hostile.cli"]).returncode, 2)
