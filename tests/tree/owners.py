"""Calls that one file makes for all others, because a caller forgets what they ask for: owners.py SOURCE_ROOT."""

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
)


def sources():
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"],
                           stdout=subprocess.PIPE, check=False).stdout.decode().split()
    files = files or [os.path.relpath(os.path.join(folder, name), ROOT)
                      for folder, _, names in os.walk(ROOT) for name in names]
    return [file for file in files if file.startswith(FOLDERS) and file.endswith((".c", ".h"))
            and os.path.exists(os.path.join(ROOT, file))]


def main():
    texts = {}
    for file in sources():
        with open(os.path.join(ROOT, file), encoding="utf-8") as source:
            texts[file] = source.read().splitlines()
    print(f"1..{len(RULES)}")
    failed = len(texts) < 300
    for number, (name, call, owners, why) in enumerate(RULES, 1):
        wrong = [f"{file}:{line}: {why}" for file, lines in sorted(texts.items()) if not file.startswith(owners)
                 for line, text in enumerate(lines, 1) if re.search(call, text)]
        owned = any(re.search(call, text) for file, lines in texts.items() if file.startswith(owners) for text in lines)
        for line in wrong:
            print(f"# {line}")
        print(f"{'ok' if not wrong and owned else 'not ok'} {number} {name}")
        failed |= bool(wrong) or not owned
    sys.exit(failed)


main()
