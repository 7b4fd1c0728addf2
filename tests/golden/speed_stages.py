#!/usr/bin/env python3
"""Turns the intermediate values in the golden file of SpEED into the lines that speed_stages.c reads.

    golden/speed_stages.py speed.json speed_stages.txt

    stages CASE FRAME PLANE                   CASE is one of speed.txt; plane 0 is the difference of luma
    side SINGULAR STAGE=CHECKSUM ...          the reference's, then the distorted

A checksum is FNV-1a of 64 bits over the little-endian bytes of the 32-bit floats of a stage in raster order.
"""
import json
import struct
import sys


def checksum(values):
    h = 0xCBF29CE484222325
    for value in values:
        for byte in struct.pack("<f", float.fromhex(value)):
            h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def side_line(side):
    stages = {"input": side["input_fnv"]}
    if "scaled_fnv" in side:
        stages["scaled"] = side["scaled_fnv"]
    stages |= {"decimated": side["decimated_fnv"], "plane": side["plane_fnv"], "means": checksum(side["means"]),
               "covariance": side["cov_fnv"], "eigenvalues": checksum(side["eigenvalues"]),
               "variances": side["variances"]["fnv"], "entropies": side["entropies"]["fnv"]}
    return f"side {int(side['singular'])} " + " ".join(f"{name}={value}" for name, value in stages.items())


def main(source, target):
    with open(source, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    with open(target, "w", encoding="utf-8") as file:
        file.write("# made by speed_stages.py, which explains the format\n")
        for case in cases:
            for stages in case.get("internals", []):
                file.write(f"\nstages {case['name']} {stages['frame']} {stages['plane']}\n")
                file.write(side_line(stages["ref"]) + "\n" + side_line(stages["dis"]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
