"""Checks that messages of the library suit callers in every language: messages.py SOURCE_ROOT. No message may name an
option of the command. A parameter is in backticks, under the name of its row, from which the command derives an
option and Python a keyword; tests/cli/params.py tries them."""

import glob
import os
import re
import sys

from tree import answer

ROOT = os.path.abspath(sys.argv[1])
# Names in backticks that are no parameter of a run, and what they are.
BESIDE = {"allow_missing": "an option of 'fovea merge'", "ignore_modified": "an option of 'fovea run'",
          "reference": "an argument of every call"}


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def strings(path):
    """Yields the string literals of a C file outside comments. Adjacent literals are joined."""
    code = re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda match: match[1] or " ", text(path), flags=re.S)
    for run in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', code):
        yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run))


def sources():
    for path in sorted(glob.glob("src/**/*.[ch]", root_dir=ROOT, recursive=True)):
        if path != "src/kernel/embed.c":  # embed.c is a program of the build with options of its own
            yield path


def wrong(path, remedies, known):
    for message in strings(path):
        if re.search(r"(?<![\w-])--[a-z]", message):
            yield f"{path} names an option of the command: {message}"
        for side, name in re.findall(r"`(?:(reference\.|distorted\.|%s\.))?([a-z_]+|%s)", message):
            remedies.append(name)
            if name != "%s" and name not in known and name not in BESIDE:
                yield f"{path}: src/option/param_rows-inl.h has no row {name}"


def main():
    known = set(re.findall(r'PARAM\(\s*\w+,\s*"(\w+)"', text("src/option/param_rows-inl.h")))
    remedies = []
    found = [line for path in sources() for line in wrong(path, remedies, known)]
    few = [] if len(remedies) > 40 else [f"only {len(remedies)} were found"]
    sys.exit(answer({"messages of the library": found, "they name parameters": few}))


main()
