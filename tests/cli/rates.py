"""Checks the bit rate of each video's stream and the packet of each frame in every report, whichever reader delivers
the frames."""

import csv
import json
import subprocess

import clip
from command import Skipped, case, check, ffmpeg, fovea, in_shards, read, report, run, write

SIZE = {"width": 96, "height": 64}


def encode(name, *args, frames=12, source="ref.y4m"):
    """Encodes the source with reordered frames, and adds an audio stream, which must not count."""
    write("ref.y4m", clip.y4m(frames=frames, hold=3, **SIZE))
    codec = [] if {"-c:v", "-vn"} & set(args) else ["-c:v", "mpeg4", "-bf", "2", "-g", "6", "-q:v", "5"]
    ffmpeg("-i", source, "-f", "lavfi", "-i", "sine=d=0.4", "-c:a", "aac", *codec, *args, name)


def packets(name):
    """Returns ffprobe's description of each video packet, in display order."""
    try:
        out = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_packets", "-of", "json", name],
                             stdout=subprocess.PIPE, check=True).stdout
    except FileNotFoundError as missing:
        raise Skipped("ffprobe is missing") from missing
    listed = sorted(json.loads(out)["packets"], key=lambda p: int(p["pts"]))
    return [(int(p["size"]), "K" in p["flags"]) for p in listed]


def score(name, *args, to="report.json", **more):
    fovea("score", "ref.y4m", name, "-m", "psnr", "-o", to, *args, **more)
    return report(to) if to.endswith(".json") else read(to).decode()


def check_frames(value, expected, rate=25):
    frames = [(f["packet_bytes"], f["packet_key"]) for f in value["frames"]]
    check(frames == [expected[f["frame"]] for f in value["frames"]], f"{frames} are not {expected}")
    first, last = value["frames"][0]["frame"], value["frames"][-1]["frame"]
    bits = 8 * sum(size for size, _ in expected[first:last + 1]) * rate / (last + 1 - first)
    given = value["inputs"]["distorted"]["bit_rate"]
    check(abs(given - bits) < 1e-6 * bits, f"{given} bits/s are not {bits}")


@case
def they_are_those_of_the_frames_that_were_scored():
    for name in ("a.mp4", "a.mkv", "a.ts"):
        encode(name)
        expected = packets(name)
        check_frames(score(name, "--threads", "1"), expected)
        check_frames(score(name, "--subsample", "3"), expected)
        check_frames(score(name, "--frames", "5"), expected)
        check_frames(score(name, "--start", "0.12", "--duration", "0.2"), expected[3:])
        check_frames(score(name, "--align", "time"), expected)
    check(score("a.mkv")["inputs"]["reference"]["bit_rate"] is None, "Y4M has a bit rate")
    encode("b.mkv", "-c:v", "ffv1")
    fovea("score", "b.mkv", "a.mkv", "-m", "psnr", "-o", "report.json")
    given, sizes = report("report.json")["inputs"]["reference"]["bit_rate"], packets("b.mkv")
    check(abs(given - 8 * 25 * sum(s for s, _ in sizes) / len(sizes)) < 1, f"the reference has {given}")


@case
def times_of_decoding_are_not_needed():
    """Decoding times may be missing. Matroska does not store them, and FFmpeg does not know the first ones of
    H.264."""
    encode("a.mkv", "-c:v", "libx264", "-g", "40", frames=80)
    expected = packets("a.mkv")
    check_frames(score("a.mkv"), expected)
    check_frames(score("a.mkv", "--frames", "7"), expected)


