#!/usr/bin/env python3
"""Turns the golden JSON file of alignment into the lines that golden/align.c reads.

    golden/align.py align.json >align.txt

    case NAME
    ref CLIP, dis CLIP      CLIP: synth WIDTH HEIGHT CHROMA DEPTH FRAMES SEED KIND
    still                   every reference frame is the first one, 40 of them
    rates REF DIS           frames per second
    frames N ...            the distorted video is made of these frames of its clip
    first REF|DIS V ...     the first values of the signature of frame 0 of each
    result NAME=VALUE ...   what must be found; `why` is the rest of a line of its own
    events AT:CHANGE ...    pairs N ..."""
import json
import sys

golden = json.load(open(sys.argv[1], encoding="utf-8"))
print("# align: " + golden["reference"] + "\n# made by align.py, which explains the format")
for case in golden["cases"]:
    result = dict(case["result"])
    events, pairs, why = result.pop("events", []), result.pop("pairs", []), result.pop("why", None)
    for name in ("verified", "parts"):
        if name in result:
            result[name] = "/".join(map(str, result[name]))
    print("\ncase", case["name"])
    print("ref synth", case["reference"]["synth"])
    print("dis synth", case["distorted"]["synth"])
    if case.get("still_reference"):
        print("still")
    if "rates" in case:
        print("rates", *case["rates"])
    print("frames", *case["frames"])
    for side, name in (("ref", "signature_reference_0"), ("dis", "signature_distorted_0")):
        if name in case:
            print("first", side, *case[name])
    print("result", *(f"{name}={value}" for name, value in result.items()))
    if why:
        print("why", why)
    if events:
        print("events", *(f"{event['at']}:{event['e']}" for event in events))
    if pairs:
        print("pairs", *pairs)
