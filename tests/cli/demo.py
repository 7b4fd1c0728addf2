"""The demonstration: one table on every machine."""

import os

from command import ROOT, case, check, fovea, report, run


@case
def readme_shows_what_the_demo_prints():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        check(fovea("demo")[0] in file.read(), "put the output of 'fovea demo' into README.md")


@case
def demo_is_the_same_on_every_isa():
    fovea("demo", "-o", "best.json")
    fovea("demo", "-o", "scalar.json", "--isa", "scalar", "--threads", "3")
    best, scalar = report("best.json"), report("scalar.json")
    check(best["frames"] == scalar["frames"] and best["pooled"] == scalar["pooled"], "scores differ")


run()
