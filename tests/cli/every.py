"""Checks that --every N gives each frame that it scores the same scores as a run over all frames, whichever decoder
reads the videos."""

import os

import clip
from command import PARTIAL, case, check, ffmpeg, fovea, in_shards, read, report, run, write

METRICS = "psnr,float_ssim,vmaf=version=vmaf_v0.6.1,motion,speed_temporal,xpsnr,cvvdp,vdm"
FRAMES = 150

CODECS = {
    "raw.y4m": ["-pix_fmt", "yuv420p"],
    "inter.mp4": ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-pix_fmt", "yuv420p"],
    "hevc.mkv": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "bframes=3:log-level=none",
                 "-pix_fmt", "yuv420p"],
    "mjpeg.avi": ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "9"],
    "prores.mov": ["-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"],
    "png%03d.png": ["-pix_fmt", "rgb24"],
    "utvideo.avi": ["-c:v", "utvideo", "-pix_fmt", "yuv420p"],
    "ffv1.mkv": ["-c:v", "ffv1", "-pix_fmt", "yuv420p"],
}


def video(name, *args, frames=FRAMES):
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=128x96:r=25,noise=alls=12:allf=t", "-frames:v", str(frames), *args, name)


def score(ref, dis, *args, **more):
    out = fovea("score", ref, dis, "-o", "x.json", "-q", "--convert", "all", *args, **more)
    return out if more.get("status") else report("x.json")


def warnings(value):
    return [text for text in value["decisions"] if text.startswith("warning: ")]


@case
def frames_keep_their_scores():
    for name, args in CODECS.items():
        video(name, *args)
    for name in CODECS:
        ref = "raw.y4m" if name not in ("mjpeg.avi", "png%03d.png") else name
        for metrics in ("psnr", METRICS.replace(",cvvdp,vdm", ""),
                        METRICS) if name in ("inter.mp4", "prores.mov") else ("psnr,vmaf=version=vmaf_v0.6.1",):
            whole = score(ref, name, "-m", metrics, "--threads", "1")
            for every, threads in ((12, "1"), (25, "4"), (2, "2")):
                part = score(ref, name, "-m", metrics, "--every", str(every), "--threads", threads)
                check(part["frames"] == whole["frames"][::every], f"{name}, {metrics}: other scores of each {every}")
                check(warnings(part) == warnings(whole), f"{name}: {warnings(part)}")


@case
def parts_of_videos():
    for name in ("inter.mp4", "prores.mov"):
        video(name, *CODECS[name])
        more = ["-m", "psnr,vmaf=version=vmaf_v0.6.1", "--frame-skip-ref", "3", "--frame-skip-dis", "3",
                "--start", "0.4", "--frames", "120"]
        whole = score(name, name, *more)
        part = score(name, name, *more, "--every", "30")
        check(part["frames"] == whole["frames"][::30] and len(part["frames"]) == 4, f"{name}: other scores")
        in_shards(3, "-r", name, "-d", name, "-m", "psnr,vmaf=version=vmaf_v0.6.1", "--every", "30")
        once = score(name, name, "-m", "psnr,vmaf=version=vmaf_v0.6.1", "--every", "30")
        check(report("merged.json")["frames"] == once["frames"], f"{name}: shards differ")
        check(warnings(report("merged.json")) == warnings(once), f"{name}: shards warn")


@case
def ladders_and_fields():
    video("raw.y4m", *CODECS["raw.y4m"])
    video("inter.mp4", *CODECS["inter.mp4"])
    video("hevc.mkv", *CODECS["hevc.mkv"])
    fovea("score", "raw.y4m", "inter.mp4", "hevc.mkv", "-m", "psnr,vmaf=version=vmaf_v0.6.1", "--every", "20",
          "-o", "all/", "-q")
    for name in ("inter.mp4", "hevc.mkv"):
        whole = score("raw.y4m", name, "-m", "psnr,vmaf=version=vmaf_v0.6.1")
        check(report(f"all/{name}.json")["frames"] == whole["frames"][::20], f"{name}: other scores in a ladder")
    order = ["--fields", "--fields-ref", "top", "--fields-dis", "top"]
    whole = score("raw.y4m", "inter.mp4", "-m", "psnr,vmaf=version=vmaf_v0.6.1", *order)
    check(score("raw.y4m", "inter.mp4", "-m", "psnr,vmaf=version=vmaf_v0.6.1", "--every", "20", *order)["frames"] ==
          whole["frames"][::20], "fields")


