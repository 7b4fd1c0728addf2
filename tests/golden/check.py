#!/usr/bin/env python3
"""Turns golden/qc.json into check.txt, which check.c reads.

    golden/check.py QC.json check.txt

    case NAME
    clip WIDTH HEIGHT CHROMA DEPTH FRAMES SEED KIND     gray: without chroma
    rate NUM DEN
    option NAME VALUE            of the format, the container or a metric
    modify STEP ARGUMENT ...     steps that change the frames, in order
    terms FRAME NAME=VALUE ...   hash_NAME: FNV-1a 64 of the cells
    frame NUMBER SCORE=VALUE ... C99 hexadecimal
    clip_score SCORE=VALUE ...
    transitions KIND VALUE ...   of every frame
    event CHECK SEVERITY FIRST LAST FRAMES DETAIL=VALUE ...
"""
import json
import sys


def terms_of(terms):
    out = {}
    for name in ("cells", "red", "cells_y"):
        if name in terms:
            out["hash_" + name] = terms[name]
    for ours, theirs in (("differ", "differ"), ("moving", "moving"), ("own", "p0"), ("top", "wa"), ("bottom", "wb"),
                         ("si_sum", "si1"), ("ti_sum", "ti1")):
        if theirs in terms:
            out[ours] = terms[theirs]
    for prefix in ("si", "ti"):
        if prefix + "2" in terms:
            out[prefix + "_squares_low"] = terms[prefix + "2"] & 0xFFFFFFFF
            out[prefix + "_squares_high"] = terms[prefix + "2"] >> 32
    for plane, value in zip(("y", "cb", "cr"), terms.get("sad", [])):
        out["sad_" + plane] = value
    return out


def detail(value):
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def lines_of(case):
    yield f"case {case['name']}"
    yield f"clip {case['synth']}" + (" gray" if case.get("gray") else "")
    yield "rate %d %d" % tuple(case["rate"])
    for name, value in case.get("options", {}).items():
        yield f"option {name} {value}"
    for step in case.get("modify", []):
        yield "modify " + " ".join(map(str, step))
    last = case["count"] - 1
    for terms in case["terms"]:
        if terms["frame"] in (0, last):
            yield f"terms {terms['frame']} " + " ".join(f"{k}={v}" for k, v in terms_of(terms).items())
    for number, frame in zip(case["frame_numbers"], case["frames"]):
        if number in (0, last):
            yield f"frame {number} " + " ".join(f"{k}={v[1]}" for k, v in frame.items())
    if case["sequence"]:
        yield "clip_score " + " ".join(f"{k}={v[1]}" for k, v in case["sequence"].items())
    for kind, name in (("luminance", "flash_transitions"), ("red", "red_flash_transitions")):
        if case.get("transitions"):
            yield f"transitions {name} " + " ".join(map(str, case["transitions"][kind]["transitions"]))
    for event in case["events"]:
        details = [f"{k}={detail(v)}" for k, v in event.items()
                   if k not in ("check", "severity", "first", "last", "frames")]
        yield f"event {event['check']} {event['severity']} {event['first']} {event['last']} {event['frames']} " \
              + " ".join(details)
    yield ""


def main():
    with open(sys.argv[1]) as file:
        cases = json.load(file)["cases"]
    with open(sys.argv[2], "w") as file:
        file.write("# Measures of one video, made by check.py, which explains the format\n\n")
        for case in cases:
            file.write("\n".join(line.rstrip() for line in lines_of(case)) + "\n")


if __name__ == "__main__":
    main()
