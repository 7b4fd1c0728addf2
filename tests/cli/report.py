"""Tests reports in every format."""

import base64
import csv
import hashlib
import html
import io
import json
import math
import os
import re
import shlex
import shutil
import struct
import subprocess

import clip
import schema
from command import (case, check, ffmpeg, FOVEA, fovea, GATE, INPUT, in_shards, needs_png, PARTIAL, read, report,
                     ROOT, run, score, Skipped, USAGE, write)

COMMAND_ON_PAGE = re.compile(r'(?<=<pre id="made">)[^<]*')


@case
def schema_checker_refuses():
    rules = {"type": "object", "additionalProperties": False, "required": ["a"], "properties": {
        "a": {"type": "integer", "minimum": 1}, "b": {"enum": ["x"]},
        "c": {"type": "array", "items": {"type": "null"}}}}
    check(not schema.errors({"a": 1, "b": "x", "c": [None]}, rules, rules), "a right value is refused")
    for wrong in ({}, {"a": 0}, {"a": True}, {"a": "1"}, {"a": 1, "b": "y"}, {"a": 1, "c": [1]}, {"a": 1, "d": 1},
                  []):
        check(schema.errors(wrong, rules, rules), f"{wrong} is accepted")


@case
def report_holds_what_was_done():
    score("--metric", "psnr=min_sse=0.5", "--every", "2", "--isa", "scalar", "-o", "report.json")
    value = report()
    check(not value["partial"] and value["partial_reason"] is None, "partial")
    check([f["frame"] for f in value["frames"]] == [0, 2] and value["frame_count"] == 2, "wrong frames")
    check(value["scoring"]["subsample"] == 2, "subsample is missing")
    check(value["metrics"][1]["options"]["min_sse"] == 0.5, "option is missing")
    check(value["device"]["isa"] == "scalar", "isa is missing")
    source = value["inputs"]["reference"]
    check((source["path"], source["reader"], source["width"], source["chroma"], source["rate"]) ==
          ("ref.y4m", "y4m", 48, "4:2:0", "25/1"), f"wrong input {source}")


@case
def harmonic_mean_needs_values_that_are_not_negative():
    write("r.y4m", clip.header() + b"FRAME\n" + clip.planes(48, 32, "420", 8, 0))
    write("d.y4m", clip.header() + b"FRAME\n" + bytes(b ^ 255 for b in clip.planes(48, 32, "420", 8, 0)))
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "ssimulacra2", "-m", "psnr", "-o", "report.json")
    pooled = report()["pooled"]
    check(pooled["ssimulacra2"]["min"] < 0, f"the score is {pooled['ssimulacra2']}")
    check("harmonic_mean" not in pooled["ssimulacra2"], "a harmonic mean of negative values")
    check("harmonic_mean" in pooled["psnr_y"], "no harmonic mean of psnr_y")


@case
def adm_has_no_number_where_sums_wrap_below_zero():
    for name, shift in (("r.y4m", 1), ("d.y4m", 3)):
        checks = bytes(255 * ((x >> shift) + (y >> shift) & 1) for y in range(48) for x in range(48))
        write(name, clip.header(48, 48) + b"FRAME\n" + checks + bytes([128]) * 1152)
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "adm=adm_csf_mode=1:adm_csf_scale=50:adm_csf_diag_scale=50",
          "-o", "report.json")
    values = report()["frames"][0]["metrics"]
    check(values["integer_aim"] == "nan" and values["integer_adm3"] == 0, f"the scores are {values}")
    check(0 < values["integer_adm2"] < 1, f"the scores are {values}")


