"""Notes which files of the user's own tree an interpreter runs though it should work on the copy. PYTEST_DONT_REWRITE"""

import atexit
import os
import sys
from importlib.machinery import SourceFileLoader

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)


def watch(original, copy, path, _open=os.open, _write=os.write, _close=os.close):
    """At once for every module, because an interpreter may die at any time; its program is only known later."""
    here, execute = os.getcwd(), SourceFileLoader.exec_module

    def look_at(file):
        file = os.path.normpath(os.path.join(here, file))
        if not stands_under(file, original) or stands_under(file, copy):
            return
        try:
            handle = _open(path, _APPEND, 0o666)
            try:
                _write(handle, os.fsencode(file) + b"\0")
            finally:
                _close(handle)
        except OSError:
            pass

    def exec_module(loader, module):
        if isinstance(getattr(loader, "path", None), str):
            look_at(loader.path)
        return execute(loader, module)

    def look_at_program():
        # A script has lost its `__file__` by now.
        file = getattr(getattr(sys.modules.get("__main__"), "__loader__", None), "path", None)
        if isinstance(file, str):
            look_at(file)

    SourceFileLoader.exec_module = exec_module
    atexit.register(look_at_program)


def stands_under(file, folder):
    return file.startswith(folder + os.sep) and "-packages" + os.sep not in file
