"""Scores several encodes in one run: each report equals, byte for byte, that of a run with this encode alone, and a
failing pair does not stop the others."""

import base64
import csv
import html
import json
import os
import re
import signal
import subprocess
import time

import clip
from command import (FOVEA, GATE, INPUT, OK, OUTPUT, PARTIAL, USAGE, Skipped, case, check, ffmpeg, fovea,
                     read, run, write)

NAMES = ["e2.y4m", "e3.y4m", "e4.y4m"]


def encodes(**more):
    for seed in (2, 3, 4):
        write(f"e{seed}.y4m", clip.y4m(seed=seed, **more))


def ladder(*args, metric="psnr", **more):
    return fovea("score", "-r", "ref.y4m", "-d", "e?.y4m", "-m", metric, *args, **more)


@case
def reports_are_those_of_single_runs():
    """Each encode's report equals that of a single run, although the encodes share the features' data of the
    reference. Frames of this size have two tiles at SSIMULACRA 2's finest level."""
    write("ref.y4m", clip.y4m(seed=1, width=160, height=48))
    encodes(width=160, height=48)
    common = ["-m", "psnr,ssimulacra2", "--intervals", "0.08", "--fail-below", "psnr_y=1"]
    for threads in ("1", "2", "5"):
        fovea("score", "ref.y4m", *NAMES, "-o", f"of{threads}/", "--threads", threads, *common)
    for name in NAMES:
        fovea("score", "ref.y4m", name, "-o", "one.json", *common)
        for threads in ("1", "2", "5"):
            check(read("one.json") == read(f"of{threads}/{name}.json"), f"{name} differs with {threads} threads")


@case
def the_reference_is_read_once():
    """All pairs share one read of a pipe. A pair that ended early or was refused does not delay the others."""
    encodes(frames=9)
    write("e3.y4m", clip.y4m(seed=3, frames=2))
    write("e5.y4m", clip.y4m(seed=5, width=32, frames=9))
    long = clip.y4m(seed=1, frames=9)
    for threads in ("1", "9"):
        fovea("score", "-r", "-", "-d", "e?.y4m", "-m", "psnr", "--shortest", "--threads", threads, "-o", "all.json",
              stdin=long, status=INPUT, says="e5.y4m")
        frames = [e.get("frames", 0) for e in json.loads(read("all.json"))["encodes"]]
        check(frames == [9, 2, 9, 0], f"{frames}")
    fovea("score", "-r", "-", *(f"x{i}.y4m" for i in range(17)), stdin=long, status=USAGE, says="standard input")


