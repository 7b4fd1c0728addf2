"""Tests fovea bd: numbers to every digit, refusals that state their reason, and tables as people write them."""

import base64
import json
import math
import os
import socket
import xml.etree.ElementTree as ElementTree

from command import INPUT, PARTIAL, USAGE, case, check, fovea, read, run, score, write

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
    known = {"pchip": (-4.417485350589045, 0.11969278542479489),
             "pchip-aom": (-4.4173119355973895, 0.11968986127633077),
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
    check(text.startswith("test needs 4.4 % fewer bits than anchor for the same PSNR, luma, and has +0.12 dB at the "
                          "same rate.\n"), text)


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
    encodes = [{"path": f"{i}.mp4", "status": 0, "width": 64 + i // 2, "height": 64, "bit_rate": 1000 * r,
                "partial": False, "scores": {"psnr_y": {"mean": q}, "integer_motion2_mmxv_18": {"mean": 1}}, **more}
               for i, (r, q) in enumerate(points)]
    encodes.append({"path": "bad.mp4", "status": 3, "error": "refused"})
    write(name, json.dumps({"reference": "r", "encodes": encodes}).encode())


@case
def reports_of_many_encodes():
    """Reports of many encodes, in the form that 'fovea score' writes, give the same numbers as a table with the same
    values. Warnings name the encodes that were scored in part."""
    prepare()
    of_encodes("anchor.json", ANCHOR)
    of_encodes("test.json", TEST)
    known = results("anchor.csv", "test.csv")
    for pair in (("anchor.json", "test.json"), ("anchor.csv", "test.json")):
        out, err = fovea("bd", *pair, "--format", "json")
        check("bad.mp4 was not scored whole" in err, err)
        check(all(math.isclose(json.loads(out)[k], known[k], rel_tol=1e-9)
                  for k in ("bd_rate", "bd_quality", "overlap")), out)
    of_encodes("none.json", TEST, bit_rate=None)
    fovea("bd", "anchor.json", "none.json", status=INPUT, says="the bit rate of 0.mp4 is not known")
    write("other.json", b'{"frames": []}')
    fovea("bd", "anchor.json", "other.json", status=INPUT, says="not a report of many encodes")
    write("cut.json", read("test.json")[:-9])
    fovea("bd", "anchor.json", "cut.json", status=INPUT, says="cut.json")


def of_one_encode(name, rate, quality, **more):
    """Writes a report of ref.y4m as 'fovea score' writes it, with a bit rate and a psnr_y as given."""
    if not os.path.exists("one.json"):
        score("-o", "one.json")
    report = json.loads(read("one.json"))
    report["inputs"]["distorted"]["bit_rate"] = rate and 1000 * rate
    for frame in report["frames"]:
        frame["metrics"]["psnr_y"] = quality
    for path, value in more.items():
        *above, last = path.split("__")
        (report[above[0]] if above else report)[last] = value
    write(name, json.dumps(report).encode())


def folders():
    for name, points in (("a", ANCHOR), ("b", TEST)):
        os.makedirs(name, exist_ok=True)
        for i, point in enumerate(points):
            of_one_encode(f"{name}/{i}.mkv.json", *point)


@case
def reports_of_one_encode():
    """A folder or a pattern of reports gives the same numbers as a table with the same values."""
    prepare()
    folders()
    write("a/page.html", b"<p>")
    write("a/.hidden.json", b"{")
    os.mkdir("a/more.json")
    known = results("anchor.csv", "test.csv")
    for pair in (("a", "b"), ("a/", "test.csv"), ("a/?.mkv.json", "b/*.json"), ("anchor.csv", "b/?.mkv.json")):
        out = results(*pair, "--score", "psnr_y")
        check(all(math.isclose(out[k], known[k], rel_tol=1e-9) for k in ("bd_rate", "bd_quality", "overlap")),
              f"{pair}: {out}")
    check([r["score"] for r in results("a", "b", status=PARTIAL, says="psnr_cb by pchip")] ==
          ["psnr_y", "psnr_cb", "psnr_cr", "psnr_yuv"], "scores")
    fovea("bd", "a", "b", "--score", "psnr_y", "--hull", "--chart", "bd.svg")
    before = read("b/1.mkv.json")
    fovea("bd", "a", "b", "--chart", "b/1.mkv.json", status=USAGE, says="b/1.mkv.json")
    check(read("b/1.mkv.json") == before, "a report is gone")
    of_one_encode("b/cut.json", 1, 99, partial=True, partial_reason="stopped")
    check(results("a", "b", "--score", "psnr_y", says="b/cut.json was not scored whole")["bd_rate"] == out["bd_rate"],
          "a part counts")


@case
def what_is_no_file_in_a_folder():
    """A pipe, a socket or a broken link whose name matches is refused by name. It is never skipped silently."""
    folders()
    score("-o", "one.json")
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "--shards", "1", "-o", "plan.json")
    fovea("run", "--shard", "all")
    for folder in ("videos", "plans"):
        os.mkdir(folder)
    os.link("ref.y4m", "videos/a.y4m")
    os.link("plan.json", "plans/a.json")
    readers = (("a/x.json", ("bd", "a", "b")), ("videos/b.y4m", ("score", "videos", "videos", "-m", "psnr")),
               ("shards/x.shard", ("merge", "-o", "merged.json", "shards")),
               ("plans/b.json", ("run", "--plan", "plans", "--shard", "all")))
    for path, args in readers:
        with socket.socket(socket.AF_UNIX) as listener:
            for make in (os.mkfifo, listener.bind, lambda name: os.symlink("nowhere", name)):
                make(path)
                fovea(*args, status=INPUT, says=[path, "take it out of the folder"])
                os.remove(path)
        os.mkdir(path)
    fovea("bd", "a", "b", "--score", "psnr_y")


