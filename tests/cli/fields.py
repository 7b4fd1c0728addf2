"""Checks that scores of fields are, bit for bit, those of the videos of the top and of the bottom fields; and tests
refusals and their remedies."""

import csv
import re
import clip
from command import GATE, INPUT, PARTIAL, USAGE, case, check, ffmpeg, fovea, read, report, run, write

WIDTH, HEIGHT, FRAMES = 160, 96, 3
METRICS = "psnr=enable_apsnr=true,vmaf=version=vmaf_v0.6.1,xpsnr,cvvdp"


def frames(chroma, depth, height=HEIGHT, seed=1, count=FRAMES, width=WIDTH):
    """Returns frames as lists of planes, which are lists of rows."""
    made = []
    for i in range(count):
        data, at, planes = clip.planes(width, height, chroma, depth, seed + 3 * i), 0, []
        for plane in range(1 if chroma == "400" else 3):
            across = width // 2 if plane and chroma != "444" else width
            rows = (height + 1) // 2 if plane and chroma == "420" else height
            row = across * (1 + (depth > 8))
            planes.append([data[at + y * row:at + (y + 1) * row] for y in range(rows)])
            at += row * rows
        made.append(planes)
    return made


def y4m(name, video, chroma="420", depth=8, order="t", field=None):
    """Writes the whole video, or the video of its top (0) or bottom (1) fields."""
    part = slice(None) if field is None else slice(field, None, 2)
    width = len(video[0][0][0]) // (1 + (depth > 8))
    head = clip.header(width, len(video[0][0][part]), chroma, depth).replace(b" Ip ", f" I{order} ".encode())
    return write(name, head + b"".join(b"FRAME\n" + b"".join(b"".join(rows[part]) for rows in planes)
                                       for planes in video)) and name


def both(chroma="420", depth=8, **more):
    """Writes both videos, each whole and as two videos of fields."""
    for side, seed in (("ref", 1), ("dis", 2)):
        video = frames(chroma, depth, seed=seed, **more)
        y4m(side + ".y4m", video, chroma, depth)
        for field in range(2):
            y4m(f"{side}{field}.y4m", video, chroma, depth, order="?", field=field)


def score(*args, ref="ref.y4m", dis="dis.y4m", name="x.json", **more):
    out = fovea("score", "-r", ref, "-d", dis, "-o", name, "--progress", "none", "--threads", "2", *args, **more)
    return out if more.get("status") else report(name)


