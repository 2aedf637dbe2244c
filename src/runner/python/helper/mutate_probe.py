"""Records which probes of woven sources are reached. A probe is a call of the builtin `_mu_` with its number.

The process of the tests itself keeps hits in a set, which costs one bound method call each. Every other interpreter
(started by a test, or forked) appends a number to a file of its own when it is first hit, at once: it may die at any time.

The code of a test may have replaced any function of `os` when we are called, so all are taken from `System`.
PYTEST_DONT_REWRITE
"""

import builtins
import os
import sys
import time
from importlib.machinery import SourceFileLoader

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)


class System:
    """Functions of the system as they are before any code of the project runs.

    Attributes of an object, because a fake file system searches modules and default arguments for the functions that it
    replaces.
    """

    def __init__(self):
        self.open, self.read, self.write, self.close = os.open, os.read, os.write, os.close
        self.listdir, self.unlink, self.kill, self.getpid = os.listdir, os.unlink, os.kill, os.getpid
        self.monotonic_ns = time.monotonic_ns

    def content(self, path):
        handle = self.open(path, _READ)
        try:
            parts = [self.read(handle, 1 << 16)]
            while parts[-1]:
                parts.append(self.read(handle, 1 << 16))
            return b"".join(parts)
        finally:
            self.close(handle)

    def append(self, path, line):
        handle = self.open(path, _APPEND, 0o666)
        try:
            self.write(handle, line)
        finally:
            self.close(handle)

    def is_alive(self, pid):
        try:
            return self.content("/proc/%d/stat" % pid).rpartition(b")")[2].split()[0] not in (b"Z", b"X")
        except OSError:
            pass
        if sys.platform.startswith("linux"):
            return False
        try:
            self.kill(pid, 0)
        except OSError:
            return False
        return True


_system = System()


def to_file(folder):
    """From now on this process writes hits into a file; the parent reads them at the next test boundary."""
    append, path, seen = _system.append, "%s/%d-%d" % (folder, _system.getpid(), _system.monotonic_ns()), set()

    def record(probe):
        if probe in seen:
            return
        seen.add(probe)
        try:
            append(path, b"%d\n" % probe)
        except OSError:
            pass

    builtins._mu_ = record


def start(folder):
    """Called at the start of every interpreter, before any code of the project."""
    to_file(folder)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: to_file(folder))


class Hits:
    """The hits of the process that runs the tests, and of all that it starts.

    `loaders` are classes that execute modules in their own way.
    """

    def __init__(self, folder, loaders=()):
        self.folder = folder
        self.memory = set()
        self.while_importing = set()
        builtins._mu_ = self.memory.add
        for loader in (SourceFileLoader,) + tuple(loaders):
            self._watch_imports(loader)

    def take(self):
        """What was reached since the last call, in this process and in started ones.

        A process that lives on may reach again what it reached before without saying so: its whole list counts each time.
        """
        found = _taken(self.memory)
        for file in _system.listdir(self.folder):
            path = "%s/%s" % (self.folder, file)
            alive = _system.is_alive(int(file.partition("-")[0]))
            found.update(map(int, _system.content(path).split()))
            if not alive:
                _system.unlink(path)
        return found

    def take_imports(self):
        """What was reached while modules were executed, whenever that was: every test may depend on it."""
        return _taken(self.while_importing)

    def _watch_imports(self, loader_class):
        # A module that a test imports first is there for all later tests, so its hits belong to nobody in particular.
        execute, memory, while_importing = loader_class.exec_module, self.memory, self.while_importing
        owner, getpid = _system.getpid(), _system.getpid

        def exec_module(loader, module):
            if getpid() != owner:
                return execute(loader, module)
            before = _taken(memory)
            try:
                return execute(loader, module)
            finally:
                while_importing.update(_taken(memory))
                memory.update(before)

        loader_class.exec_module = exec_module


def _taken(hits):
    """Empties a set; what another thread adds meanwhile stays."""
    found = hits.copy()
    hits.difference_update(found)
    return found
