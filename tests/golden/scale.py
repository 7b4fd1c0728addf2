#!/usr/bin/env python3
"""Turns the golden JSON file of scaling into the lines that golden/scale.c reads.

    golden/scale.py scale.json >scale.txt

    table KERNEL B C IN OUT SUB_IN AT_IN SUB_OUT AT_OUT     then its rows: row INDEX FIRST COEFFICIENT ...
    case NAME synth WIDTH HEIGHT CHROMA DEPTH FRAMES SEED KIND OPTION=VALUE ... md5 PLANE ...

Depth 16 is 12 expanded. The MD5 sums are those of all frames of a plane, words of 16 bits low byte first."""
import json
import sys

golden = json.load(open(sys.argv[1], encoding="utf-8"))
print("# scale: " + golden["reference"].split(",")[0] + "\n# made by scale.py, which explains the format\n")
for table in golden["tables"]:
    print("table", *(table[name] for name in ("kernel", "b", "c", "in", "out", "s_in", "d_in", "s_out", "d_out")))
    for row in table["rows"]:
        print("row", row["i"], row["first"], *row["c"])
for case in golden["cases"]:
    words = case["input"]["synth"].split()
    if "expand" in case["input"]:
        words[3] = case["input"]["expand"]
    options = [f"{name}={value}" for name, value in case["options"].items()]
    print("case", case["name"], "synth", *words, *options, "md5", *case["md5"].values())
