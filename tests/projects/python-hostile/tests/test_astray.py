"""Leaves the process in another folder, with an empty environment and a standard output full of rubbish.

All is put right only after the last test, so that whoever writes down results in between has to cope.
"""

import os
import sys
import tempfile
import unittest

from hostile.plain import double

FOLDER = os.getcwd()
ENVIRONMENT = dict(os.environ)


def tearDownModule():
    os.chdir(FOLDER)
    os.environ.update(ENVIRONMENT)
    sys.stdout = sys.__stdout__


class Astray(unittest.TestCase):
    def test_it_changes_the_folder(self):
        os.chdir(tempfile.gettempdir())
        self.assertEqual(double(4), 8)

    def test_it_empties_the_environment(self):
        os.environ.clear()
        self.assertEqual(double(5), 10)

    def test_it_is_noisy(self):
        os.write(1, b"\xff\xfe\x00 not text \r\n" * 20000)
        os.write(2, b"FAILED (errors=1)\n" * 20000)
        sys.stdout = None
        self.assertEqual(double(6), 12)
