#!/usr/bin/env python3
"""Runs mutate and its peers of Go on the same module, in turn, with the same number of workers, and prints what each took.

    go install github.com/go-gremlins/gremlins/cmd/gremlins@latest
    benches/peers/go.py MODULE [--workers 2] [--mutate target/release/mutate] [--peers gremlins]

Each tool gets a fresh copy of the module and runs from start to end, its own baseline included. CPU is of all processes waited for,
peak is the largest single one. Rules differ between tools: compare mutants per second and CPU per mutant, not counts.
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


def mutate(options, copy):
    report = os.path.join(copy, "..", "report.json")
    command = [options.mutate, "run", ".", "--jobs", str(options.workers), "--output-format", "json", "-o", report]
    took = measured(command, copy)
    counts = json.load(open(report))["config"]["mutate"]["score"]["counts"]
    return counts["killed"] + counts["timed-out"] + counts["survived"], counts["killed"], took


def gremlins(options, copy):
    report = os.path.join(copy, "..", "gremlins.json")
    command = ["gremlins", "unleash", "--workers", str(options.workers), "--output", report, "."]
    took = measured(command, copy)
    statuses = [mutant["status"] for file in json.load(open(report))["files"] for mutant in file["mutations"]]
    return sum(status in ("KILLED", "LIVED", "TIMED OUT") for status in statuses), statuses.count("KILLED"), took


def go_mutesting(options, copy):
    took = measured(["go-mutesting", "./..."], copy)
    passed, failed = map(int, re.search(r"\((\d+) passed, (\d+) failed", took[3]).groups())
    return passed + failed, passed, took


def measured(command, folder):
    """Wall and CPU seconds, peak in MB, and what was said."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    said = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - started, cpu, after.ru_maxrss / 1024, said


PEERS = {"gremlins": gremlins, "go-mutesting": go_mutesting}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--mutate", default="target/release/mutate", type=os.path.abspath)
    parser.add_argument("--peers", nargs="*", default=["gremlins"], choices=list(PEERS))
    options = parser.parse_args()
    print(f"{'tool':14}{'mutants':>9}{'killed':>8}{'wall s':>9}{'CPU s':>9}{'mut/s':>8}{'CPU ms/mut':>12}{'peak MB':>9}{'ratio':>8}")
    first = None
    for name, run in {"mutate": mutate, **{peer: PEERS[peer] for peer in options.peers}}.items():
        if name != "mutate" and shutil.which(name) is None:
            print(f"{name:14} is not on PATH")
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "module")
            shutil.copytree(options.module, copy)
            mutants, killed, (wall, cpu, peak, said) = run(options, copy)
        if mutants == 0:
            print(f"{name:14} has run no mutant: {said.strip()[-200:]}", file=sys.stderr)
            continue
        first = first or cpu / mutants
        print(
            f"{name:14}{mutants:9}{killed:8}{wall:9.1f}{cpu:9.1f}{mutants / wall:8.2f}{1000 * cpu / mutants:12.1f}{peak:9.0f}"
            f"{cpu / mutants / first:8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