@case
def reports_that_do_not_belong_together():
    folders()
    one = json.loads(read("one.json"))
    video = dict(one["inputs"]["reference"], path="elsewhere/other.y4m")
    fewer = one["frames"][:-1]
    size = dict(one["scored"]["reference"], width=8)
    psnr = dict(one["metrics"][0], options=dict(one["metrics"][0]["options"], reduced_hbd_peak=True))
    for more, says in (({"numerics_version": 1}, "numerics version 1"),
                       ({"inputs__reference": video}, "the reference other.y4m"),
                       ({"scoring__start": 1}, "frames 0 to 2 after --start 1"),
                       ({"frames": fewer, "frame_count": len(fewer)}, f"{len(fewer)} frames"),
                       ({"scored__reference": size, "scored__distorted": size}, "pictures of 8x"),
                       ({"metrics": [psnr]}, "scores of psnr=reduced_hbd_peak=true")):
        of_one_encode("b/x.json", 5000, 39, **more)
        fovea("bd", "a", "b", status=INPUT, says=["b/x.json has " + says, "b/0.mkv.json has ", "leave one out"])
        fovea("bd", "a", "b/?.json", status=INPUT, says="b/x.json is not a report of many encodes")
        os.mkdir("c")
        os.rename("b/x.json", "c/x.json")
        fovea("bd", "a", "c", status=INPUT, says=["c/x.json has " + says, "a/0.mkv.json has "])
        os.remove("c/x.json")
        os.rmdir("c")
    score("-m", "motion", "-o", "both.json")
    both = read("both.json").replace(b'"bit_rate": null', b'"bit_rate": 1')
    for name in ("b/0.json", "b/x.json"):
        write(name, both)
        fovea("bd", "a", "b", status=INPUT, says=f"b/0.mkv.json lacks the score 'integer_motion2' of {name}")
        os.remove(name)
    for rate, text, says in ((None, None, "b/x.json has no bit rate"),
                             (TEST[2][0], None, "b/2.mkv.json and b/x.json have the same bit rate"),
                             (1, b'{"frames": []}', ["b/x.json: its 'schema_version'", "move this one away"]),
                             (1, b"bitrate,psnr_y", ["b/x.json", "move this one away"]),
                             (1, b'{"encodes": []}',
                              ["b/x.json has the scores of several encodes", "move this one away"])):
        of_one_encode("b/x.json", rate, 39)
        if text:
            write("b/x.json", text)
        fovea("bd", "a", "b", status=INPUT, says=says)
        fovea("bd", "a", "b/?.mkv.json", "--score", "psnr_y")
    video["path"] = "/another/machine/ref.y4m"
    of_one_encode("b/x.json", 2000, 36, inputs__reference=video)
    fovea("bd", "a", "b", "--score", "psnr_y")
    os.mkdir("none")
    fovea("bd", "a", "none", status=INPUT, says=["none has no reports in JSON", "-o none"])
    fovea("bd", "a", "b/*.xml", status=INPUT, says="b/*.xml")
    fovea("bd", "a", "b/0.mkv.json", status=INPUT, says="a folder of reports")


@case
def wrong_tables():
    prepare()
    for text, says in (("", "empty"), ("bitrate,psnr_y\n", "no encodes"), ("rate,psnr_y\n1,2\n", "'bitrate'"),
                       ("bitrate\n1\n", "at least one score"), ("bitrate,psnr_y\n1,2x\n", "the psnr_y is '2x'"),
                       ("bitrate,psnr_y\n1\n", "line 2 has 1 value"), ("bitrate,psnr_y\n1,2,3\n", "line 2 has more"),
                       ("bitrate,psnr_y,psnr_y\n1,2,3\n", "two columns 'psnr_y'"), ("bitrate,psnr_y\n1,\0", "NUL"),
                       ("bitrate,vmaf\n1,2\n", "no score in common")):
        write("wrong.csv", text.encode())
        fovea("bd", "wrong.csv", "test.csv", status=INPUT, says=says)
    fovea("bd", "missing.csv", "test.csv", status=INPUT, says="missing.csv")
    fovea("bd", "anchor.csv", status=USAGE, says="two sets")
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
    for name, says in (("apart.csv", ["no overlap", "same range"]),
                       ("turned.csv", ["not monotonic: turned.csv: ", "--drop-dominated"]),
                       ("few.csv", ["few points: few.csv: ", "--least-points"])):
        fovea("bd", "anchor.csv", name, status=INPUT, says=says)
    fovea("bd", "few.csv", "anchor.csv", "--least-points", "3", "--method", "cubic", status=INPUT,
          says=["few.csv: ", "--method pchip"])
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
        table(name, [(rate, quality, 100 - rate / 100, 40) for rate, quality in points],
              header="bitrate,psnr_y,vmaf,psnr_cb")
    fovea("bd", "<a>.csv", "test.csv", "--all", "--chart", "x.html", status=PARTIAL, says="vmaf by cubic")
    page = read("x.html").decode()
    check(page.count("<img ") == 4 and page.count("<tr>") == 13 and page.count("refused: ") == 8, page[-3000:])
    check("<a>" not in page and "&#60;a&#62;" in page and "<script" not in page, "a name is markup")
    for text in page.split("base64,")[1:]:
        drawn = ElementTree.fromstring(base64.b64decode(text.split('"')[0]))
        check(drawn.tag.endswith("svg"), "no picture")
    fovea("bd", "<a>.csv", "test.csv", "--chart", "test.csv", status=USAGE, says="test.csv")


run()
