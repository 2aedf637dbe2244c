"""Which test reaches which probe, in pytest. PYTEST_DONT_REWRITE"""

import pytest
from mutate_memo import Memos
from mutate_report import name


class Reach:
    """Gives every hit to the tests that depend on it.

    Set-up and tear-down of a fixture that several tests share belong to all of them; what is reached at a module's end
    belongs to the module, and what nobody claims to everybody.
    """

    def __init__(self, report, hits, root):
        self.report, self.hits, self.memos = report, hits, Memos(root)
        self.items, self.running, self.open = [], None, None
        self.shared = []  # (fixture, hits)
        # Tests, and fixtures, that asked for a fixture by name while they ran: they may use any.
        self.dynamic, self.dynamic_fixtures = set(), []

    def begin(self, items):
        if self.hits is None:
            return
        self.items = list(items)
        self.report.reach(None, self.hits.take() | self.hits.take_imports())
        self._watch_dynamic_requests()

    def begin_trial(self, report):
        """In a child of a session: what was reached until now belongs to no trial."""
        self.report = report
        if self.hits is not None:
            self.hits.take()
            self.hits.take_imports()

    def enter(self, test):
        if self.hits is not None:
            self.report.reach(None, self.hits.take() | self.hits.take_imports())
            self.memos.forget()
            self.running, self.open = test, [set()]

    def pause(self):
        """Whoever is running gets what was reached until now."""
        found = self.hits.take()
        if self.open:
            self.open[-1] |= found
        return found

    def leave(self, item, nextitem):
        if self.hits is None:
            return
        self.pause()
        self.report.reach([self.running], self.open[0])
        self.report.reach(None, self.hits.take_imports())
        self.running, self.open = None, None

    def open_fixture(self):
        self.pause()
        if self.open is not None:
            self.open.append(set())

    def close_fixture(self, fixture):
        self.pause()
        if self.open is not None:
            found = self.open.pop()
            self.share(fixture, found)
            # A fixture that asked for this one while it was set up depends on it.
            self.open[-1] |= found

    def share(self, fixture, found):
        if found:
            self.shared.append((fixture, found))

    def end(self):
        if self.hits is None:
            return
        for fixture, found in self.shared:
            users = [item for item in self.items if self._uses(item, fixture)]
            self.report.reach([name(item.nodeid) for item in users], found)
        self.report.reach(None, self.hits.take() | self.hits.take_imports())

    def _uses(self, item, fixture):
        if name(item.nodeid) in self.dynamic:
            return True
        info = getattr(item, "_fixtureinfo", None)
        known = [each for named in info.name2fixturedefs.values() for each in named] if info is not None else []
        return any(each is wanted for each in known for wanted in [fixture] + self.dynamic_fixtures)

    def _watch_dynamic_requests(self):
        from _pytest.fixtures import FixtureRequest

        original, dynamic, fixtures = FixtureRequest.getfixturevalue, self.dynamic, self.dynamic_fixtures

        def getfixturevalue(request, argname):
            item = getattr(request, "_pyfuncitem", None)
            if item is not None and argname not in getattr(item, "fixturenames", ()):
                dynamic.add(name(item.nodeid))
            # A fixture that is there already does not ask again for the next test.
            fixture = getattr(request, "_fixturedef", None)
            if argname not in getattr(fixture, "argnames", (argname,)) and not any(each is fixture for each in fixtures):
                fixtures.append(fixture)
            return original(request, argname)

        FixtureRequest.getfixturevalue = getfixturevalue


class Hooks:
    """Registered as a plug-in of its own, and only where reach is recorded."""

    def __init__(self, reach):
        self.reach = reach

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            yield
            return
        self.reach.open_fixture()
        yield
        self.reach.close_fixture(fixturedef)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item, nextitem):
        self.reach.pause()
        yield
        # What no fixture has claimed: finalizers of modules, classes and the session.
        found = self.reach.pause()
        if nextitem is None:
            self.reach.report.reach(None, found)
        elif nextitem.parent is not item.parent:
            file = name(item.nodeid).partition("::")[0]
            same = [name(each.nodeid) for each in self.reach.items]
            self.reach.report.reach([test for test in same if test.partition("::")[0] == file], found)

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_post_finalizer(self, fixturedef):
        found = self.reach.pause()
        if fixturedef.scope != "function":
            self.reach.share(fixturedef, found)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self):
        yield
        self.reach.end()