@case
def pooled_values_follow_from_the_frames():
    write("r.y4m", clip.y4m(7))
    write("d.y4m", b"".join([clip.header()] + [b"FRAME\n" + clip.planes(48, 32, "420", 8, 3 * i) for i in range(7)]))
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "-o", "report.json")
    value = report()
    for name, pooled in value["pooled"].items():
        x = [f["metrics"][name] for f in value["frames"]]
        mean, ordered = sum(x) / len(x), sorted(x)
        want = {"mean": mean, "min": min(x), "max": max(x), "median": ordered[3],
                "harmonic_mean": len(x) / sum(1 / (1 + v) for v in x) - 1,
                "stddev": math.sqrt(sum((v - mean) ** 2 for v in x) / len(x)),
                "p25": ordered[1] + 0.5 * (ordered[2] - ordered[1]),
                "p5": ordered[0] + 0.3 * (ordered[1] - ordered[0]),
                "p75": ordered[4] + 0.5 * (ordered[5] - ordered[4]),
                "p95": ordered[5] + 0.7 * (ordered[6] - ordered[5])}
        for pool, v in want.items():
            check(math.isclose(pooled[pool], v, rel_tol=1e-12), f"{name} {pool} is {pooled[pool]}, not {v}")


@case
def every_format_has_the_same_values():
    more = ["--metric", "psnr=enable_mse=true:enable_apsnr=true:enable_chroma=false"]
    for name in ("a.json", "a.csv", "a.ndjson"):
        score("-o", name, *more)
    value = report("a.json")
    frames = [f["metrics"] for f in value["frames"]]
    rows = list(csv.DictReader(io.StringIO(read("a.csv").decode())))
    check([r.pop("Frame") for r in rows] == ["0", "1", "2"], "csv: wrong frames")
    check([float(r.pop("Time")) for r in rows] == [0, 0.04, 0.08], "csv: wrong times")
    check([r.pop("Low") for r in rows] == ["0", "0", "0"], "csv: frames that are low")
    check([f["time"] for f in value["frames"]] == [0, 0.04, 0.08], "json: wrong times")
    check([{k: float(v) for k, v in r.items()} for r in rows] == frames, "csv: other values")
    lines = [json.loads(l) for l in read("a.ndjson").splitlines()]
    check([l["metrics"] for l in lines[:-1]] == frames, "ndjson: other frames")
    check(lines[-1] == {k: v for k, v in value.items() if k != "frames"}, "ndjson: other head")


@case
def parts_stand_in_every_format():
    for name, seed in (("ref.y4m", 1), ("dis.y4m", 2)):
        write(name, clip.y4m(frames=5, width=64, height=36, seed=seed, hold=2))
    for ending in ("json", "csv"):
        score("--intervals", "0.08", "--scenes", "-o", f"r.{ending}")
    want = report("r.json")
    check([part["frame"] for part in want["intervals"]] == [0, 2, 4], f"{want['intervals']}")
    check(want["interval"] == 0.08, "another interval")
    rows = list(csv.DictReader(io.StringIO(read("r.csv").decode())))
    check([row["Interval"] for row in rows] == ["0", "0", "2", "2", "4"], f"{rows}")
    starts = [part["frame"] for part in want["scenes"]]
    check(starts == [0, 2, 4], f"scenes begin at {starts}")
    check([int(row["Scene"]) for row in rows] == [max(s for s in starts if s <= i) for i in range(5)], f"{rows}")


@case
def what_always_changes_is_one_scene():
    for name, seed in (("ref.y4m", 1), ("dis.y4m", 2)):
        write(name, clip.y4m(frames=12, width=64, height=36, seed=seed, hold=1))
    score("--scenes", "-o", "r.json")
    check([part["frame_count"] for part in report("r.json")["scenes"]] == [12], f"{report('r.json')['scenes']}")


def page_data(name):
    """Returns the JSON data of a page, and checks the parts that every page must have."""
    text = read(name).decode()
    found = re.findall(r'<script type="application/json" id="data">\n([^<]*)\n</script>', text)
    check(len(found) == 1, "the data are not one element")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    check("default-src 'none'" in policy and "unsafe" not in policy, f"policy {policy}")
    inside = re.findall(r"<style>(.*?)</style>|<script>(.*?)</script>", text, re.S)
    check(len(inside) == 2, f"{len(inside)} styles and scripts")
    for style, script in inside:
        digest = base64.b64encode(hashlib.sha256((style or script).encode()).digest()).decode()
        check(f"'sha256-{digest}'" in policy, "a style or script has another hash")
    check(not re.search(r"https?:|\bsrc=|\bhref=|@import|fetch\(", text), "something comes from elsewhere")
    return json.loads(found[0])


