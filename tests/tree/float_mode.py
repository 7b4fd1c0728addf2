"""Checks that every public function that can compute begins with FV_FLOAT_MODE, so that the rounding mode of a
caller's thread changes no score: float_mode.py SOURCE_ROOT. Such functions are those of the library that return
FvStatus, a number or a verdict, and those of libvmaf's interface that return int."""

import glob
import os
import re
import sys

from tree import answer

ROOT = os.path.abspath(sys.argv[1])
COMPUTES = "FvStatus|double|FvGateOutcome|FvDisplay|FvGradeBound"
STORED = {"fv_session_value"}  # returns a value that was computed before, and is called for every frame and output


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def begins(folder, kind, name):
    """Returns, for each function of this type and name in the C files of a folder, whether all its definitions begin
    with FV_FLOAT_MODE."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, folder, "**/*.c"), recursive=True):
        for match in re.finditer(rf"^(?:{kind}) \*?({name})\([^;{{]*?\)\n{{\n", text(path), flags=re.M):
            good = text(path)[match.end():].startswith("    FV_FLOAT_MODE;\n")
            found[match[1]] = found.get(match[1], True) and good
    return found


def main():
    headers = "".join(text(path) for path in glob.glob(os.path.join(ROOT, "include/fovea/*.h")))
    declared = set(re.findall(rf"^FV_API (?:{COMPUTES}) \*?(fv_\w+)\(", headers, flags=re.M)) - STORED
    library = {name: good for name, good in begins("src", COMPUTES, r"fv_\w+").items() if name in declared}
    libvmaf = begins("compat/libvmaf", "int", r"vmaf_\w+")
    checks = {"the functions of the library are found": sorted(declared - set(library)) or
              ([] if len(library) > 60 else ["too few"]),
              "the functions of the library begin with FV_FLOAT_MODE":
              sorted(name for name, good in library.items() if not good),
              "the functions of libvmaf's interface are found": [] if len(libvmaf) > 20 else ["too few"],
              "the functions of libvmaf's interface begin with FV_FLOAT_MODE":
              sorted(name for name, good in libvmaf.items() if not good)}
    return answer(checks)


sys.exit(main())
