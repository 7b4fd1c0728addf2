#!/usr/bin/env python3
"""Checks that no score passes through a function whose last bits depend on the C library: fence.py BUILD_ROOT NM.
Reads the undefined symbols of each object of the library, the command, the interface of libvmaf, the plugin and the
Python module, and those of the libraries linked from them. Functions that IEEE 754 defines to the bit are allowed,
such as sqrt, floor and ldexp."""

import os
import re
import subprocess
import sys

from tree import answer

BUILD, NM = os.path.realpath(sys.argv[1]), sys.argv[2]
FOLDERS = ("src", "common", "web", "compat", "tools", "python")
LEFT_OUT = re.compile(r"(^|/)(fovea-bench|fovea-cpu|fovea-public)(\.p/|$)|/(tests|bench)/")
NAMES = ("a?(sin|cos|tan)(h|pi)?|sincos|atan2(pi)?|cbrt|erfc?|exp(2|10|m1)?|fma|hypot|j[01n]|y[01n]|l?gamma(_r)?|"
         "log(2|10|1p|p1)?|pow(10|[inr])?|powr|compoundn|rootn|rsqrt|scalb|tgamma|drem|significand")
BARRED = re.compile(rf"^_?(__)?({NAMES})(f|l|f16|f32|f64|f128|f32x|f64x)?(_finite)?(@.*)?$")
# Objects that only draw, so no score passes through them, and what they draw.
DRAWING = {"image_rgb.c": "tones of a still", "image_heat.c": "colours of a heat map", "page_chart.c": "an axis"}


def barred(paths, options=()):
    """Returns by file the barred functions among its undefined symbols."""
    found = {}
    for start in range(0, len(paths), 100):
        done = subprocess.run([NM, "-u", "-A", *options, *paths[start:start + 100]],
                              stdout=subprocess.PIPE, check=True)
        for line in done.stdout.decode(errors="replace").splitlines():
            path, _, symbol = line.rpartition(":")
            name = symbol.split()[-1].split("@")[0]
            if BARRED.match(name):
                found.setdefault(path, set()).add(name)
    return found


def files(end):
    for folder in FOLDERS:
        for where, _, names in os.walk(os.path.join(BUILD, folder)):
            for name in sorted(names):
                path = os.path.join(where, name)
                if (re.search(end, name) and not LEFT_OUT.search(os.path.relpath(path, BUILD)) and
                        not os.path.islink(path)):
                    yield path


def main():
    objects = list(files(r"\.(o|obj)$"))
    linked = [path for path in files(r"^(libfovea|libvmaf|_fovea).*\.so") if not path.endswith(".symbols")]
    wrong, drawing = [], set()
    for path, names in sorted((barred(objects) | barred(linked, ["-D"])).items()):
        name = re.sub(r"\.o(bj)?$", "", os.path.basename(path))
        if name in DRAWING and "/fovea.p/" in path:
            drawing.add(name)
        else:
            wrong.append(f"{os.path.relpath(path, BUILD)} calls {', '.join(sorted(names))}; arith/exact.h and "
                         "arith/dmath.h have "
                         "functions of defined bits")
    known = [name for name in ("pow", "sincosf", "__exp_finite", "log2l", "fma", "cbrt@GLIBC_2.2.5")
             if not BARRED.match(name)]
    known += [name for name in ("sqrt", "floor", "exponent", "power", "log_error", "ldexp", "fmod")
              if BARRED.match(name)]
    checks = {f"{len(objects)} objects were read": [] if len(objects) > 150 else ["too few: is the build complete?"],
              f"{len(linked)} libraries were read": [] if linked else ["none: is the build complete?"],
              "the pattern knows the names": known,
              "only functions of defined bits are called": wrong,
              "the list of what draws has nothing else": sorted(set(DRAWING) - drawing)}
    return answer(checks)


sys.exit(main())
