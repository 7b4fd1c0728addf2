"""Tests files from strangers: any text in a string of a report, a table, a plan or a file name reaches pages,
pictures, terminals, CSV and XML as text, never as markup or commands. The test replaces each string in turn."""

import copy
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import clip
from command import FOVEA, OK, SANITIZED, case, check, read, run, score, write

# The text has escape sequences in C0 and C1, markup for elements and for both quotations of attributes, and
# separators of formulas.
HOSTILE = "\x1b]0;x\x07\x9b31m<b onclick='x'>&amp;\"'><script>x</script>,\n;\ttail"
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
OWN = ("html", "head", "body", "meta", "title", "style", "script", "header", "footer", "main", "section", "noscript",
       "div", "span", "p", "b", "i", "br", "h1", "h2", "h3", "small", "code", "ul", "li", "table", "thead", "tbody",
       "tr", "th", "td", "details", "summary", "svg", "path", "img", "figure", "figcaption", "polyline", "button",
       "select", "option", "label", "input", "canvas", "g", "text", "line", "rect", "template", "textarea", "pre",
       "output", "dl", "dt", "dd", "time", "nav", "a", "circle", "ol", "defs", "use", "symbol")


class Page(html.parser.HTMLParser):
    """Collects elements and attributes that a hostile string could have made."""

    def __init__(self):
        super().__init__()
        self.scripts, self.wrong = 0, []

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        if tag not in OWN or any(name.startswith("on") for name, _ in attrs):
            self.wrong.append((tag, attrs))


def page(name, scripts):
    text = read(name).decode()
    parser = Page()
    parser.feed(text)
    check(not parser.wrong and parser.scripts <= scripts, f"{name} has {parser.wrong}, {parser.scripts} scripts")
    body = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.S)
    check(not CONTROLS.search(body), f"{name} has a control character at "
          f"{body[max(0, (CONTROLS.search(body) or re.search('', body)).start() - 40):][:60]!r}")
    check(not re.search(r"<b onclick|<script>x", body), f"{name} has the markup of a stranger")


def said(*args):
    """Runs the command. Returns what a terminal gets, which must have no control characters, and the exit code."""
    got = subprocess.run([FOVEA, *args], capture_output=True, check=False)
    for text in (got.stdout.decode(errors="replace"), got.stderr.decode(errors="replace")):
        found = CONTROLS.search(text)
        check(not found, f"{args}: a terminal gets {text[max(0, found.start() - 60) if found else 0:][:90]!r}")
    check(0 <= got.returncode < 8, f"{args} ends with {got.returncode}")
    return got.returncode