def moving(name, first, frames, still=()):
    """Writes a moving pattern that begins at number `first`; each frame listed in `still` repeats its predecessor."""
    data, shown = clip.header(128, 96, "420", 8), 0
    for i in range(frames):
        shown = shown if i in still else i + first
        luma = bytes((x * 7 + y * 5 + (x * y) // 9 + shown * 11) % 200 + 20 for y in range(96) for x in range(128))
        data += b"FRAME\n" + luma + bytes([128]) * (64 * 48 * 2)
    return write(name, data) and name


@case
def what_is_watched():
    """The sync check reads the first 96 pairs even with --every. It reports nothing about pairs that are not read."""
    moving("ref.y4m", 0, 140)
    late = warnings(score("ref.y4m", moving("late.y4m", 2, 140), "-m", "psnr"))
    check(len(late) == 1 and "shifted by 2" in late[0], f"{late}")
    for every in (2, 9, 40):
        check(warnings(score("ref.y4m", "late.y4m", "-m", "psnr", "--every", str(every))) == late, f"each {every}")
    moving("still.y4m", 0, 140, still=range(100, 130))
    check(any("stands still" in text for text in warnings(score("ref.y4m", "still.y4m", "-m", "psnr"))), "it moves")
    check(any("stands still" in text
              for text in warnings(score("ref.y4m", "still.y4m", "-m", "vmaf=version=vmaf_v0.6.1", "--every", "2"))),
          "unseen")
    check(not warnings(score("ref.y4m", "still.y4m", "-m", "psnr", "--every", "9")), "a guess")
    moving("early.y4m", 0, 140, still=range(40, 70))
    for every in ("1", "9"):
        check(any("frames 40 to 69" in text
                  for text in warnings(score("ref.y4m", "early.y4m", "-m", "psnr", "--every", every))), every)
    check(not warnings(score("ref.y4m", "ref.y4m", "-m", "psnr", "--every", "7")), "equal videos")
    value = fovea("score", "ref.y4m", "ref.y4m", "-m", "psnr", "--every", "7")[0]
    check("every sample" not in value, f"samples that were not read are called equal: {value}")


@case
def of_several_encodes():
    """With several encodes, too, frames of the reference that no encode needs are not decoded, so damage in them is
    not seen."""
    for name in ("inter.mp4", "hevc.mkv", "prores.mov"):
        video(name, *CODECS[name])
    for quality in ("3", "9"):
        video(f"e{quality}.mkv", "-c:v", "mpeg2video", "-pix_fmt", "yuv420p", "-q:v", quality)
    data = bytearray(read("prores.mov"))
    frames = [i for i in range(4, len(data) - 4) if data[i:i + 4] == b"icpf"]
    check(len(frames) == FRAMES, f"{len(frames)} frames")
    middle = (frames[130] + frames[131]) // 2
    data[middle:middle + 400] = bytes(400)
    write("damaged.mov", data)
    common = ["-m", "psnr,vmaf=version=vmaf_v0.6.1", "--convert", "all", "-q"]
    for name, every in (("inter.mp4", "12"), ("hevc.mkv", "25"), ("prores.mov", "7"), ("damaged.mov", "25")):
        for threads in ("1", "4"):
            fovea("score", name, "e3.mkv", "e9.mkv", "--every", every, "--threads", threads, "-o", "each/", *common)
            for e in ("e3.mkv", "e9.mkv"):
                fovea("score", name, e, "--every", every, "-o", "one.json", *common)
                check(read("one.json") == read(f"each/{e}.json"),
                      f"{name} and {e}: another report, with {threads} threads")
    fovea("score", "damaged.mov", "e3.mkv", "e9.mkv", "--every", "26", *common, status=PARTIAL, says="130")


@case
def ends():
    """A shorter or truncated video is refused with the number of the frame where it ends, as without --every."""
    video("prores.mov", *CODECS["prores.mov"], frames=40)
    video("inter.mkv", *CODECS["inter.mp4"], frames=40)
    moving("long.y4m", 0, 120)
    moving("short.y4m", 0, 119)
    for every in ("1", "7"):
        out = score("long.y4m", "short.y4m", "-m", "psnr", "--every", every, status=3)
        check("120" in out[1] and "119" in out[1], out[1])
        check(score("long.y4m", "short.y4m", "-m", "psnr", "--every", every, "--shortest")["frames"][-1]["frame"] >=
              112, every)
    with open("long.y4m", "rb") as file:
        write("cut.y4m", file.read(os.path.getsize("long.y4m") - 100))
    _, whole = fovea("score", "long.y4m", "cut.y4m", "-m", "psnr", status=5)
    _, part = fovea("score", "long.y4m", "cut.y4m", "-m", "psnr", "--every", "118", status=5)
    check("frame 119" in whole and "frame 119" in part, part)


run()
