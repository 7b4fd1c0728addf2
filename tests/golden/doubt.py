#!/usr/bin/env python3
"""Turns the golden JSON file of the search for mistakes in a pair of videos (src/doubt) into the lines that
golden/doubt.c reads.

    golden/doubt.py doubt.json >doubt.txt

    case REF | DIS | FRAMES | MODIFICATION     clips: WIDTH HEIGHT CHROMA DEPTH FRAMES SEED KIND; FRAMES: of the
                                               distorted clip, in their order, - for all; MODIFICATION: golden/doubt.c

and then, each on a line of its own, everything that must come out, as golden/doubt.c prints it."""
import json
import re
import sys


def bits(pair):
    """Returns a double as printf's %a writes it."""
    return re.sub(r"\.?0*p", "p", pair[1])


golden = json.load(open(sys.argv[1], encoding="utf-8"))
print("# doubt: " + golden["reference"] + "\n# made by doubt.py, which explains the format")
for case in golden["cases"]:
    verdict = case["verdict"]
    frames = " ".join(map(str, case["frames"])) if case["frames"] else "-"
    print("\ncase", case["ref"], "|", case["dis"], "|", frames, "|", case["modification"])
    print("looked", case["looked"])
    for name in ("signature_reference", "signature_distorted"):
        print(name, *(value for plane in case[name] for value in plane))
    print("moments", *(case["moments"][i][j] for i in range(7) for j in range(i, 7)))
    print("identity", bits(case["identity_error"]))
    for name, ratio in case["ratios"].items():
        print("ratio", name, "=", bits(ratio))
    for name, _, values, ratio in case["parametric"]:
        print("ratio", name, "=", bits(ratio), *([] if name == "colours" else map(bits, values)))
    print("tone", bits(case["tone_error"]))
    colour = verdict["colour"]
    if colour:
        print("colour", colour["name"], bits(colour["ratio"]), bits(colour["rms"]), *colour["votes"])
    for name in ("lost", "lines", "sides"):
        if verdict[name]:
            print(name, *([verdict[name]] if isinstance(verdict[name], str) else verdict[name]))
    for bar in verdict["bars"]:
        print("bar", *bar)
    for name in ("unrelated", "reversed"):
        if verdict[name]:
            print(name)
