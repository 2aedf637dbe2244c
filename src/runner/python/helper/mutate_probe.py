"""Records which probes of woven sources are reached. A probe is a call of the builtin `_mu_` with its number.

The process of the tests itself keeps hits in a set, which costs one bound method call each. Every other interpreter
(started by a test, or forked) appends a number to a file of its own when it is first hit, at once: it may die at any time.
PYTEST_DONT_REWRITE
"""

import builtins
import os
import sys
import time
from importlib.machinery import SourceFileLoader

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


def to_file(folder, _open=os.open, _write=os.write, _close=os.close):
    """From now on this process writes hits into a file; the parent reads them at the next test boundary."""
    path = os.path.join(folder, "%d-%d" % (os.getpid(), time.monotonic_ns()))
    seen = set()

    def record(probe):
        if probe in seen:
            return
        seen.add(probe)
        try:
            handle = _open(path, _APPEND, 0o666)
            try:
                _write(handle, b"%d\n" % probe)
            finally:
                _close(handle)
        except OSError:
            pass

    builtins._mu_ = record


def start(folder):
    """Called at the start of every interpreter, before any code of the project."""
    to_file(folder)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: to_file(folder))


class Hits:
    """The hits of the process that runs the tests, and of all that it starts."""

    def __init__(self, folder):
        self.folder = folder
        self.memory = set()
        self.while_importing = set()
        builtins._mu_ = self.memory.add
        self._watch_imports()

    def take(self):
        """What was reached since the last call, in this process and in started ones.

        A process that lives on may reach again what it reached before without saying so: its whole list counts each time.
        """
        found = self.memory.copy()
        self.memory.difference_update(found)
        for file in os.listdir(self.folder):
            path = os.path.join(self.folder, file)
            alive = _alive(int(file.partition("-")[0]))
            with open(path, "rb") as lines:
                found.update(map(int, lines.read().split()))
            if not alive:
                os.unlink(path)
        return found

    def take_imports(self):
        """What was reached while modules were executed, whenever that was: every test may depend on it."""
        found = self.while_importing.copy()
        self.while_importing.difference_update(found)
        return found

    def _watch_imports(self):
        # A module that a test imports first is there for all later tests, so its hits belong to nobody in particular.
        execute, memory, while_importing = SourceFileLoader.exec_module, self.memory, self.while_importing
        owner, getpid = os.getpid(), os.getpid

        def exec_module(loader, module):
            if getpid() != owner:
                return execute(loader, module)
            before = memory.copy()
            memory.clear()
            try:
                return execute(loader, module)
            finally:
                while_importing.update(memory)
                memory.clear()
                memory.update(before)

        SourceFileLoader.exec_module = exec_module


def _alive(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        pass
    if sys.platform.startswith("linux"):
        return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
