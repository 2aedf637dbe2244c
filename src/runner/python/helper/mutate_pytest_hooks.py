"""Selects, orders and reports tests in pytest 6.2 and later."""

import os
import re
import time

import mutate_hypothesis
import mutate_report
import mutate_session
import mutate_swap
import pytest
from _pytest._code.code import ExceptionInfo
from mutate_pytest_quiet import is_retried, quieten, take_out, take_out_early
from mutate_pytest_reach import Hooks, Reach
from mutate_report import describe, name

asked, report = mutate_report.load()
session_process = mutate_session.Session(asked.root) if mutate_session.wanted else None
hits = None
if asked.reach:
    import mutate_probe
    from _pytest.assertion.rewrite import AssertionRewritingHook

    hits = mutate_probe.Hits(os.environ["MUTATE_HITS"], loaders=[AssertionRewritingHook])
_reach = Reach(report, hits, asked.root)

_OLD = tuple(int(part) for part in pytest.__version__.split(".")[:2]) < (7, 0)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    # Coverage starts here, before the options are final.
    if getattr(early_config.known_args_namespace, "cov_source", None):
        early_config.known_args_namespace.cov_source = []
    outcome = yield
    _report_load_failure(outcome.excinfo, "conftest.py")


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_cmdline_main(config):
    for words in quieten(config.option):
        report.notice(words)
    if config.option.maxfail and not asked.bail:
        report.notice("maxfail: the run does not stop at a failure")
    config.option.maxfail = 1 if asked.bail else 0
    said, _run.reruns = take_out_early(config)
    for words in said:
        report.notice(words)
    _files.prepare(config)
    outcome = yield
    _report_load_failure(outcome.excinfo, "pytest")
    mutate_report.tell_origins(asked, report)
    if outcome.excinfo is None and _run.orderly:
        report.add("finished")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if hits is not None:
        config.pluginmanager.register(Hooks(_reach), "mutate-reach")
    said, reruns = take_out(config.pluginmanager)
    _run.reruns = _run.reruns or reruns
    for words in said:
        report.notice(words)


class _Files:
    """Which files can hold a selected test; other test files are not even imported."""

    def __init__(self):
        self.root, self.wanted = None, None

    def prepare(self, config):
        if asked.only is None:
            return
        self.root = str(config.rootdir if _OLD else config.rootpath)
        wanted = {test.partition("::")[0] for test in asked.only}
        # An id that does not name its file says nothing about where its test is.
        if not all(os.path.isfile(os.path.join(self.root, file)) for file in wanted):
            return
        self.wanted = wanted
        # Files named on the command line are collected without asking `pytest_ignore_collect`.
        needed = [arg for arg in config.args if not self.useless(os.path.abspath(arg))]
        if needed:
            config.args[:] = needed

    def useless(self, path):
        if self.wanted is None or os.path.basename(path) in ("__init__.py", "conftest.py") or not os.path.isfile(path):
            return False
        return name(os.path.relpath(path, self.root).replace(os.sep, "/")) not in self.wanted


_files = _Files()

if _OLD:

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(path):
        return True if _files.useless(str(path)) else None

else:

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(collection_path):
        return True if _files.useless(str(collection_path)) else None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    yield
    kept = _selected(items)
    gone = [item for item in items if not asked.wants(name(item.nodeid))]
    if gone:
        config.hook.pytest_deselected(items=gone)
    items[:] = kept


def _selected(items):
    """The tests that are asked for, in the order that is asked for."""
    kept = [item for item in items if asked.wants(name(item.nodeid))]
    if asked.only is not None:
        first = {}
        for at, test in enumerate(asked.only):
            first.setdefault(test.partition("::")[0], at)
        kept.sort(key=lambda item: first[name(item.nodeid).partition("::")[0]])
        found = {name(item.nodeid) for item in items}
        missing = [test for test in asked.only if test not in found and not _run.did_not_load(test)]
        if missing:
            report.add("missing", ids=missing)
    return kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    if session_process is None:
        return None
    if _run.broken or not _run.orderly or session.shouldfail or session.shouldstop:
        session_process.decline("the tests do not load")
    for loop in session.config.hook.pytest_runtestloop.get_hookimpls():
        around = loop.hookwrapper or getattr(loop, "wrapper", False)
        if not around and loop.plugin_name not in ("main", "mutate_pytest"):
            session_process.decline("%s runs the tests in its own way" % loop.plugin_name)
    session_process.serve(lambda folder, functions: _trial(session, folder, functions))
    return True


