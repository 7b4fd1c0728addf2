"""Checks that lines end at column 118 in every file that people write: columns.py SOURCE_ROOT. Files and lines that
may be longer are listed here with the reason. An entry that excuses no line is a fault."""

import os
import re
import sys

from tree import answer, tracked

ROOT = os.path.abspath(sys.argv[1])
WIDTH = 118

# Files that may have longer lines: a regular expression of their paths, and the reason.
FILES = {
    r"\.(csv|json|json\.in|sub|svg|vec|xml)$": "data and drawings",
    r"^tests/(.*/)?[\w-]+\.txt$|^tests/(api|libvmaf)/symbols$": "values and names that tests compare with",
    r"^tests/fuzz/seeds/": "inputs of tests, of which each byte counts",
    r"^compat/wasm/package/known\.mjs$": "coded frames",
    r"^compat/wasm/package/page/page\.mjs$": "lines that wait to be broken",
    r"(^|/)LICENSE[.\w]*$|^debian/copyright$": "licences, whose words and lines are their authors'",
    r"\.html$": "markup, where white space between two elements is drawn",
    r"^docs/devices\.md$": "made by scripts/devices-page",
    r"^src/model/weights\.c$": "made by scripts/models",
}
# Lines of pages that may be longer: a test of the line and of whether it is code, and the reason.
LINES = (
    (lambda line, code: line.lstrip().startswith("|"), "a row of a table is one line"),
    (lambda line, code: code, "commands are copied, and formulas of specifications stand in columns"),
)


def lines_of(path):
    """Yields number, text, and whether it is code in a page, of each line. Yields nothing for a file that is not
    text."""
    with open(os.path.join(ROOT, path), "rb") as file:
        data = file.read()
    try:
        text = "" if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        text = ""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        yield number, line, fenced or fence or line.startswith("    ")


def main():
    wrong, used = [], set()
    files = tracked(ROOT)
    for path in files:
        whole = next((pattern for pattern in FILES if re.search(pattern, path)), None)
        for number, line, code in lines_of(path):
            if len(line) <= WIDTH:
                continue
            page = path.endswith(".md")
            excuse = whole or next((why for excuses, why in LINES if page and excuses(line, code)), None)
            if excuse:
                used.add(excuse)
            else:
                wrong.append(f"{path}:{number} has {len(line)} columns")
    idle = [entry for entry in (*FILES, *(why for _, why in LINES)) if entry not in used]
    checks = {f"{len(files)} files were read": [] if len(files) > 1000 else ["too few: is this the root?"],
              f"lines end at column {WIDTH}": wrong, "the list of what may be longer has nothing else": idle}
    return answer(checks)


sys.exit(main())
