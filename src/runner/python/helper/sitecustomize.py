"""Runs at the start of every interpreter of a run that records reach or works on a copy, before any code of the project."""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _use_the_copy(original, copy):
    """Sends what points into the user's own tree (editable installs, absolute paths) to the copy of it."""

    def moved(path):
        if not isinstance(path, str) or "-packages" in path or path.startswith(copy + os.sep):
            return path
        if path != original and not path.startswith(original + os.sep):
            return path
        new = copy + path[len(original) :]
        return new if os.path.exists(new) else path

    sys.path[:] = [moved(entry) for entry in sys.path]
    for name, module in list(sys.modules.items()):
        if not name.startswith("__editable___"):
            continue
        for table in (getattr(module, "MAPPING", None), getattr(module, "NAMESPACES", None)):
            for key, value in list((table or {}).items()):
                table[key] = [moved(path) for path in value] if isinstance(value, list) else moved(value)


def _run_the_next():
    """The project's own sitecustomize, which ours has hidden."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if os.path.abspath(entry) != _HERE])
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if "MUTATE_COPY" in os.environ:
    import mutate_outside

    _use_the_copy(os.environ["MUTATE_ORIGINAL"], os.environ["MUTATE_COPY"])
    mutate_outside.watch(os.environ["MUTATE_ORIGINAL"], os.environ["MUTATE_COPY"], os.path.join(_HERE, "outside"))
if "MUTATE_HITS" in os.environ:
    import mutate_probe

    mutate_probe.start(os.environ["MUTATE_HITS"])
_run_the_next()
