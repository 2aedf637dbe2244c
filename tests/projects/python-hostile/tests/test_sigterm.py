"""Deaf to polite signals, so that only SIGKILL ends it when the loop is endless."""

import signal
import unittest

from hostile.loops import countdown


class Deaf(unittest.TestCase):
    def test_it_ignores_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self.assertEqual(countdown(3), 3)
