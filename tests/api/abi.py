#!/usr/bin/env python3
"""Checks that the binary interface of libfovea on x86-64 is the one in abi.txt: the functions, the values of
enumerators and constants, and the size of every public structure with the offset and type of each member. Debian's
list of symbols must name the same functions. `tests/api/abi.py --renew` writes both files from the headers;
docs/stability.md says which changes a release may have.

The compiler is $CC, or cc."""

import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.normpath(os.path.join(HERE, "../../include"))
LIST = os.path.join(HERE, "abi.txt")
SYMBOLS = os.path.normpath(os.path.join(HERE, "../../debian/libfovea1.symbols"))
RENEW = "tests/api/abi.py --renew"


def header_text():
    """Returns all headers, without comments and lines of the preprocessor, and the constants that they define."""
    text, constants = "", []
    folder = os.path.join(INCLUDE, "fovea")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
        code = re.sub(r"\\\n", " ", code)
        code = re.sub(r"(?m)^#ifdef __cplusplus\n.*?^#endif\n", "", code, flags=re.S)
        constants += [name for name in re.findall(r"(?m)^#define (FV_\w+)[ \t]+\S", code)
                      if name != "FV_API" and not name.startswith("FV_VERSION_")]
        text += re.sub(r"(?m)^#.*$", "", code)
    return re.sub(r"\s+", " ", text), constants


def declarations(text):
    """Yields each declaration: the text up to a semicolon outside of braces."""
    depth = start = 0
    for i, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == ";" and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    if text[start:].strip():
        raise SystemExit(f"abi.py cannot read: {text[start:].strip()[:200]}")


def members(body):
    """Yields (name, declaration) of each member of a structure."""
    for line in filter(None, (part.strip() for part in body.split(";"))):
        if "{" in line:
            raise SystemExit(f"abi.py knows no structures within structures: {line}")
        pointer = re.search(r"\(\*(\w+)\)\s*[(\[]", line)  # a pointer to a function or to an array
        if pointer:
            yield pointer.group(1), line
            continue
        first, *rest = (part.strip() for part in line.split(","))
        base = re.fullmatch(r"(.*?)\s*((?:\*\s*(?:const\s+)?)*\w+\s*(?:\[.*\])?)", first)
        if not base:
            raise SystemExit(f"abi.py cannot read: {line}")
        for declarator in [base.group(2)] + rest:
            name = re.search(r"(\w+)\s*(?:\[.*\])?$", declarator).group(1)
            yield name, f"{base.group(1)} {declarator}"


def interface():
    """Returns the lines of the list, as a C program prints them."""
    text, constants = header_text()
    with open(os.path.join(HERE, "../../src/meson.build"), encoding="utf-8") as file:
        lines = [("soname libfovea.so." + re.search(r"soversion: '(\w+)'", file.read()).group(1), None)]
    # Each line: the text to print, and an expression of its number or None.
    for declaration in declarations(text):
        whole = re.fullmatch(r"typedef (struct|union|enum) (\w+) \{(.*)\} (\w+)", declaration)
        if declaration.startswith("FV_API "):
            lines.append((declaration[len("FV_API "):], None))
        elif whole and whole.group(1) == "enum":
            for name in re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"\([^()]*\)", "", whole.group(3))):
                # An enumerator such as FV_BD_METHOD_COUNT changes with each new one.
                lines.append((f"{whole.group(4)}: {name} = %lld", f"(long long)({name})"))
        elif whole:
            kind = whole.group(4)
            lines.append((f"{kind}: %lld bytes", f"(long long)sizeof({kind})"))
            for name, member in members(whole.group(3)):
                lines.append((f"{kind} at %lld: {member}", f"(long long)offsetof({kind}, {name})"))
        elif declaration.startswith("typedef ") and "{" not in declaration:
            lines.append((declaration, None))
        else:
            raise SystemExit(f"abi.py cannot read: {declaration[:200]}")
    lines += [(f"{name} = %lld", f"(long long)({name})") for name in constants]

    headers = sorted(os.listdir(os.path.join(INCLUDE, "fovea")))
    program = "".join(f"#include <fovea/{name}>\n" for name in headers)
    program += "#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n"
    for form, argument in lines:
        quoted = form.replace("\\", "\\\\").replace('"', '\\"')
        program += f'    printf("{quoted}\\n", {argument});\n' if argument else f'    puts("{quoted}");\n'
    program += "    return 0;\n}\n"
    with tempfile.TemporaryDirectory() as work:
        source, made = os.path.join(work, "abi.c"), os.path.join(work, "abi")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program)
        compiler = shlex.split(os.environ.get("CC", "cc"))
        subprocess.run(compiler + ["-std=c11", "-I", INCLUDE, source, "-o", made], check=True)
        return subprocess.run([made], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()


def symbols(lines):
    """Returns Debian's list: each function with the version that introduced it. A function that the list lacks gets
    this version."""
    with open(os.path.join(HERE, "../../meson.build"), encoding="utf-8") as file:
        version = re.search(r"version: '([\d.]+)'", file.read()).group(1)
    with open(SYMBOLS, encoding="utf-8") as file:
        since = dict(re.findall(r"(?m)^ (\w+)@Base (\S+)$", file.read()))
    names = [re.search(r"(\w+)\(", line).group(1) for line in lines
             if re.match(r"(?!typedef)[\w *]+\bfv_\w+\(", line)]
    head = [lines[0].split()[1] + " libfovea1 #MINVER#", "* Build-Depends-Package: libfovea-dev"]
    return head + [f" {name}@Base {since.get(name, version)}" for name in sorted(names)]


def main():
    with open(LIST, encoding="utf-8") as file:
        listed = file.read().splitlines()
    comments = [line for line in listed if line.startswith("#")]
    listed = [line for line in listed if line and line not in comments]
    lines = interface()
    if sys.argv[1:] == ["--renew"]:
        with open(LIST, "w", encoding="utf-8") as file:
            file.write("\n".join(comments + lines) + "\n")
        text = "\n".join(symbols(lines)) + "\n"
        with open(SYMBOLS, "w", encoding="utf-8") as file:
            file.write(text)
        return 0

    gone = [line for line in listed if line not in set(lines)]
    new = [line for line in lines if line not in set(listed)]
    for line in gone:
        print(f"not ok - changed or gone: {line}")
    for line in new:
        print(f"not ok - new: {line}")
    with open(SYMBOLS, encoding="utf-8") as file:
        differ = set(symbols(lines)).symmetric_difference(file.read().splitlines())
    for line in sorted(differ):
        new.append(line)
        print(f"not ok - debian/libfovea1.symbols and the headers differ: {line.strip()}")
    if gone or new:
        print(f"# If this is meant: {RENEW}; docs/stability.md says when the soname must be raised too.")
    else:
        print(f"ok - {len(lines)} lines")
    print(f"1..{max(1, len(gone) + len(new))}")
    return bool(gone or new)


sys.exit(main())
