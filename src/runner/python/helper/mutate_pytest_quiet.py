"""Options of a project that would change the run of a trial, and what is put instead. PYTEST_DONT_REWRITE"""

# What a project's options may ask for, what we put instead, and what we say about it.
_QUIET = [
    ("numprocesses", 0, "xdist: all tests run in one process"),
    ("distload", False, "xdist: all tests run in one process"),
    ("dist", "no", "xdist: all tests run in one process"),
    ("looponfail", False, "xdist: the tests run once"),
    ("workers", None, "parallel: all tests run in one process"),
    ("cov_source", [], "cov: coverage is not measured"),
    ("randomly_reorganize", False, "randomly: tests keep their order"),
    ("randomly_seed", 1, "randomly: the seed is 1"),
    ("random_order_enabled", False, "random-order: tests keep their order"),
    ("random_order_bucket", "none", "random-order: tests keep their order"),
    ("lf", False, "cacheprovider: all selected tests run, not only those that failed last"),
    ("failedfirst", False, "cacheprovider: failed tests do not run first"),
    ("newfirst", False, "cacheprovider: new files do not run first"),
    ("stepwise", False, "stepwise: tests start at the first"),
    ("stepwise_skip", False, "stepwise: tests start at the first"),
    ("testmon", False, "testmon: all selected tests run"),
    ("usepdb", False, "debugging: a failure opens no debugger"),
    ("trace", False, "debugging: a test opens no debugger"),
    ("xmlpath", None, "junitxml: no file is written"),
    ("htmlpath", None, "html: no file is written"),
    ("update_snapshots", False, "snapshots are not written"),
    ("snapshot_update", False, "snapshots are not written"),
    ("force_regen", False, "regressions: expected files are not written"),
    ("regen_all", False, "regressions: expected files are not written"),
]
# What of these is off unless somebody asks for it, in other words than ours.
_OFF = (None, False, 0, "", [])
# Those that are on although nobody asks.
_ALWAYS = [("inline_snapshot", "disable", "inline-snapshot: snapshots are not written")]
# Plug-ins that are taken out whole, because marks of tests speak to them.
RERUN_PLUGINS = ("pytest_rerunfailures", "flaky.flaky_pytest_plugin", "pytest_retry.retry_plugin")
_OUT = dict.fromkeys(RERUN_PLUGINS, "a failed test is not run again")
_OUT["pytest_timeout"] = "a test has no time limit of its own"


def quieten(option):
    """Puts the quiet values in place; says what was changed."""
    said = []
    for dest, quiet, words in _QUIET + _ALWAYS:
        asked_for = getattr(option, dest, None)
        if asked_for in _OFF or asked_for == quiet:
            continue
        setattr(option, dest, quiet)
        # So random-order marks a value that nobody asked for.
        if words not in said and not str(asked_for).startswith("default:"):
            said.append(words)
    for dest, quiet, _ in _ALWAYS:
        if hasattr(option, dest):
            setattr(option, dest, quiet)
    return said


def take_out_early(config):
    """Before it is configured this one starts no thread, without which a process can be forked; but its mark must be known."""
    plugin = next((each for _, each in config.pluginmanager.list_name_plugin() if _module(each) == "pytest_rerunfailures"), None)
    if plugin is None:
        return [], False
    config.pluginmanager.unregister(plugin)
    config.addinivalue_line("markers", "flaky: the mark of rerunfailures")
    return ["rerunfailures: " + _OUT["pytest_rerunfailures"]], True


def _module(plugin):
    return getattr(plugin, "__name__", None)


def take_out(manager):
    """Takes plug-ins out; says which, and whether failed tests would have been run again."""
    said, reruns = [], False
    for plugin_name, plugin in list(manager.list_name_plugin()):
        module = _module(plugin)
        if module in _OUT:
            manager.unregister(plugin)
            said.append("%s: %s" % (plugin_name, _OUT[module]))
            reruns = reruns or module in RERUN_PLUGINS
    return said, reruns


def is_retried(item):
    """Whether somebody has marked this test as one that fails at times. A count for all tests says nothing about any of them."""
    # The decorator of `flaky` marks the function itself.
    return item.get_closest_marker("flaky") is not None or hasattr(getattr(item, "obj", None), "_flaky_max_runs")
