import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def greet(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "greet", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )


class Greet(unittest.TestCase):
    def test_a_name(self):
        self.assertEqual(greet("Ada").stdout, b"hello Ada\n")

    def test_no_name(self):
        done = greet()
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"usage", done.stderr)

    def test_loud_in_an_empty_environment(self):
        self.assertEqual(greet("Ada", "--loud", env={}).stdout, b"HELLO ADA!\n")
