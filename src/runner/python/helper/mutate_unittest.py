"""Runs unittest suites for `mutate`: `python -m mutate_unittest`, in the root of the project."""

import fnmatch
import glob
import importlib.util
import os
import sys
import time
import unittest
import warnings

import mutate_hypothesis
import mutate_report
import mutate_session
import mutate_swap
from mutate_memo import Memos
from mutate_report import describe, name


class Loader(unittest.TestLoader):
    """Imports only what can hold a selected test, and remembers why a module did not load."""

    def __init__(self, asked):
        super().__init__()
        self.asked, self.failures, self.wanted = asked, {}, None
        if asked.only is not None:
            self.wanted = set()
            for test in asked.only:
                parts = test.split(".")
                self.wanted.update(".".join(parts[:end]) for end in range(1, len(parts) + 1))

    def _match_path(self, path, full_path, pattern):
        if not fnmatch.fnmatch(path, pattern):
            return False
        return self.wanted is None or name(self._get_name_from_path(os.path.splitext(full_path)[0])) in self.wanted

    def _get_module_from_name(self, module):
        try:
            return super()._get_module_from_name(module)
        except unittest.SkipTest:
            raise
        except BaseException as error:
            self.failures[module] = describe(error, self.asked.root, load=True)
            raise


def places(asked):
    """Where to look: (folder, pattern, folder that names start from)."""
    if not asked.tests:
        yield ".", "test*.py", "."
        for folder in ("tests", "test"):
            # A folder that is no package is not seen from the root.
            if os.path.isdir(folder) and not os.path.exists(os.path.join(folder, "__init__.py")):
                yield folder, "test*.py", folder
        return
    for path in asked.tests:
        folder, pattern = (path, "test*.py") if os.path.isdir(path) else os.path.split(path)
        top = folder or "."
        while top != "." and os.path.exists(os.path.join(top, "__init__.py")):
            top = os.path.dirname(top) or "."
        yield folder or ".", pattern if os.path.isdir(path) else glob.escape(pattern), top


def discover(asked, loader):
    tests = []
    for folder, pattern, top in places(asked):
        loader._top_level_dir = None
        tests.extend(flat(loader.discover(folder, pattern, top)))
    return tests


def flat(tests):
    for test in tests:
        if isinstance(test, unittest.BaseTestSuite):
            yield from flat(test)
        else:
            yield test


def select(asked, tests):
    seen, kept = set(), []
    for test in tests:
        if asked.wants(name(test.id())) and id(test) not in seen:
            seen.add(id(test))
            kept.append(test)
    if asked.only is not None:
        first = {}
        for test in kept:
            at = asked.position[name(test.id())]
            module = type(test).__module__
            first[module] = min(at, first.get(module, at))
        kept.sort(key=lambda test: first[type(test).__module__])
    return kept


class Result(unittest.TestResult):
    def __init__(self, asked, report, clock=time.perf_counter):
        super().__init__()
        self.asked, self.report, self.clock = asked, report, clock
        self.failure, self.skipped_it, self.started = None, False, 0.0
        self.group = None  # What a class or a module did wrong: a failure, or "skipped".

    def startTest(self, test):
        super().startTest(test)
        self.failure, self.skipped_it, self.started = None, False, self.clock()

    def end(self, test):
        status = "failed" if self.failure else "skipped" if self.skipped_it else "passed"
        took = max(0, int((self.clock() - self.started) * 1e6))
        self.say(name(test.id()), status, took, self.failure)

    def say(self, test, status, took, failure):
        self.report.add("result", id=test, status=status, us=took, failure=failure)
        if failure and self.asked.bail:
            self.stop()

    def fail(self, error, phase="call"):
        if self.failure is None:
            self.failure = dict(describe(error, self.asked.root), phase=phase)

    def addError(self, test, err):
        if isinstance(test, unittest.suite._ErrorHolder):
            self.group = dict(describe(err[1], self.asked.root), phase=test.description.split(" ")[0])
        else:
            self.fail(err[1])

    def addFailure(self, test, err):
        self.fail(err[1])

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.fail(err[1])

    def addSkip(self, test, reason):
        if isinstance(test, unittest.suite._ErrorHolder):
            self.group = "skipped"
        elif not isinstance(test, unittest.case._SubTest):  # The rest of a test still counts.
            self.skipped_it = True

    def addExpectedFailure(self, test, err):
        pass

    def addUnexpectedSuccess(self, test):
        if self.failure is None:
            self.failure = dict(kind="UnexpectedSuccess", message="the test was expected to fail", file=None, phase="call")


