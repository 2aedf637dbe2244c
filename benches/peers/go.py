#!/usr/bin/env python3
"""Runs mutate and its peers of Go on the same module, in turn, with the same number of workers, and prints what each took.

    go install github.com/go-gremlins/gremlins/cmd/gremlins@latest
    benches/peers/go.py MODULE [--workers 2] [--mutate target/release/mutate] [--peers gremlins go-mutesting] [--limit 900]

Each tool gets a fresh copy of the module and runs from start to end, its own baseline included. CPU is of all processes waited for,
peak is the largest single one. Rules differ between tools: compare mutants per CPU second, not counts. go-mutesting has no workers.
The ratio says how many times as many mutants `mutate` runs in a second of processor time.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile

from taken import HEAD, take


def mutate(options, copy, extra=()):
    report = os.path.join(copy, "..", "report.json")
    command = [options.mutate, "run", ".", "--jobs", options.workers, "--exit-zero", *extra, "--output-format", "json", "-o", report]
    taken = take(command, copy, limit=options.limit)
    counts = json.load(open(report))["config"]["mutate"]["score"]["counts"]
    noticed = counts["killed"] + counts["timed-out"]
    return noticed + counts["survived"], noticed, taken


def gremlins(options, copy):
    report = os.path.join(copy, "..", "gremlins.json")
    command = ["gremlins", "unleash", "--workers", options.workers, "--output", report, "."]
    taken = take(command, copy, limit=options.limit)
    statuses = [mutant["status"] for file in json.load(open(report))["files"] for mutant in file["mutations"]]
    noticed = statuses.count("KILLED") + statuses.count("TIMED OUT")
    return noticed + statuses.count("LIVED"), noticed, taken


def go_mutesting(options, copy):
    taken = take(["go-mutesting", "./..."], copy, limit=options.limit)
    whole = re.search(r"\((\d+) passed, (\d+) failed", taken.said)
    if whole:
        passed, failed = map(int, whole.groups())
    else:  # stopped at the limit: what it has said so far
        passed, failed = (len(re.findall(f"^{word} ", taken.said, re.M)) for word in ("PASS", "FAIL"))
    return passed + failed, passed, taken


PEERS = {"gremlins": gremlins, "go-mutesting": go_mutesting}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--mutate", default="target/release/mutate", type=os.path.abspath)
    parser.add_argument("--peers", nargs="*", default=["gremlins"], choices=list(PEERS))
    parser.add_argument("--limit", type=int, default=900, help="seconds for one tool")
    options = parser.parse_args()
    print(HEAD, flush=True)
    first = None
    for name, run in {"mutate": mutate, **{peer: PEERS[peer] for peer in options.peers}}.items():
        if name != "mutate" and shutil.which(name) is None:
            print(f"{name:14} is not on PATH")
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "module")
            shutil.copytree(options.module, copy)
            try:
                mutants, noticed, taken = run(options, copy)
            except OSError as why:
                print(f"{name:14} has left no report: {why}", flush=True)
                continue
        if mutants == 0:
            print(f"{name:14} has run no mutant: {taken.said.strip()[-200:]}{taken.complained.strip()[-200:]}", file=sys.stderr)
            continue
        print(taken.row(name, mutants, noticed, first), flush=True)
        first = first or mutants / taken.cpu


if __name__ == "__main__":
    main()
