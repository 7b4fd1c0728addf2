"""Checks that one table has the codes of all failures: failures.py SOURCE_ROOT. docs/stability.md must list the same
rows. Each code must be used by some failure in the sources. The first row of a status is the code of its other
failures."""

import glob
import os
import re
import sys

from tree import answer

ROOT = os.path.abspath(sys.argv[1])


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def wrong():
    table = text("common/failure_rows-inl.h")
    rows = re.findall(r'^FAILURE\((\w+), "([a-z]+(?:-[a-z]+)*)", ([1-7]), "([^"]+)"\)$', table, re.M)
    if len(rows) != table.count("\nFAILURE("):
        yield "a row is not of the form NAME, code, status, meaning"
    for column, what in ((0, "name"), (1, "code"), (3, "meaning")):
        values = [row[column] for row in rows]
        yield from (f"the {what} '{value}' is in two rows" for value in set(values) if values.count(value) > 1)
    if [int(row[2]) for row in rows[:7]] != list(range(1, 8)):
        yield "the first seven rows are not those of the seven statuses"
    listed = re.findall(r"^\| `([a-z-]+)` \| ([1-7]) \| (.+) \|$", text("docs/stability.md"), re.M)
    if sorted(listed) != sorted(row[1:] for row in rows):
        yield f"docs/stability.md lists other rows: {sorted(set(listed) ^ {row[1:] for row in rows})}"
    sources = "".join(text(path) for pattern in ("src/**/*.[ch]", "tools/**/*.[ch]", "common/*.[ch]")
                      for path in glob.glob(pattern, root_dir=ROOT, recursive=True))
    for name, code, _, _ in rows[7:]:
        if f"FV_FAIL_{name}" not in sources.replace(f"FV_FAIL_{name}_", ""):
            yield f"nothing fails as {code}"


sys.exit(answer({"codes of failures": list(wrong())}))
