"""Checks that calls with an easily forgotten duty are made in one file only, on behalf of all others: owners.py
SOURCE_ROOT."""

import os
import re
import subprocess
import sys

ROOT = os.path.abspath(sys.argv[1])
FOLDERS = ("src/", "common/", "tools/", "compat/", "python/", "page/")

# What is checked, the call as a regular expression, the files where it may stand, and why nowhere else.
RULES = (
    ("texts in memory are closed by one function", r"\bopen_memstream\b", ("common/text.", "common/windows/"),
     "its close may lose the text without a word: take fv_text_open() and fv_text_close()"),
    ("markup is written by one function",
     r"\b(?:fputs|puts|f?printf|fwrite)\([^;]*?\"(?:[^\"\\\n]|\\.)*<(?:[/?]?[a-z]|!)", ("common/markup.c",),
     "a text beside it could be markup: take fv_markup()"),
    ("files of pages are written by one function", r"\b(?:markup|page|xml|svg)->file\b|\.in_html = true",
     ("common/markup.c",), "what is written past fv_markup() could be markup"),
    ("the numbers of PQ and HLG stand once",
     r"0\.1788327|0\.284668|18\.85156|0\.835937|78\.84375|0\.1593017|2610 */ *16384",
     ("common/curves.h", "page/view_tone.js"), "take them from common/curves.h"),
)


def sources():
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
                           stdout=subprocess.PIPE, check=False).stdout.decode().split()
    files = files or [os.path.relpath(os.path.join(folder, name), ROOT)
                      for folder, _, names in os.walk(ROOT) for name in names]
    return [file for file in files if file.startswith(FOLDERS) and file.endswith((".c", ".h", ".js"))
            and os.path.exists(os.path.join(ROOT, file))]


def read(file):
    with open(os.path.join(ROOT, file), encoding="utf-8") as source:
        return source.read()


def main():
    texts = {}
    for file in sources():
        texts[file] = read(file)
    print(f"1..{len(RULES) + 1}")
    failed = len(texts) < 300
    for number, (name, call, owners, why) in enumerate(RULES, 1):
        wrong = [f"{file}:{text.count(chr(10), 0, found.start()) + 1}: {why}" for file, text in sorted(texts.items())
                 if not file.startswith(owners) for found in re.finditer(call, text)]
        owned = any(file.startswith(owners) for file in texts)
        for line in wrong:
            print(f"# {line}")
        print(f"{'ok' if not wrong and owned else 'not ok'} {number} {name}")
        failed |= bool(wrong) or not owned
    curves = [re.findall(r"(?<![\w.])\d+\.\d+", "\n".join(re.findall(pattern, read(file), flags=re.M)))
              for file,
              pattern in (("common/curves.h", r"^#define .*"), ("page/view_tone.js", r"^const \[\w+, \w+, .*"))]
    same = len(curves[0]) == 8 and curves[0] == curves[1]
    print(f"{'ok' if same else 'not ok'} {len(RULES) + 1} the viewer's curves have the numbers of common/curves.h")
    failed |= not same
    sys.exit(failed)


main()
