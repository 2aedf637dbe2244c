"""How many mutants of a Java library does the compiler refuse?

    python3 benches/refusals/java/refusals.py SOURCES CLASSPATH [--sample N] [--seed N] [--tier all] [--show]

SOURCES is the unpacked source jar, CLASSPATH its class jar and whatever it needs. Asks `mutate list` for all mutants, makes each edit in
memory and shows the file to one `javac` that stays in memory (`Check.java`). The original files are shown first: one that is refused as it
is is left out.
"""
import argparse
import collections
import json
import pathlib
import random
import struct
import subprocess

HERE = pathlib.Path(__file__).parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("class_path")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tier", default="all")
    parser.add_argument("--mutate", default="target/debug/mutate")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    command = [asked.mutate, "list", str(asked.sources), "--root", str(asked.sources), "--tier", asked.tier, "--output-format", "json"]
    mutants = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["mutants"]
    files = {path: (asked.sources / path).read_bytes().decode() for path in sorted({mutant["path"] for mutant in mutants})}
    whole = refused(files.items(), asked.class_path)
    left_out = {list(files)[number] for number in whole}
    print(f"{len(files)} files, {len(left_out)} of them refused as they are: {', '.join(sorted(left_out)) or 'none'}")
    mutants = [mutant for mutant in mutants if mutant["path"] not in left_out]
    total = len(mutants)
    if asked.sample and asked.sample < total:
        mutants = random.Random(asked.seed).sample(mutants, asked.sample)
    said = refused(((mutant["path"], edited(files[mutant["path"]], mutant)) for mutant in mutants), asked.class_path, len(mutants))
    made = collections.Counter(mutant["rule"] for mutant in mutants)
    bad = collections.Counter(mutants[number]["rule"] for number in said)
    print(f"{len(said)} of {len(mutants)} mutants refused ({100 * len(said) / len(mutants):.2f} %), of {total} in all")
    for rule, count in bad.most_common():
        print(f"  {rule}: {count} of {made[rule]}")
    if asked.show:
        for number, why in said.items():
            mutant = mutants[number]
            change = f"{mutant['original']} → {mutant['replacement']}"
            print(f"{mutant['path']}:{mutant['line']}:{mutant['column']} {mutant['rule']} {change[:150]!r}: {why}")


def edited(text, mutant):
    lines = text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: mutant["line"] - 1]) + mutant["column"] - 1
    original = mutant["original"]
    assert text.startswith(original, offset), mutant
    return text[:offset] + mutant["replacement"] + text[offset + len(original) :]


def refused(texts, class_path, count=None):
    """What the compiler says first, by the number of each text that it refuses."""
    exports = "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED"
    command = ["java", "-Xmx700m", exports, str(HERE / "Check.java"), class_path]
    java = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    java.stdin.write(struct.pack(">I", len(texts) if count is None else count))
    # Answers are few and short: they wait in the pipe.
    for path, text in texts:
        for part in (path, text):
            part = part.encode()
            java.stdin.write(struct.pack(">I", len(part)) + part)
    java.stdin.close()
    answers = java.stdout.read().decode()
    assert java.wait() == 0
    return {int(number): why for number, why in (line.split("\t", 1) for line in answers.splitlines())}


main()
