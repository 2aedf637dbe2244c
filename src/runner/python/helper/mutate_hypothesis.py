"""Makes Hypothesis try the same examples in every run, and never fail a test for being slow. PYTEST_DONT_REWRITE

All else stays as the project wants it, its number of examples for one. A seed that was given decides by itself.
"""

import sys


def settle(tests):
    """`tests`: pairs of a test function and its class, or `None`. Called when all tests are loaded, with their settings."""
    if "hypothesis" not in sys.modules:
        return
    from hypothesis import core, settings

    # Where it is set, `derandomize` would outrank the seed.
    seeded = getattr(core, "global_force_seed", None) is not None

    def steady(parent):
        return settings(parent=parent, derandomize=parent.derandomize or not seeded, deadline=None, database=None)

    # For what has no settings of its own.
    settings.register_profile("mutate", steady(settings.default))
    settings.load_profile("mutate")
    for function, group in tests:
        function = getattr(function, "__func__", function)
        own = getattr(function, "_hypothesis_internal_use_settings", None)
        if isinstance(own, settings):
            function._hypothesis_internal_use_settings = steady(own)
        # A state machine keeps them in its class.
        own = getattr(group, "settings", None)
        if isinstance(own, settings):
            group.settings = steady(own)