def page_curves(data):
    check(data["timeline"]["frames_per_bin"] == 1, "values are not exact")
    numbers = base64.b64decode(data["timeline"]["numbers"])
    count = len(numbers) // 8
    rows = [{} for _ in range(count)]
    for curve in data["timeline"]["curves"]:
        for row, value in zip(rows, struct.unpack(f"<{count}d", base64.b64decode(curve["values"]))):
            row[data["outputs"][curve["output"]]["name"]] = value
    return list(struct.unpack(f"<{count}d", numbers)), rows


@case
def page_has_the_same_values():
    write("r.y4m", clip.y4m(4, width=224, height=32))
    write("d.y4m", clip.y4m(4, width=224, height=32, seed=5))
    args = ["score", "-r", "r.y4m", "-d", "d.y4m", "--metric", "psnr,cambi=window_size=31", "--subsample", "2",
            "--fail-below", "psnr_y=1"]
    fovea(*args, "-o", "a.json")
    out, err = fovea(*args, "-o", "a.html")
    check("frames" in out and not err, f"another answer: {out}{err}")
    value, data = report("a.json"), page_data("a.html")
    check(data["report"] == {k: v for k, v in value.items() if k != "frames"}, "another head")
    numbers, rows = page_curves(data)
    check(numbers == [0, 2] and rows == [f["metrics"] for f in value["frames"]], "other frames")
    worst = {data["outputs"][w["output"]]["name"]: w["frames"] for w in data["worst"]}
    for name, frames in worst.items():
        lower = name.startswith("cambi")
        values = sorted((f["metrics"][name] for f in value["frames"]), reverse=lower)
        check([f["value"] for f in frames] == values, f"the worst by {name} are {frames}")
    check(not math.isnan(data["worst"][0]["frames"][0]["value"]), "not a number is the worst")


def png_size(picture):
    data = base64.b64decode(picture["png"])
    check(data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", "no PNG")
    return struct.unpack(">II", data[16:24])


@case
def frames_have_time_codes():
    score("-o", "none.json")
    check(report("none.json")["inputs"]["distorted"]["timecode"] is None and
          "timecode" not in report("none.json")["frames"][0], "a time code of a file without one")
    for rate, first, frames in (("25", "09:59:59:24", ["10:00:00:00", "10:00:00:01"]),
                                ("30000/1001", "00:00:59;29", ["00:01:00;02", "00:01:00;03"])):
        for name in ("r.mov", "d.mov"):
            ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=64x48:r={rate}", "-frames:v", "4", "-c:v", "mpeg4",
                   "-q:v", "31" if name == "d.mov" else "2", "-timecode",
                   first if name == "d.mov" else "01:00:00:00", name)
        args = ("-r", "r.mov", "-d", "d.mov", "-m", "psnr", "--frame-skip-ref", "1", "--frame-skip-dist", "1")
        fovea("score", *args, "-o", "code.json", "-o", "code.csv", "-o", "code.html")
        value = report("code.json")
        check([value["inputs"][s]["timecode"] for s in ("reference", "distorted")] == ["01:00:00:00", first],
              f"{value['inputs']}")
        check([f["timecode"] for f in value["frames"]][:2] == frames, f"{value['frames']}")
        rows = list(csv.reader(io.StringIO(read("code.csv").decode())))
        check([r[:3:2] for r in rows[:3]] == [["Frame", "Timecode"], ["0", frames[0]], ["1", frames[1]]], f"{rows}")
        check(page_data("code.html")["timecode"]["drop"] == (";" in first), "another time code on the page")
        out = fovea("report", "code.json")[0]
        check(any(f"{f['timecode']}  frame {f['frame']} " in out for f in value["frames"]),
              f"no time code in the table: {out}")
        check(not schema.errors(value, *[json.loads(read(os.path.join(ROOT, "docs/report.schema.json")))] * 2),
              "not as the schema says")
        fovea("report", "code.json", "-o", "again.csv")
        check(read("again.csv") == read("code.csv"), "another table from the report")
        in_shards(2, *args)
        check(report("merged.json")["frames"] == value["frames"], "other frames from shards")


