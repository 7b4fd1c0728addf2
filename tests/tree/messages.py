"""Messages of the library are for callers in every language: messages.py SOURCE_ROOT. None names an option of the
command. A parameter stands in backticks, under a name that the command has as an option and Python as a keyword."""

import ast
import glob
import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1])
# Names that Python has no use for, with the reason.
NOT_PYTHON = {"allow_missing": "shards are merged by the command and in C", "ignore_modified": "as allow_missing",
              "overwrite": "Session takes it by the name of the option heatmaps_path alone",
              "vmaf": "a metric with its option"}
# What the command calls otherwise; tools/cli/remedy.c spells it.
OTHERWISE = {"fit": "pad", "vmaf": "model"}


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def strings(path):
    """The string literals of C, neighbours joined, without comments."""
    code = re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda match: match[1] or " ", text(path), flags=re.S)
    for run in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', code):
        yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run))


def sources():
    for path in sorted(glob.glob("src/**/*.[ch]", root_dir=ROOT, recursive=True)):
        if path != "src/kernel/embed.c":  # a program of the build, with options of its own
            yield path


def keywords():
    """What score(), Video and the options of metrics are told in Python."""
    names = set()
    for path in ("python/fovea/__init__.py", "python/fovea/_format.py"):
        for node in ast.walk(ast.parse(text(path))):
            if isinstance(node, ast.FunctionDef) and node.name == "score":
                names |= {argument.arg for argument in node.args.args + node.args.kwonlyargs}
            elif isinstance(node, ast.ClassDef) and node.name == "Video":
                names |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
    return names


def wrong(path, remedies, options, known):
    for message in strings(path):
        if re.search(r"(?<![\w-])--[a-z]", message):
            yield f"{path} names an option of the command: {message}"
        for side, name in re.findall(r"`(?:(reference\.|distorted\.|%s\.))?([a-z_]+|%s)", message):
            remedies.append(name)
            option = OTHERWISE.get(name, name).replace("_", "-")
            if name != "%s" and not {option, option + "-ref", option + "-dis"} & options:
                yield f"{path}: the command has no option for `{name}`"
            if name != "%s" and name not in known and name not in NOT_PYTHON:
                yield f"{path}: Python has no keyword {name}"


def main():
    tables = text("tools/cli/options.c") + text("tools/cli/options.h")
    options = set(re.findall(r'\b(?:TEXT|FLAG|NUMBER|LIST|FIXED)\("([a-z-]+)"', tables))
    remedies, known = [], keywords()
    found = [line for path in sources() for line in wrong(path, remedies, options, known)]
    for line in found:
        print(f"# {line}")
    print("1..2")
    print(f"{'not ok' if found else 'ok'} 1 messages of the library")
    print(f"{'ok' if len(remedies) > 40 else 'not ok'} 2 they name parameters")
    sys.exit(bool(found) or len(remedies) <= 40)


main()
