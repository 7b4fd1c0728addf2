"""Checks that code that touches samples is compiled at -O3 whatever the build type: optimised.py SOURCE_ROOT
BUILD_ROOT. The target's option must come after the user's CFLAGS, because distributions build with -O2 and the last
option counts."""

import json
import os
import re
import shlex
import sys

ROOT, BUILD = (os.path.realpath(path) for path in sys.argv[1:3])
FOLDERS = ("src/cpu/", "src/feature/", "src/picture/", "src/codec/")


def touches_samples(path):
    if path.startswith(FOLDERS):
        return True
    if not path.startswith("src/") or path.startswith(("src/gpu/", "src/launch/", "src/kernel/")):
        return False
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.search(r"for \([^;]*;[^;]*;[^;]*\b(x|column)\+\+\)", file.read()) is not None


def main():
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    checked, wrong = set(), []
    for command in commands:
        path = os.path.relpath(os.path.realpath(os.path.join(command["directory"], command["file"])), ROOT)
        # Only the library's own objects count, since tests compile some files again.
        if not command["output"].startswith("src/") or not touches_samples(path):
            continue
        checked.add(path)
        words = shlex.split(command["command"])
        # Meson's order of flags: its own, the project's, the user's, -fPIC, and the target's.
        own = [word for word in words[words.index("-fPIC") + 1:] if re.match("-O", word)]
        if own != ["-O3"]:
            wrong.append(f"not ok - {path} has {own or 'no -O'} of its own: it belongs to sample_wise_sources in "
                         "src/meson.build")
    if len(checked) < 60:
        wrong.append(f"not ok - only {len(checked)} files were found")
    print("\n".join(sorted(wrong) or [f"ok - {len(checked)} files"]))
    print(f"1..{max(1, len(wrong))}")
    return bool(wrong)


sys.exit(main())
