"""Tests fovea demo: the devices of this machine that it lists, its table, which is the same on every machine, and its
exit codes."""

import json
import os

from command import OUTPUT, ROOT, SANITIZED, Skipped, case, check, fovea, report, run


@case
def demo_scores_every_metric_on_no_software():
    out = fovea("demo", "-o", "demo.json")[0]
    value = report("demo.json")
    names = [m["name"] for m in json.loads(fovea("metrics", "--json")[0])]
    check([m["name"] for m in value["metrics"]] == names, "not every metric")
    check("worst 5 %" in out and "PSNR, luma" in out, "no table")
    check(value["inputs"]["distorted"]["path"] is None, "a path for pushed frames")
    printed = [line.split() for line in out.splitlines()]
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        shown = file.read().partition("$ make demo\n")[2].partition("\n```")[0].splitlines()
    wrong = [line for line in shown if line.split() not in printed]
    check(len(shown) > 4 and not wrong, f"README.md shows what 'fovea demo' does not print: {wrong}")
    lines = out.partition("\n\n")[0].splitlines()[1:]
    devices = {d["name"]: d for d in json.loads(fovea("devices", "--json")[0])}
    check([line.split()[0] for line in lines] == list(devices), f"the devices are {list(devices)}, shown are {lines}")
    used = [line.split()[0] for line in lines if line.endswith("scored this clip")]
    check(len(used) == 1 and devices[used[0]]["usable"] and not devices[used[0]]["software"], f"scored on {used}")
    if SANITIZED:
        return  # the next run takes as long again, and runs the code of another instruction set
    isa = "sse2" if "sse2" in fovea("devices")[0] else "scalar"  # plain C takes a minute
    fovea("demo", "-o", "other.json", "--isa", isa, "--threads", "3")
    other = report("other.json")
    check(value["frames"] == other["frames"] and value["pooled"] == other["pooled"], "scores differ")


@case
def demo_cannot_write():
    if SANITIZED:
        raise Skipped("sanitizers: other commands end so, too, and each run of the demo takes half a minute")
    os.mkdir("folder")
    fovea("demo", "-o", "folder", status=OUTPUT, says=["folder", "directory"])
    with open("/dev/full", "wb") as full:
        fovea("demo", "--progress", "json", status=OUTPUT, says=["standard output", '"no-space"'], stdout=full)


run()