@case
def page_names_no_worst_frame_of_what_judges_nothing():
    score("-m", "motion,psnr", "-o", "motion.html")
    data = page_data("motion.html")
    judged = {data["outputs"][w["output"]]["name"] for w in data["worst"]}
    check("psnr_y" in judged and not any("motion" in name for name in judged), f"{judged}")


@case
def page_has_pictures_of_the_worst_frames():
    write("r.y4m", clip.y4m(9, width=800, height=600))
    write("d.y4m", clip.y4m(9, width=800, height=600, seed=5))
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr,cambi", "-o", "a.html")
    needs_png()
    data = page_data("a.html")
    for picture in data["pictures"]:
        scale, file = picture["scale"], base64.b64decode(picture["png"])
        frame = file.find(b"\xff\xc0")
        size = png_size(picture) if picture["type"] == "png" else struct.unpack(">HH",
                                                                                file[frame + 5:frame + 9])[::-1]
        check(size == (-(-picture["width"] // scale), -(-picture["height"] // scale)), f"size of {picture['name']}")
    first = next(p["frame"] for p in data["pictures"] if p["type"] == "png")
    own = [(p["name"], p["type"]) for p in data["pictures"] if p["frame"] == first]
    exact = [(n, "png") for n in ("cambi", "distorted", "reference")]
    check(sorted(own) == sorted(exact + [(n, "jpeg") for n in ("cambi", "difference", "distorted", "reference")]),
          f"pictures {own}")
    part = [p for p in data["pictures"] if p["type"] == "png"][0]
    check(part["scale"] == 1 and part["x"] + part["width"] <= 800 and part["y"] + part["height"] <= 600,
          "the part leaves the frame")
    check(len({p["frame"] for p in data["pictures"]}) >= 3 or sum(len(p["png"]) for p in data["pictures"]) > 400_000,
          "few moments")
    check(len(read("a.html")) < 1_500_000, "the page is too large")
    score("-o", "b.html")
    names = {p["name"] for p in page_data("b.html")["pictures"]}
    check({"distorted", "reference"} < names, f"without maps of its own: {names}")


@case
def page_of_one_video_and_of_a_pipe():
    write("d.y4m", clip.y4m(2, width=224, height=32))
    fovea("score", "-d", "d.y4m", "-m", "cambi", "-o", "a.html")
    data = page_data("a.html")
    check(data["report"]["inputs"]["reference"] is None, "a reference")
    check("reference" not in {p["name"] for p in data["pictures"]}, "a picture of no video")
    fovea("score", "-r", "ref.y4m", "-d", "-", "-m", "psnr", "-o", "b.html", stdin=read("dis.y4m"),
          says="read only once" if data["pictures"] else ())
    check(page_curves(page_data("b.html"))[0] == [0, 1, 2] and not page_data("b.html")["pictures"],
          "the page of a pipe")
    out = fovea("score", "-d", "d.y4m", "-m", "cambi", "-o", "-", "--format", "html")[0]
    check(COMMAND_ON_PAGE.sub("", out) == COMMAND_ON_PAGE.sub("", read("a.html").decode()),
          "another page on standard output")


@case
def the_command_on_the_page():
    """A shell that reads the page's command gets the words of the run, and writes the same page."""
    name = "a b's $(c) \"d\".y4m"
    write(name, read("dis.y4m"))
    words = ["score", "ref.y4m", name, "-m", "psnr", "-o", "page.html"]
    fovea(*words)
    page = read("page.html").decode()
    command = html.unescape(re.search(r'<pre id="made">(.*?)</pre>', page, re.S)[1])
    check(shlex.split(command) == ["fovea", *words], f"the page says {command}")
    for said in ("numerics version", "<td class=\"path\">ref.y4m</td>"):
        check(said in page[page.index("How to get this again"):], f"the page lacks {said}")
    write("job.ndjson", json.dumps([*words[1:5], "-o", "job.html"]).encode() + b"\n")
    fovea("score", "--batch", "job.ndjson")
    check('id="made"' not in read("job.html").decode(), "a job of a batch has a command")


@case
def page_with_hostile_names():
    for name in (b"</script><script>alert(1)</script>.y4m", b"<!--<script>.y4m", b"' onload=x \"\\u003c.y4m",
                 b"&lt;\xff\x01\n.y4m", "\u2028\u202e]]>.y4m".encode()):
        name = name.replace(b"/", b"\xe2\x88\x95") if b"/" in name else name
        write(name, read("dis.y4m"))
        done = subprocess.run([FOVEA, "score", "-r", "ref.y4m", "-d", name, "-m", "psnr", "-o", "x.html"],
                              stdout=subprocess.DEVNULL, check=False)
        check(done.returncode == 0, f"{name} cannot be scored")
        got = page_data("x.html")["report"]["inputs"]["distorted"]["path"]
        check(got == name.decode(errors="replace"), f"{name} became {got}")


@case
def page_that_is_partial():
    write("cut.y4m", read("dis.y4m")[:-9])
    fovea("score", "-r", "ref.y4m", "-d", "cut.y4m", "-m", "psnr", "-o", "x.html", status=PARTIAL)
    data = page_data("x.html")
    check(data["report"]["partial"] and len(page_curves(data)[0]) == 2, "not marked as partial")


@case
def several_reports_of_one_run():
    score("-o", "a.json", "-o", "a.csv", "-o", "a.html")
    score("-o", "b.json")
    score("-o", "b.csv")
    check(read("a.json") == read("b.json") and read("a.csv") == read("b.csv"), "other reports than one by one")
    page_data("a.html")
    score("-o", "a.json", "-o", "a.json", status=USAGE, says="twice")
    score("-o", "a.json", "-o", "b.csv", "--format", "csv", status=USAGE, says="--format")
    score("-o", "a.json", "-o", "b.txt", status=USAGE, says="b.txt")
    check(score("-o", "-", "-o", "c.csv")[0].encode() == read("a.json"), "standard output has something else")


@case
def a_report_from_a_report():
    """A JSON report gives the table, the CSV file and the page of its run, but without pictures."""
    for name, seed in (("r.y4m", 1), ("d.y4m", 2)):
        write(name, clip.y4m(frames=6, width=224, height=64, seed=seed, hold=2))
    for more in (["-m", "psnr=enable_mse=1:enable_apsnr=1,cambi=window_size=31,vdm=lw=200,psnr_hvs",
                  "--fail-below", "psnr_y=1:p5"],
                 ["-m", "xpsnr,float_ssim", "--intervals", "0.08", "--scenes", "--frame-skip-ref", "1",
                  "--frame-skip-dist", "1"],
                 ["-m", "psnr,psnr=reduced_hbd_peak=true", "--scale", "300x80", "--subsample", "2"]):
        table = fovea("score", "r.y4m", "d.y4m", *more, "--details", "-o", "a.json", "-o", "a.csv", "-o", "a.html")[0]
        again = fovea("report", "a.json", "--details", "-o", "b.csv", "-o", "b.html")[0]
        lines = [l for l in table.splitlines() if not l.startswith(("passed", "failed"))]
        check([l for l in again.splitlines() if l] == [l for l in lines if l], f"another table: {table}{again}")
        check(read("a.csv") == read("b.csv"), "another CSV file")
        one, other = page_data("a.html"), page_data("b.html")
        one["pictures"] = []
        for head in (one["report"], other["report"]): # a report does not store the frames of the containers
            head.pop("inputs")
        check(one == other, f"another page: {[k for k in one if one[k] != other[k]]}")
    fovea("score", "-d", "d.y4m", "-m", "cambi", "-o", "alone.json")
    fovea("report", "alone.json", "-o", "alone.html")


@case
def reports_that_are_none():
    score("-o", "a.json")
    fovea("report", status=USAGE, says="one JSON report")
    fovea("report", "a.json", "-o", "b.json", status=USAGE, says="b.json")
    fovea("report", "ref.y4m", status=INPUT, says="ref.y4m")
    fovea("report", "none.json", status=INPUT, says="none.json")
    os.link("a.json", "link.csv")
    fovea("report", "a.json", "-o", "link.csv", status=USAGE, says="link.csv")
    whole = json.loads(read("a.json"))
    check(whole["frames"], "the report was replaced")

    def damage(change, says):
        value = json.loads(read("a.json"))
        change(value)
        write("bad.json", json.dumps(value).encode())
        done = subprocess.run([FOVEA, "report", "bad.json", "-o", "x.html"], capture_output=True, check=False)
        check(done.returncode in (INPUT, USAGE) and says in done.stderr.decode() and not done.stdout,
              f"{says}: {done}")
        check(not os.path.exists("x.html"), f"{says}: a page is written")

    damage(lambda v: v.pop("scored"), "scored")
    damage(lambda v: v["frames"].pop(), "frames")
    damage(lambda v: v["frames"][1]["metrics"].pop("psnr_y"), "psnr_y")
    damage(lambda v: v["frames"][1].update(frame=0), "frame")
    damage(lambda v: v["metrics"][0].update(name="nosuch"), "nosuch")
    damage(lambda v: v["metrics"][0]["options"].update(enable_mse=True), "mse_y")
    damage(lambda v: v["scored"]["distorted"].update(width=-3), "scored")
    damage(lambda v: v["scored"]["distorted"].update(width=2 ** 31 - 1), "")
    damage(lambda v: v.update(schema_version=9), "schema_version")
    damage(lambda v: v.update(gates=[{"score": "x"}]), "gates")
    damage(lambda v: v.update(decisions=[3]), "decisions")


@case
def reports_on_standard_output_stand_alone():
    score("-o", "report.json")
    for args in (["--json"], ["-o", "-"], ["--format=json", "--output=-"]):
        check(score(*args)[0].encode() == read("report.json"), f"{args} prints something else")


@case
def values_that_are_not_finite():
    args = ("score", "-r", "ref.y4m", "-d", "ref.y4m", "-m", "psnr=enable_mse=true:enable_apsnr=true")
    names = [m["name"] for m in json.loads(fovea("metrics", "--json")[0])]
    if "psnr_hvs" in names:
        args = ("score", "-r", "ref.y4m", "-d", "ref.y4m", "-m", "psnr_hvs")
        fovea(*args, "-o", "report.json")
        check(report()["frames"][0]["metrics"]["psnr_hvs"] == "inf", "not inf")
        fovea(*args, "-o", "b.csv")
        check(",inf" in read("b.csv").decode(), "csv: not inf")
    fovea(*args, "-o", "report.json")
    report()


@case
def reports_are_equal_byte_for_byte():
    write("r.y4m", clip.y4m(12))
    write("d.y4m", clip.y4m(12, seed=4))
    names = ["psnr=enable_mse=true:enable_apsnr=true"]
    for form in ("json", "csv", "ndjson", "html"):
        first = None
        for threads, flight in (("1", "1"), ("1", "0"), ("2", "0"), ("3", "1"), ("7", "20"), ("0", "0")):
            out = fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", names[0], "--format", form, "--threads", threads,
                        "--in-flight", flight)[0]
            out = COMMAND_ON_PAGE.sub("", out)
            first = first or out
            check(out == first, f"{form}: {threads} threads and {flight} in flight write another report")


@case
def numbers_know_no_locale():
    """Debian's base system has only the C locale, so the test makes a locale with a decimal comma."""
    if not shutil.which("localedef"):
        raise Skipped("no localedef")
    write("source", b'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    subprocess.run(["localedef", "-c", "-i", "source", "-f", "ANSI_X3.4-1968", "./commas"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    commas = {"LC_ALL": "commas", "LOCPATH": os.getcwd()}
    gate = ["--fail-below", "psnr_y=1.5", "--metric", "psnr=min_sse=0.5"]
    for args in (["--json"], ["--csv"], gate):
        check(score(*args)[0] == score(*args, env=commas)[0], f"{args}: another locale, another output")


@case
def strange_paths_stay_json():
    name = b'a"\\\n\xff\xc3\xa9.y4m'
    write(name, read("dis.y4m"))
    run = subprocess.run([FOVEA, "score", "-r", "ref.y4m", "-d", name, "-m", "psnr", "-o", "report.json"],
                         stdout=subprocess.DEVNULL, check=False)
    check(run.returncode == 0, "cannot be opened")
    check(report()["inputs"]["distorted"]["path"] == 'a"\\\n\ufffd\u00e9.y4m', "the path is another one")


@case
def format_follows_the_name():
    score("-o", "x.csv")
    check(read("x.csv").startswith(b"Frame,"), "no csv")
    score("-o", "x.csv", "--json")
    report("x.csv")
    score("-o", "x.dat", status=USAGE, says=".ndjson")
    check(not os.path.exists("x.dat"), "a report of no kind is written")
    score("-o", "x.dat", "--format", "json")
    report("x.dat")
    score("-o", "plain")
    report("plain")


@case
def gates_stand_in_the_report():
    score("-o", "x.json", "--fail-below", "psnr_y=1:p5", "--fail-below", "psnr_cb=99", status=GATE)
    gates = report("x.json")["gates"]
    check([g["outcome"] for g in gates] == ["passed", "failed"], f"gates are {gates}")
    check(gates[0]["pool"] == "p5" and gates[0]["limit"] == 1, f"the first gate is {gates[0]}")


@case
def inputs_tell_their_tags():
    score("-o", "x.json", "--matrix-ref", "bt709", "--transfer-dis", "pq", "--range-ref", "limited")
    inputs = report("x.json")["inputs"]
    check(inputs["reference"]["matrix"] == "bt709", "no matrix")
    check(inputs["reference"]["range"] == "limited", "no range")
    check(inputs["distorted"]["transfer"] == "pq", "no transfer")


@case
def lists_of_other_programs():
    """The lists of FFVship and turbo-metrics each take one line of jq. docs/loops.md and the answer to the old
    formats have it."""
    score("-m", "butteraugli,ssimulacra2", "-o", "all.json")
    frames = [f["metrics"] for f in report("all.json")["frames"]]
    with open(os.path.join(ROOT, "docs/loops.md"), encoding="utf-8") as file:
        lines = re.findall(r"`jq (-\w) '([^`]*)'\s+report\.json`", file.read())
    check(len(lines) == 3, f"loops.md has {len(lines)} lines of jq")
    for name, filter in (("ffvship", lines[1][1]), ("turbo-metrics", lines[0][1])):
        score("-o", "list", "--format", name, status=USAGE, says=["is gone", filter])
    score("-o", "list.ffvship", status=USAGE, says="--format")
    if not shutil.which("jq"):
        raise Skipped("jq is missing")
    made = [subprocess.run(["jq", option, filter, "all.json"], stdout=subprocess.PIPE, check=True).stdout.decode()
            for option, filter in lines]
    rows = list(csv.DictReader(made[0].splitlines()))
    check([float(r["ssimulacra2"]) for r in rows] == [f["ssimulacra2"] for f in frames], f"{rows}")
    check(json.loads(made[1]) == [[f["ssimulacra2"]] for f in frames], made[1])
    check(json.loads(made[2]) == [[f[n] for n in ("butteraugli_p5", "butteraugli_p3", "butteraugli")]
                                  for f in frames], made[2])


@case
def an_old_report_keeps_its_versions():
    fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "-o", "old.json", "-q")
    write("old.json", re.sub(rb'"numerics_version": \d+', b'"numerics_version": 1',
                             re.sub(rb'"fovea_version": "[^"]*"', b'"fovea_version": "0.9.7"', read("old.json"))))
    fovea("report", "old.json", "-o", "old.html", "-o", "again.csv")
    check(read("old.html").count(b"fovea 0.9.7, numerics version 1") == 2, "the page names another version")


run()