def _trial(session, folder, functions):
    """In a child of the session."""
    global asked, report
    trial = mutate_report.Trial(folder, functions)
    asked, report = trial.asked, trial.report
    _reach.begin_trial(report)
    _forget_output(session.config)
    if not trial.swap(mutate_swap.Refused):
        return
    session.config.option.maxfail = 1 if asked.bail else 0
    items = _selected(session.items)
    report.add("collected", ids=[name(item.nodeid) for item in items])
    for item, following in zip(items, items[1:] + [None]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail or session.shouldstop:
            _tear_down(session)
            break
    _reach.end()
    trial.end(_run.orderly)


def _tear_down(session):
    """Fixtures that later tests would have used; what they say belongs to no test."""
    try:
        session._setupstate.teardown_all() if _OLD else session._setupstate.teardown_exact(None)
    except BaseException as error:
        report.notice("a fixture could not be torn down: %s" % type(error).__name__)


def _forget_output(config):
    """A trial that was killed may have left output in the files in which pytest captures it."""
    capturing = getattr(config.pluginmanager.getplugin("capturemanager"), "_global_capturing", None)
    for stream in ("in_", "out", "err"):
        file = getattr(getattr(capturing, stream, None), "tmpfile", None)
        if hasattr(file, "truncate") and stream != "in_":
            file.seek(0)
            file.truncate()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    report.add("collected", ids=[name(item.nodeid) for item in session.items])
    retried = [name(item.nodeid) for item in session.items if _run.reruns and is_retried(item)]
    if retried:
        report.add("retried", ids=retried)
    mutate_hypothesis.settle((getattr(item, "obj", None), getattr(item, "cls", None)) for item in session.items)
    _reach.begin(session.items)


class _Run:
    def __init__(self):
        self.orderly = True
        self.broken = []
        self.reruns = False  # Whether failed tests are run again where we do not interfere.

    def did_not_load(self, test):
        """Whether the file of this test, or a folder above it, is known not to load: then it is no wonder that it is missing."""
        file = test.partition("::")[0]
        return any(place in ("", file) or file.startswith(place + "/") for place in self.broken)


_run = _Run()


def _report_load_failure(excinfo, place):
    """From `sys.exc_info()`, unwrapped from what pytest puts around the error of a file."""
    if excinfo is None:
        return
    error = excinfo[1]
    if type(error).__name__ == "ConftestImportFailure":
        place = str(error.path)
        error = error.__cause__ or (error.excinfo[1] if hasattr(error, "excinfo") else error)
    elif type(error).__name__ == "CollectError" and error.__cause__ is not None:
        error = error.__cause__
    report.add("load_failure", id=name(place), **describe(error, asked.root, load=True))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_make_collect_report(collector):
    outcome = yield
    if outcome.excinfo is not None:
        return  # Becomes an internal error.
    collected = outcome.get_result()
    if not collected.failed:
        return
    place = name(collector.nodeid)
    _run.broken.append(re.sub("/?(__init__.py|conftest.py)?(::.*)?$", "", place, flags=re.S))
    call = getattr(collected, "call", None)
    if call is None or call.excinfo is None:
        detail = dict(kind="CollectError", message=name(collected.longrepr)[:500], file=None)
        report.add("load_failure", id=place, **detail)
    else:
        _report_load_failure((None, call.excinfo.value), place)


@pytest.hookimpl(tryfirst=True)
def pytest_internalerror(excinfo):
    _run.orderly = False
    _report_load_failure((None, excinfo.value), "pytest")


@pytest.hookimpl(tryfirst=True)
def pytest_keyboard_interrupt(excinfo):
    if isinstance(excinfo.value, pytest.Session.Interrupted) and _run.broken:
        return  # So pytest ends a run in which a file did not load.
    _run.orderly = False
    detail = describe(excinfo.value, asked.root)
    report.notice("the test process was stopped by %s: %s" % (detail["kind"], detail["message"]))


class _Test:
    """The test that is running."""

    def __init__(self, test, started):
        self.test, self.started = test, started
        self.failure, self.passed = None, False

    def fail(self, phase, detail):
        if self.failure is None:
            self.failure = dict(detail, phase=phase)

    def end(self, now):
        status = "failed" if self.failure else "passed" if self.passed else "skipped"
        took = max(0, int((now - self.started) * 1e6))
        report.add("result", id=self.test, status=status, us=took, failure=self.failure)


_test = None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem, _clock=time.perf_counter):
    global _test
    test = name(item.nodeid)
    report.add("start", id=test)
    _reach.enter(test)
    _test = _Test(test, _clock())
    outcome = yield
    now = _clock()
    _reach.leave(item, nextitem)
    if outcome.excinfo is None:
        _test.end(now)
    _test = None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    # The source round a failure is read, parsed and laid out, which takes longer than most tests; nobody sees it.
    laid_out = ExceptionInfo.getrepr
    ExceptionInfo.getrepr = lambda info, *args, **options: laid_out(info, style="value")
    outcome = yield
    ExceptionInfo.getrepr = laid_out
    if _test is None or outcome.excinfo is not None:
        return
    made = outcome.get_result()
    if made.failed and call.excinfo is not None:
        _test.fail(made.when, describe(call.excinfo.value, asked.root))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    if _test is None:
        return
    if report.failed:
        # Without an exception: a strict xfail that passed, or a plug-in that changed its mind.
        crash = getattr(getattr(report.longrepr, "reprcrash", None), "message", None)
        text = name(crash or report.longrepr)
        kind = "XPASS(strict)" if text.startswith("[XPASS(strict)]") else ""
        _test.fail(report.when, dict(kind=kind, message=text[:500], file=None))
    elif report.when == "call" and not hasattr(report, "context"):
        # An expected failure is what the author wanted to see, so the test passed; `context` marks one part of a test.
        _test.passed = _test.passed or report.passed or hasattr(report, "wasxfail")
