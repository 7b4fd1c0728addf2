#!/usr/bin/env python3
"""Instructions per frame of each metric on AVX2, from Y4M to the score, against counts.txt: 2 % more fails. Valgrind
counts, so that no clock and no other program decides. `cost.py FOVEA --renew` writes the list, which is for GCC of one
major version and the flags of a release."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli"))
import clip  # noqa: E402  (a module of the neighbouring folder)

LIST = os.path.join(HERE, "counts.txt")
FRAMES = 2, 4  # what starts and ends a run stands in both


def instructions(fovea, metric, frames):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", fovea, "score", "ref.y4m",
                          "dis.y4m", "--metric", metric, "--frames", str(frames), "--threads", "1", "--device", "cpu",
                          "--isa", "avx2", "-o", "scores.json"], capture_output=True, env={"LC_ALL": "C"}, timeout=300,
                         check=False)
    found = re.search(rb"Collected : (\d+)", run.stderr)
    if run.returncode or not found:
        raise ValueError(run.stderr.decode()[-300:])
    return int(found[1])


def per_frame(fovea, metric):
    few, many = (instructions(fovea, metric, frames) for frames in FRAMES)
    return (many - few) // (FRAMES[1] - FRAMES[0])


def compare(fovea, counts):
    failures = 0
    print(f"1..{len(counts)}")
    for number, (metric, expected) in enumerate(counts.items(), 1):
        count = per_frame(fovea, metric)
        change = count / expected - 1
        bad = change > 0.02
        failures += bad
        print(f"{'not ok' if bad else 'ok'} {number} {metric}: {count} instructions per frame, {change:+.1%}")
        if change < -0.02:
            print(f"# {metric} takes less: commit the new list, tests/cost/cost.py {fovea} --renew")
    return failures


def main():
    fovea = os.path.abspath(sys.argv[1])
    with open(LIST, encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if line]
    comments = [line for line in lines if line.startswith("#")]
    counts = {metric: int(count) for metric, count in (line.split() for line in lines if line not in comments)}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, seed in (("ref.y4m", 1), ("dis.y4m", 9)):
            with open(name, "wb") as file:
                file.write(clip.y4m(frames=FRAMES[1], width=352, height=288, seed=seed))
        if sys.argv[2:] != ["--renew"]:
            return compare(fovea, counts) > 0
        made = [f"{metric} {per_frame(fovea, metric)}" for metric in counts]
        with open(LIST, "w", encoding="utf-8") as file:
            file.write("\n".join(comments + made) + "\n")
        return 0


sys.exit(main())
