"""Tests fovea check: it finds every planted fault at its exact frames, and none in a sound clip. Also tests lists,
exit codes, reports, shards, several videos, and a reference. Usage: check.py FOVEA SOURCE_ROOT."""

import array
import csv
import html
import itertools
import json
import os
import re
import xml.etree.ElementTree

from clip import header
from command import (GATE, INPUT, OK, PARTIAL, ROOT, USAGE, case, check, ffmpeg, fovea, in_shards, read, report, run,
                     write)
from server import Server

WIDTH, HEIGHT, FRAMES, RATE = 64, 48, 60, 12


def picture(i):
    """Returns a moving texture whose samples are all legal."""
    luma = bytes(60 + (x * 3 + y * 5 + 7 * i + (x * y + 3 * i) % 11) % 100 for y in range(HEIGHT)
                 for x in range(WIDTH))
    return luma + bytes([128]) * (WIDTH * HEIGHT // 2)


def plain(code, chroma=128):
    return bytes([code]) * (WIDTH * HEIGHT) + bytes([chroma]) * (WIDTH * HEIGHT // 2)


def clip(name, frames):
    head = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{RATE}:1 Ip A1:1 C420jpeg\n".encode()
    return write(name, head + b"".join(b"FRAME\n" + frame for frame in frames))


def sound():
    return [picture(i) for i in range(FRAMES)]


def put(frames, first, last, make):
    return [make(i) if first <= i <= last else frame for i, frame in enumerate(frames)]


def with_bars(frame, rows):
    return (bytes([16]) * (WIDTH * rows) + frame[WIDTH * rows:WIDTH * (HEIGHT - rows)] +
            bytes([16]) * (WIDTH * rows) + frame[WIDTH * HEIGHT:])


def found(name, *options, status=OK):
    fovea("check", name, "-o", name + ".json", "-q", *options, status=status)
    return report(name + ".json")["check"]


def brief(events):
    return [(event["check"], event["first"], event["last"], event["frames"]) for event in events]


def flashing(i):
    return plain(210 if i % 2 else 40)


PLANTED = {
    "black": (lambda frames, a, b: put(frames, a, b, lambda i: plain(16)), 24),
    "flat": (lambda frames, a, b: put(frames, a, b, lambda i: plain(120 + i % 2, 90)), 1),
    "freeze": (lambda frames, a, b: put(frames, a, b, lambda i: picture(a)), 24),
    "illegal": (lambda frames, a, b: put(frames, a, b, lambda i: bytes([252]) * (WIDTH * 4) + picture(i)[WIDTH * 4:]),
                1),
}


@case
def a_sound_clip_has_none():
    clip("sound.y4m", sound())
    told = found("sound.y4m")
    check(told["verdict"] == "pass" and not told["events"], f"{told}")


def varied(name, width, height, chroma, depth, rate, change):
    """Writes a moving texture with legal samples, of two scenes that `change` joins."""
    shift, columns, rows = depth - 8, width, height
    if chroma != "444":
        columns = (width + 1) // 2
    if chroma == "420":
        rows = (height + 1) // 2
    form, data = "B" if depth == 8 else "H", [header(width, height, chroma, depth, rate)]
    for i in range(30):
        scene, weight = (i > 14, 8) if change == "cut" else (False, min(abs(i - 15), 8))
        slope = 1 + scene
        bright = [60 + ((x * 3 + y * 5) * slope + 7 * i + x * y % 11) % 100 for y in range(height)
                  for x in range(width)]
        luma = [(16 * (8 - weight) + weight * code << shift) // 8 for code in bright]
        other = [128 + (x + y + i) % 9 - 4 << shift for y in range(rows) for x in range(columns)]
        planes = luma if chroma == "400" else luma + other + other
        data += [b"FRAME\n", array.array(form, planes).tobytes()]
    return write(name, b"".join(data))


@case
def sound_clips_of_many_forms_have_none():
    for form in ((65, 49, "400", 12, "24:1", "cut"), (64, 48, "422", 10, "60:1", "dip"),
                 (48, 64, "444", 16, "24000:1001", "cut"), (96, 40, "420", 8, "50:1", "dip")):
        varied("varied.y4m", *form)
        told = found("varied.y4m")
        check(not told["events"] and told["verdict"] == "pass", f"{form}: {told['events']}")


@case
def planted_faults_have_their_exact_frames():
    for name, (plant, least) in PLANTED.items():
        for first, length in itertools.product((0, 1, 17, FRAMES - 30), (least, 30)):
            last = first + length - 1
            clip("planted.y4m", plant(sound(), first, last))
            told = found("planted.y4m", "--only", name)
            check(brief(told["events"]) == [(name, first, last, length)] or
                  (name == "black" and first == 0 and brief(told["events"])[:1] == [(name, first, last, length)]),
                  f"{name} of {first} to {last}: {brief(told['events'])}")
    clip("short.y4m", PLANTED["black"][0](sound(), 10, 32))
    check(not found("short.y4m", "--only", "black")["events"], "23 frames are no 2 seconds")
    check(found("short.y4m", "--only", "black", "--metric", "black=time=1.9")["events"], "but 1.9")


@case
def repeats_bars_cadence_and_flashes():
    clip("one.y4m", [picture(i - (i > 20)) for i in range(FRAMES)])
    check(brief(found("one.y4m")["events"]) == [("repeat", 21, 21, 1)], "one repeat")
    clip("bars.y4m", [with_bars(picture(i), 6) for i in range(FRAMES)])
    told = found("bars.y4m")
    check([(event["check"], event["bars"]) for event in told["events"]] == [("bars", [6, 6, 0, 0])],
          f"{told['events']}")
    check(told["verdict"] == "info", "bars are a fact")
    clip("double.y4m", [picture(i // 2) for i in range(FRAMES)])
    cadence = found("double.y4m", "--only", "cadence")["events"]
    check([(event["period"], event["repeats"]) for event in cadence] == [(2, 1)], f"{cadence}")
    clip("flash.y4m", put(sound(), 20, 40, flashing))
    told = found("flash.y4m", status=GATE)
    flash = [event for event in told["events"] if event["check"] == "flash"]
    check(told["verdict"] == "fail" and len(flash) == 1 and flash[0]["kind"] == "luminance", f"{told['events']}")
    check("no certificate" in fovea("check", "flash.y4m", status=GATE)[0], "a flash check says what it is not")
    check("certificate" not in fovea("check", "flash.y4m", "--only", "black")[0], "no flash check was made")


@case
def exit_codes_and_lists():
    clip("black.y4m", PLANTED["black"][0](sound(), 10, 40))
    for options, status in (((), OK), (("--fail-on", "warn"), GATE), (("--fail-on", "black,comb"), GATE),
                            (("--fail-on", "comb"), OK), (("--fail-on", "none"), OK),
                            (("--skip", "black", "--fail-on", "warn"), OK),
                            (("--fail-on", "warn", "--expect", "black"), OK),
                            (("--only", "flat", "--fail-on", "warn"), OK), (("--fail-above", "black=0.1"), GATE),
                            (("--only", "siti"), OK), (("--fail-on", "none,levels"), OK),
                            (("--fail-on", "freeze,black"), GATE), (("--fail-on", "fail,warn"), GATE),
                            (("--fail-on", "fail,comb"), OK), (("--only", "black", "--skip", "black"), USAGE),
                            (("--skip", "siti,freeze,black,levels,light,flash,scan,texture,cambi"), USAGE)):
        fovea("check", "black.y4m", "-q", *options, status=status)
    clip("loud.y4m", PLANTED["illegal"][0](sound(), 10, 22))
    for option, status in (("levels", GATE), ("fail,levels", GATE), ("illegal", GATE), ("black,fail", OK)):
        fovea("check", "loud.y4m", "-q", "--fail-on", option, status=status)
    checks = ",".join(line.split(" | ")[0] for line in fovea("check", "--list")[0].splitlines())
    fovea("check", "black.y4m", "-o", "none.json", "-q", "--skip", checks, "--fail-on", "warn", "--overwrite")
    check("check" not in report("none.json") and "si" in report("none.json")["pooled"], "all checks are skipped")
    for name, expected in (("black.y4m", "black"), ("loud.y4m", "levels"), ("loud.y4m", "flash,illegal")):
        told = found(name, "--expect", expected)
        check(told["verdict"] == "info" and told["events"][0]["severity"] == "info", f"{told}")
    for option in ("--only", "--skip", "--fail-on", "--expect"):
        fovea("check", "black.y4m", option, "fluff", status=USAGE, says=("fluff", "flash_extended"))
    fovea("check", "black.y4m", "--every", "2", status=USAGE, says="--every")
    fovea("check", "black.y4m", "--fields", status=USAGE, says="leave out --fields")
    fovea("check", "black.y4m", "--fail-on", "dark", status=USAGE, says="warn, fail, none, black")
    fovea("check", status=USAGE, says="fovea check VIDEO")
    # A gate on a check that is not made must not pass.
    clip("full.y4m", PLANTED["black"][0](sound(), 10, 40))
    for options, status, says in ((("--fail-on", "light"), GATE, "neither PQ nor HLG"),
                                  (("--fail-on", "comb,gamut"), GATE, "--fail-on gamut"),
                                  (("--fail-on", "illegal", "--range-dis", "full"), GATE, "full range"),
                                  (("--profile", "pq"), GATE, "neither PQ nor HLG"),
                                  (("--profile", "pq", "--skip", "light"), OK, ()),
                                  (("--profile", "pq", "--fail-on", "comb"), OK, ()),
                                  (("--fail-on", "flash", "--skip", "flash"), USAGE, "--skip"),
                                  (("--fail-on", "comb,flash", "--only", "comb"), USAGE, "--fail-on flash"),
                                  (("--fail-on", "flash", "--only", "comb", "--profile", "sdr"), USAGE, "flash"),
                                  (("--fail-on", "scan", "--skip", "comb"), OK, ()),
                                  (("--fail-on", "siti"), USAGE, "--fail-above"),
                                  (("--fail-on", "black"), GATE, "--fail-on black for full.y4m: Black, frame 10")):
        fovea("check", "full.y4m", "-q", *options, status=status, says=says)
    fovea("check", "full.y4m", "-q", "--fail-on", "black,light,comb,comb", "-o", "gates.xml", status=GATE)
    suite = xml.etree.ElementTree.parse("gates.xml").getroot()[0]
    check((suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "2", "0"), f"{suite.attrib}")
    check([(item.get("name"), item[0].tag) for item in suite] ==
          [("--fail-on black", "failure"), ("--fail-on light", "failure"), ("--fail-on comb", "system-out")], "cases")
    fovea("check", "full.y4m", "-q", "-o", "gates.xml", "--overwrite")
    suite = xml.etree.ElementTree.parse("gates.xml").getroot()[0]
    check([item.get("name") for item in suite] == ["--fail-on fail"], "the case of a run without --fail-on")
    fovea("check", "full.y4m", "-q", "-o", "none.xml", "--fail-on", "none", status=USAGE, says="none.xml")
    clip("sound.y4m", sound())
    fovea("check", "-", "-q", stdin=read("sound.y4m"))
    write("cut.y4m", read("sound.y4m")[:-99])
    text = fovea("check", "cut.y4m", "sound.y4m", "-q", status=PARTIAL)[0]
    check("cut.y4m: Partial" in text and "sound.y4m: No faults" in text, text)
    text = fovea("check", "sound.y4m", "--fail-above", "fluff=1", status=USAGE)[1]
    check("fluff" in text and "stopped on request" not in text, text)
    text = fovea("check", "sound.y4m", "black.y4m", "-q")[0]
    check("sound.y4m: No faults" in text and "black.y4m: Look at: " in text and text.count("\n") == 2, text)


@case
def checks_without_anything_to_compare_with_are_skipped():
    clip("sound.y4m", sound())
    results = found("sound.y4m", "--transfer-dis", "pq")["checks"]
    reasons = {result["name"]: result["reason"] for result in results if result["reason"]}
    check(reasons == {"light": "the file states no light levels", "gamut": "the file states no mastering display"},
          f"{reasons}")


@case
def a_variable_rate_has_the_length_of_its_times():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25", "-vf", "select='lt(n\\,20)+not(mod(n\\,3))'",
           "-vsync", "vfr", "-frames:v", "40", "-c:v", "ffv1", "vfr.mkv")
    text = fovea("check", "vfr.mkv", "-o", "vfr.html", "--overwrite")[0]
    text += fovea("score", "-d", "vfr.mkv", "-m", "siti")[0] + read("vfr.html").decode().partition("</header>")[0]
    for length in ("40 frames, 0:03.160", "40 frames, 3.16 s", "40 frames, 3.16 s</p>"):
        check(length in text, f"{length}: {text}")


@case
def the_table_of_the_documentation_is_that_of_the_code():
    with open(os.path.join(ROOT, "docs", "check.md"), encoding="utf-8") as file:
        text = file.read()
    for line in fovea("check", "--list")[0].splitlines():
        name, rest = line.split(" | ", 1)
        check(f"| `{name}` | {rest} |" in text, f"docs/check.md lacks: {line}")
        check(name in fovea("check", "--help")[0], f"the help lacks {name}")


@case
def shards_and_threads_say_the_same():
    frames = put(put(sound(), 5, 34, lambda i: plain(16)), 40, 50, flashing)
    clip("many.y4m", frames)
    metrics = "siti,freeze,black,levels,light,flash,scan,texture"
    want = found("many.y4m", status=GATE)["events"]
    for shards in ("1", "2", "7"):
        in_shards(shards, "-d", "many.y4m", "-m", metrics)
        check(report("merged.json")["check"]["events"] == want, f"{shards} shards")
    for options in (("--threads", "1"), ("--threads", "3"), ("--isa", "scalar")):
        check(found("many.y4m", *options, status=GATE)["events"] == want, f"{options}")


@case
def a_reference_tells_what_is_new():
    clip("ref.y4m", put(sound(), 2, 31, lambda i: plain(16)))
    clip("dis.y4m", put(put(sound(), 2, 31, lambda i: plain(16)), 40, 40, lambda i: plain(100)))
    told = found("dis.y4m", "-r", "ref.y4m")["events"]
    check([(event["check"], event["side"], event["new"]) for event in told] ==
          [("black", "distorted", False), ("flat", "distorted", True), ("black", "reference", False)], f"{told}")
    check("new in the encode" in fovea("check", "dis.y4m", "-r", "ref.y4m")[0], "the line does not say it")


def spell(value):
    return ":".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def page_rows(name):
    """Returns, for each row of the page's table of events, its severity, the frame that its button shows, and its
    frames as text."""
    table = read(name).decode().partition('id="checks"')[2].partition("</section>")[0]
    return re.findall(r'<tr><td[^>]*>(\w+)</td>.*?data-frame="(\d+)".*?<td class="n">([^<]*)</td>', table)


def page_data(name):
    return json.loads(re.search(b'id="data">(.*?)</script>', read(name), re.S)[1])["report"]


def faces(name, *options, status=OK):
    """The verdict of fovea check in each place that shows it."""
    outputs = [f"now.{end}" for end in ("json", "ndjson", "html")]
    files = [word for output in outputs for word in ("-o", output)]
    text = fovea("check", name, *options, *files, status=status)[0]
    yield "terminal", text.splitlines()[0].removeprefix(f"{name}: ")
    yield "-q", fovea("check", name, "-q", *options, status=status)[0].splitlines()[0].removeprefix(f"{name}: ")
    yield "JSON", report("now.json")["verdict"]["sentence"]
    yield "NDJSON", json.loads(read("now.ndjson").splitlines()[-1])["verdict"]["sentence"]
    yield "button of the page", page_data("now.html")["verdict"]["sentence"]
    headline = r'<div class="word[^>]*>.*?<span>([^<]*)</span></div><p class="says">(?:<b>([^<]*))?'
    shown = re.search(headline, read("now.html").decode())
    mark = ", then: " if shown[1].startswith("Partial") else ": "
    yield "page", html.unescape(shown[1] + (mark + shown[2] if shown[2] else ""))
    fovea("report", "now.json", "-o", "later.html")
    lines = fovea("report", "now.json")[0].splitlines()
    yield "stored report", " ".join(itertools.takewhile(lambda line: not line.startswith(name), lines))
    yield "page of a stored report", page_data("later.html")["verdict"]["sentence"]


@case
def one_sentence_is_the_verdict_everywhere():
    small, black = sound()[:40], put(sound()[:40], 2, 31, lambda i: plain(16))
    clip("pass.y4m", small)
    clip("info.y4m", [with_bars(frame, 6) for frame in small])
    clip("warn.y4m", black)
    clip("fail.y4m", put(black, 32, 39, flashing))
    write("cut.y4m", read(clip("whole.y4m", put(sound(), 10, 40, flashing)))[:-99])
    write("short.y4m", read("pass.y4m")[:-99])
    nothing = "No faults found in what was checked"
    for name, options, status, kind, sentence in (
        ("pass.y4m", (), OK, "checked", nothing),
        ("info.y4m", (), OK, "checked", "Noted: Bars"),
        ("warn.y4m", ("--skip", "comb"), OK, "checked", "Look at: Black"),
        ("warn.y4m", ("--expect", "black"), OK, "checked", "Noted: Black"),
        ("fail.y4m", ("--skip", "comb"), GATE, "checked", "Fails: Flashes"),
        ("pass.y4m", ("--fail-above", "si=0:min"), GATE, "gate failed", f" is above 0. {nothing}"),
        ("pass.y4m", ("--only", "light"), OK, "number", "Nothing was checked"),
        ("short.y4m", (), PARTIAL, "partial", "Partial: 39 "),
        ("cut.y4m", (), GATE, "partial", ". Fails: Flashes"),
        ("pass.y4m", ("-r", "pass.y4m"), OK, "identical", f"Identical. {nothing}"),
        ("warn.y4m", ("-r", "pass.y4m", "--skip", "comb"), OK, "but", ". Look at: Black"),
    ):
        shown = dict(faces(name, *options, status=status))
        check(len(set(shown.values())) == 1, f"{name} {options}: {shown}")
        told = report("now.json")["verdict"]
        whole = kind in ("checked", "identical") or sentence[0] == "N"
        check(told["kind"] == kind and (told["sentence"] == sentence if whole else sentence in told["sentence"]),
              f"{name} {options}: {told['kind']}, {told['sentence']}")
    check('class="word alert"' in read(found_page("fail.y4m", GATE)).decode(), "harm is no alert")
    check('class="word alert"' not in read(found_page("warn.y4m")).decode(), "a warning is an alert")
    answers = batch(["warn.y4m", "--only", "black"], ["pass.y4m"])
    check([answer["sentence"] for answer in answers] == ["Look at: Black", nothing], f"{answers}")
    text = in_shards(3, "-d", "warn.y4m", "-m", "black,freeze")
    check(text == "Look at: Black\n" and report("merged.json")["verdict"]["sentence"] == "Look at: Black", text)


@case
def a_score_names_the_fault_that_explains_a_low_segment():
    """Each fault in a part of the encode alone or of both videos, with its metric and without, where the sync check
    may see it."""
    def brighter(frame):
        return bytes(code + 2 for code in frame[:WIDTH * HEIGHT]) + frame[WIDTH * HEIGHT:]

    def flickering(i):
        return bytes(code // 4 + i % 2 * 160 for code in picture(i)[:WIDTH * HEIGHT]) + picture(i)[WIDTH * HEIGHT:]

    clip("ref.y4m", sound())
    for metric, plant, cause, seen, words in (
        ("black=time=0.4", lambda i: plain(16), "black", "black", "(Black)"),
        ("black", lambda i: plain(120 + i % 2, 90), "plain", "plain", "(of one colour)"),
        ("flash", flickering, "flash", None, "(Flashes)"),
        ("levels", lambda i: PLANTED["illegal"][0](sound(), i, i)[i], "illegal", None, "(Levels)"),
    ):
        clip("dis.y4m", put([brighter(frame) for frame in sound()], 20, 29, plant))
        for metrics, reference, named in ((f"psnr,{metric}", "ref.y4m", cause), ("psnr", "ref.y4m", seen),
                                          (f"psnr,{metric}", "dis.y4m", None)):
            text = fovea("score", reference, "dis.y4m", "-m", metrics, "-o", "low.json", "-o", "low.html",
                         "--overwrite")[0]
            causes = {segment["cause"] for segment in report("low.json")["verdict"]["segments"]} - {None}
            check(causes == ({named} - {None}) and (words in text) == bool(named), f"{metrics}: {causes}, {text}")
            page = read("low.html").decode().partition("</header>")[0]
            said = ["fovea check FILE" in face for face in (text, page)]
            check(said == [bool(named)] * 2, f"{metrics}: {causes}, {said}")


@case
def the_viewer_has_the_sentence_and_the_events():
    clip("fail.y4m", put(put(sound()[:40], 2, 31, lambda i: plain(16)), 32, 39, flashing))
    with Server("-d", "fail.y4m", "-m", "black,flash") as server:
        answer = server.scores()
    check(answer["verdict"]["sentence"] == "Fails: Flashes" and answer["checked"] == "fail" and
          [event["kind"] for event in answer["events"]] == ["black", "flat", "flash"],
          f"{answer['verdict']}, {answer['events']}")


def found_page(name, status=OK):
    fovea("check", name, "-q", "-o", "found.html", status=status)
    return "found.html"


@case
def every_format_has_the_events():
    frames = [with_bars(frame, 6) for frame in put(put(sound(), 2, 31, lambda i: plain(16)), 40, 52, flashing)]
    clip("dis.y4m", frames)
    clip("ref.y4m", [with_bars(picture(i // 2), 6) for i in range(FRAMES)])
    outputs = [f"now.{end}" for end in ("json", "csv", "ndjson", "html")]
    fovea("check", "dis.y4m", "-r", "ref.y4m", "-q", "--expect", "bars", "--skip", "fields",
          *(word for name in outputs for word in ("-o", name)), status=GATE)
    told = report("now.json")["check"]
    check({"black", "flash", "bars", "cadence"} <= {event["check"] for event in told["events"]}, f"{told}")
    rows = list(csv.DictReader(read("now.csv").decode().splitlines()))
    usual = ("check", "severity", "side", "new", "first", "last", "frames", "time", "duration")
    check(len(rows) == len(told["events"]), "another number of rows")
    for row, event in zip(rows, told["events"]):
        details = " ".join(f"{name}={spell(value)}" for name, value in event.items() if name not in usual)
        check([row[name] for name in ("Check", "Severity", "Side", "New", "First", "Last", "Frames", "Details")] == [
            event["check"], event["severity"], event["side"],
            str(int(event["new"])),
            str(event["first"]),
            str(event["last"]),
            str(event["frames"]), details
        ], f"{row} is not {event}")
        check(abs(float(row["Time"]) - event["time"]) < 1e-6 > abs(float(row["Duration"]) - event["duration"]),
              f"{row} is not {event}")
    lines, ended = [json.loads(line) for line in read("now.ndjson").splitlines()], []
    for before, line in zip(lines, lines[1:-1]):
        if "event" in line:
            check(line["event"]["last"] == before.get("frame", before.get("event", {}).get("last")),
                  f"{line} follows {before}")
            ended.append(line["event"])
    check(ended == sorted(told["events"], key=lambda event: event["last"]), "NDJSON has other events")
    check(lines[-1]["check"] == told, "the last line of NDJSON has another result")
    for end in ("csv", "html"):
        fovea("report", "now.json", "-o", f"later.{end}", *(("--format", "events") if end == "csv" else ()))
    check(read("later.csv") == read("now.csv"), "a stored report gives another table")
    pages = [page_data(name) for name in ("now.html", "later.html")]
    check(pages[0]["check"] == pages[1]["check"] == told, "a stored report gives another page")
    for event, row in itertools.zip_longest(told["events"], page_rows("now.html")):
        check(row == (event["severity"], str(event["first"]), f"{event['first']} to {event['last']}"),
              f"the page has {row} for {event}")
    clip("dis.y4m", sound())
    fovea("check", "dis.y4m", "-q", "-o", "none.csv", "-o", "none.html")
    check(not page_rows("none.html"), "a clip without events has rows on its page")
    check(read("none.csv").count(b"\n") == 1, "a clip without events has rows")
    fovea("check", "dis.y4m", "-q", "--csv", "-o", "dis.y4m", status=USAGE)


def batch(*jobs, options=(), status=OK):
    write("jobs.ndjson", "".join(json.dumps(job) + "\n" for job in jobs).encode())
    answers = fovea("check", "--batch", "jobs.ndjson", *options, status=status)[0]
    return [json.loads(line) for line in answers.splitlines()]


@case
def a_batch_answers_each_video_with_a_line():
    clip("sound.y4m", sound()[:30])
    clip("black.y4m", PLANTED["black"][0](sound(), 10, 40))
    clip("flash.y4m", put(sound(), 20, 40, flashing))
    jobs = (["sound.y4m"], ["black.y4m"], ["flash.y4m"], ["missing.y4m"], ["black.y4m", "--fail-on", "fluff"],
            ["black.y4m", "-o", "-"], ["black.y4m", "sound.y4m"], ["--only", "black"])
    answers = batch(*jobs, status=PARTIAL)
    check([answer["status"] for answer in answers] == [OK, OK, GATE, INPUT] + 4 * [USAGE], f"{answers}")
    check([answer.get("verdict") for answer in answers[:3]] == ["pass", "warn", "fail"], f"{answers}")
    check(answers[1]["checks"] == {"black": {"verdict": "warn", "events": 1, "frames": 31}}, f"{answers[1]}")
    check(answers[0]["frames"] == 30 and "flash" in answers[2]["checks"], f"{answers}")
    strict = batch(["sound.y4m"], ["black.y4m"], ["black.y4m", "--expect", "black", "-o", "black.json"],
                   options=("--fail-on", "warn"), status=GATE)
    check([answer["status"] for answer in strict] == [OK, GATE, OK], f"{strict}")
    check(report("black.json")["check"]["verdict"] == "info", "a job's report lacks its --expect")
    write("cut.y4m", read("flash.y4m")[:-99])
    cut, failed = batch(["cut.y4m", "--fail-on", "none"], ["cut.y4m"], status=PARTIAL)
    check((cut["status"], failed["status"], cut["partial"]) == (PARTIAL, GATE, True), f"{cut} {failed}")
    check("partial" not in answers[0] and cut["error"], f"{answers[0]} {cut}")
    for answer in (cut, failed):
        check((answer["frames"], answer["verdict"]) == (59, "fail") and "flash" in answer["checks"], f"{answer}")
        check(answer["sentence"].startswith("Partial: 59 ") and "Fails: Flashes" in answer["sentence"], f"{answer}")
    batch(["sound.y4m"])
    fovea("check", "--batch", "jobs.ndjson", "-o", "x.json", status=USAGE, says="each job of --batch")


def profile(**members):
    return write("own.json", json.dumps(members).encode())


@case
def a_profile_has_limits_and_what_must_not_be_found():
    clip("black.y4m", PLANTED["black"][0](sound(), 10, 22))
    clip("loud.y4m", PLANTED["illegal"][0](sound(), 10, 22))
    rules = {"source": "a test", "metric": ["black=time=1"], "fail_on": "black"}
    own = profile(**rules)
    fovea("check", "black.y4m", "-q")
    fovea("check", "black.y4m", "-q", "--profile", own, status=GATE)
    for options in (("--metric", "black=time=2"), ("--fail-on", "none"), ("--skip", "black")):
        fovea("check", "black.y4m", "-q", "--profile", own, *options)
    for more in ({"skip": ["black"]}, {"fail_on": "comb"}):
        fovea("check", "black.y4m", "-q", "--profile", profile(**dict(rules, **more)))
    told = found("black.y4m", "--profile", profile(**dict(rules, expect=["black"])), status=GATE)
    check(told["events"][0]["severity"] == "info", f"{told}")
    fovea("check", "black.y4m", "-q", "--profile", profile(fail_above=["black=0.5:max"]), status=GATE)
    profile(**rules)
    answers = batch(["black.y4m"], ["black.y4m", "--profile", own], status=GATE)
    check([answer["status"] for answer in answers] == [OK, GATE], f"{answers}")
    for name in ("sdr", "pq"):
        fovea("check", "loud.y4m", "-q")
        fovea("check", "loud.y4m", "-q", "--profile", name, status=GATE)
    for wrong in ({"metrics": []}, {"fail_on": ["black"]}, {"skip": "black"}, {"metric": [1]}):
        fovea("check", "black.y4m", "--profile", profile(**wrong), status=USAGE, says="own.json")
    write("own.json", b"[]")
    fovea("check", "black.y4m", "--profile", "own.json", status=USAGE, says="not a profile")
    fovea("check", "black.y4m", "--profile", "fluff", status=USAGE, says=("fluff", "sdr and pq"))
    profile(**rules)
    fovea("check", "black.y4m", "--profile", own, "-o", own, status=USAGE, says="own.json")
    check(json.loads(read(own)) == rules, "the profile was overwritten")


@case
def a_stored_report_that_is_damaged_is_refused():
    clip("black.y4m", PLANTED["black"][0](sound(), 10, 40))
    told = found("black.y4m")
    whole = report("black.y4m.json")
    event, results = told["events"][0], told["checks"]
    for damaged in ({"events": None}, {"checks": []}, {"events": [{}]}, {"events": [dict(event, check="fluff")]},
                    {"events": [dict(event, last=1)]}, {"events": [dict(event, time="soon")]},
                    {"events": [dict(event, exact={})]}, {"events": [dict(event, a=1, b=2, c=3, d=4)]},
                    {"events": [dict(event, bars=[1, 2, 3, 4, 5])]}, {"checks": [dict(results[0], name="fluff")]}):
        value = dict(told, **damaged)
        write("damaged.json", json.dumps(dict(whole, check=value)).encode())
        if damaged == {"checks": []}:
            fovea("report", "damaged.json")
        else:
            fovea("report", "damaged.json", status=INPUT, says="missing or wrong")


@case
def missing_values_are_null_and_in_no_pool():
    clip("sound.y4m", sound()[:9])
    fovea("score", "-d", "sound.y4m", "-m", "siti,freeze", "-o", "s.json", "-q")
    value = report("s.json")
    first = value["frames"][0]["metrics"]
    check(first["ti"] is None and first["repeat"] is None and first["si"] is not None, f"{first}")
    rest = [frame["metrics"]["ti"] for frame in value["frames"][1:]]
    check(value["pooled"]["ti"]["mean"] == sum(rest) / len(rest), "the mean of the others")
    fovea("report", "s.json", "-o", "again.csv")
    fovea("score", "-d", "sound.y4m", "-m", "siti,freeze", "-o", "s.csv", "-q")
    check(read("again.csv") == read("s.csv"), "a report that is read keeps them")


run()