def same(value, fields):
    """Checks that a report of fields has the scores of the reports of the two videos of fields."""
    names = [name for name in fields[0]["pooled"]]
    check(list(value["pooled"]) == [name + end for name in names for end in ("", "_top", "_bottom")], "other columns")
    check(value["scoring"]["fields"] is True and value["scored"]["distorted"]["height"] == HEIGHT // 2, "not fields")
    check(value["inputs"]["distorted"]["height"] == HEIGHT, "the input is not the whole video")
    check(value["frame_count"] == fields[0]["frame_count"], "another number of frames")
    for row, top, bottom in zip(value["frames"], fields[0]["frames"], fields[1]["frames"]):
        check(row["frame"] == top["frame"] and row["time"] == top["time"], "another frame")
        for name in names:
            a, b = top["metrics"][name], bottom["metrics"][name]
            check((row["metrics"][name + "_top"], row["metrics"][name + "_bottom"]) == (a, b),
                  f"{name} of {row['frame']}")
            check(row["metrics"][name] == (a + b) / 2, f"{name} is not the mean of the fields")
    for name in names:
        values = sorted(frame["metrics"][name] for one in fields for frame in one["frames"])
        pools = value["pooled"][name]
        check(pools["min"] == values[0] and pools["max"] == values[-1], f"{name}: extremes of all fields")
        check(pools["median"] == (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2, f"{name}: median")
        for field, end in enumerate(("_top", "_bottom")):
            check(value["pooled"][name + end] == fields[field]["pooled"][name], f"{name}{end} pooled")
    for name, top in fields[0]["sequence"].items():
        bottom = fields[1]["sequence"][name]
        check([value["sequence"][name + end] for end in ("", "_top", "_bottom")] == [(top + bottom) / 2, top, bottom],
              name)


@case
def fields_are_two_videos():
    for chroma, depth, more in (("420", 8, []), ("422", 10, ["--frames", "2"]), ("400", 16, ["--subsample", "2"])):
        both(chroma, depth)
        metrics = ["-m", METRICS if chroma == "420" else "psnr,xpsnr", *more]
        alone = [score(*metrics, ref=f"ref{i}.y4m", dis=f"dis{i}.y4m") for i in range(2)]
        value = score(*metrics, "--fields")
        same(value, alone)
        said = [text for text in value["decisions"] if "two pictures" in text]
        check(not any("scale" in text for text in value["decisions"]), "scaling is a remedy that fields refuse")
        check(len(said) == 1 and ("chroma" in said[0]) == (chroma == "420"), f"{value['decisions']}")


@case
def every_report_has_them():
    both()
    outputs = [word for end in ("csv", "html") for word in ("-o", "x." + end)]
    value = score("-m", "psnr", "--fields", "--intervals", "0.08", *outputs)
    with open("x.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check([float(row["psnr_y_bottom"]) for row in rows] ==
          [row["metrics"]["psnr_y_bottom"] for row in value["frames"]], "CSV")
    fields = [row["metrics"]["psnr_y" + end] for row in value["frames"][:2] for end in ("_top", "_bottom")]
    check(value["intervals"][0]["pooled"]["psnr_y"]["min"] == min(fields),
          "an interval is not pooled over its fields")
    fovea("report", "x.json", "-o", "y.csv", "-o", "y.html")
    check(read("y.csv") == read("x.csv"), "a report that is read differs")
    table = fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "--fields", "--details")[0]
    check(table.count("bad below") == 1, f"the same verdicts for each field: {table}")
    table = fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "--fields", "--fail-below", "psnr_y_bottom=60",
                  status=GATE)[0]
    check(re.search(r"^PSNR, luma +dB .*\nPSNR, luma, top +dB .*\nPSNR, luma, bottom +dB ", table, re.M), table)


@case
def threads_and_isa_change_nothing():
    both()
    first = None
    for args in (["--threads", "1"], ["--threads", "4"], ["--threads", "2", "--isa", "scalar"]):
        fovea("score", "ref.y4m", "dis.y4m", "-m", METRICS, "--fields", "-o", "x.csv", "-q", *args)
        first = first or read("x.csv")
        check(read("x.csv") == first, f"{args}: other scores")
    y4m("third.y4m", frames("420", 8, seed=7))
    score("-m", METRICS, "--fields", "--device", "cpu")
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "-d", "third.y4m", "-m", METRICS, "--fields", "--device", "cpu",
          "-o", "all/", "-q")
    check(read("all/dis.y4m.json") == read("x.json"), "a report of several encodes differs")


@case
def orders_must_be_known():
    both()
    video = frames("420", 8)
    for order, words in (("?", "does not state its field order"), ("p", "progressive"),
                         ("m", "several field orders")):
        y4m("other.y4m", video, order=order)
        for side, pair in (("ref", {"ref": "other.y4m"}), ("dis", {"dis": "other.y4m"})):
            _, said = score("-m", "psnr", "--fields", **pair, status=INPUT, says=words)
            for order_given in ("top", "bottom"):
                check(f"--fields-{side} {order_given}" in said, f"no remedy in {said}")
            score("-m", "psnr", "--fields", f"--fields-{side}", "top", **pair)
            score("-m", "psnr", "--fields", f"--fields-{side}", "bottom", **pair, status=INPUT,
                  says="--ignore-fields")
    score("-m", "psnr", "--fields", "--fields-dis", "progressive", status=INPUT, says="progressive")
    swapped = score("-m", "psnr", "--fields", "--fields-dis", "bottom", "--ignore-fields")
    check(any("field orders differ" in text for text in swapped["decisions"]), "no word of the orders")
    score("-m", "psnr", "--fields-dis", "bottom", status=INPUT, says="--ignore-fields")