class Suite(unittest.TestSuite):
    """Runs tests one by one with the class and module hooks of `unittest.TestSuite` around them."""

    def __init__(self, result, reach):
        super().__init__()
        self.result, self.reach = result, reach
        self.last = {}  # The last test of the class or the module that was run.

    def run_all(self, tests):
        tests.reverse()
        while tests and not self.result.shouldStop:
            self.run_one(tests.pop())
        self._tearDownPreviousClass(None, self.result)
        self._handleModuleTearDown(self.result)

    def run_one(self, test):
        result = self.result
        self._tearDownPreviousClass(test, result)
        self.reach.next_test()
        self._handleModuleFixture(test, result)
        self._handleClassSetUp(test, result)
        result._previousTestClass = type(test)
        test_id = name(test.id())
        self.last[type(test)] = self.last[type(test).__module__] = test_id
        result.report.add("start", id=test_id)
        if getattr(type(test), "_classSetupFailed", False) or getattr(result, "_moduleSetUpFailed", False):
            # The hook failed once, and with it every test that needed it.
            failure = None if result.group == "skipped" else result.group
            result.say(test_id, "failed" if failure else "skipped", 0, failure)
            return
        test(result)
        result.end(test)
        self.reach.give([test_id])

    def _tearDownPreviousClass(self, test, result):
        before, result.group = result.group, None
        previous = getattr(result, "_previousTestClass", None)
        super()._tearDownPreviousClass(test, result)
        self._blame_last(previous)
        self.reach.give(self.reach.of_class(previous))
        result.group = before

    def _handleModuleTearDown(self, result):
        before, result.group = result.group, None
        previous = self._get_previous_module(result)
        super()._handleModuleTearDown(result)
        self._blame_last(previous)
        self.reach.give(self.reach.of_module(previous))
        result.group = before

    def _handleModuleFixture(self, test, result):
        if self._get_previous_module(result) != type(test).__module__:
            result.group = None
        super()._handleModuleFixture(test, result)
        self.reach.give(self.reach.of_module(type(test).__module__))

    def _handleClassSetUp(self, test, result):
        if getattr(result, "_previousTestClass", None) != type(test) and not getattr(result, "_moduleSetUpFailed", False):
            result.group = None
        super()._handleClassSetUp(test, result)
        self.reach.give(self.reach.of_class(type(test)))

    def _blame_last(self, group):
        if isinstance(self.result.group, dict) and group in self.last:
            self.result.say(self.last[group], "failed", 0, self.result.group)


class Reach:
    """Gives every hit to the tests that depend on it."""

    def __init__(self, asked, report):
        self.hits, self.report = None, report
        if asked.reach:
            import mutate_probe

            self.hits = mutate_probe.Hits(os.environ["MUTATE_HITS"])
            self.memos = Memos(asked.root)
        self.groups = {}

    def begin(self, tests):
        if self.hits is None:
            return
        for test in tests:
            for group in (type(test), type(test).__module__):
                self.groups.setdefault(group, []).append(name(test.id()))
        self.give(None)

    def begin_trial(self, report):
        """In a child of a session: what was reached until now belongs to no trial."""
        self.report = report
        if self.hits is not None:
            self.hits.take()
            self.hits.take_imports()

    def of_class(self, group):
        return self.groups.get(group)

    of_module = of_class

    def next_test(self):
        if self.hits is not None:
            self.memos.forget()

    def give(self, tests):
        if self.hits is not None:
            self.report.reach(tests, self.hits.take())
            self.report.reach(None, self.hits.take_imports())


