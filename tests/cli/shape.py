"""Tests videos that players display in another shape, rotated, or in fields: fovea refuses them and names options,
each of which is tried."""

import math
import struct

import clip
from command import (INPUT, USAGE, Skipped, case, check, ffmpeg, fovea, in_shards, read, report, run, usable_gpus,
                     write)


def psnr(ref, dis, *args, **more):
    out = fovea("score", "-r", ref, "-d", dis, "-m", "psnr", "-o", "x.json", "--progress", "none", *args, **more)
    return out if more.get("status") else report("x.json")


def least(value):
    return min(value["pooled"][f"psnr_{plane}"]["min"] for plane in ("y", "cb", "cr"))


def y4m(name, width, height, aspect="1:1", fields="p", seed=1, frames=2, chroma="420"):
    data = clip.y4m(frames=frames, width=width, height=height, seed=seed, chroma=chroma)
    return write(name, data.replace(b" Ip A1:1 ", f" I{fields} A{aspect} ".encode(), 1)) and name


def told(value, words):
    check(any(words in text for text in value["decisions"]), f"no '{words}' in {value['decisions']}")


@case
def shapes_that_differ_are_refused():
    """Shapes are compared to one sample of the smaller picture, so sizes that an encoder rounds pass."""
    for ref, dis, fits in (((192, 108), (96, 54), True), ((192, 108), (86, 48), True), ((192, 108), (85, 48), True),
                           ((192, 108), (84, 48), True), ((192, 108), (83, 48), False), ((192, 108), (96, 40), False),
                           ((192, 80), (96, 40), True), ((192, 80), (192, 108), False),
                           ((192, 108), (108, 192), False), ((854, 48), (427, 24), True), ((64, 48), (80, 60), True),
                           ((64, 48), (80, 50), False)):
        y4m("a.y4m", *ref)
        y4m("b.y4m", *dis)
        for scale in ("dis", "ref", "96x64", "display"):
            if fits:
                psnr("a.y4m", "b.y4m", "--scale", scale)
                continue
            _, said = psnr("a.y4m", "b.y4m", "--scale", scale, status=INPUT, says="players show different shapes")
            for option in ("--crop-ref auto", "--crop-dis auto", "--pad", "--stretch"):
                check(option in said, f"{said} does not name {option}")
            told(psnr("a.y4m", "b.y4m", "--scale", scale, "--stretch"), "shapes differ")
            told(psnr("a.y4m", "b.y4m", "--scale", scale, "--pad"), "black bars")
        if not fits:
            psnr("a.y4m", "b.y4m", status=INPUT, says="--scale dis with --stretch")
        elif ref != dis:
            psnr("a.y4m", "b.y4m", status=INPUT, says="--scale dis brings")


@case
def aspects_of_samples_count():
    for ref, dis, fits in (((72, 58, "64:45"), (103, 58, "1:1"), True), ((72, 58, "64:45"), (72, 40, "1:1"), True),
                           ((72, 58, "64:45"), (36, 29, "64:45"), True), ((72, 58, "64:45"), (36, 29, "1:1"), False),
                           ((72, 58, "64:45"), (36, 29, "16:15"), False), ((72, 58, "16:15"), (36, 29, "0:0"), True),
                           ((72, 58, "16:15"), (77, 58, "0:0"), True), ((72, 58, "16:15"), (103, 58, "0:0"), False)):
        y4m("a.y4m", *ref)
        y4m("b.y4m", *dis)
        if fits:
            psnr("a.y4m", "b.y4m", "--scale", "dis")
        else:
            psnr("a.y4m", "b.y4m", "--scale", "dis", status=INPUT, says=f"samples of {ref[2]}")
    y4m("a.y4m", 72, 58, "16:15")
    y4m("b.y4m", 72, 58, "64:45")
    psnr("a.y4m", "b.y4m", status=INPUT, says="--stretch compares the samples anyway")
    check(least(psnr("a.y4m", "b.y4m", "--stretch")) == 60, "not the same samples")
    y4m("b.y4m", 72, 58, "0:0")
    psnr("a.y4m", "b.y4m")


@case
def pad_and_stretch_need_something_to_do():
    psnr("ref.y4m", "dis.y4m", "--pad", status=USAGE, says="it needs --scale")
    psnr("ref.y4m", "dis.y4m", "--pad", "--stretch", "--scale", "dis", status=USAGE, says="exclude each other")
    check(psnr("ref.y4m", "dis.y4m", "--pad", "--scale", "dis")["frames"] == psnr("ref.y4m", "dis.y4m")["frames"],
          "equal shapes got bars")


