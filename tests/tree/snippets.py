"""Checks that programs and command lines in the documentation work: snippets.py SOURCE_ROOT FOVEA COMPILER... C in
comments of the public headers and in pages must compile; statements are put into a function first. `fovea COMMAND` in
pages must name a command and options of its help, and a lone `--option` an option of some command."""

import glob
import os
import re
import shlex
import subprocess
import sys

from tree import answer

ROOT, FOVEA, COMPILER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
OPTION = r"--\w+(?:[-_]\w+)*"
OF_OTHERS = ("--bench", "--cpu", "--seed",  # options of the test programs
             "--joblog",  # an option of GNU parallel
             "--native-file",  # an option of Meson
             "--name", "--short")  # examples of a spelling
HEADERS = sorted(glob.glob(os.path.join(ROOT, "include/fovea/*.h")))
# NEWS.md is left out, since it also names removed options.
PAGES = sorted(path for folder in ("", "docs", "docs/metrics")
               for path in glob.glob(os.path.join(ROOT, folder, "*.md"))
               if os.path.basename(path) != "NEWS.md")


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def of_header(path):
    """Yields the number of the first line and the text of each indented part of a comment that has a line ending as C
    does."""
    part, first = [], 0
    for number, line in enumerate(text(path).split("\n") + [""], 1):
        code = re.fullmatch(r" \*(?: {5}(.*)|)", line)
        if code and (code[1] or part):
            first = first if part else number
            part.append(code[1] or "")
            continue
        if any(line.rstrip().endswith((";", "{", "}")) for line in part):
            yield first, "\n".join(part)
        part = []


def of_page(path):
    for block in re.finditer(r"^```c\n(.*?)^```$", text(path), flags=re.M | re.S):
        yield text(path)[:block.start()].count("\n") + 2, block[1]


def first_error(snippet):
    """Returns the first error of a program or of statements; empty if they compile."""
    if "#include" not in snippet:
        snippet = f"#include <fovea/fovea.h>\nvoid snippet(void);\nvoid snippet(void)\n{{\n{snippet}\n}}\n"
    run = subprocess.run([*COMPILER, *FLAGS, "-fsyntax-only", "-I" + os.path.join(ROOT, "include"), "-x", "c", "-"],
                         input=snippet, capture_output=True, text=True, check=False)
    return re.search("error: .*|$", run.stderr)[0] if run.returncode else ""


def wrong_programs():
    found = 0
    for paths, snippets in ((HEADERS, of_header), (PAGES, of_page)):
        for path in paths:
            for line, snippet in snippets(path):
                found += 1
                error = first_error(snippet)
                if error:
                    yield f"{os.path.relpath(path, ROOT)}:{line} does not compile: {error}"
    if not found:
        yield "no program was found"


def help_of(*command):
    words = ["help", *command, "all"] if command else ["--help"]
    return subprocess.run([FOVEA, *words], capture_output=True, text=True, check=False).stdout


def options_of(text_of_help):
    """Returns the long and short options that a help text explains."""
    rows = "\n".join(re.findall(r"^ +(--?\w.*)$", text_of_help, flags=re.M))
    return {name.replace("_", "-") for name in re.findall(r"(?<![\w-])--?\w[\w-]*", rows)} | {"--help", "--version"}


def code_of(path):
    """Yields lines of code blocks without a language, indented lines, and texts between backticks."""
    language = None
    for line in text(path).replace("\\\n", " ").split("\n"):
        if line.startswith("```"):
            language = line[3:] if language is None else None
        elif language == "" or (language is None and line.startswith("    ")):
            yield re.sub(r"(^|\s)#.*", "", line)
        elif language is None:
            yield from re.findall(r"`([^`]+)`", line)


def words(call):
    try:
        return shlex.split(call)
    except ValueError:  # a quotation that encloses the command ends within it
        return re.sub("['\"]", " ", call).split()


def wrong_commands():
    known = {name: options_of(help_of(name)) for name in re.findall(r"^  ([a-z]+) ", help_of(), flags=re.M)}
    calls = [(path, call) for path in PAGES for code in code_of(path)
             for call in re.findall(r"(?<![^\s'\"(/])fovea ([a-z]+(?: [^|&;)]*)?)", code)]
    for path, call in calls:
        command, *rest = words(call)
        where = f"{os.path.relpath(path, ROOT)}: 'fovea {call.strip()}'"
        if command not in known:
            yield f"{where} names no command"
            continue
        for option in filter(None, (re.match(OPTION + "|-[a-zA-Z]", word) for word in rest)):
            if option[0].replace("_", "-") not in known[command]:
                yield f"{where}: {command} has no option {option[0]}"
    some = set().union(*known.values())
    alone = [(path, match[0]) for path in PAGES for match in (re.match(OPTION, code) for code in code_of(path))
             if match]
    for path, option in alone:
        if option.replace("_", "-") not in some and option not in OF_OTHERS:
            yield f"{os.path.relpath(path, ROOT)}: no command has the option {option}"
    if len(calls) < 20 or len(alone) < 20:
        yield f"only {len(calls)} command lines and {len(alone)} options were found"


def main():
    checks = {"programs compile": list(wrong_programs()), "commands and options exist": list(wrong_commands())}
    sys.exit(answer(checks))


main()