def add_source_folder(report):
    """A `src` folder that is not installed is put on the path, as the author must have it when the tests run."""
    if not os.path.isdir("src"):
        return
    for entry in sorted(os.listdir("src")):
        module, ending = os.path.splitext(entry)
        package = os.path.isfile(os.path.join("src", entry, "__init__.py"))
        if not (package or ending == ".py") or not module.isidentifier():
            continue
        try:
            found = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            found = None
        if found is None:
            sys.path.insert(1, os.path.abspath("src"))
            report.notice("src was put on the import path, because `%s` is not installed" % module)
            return


def main():
    asked, report = mutate_report.load()
    session = mutate_session.Session(asked.root) if mutate_session.wanted else None
    sys.argv[:] = ["python -m unittest"]
    forget_ourselves()
    if not sys.warnoptions:
        warnings.simplefilter("default")
    reach = Reach(asked, report)
    add_source_folder(report)
    loader = Loader(asked)
    found = discover(asked, loader)
    broken = load_failures(loader, found, report)
    if asked.only is not None and not broken:
        found = find_the_rest(asked, loader, found)
        have = {name(test.id()) for test in found}
        missing = [test for test in asked.only if test not in have]
        if missing:
            report.add("missing", ids=missing)
    tests = select(asked, [test for test in found if not isinstance(test, unittest.loader._FailedTest)])
    report.add("collected", ids=[name(test.id()) for test in tests])
    mutate_hypothesis.settle((getattr(test, test._testMethodName, None), type(test)) for test in tests)
    reach.begin(tests)
    if session is not None:
        session.serve(lambda folder, functions: trial(folder, functions, tests, reach), "the tests do not load" if broken else None)
    count = 0 if broken and asked.bail else len(tests)
    Suite(Result(asked, report), reach).run_all(tests[:count])
    reach.give(None)
    mutate_report.tell_origins(asked, report)
    report.add("finished")
    return 0 if count else 5


def trial(folder, functions, tests, reach):
    """In a child of a session."""
    one = mutate_report.Trial(folder, functions)
    asked, report = one.asked, one.report
    reach.begin_trial(report)
    if not one.swap(mutate_swap.Refused):
        return
    have = {name(test.id()) for test in tests}
    missing = [test for test in asked.only or () if test not in have]
    if missing:
        report.add("missing", ids=missing)
    tests = select(asked, tests)
    report.add("collected", ids=[name(test.id()) for test in tests])
    Suite(Result(asked, report), reach).run_all(tests)
    reach.give(None)
    one.end()


def forget_ourselves():
    """Processes that `multiprocessing` spawns import the main module again; they must not look for us."""
    main_module = sys.modules["__main__"]
    main_module.__spec__ = None
    del main_module.__file__


def find_the_rest(asked, loader, found):
    """A test may be named after another module than the one that makes it (`load_tests`): then look everywhere."""
    have = {name(test.id()) for test in found}
    if all(test in have for test in asked.only):
        return found
    loader.wanted = None
    rest = [test for test in discover(asked, loader) if name(test.id()) not in have]
    return found + [test for test in rest if not isinstance(test, unittest.loader._FailedTest)]


def load_failures(loader, found, report):
    broken = False
    for test in found:
        if isinstance(test, unittest.loader._FailedTest):
            broken = True
            module = test._testMethodName
            detail = loader.failures.get(module) or describe(test._exception, loader.asked.root, load=True)
            report.add("load_failure", id=name(module), **detail)
    return broken


if __name__ == "__main__":
    sys.exit(main())
