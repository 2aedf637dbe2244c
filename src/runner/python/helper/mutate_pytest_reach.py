"""Which test reaches which probe, in pytest. PYTEST_DONT_REWRITE"""

import pytest
from mutate_report import name


class Reach:
    """Gives every hit to the tests that depend on it.

    Set-up and tear-down of a fixture that several tests share belong to all of them; what is reached at a module's end
    belongs to the module, and what nobody claims to everybody.
    """

    def __init__(self, report, hits):
        self.report, self.hits = report, hits
        self.items, self.running, self.open = [], None, None
        self.shared = []  # (fixture, hits)
        self.dynamic = set()  # Tests that asked for a fixture by name while they ran: they may use any.

    def begin(self, items):
        if self.hits is None:
            return
        self.items = list(items)
        self.report.reach(None, self.hits.take() | self.hits.take_imports())
        self._watch_dynamic_requests()

    def enter(self, test):
        if self.hits is not None:
            self.report.reach(None, self.hits.take() | self.hits.take_imports())
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
        info = getattr(item, "_fixtureinfo", None)
        known = info is not None and any(each is fixture for each in info.name2fixturedefs.get(fixture.argname, ()))
        return known or name(item.nodeid) in self.dynamic

    def _watch_dynamic_requests(self):
        from _pytest.fixtures import FixtureRequest

        original, dynamic = FixtureRequest.getfixturevalue, self.dynamic

        def getfixturevalue(request, argname):
            item = getattr(request, "_pyfuncitem", None)
            if item is not None and argname not in getattr(item, "fixturenames", ()):
                dynamic.add(name(item.nodeid))
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
        self.reach.pause()
        if self.reach.open is not None:
            self.reach.open.append(set())
        yield
        self.reach.pause()
        if self.reach.open is not None:
            self.reach.share(fixturedef, self.reach.open.pop())

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
