#!/usr/bin/env python3
"""Turns the validation of the visual discrimination model against psychophysics into the lines that
vdm_validation.c reads.

    golden/vdm_validation.py vdm_validation.json vdm_validation.txt

    detect PPD LUMINANCE FREQUENCY START CONTRAST      contrast at which a grating makes 1 JND; START: 1 / sensitivity
    curve PRESET PPD LUMINANCE FREQUENCY START         thresholds of contrast increments follow:
    increment PEDESTAL INCREMENT                       both in units of the contrast at which a grating makes 1 JND
    series OPERATION                                   what is done to a picture, more and more:
    step ARGUMENT MEAN P95 MAX MINKOWSKI DETECT
    patch FREQUENCY SIGMA POOL SENSITIVITY             log10 of 1 / contrast of a Gabor patch where max or detect is 1
"""
import json
import sys

FREQUENCIES = [0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11.3, 16, 20, 24, 30]
PATCHES = [(1.12, 0.5), (2, 0.5), (2.83, 0.5), (4, 0.5), (5.66, 0.5), (8, 0.5), (11.3, 0.5), (16, 0.5), (22.6, 0.5),
           (30, 0.5), (2, 0.28), (4, 0.14), (8, 0.07), (16, 0.035)]


def main(source, target):
    with open(source, encoding="utf-8") as file:
        values = json.load(file)
    lines = ["# made by vdm_validation.py, which explains the format"]
    for row in values["detection"]["rows"]:
        nominal = min(FREQUENCIES, key=lambda f: abs(f - row["cpd"]))
        lines.append(f"detect {row['ppd']:g} {row['lum']:g} {nominal:g} {row['csf_contrast']!r} "
                     f"{row['model_contrast']!r}")
    for curve in values["discrimination"]["curves"]:
        lines.append(f"curve {curve.get('preset', 'fovea')} {curve['ppd']:g} {curve['lum']:g} "
                     f"{min(FREQUENCIES, key=lambda f: abs(f - curve['cpd'])):g} {curve['threshold']!r}")
        lines += [f"increment {point['pedestal']:g} {point['increment']!r}" for point in curve["points"]]
    for name, series in values["monotonic"].items():
        lines.append(f"series {name}")
        names = ("vdm_mean", "vdm_p95", "vdm_max", "vdm_minkowski", "vdm_detect")
        lines += [f"step {point['level']} " + " ".join(repr(point[output]) for output in names)
                  for point in series["points"]]
    for row in values["modelfest"]["rows"]:
        if row["stimulus"] <= len(PATCHES):
            f, sigma = PATCHES[row["stimulus"] - 1]
            for pool, name in (("max", "max"), ("2.0", "detect")):
                lines.append(f"patch {f} {sigma} {name} {row['model_log10_sens'][pool]}")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
