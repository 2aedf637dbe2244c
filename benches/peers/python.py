#!/usr/bin/env python3
"""How many mutants per second, beside peers on the same module, in one run and in turn?

    python3 benches/peers/python.py PROJECT MODULE --venv VENV [--tests tests] [--workers 2] [--tools mutate,mutmut]

PROJECT is an unpacked library, MODULE a file in it; VENV has what its tests need and the peers (mutmut, irradiate, fest-mutate). Each tool
works on a copy of its own. A line says: mutants that were run, those that were noticed, wall clock, processor time of the whole process
tree, mutants per second of each, and the size of the largest process. Mutants differ between tools, so rates say more than counts.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]


def mutate(args, copy, extra=()):
    out = copy / "mutate.json"
    program = HERE / "target/release/mutate"
    command = [program, args.module, "--python", args.venv / "bin/python", "-j", args.workers, "--exit-zero", *extra]

    def counts(_):
        found = json.loads(out.read_text())["config"]["mutate"]["score"]["counts"]
        noticed = found["killed"] + found["timed-out"]
        return noticed + found["survived"], noticed

    return [*command, "--output-format", "json", "-o", out], counts


def mutate_quick(args, copy):
    return mutate(args, copy, ["--no-verify-survivors", "--audit", "0"])


def mutate_cold(args, copy):
    return mutate(args, copy, ["--cold"])


def mutmut(args, copy):
    package = Path(args.module).parts[0]
    (copy / "setup.cfg").write_text(
        f"[mutmut]\npaths_to_mutate={args.module}\ntests_dir={args.tests}\nalso_copy=\n    {package}\n    {args.tests}\n"
    )
    for other in ("pyproject.toml", "tox.ini"):
        (copy / other).unlink(missing_ok=True)

    def counts(said):
        last = [line for line in re.split("[\r\n]", said) if "🎉" in line][-1]
        number = lambda sign: int(re.search(sign + r"\s+(\d+)", last).group(1))
        noticed = number("🎉") + number("⏰")
        return noticed + number("🙁"), noticed

    return [args.venv / "bin/mutmut", "run", "--max-children", args.workers], counts


def irradiate(args, copy):
    def counts(_):
        report = json.loads((copy / "irradiate.json").read_text())
        status = [mutant["status"] for file in report["files"].values() for mutant in file["mutants"]]
        noticed = status.count("Killed") + status.count("Timeout")
        return noticed + status.count("Survived"), noticed

    options = ["--tests-dir", args.tests, "--workers", args.workers, "--python", args.venv / "bin/python"]
    return [args.venv / "bin/irradiate", "run", args.module, *options, "--report", "json", "-o", "irradiate.json"], counts


def fest(args, copy):
    def counts(said):
        report = json.loads(said[said.index("{") : said.rindex("}") + 1])
        found = report.get("summary", report)
        return found["killed"] + found["timeouts"] + found["survived"], found["killed"] + found["timeouts"]

    return [args.venv / "bin/fest", "run", "--source", args.module, "--workers", args.workers, "--output", "json"], counts


TOOLS = {each.__name__: each for each in (mutate, mutate_quick, mutate_cold, mutmut, irradiate, fest)}


def measure(name, args):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / args.project.name
        shutil.copytree(args.project, copy, ignore=shutil.ignore_patterns("__pycache__", ".git"))
        command, counts = TOOLS[name](args, copy)
        env = dict(os.environ, PATH=f"{args.venv / 'bin'}:{os.environ['PATH']}", PYTHONPATH=str(copy / args.source))
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run([str(word) for word in command], cwd=copy, env=env, capture_output=True, timeout=args.limit)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        said = done.stdout.decode(errors="replace")
        try:
            ran, noticed = counts(said)
        except (ValueError, KeyError, IndexError, OSError) as why:
            raise SystemExit(f"{name} ended with {done.returncode} and its result cannot be read ({why}):\n{said[-2000:]}"
                             f"{done.stderr.decode(errors='replace')[-2000:]}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{name:13} {ran:5} mutants, {noticed:5} noticed, {wall:7.1f} s wall, {cpu:7.1f} s processor, {ran / wall:6.2f} a second,"
              f" {ran / cpu:6.2f} a processor second, largest process so far {after.ru_maxrss >> 10} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=lambda text: Path(text).resolve())
    parser.add_argument("module")
    parser.add_argument("--venv", type=lambda text: Path(text).absolute(), required=True)
    parser.add_argument("--tests", default="tests")
    parser.add_argument("--source", default=".", help="folder that holds the package")
    parser.add_argument("--workers", default="2")
    parser.add_argument("--limit", type=int, default=1800, help="seconds for one tool")
    parser.add_argument("--tools", default="mutate,mutate_quick,mutmut")
    args = parser.parse_args()
    for name in args.tools.split(","):
        measure(name, args)


if __name__ == "__main__":
    sys.exit(main())