def places(value, path=()):
    """Yields the path of each key and each string of a JSON value, and whether it is a key."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield path + (key,), True
            yield from places(item, path + (key,))
    elif isinstance(value, list):
        for i, item in enumerate(value[:2]):
            yield from places(item, path + (i,))
    elif isinstance(value, str):
        yield path, False


def variants(value, keys):
    """Yields copies of a JSON value, each with one string made hostile or, if `keys`, one key renamed. Under
    sanitizers it yields about every fifth copy, because the command starts slowly."""
    for path, is_key in list(places(value))[::5 if SANITIZED else 1]:
        changed = copy.deepcopy(value)
        parent = changed
        for step in path[:-1]:
            parent = parent[step]
        if not is_key:
            parent[path[-1]] = HOSTILE
        elif keys:
            parent[HOSTILE] = parent.pop(path[-1])
        else:
            continue
        yield path, changed


@case
def strings_of_a_report():
    score("-o", "old.json", "--intervals", "0.05", "--fail-below", "psnr_y=1", "-m", "motion")
    old, read_well = json.loads(read("old.json")), 0
    for at, (path, changed) in enumerate(variants(old, keys=True)):
        write("new.json", json.dumps(changed).encode())
        if said("report", "new.json", "-o", "page.html", "-o", "list.csv", "--details") in (OK, 1):
            read_well += 1
            page("page.html", 2)
            rows = list(csv.reader(io.StringIO(read("list.csv").decode())))
            rows = [row for row in rows if not row[0].startswith("#")]
            check(len({len(row) for row in rows}) == 1 and len(rows) == len(old["frames"]) + 1, f"{path}: {rows}")
        said("diff", *(("old.json", "new.json") if at % 2 else ("new.json", "old.json")))
        os.makedirs("folder", exist_ok=True)
        write("folder/a.json", json.dumps(changed).encode())
        said("bd", "folder", "folder")
    check(read_well > (2 if SANITIZED else 10), f"only {read_well} strings were taken")


@case
def strings_of_a_report_of_several_encodes():
    write("third.y4m", clip.y4m(seed=3))
    score("-d", "third.y4m", "-o", "all.json")
    for _, changed in variants(json.loads(read("all.json")), keys=True):
        write("new.json", json.dumps(changed).encode())
        said("bd", "new.json", "all.json", "--chart", "page.html")


@case
def names_in_a_table_of_encodes():
    """The name has no commas, quotation marks and line ends, since these end a name in a table."""
    name = HOSTILE.translate(str.maketrans("", "", ',"\n'))
    write("plain.csv", f"bitrate,{name}\n".encode() +
          b"".join(b"%d,%d\n" % (rate, rate // 100 + 20) for rate in (100, 200, 400, 900)))
    hostile = f"{HOSTILE.translate(str.maketrans('', '', '/' + chr(10)))}.csv"
    os.link("plain.csv", hostile)
    for chart in ("page.html", "chart.svg"):
        if said("bd", "plain.csv", hostile, "--chart", chart) == OK:
            page("page.html", 0) if chart == "page.html" else ElementTree.fromstring(read(chart))
    check(os.path.exists("page.html") and os.path.exists("chart.svg"), "a name in quotation marks is not read")


@case
def names_of_files():
    """Every output that names a video treats the name as text."""
    name = HOSTILE.replace("/", "") + ".y4m"
    write(name, read("dis.y4m"))
    said("score", "ref.y4m", name, "-m", "psnr", "-o", "page.html", "-o", "one.csv")
    page("page.html", 2)
    said("score", "ref.y4m", name, "dis.y4m", "-m", "psnr", "-o", "page.html", "-o", "all.csv", "--details")
    page("page.html", 2)
    rows = list(csv.reader(io.StringIO(read("all.csv").decode())))
    check(len(rows) == 3 and len({len(row) for row in rows}) == 1 and rows[1][0] == name, f"{rows}")
    for args in (("decode", name, "--md5"), ("score", "ref.y4m", name + "x"), ("plan", "ref.y4m", name, "-m", "psnr"),
                 ("run", "--shard", "all"), ("merge", "shards"),
                 ("map", "ref.y4m", name, "-m", "xpsnr", "--frame", "0", "-o", "maps"),
                 ("score", "ref.y4m", name, "-m", name), ("score", "ref.y4m", name, "--align", name), (name,),
                 ("score", "--" + name), ("score", "ref.y4m", name, "-m", "psnr", "--print", name), ("metrics", name),
                 ("help", name), ("report", name)):
        said(*args)


@case
def strings_of_a_plan():
    check(said("plan", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "--shards", "1") == OK, "there is no plan")
    for _, changed in variants(json.loads(read("plan.json")), keys=False):
        write("new.json", json.dumps(changed).encode())
        said("run", "--plan", "new.json", "--shard", "all", "-o", "new")
        said("merge", "--plan", "new.json", "new")


@case
def names_in_reports_as_libvmaf_writes_them():
    """Users name models. For any name, XML and JSON parse, and each row of CSV has the same number of columns."""
    write("ref.y4m", clip.y4m(2, width=64, height=48, seed=1))
    write("dis.y4m", clip.y4m(2, width=64, height=48, seed=2))
    named = 0
    for model_name in ("a<b>&c", 'a"b', "a'b", "a,b"):
        for ending, option in (("xml", "--xml"), ("json", "--json"), ("csv", "--csv")):
            got = subprocess.run([FOVEA, "vmaf", "-r", "ref.y4m", "-d", "dis.y4m",
                                  "-m", f"version=vmaf_v0.6.1:name={model_name}", "-o", f"report.{ending}", option],
                                 capture_output=True, check=False)
            if got.returncode:
                continue
            named += 1
            text = read(f"report.{ending}")
            if ending == "xml":
                frame = ElementTree.fromstring(text).find("frames/frame")
                check(model_name in [m.get("name") for m in ElementTree.fromstring(text).iter("metric")],
                      "XML lacks the model")
                check(frame is not None, "XML lacks frames")
            elif ending == "json":
                check(model_name in json.loads(text)["pooled_metrics"], "JSON lacks the model")
            else:
                rows = list(csv.reader(io.StringIO(text.decode())))
                check(len({len(row) for row in rows if row}) == 1 and model_name in rows[0], f"{rows}")
    check(named >= 9, f"{named} names were taken")


run()
