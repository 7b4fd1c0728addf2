#!/usr/bin/env python3
"""Counts the instructions per frame of each metric on AVX2, from Y4M to the score, with 8 or with 10 bits, as chance
has it, and compares them with counts.txt: an increase of more than 2 % fails, and so does a metric that the list
lacks. Valgrind counts, so no clock and no other program affects the result. `cost.py FOVEA --renew` writes the list,
which holds for one major version of GCC and the flags of a release."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
import clip  # noqa: E402  (a module of the neighbouring folder)

LIST = os.path.join(HERE, "counts.txt")
FRAMES = 2, 4  # the difference of two lengths excludes the cost of starting and ending a run
DEPTHS = 8, 10
MORE = ["vmaf=version=vmaf_v0.6.1"]  # metrics besides each metric with its defaults


def metrics(fovea):
    listed = subprocess.run([fovea, "metrics", "--json"], capture_output=True, check=True).stdout
    return [metric["name"] for metric in json.loads(listed)] + MORE


def instructions(fovea, metric, depth, frames):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", fovea, "score",
                          f"ref{depth}.y4m", f"dis{depth}.y4m", "--metric", metric, "--frames", str(frames),
                          "--threads", "1", "--device", "cpu", "--isa", "avx2", "-o", "scores.json"],
                         capture_output=True, env={"LC_ALL": "C"}, timeout=300, check=False)
    found = re.search(rb"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        raise ValueError(run.stderr.decode()[-300:])
    return int(found[1])


def per_frame(fovea, metric, depth):
    few, many = (instructions(fovea, metric, depth, frames) for frames in FRAMES)
    return (many - few) // (FRAMES[1] - FRAMES[0])


def compare(fovea, counts):
    failures = 0
    wanted = [(metric, random.choice(DEPTHS)) for metric in metrics(fovea)]
    print(f"1..{len(wanted)}")
    for number, (metric, depth) in enumerate(wanted, 1):
        name, expected = f"{metric}, {depth} bits", counts.get((metric, depth))
        if not expected:
            failures += 1
            print(f"not ok {number} {name}: the list lacks it, tests/cost/cost.py {fovea} --renew")
            continue
        count = per_frame(fovea, metric, depth)
        change = count / expected - 1
        bad = change > 0.02
        failures += bad
        print(f"{'not ok' if bad else 'ok'} {number} {name}: {count} instructions per frame, {change:+.1%}")
        if change < -0.02:
            print(f"# {name} takes less: commit the new list, tests/cost/cost.py {fovea} --renew")
    return failures


def read_list():
    with open(LIST, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line]
    comments = [line for line in lines if line.startswith("#")]
    words = [line.split() for line in lines if line not in comments]
    return comments, {(metric, int(depth)): int(count) for metric, depth, count in words}


def main():
    fovea = os.path.abspath(sys.argv[1])
    comments, counts = read_list()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, seed in (("ref", 1), ("dis", 9)):
            for depth in DEPTHS:
                with open(f"{name}{depth}.y4m", "wb") as file:
                    file.write(clip.y4m(frames=FRAMES[1], width=352, height=288, depth=depth, seed=seed))
        if sys.argv[2:] != ["--renew"]:
            return compare(fovea, counts) > 0
        made = [f"{metric} {depth} {per_frame(fovea, metric, depth)}" for metric in metrics(fovea)
                for depth in DEPTHS]
        with open(LIST, "w", encoding="utf-8") as file:
            file.write("\n".join(comments + made) + "\n")
        return 0


sys.exit(main())
