#!/usr/bin/env python3
"""Turns the intermediates of golden cambi.json into lines that cambi_planes.c reads.

    cambi_planes.py cambi.json > golden/cambi_planes.txt

    CASE SIDE full PREPROCESSED MASK WINDOW MASK_THRESHOLD DARK TVI...       SIDE: dis or ref
    CASE SIDE SCALE WIDTH HEIGHT IMAGE MASK C NONZERO K POOLED

The names of planes are their FNV-1a hashes.
"""
import json
import sys

for case in json.load(open(sys.argv[1]))["cases"]:
    for side, frame in case["frame0"].items():
        name = f"{case['id']} {'dis' if side == 'distorted' else 'ref'}"
        print(name, "full", frame["preprocessed"]["fnv"], frame["mask_full"]["fnv"], frame["window"],
              frame["mask_index"], frame["vlt_luma"], *frame["tvi"])
        for s, scale in enumerate(frame["scales"]):
            print(name, s, scale["width"], scale["height"], scale["image_fnv"], scale["mask_fnv"], scale["c_fnv"],
                  scale["c_nonzero"], scale["k"], scale["pooled_hex"])
