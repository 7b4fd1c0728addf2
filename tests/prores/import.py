#!/usr/bin/env python3
"""Writes clips.txt from the shared golden file prores.json: a clip's file, output depth, and MD5 of every frame."""
import json
import sys

for clip in json.load(open(sys.argv[1]))["clips"]:
    depth = 12 if clip["probe"]["pix_fmt"].endswith("12le") else 10
    print(clip["file"], depth, *(frame["md5"] for frame in clip["frames"]))
