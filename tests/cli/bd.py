"""fovea bd: numbers with every digit, refusals that say why, tables as people write them."""

import base64
import json
import math
import os
import xml.etree.ElementTree as ElementTree

from command import INPUT, PARTIAL, USAGE, case, check, fovea, read, run, write

ANCHOR = [(9487.76, 40.037), (4593.6, 38.615), (2486.44, 36.845), (1358.24, 34.851)]
TEST = [(9787.8, 40.121), (4469.0, 38.651), (2451.52, 36.97), (1356.24, 34.987)]


def table(name, points, header="bitrate,psnr_y", end="\n"):
    write(name, (header + end + "".join(",".join(map(str, point)) + end for point in points)).encode())


def prepare():
    table("anchor.csv", ANCHOR)
    table("test.csv", TEST)


def results(*args, **how):
    return json.loads(fovea("bd", *args, "--format", "json", **how)[0])


@case
def every_digit():
    prepare()
    known = {"pchip": (-4.417485350589045, 0.11969278542479489), "pchip-aom": (-4.4173119355973895, 0.11968986127633077),
             "akima": (-4.4252451569974927, 0.11940927028529469)}
    for method, (rate, quality) in known.items():
        result = results("anchor.csv", "test.csv", "--method", method)
        check(math.isclose(result["bd_rate"], rate, rel_tol=1e-12), f"{method} is {result['bd_rate']}")
        check(math.isclose(result["bd_quality"], quality, rel_tol=1e-12), f"{method} is {result['bd_quality']}")
        check(result["method"] == method and result["score"] == "psnr_y" and result["dropped"] == [], f"{result}")
    every = results("anchor.csv", "test.csv", "--all")
    check([result["method"] for result in every] == ["pchip", "pchip-aom", "akima", "cubic"], f"{every}")
    text = fovea("bd", "anchor.csv", "test.csv")[0]
    check("-4.42 %" in text and "pchip" in text, text)


@case
def tables_as_people_write_them():
    prepare()
    plain = fovea("bd", "anchor.csv", "test.csv", "--format", "json")[0]
    table("windows.csv", ANCHOR, end="\r\n")
    table("swapped.csv", [(q, f' "{r}" ') for r, q in reversed(ANCHOR)], header='# mine\n\n"psnr_y", bitrate')
    for name in ("windows.csv", "swapped.csv"):
        check(fovea("bd", name, "test.csv", "--format", "json")[0] == plain, f"{name} is read otherwise")
    table("two.csv", [(r, q, 10 - q / 10) for r, q in ANCHOR], header="bitrate,psnr_y,butteraugli")
    table("other.csv", [(r, q, 10 - q / 10, 1) for r, q in TEST], header="bitrate,psnr_y,butteraugli,mine")
    both = results("two.csv", "other.csv")
    check([result["score"] for result in both] == ["psnr_y", "butteraugli"], f"{both}")
    check(math.isclose(both[0]["bd_rate"], both[1]["bd_rate"], rel_tol=1e-9), "lower is better, by the same rates")
    check(results("two.csv", "other.csv", "--score", "butteraugli")["score"] == "butteraugli", "--score")


def of_encodes(name, points, **more):
    encodes = [{"path": f"{i}.mp4", "status": 0, "width": 64 + i // 2, "height": 64, "bit_rate": 1000 * r, "partial": False,
                "scores": {"psnr_y": {"mean": q}, "integer_motion2_mmxv_18": {"mean": 1}}, **more} for i, (r, q) in enumerate(points)]
    encodes.append({"path": "bad.mp4", "status": 3, "error": "refused"})
    write(name, json.dumps({"reference": "r", "encodes": encodes}).encode())


@case
def reports_of_many_encodes():
    """As 'fovea score' writes them: the numbers of a table with the same values, parts of models left out."""
    prepare()
    of_encodes("anchor.json", ANCHOR)
    of_encodes("test.json", TEST)
    known = results("anchor.csv", "test.csv")
    for pair in (("anchor.json", "test.json"), ("anchor.csv", "test.json")):
        out, err = fovea("bd", *pair, "--format", "json")
        check("bad.mp4 was not scored whole" in err, err)
        check(all(math.isclose(json.loads(out)[k], known[k], rel_tol=1e-9) for k in ("bd_rate", "bd_quality", "overlap")), out)
    of_encodes("none.json", TEST, bit_rate=None)
    fovea("bd", "anchor.json", "none.json", status=INPUT, says="the bit rate of 0.mp4 is not known")
    write("other.json", b'{"frames": []}')
    fovea("bd", "anchor.json", "other.json", status=INPUT, says="not a report of many encodes")
    write("cut.json", read("test.json")[:-9])
    fovea("bd", "anchor.json", "cut.json", status=INPUT, says="cut.json")


