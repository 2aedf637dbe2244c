#!/usr/bin/env python3
"""Captures what the Python helpers report; see README.md. Usage: capture.py INTERPRETER..."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HELPERS = HERE.parents[1] / "src/runner/python/helper"
# Version of Python: versions of pytest.
PYTESTS = {"3.8": ["6.2.5", "7.4.4"], "3.12": ["8.4.2"], "3.13": ["9.2.0"]}


def main(interpreters):
    with tempfile.TemporaryDirectory() as folder:
        for interpreter in interpreters:
            ask = "import sys; print('%d.%d' % sys.version_info[:2])"
            version = subprocess.check_output([interpreter, "-c", ask], text=True).strip()
            capture([interpreter, "-m", "mutate_unittest"], "unittest-suite", f"unittest-python-{version}")
            for pytest in PYTESTS.get(version, []):
                python = environment(interpreter, pathlib.Path(folder, f"{version}-{pytest}"), pytest)
                for project in ("pytest-suite", "pytest-broken"):
                    capture([python, "-m", "pytest", "-p", "mutate_pytest"], project, f"{project}-{pytest}-python-{version}")


def environment(interpreter, folder, pytest):
    subprocess.check_call([interpreter, "-m", "venv", folder])
    python = str(folder / "bin/python")
    subprocess.check_call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"pytest=={pytest}"])
    return python


def capture(command, project, name):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        root, wires = folder / "project", folder / "request"
        shutil.copytree(HERE / project, root)
        shutil.copytree(HELPERS, wires, ignore=shutil.ignore_patterns("__pycache__"))
        (wires / "hits").mkdir()
        asked = dict(only=None, deselect=[], bail=False, reach=True, root=str(root), original_root=str(root), tests=[])
        (wires / "request.json").write_text(json.dumps(asked))
        wiring = dict(MUTATE_FOLDER=str(wires), MUTATE_HITS=str(wires / "hits"), PYTHONPATH=str(wires), PYTHONHASHSEED="0")
        environ = dict(os.environ, **wiring)
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run(command, cwd=root, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = (wires / "report.jsonl").read_text().replace(str(root), "/project")
        (HERE / f"{name}.jsonl").write_text(report)
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
