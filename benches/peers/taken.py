"""What one tool took: wall clock and processor time of its whole process tree, the size of its largest process, and what it said.

A process counts once somebody has waited for it, so what a tool leaves running is not counted.
"""

import os
import subprocess
import tempfile
import time
from typing import NamedTuple


class Taken(NamedTuple):
    wall: float
    cpu: float
    peak_mib: float
    code: int
    said: str
    complained: str

    def row(self, name, mutants, noticed, first=None):
        """One line of the table; `first` is the row of the tool that the others are compared with."""
        rate = mutants / self.cpu
        ratio = 1.0 if first is None else first / rate
        return (
            f"{name:14}{mutants:9}{noticed:9}{self.wall:9.1f}{self.cpu:9.1f}{mutants / self.wall:9.2f}{rate:13.2f}"
            f"{1000 / rate:12.1f}{self.peak_mib:10.0f}{ratio:8.1f}"
        )


HEAD = (
    f"{'tool':14}{'mutants':>9}{'noticed':>9}{'wall s':>9}{'CPU s':>9}{'mut/s':>9}{'mut/CPU s':>13}{'CPU ms/mut':>12}"
    f"{'peak MiB':>10}{'ratio':>8}"
)


def take(command, folder, env=None, limit=None):
    """Runs the command to its end, or until `limit` seconds are over."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        words = [str(word) for word in command]
        child = subprocess.Popen(words, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        status, usage = waited(child.pid, start, limit)
        wall = time.monotonic() - start
        said, complained = (read(file) for file in (out, err))
    return Taken(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), said, complained)


def waited(pid, start, limit):
    while limit is not None:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage
        if time.monotonic() - start > limit:
            os.killpg(pid, 2)
            limit = None
        time.sleep(0.05)
    return os.wait4(pid, 0)[1:]


def read(file):
    file.seek(0)
    return file.read().decode(errors="replace")
