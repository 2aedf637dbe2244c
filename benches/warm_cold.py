#!/usr/bin/env python3
"""Is the verdict of every warm trial the one that a new process gives?

    python3 benches/warm_cold.py PROJECT TARGET... [--mutate target/release/mutate] [-- --tier all --sample 320 --seed 1]

Runs `mutate` on a copy of the project twice, as it comes and with `--cold`, and compares the verdicts mutant by mutant. What stands
behind `--` goes to both runs. Prints how many pairs there were, how many of them had a warm trial, and every difference; ends with 1
if there is one in a verdict. Killers may differ where several tests fail, and are only counted.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RAN = ("Killed", "Survived", "Timeout", "CompileError")


def verdicts(options, more, extra):
    """What one run says about each mutant: place, verdict, killers, path, and why."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / options.project.name
        shutil.copytree(options.project, copy, ignore=shutil.ignore_patterns("__pycache__", ".git"), symlinks=True)
        report = Path(folder) / "report.json"
        command = [options.mutate, "run", *options.target, "--jobs", options.workers, "--exit-zero", "--quiet", *more, *extra]
        command += ["--output-format", "json", "-o", report]
        done = subprocess.run([str(word) for word in command], cwd=copy, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"mutate ended with {done.returncode}:\n{done.stderr[-2000:]}")
        return read(json.loads(report.read_text()))


def read(report):
    own = report["config"]["mutate"]["mutants"]
    for path, file in report["files"].items():
        for mutant in file["mutants"]:
            evidence, at = own.get(mutant["id"], {}), mutant["location"]["start"]
            place = f"{mutant['id']} {path}:{at['line']}:{at['column']} {mutant['description']}"
            why = mutant.get("statusReason", "")
            yield mutant["id"], (place, mutant["status"], mutant.get("killedBy"), evidence.get("path") or "", why)


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=lambda text: Path(text).resolve())
    parser.add_argument("target", nargs="+")
    parser.add_argument("--workers", default="2")
    parser.add_argument("--mutate", default="target/release/mutate", type=lambda text: Path(text).resolve())
    options = parser.parse_args(words[:cut])
    more = words[cut + 1 :]
    warm, cold = dict(verdicts(options, more, [])), dict(verdicts(options, more, ["--cold"]))
    both = sorted(each for each in set(warm) & set(cold) if "Ignored" not in (warm[each][1], cold[each][1]))
    apart = sum((warm[each][1] == "Ignored") != (cold[each][1] == "Ignored") for each in set(warm) & set(cold))
    ran = [each for each in both if warm[each][1] in RAN and cold[each][1] in RAN]
    paths = [warm[each][3] for each in ran]
    differ = [each for each in both if warm[each][1] != cold[each][1]]
    killers = [each for each in both if each not in differ and warm[each][2] != cold[each][2]]
    for each in differ:
        for name, (place, status, by, path, why) in (("as it comes", warm[each]), ("cold", cold[each])):
            print(f"{name:12} {status:12} {path:20} {place} {by or ''} {why}")
    missing = len(set(warm) ^ set(cold))
    print(
        f"{len(ran)} pairs with a verdict, {sum(path.startswith('warm') for path in paths)} of them warm: {len(differ)} verdicts differ,"
        f" {len(killers)} have other killers, {missing + apart} mutants were asked for in one run only"
    )
    return 1 if differ or missing or apart else 0


if __name__ == "__main__":
    sys.exit(main())
