"""Checks that scripts/test runs each test: suites.py BUILD_ROOT. It leaves out tests of one-isa. So such a test must
be in neither full nor every-build, and both must have a test of the same program whose name begins with its name."""

import json
import os
import sys

from tree import answer

with open(os.path.join(sys.argv[1], "meson-info/intro-tests.json"), encoding="utf-8") as file:
    TESTS = [(test["name"], test["cmd"][0], {suite.split(":")[-1] for suite in test["suite"]})
             for test in json.load(file)]


def strays():
    return [f"{name}: {sorted(suites)}" for name, _, suites in TESTS
            if not suites & {"quick", "full", "every-build", "fuzz", "builds"}]


def unrepeated():
    """Yields tests of one-isa that no call of scripts/test replaces."""
    for name, program, suites in TESTS:
        if "one-isa" not in suites:
            continue
        longer = [of for other, same, of in TESTS if same == program and other.startswith(name + " ")]
        for suite in ("full", "every-build"):
            if suite in suites or not any(suite in of for of in longer):
                yield f"{name}: " + (f"it is in {suite}, too" if suite in suites else f"{suite} has no longer test")


sys.exit(answer({"each test is in a suite that runs": strays(),
                 "full and every-build repeat each test of one-isa": list(unrepeated())}))