@case
def rows_must_divide():
    for chroma, height, crop in (("420", 98, "160:96:0:0"), ("420", 97, "160:96:0:0"), ("400", 97, "160:96:0:0")):
        y4m("a.y4m", frames(chroma, 8, height=height), chroma)
        pair = {"ref": "a.y4m", "dis": "a.y4m"}
        score("-m", "psnr", "--fields", **pair, status=INPUT, says=f"--crop-ref {crop}")
        score("-m", "psnr", "--fields", "--crop-ref", crop, **pair, status=INPUT, says=f"--crop-dis {crop}")
        value = score("-m", "psnr", "--fields", "--crop-ref", crop, "--crop-dis", crop, **pair)
        check(value["scored"]["reference"]["height"] == 48, "other rows")
    both()
    score("-m", "psnr", "--fields", "--crop-ref", "160:50:0:6", status=INPUT, says="--crop-ref 160:48:0:8")
    score("-m", "psnr", "--fields", "--crop-ref", "160:2:0:6", status=INPUT, says="too few")
    cropped = ["--crop-ref", "80:48:8:8", "--crop-dis", "80:48:8:8"]
    halved = ["--crop-ref", "80:24:8:4", "--crop-dis", "80:24:8:4"]
    value = score("-m", "psnr", "--fields", *cropped)
    for field, end in enumerate(("_top", "_bottom")):
        alone = score("-m", "psnr", *halved, ref=f"ref{field}.y4m", dis=f"dis{field}.y4m")
        check(value["pooled"]["psnr_y" + end] == alone["pooled"]["psnr_y"], "another part")


@case
def refusals_name_what_to_leave_out():
    both()
    for more, words in ((["--scale", "80x48"], "--scale"), (["--timing"], "the timing"),
                        (["--rotate", "180"], "--rotate"), (["--resume"], "--fields"),
                        (["--device", "cpu,cpu"], "--fields")):
        score("-m", "psnr", "--fields", *more, status=USAGE, says=words)
    score("-m", "cambi=heatmaps_path=maps", "--fields", status=USAGE, says="no maps")
    y4m("a.y4m", frames("422", 8), "422")
    score("-m", "psnr", "--fields", "--convert", "all", ref="a.y4m", status=INPUT, says="chroma is not converted")
    score("-m", "psnr", "--resume", "--fields-ref", "top", status=USAGE, says="--fields-ref")


@case
def sizes_must_be_equal():
    """Each remedy in the refusal works as it is printed."""
    both()
    y4m("small.y4m", frames("420", 8, height=48, width=80))
    for more, status in (([], INPUT), (["--scale", "ref"], USAGE)):
        _, said = score("-m", "psnr", "--fields", *more, dis="small.y4m", status=status, says="interl=1")
        check("--fields" in said and ("--scale" in said) == bool(more), said)
    ffmpeg("-i", "small.y4m", "-vf", "scale=160:96:interl=1", "large.y4m")
    score("-m", "psnr", "--fields", "--fields-dis", "top", dis="large.y4m")
    score("-m", "psnr", "--fields", "--crop-ref", "80:48:0:0", dis="small.y4m")
    score("-m", "psnr", "--scale", "ref", dis="small.y4m")


@case
def ends_are_those_of_frames():
    both(count=1)
    same(score("-m", METRICS, "--fields"),
         [score("-m", METRICS, ref=f"ref{i}.y4m", dis=f"dis{i}.y4m") for i in range(2)])
    both()
    whole = read("dis.y4m")
    write("dis.y4m", whole[:-100])
    fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "--fields", "-o", "x.json", "-q", status=PARTIAL)
    check(report("x.json")["frame_count"] == FRAMES - 1 and report("x.json")["partial"], "the scores were not kept")
    write("dis.y4m", whole[:len(whole) // 2])
    y4m("short.y4m", frames("420", 8, count=2))
    write("dis.y4m", whole)
    score("-m", "psnr", "--fields", ref="short.y4m", status=INPUT, says="--shortest")
    check(score("-m", "psnr", "--fields", "--shortest", ref="short.y4m")["frame_count"] == 2, "--shortest")


@case
def one_video_has_fields_too():
    both(width=224)
    value = score("-m", "cambi", "--fields")
    check(value["decisions"][0].startswith("each frame"), "unsaid")
    fovea("score", "-d", "dis.y4m", "-m", "cambi", "--fields", "-o", "x.json", "-q")
    for field, end in enumerate(("_top", "_bottom")):
        fovea("score", "-d", f"dis{field}.y4m", "-m", "cambi", "-o", "y.json", "-q")
        check(report("x.json")["pooled"]["cambi" + end] == report("y.json")["pooled"]["cambi"], end)


run()
