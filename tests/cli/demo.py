"""Tests fovea demo: the devices of this machine that it lists, and its table, which is the same on every machine."""

import json
import os

from command import ROOT, case, check, fovea, report, run


@case
def readme_shows_what_the_demo_prints():
    printed = [line.split() for line in fovea("demo")[0].splitlines()]
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        shown = file.read().partition("$ make demo\n")[2].partition("\n```")[0].splitlines()
    wrong = [line for line in shown if line.split() not in printed]
    check(len(shown) > 4 and not wrong, f"README.md shows what 'fovea demo' does not print: {wrong}")


@case
def demo_names_devices_and_scores_on_none_that_is_software():
    lines = fovea("demo")[0].partition("\n\n")[0].splitlines()[1:]
    devices = {d["name"]: d for d in json.loads(fovea("devices", "--json")[0])}
    check([line.split()[0] for line in lines] == list(devices), f"the devices are {list(devices)}, shown are {lines}")
    used = [line.split()[0] for line in lines if line.endswith("scored this clip")]
    check(len(used) == 1 and devices[used[0]]["usable"] and not devices[used[0]]["software"], f"scored on {used}")


@case
def demo_is_the_same_on_another_isa():
    isa = "sse2" if "sse2" in fovea("devices")[0] else "scalar"  # plain C takes a minute
    fovea("demo", "-o", "best.json")
    fovea("demo", "-o", "other.json", "--isa", isa, "--threads", "3")
    best, other = report("best.json"), report("other.json")
    check(best["frames"] == other["frames"] and best["pooled"] == other["pooled"], "scores differ")


run()
