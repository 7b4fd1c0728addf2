#!/usr/bin/env python3
"""Counts, per source file, the whole vectors that the AVX2 kernels store on the stack, and compares them with
stores.txt: `stores.py BUILD`. An increase of more than a tenth and by more than eight fails. A sum whose products
pass through the stack takes a third longer and gives the same bits, so only this test notices it. `stores.py BUILD
--renew` writes the list, which holds for one major version of GCC and the flags of a release."""

import glob
import os
import re
import subprocess
import sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stores.txt")
STORE = re.compile(r"\svmov\w+\s+%ymm\d+,(?:0x[0-9a-f]+\(%rsp\)|\(%rsp\)|-0x[0-9a-f]+\(%rbp\))")


def stores(file):
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", file], capture_output=True,
                             text=True, check=True)
    return len(STORE.findall(listing.stdout))


def main():
    found = {}
    for file in sorted(glob.glob(os.path.join(sys.argv[1], "src/libcpu*_avx2.a.p/*.o"))):
        found[os.path.basename(file).removeprefix("cpu_").removesuffix(".c.o")] = stores(file)
    with open(LIST, encoding="utf-8") as file:
        lines = file.read().splitlines()
    comments = [line for line in lines if line.startswith("#")]
    if sys.argv[2:] == ["--renew"]:
        with open(LIST, "w", encoding="utf-8") as file:
            file.write("\n".join(comments + [f"{name} {count}" for name, count in sorted(found.items())]) + "\n")
        return 0
    listed = {name: int(count) for name, count in (line.split() for line in lines if line not in comments)}
    failures = 0
    print(f"1..{len(listed | found)}")
    for number, name in enumerate(sorted(listed | found), 1):
        count, expected = found.get(name), listed.get(name)
        bad = count is None or expected is None or count > expected * 1.1 + 8
        failures += bad
        print(f"{'not ok' if bad else 'ok'} {number} {name}: {count} vectors stored on the stack, {expected} listed")
    if failures:
        print(f"# if these have to be: tests/cost/stores.py {sys.argv[1]} --renew")
    return failures > 0


sys.exit(main())