@case
def wrong_tables():
    prepare()
    for text, says in (("", "empty"), ("bitrate,psnr_y\n", "no encodes"), ("rate,psnr_y\n1,2\n", "'bitrate'"),
                       ("bitrate\n1\n", "at least one score"), ("bitrate,psnr_y\n1,2x\n", "line 2: '2x'"),
                       ("bitrate,psnr_y\n1\n", "line 2 has 1 value"), ("bitrate,psnr_y\n1,2,3\n", "line 2 has more"),
                       ("bitrate,psnr_y,psnr_y\n1,2,3\n", "two columns 'psnr_y'"), ("bitrate,psnr_y\n1,\0", "NUL"),
                       ("bitrate,vmaf\n1,2\n", "no score in common")):
        write("wrong.csv", text.encode())
        fovea("bd", "wrong.csv", "test.csv", status=INPUT, says=says)
    fovea("bd", "missing.csv", "test.csv", status=INPUT, says="missing.csv")
    fovea("bd", "anchor.csv", status=USAGE, says="two tables")
    fovea("bd", "anchor.csv", "test.csv", "--score", "vmaf", status=USAGE, says="no column 'vmaf'")
    fovea("bd", "anchor.csv", "test.csv", "--hull", status=USAGE, says="resolution")
    table("mine.csv", ANCHOR, header="bitrate,mine")
    for args in ((), ("--all",), ("--method", "akima")):
        _, err = fovea("bd", "mine.csv", "mine.csv", *args, says="--better lower")
        check(err.count("--better") == 1, err)
    check(not fovea("bd", "mine.csv", "mine.csv", "--better", "higher")[1], "a warning")
    table("falling.csv", [(rate, -quality) for rate, quality in ANCHOR], header="bitrate,mine")
    fovea("bd", "falling.csv", "falling.csv", status=INPUT, says=["not monotonic", "--better lower"])
    fovea("bd", "falling.csv", "falling.csv", "--better", "lower")
    write("sheet.csv", b"\xef\xbb\xbf" + read("anchor.csv").replace(b"\n", b"\r\n"))
    check(results("anchor.csv", "sheet.csv")["bd_rate"] == 0, "a spreadsheet's table")


@case
def refusals_say_why():
    prepare()
    table("apart.csv", [(r, q + 50) for r, q in ANCHOR])
    table("turned.csv", ANCHOR + [(20000, 39)])
    table("few.csv", ANCHOR[:3])
    for name, code in (("apart.csv", "no overlap"), ("turned.csv", "not monotonic"), ("few.csv", "few points")):
        fovea("bd", "anchor.csv", name, status=INPUT, says=code)
    table("some.csv", [(r, q, 50) for r, q in ANCHOR], header="bitrate,psnr_y,vmaf")
    some = results("some.csv", "some.csv", status=PARTIAL, says="few points")
    check(some[0]["bd_rate"] == 0 and some[1]["bd_rate"] is None and some[1]["refused"] == "few points", f"{some}")
    result = results("anchor.csv", "turned.csv", "--drop-dominated")
    check([drop["why"] for drop in result["dropped"]] == ["dominated"] and result["bd_rate"] == 0, f"{result}")
    check(results("few.csv", "few.csv", "--least-points", "3")["bd_rate"] == 0, "three are enough")


@case
def hull_and_chart():
    table("hull.csv", [(r, q, "1080p") for r, q in ANCHOR] + [(r / 3, q - 2, "720p") for r, q in ANCHOR],
          header="bitrate,psnr_y,resolution")
    result = results("hull.csv", "hull.csv", "--hull", "--chart", "curves & <areas>.svg")
    check(result["bd_rate"] == 0 and result["overlap"] == 1, f"{result}")
    picture = ElementTree.fromstring(read("curves & <areas>.svg"))
    check(picture.tag.endswith("svg"), "no picture")
    prepare()
    before = read("anchor.csv")
    fovea("bd", "anchor.csv", "test.csv", "--chart", "anchor.csv", status=USAGE, says="anchor.csv")
    fovea("bd", "anchor.csv", "test.csv", "--chart", "-", status=USAGE, says="standard output")
    os.symlink("test.csv", "link.svg")
    fovea("bd", "anchor.csv", "test.csv", "--chart", "link.svg", status=USAGE, says="link.svg")
    check(read("anchor.csv") == before, "an input is gone")


@case
def a_page_has_all_curves():
    for name, points in (("<a>.csv", ANCHOR), ("test.csv", TEST)):
        table(name, [(rate, quality, 100 - rate / 100, 40) for rate, quality in points], header="bitrate,psnr_y,vmaf,psnr_cb")
    fovea("bd", "<a>.csv", "test.csv", "--all", "--chart", "x.html", status=PARTIAL, says="vmaf by cubic")
    page = read("x.html").decode()
    check(page.count("<img ") == 4 and page.count("<tr>") == 13 and page.count("refused: ") == 8, page[-3000:])
    check("<a>" not in page and "&#60;a&#62;.csv" in page and "<script" not in page, "a name is markup")
    for text in page.split("base64,")[1:]:
        drawn = ElementTree.fromstring(base64.b64decode(text.split('"')[0]))
        check(drawn.tag.endswith("svg"), "no picture")
    fovea("bd", "<a>.csv", "test.csv", "--chart", "test.csv", status=USAGE, says="test.csv")


run()
