#!/usr/bin/env python3
"""Turns the golden file of the visual discrimination model into the lines that vdm_stages.c reads.

    golden/vdm_stages.py vdm.json vdm_stages.txt

The lines of a case:

    case NAME
    synth WIDTH HEIGHT CHROMA DEPTH SEED REF DIS FRAME      the pair: frames of two generated clips,
    park_joy FRAME OPERATION ARGUMENT                       a frame of that clip and what an operation makes of it,
    flat WIDTH HEIGHT CODE X Y SIDE CODE2                   or one luma value, and the same with a square of another
    set NAME VALUE                  a parameter that is not its default
    display CRC                     of the table of luminances
    spread A,B VALUE                a weight of the point spread
    weights LEVEL CRC
    stage NAME WIDTH HEIGHT CRC     of a plane of binary32 numbers in raster order
    score NAME VALUE                of a pair that is not generated: the others are in vectors/vdm.vec

CRCs are zlib's, of little-endian numbers; values are C99 hexadecimal.
"""
import json
import sys


def case_lines(case, frame):
    head, source = case["head"], case["head"]["source"]
    lines = ["", f"case {head['name']}" + (f"_{frame['frame']}" if len(case["frames"]) > 1 else "")]
    if source[0] == "synth":
        _, width, height, chroma, depth, _, seed, ref, dis = source
        source = ["synth", width, height, chroma, depth, seed, ref, dis, frame["frame"]]
    lines.append(" ".join(str(word) for word in source))
    lines += [f"set {name} {value}" for name, value in head["parameters"].items()]
    lines.append(f"display {head['tables']['display']['crc32']}")
    lines += [f"spread {name} {value}" for name, value in head["tables"]["optics"].items()]
    lines += [f"weights {level} {table['crc32']}" for level, table in enumerate(head["tables"]["weights"])]
    stages = frame.get("stages", [])
    lines += [f"stage {stage['stage']} {stage['w']} {stage['h']} {stage['crc32']}" for stage in stages]
    if not stages:
        lines.append(f"stage jnd {head['source'][1]} {head['source'][2]} {frame['jnd_crc32']}")
    generated = source[0] == "synth"
    return lines + [f"score {name} {value}" for name, value in frame["scores_hex"].items() if not generated]


def main(source, stages):
    with open(source, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    lines = ["# made by vdm_stages.py, which explains the format"]
    for case in cases:
        for frame in case["frames"]:
            lines += case_lines(case, frame)
    with open(stages, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
