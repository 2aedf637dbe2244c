"""Leaves a daemon behind: own session, deaf to signals, holding the standard output of the test run open."""

import os
import signal
import time
import unittest

from hostile.plain import double


def daemon():
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(60)
    os._exit(0)


class Daemon(unittest.TestCase):
    def test_it_starts_a_daemon(self):
        daemon()
        self.assertEqual(double(2), 4)