@case
def every_run_says_the_same():
    """A single run, a run of several encodes, merged shards and a resumed run report the same bit rates."""
    encode("a.mkv")
    encode("b.mp4", "-q:v", "12")
    encode("r.mkv", "-c:v", "ffv1")
    for name in ("a.mkv", "b.mp4"):
        fovea("score", "r.mkv", name, "-m", "psnr", "--device", "cpu", "-o", f"{name}.one.json")
    for threads in ("1", "3"):
        fovea("score", "r.mkv", "a.mkv", "b.mp4", "-m", "psnr", "--device", "cpu", "--threads", threads,
              "-o", "each", "-o", "all.json", "-o", "all.csv")
        for name in ("a.mkv", "b.mp4"):
            check(read(f"each/{name}.json") == read(f"{name}.one.json"), f"{name} differs with {threads} threads")
    rates = [report(f"{name}.one.json")["inputs"]["distorted"]["bit_rate"] for name in ("a.mkv", "b.mp4")]
    check([e["bit_rate"] for e in json.loads(read("all.json"))["encodes"]] == rates, "the file of all differs")
    check([float(r["bit_rate"]) for r in csv.DictReader(read("all.csv").decode().splitlines())] == rates,
          "its CSV differs")
    in_shards(3, "-r", "r.mkv", "-d", "a.mkv", "-m", "psnr")
    check(read("merged.json") == read("a.mkv.one.json"), "merged shards differ")
    fovea("score", "r.mkv", "a.mkv", "-m", "psnr", "--device", "cpu", "--resume", "-o", "resumed.json")
    check(read("resumed.json") == read("a.mkv.one.json"), "a resumed run differs")


@case
def faces_show_them():
    encode("a.mp4", "-q:v", "3")
    value = score("a.mp4")
    rows = list(csv.DictReader(score("a.mp4", to="report.csv").splitlines()))
    check([(int(r["Bytes"]), r["Key"] == "1") for r in rows] == packets("a.mp4"), f"{rows[0]}")
    rate = f"{value['inputs']['distorted']['bit_rate'] / 1000:.0f} kb/s"
    check(rate in score("a.mp4", to="report.html"), f"the page lacks {rate}")
    fovea("report", "report.json", "-o", "again.html")
    check(rate in read("again.html").decode(), "a page that is made afterwards lacks it")
    check(rate in fovea("score", "ref.y4m", "a.mp4", "-m", "psnr")[0], "the terminal lacks it")
    check(rate in fovea("score", "ref.y4m", "a.mp4", write("b.mp4", read("a.mp4")), "-m", "psnr")[0],
          "the table of encodes lacks it")


@case
def packets_are_listed_as_they_are_read():
    """Packets of a pipe and of a truncated file are listed for each frame that was scored."""
    encode("a.mkv")
    expected = packets("a.mkv")
    check_frames(score("-", stdin=read("a.mkv")), expected)
    write("a.cut.mkv", read("a.mkv")[:-3000])
    fovea("score", "ref.y4m", "a.cut.mkv", "-m", "psnr", "-o", "cut.json", status=5)
    check_frames(report("cut.json"), expected)


@case
def frames_have_their_times_where_the_rate_varies():
    """Times are reported per frame by a single run, by shards, and in a report made later. With constant steps, the
    frame rate suffices."""
    write("ref.y4m", clip.y4m(frames=12, hold=3, rate="24:1", **SIZE))
    ffmpeg("-i", "ref.y4m", "-vf", "select='lt(mod(n,7),3)'", "-vsync", "vfr", "-c:v", "ffv1", "r.mkv")
    ffmpeg("-i", "r.mkv", "-vsync", "passthrough", "-c:v", "mpeg4", "-bf", "2", "a.mkv")
    fovea("score", "r.mkv", "a.mkv", "-m", "psnr", "--device", "cpu", "-o", "one.json", "-o", "one.csv",
          "-o", "one.html")
    times = [frame["time"] for frame in report("one.json")["frames"]]
    check(max(abs(t - n / 24) for t, n in zip(times, (0, 1, 2, 7, 8, 9))) < 0.001 and len(times) == 6, f"{times}")
    check('"rate": 0' in read("one.html").decode(), "the page counts by the frame rate")
    fovea("report", "one.json", "-o", "again.csv")
    check(read("again.csv") == read("one.csv"), "a report that is made afterwards differs")
    in_shards(2, "-r", "r.mkv", "-d", "a.mkv", "-m", "psnr")
    check(report("merged.json")["frames"] == report("one.json")["frames"], "merged shards differ")
    fovea("score", "r.mkv", "a.mkv", "-m", "psnr", "--start", "0.2", "-o", "later.json")
    check([f["time"] for f in report("later.json")["frames"]] == times[5:], "other times behind a start")


@case
def they_are_left_out_where_nothing_tells():
    write("ref.y4m", clip.y4m(frames=3, hold=3, **SIZE))
    value = score("ref.y4m")
    check(value["inputs"]["distorted"]["bit_rate"] is None and "packet_bytes" not in value["frames"][0],
          f"{value['frames'][0]}")


if __name__ == "__main__":
    run()
