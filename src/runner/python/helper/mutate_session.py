"""Serves trials: the tests are loaded, and every trial runs in a child of this process, as if they had just been loaded.

Nothing of a trial comes back into this process. What a child would share with the next one all the same (threads that do not
exist in it, connections, positions in files) makes us decline; then every trial starts anew.
PYTEST_DONT_REWRITE
"""

import atexit
import gc
import os
import stat
import sys
import threading
import weakref

import mutate_swap

_PIPES = os.environ.pop("MUTATE_SESSION", None)
wanted = _PIPES is not None


class Session:
    """`root`: the project. To be made before any code of the project runs."""

    def __init__(self, root):
        self.root = root
        self.told, self.say_to = (int(number) for number in _PIPES.split(","))
        for number in (self.told, self.say_to):
            os.set_inheritable(number, False)
        self.own = set(_descriptors())

    def decline(self, why):
        self._say("declined: " + why.replace("\n", " "))
        os._exit(0)

    def serve(self, run, why_not=None):
        """Calls `run` with the folder of each trial, in a child; never comes back."""
        why_not = why_not or self._why_not()
        if why_not:
            self.decline(why_not)
        sys.stdout.flush()
        sys.stderr.flush()
        gc.collect()
        functions = mutate_swap.Functions(self.root)
        gc.freeze()
        self._say("ready")
        for folder in self._folders():
            functions.prepare(folder)
            state = _random_state()
            child = os.fork()
            if child == 0:
                self._be_a_trial(folder, run, functions, state)
            self._say("child %d" % child)
            _, status, used = os.wait4(child, 0)
            self._say("ended %d %d" % (status, (used.ru_utime + used.ru_stime) * 1e6))
        # What modules have made while they were loaded goes now.
        _exit_now()
        os._exit(0)

    def _be_a_trial(self, folder, run, functions, state):
        code = 70
        try:
            os.setpgid(0, 0)
            os.close(self.told)
            os.close(self.say_to)
            _restore_random(state)
            _forget_exits()
            run(folder, functions)
            code = 0
            # As an interpreter ends.
            threading._shutdown()
            _exit_now()
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
        finally:
            os._exit(code)

    def _folders(self):
        rest = b""
        while True:
            chunk = os.read(self.told, 1 << 16)
            if not chunk:
                return
            rest += chunk
            while b"\n" in rest:
                line, _, rest = rest.partition(b"\n")
                yield os.fsdecode(line)

    def _say(self, text):
        os.write(self.say_to, text.encode("utf-8", "backslashreplace") + b"\n")

    def _why_not(self):
        if len(os.listdir("/proc/self/task")) > 1:
            return "a thread was started while the tests were loaded"
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return "a process was started while the tests were loaded"
        except ChildProcessError:
            pass
        for number, target in sorted(_descriptors().items()):
            why = number not in self.own and _is_shared(number, target)
            if why:
                return "%s was opened while the tests were loaded" % why
        return None


def _descriptors():
    """Open descriptors, each with what it is open for."""
    found = {}
    for entry in os.listdir("/proc/self/fd"):
        try:
            found[int(entry)] = os.readlink("/proc/self/fd/" + entry)
        except OSError:
            pass
    return found


def _is_shared(number, target):
    """What children would share through this descriptor, if anything: a position, a connection or a queue of events."""
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return None
    if stat.S_ISSOCK(mode):
        return "a socket"
    if target.startswith("anon_inode:"):
        return "an event loop"
    # pytest captures output in files that have no name; each child empties them first.
    if stat.S_ISREG(mode) and not target.endswith(" (deleted)") and not _only_appends(number):
        return "the file %s" % target
    return None


def _only_appends(number):
    with open("/proc/self/fdinfo/%d" % number, encoding="ascii") as lines:
        flags = next(int(line.split()[1], 8) for line in lines if line.startswith("flags:"))
    return flags & os.O_APPEND and flags & os.O_ACCMODE == os.O_WRONLY


def _random_state():
    """`random` takes a new seed in every child; but one that a module has set must stay."""
    module = sys.modules.get("random")
    return module and module.getstate()


def _restore_random(state):
    if state:
        sys.modules["random"].setstate(state)


def _forget_exits():
    """What modules want to be done at the end, such as removing a folder, must not be done once for every child."""
    atexit._clear()
    for info in list(weakref.finalize._registry.values()):
        info.atexit = False


def _exit_now():
    atexit._run_exitfuncs()
    weakref.finalize._exitfunc()