@case
def fields_that_differ_are_refused():
    y4m("t.y4m", 48, 32, fields="t")
    y4m("b.y4m", 48, 32, fields="b")
    y4m("p.y4m", 48, 32, fields="p")
    y4m("u.y4m", 48, 32, fields="?")
    for ref, dis in (("t", "b"), ("b", "p"), ("p", "t")):
        psnr(ref + ".y4m", dis + ".y4m", status=INPUT, says="--ignore-fields")
        told(psnr(ref + ".y4m", dis + ".y4m", "--ignore-fields"), "field orders differ")
    for ref, dis in (("t", "u"), ("u", "p"), ("t", "t")):
        check(not any("field" in text for text in psnr(ref + ".y4m", dis + ".y4m")["decisions"]), f"{ref} {dis}")


def turned(planes, degrees):
    """Returns planes, as lists of rows, turned clockwise by a multiple of 90 degrees."""
    for _ in range(degrees // 90):
        planes = [[list(column) for column in zip(*rows[::-1])] for rows in planes]
    return planes


def picture(name, planes, depth=8):
    """Writes one frame of 4:2:0 or 4:4:4."""
    height, width = len(planes[0]), len(planes[0][0])
    chroma = "444" if len(planes[1]) == height else "420"
    data = b"".join(v.to_bytes(1 if depth == 8 else 2, "little") for rows in planes for row in rows for v in row)
    return write(name, clip.header(width, height, chroma, depth) + b"FRAME\n" + data) and name


@case
def rotation_is_exact():
    """The sizes have a chroma format before and after the turn, 8 or more bits, and several blocks."""
    for width, height, chroma, depth in ((50, 36, 420, 8), (33, 46, 444, 10), (50, 36, 420, 12), (34, 18, 420, 16)):
        sizes = [(width, height)] + 2 * [(width // 2, height // 2) if chroma == 420 else (width, height)]
        flat = [clip.samples(w, h, depth, 3 + i) for i, (w, h) in enumerate(sizes)]
        planes = [[v[y * w:(y + 1) * w] for y in range(h)] for v, (w, h) in zip(flat, sizes)]
        picture("a.y4m", planes, depth)
        for degrees in (0, 90, 180, 270):
            picture("b.y4m", turned(planes, degrees), depth)
            value = psnr("a.y4m", "b.y4m", "--rotate-ref", str(degrees))
            same = max(frame["metrics"]["psnr_y"] for frame in psnr("b.y4m", "b.y4m")["frames"])
            check(least(value) >= 60 and value["frames"][0]["metrics"]["psnr_y"] == same,
                  f"{width}x{height}, {degrees}")
            if degrees:
                told(value, f"reference was turned by {degrees} degrees clockwise")
                check(least(psnr("b.y4m", "a.y4m", "--rotate-ref", str(360 - degrees))) >= 60, "not turned back")
            check(least(psnr("a.y4m", "a.y4m", "--rotate", str(degrees))) >= 60, "not both")


@case
def what_cannot_be_turned_is_said():
    y4m("a.y4m", 48, 32, chroma="422")
    y4m("b.y4m", 32, 48, chroma="422")
    psnr("a.y4m", "b.y4m", "--rotate-ref", "90", status=INPUT, says="4:2:2 of 48x32")
    psnr("a.y4m", "a.y4m", "--rotate", "180")
    y4m("a.y4m", 47, 32)
    psnr("a.y4m", "a.y4m", "--rotate", "180", status=INPUT, says="turn the other video the other way")
    psnr("a.y4m", "a.y4m", "--rotate", "90")
    psnr("a.y4m", "a.y4m", "--rotate", "45", status=USAGE, says="--rotate")


LOSSLESS = ("-c:v", "ffv1", "-pix_fmt", "yuv420p")


def source(name, size, *args, frames=10):
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r=25", "-frames:v", str(frames), *args, *LOSSLESS, name)


@case
def bars_are_cut_off_or_added():
    """The reference is letterboxed, and its encode shows the picture alone."""
    source("whole.mkv", "128x72")
    ffmpeg("-i", "whole.mkv", "-vf", "crop=128:54", *LOSSLESS, "inside.mkv")
    ffmpeg("-i", "inside.mkv", "-vf", "pad=128:72:0:8", *LOSSLESS, "bars.mkv")
    ffmpeg("-i", "inside.mkv", "-vf", "pad=160:54:16:0", *LOSSLESS, "pillars.mkv")
    for bars in ("bars.mkv", "pillars.mkv"):
        psnr(bars, "inside.mkv", "--scale", "dis", status=INPUT, says="--pad")
        check(least(psnr(bars, "inside.mkv", "--scale", "dis", "--pad")) == 60,
              f"{bars}: not the bars of the reference")
        check(least(psnr(bars, "inside.mkv", "--scale", "dis", "--crop-ref", "auto")) == 60, f"{bars}: bars stay")
        check(least(psnr("inside.mkv", bars, "--scale", "ref", "--pad")) == 60, f"{bars}: not those of the distorted")
        check(least(psnr("inside.mkv", bars, "--crop-dis", "auto")) == 60, f"{bars}: its bars stay")
        check(least(psnr(bars, "inside.mkv", "--scale", "dis", "--stretch")) < 30, "stretched like the picture")
    value = psnr("bars.mkv", "inside.mkv", "--scale", "dis", "--pad")
    told(value, "8 rows at the top, 10 at the bottom, 0 columns at the left and 0 at the right")
    full = ("--range-ref", "full", "--range-dis", "full")
    check(least(psnr("bars.mkv", "inside.mkv", "--scale", "dis", "--pad", *full)) < 40, "black of full range is 16")
    for device in usable_gpus():
        other = psnr("bars.mkv", "inside.mkv", "--scale", "dis", "--pad", "--device", device)
        check(other["frames"] == value["frames"], f"{device}: other scores")
    for threads in ("2", "4"):
        check(psnr("bars.mkv", "inside.mkv", "--scale", "100x64", "--pad", "--threads", threads)["frames"] ==
              psnr("bars.mkv", "inside.mkv", "--scale", "100x64", "--pad", "--threads", "1")["frames"],
              f"{threads} threads")


@case
def bars_around_deep_and_odd_pictures():
    for chroma, depth in (("420", 10), ("422", 8), ("444", 12), ("400", 8)):
        write("a.y4m", clip.y4m(width=61, height=43, chroma=chroma, depth=depth))
        write("b.y4m", clip.y4m(width=90, height=31, chroma=chroma, depth=depth))
        for scale in ("dis", "ref", "77x55"):
            value = psnr("a.y4m", "b.y4m", "--scale", scale, "--pad")
            check(not math.isnan(value["frames"][0]["metrics"]["psnr_y"]), f"{chroma} {scale}")


@case
def a_phone_held_upright():
    """The phone's file states that it is turned. An encoder turns the picture, or loses the tag."""
    source("upright.mkv", "64x96")
    ffmpeg("-i", "upright.mkv", "-vf", "transpose=2", "-c:v", "libx264", "-qp", "0", "lying.mp4")
    ffmpeg("-i", "lying.mp4", "-c", "copy", "-metadata:s:v", "rotate=-90", "phone.mp4")
    ffmpeg("-i", "phone.mp4", *LOSSLESS, "encode.mkv")
    psnr("phone.mp4", "encode.mkv", status=INPUT, says="--rotate auto turns both as players do")
    for args in (("--rotate", "auto"), ("--rotate-ref", "auto")):
        value = psnr("phone.mp4", "encode.mkv", *args)
        check(least(value) == 60, f"{args}: {least(value)}")
    told(value, "turned by")
    psnr("phone.mp4", "lying.mp4", status=INPUT, says="--rotate 0 compares them as they are stored")
    check(least(psnr("phone.mp4", "lying.mp4", "--rotate", "0")) == 60, "not as stored")
    psnr("phone.mp4", "phone.mp4")
    # Alignment, crops and shards work on turned pictures, too.
    check(least(psnr("phone.mp4", "encode.mkv", "--rotate", "auto", "--align", "auto")) == 60, "not aligned")
    check(least(psnr("phone.mp4", "encode.mkv", "--rotate", "auto", "--crop-ref", "32:40:16:20", "--crop-dis",
                     "32:40:16:20")) == 60, "another crop")
    value = psnr("phone.mp4", "encode.mkv", "--rotate", "auto")
    in_shards(2, "-r", "phone.mp4", "-d", "encode.mkv", "-m", "psnr", "--rotate", "auto")
    check(report("merged.json")["frames"] == value["frames"], "shards turn otherwise")
    fovea("map", "-r", "phone.mp4", "-d", "encode.mkv", "-m", "butteraugli", "--rotate", "auto",
          "--frame", "0", "-o", "m", "--format", "pfm")
    for device in usable_gpus():
        other = psnr("phone.mp4", "encode.mkv", "--rotate", "auto", "--device", device)
        check(other["frames"] == value["frames"], f"{device}: other scores")


@case
def upside_down_is_told():
    source("a.mkv", "96x64", frames=3)
    ffmpeg("-i", "a.mkv", "-c:v", "libx264", "-qp", "0", "a.mp4")
    ffmpeg("-i", "a.mp4", "-c", "copy", "-metadata:s:v", "rotate=180", "turned.mp4")
    told(psnr("turned.mp4", "a.mp4"), "`rotate=auto` turns both")
    check(least(psnr("turned.mp4", "a.mp4", "--rotate-ref", "0")) == 60, "turned")
    check(least(psnr("turned.mp4", "a.mp4", "--rotate", "auto")) < 30, "not turned")


def displayed(name, made, a, b, c, d):
    """Writes a copy of the file with this display matrix."""
    data = bytearray(read(name))
    at = data.index(b"tkhd") + 44
    data[at:at + 20] = struct.pack(">5i", a << 16, b << 16, 0, c << 16, d << 16)
    return write(made, bytes(data))


@case
def mirrored_pictures_are_not_taken_for_turned_ones():
    """The display matrix of one video mirrors the picture, which the other video does not state."""
    source("a.mkv", "96x64", frames=3)
    ffmpeg("-i", "a.mkv", "-c:v", "libx264", "-qp", "0", "a.mp4")
    for matrix, words in (((-1, 0, 0, 1), "by 0 degrees and mirror it"),
                          ((1, 0, 0, -1), "by 180 degrees and mirror it")):
        displayed("a.mp4", "m.mp4", *matrix)
        told(psnr("m.mp4", "a.mp4"), f"players turn the reference {words} and the distorted video by 0")
        told(psnr("a.mp4", "m.mp4"),
             f"the reference by 0 degrees and the distorted video {words.replace(' degrees', '')}")
        psnr("m.mp4", "a.mp4", "--rotate", "auto", status=INPUT, says=("m.mp4: players mirror it", "--rotate 0"))
        check(not any("players" in text for text in psnr("m.mp4", "m.mp4")["decisions"]), "equal ones are told")
        for args in (("--rotate", "0"), ("--rotate-ref", "0")):
            check(not any("players" in text for text in psnr("m.mp4", "a.mp4", *args)["decisions"]),
                  f"{matrix} {args} is told")
    displayed("a.mp4", "m.mp4", 0, 1, 1, 0)
    psnr("m.mp4", "a.mp4", status=INPUT, says="--rotate 0 compares them as they are stored")
    psnr("m.mp4", "a.mp4", "--rotate", "0")
    ffmpeg("-i", "a.mp4", "-vf", "transpose=0", "-c:v", "libx264", "-qp", "0", "b.mp4")
    psnr("m.mp4", "b.mp4", status=INPUT, says="write one of them anew")


ENCODERS = tuple(("libx264", ("-preset", preset)) for preset in ("ultrafast", "medium")) + tuple(
    ("libx265", ("-preset", preset, "-x265-params", "log-level=none")) for preset in ("ultrafast", "medium")) + tuple(
    ("libsvtav1", ("-preset", preset)) for preset in ("12", "8")) + tuple(
    ("libvpx-vp9", ("-deadline", "realtime", "-cpu-used", speed)) for speed in ("8", "5")) + (
    ("mpeg2video", ("-q:v", "3")), ("mpeg2video", ("-q:v", "8", "-bf", "2")), ("prores_ks", ()))


@case
def encodes_of_their_sources_pass():
    """Encodes at full size and at the sizes of a ladder cause no refusal and no warning."""
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "8", "-pix_fmt", "yuv420p", "source.y4m")
    ffmpeg("-i", "source.y4m", "-c:v", "ffv1", "-color_range", "tv", "-colorspace", "bt709", "-color_trc", "bt709",
           "-color_primaries", "bt709", "source.mkv")
    made = 0
    for encoder, options in ENCODERS:
        for size, ending in (("320x180", "mp4"), ("214x120", "mkv"), ("142x80", "mkv")):
            if encoder == "prores_ks" and size != "320x180":
                continue
            pixels = "yuv422p10le" if encoder == "prores_ks" else "yuv420p"
            name = "e." + ("mov" if encoder == "prores_ks" else ending)
            try:
                ffmpeg("-i", "source.mkv", "-vf", f"scale={size}", "-c:v", encoder, *options,
                       "-pix_fmt", pixels, name)
            except Skipped:
                continue
            more = ["--convert", "chroma"] if encoder == "prores_ks" else []
            more += ["--scale", "dis"] if size != "320x180" else []
            for reference in ("source.y4m", "source.mkv"):
                _, said = fovea("score", "-r", reference, "-d", name, "-m", "psnr,ssimulacra2", "-q", "-o", "x.json",
                                *more)
                check("warning" not in said, f"{encoder} {options} {size}: {said}")
                made += 1
    if not made:
        raise Skipped("this ffmpeg has none of the encoders")


run()
