"""Forgets what functions of the project have memoised, so that every test that uses such a function reaches it.

Only where reach is recorded: else the first test alone would seem to depend on a function whose answer all others share.
PYTEST_DONT_REWRITE
"""

import functools
import gc
import sys
import weakref


class Memos:
    """The functions under `functools.lru_cache` whose code stands in the project."""

    def __init__(self, root):
        self.root, self.modules, self.found = root + "/", 0, []

    def forget(self):
        # New ones come with new modules; to search all objects for them takes a while.
        if len(sys.modules) != self.modules:
            self.modules = len(sys.modules)
            self.found = [weakref.ref(each) for each in gc.get_objects() if self._is_ours(each)]
        for each in self.found:
            memo = each()
            if memo is not None:
                memo.cache_clear()

    def _is_ours(self, found):
        if type(found) is not functools._lru_cache_wrapper:
            return False
        while hasattr(found, "__wrapped__"):
            found = found.__wrapped__
        file = getattr(getattr(found, "__code__", None), "co_filename", "")
        return file.startswith(self.root) and "-packages/" not in file
