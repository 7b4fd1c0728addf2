"""Checks that the option tables of docs/metrics name the options of the code, with their defaults and ranges, and
that every option that a page gives to a metric exists. Usage: options.py FOVEA SOURCE_ROOT."""

import glob
import json
import os
import re

from command import ROOT, case, check, fovea, run

METRICS = {metric["name"]: metric for metric in json.loads(fovea("metrics", "--json")[0])}


def options_of(metrics):
    return {option["name"]: option for name in metrics for option in METRICS[name]["options"]}


def pages():
    """Returns each page of docs/metrics with its metrics. A metric belongs to the page whose name begins the metric's
    name, else to the page whose name ends it; if several do, to the page with the longest name. A page may have no
    metric."""
    paths = {os.path.basename(path)[:-3]: path for path in glob.glob(os.path.join(ROOT, "docs/metrics/*.md"))}
    owner = {name: max((stem for stem in paths if f"{name}_".startswith(stem + "_") or name.endswith("_" + stem)),
                       key=lambda stem: (name.startswith(stem), len(stem)), default=None) for name in METRICS}
    check(all(owner.values()), f"a metric has no page in docs/metrics: {owner}")
    return [(path, [name for name in METRICS if owner[name] == stem]) for stem, path in paths.items()]


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def option_rows(path):
    """Yields the rows of tables whose first column is headed 'option', as {heading: cell}."""
    head = None
    for line in lines_of(path):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if not cells:
            head = None
        elif cells[0] == "option":
            head = cells
        elif head and not cells[0].startswith("---"):
            yield dict(zip(head, cells))


def as_text(value):
    return {True: "true", False: "false",
            None: ""}.get(value, value) if not isinstance(value, float) else f"{value:g}"


def default_fits(cell, option):
    """Returns whether a table's cell states the option's default. Words such as "the video's" describe a default that
    has no value."""
    cell, value = cell.strip("`"), option["default"]
    if option["type"] == "bool":
        return cell in ("", as_text(bool(value)))
    if option["type"] in ("int", "real"):
        return not re.fullmatch(r"[-\d.e]+", cell) or float(cell) == value
    return cell == (value or "") or " " in cell


def range_fits(cell, option):
    if option["type"] not in ("int", "real"):
        return True
    found = re.fullmatch(r"([\d.]+)(?:-| to )([\d.]+)", cell)
    return not found or (float(found[1]), float(found[2])) == (option["minimum"], option["maximum"])


@case
def tables_are_those_of_the_code():
    tables = 0
    for path, metrics in pages():
        known, named = options_of(metrics), set()
        for row in option_rows(path) if metrics else ():
            names = re.findall(r"`([^`]+)`", row["option"])
            check(names, f"{path}: a row names no option: {row}")
            for column, fits in (("default", default_fits), ("range", range_fits)):
                cells = [cell.strip() for cell in row.get(column, "").split(",")]
                cells = cells if len(cells) == len(names) else [row.get(column, "")] * len(names)
                for name, cell in zip(names, cells):
                    check(name in known, f"{path}: no metric of {metrics} has the option {name}")
                    check(fits(cell, known[name]), f"{path}: {column} of {name} is not {cell} but {known[name]}")
            named |= set(names)
        check(named == set(known), f"{path} lacks the options {sorted(set(known) - named)}")
        tables += bool(named)
    check(tables >= 3, "the tables were not found")


def pages_of_sources():
    """Yields the pages of the source tree, but none of a build folder, which may contain a whole system."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(("build", "."))]
        yield from (os.path.join(folder, name) for name in names if name.endswith(".md"))


@case
def options_in_examples_exist():
    found = 0
    name = "|".join(sorted(METRICS, key=len, reverse=True))
    for path in pages_of_sources():
        for metric, text in re.findall(rf"(?<![\w=])({name})=(\w+=[^\s`,|)]*)", "\n".join(lines_of(path))):
            for option in text.split(":"):
                word = option.split("=")[0]
                if "=" not in option or not re.fullmatch("[a-z_0-9]+", word):
                    continue
                found += 1
                known = options_of([metric])
                names = set(known) | {row["alias"] for row in known.values() if row.get("alias")}
                check(word in names, f"{os.path.relpath(path, ROOT)}: {metric} has no option {word}")
    check(found > 0, "no example was found")


run()
