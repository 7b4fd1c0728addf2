"""Checks runs that begin in the middle of a film or score some of its frames: these frames get the scores of a run
over the whole film, even if parts that need no decoding are damaged."""

import json
import os
import subprocess

import clip
from command import INPUT, OK, PARTIAL, case, check, ffmpeg, fovea, read, report, run, write

FRAMES, FIRST = 200, 150
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "3", "-pix_fmt", "yuv420p"]
CODECS = {
    "a.mp4": H264,
    "a.mkv": H264,
    "a.ts": H264,
    "open.mkv": ["-c:v", "libx265", "-preset", "ultrafast",
                 "-x265-params", "keyint=25:open-gop=1:bframes=3:log-level=none", "-pix_fmt", "yuv420p"],
    "whole.mkv": [*H264, "-g", "1000", "-sc_threshold", "0"],
    "p.mov": ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"],
    "u.avi": ["-c:v", "utvideo", "-pix_fmt", "yuv420p"],
}


def video(name, *args):
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25,noise=alls=12:allf=t", "-frames:v", str(FRAMES), *args, name)


def score(dis, *args, status=OK, says=()):
    """Scores a video against the uncompressed source, all of whose frames differ. Returns the report."""
    if not os.path.exists("raw.y4m"):
        video("raw.y4m", "-pix_fmt", "yuv420p")
    fovea("score", "raw.y4m", dis, "-m", "psnr", "-o", "x.json", "-q", "--convert", "all", *args,
          status=status, says=says)
    return report("x.json") if status == OK else None


def values(frames):
    return [frame["metrics"] for frame in frames]


def same(part, whole, step=1, first=FIRST):
    expected = values(whole["frames"])[first::step][:len(part["frames"])]
    check(part["frames"] and values(part["frames"]) == expected, "other scores")


def damage(name, first, end):
    """Overwrites the packets [first, end), in decoding order, with zeros."""
    listed = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size",
                             "-of", "json", name],
                            capture_output=True, check=True)
    data = bytearray(read(name))
    for packet in json.loads(listed.stdout)["packets"][first:end]:
        at, size = int(packet["pos"]), int(packet["size"])
        data[at + 16:at + size] = bytes(max(0, size - 16))
    return write("damaged-" + name, data)


@case
def starts_give_the_frames_of_the_whole():
    for name, args in CODECS.items():
        video(name, *args)
        whole = score(name)
        for more in (["--start", "6", "--threads", "1"],
                     ["--frame-skip-ref", str(FIRST), "--frame-skip-dis", str(FIRST), "--threads", "3"]):
            part = score(name, *more, "--frames", "20")
            check(len(part["frames"]) == 20, f"{name}: {len(part['frames'])} frames")
            same(part, whole)
        same(score(name, "--start", "3", "--every", "40"), whole, 40, 75)
        same(score(name, "--every", "60"), whole, 60, 0)


@case
def what_lies_before_is_not_decoded():
    video("a.mp4", *H264)
    ffmpeg("-i", "a.mp4", "-c", "copy", "a.mkv")
    for name in ("a.mp4", "a.mkv"):
        whole = score(name)
        broken = damage(name, 3, 90)
        for threads in ("1", "3"):
            fovea("score", "raw.y4m", broken, "-m", "psnr", "-q", "--threads", threads, status=PARTIAL)
            same(score(broken, "--start", "6", "--frames", "20", "--threads", threads), whole)
        fovea("score", "raw.y4m", broken, name, "-m", "psnr", "--start", "6", "--frames", "20", "-o", "all/", "-q")
        same(report(f"all/{broken}.json"), whole)


@case
def frames_between_are_not_decoded():
    for name in ("a.mp4", "open.mkv"):
        video(name, *CODECS[name])
        whole = score(name)
        broken = damage(name, 106, 120) # the damage follows the frames of the sync check, all of which are decoded
        fovea("score", "raw.y4m", broken, "-m", "psnr", "-q", status=PARTIAL)
        same(score(broken, "--every", "150"), whole, 150, 0)


@case
def ladders_begin_together():
    for name in ("a.mp4", "a.mkv"):
        video(name, *CODECS[name])
    whole = score("a.mkv")
    fovea("score", "raw.y4m", "a.mkv", "a.mp4", "-m", "psnr", "--start", "6", "--frames", "20", "-o", "all/", "-q")
    same(report("all/a.mkv.json"), whole)


@case
def what_cannot_be_entered_says_why():
    write("long.y4m", clip.y4m(frames=140))
    for name, args, why in (("whole.mkv", [], "decoding can begin at its first frame only"),
                            ("-", [], "it is a pipe")):
        if name != "-":
            video(name, *CODECS[name])
        fovea("score", "long.y4m" if name == "-" else name, name, "-m", "psnr", "--frame-skip-ref", "120",
              "--frame-skip-dis", "120", "-o", "x.json", "-q", "--frames", "5", *args,
              stdin=read("long.y4m") if name == "-" else None)
        told = [text for text in report("x.json")["decisions"] if why in text]
        check(told and "the 120 frames before the start were decoded" in told[0],
              f"{name}: {report('x.json')['decisions']}")


@case
def starts_behind_the_end_are_refused():
    for name in ("a.mp4", "a.mkv", "a.ts"):
        video(name, *CODECS[name])
        score(name, "--start", "8", status=INPUT, says="skip")


run()
