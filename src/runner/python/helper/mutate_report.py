"""What the helpers of all Python frameworks share: what was asked, and the report of what happened.

Written into the folder of one request by `mutate`; nothing of it is installed anywhere.
PYTEST_DONT_REWRITE
"""

import json
import os
import sys

_encode = json.JSONEncoder(separators=(",", ":")).encode
_HERE = os.getcwd()
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


def name(text):
    """A text that JSON can carry: lone surrogates, as in undecodable file names, become escapes."""
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8")


class Report:
    """Lines of JSON in a file, one per event, written at once: a crash loses nothing that was said before.

    The file is opened for every line, so that a test that closes all descriptors cannot send our lines elsewhere. The
    functions of `os` are kept in the object, where neither a test nor a fake file system can replace them. A forked child
    of a test stays silent.
    """

    def __init__(self, path):
        self.path, self.owner = path, os.getpid()
        self._open, self._write, self._close, self._getpid = os.open, os.write, os.close, os.getpid

    def add(self, event, **fields):
        if self._getpid() != self.owner:
            return
        line = (_encode(dict(event=event, **fields)) + "\n").encode("ascii")
        handle = self._open(self.path, _APPEND, 0o600)
        try:
            while line:
                line = line[self._write(handle, line) :]
        finally:
            self._close(handle)

    def notice(self, text):
        self.add("notice", text=name(text))

    def reach(self, tests, probes):
        """Probes that each of these tests reached; without tests: reached while loading."""
        if probes:
            self.add("reach", tests=tests, probes=sorted(probes))


class Asked:
    """The request, as `mutate` wrote it."""

    def __init__(self, folder):
        with open(os.path.join(folder, "request.json"), encoding="utf-8") as text:
            asked = json.load(text)
        self.folder = folder
        self.only = asked["only"]
        self.deselect = frozenset(asked["deselect"])
        self.bail = asked["bail"]
        self.reach = asked["reach"]
        self.root = asked["root"]
        self.original_root = asked["original_root"]
        self.tests = asked["tests"]
        self.rounds = asked["rounds"]
        self.position = {test: at for at, test in enumerate(self.only or ())}

    def wants(self, test):
        return not self._is_deselected(test) and (self.only is None or test in self.position)

    def _is_deselected(self, test):
        """By its name, or by that of a file, class or module that holds it."""
        return any(test == name or test.startswith((name + "::", name + "[", name + ".")) for name in self.deselect)


def load():
    """Reads the request and takes our traces out of the environment, as far as started processes do not need them."""
    folder = os.environ.pop("MUTATE_FOLDER")
    asked = Asked(folder)
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    if not asked.reach and asked.root == asked.original_root:
        _, _, rest = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
        os.environ.pop("PYTHONPATH", None)
        if rest:
            os.environ["PYTHONPATH"] = rest
    return asked, Report(os.path.join(folder, "report.jsonl"))


class Trial:
    """One trial of a session, in a child: what was asked, its report, and the mutant in place of what is loaded."""

    def __init__(self, folder, functions, _exit=os._exit):
        self.asked, self.report = Asked(folder), Report(os.path.join(folder, "report.jsonl"))
        self.functions, self._exit = functions, _exit

    def swap(self, refused):
        """Whether the mutant could be put in place; `refused` is the exception that says why not."""
        try:
            self.report.add("swapped", functions=self.functions.swap(self.asked.folder, self.asked.rounds, self._over))
        except refused as why:
            self.report.add("unswapped", why=name(why))
            return False
        return True

    def _over(self, rounds):
        self.report.add("over_rounds", rounds=rounds)
        self._exit(70)

    def end(self, orderly=True):
        self.report.add("entered", rounds=self.functions.rounds.count)
        if orderly:
            self.report.add("finished")


def describe(error, root, load=False):
    """Exception type, message and, where something did not load, the file that it points at."""
    kind = type(error).__name__
    try:
        message = str(error)
    except Exception as broken:
        message = "(its text cannot be shown: %s)" % type(broken).__name__
    file = None
    if isinstance(error, SyntaxError):
        message, file = error.msg or message, error.filename
    elif load:
        file = _innermost_file(error, root)
    return dict(kind=kind, message=name(message)[:500], file=file and name(_absolute(file)))


def _absolute(file):
    """Without a look at the working directory of now: a test may have changed it, or its meaning."""
    return os.path.normpath(os.path.join(_HERE, file))


def _innermost_file(error, root):
    """The innermost file of the traceback, of the project if there is one."""
    files, at = [], error.__traceback__
    while at is not None:
        files.append(at.tb_frame.f_code.co_filename)
        at = at.tb_next
    ours = [file for file in files if _absolute(file).startswith(root + os.sep)]
    return (ours or files or [None])[-1]


def tell_origins(asked, report):
    """Where modules came from, as far as it was not the tree in which the tests run."""
    outside = _loaded_outside(asked)
    if outside:
        report.add("outside", files=outside)
    # For the run that learns what reaches what; no trial has to pay for it.
    if asked.reach:
        for ours, theirs in _loaded_instead(asked):
            report.add("instead", ours=name(ours), theirs=name(theirs))


def _loaded_outside(asked):
    """Files of modules that came from the user's own tree though the tests run in a copy: the copy is not what was tested."""
    if asked.root == asked.original_root:
        return []
    from mutate_outside import stands_under

    files = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and stands_under(file, asked.original_root) and not stands_under(file, asked.root):
            files.add(name(file))
    return sorted(files)


def _loaded_instead(asked):
    """Files of the project whose place a file from elsewhere has taken, for example one that was installed."""
    for module_name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not file.endswith(".py") or _stands_under(file, asked.root):
            continue
        ending = "/__init__.py" if hasattr(module, "__path__") else ".py"
        for folder in ("", "src", "lib"):
            ours = os.path.join(folder, module_name.replace(".", "/") + ending)
            full = os.path.join(asked.root, ours)
            if os.path.isfile(full) and not (os.path.exists(file) and os.path.samefile(full, file)):
                yield ours, file


def _stands_under(file, folder):
    return file.startswith(folder + os.sep) and "-packages" + os.sep not in file