@case
def a_gpu_gets_the_reference_once():
    """A GPU scores as many encodes at once as its memory holds, and the rest in further rounds. Reports equal those
    of single runs."""
    gpus = [d for d in json.loads(fovea("devices", "--json")[0]) if d["usable"] and d["name"] != "cpu"]
    if not gpus:
        raise Skipped("no GPU")
    for seed in range(2, 12):
        write(f"e{seed}.y4m", clip.y4m(seed=seed, frames=9))
    write("e5.y4m", clip.y4m(seed=5, frames=2))
    long = write("ref.y4m", clip.y4m(seed=1, frames=9))
    names = [f"e{seed}.y4m" for seed in range(2, 12)]
    for gpu in gpus:
        common = ["-m", "psnr,xpsnr", "--shortest", "--device", gpu["name"]]
        out = fovea("score", "-r", "-", *names[:3], *common, "--print", "psnr_y", stdin=read(long))[0]
        check(out.count("\n") == 3, out)
        fovea("score", long, *names, *common, "-o", "each/")
        check(len(os.listdir("each")) == 10, f"{os.listdir('each')}")
        for name in (names[3], names[9]):
            fovea("score", long, name, *common, "-o", "one.json")
            check(read("one.json") == read(f"each/{name}.json"), f"{name} differs on {gpu['name']}")
        fovea("score", "-r", "-", *names[:9], *common, stdin=read(long), status=USAGE,
              says="at most 8 encodes on this device")
        side = int((gpu["memory"] / 1024) ** 0.5) // 2 * 2
        if side < 4096: # to fill a GPU with more memory, one frame would need hundreds of megabytes
            huge = clip.header(side, side) + b"FRAME\n" + bytes(side * side * 3 // 2)
            fovea("score", "-r", "-", *names[:2], *common, stdin=huge, status=USAGE,
                  says="at most 1 encode on this device")


@case
def details_and_shards_are_those_of_single_runs():
    encodes(frames=5)
    write("e3.y4m", clip.y4m(seed=3, frames=3))
    write("ref.y4m", clip.y4m(seed=1, frames=5))
    common = ["-m", "psnr,xpsnr", "--fail-below", "psnr_y=1"]
    out = fovea("score", "ref.y4m", *NAMES, *common, "--details", status=INPUT, says="e3.y4m")[0]
    for name in NAMES:
        single = fovea("score", "ref.y4m", name, *common, "--details", status=INPUT if name == "e3.y4m" else OK)[0]
        check(single in out, f"no details of {name}:\n{out}")
    fovea("score", "ref.y4m", *NAMES, *common, "-o", "kept/", "--resume", status=INPUT, says="e3.y4m")
    fovea("score", "ref.y4m", *NAMES, *common, "-o", "two/", "--device", "cpu,cpu", status=INPUT, says="e3.y4m")
    for name in ("e2.y4m", "e4.y4m"):
        fovea("score", "ref.y4m", name, *common, "-o", "one.json")
        fovea("score", "ref.y4m", name, *common, "-o", "two.json", "--device", "cpu,cpu")
        check(read("one.json") == read(f"kept/{name}.json"), f"{name}: another report after --resume")
        check(read("two.json") == read(f"two/{name}.json"), f"{name}: another report of two devices")
    check(sorted(os.listdir("kept")) == ["e2.y4m.json", "e4.y4m.json"], f"{os.listdir('kept')}")


@case
def a_stopped_run_keeps_finished_encodes():
    """If the command is repeated, it takes the finished encodes from their shards, and removes the shards when all
    encodes are scored."""
    for seed, name in enumerate(("ref.y4m", *NAMES)):
        write(name, clip.y4m(seed=seed, frames=3 if name == "e2.y4m" else 3000))
    command = ["score", "ref.y4m", *NAMES, "-m", "psnr", "--shortest", "-o", "each/", "--resume"]
    with subprocess.Popen([FOVEA, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not os.path.exists("each/e2.y4m.json") and process.poll() is None:
            time.sleep(0.001)
        process.kill()
    check(process.returncode == -9, "it was over before it was stopped")
    check("000000.shard" in os.listdir("each/e2.y4m.json.shards"), "the shards of a finished encode are gone")
    fovea(*command)
    check(sorted(os.listdir("each")) == [name + ".json" for name in NAMES], f"{os.listdir('each')}")


@case
def encodes_that_say_the_same_are_numbered_in_ranges():
    """The encodes that a stopped run had not begun share one message, which names them by ranges of their numbers."""
    write("ref.y4m", clip.y4m(seed=1, frames=3000))
    names = [f"e{i}.y4m" for i in range(10, 50)]
    for name in names:
        os.link("ref.y4m", name)
    with subprocess.Popen([FOVEA, "score", "ref.y4m", *names, "-m", "psnr,xpsnr", "--progress", "json",
                           "--device", "cpu"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out = process.communicate()[0].decode()
    check(process.returncode == PARTIAL and "\nrefused   17-40 stopped on request before it\n" in out, out)


@case
def each_pair_decides_for_itself():
    """Each pair is scaled, cut and shifted as in a single run: the encodes differ in size and length."""
    write("e2.y4m", clip.y4m(seed=2))
    write("e3.y4m", clip.y4m(seed=3, width=24, height=16))
    write("e4.y4m", clip.y4m(seed=4, frames=2))
    args = ["--scale", "dis", "--shortest", "--frame-skip-ref", "1", "--stretch"]
    ladder("-o", "all", *args, "--threads", "1")
    for name in NAMES:
        fovea("score", "ref.y4m", name, "-m", "psnr", "-o", "one.json", *args)
        check(read("one.json") == read(f"all/{name}.json"), f"{name} differs")


@case
def one_refused_pair_stops_no_other():
    encodes()
    write("e3.y4m", clip.y4m(seed=3, frames=1))
    write("e9.y4m", b"YUV4MPEG2 W16")
    out, err = ladder("-o", "all.json", "-o", "all.csv", "-o", "each", status=INPUT, says=["e3.y4m", "e9.y4m"])
    check(re.search(r"^\d  e4\.y4m .* \d", out, re.M) and out.count("not scored") == 3 and
          "unequal lengths" in out, out)
    value = json.loads(read("all.json"))
    check([e["status"] for e in value["encodes"]] == [OK, INPUT, OK, INPUT], f"{value}")
    check("unequal lengths" in value["encodes"][1]["error"], "no reason")
    check(value["numerics_version"] == json.loads(read("each/e2.y4m.json"))["numerics_version"],
          "another numerics version than that of a report")
    rows = list(csv.DictReader(read("all.csv").decode().splitlines()))
    check([r["encode"] for r in rows] == ["e2.y4m", "e3.y4m", "e4.y4m", "e9.y4m"], f"{rows}")
    check(float(rows[2]["psnr_y"]) == value["encodes"][2]["scores"]["psnr_y"]["mean"] and not rows[1]["psnr_y"],
          "CSV and JSON differ")
    check(sorted(os.listdir("each")) == ["e2.y4m.json", "e4.y4m.json"], f"{os.listdir('each')}")


@case
def format_is_that_of_the_reports():
    """--format is the format of the encodes' reports. A file about all encodes has the format of its extension."""
    encodes()
    for name in ("csv", "ndjson", "html"):
        ladder("-o", "each/", "-o", "all.json", "-o", "all.csv", "--format", name)
        check(len(json.loads(read("all.json"))["encodes"]) == len(read("all.csv").splitlines()) - 1 == 3,
              f"{name}: files of all")
        check(os.path.exists(f"each/e2.y4m.{name}"), f"{name}: no report")


@case
def what_is_wrong_with_the_reference_is_said_once():
    for seed in (1, 2, 3, 4):
        write(f"e{seed}.y4m", clip.y4m(seed=seed).replace(b" Ip ", b" I? " if seed == 1 else b" It ", 1))
    write("e9.y4m", b"YUV4MPEG2 W16")
    run = ("score", "-r", "e1.y4m", "-d", "e[2-9].y4m", "-m", "psnr", "--fields")
    err = fovea(*run, "-o", "all.json", "-o", "all.html", status=INPUT,
                says="fovea: e1.y4m: does not state its field order")[1]
    check(err.count("field order") == 1 and err.count("fovea: ") == 2, err)
    errors = [encode["error"] for encode in json.loads(read("all.json"))["encodes"]]
    check(all(error.startswith("e1.y4m: does not state") for error in errors[:3]) and errors[3].startswith("e9.y4m"),
          f"{errors}")
    check(read("all.html").decode().count("<span class=\"alert\">Not scored</span>") == 2,
          "the page says it more than once")
    check("e1.y4m" not in fovea(*run, "--fields-ref", "top", status=INPUT, says="e9.y4m")[1], "said without a reason")


@case
def gates_are_for_each():
    encodes()
    numbers = [line.split("\t") for line in ladder("--print", "psnr_y", "--print", "psnr_cb:p5")[0].splitlines()]
    check([n[2] for n in numbers] == NAMES, f"{numbers}")
    middle = sorted(float(n[0]) for n in numbers)[1]
    out, err = ladder("--fail-below", f"psnr_y={middle!r}", status=GATE)
    check("gate      PSNR, luma, mean, at least" in out and ": 2 of 3 pass" in out and
          err.count("gate failed") == 1, out + err)


@case
def times_are_those_of_the_clip():
    """The table states the duration of the scored clip, even if only some of its frames are scored."""
    for name, seed in (("ref", 1), ("dis", 2), ("e2", 2), ("e3", 3)):
        write(f"{name}.y4m", clip.y4m(seed=seed, frames=8))
    for name in ("ref", "dis"):
        write(f"{name}-i.y4m", read(f"{name}.y4m").replace(b" Ip ", b" It ", 1))
    for args, says in ((("dis.y4m",), "8 frames, 0.32 s"), (("dis.y4m", "--every", "2"), "4 frames, 1 of 2, 0.32 s"),
                       (("dis.y4m", "--every", "3", "--frames", "6"), "2 frames, 1 of 3, 0.24 s"),
                       (("e2.y4m", "e3.y4m", "--every", "4"), "2 frames, 1 of 4, 0.32 s"),
                       (("e2.y4m", "e3.y4m"), "8 frames, 0.32 s")):
        out = fovea("score", "ref.y4m", *args, "-m", "psnr")[0]
        check(f", {says}\n" in out, f"{args}: {out.splitlines()[0]}")
    out = fovea("score", "ref-i.y4m", "dis-i.y4m", "-m", "psnr", "--fields", "--every", "2")[0]
    check(", 4 frames, 1 of 2, 0.32 s\n" in out, f"fields: {out.splitlines()[0]}")


@case
def the_table_fits_a_terminal():
    """Scores that do not fit beside the encodes follow below, and no score is left out."""
    common = {"width": 224, "height": 160, "frames": 2}
    write("ref.y4m", clip.y4m(seed=1, **common))
    write("good.y4m", clip.y4m(seed=1, **common))
    encodes(**common)
    for seed in (2, 3, 4):
        os.rename(f"e{seed}.y4m", f"encode-of-the-source-with-a-long-name-and-a-number-{seed}.y4m")
    write("cut.y4m", b"YUV4MPEG2 W16")
    six = "vmaf,ssimulacra2,psnr,butteraugli,xpsnr,cambi"
    for metrics, expected in (("vmaf", 1), ("vmaf,psnr", 1), (six, 2), (six + ",psnr_hvs,vdm,ciede", 3)):
        out = fovea("score", "ref.y4m", "-d", "encode*.y4m", "-d", "good.y4m", "-d", "cut.y4m", "-m", metrics,
                    status=INPUT, says="cut.y4m")[0]
        table = out.splitlines()
        check(max(len(line) for line in table) <= 100,
              f"{metrics}: a line of {max(len(line) for line in table)} columns")
        parts = len(re.findall(r"^\d  encode-", out, re.M))
        check(parts == 3 * expected, f"{metrics}: {parts} parts\n{out}")
        check(out.count("worst 5 %") == 1 and out.count("not scored") == 2, out)
    for title in ("VMAF", "SSIMULACRA 2", "PSNR", "Butteraugli", "XPSNR", "Banding", "PSNR-HVS", "Visible diff.",
                  "Colour diff."):
        check(title in out, f"{title} is left out:\n{out}")


def rungs():
    """Writes encodes with a bit rate: MPEG-2 at three qualities, and one of a noisy picture, which costs more and
    looks worse."""
    write("ref.y4m", clip.y4m(seed=1, width=96, height=64, frames=12))
    for name, scale, noise in (("a_31.mkv", "31", 0), ("a_12.mkv", "12", 0), ("a_4.mkv", "4", 0),
                               ("b_2.mkv", "2", 40)):
        ffmpeg("-i", "ref.y4m", "-vf", f"noise=alls={noise}", "-c:v", "mpeg2video", "-q:v", scale, name)
    fovea("score", "ref.y4m", name, "-m", "psnr", "-q") # a build without libav leaves the case out


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">\n(.*?)\n</script>',
                                read(page).decode(), re.S)[1])


@case
def one_page_shows_all():
    """Without its script, the page has a row for each encode. It shows two frames in every encode: the worst of the
    best encode, and the worst of another one."""
    frames = [clip.planes(48, 32, "420", 8, 1)] * 9
    good = [clip.planes(48, 32, "420", 8, 2)] * 9
    for name, bad in (("ref.y4m", None), ("e<2>.y4m", 4), ("e3.y4m", 4), ("e4.y4m", 7)):
        shown = (frames if bad is None else good[:bad] + [clip.planes(48, 32, "420", 8, 3, turned=True)] +
                 good[bad + 1:])
        write(name, clip.header() + b"".join(b"FRAME\n" + f for f in shown))
    write("e5.y4m", b"YUV4MPEG2 W16")
    ladder("-d", "e<2>.y4m", "-o", "all.html", "-o", "all.json", status=INPUT, says="e5.y4m")
    page, data = read("all.html").decode(), data_of("all.html")
    check(page.count("<tr>") == 5 and "Not scored</span>" in page, "not a row for each encode, or no reason")
    check("e<2>" not in page.replace('"e\\u003c2>.y4m"', "") and "e&#60;2&#62;.y4m" in page, "a name is markup")
    check("script-src 'sha256-" in page and "connect-src" not in page and "default-src 'none'" in page,
          "another content policy")
    states = {e["name"]: (e["state"], e["error"]) for e in data["encodes"]}
    check(states.pop("e5.y4m")[0] == "refused" and set(states.values()) == {("scored", None)}, f"{states}")
    place = {e["name"]: i for i, e in enumerate(data["encodes"])}
    check([m["name"].split(",")[0] for m in data["moments"]] == ["frame 4", "frame 7"],
          f"{[m['name'] for m in data['moments']]}")
    for moment in data["moments"]:
        pictures = [base64.b64decode(text)
                    for text in [moment["reference"],
                                 *(moment["encodes"][place[n]] for n in ("e<2>.y4m", "e3.y4m", "e4.y4m"))]]
        check(all(p[:3] == b"\xff\xd8\xff" and p[-2:] == b"\xff\xd9" for p in pictures), "a picture is no JPEG")
        check(pictures[1] == pictures[2] and pictures[0] not in pictures[1:], "not the same frame of each")
        check(moment["encodes"][place["e5.y4m"]] is None, "a picture of what was refused")


@case
def the_command_on_the_page_makes_it_again():
    """The page's command, pasted into a shell in the folder of the videos, makes the page again. The command names
    videos without folders and leaves other words with a '/' unchanged."""
    rungs()
    os.rename("a_4.mkv", "it's 4.mkv")
    here = os.getcwd()
    fovea("score", f"{here}/ref.y4m", f"{here}/a_31.mkv", "it's 4.mkv", "-m", "psnr", "--group", "odd=none/*.mkv",
          "--intervals", "0.1", "-o", f"{here}/all.html")
    page = read("all.html").decode()
    made = html.unescape(re.search(r'<pre id="made">(.*?)</pre>', page, re.S).group(1)).split("\n")[0]
    check("odd=none/*.mkv" in made and here not in made, made)
    os.rename("all.html", "once.html")
    subprocess.run(["sh", "-c", made.replace("fovea", FOVEA, 1)], check=True, stdout=subprocess.DEVNULL)
    one, two = data_of("once.html"), data_of("all.html")
    for encode in one["encodes"] + two["encodes"]:
        encode["path"] = os.path.basename(encode["path"])
    differ = [key for key in one if one[key] != two[key]]
    check(not differ, f"the command makes another page: {differ}")


@case
def the_page_decides_as_the_command():
    """The page picks the encode that the command picks, for limits at each encode's value and between them."""
    rungs()
    names = ("b_2.mkv", "a_4.mkv", "a_31.mkv", "a_12.mkv")
    run = ("score", "ref.y4m", *names, "-m", "psnr", "-o", "all.json", "-o", "all.html")
    fovea(*run)
    view = next(v for v in data_of("all.html")["views"] if v["score"]["name"] == "psnr_y" and v["poolname"] == "mean")
    values = sorted(view["values"])
    for limit in (*values, *((a + b) / 2 for a, b in zip(values, values[1:])), values[-1] + 1):
        fovea(*run, "--fail-below", f"psnr_y={limit!r}", status=GATE if limit > values[0] else OK)
        step = next((s for s in view["steps"] if isinstance(s["from"], float) and s["from"] >= limit),
                    view["steps"][-1])
        pick = json.loads(read("all.json"))["pick"]
        check(pick["path"] == (None if step["pick"] is None else names[step["pick"]]), f"{limit}: {pick}, {step}")
        check(data_of("all.html")["gate"] == {"view": 0, "limit": limit}, "the page begins with another gate")
    check(view["dominated"].count(None) == 3 and view["dominated"][0] == 1, f"{view['dominated']}")
    check(len(read("all.html")) < 1_500_000, "the page is too large")


@case
def progress_has_a_bar_where_no_length_is_known():
    """Matroska states a duration and no frame count, so the bar estimates the number of all frames."""
    rungs()
    ffmpeg("-i", "ref.y4m", "-c:v", "ffv1", "ref.mkv")
    err = fovea("score", "ref.mkv", "a_31.mkv", "a_12.mkv", "a_4.mkv", "-m", "psnr", "--progress", "bar")[1]
    check(re.search(r"0 of 3 done  \[[# ]{16}\] [0-9]+ of about 36 frames  .* ETA 0:00:", err), err)
    err = fovea("score", "ref.mkv", "a_4.mkv", "-m", "psnr", "--start", "0.2", "--progress", "bar")[1]
    check(re.search(r"7 of about 7 frames", err), err)
    err = fovea("score", "ref.mkv", "a_4.mkv", "-m", "psnr", "--progress", "json")[1]
    check('"total": null' in err and '"total": 1' not in err, err)


@case
def names_tell_encodes_apart():
    encodes()
    os.mkdir("sub")
    write("sub/e2.y4m", clip.y4m(seed=5))
    table = ladder("-d", "sub/e2.y4m", "-o", "all.html")[0]
    check(re.search(r"^\d  e2\.y4m ", table, re.M) and re.search(r"^\d  sub/e2\.y4m ", table, re.M), table)
    check(re.search(r"^\d  e3\.y4m ", table, re.M), table)
    check("sub/e2.y4m" in read("all.html").decode(), "the page has the same name twice")
    os.rename("e3.y4m", "e\n3.y4m")
    lines = fovea("score", "ref.y4m", "e\n3.y4m", "e2.y4m", "-m", "psnr", "--print", "psnr_y")[0].splitlines()
    check([line.split("\t")[1] for line in lines] == ["e?3.y4m", "e2.y4m"], f"{lines}")
    table = fovea("score", "ref.y4m", "-d", "no\n\x1b[31mne.y4m", "-d", "e2.y4m", status=INPUT,
                  says="fovea: no??[31mne.y4m: cannot be opened")[0]
    check("refused   2 no??[31mne.y4m: cannot be opened" in table, table)


@case
def no_file_of_all_replaces_a_report():
    encodes()
    ladder("-o", "each/", "-o", "./each/e2.y4m.json", status=USAGE, says="each/e2.y4m.json")
    check(b'"encodes"' not in read("each/e2.y4m.json"), "the report of an encode is gone")


@case
def the_cheapest_that_passes_is_picked():
    """The pick is in the first line, in JSON and in the table, which is sorted by rate. --group makes a pick per
    group."""
    rungs()
    names = ("b_2.mkv", "a_4.mkv", "a_31.mkv", "a_12.mkv")
    psnr = {n: float(fovea("score", "ref.y4m", n, "-m", "psnr", "--print", "psnr_y")[0]) for n in names}
    limit = (psnr["a_31.mkv"] + psnr["a_12.mkv"]) / 2
    run = ("score", "ref.y4m", *names, "-m", "psnr", "-o", "all.json")
    out = fovea(*run, "--fail-below", f"psnr_y={limit}", status=GATE)[0]
    value = json.loads(read("all.json"))
    check(out.startswith("Ship a_12.mkv: ") and out.startswith(value["pick"]["sentence"][:40]), out)
    check(re.findall(r"^\d  (\S+)", out, re.M) == ["a_31.mkv", "a_12.mkv", "a_4.mkv", "b_2.mkv"], out)
    check(re.search(r"a_12.mkv .* ship$", out, re.M) and re.search(r"b_2.mkv .* dominated by 3", out) and
          "2 of 4 pass" in out, out)
    check([(e["path"], e["rank"], e["dominated_by"], e["on_hull"], e["passes"]) for e in value["encodes"]] ==
          [("b_2.mkv", 4, "a_4.mkv", False, False), ("a_4.mkv", 3, None, True, True),
           ("a_31.mkv", 1, None, True, False), ("a_12.mkv", 2, None, True, True)], f"{value['encodes']}")
    check(value["pick"]["kind"] == "gate" and value["pick"]["path"] == "a_12.mkv" and value["bd"] == [],
          f"{value['pick']}")
    check(all(e["verdict"]["sentence"] for e in value["encodes"]), "an encode without a verdict")
    out = fovea(*run, "--fail-below", "psnr_y=99", status=GATE)[0]
    check(out.startswith("No encode passes. The best, a_4.mkv, has "), out)
    out = fovea(*run, "--group", "odd=b_*", "--fail-below", f"psnr_y={limit}", status=GATE)[0]
    bd = json.loads(read("all.json"))["bd"]
    check("others    odd: none passes" in out and "dominated" not in out, out)
    check([(b["anchor"], b["group"], b["refused"]) for b in bd] ==
          [("odd", "MPEG-2", "too few encodes of odd: 1 of 4"),
           ("MPEG-2", "odd", "too few encodes of MPEG-2: 3 of 4")], f"{bd}")
    out = fovea(*run)[0]
    check(out.startswith("Best value: a_") and "--fail-below psnr_y=37" in out, out)
    fovea(*run, "--group", "odd", status=USAGE, says="--group takes NAME=PATTERN")


@case
def a_report_is_read_again():
    """A report gives its run's table and CSV file again, and a page with the same decisions but without pictures."""
    rungs()
    names = ("b_2.mkv", "a_4.mkv", "a_31.mkv", "a_12.mkv")
    write("e5.y4m", b"YUV4MPEG2 W16")
    table = fovea("score", "ref.y4m", *names, "e5.y4m", "-m", "psnr,ssimulacra2", "--fail-below", "psnr_y=30:p5",
                  "--group", "odd=b_*", "-o", "all.json", "-o", "all.csv", "-o", "all.html", status=INPUT,
                  says="e5.y4m")[0]
    again = fovea("report", "all.json", "-o", "again.csv", "-o", "again.html")[0]
    check(again == table, f"another table:\n{again}\n{table}")
    check(read("again.csv") == read("all.csv"), "another table of values")
    one, two = data_of("all.html"), data_of("again.html")
    check(all(one[k] == two[k] for k in ("views", "groups", "pick", "gate", "bd", "columns")) and
          two["moments"] == [], "other decisions")
    fovea("report", "all.json", "-o", "x.json", status=USAGE, says="x.json")
    before = read("all.json")
    os.symlink("all.json", "link.html")
    fovea("report", "all.json", "-o", "link.html", status=USAGE, says="link.html")
    check(read("all.json") == before, "the report is gone")
    write("bad.json", b'{"encodes": [{"path": 3, "scores": {"psnr_y": 4, "x": null}, "verdict": []}, null, 7]}')
    fovea("report", "bad.json")


@case
def what_cannot_be_is_refused_before_anything_is_scored():
    encodes()
    os.mkdir("sub")
    write("sub/e2.y4m", clip.y4m(seed=5))
    for args, says in ((["-d", "sub/e2.y4m", "-o", "each"], "both have each/e2.y4m.json"),
                       (["-o", "e2.y4m", "--json"], "e2.y4m"), (["-o", "all.ndjson"], "-o FOLDER"),
                       (["--format", "ndjson"], "add -o FOLDER/"),
                       (["-o", "x.json", "--format", "ndjson"], "add -o FOLDER/"), (["-d", "-"], "standard input"),
                       (["--timing"], "one encode"), (["-o", "a.json", "--resume"], "-o FOLDER/"),
                       (["-o", "a/", "-o", "b/"], "both folders"),
                       (["-o", "e", "-o", "e/e2.y4m.json"], "is also the report"), (["--batch", "jobs"], "jobs")):
        ladder(*args, status=INPUT if "--batch" in args else USAGE, says=says)
    check(not os.path.exists("each") or not os.listdir("each"), "something was written")
    ladder("-d", "sub", status=INPUT, says="fovea: sub is a directory")
    check(read("e2.y4m") == clip.y4m(seed=2), "an input was replaced")
    os.rename("e2.y4m", "x.json")
    os.mkdir("each")
    os.symlink(os.path.abspath("x.json"), "each/e3.y4m.json")
    fovea("score", "ref.y4m", "x.json", "e3.y4m", "-m", "psnr", "-o", "each", status=USAGE, says="x.json")
    check(read("x.json") == clip.y4m(seed=2), "an input was replaced")
    mask = clip.y4m(seed=5, chroma="400")
    write("mask.json", mask)
    ladder("--roi", "mask.json", "-o", "all.json")
    ladder("--roi", "mask.json", "-o", "mask.json", status=USAGE, says="would overwrite the input mask.json")
    check(read("mask.json") == mask, "a mask was replaced")
    write("file", b"")
    fovea("score", "ref.y4m", "e3.y4m", "e4.y4m", "-m", "psnr", "-o", "file/", status=OUTPUT, says="file")


if __name__ == "__main__":
    run()
