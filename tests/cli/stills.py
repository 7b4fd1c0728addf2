"""Tests pictures: RGB that stays RGB, profiles, alpha, folders that pair by name, and displays from a file."""

import json
import os
import random
import re
import shutil
import struct
import subprocess
import zlib

from command import (FOVEA, INPUT, OK, ROOT, SANITIZED, USAGE, Skipped, case, check, ffmpeg, fovea, in_shards, read,
                     report, run, write)
from png import chunk, png_of
from server import Server

W, H = 40, 24
RGB_METRICS = ("ssimulacra2", "butteraugli", "delta_e_itp", "pu_psnr", "cvvdp")


def png(name, pixels, *, depth=8, kind=2, profile=None, more=b"", width=W):
    """Writes a PNG whose pixels, in rows, are tuples of samples."""
    code = ">" + ("H" if depth > 8 else "B") * len(pixels[0])
    rows = [b"".join(struct.pack(code, *p) for p in pixels[at:at + width]) for at in range(0, len(pixels), width)]
    named = b"" if profile is None else chunk(b"iCCP", b"p\0\0" + zlib.compress(profile))
    return write(name, png_of(width, rows, depth, kind, named + more))


def y4m(name, pixels, depth=8, full=True):
    planes = b"".join(v.to_bytes(1 + (depth > 8), "little") for plane in zip(*pixels) for v in plane)
    head = (f"YUV4MPEG2 W{W} H{H} F1:1 C444{'p%d' % depth if depth > 8 else ''} "
            f"XCOLORRANGE={'FULL' if full else 'LIMITED'}\nFRAME\n")
    return write(name, head.encode() + planes)


def noise(seed, depth=8, count=3, width=W, height=H):
    dice = random.Random(seed)
    peak = (1 << depth) - 1
    return [tuple(min(peak, max(0, (x * peak // width + 9 * y + dice.randrange(peak // 3)) * (c + 2) // 4))
                  for c in range(count))
            for y in range(height) for x in range(width)]


def pooled(ref, dis, metrics, *args):
    fovea("score", ref, dis, "-m", ",".join(metrics), "--device", "cpu", "-q", "-o", "x.json", *args)
    value = report("x.json")
    return {name: pools["mean"] if isinstance(pools, dict) else pools for name,
            pools in value["pooled"].items()}, value


def planes_of_rgb(metric):
    return metric + "=matrix=rgb:range=full" + ("" if metric == "cvvdp" else ":transfer=srgb")


def values(scores):
    return sorted(scores.values())


@case
def rgb_stays_rgb():
    for depth in (8, 16):
        a, b = noise(1, depth), noise(2, depth)
        png("a.png", a, depth=depth)
        png("b.png", b, depth=depth)
        y4m("a.y4m", a, depth)
        y4m("b.y4m", b, depth)
        got, value = pooled("a.png", "b.png", RGB_METRICS)
        want, _ = pooled("a.y4m", "b.y4m", [planes_of_rgb(m) for m in RGB_METRICS])
        check(values(got) == values(want), f"{depth} bits: {got}, not {want}")
        check(any("sRGB" in text for text in value["decisions"]), f"{value['decisions']}")
        check(not any("Y'CbCr" in text for text in value["decisions"]), f"{value['decisions']}")
    converted, value = pooled("a.png", "b.png", RGB_METRICS, "--convert", "all")
    check(values(converted) != values(got), "--convert converts nothing")


LARGE = {"width": 224, "height": 178}


def large(*names):
    """Writes pictures that are large enough for every metric."""
    for seed, name in enumerate(names, 1):
        png(name + ".png", noise(seed, **LARGE), width=LARGE["width"])


def all_metrics():
    return [metric["name"] for metric in json.loads(fovea("metrics", "--json")[0])]


def same_as_alone(ref, dis, *args, metrics=None):
    """Checks that every metric in one run equals the metric alone, to the bit, and in what the report says about its
    scores."""
    names, alone = metrics or all_metrics(), {}
    for name in names:
        fovea("score", ref, dis, "-m", name, "-q", "-o", "alone.json", *args)
        one = report("alone.json")
        alone.update(one["pooled"])
        alone.update({("frame", key): value for frame in one["frames"] for key, value in frame["metrics"].items()})
    fovea("score", ref, dis, "-m", ",".join(names), "-q", "-o", "mixed.json", *args)
    value = report("mixed.json")
    mixed = dict(value["pooled"]) | {("frame", key): v for frame in value["frames"] for key,
                                     v in frame["metrics"].items()}
    # A metric that runs alone and measures one video does not read the reference.
    mixed = {key: v for key, v in mixed.items() if key in alone or
             not (key if isinstance(key, str) else key[1]).endswith("_ref")}
    check(mixed == alone, f"{ref} {dis} {args}: {sorted(str(k) for k in alone if mixed.get(k) != alone[k])} differ")
    return value


@case
def each_metric_gets_what_it_takes():
    large("a", "b")
    png("deep.png", noise(3, 16, **LARGE), depth=16, width=LARGE["width"])
    y4m("c.y4m", noise(4))
    # Each metric takes the kind of pixels that one of these takes, and sanitizers make the others slow.
    some = (*RGB_METRICS, "psnr", "vmaf", "cambi", "vdm") if SANITIZED else None
    value = same_as_alone("a.png", "b.png", metrics=some)
    said = [text for text in value["decisions"] if text.startswith("RGB is kept")]
    check(len(said) == 1 and "ssimulacra2" in said[0].split("Y'CbCr")[0] and "psnr" in said[0].split("Y'CbCr")[1],
          f"{value['decisions']}")
    same_as_alone("a.png", "deep.png", metrics=["ssimulacra2", "psnr", "butteraugli", "vmaf", "cvvdp", "cambi"])


@case
def each_way_of_scoring_gives_each_metric_what_it_takes():
    large("a", "b", "c")
    mixed = ("-m", "ssimulacra2,psnr,butteraugli,xpsnr")
    fovea("score", "a.png", "b.png", *mixed, "-q", "-o", "x.json")
    want = report("x.json")["pooled"]
    fovea("score", "-r", "a.png", "-d", "b.png", "-d", "c.png", *mixed, "-q", "-o", "ladder.json")
    check(want.items() <= json.loads(read("ladder.json"))["encodes"][0]["scores"].items(), "several encodes")
    out = fovea("score", "--batch", "-", *mixed, stdin=b'["a.png", "b.png"]')[0]
    check(want.items() <= json.loads(out)["scores"].items(), f"a batch: {out}")
    in_shards(1, "a.png", "b.png", *mixed, device="auto")
    check(read("merged.json") == read("x.json"), "shards")
    for metric in ("butteraugli", "xpsnr"):
        fovea("map", "a.png", "b.png", "-m", metric, "--frame", "0", "--format", "pfm", "-o", metric)
    fovea("map", "a.png", "b.png", "-m", "butteraugli,xpsnr", "--frame", "0", "--format", "pfm", "-o", "both")
    for name in os.listdir("both/frame_0"):
        own = [f"{metric}/frame_0/{name}" for metric in ("butteraugli", "xpsnr")
               if os.path.exists(f"{metric}/frame_0/{name}")]
        check(name.startswith("overlay") or any(read(file) == read("both/frame_0/" + name) for file in own),
              f"the map {name}")
    fovea("score", "a.png", "b.png", "-q", "-o", "usual.json")
    names = {metric["name"] for metric in report("usual.json")["metrics"]}
    check({"vmaf", "psnr", "psnr_hvs", "ssimulacra2", "butteraugli", "cvvdp", "delta_e_itp", "pu_psnr", "pu_ssim"} ==
          names, f"{names}")
    check(all(report("usual.json")["pooled"][name] == want[name]
              for name in ("ssimulacra2", "psnr_y", "butteraugli")), "the usual metrics")
    png("s.png", noise(1, width=10, height=6), width=10)
    _, err = fovea("score", "s.png", "s.png", "-q", "-o", "small.json")
    names = [metric["name"] for metric in report("small.json")["metrics"]]
    check("vmaf is left out" in err and "psnr" in names and "butteraugli" in names, f"{names}: {err}")


@case
def the_viewer_gives_each_metric_what_it_takes():
    large("a", "b")
    metrics = ("ssimulacra2", "psnr", "butteraugli", "vdm")
    shown = ("map?frame=0&metric=butteraugli&map=distance", "map?frame=0&metric=vdm&map=jnd")
    with Server("a.png", "b.png", "-m", ",".join(metrics)) as server:
        answer, drawn = server.scores(), server.get("frame?frame=0&side=1")
        maps = [server.get(what) for what in (*shown, *shown)]
    check(maps[:2] == maps[2:], "a map follows the metric that was shown before")
    scores = {output["name"]: value for output, value in zip(answer["outputs"], answer["values"])}
    for metric in metrics:
        with Server("a.png", "b.png", "-m", metric) as server:
            alone, same = server.scores(), server.get("frame?frame=0&side=1")
            check(all(scores[output["name"]] == value for output, value in zip(alone["outputs"], alone["values"])),
                  f"{metric}: {alone}")
            check(same == drawn, f"{metric}: another picture is drawn")
            check([server.get(what) for what in shown] == maps[:2], f"{metric}: other maps")


@case
def each_metric_gets_what_it_takes_on_a_gpu():
    devices = [line.split()[0] for line in fovea("devices")[0].splitlines() if line.startswith(("vulkan:", "cuda:"))]
    if not devices:
        raise Skipped("there is no GPU")
    large("a", "b")
    mixed = ["-m", "ssimulacra2,psnr,xpsnr,butteraugli", "-q"]
    fovea("score", "a.png", "b.png", *mixed, "--device", "cpu", "-o", "cpu.json")
    fovea("score", "a.png", "b.png", *mixed, "--device", devices[0], "-o", "gpu.json")
    on_cpu, on_gpu = report("cpu.json"), report("gpu.json")
    check(all(metric["device"] == devices[0].split(":")[0] for metric in on_gpu["metrics"]), f"{on_gpu['metrics']}")
    check(on_cpu["pooled"] == on_gpu["pooled"] and on_cpu["frames"] == on_gpu["frames"], "the GPU differs")


@case
def ycbcr_becomes_rgb_of_16_bits():
    unit = 1 << 28
    for full, matrix, red, blue in ((False, "smpte170m (by its size)", 0.299, 0.114),
                                    (True, "smpte170m (by its size)", 0.299, 0.114), (False, "bt709", 0.2126, 0.0722),
                                    (True, "bt709", 0.2126, 0.0722)):
        a, b, green = noise(3), noise(4), 1 - red - blue
        middle, low = (32896, 0) if full else (32768, 4096)
        luma, chroma = (1, 1) if full else (65535 / (219 * 256), 65535 / (224 * 256))
        share = [round(x * unit) for x in (luma, 2 * (1 - red) * chroma, 2 * (1 - blue) * chroma,
                 2 * (1 - blue) * blue / green * chroma, 2 * (1 - red) * red / green * chroma)]

        def restored(pixel):
            y, u, v = (s * 257 if full else s * 256 for s in pixel)
            light, u, v = share[0] * (y - low), u - middle, v - middle
            sums = light + share[1] * v, light - share[3] * u - share[4] * v, light + share[2] * u
            return tuple(min(65535, max(0, (s + unit // 2) // unit)) for s in sums)
        png("a.png", a)
        y4m("b.y4m", b, full=full)
        y4m("a16.y4m", [tuple(s * 257 for s in p) for p in a], 16)
        y4m("b16.y4m", [restored(p) for p in b], 16)
        for order in (1, -1):
            named = () if "size" in matrix else ("--matrix-dis" if order == 1 else "--matrix-ref", matrix)
            got, value = pooled(*("a.png", "b.y4m")[::order], RGB_METRICS, *named)
            want, _ = pooled(*("a16.y4m", "b16.y4m")[::order], [planes_of_rgb(m) for m in RGB_METRICS])
            check(values(got) == values(want), f"full {full}: {got}, not {want}")
            check(any("to RGB by the matrix of " + matrix in text for text in value["decisions"]),
                  f"{value['decisions']}")
    gray = [(p[0],) for p in noise(5)]
    png("gray.png", gray, kind=0)
    png("same.png", [p * 3 for p in gray])
    got, _ = pooled("gray.png", "same.png", ("ssimulacra2",))
    check(got["ssimulacra2"] == 100, f"gray is not the same RGB: {got}")


@case
def bars_are_found_by_luma():
    """The picture is green, so bars found by red would cover it all."""
    ffmpeg("-f", "lavfi", "-i", "color=0x00ff00:s=48x32:r=25,pad=48:64:0:16", "-frames:v", "9", "-pix_fmt", "gbrp",
           "-c:v", "ffv1", "a.mkv")
    _, value = pooled("a.mkv", "a.mkv", ("ssimulacra2",), "--crop-ref", "auto", "--crop-dis", "auto")
    check("the reference was cropped to 48x32 at column 0, row 16" in value["decisions"], f"{value['decisions']}")


def fixed(*numbers):
    return b"".join(struct.pack(">i", round(n * 65536)) for n in numbers)


SRGB_CURVE = b"para\0\0\0\0\0\3\0\0" + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
GAMMA = b"curv\0\0\0\0\0\0\0\1\2\x33\0\0"
TABLE = b"curv" + bytes(4) + struct.pack(">I", 1024) + b"".join(
    struct.pack(">H", round(65535 * (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4)))
    for v in (i / 1023 for i in range(1024)))
PRIMARIES = {"bt709": (0.43607, 0.22249, 0.01392, 0.38515, 0.71687, 0.09708, 0.14307, 0.06061, 0.71410),
             "display-p3": (0.51512, 0.24120, -0.00105, 0.29198, 0.69225, 0.04189, 0.15710, 0.06657, 0.78407),
             "bt2020": (0.67348, 0.27903, -0.00194, 0.16566, 0.67534, 0.02998, 0.12505, 0.04561, 0.79686),
             "adobe": (0.60974, 0.31111, 0.01947, 0.20528, 0.62567, 0.06087, 0.14919, 0.06322, 0.74457)}


def profile(columns, curve, space=b"RGB ", more=()):
    tags = [(b"desc", b"desc\0\0\0\0" + struct.pack(">I", 5) + b"Mine\0")]
    tags += [(bytes([97 + "abcdefghijklmnopqrstuvwxyz".index(c)]) + b"XYZ",
              b"XYZ \0\0\0\0" + fixed(*columns[3 * i:3 * i + 3]))
             for i, c in enumerate("rgb")] if columns else []
    tags += [(c + b"TRC", curve) for c in ((b"r", b"g", b"b") if columns else (b"k",))] + list(more)
    head, body, at = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for name, data in tags:
        head += name + struct.pack(">II", at + len(body), len(data))
        body += data
    size = at + len(body)
    return struct.pack(">I", size) + bytes(12) + space + bytes(16) + b"acsp" + bytes(88) + head + body


@case
def profiles_are_told_apart():
    a, b = noise(1), noise(2)
    for name, curve, transfer in (("bt709", SRGB_CURVE, "srgb"), ("bt709", TABLE, "srgb"),
                                  ("display-p3", SRGB_CURVE, "srgb"), ("bt2020", GAMMA, "gamma22")):
        for file, pixels in (("a.png", a), ("b.png", b)):
            png(file, pixels, profile=profile(PRIMARIES[name], curve))
        _, value = pooled("a.png", "b.png", ("cvvdp",))
        tags = value["inputs"]["reference"]
        check((tags["primaries"], tags["transfer"]) == (name, transfer), f"{name}: {tags}")
    png("b.png", b)
    fovea("score", "a.png", "b.png", "-m", "cvvdp", "-q")  # a side that states no colour gets the other side's
    png("b.png", b, profile=profile(PRIMARIES["bt709"], SRGB_CURVE))
    fovea("score", "a.png", "b.png", "-m", "cvvdp", status=INPUT, says=("gamma22", "bt2020", "--ignore-colour"))
    codes = profile(PRIMARIES["adobe"], SRGB_CURVE, more=[(b"cicp", b"cicp\0\0\0\0\x0c\x0d\0\1")])
    png("a.png", a, profile=codes)
    fovea("score", "a.png", "b.png", "-m", "psnr", status=INPUT, says="display-p3")
    png("a.png", a, profile=profile(PRIMARIES["adobe"], GAMMA))
    fovea("score", "a.png", "b.png", "-m", "psnr", status=INPUT,
          says=("a.png: its ICC profile 'Mine' is none of", "--primaries-ref"))
    fovea("score", "a.png", "b.png", "-m", "psnr", "-q", "--primaries-ref", "bt709", "--transfer-ref", "srgb")
    whole = profile(PRIMARIES["bt709"], SRGB_CURVE)
    for wrong in (whole[:200], whole[:131], whole[:16] + b"CMYK" + whole[20:], whole[:36] + b"none" + whole[40:],
                  whole[:128] + b"\xff\xff\xff\xff" + whole[132:], profile(PRIMARIES["bt709"], TABLE[:40]),
                  profile(PRIMARIES["bt709"], b"curv" + bytes(4) + b"\xff" * 8)):
        png("a.png", a, profile=wrong)
        fovea("score", "a.png", "a.png", "-m", "psnr", status=INPUT, says="a.png: its ICC profile")
    gray = [(p[0],) for p in a]
    png("a.png", gray, kind=0, profile=profile(None, SRGB_CURVE, b"GRAY"))
    _, value = pooled("a.png", "a.png", ("psnr",))
    check(value["inputs"]["reference"]["transfer"] == "srgb", f"{value['inputs']}")


def places(*numbers):
    return struct.pack(">%dI" % len(numbers), *(round(n * 100000) for n in numbers))


def chrm(*colours):
    return chunk(b"cHRM", places(0.3127, 0.329, *colours))


CHRM = {"bt709": chrm(0.64, 0.33, 0.3, 0.6, 0.15, 0.06), "bt470bg": chrm(0.64, 0.33, 0.29, 0.6, 0.15, 0.06),
        "bt601": chrm(0.63, 0.34, 0.31, 0.595, 0.155, 0.07), "display-p3": chrm(0.68, 0.32, 0.265, 0.69, 0.15, 0.06),
        "bt2020": chrm(0.708, 0.292, 0.17, 0.797, 0.131, 0.046), "adobe": chrm(0.64, 0.33, 0.21, 0.71, 0.15, 0.06)}


@case
def chunks_of_png_state_the_colour():
    """cICP takes precedence over a profile, a profile over sRGB, and sRGB over gAMA and cHRM. If one side of a pair
    states nothing, it gets the other's colour, except linear light."""
    a, gamma, srgb = noise(1), chunk(b"gAMA", places(1 / 2.2)), chunk(b"sRGB", b"\0")
    codes, video = chunk(b"cICP", bytes((9, 16, 0, 1))), chunk(b"gAMA", places(1 / 1.961))
    png("b.png", a)
    for more, icc, want in ((codes, None, ("bt2020", "pq")), (codes, "adobe", ("bt2020", "pq")),
                            (CHRM["adobe"] + gamma, "display-p3", ("display-p3", "srgb")),
                            (gamma, None, ("unknown", "srgb")),
                            (CHRM["display-p3"] + gamma, None, ("display-p3", "srgb")),
                            (CHRM["bt2020"] + chunk(b"gAMA", places(1)), None, ("bt2020", "linear")),
                            (CHRM["bt601"] + video, None, ("smpte170m", "bt709")),
                            (CHRM["bt470bg"] + gamma, None, ("bt470bg", "srgb")),
                            (CHRM["bt709"], None, ("bt709", "unknown")),
                            (CHRM["adobe"] + srgb, None, ("bt709", "srgb")),
                            (chunk(b"cICP", bytes((12, 2, 0, 1))), None, ("display-p3", "unknown"))):
        png("a.png", a, profile=icc and profile(PRIMARIES[icc], SRGB_CURVE), more=more)
        linear = want[1] == "linear"
        for order in (("a.png", "b.png"), ("b.png", "a.png")):
            if linear:
                fovea("score", *order, "-m", "ssimulacra2", status=INPUT, says="is linear light")
            _, value = pooled(*(["a.png", "a.png"] if linear else order), ("ssimulacra2",))
            tags = value["inputs"][("reference", "distorted")[order[1] == "a.png"]]
            check((tags.get("primaries", "unknown"), tags.get("transfer", "unknown")) == want, f"{want}: {tags}")
    for more, says in ((CHRM["adobe"] + gamma, "gAMA and cHRM"), (chunk(b"gAMA", places(1 / 1.8)), "gAMA and cHRM"),
                       (chunk(b"cICP", bytes((9, 16, 0, 0))), "limited-range"),
                       (CHRM["bt709"] + chunk(b"gAMA", b"\xff" * 4), "gAMA and cHRM")):
        png("a.png", a, more=more)
        fovea("score", "a.png", "b.png", "-m", "psnr", status=INPUT, says=("a.png", says))
    png("a.png", a, more=CHRM["adobe"])
    fovea("score", "a.png", "b.png", "-m", "psnr", "-q", "--primaries-ref", "bt709", "--transfer-ref", "srgb")
    png("a.png", [(p[0],) for p in a], kind=0, more=chunk(b"cICP", bytes((1, 13, 0, 0))))
    _, value = pooled("a.png", "a.png", ("psnr",))
    check(value["inputs"]["reference"]["range"] == "limited", f"{value['inputs']}")


@case
def frames_of_videos_are_pictures():
    """FFmpeg writes a video's colour into the gAMA and cHRM chunks of its frames."""
    for primaries, transfer, matrix, option in (("bt709", "bt709", "bt709", "bt709"),
                                                ("smpte170m", "smpte170m", "smpte170m", "bt601"),
                                                ("bt470bg", "bt709", "bt470bg", "bt601"),
                                                ("bt2020", "bt2020-10", "bt2020nc", "bt2020")):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "1", "-pix_fmt", "yuv420p",
               "-c:v", "libx264", "-qp", "8", "-color_primaries", primaries, "-color_trc", transfer,
               "-colorspace", matrix, "-color_range", "tv", "one.mp4")
        ffmpeg("-i", "one.mp4", "-pix_fmt", "rgb24", "one.png")
        fovea("score", "one.png", "one.mp4", "-m", "psnr", "--convert", "all", "--matrix-ref", option,
              "-o", "x.json", "-q")
        mean = report("x.json")["pooled"]["psnr_y"]["mean"]
        check(mean > 40, f"{primaries}: {mean} dB")


@case
def gamma_of_png_lasts_in_jpeg_xl():
    """cjxl copies the gamma of a PNG's gAMA chunk to JPEG XL, and fovea reads the same transfer from both."""
    if not shutil.which("cjxl"):
        raise Skipped("cjxl is missing (Debian: libjxl-tools)")
    png("a.png", noise(1), more=CHRM["bt709"] + chunk(b"gAMA", places(1 / 2.2)))
    subprocess.run(["cjxl", "a.png", "a.jxl", "-d", "0"], check=True, capture_output=True)
    _, value = pooled("a.png", "a.jxl", ("ssimulacra2",))
    check(value["inputs"]["distorted"]["transfer"] == "srgb", f"{value['inputs']}")
    check(value["pooled"]["ssimulacra2"]["mean"] == 100, f"{value['pooled']}")


@case
def chunks_of_png_state_the_mastering_display():
    def display(most, name=b"mDCV"):
        return chunk(name, struct.pack(">8H2I", 35400, 14600, 8500, 39850, 6550, 2300, 15635, 16450,
                                       most * 10000, 50))
    large, pq, light = ({"width": 128, "height": 96}, chunk(b"cICP", bytes((9, 16, 0, 1))),
                        chunk(b"cLLI", struct.pack(">II", 9994999, 4005000)))
    named = "primaries 0.7080,0.2920 0.1700,0.7970 0.1310,0.0460 white 0.3127,0.3290, 0.0050 to %.1f cd/m2"
    found = {}
    for most, more, want in ((0, pq, None), (0, pq + light, "MaxCLL 999 MaxFALL 401"),
                             (600, pq + display(600), named % 600), (1000, pq + display(1000), named % 1000),
                             (1000, display(1000, b"mDCv") + pq + light, named % 1000 + ", MaxCLL 999 MaxFALL 401"),
                             (70000, pq + display(70000), named % 70000),
                             (0, pq + chunk(b"mDCV", bytes(23)) + chunk(b"cLLI", bytes(7)), None)):
        for name, seed in (("a.png", 1), ("b.png", 2)):
            png(name, noise(seed, 16, **large), depth=16, width=128, more=more)
        got, value = pooled("a.png", "b.png", ("vdm",))
        stated = value["inputs"]["reference"]["mastering"]
        check(stated == want, f"{stated}, not {want}")
        found.setdefault(most, []).append(values(got))
        said = [text for text in value["decisions"] if text.startswith("vdm")]
        check(not 0 < most <= 10000 or any(f"{most} cd/m2" in text for text in said), f"{said}")
    check(all(len({str(v) for v in same}) == 1 for same in found.values()), f"{found}")
    one = {most: same[0] for most, same in found.items()}
    check(one[600] != one[1000] == one[0] == one[70000],
          f"the peak counts for nothing, or one that no display has: {found}")


@case
def display_p3_is_converted():
    """A picture in P3 scores as the same light in BT.709's primaries, except for rounding to 16 bits."""
    matrix = ((1.2249402, -0.2249402, 0), (-0.042057, 1.042057, 0), (-0.0196376, -0.078636, 1.0982736))
    for name, seed in (("a", 1), ("b", 2)):
        wide = [tuple(16000 + s // 3 for s in p) for p in noise(seed, 16)]
        y4m(name + ".y4m", wide, 16)
        y4m(name + "709.y4m", [tuple(round(sum(m * s for m, s in zip(row, p))) for row in matrix) for p in wide], 16)
    for metric in ("ssimulacra2", "butteraugli"):
        options = metric + "=matrix=rgb:range=full:transfer=linear"
        p3, same, other = (values(pooled(*pair, [options + more])[0])[0] for pair, more in (
            (("a.y4m", "b.y4m"), ":primaries=p3"), (("a709.y4m", "b709.y4m"), ""), (("a.y4m", "b.y4m"), "")))
        check(abs(p3 - same) < 0.002 * abs(same) < abs(p3 - other), f"{metric}: {p3}, {same}, {other}")
    png("a.png", noise(1), more=CHRM["display-p3"] + chunk(b"gAMA", places(1 / 2.2)))
    _, value = pooled("a.png", "a.png", ("ssimulacra2",))
    check(any("primaries of p3" in text for text in value["decisions"]), f"{value['decisions']}")


@case
def alpha_lies_over_the_background():
    a = noise(1, count=4)
    png("a.png", a, kind=6)
    for colour in (0, 0xff8001):
        under = colour >> 16, colour >> 8 & 255, colour & 255
        png("flat.png", [tuple((2 * (p[3] * p[c] + (255 - p[3]) * under[c]) + 255) // 510 for c in range(3))
                         for p in a])
        more = ("--background", f"{colour:06x}") if colour else ()
        for metric, best in (("psnr", 60), ("ssimulacra2", 100)):
            got, value = pooled("flat.png", "a.png", (metric,), *more)
            check(min(got.values()) == best, f"{colour:06x}: {got}")
        check(any(f"#{colour:06x}" in text for text in value["decisions"]), f"{value['decisions']}")
    png("gray.png", [(p[0], p[3]) for p in a], kind=4)
    png("flat.png", [((2 * (p[3] * p[0] + (255 - p[3]) * 255) + 255) // 510,) for p in a], kind=0)
    got, _ = pooled("flat.png", "gray.png", ("psnr",), "--background", "#ffffff")
    check(got["psnr_y"] == 60, f"gray: {got}")
    colours = [(i, 255 - i, i * 7 % 256, 255 if i % 3 else 90) for i in range(256)]
    chosen = [(p[0],) for p in a]
    png("pal.png", chosen, kind=3, more=chunk(b"PLTE", b"".join(bytes(c[:3]) for c in colours)) +
        chunk(b"tRNS", bytes(c[3] for c in colours)))
    png("flat.png", [tuple((2 * p[3] * p[c] + 255) // 510 for c in range(3)) for (i,) in chosen
                     for p in [colours[i]]])
    got, _ = pooled("flat.png", "pal.png", ("ssimulacra2",))
    check(got["ssimulacra2"] == 100, f"palette: {got}")
    fovea("score", "a.png", "a.png", "-m", "psnr", "--background", "red", status=USAGE, says="RRGGBB")


def compared(ref, dis):
    return subprocess.run([FOVEA, "score", ref, dis, "-m", "psnr", "-q"], capture_output=True, check=False)


def turned_by(ref, dis):
    """Returns (degrees clockwise, whether mirrored) from the warning or refusal, or the whole message."""
    text = compared(ref, dis).stderr.decode()
    found = re.search(r"distorted video by (\d+)( and mirror it)?", text)
    return (int(found[1]), bool(found[2])) if found else text


def box(name, *content):
    data = b"".join(content)
    return struct.pack(">I", 8 + len(data)) + name + data


def inside(data, name):
    """Returns the content of the first box of this name, at any depth."""
    at = data.index(name)
    return data[at + 4:at - 4 + struct.unpack_from(">I", data, at - 4)[0]]


def avif(name, *properties, item=b"av01", alpha=False):
    """Writes the picture of a.avif with more properties, and with an auxiliary picture of the same pixels."""
    data, wide, high = read("a.avif"), 96, 64
    coded = inside(data, b"mdat")
    main = [box(b"ispe", struct.pack(">III", 0, wide, high)), box(b"av1C", inside(data, b"av1C")), *properties]
    auxiliary = box(b"auxC", bytes(4) + b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
    lists = [(1, range(1, len(main) + 1))] + ([(2, (1, 2, len(main) + 1))] if alpha else [])
    def meta(first):
        extents = b"".join(struct.pack(">HHHII", i, 0, 1, first, len(coded)) for i, _ in lists)
        return box(b"meta", bytes(4), box(b"hdlr", bytes(8), b"pict", bytes(13)),
                   box(b"pitm", bytes(4), struct.pack(">H", 1)),
                   box(b"iloc", bytes(4), b"\x44\0", struct.pack(">H", len(lists)), extents),
                   box(b"iinf", bytes(4), struct.pack(">H", len(lists)),
                       *(box(b"infe", b"\2\0\0\0", struct.pack(">HH", i, 0), item if i == 1 else b"av01", b"\0")
                         for i, _ in lists)),
                   *([box(b"iref", bytes(4), box(b"auxl", struct.pack(">HHH", 2, 1, 1)))] if alpha else []),
                   box(b"iprp", box(b"ipco", *main, auxiliary),
                       box(b"ipma", bytes(4), struct.pack(">I", len(lists)), *(
                           struct.pack(">HB", i, len(own)) + bytes(own) for i, own in lists))))
    brands = box(b"ftyp", b"avif", bytes(4), b"avifmif1miaf")
    front = len(brands) + len(meta(0)) + 8
    write(name, brands + meta(front) + box(b"mdat", coded))
    return name


@case
def avif_says_more_than_libav():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1",
           "-crf", "10", "-cpu-used", "8", "a.avif")
    turned = lambda steps: box(b"irot", bytes([steps]))
    mirrored = lambda axis: box(b"imir", bytes([axis]))
    def told(*args, **others):
        avif("b.avif", *args, **others)
        return turned_by("a.avif", "b.avif")
    fovea("score", "a.avif", "a.avif", "-m", "psnr", "-q")
    check(told() == "", f"without a property: {told()}")
    for properties, want in (((turned(1),), (270, False)), ((turned(2),), (180, False)), ((turned(3),), (90, False)),
                             ((mirrored(1),), (0, True)), ((mirrored(0),), (180, True)),
                             ((turned(1), mirrored(1)), (270, True)), ((mirrored(1), turned(1)), (90, True)),
                             ((mirrored(1), mirrored(1)), "")):
        check(told(*properties) == want, f"{properties}: {told(*properties)}, not {want}")
    # A picture turned by half a turn, and turned back, equals the original.
    avif("b.avif", turned(2))
    value, _ = pooled("b.avif", avif("c.avif", turned(2)), ("psnr",), "--rotate", "auto")
    check(value["psnr_y"] > 59, f"{value}")
    for args, others, says in (((box(b"clap", bytes(32)),), {}, "a part of the stored one"),
                               ((), {"item": b"grid"}, "made of tiles")):
        fovea("score", "a.avif", avif("b.avif", *args, **others), "-m", "psnr", status=INPUT,
              says=["b.avif", says, "PNG"])
    avif("b.avif", alpha=True)
    fovea("score", "a.avif", "b.avif", "-m", "psnr", "-o", "x.json", "-q")
    check(any("the alpha of the distorted video is left out" in text for text in report("x.json")["decisions"]),
          "alpha is not told")
    # Damaged boxes lead to an answer or a refusal, never to a crash.
    whole = read("b.avif")
    for at in range(0, whole.index(b"mdat"), 5):
        write("b.avif", whole[:at] + bytes([whole[at] ^ 0x81]) + whole[at + 1:])
        check(compared("a.avif", "b.avif").returncode in (OK, INPUT), f"a damaged byte {at}")


def exif(orientation, order="<"):
    head = b"II*\0" if order == "<" else b"MM\0*"
    return head + struct.pack(order + "IHHHIHHI", 8, 1, 274, 3, 1, orientation, 0, 0)


def tiff(name, orientation):
    """Writes a gray TIFF of one strip."""
    entries = ((256, 4, 8), (257, 4, 8), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (274, 3, orientation),
               (277, 3, 1), (278, 4, 8), (279, 4, 64))
    table = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
    return write(name, b"II*\0" + struct.pack("<I", 72) + bytes(range(0, 128, 2)) + struct.pack("<H", len(entries)) +
                 table + bytes(4))


TURNS = {1: "", 2: (0, True), 3: (180, False), 4: (180, True), 5: (90, True), 6: (90, False), 7: (270, True),
         8: (270, False), 9: ""}


@case
def exif_turns_every_kind_of_picture():
    square = [(v,) for v in range(0, 256, 4)]
    png("a.png", square, kind=0, width=8)
    whole = lambda data: struct.pack("<I", len(data)) + data + bytes(len(data) % 2)
    ffmpeg("-i", "a.png", "-c:v", "libwebp", "-lossless", "1", "a.webp")
    fovea("score", "a.webp", "a.webp", "-m", "psnr", "-q")
    coded = read("a.webp")[12:]
    extended = b"VP8X" + whole(b"\x08\0\0\0" + (7).to_bytes(3, "little") * 2)
    for value, want in TURNS.items():
        png("b.png", square, kind=0, width=8, more=chunk(b"eXIf", exif(value, "<>"[value % 2])))
        for i, mark in enumerate((b"", b"Exif\0\0")):
            riff = b"WEBP" + extended + coded + b"EXIF" + whole(mark + exif(value))
            write(f"b{i}.webp", b"RIFF" + whole(riff))
        tiff("a.tif", 1)
        tiff("b.tif", value)
        for ref, dis in (("a.png", "b.png"), ("a.webp", "b0.webp"), ("a.webp", "b1.webp"), ("a.tif", "b.tif")):
            check(turned_by(ref, dis) == want, f"{dis} {value}: {turned_by(ref, dis)}, not {want}")


@case
def alpha_counts_on_both_sides_or_is_told():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64,format=rgba,geq=r='p(X,Y)':g='p(X,Y)':b='p(X,Y)':a='X*2'",
           "-frames:v", "1", "a.png")
    ffmpeg("-i", "a.png", "-pix_fmt", "yuva420p", "-c:v", "libwebp", "a.webp")
    fovea("score", "a.png", "a.webp", "-m", "ssimulacra2", "-o", "x.json", "-q")
    check(any(text.startswith("warning: the alpha of the distorted video is left out") and "PNG" in text
              for text in report("x.json")["decisions"]), "not a warning")
    fovea("score", "a.png", "a.webp", "-m", "ssimulacra2", "--strict", status=INPUT, says="alpha")
    ffmpeg("-i", "a.webp", "-pix_fmt", "rgba", "b.png")
    fovea("score", "a.png", "b.png", "-m", "ssimulacra2", "--strict")


@case
def animated_webp_has_a_remedy_that_works():
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "libwebp_anim", "a.webp")
    err = fovea("score", "a.webp", "a.webp", "-m", "psnr", status=INPUT,
                says=("a.webp is an animated WebP", "webpmux -get frame 1 a.webp -o FILE.webp"))[1]
    words = err[err.index("webpmux"):].split(" takes")[0].split()
    if not shutil.which("webpmux"):
        raise Skipped("webpmux is missing (Debian: webp); the message was checked")
    subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
    got, _ = pooled("FILE.webp", "FILE.webp", ("psnr",))
    check(got["psnr_y"] == 60, f"{got}")


@case
def inks_and_floats_are_refused():
    for name, says in (("inks.jpg", "CMYK"), ("inks.tif", "CMYK"), ("half.tif", "other than unsigned integers")):
        write(name, read(os.path.join(ROOT, "tests/fuzz/seeds/png", name)))
        fovea("score", name, name, status=INPUT, says=(name + ": holds", says, "to PNG"))
    for name, pixels in (("a.jpg", "yuvj444p"), ("b.jpg", "gray"), ("c.tif", "rgb48le"), ("d.tif", "gray"),
                         ("e.tif", "rgba")):
        ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:r=1:d=1", "-frames:v", "1", "-pix_fmt", pixels, name)
        fovea("score", name, name, "-m", "psnr", "-q")


@case
def odd_sizes_against_subsampled_chroma():
    png("a.png", noise(1, width=61, height=47), width=61)
    for name in ("b.jpg", "b.webp"):
        ffmpeg("-i", "a.png", "-pix_fmt", "yuvj420p" if name == "b.jpg" else "yuv420p", name)
        value = same_as_alone("a.png", name,
                              metrics=["ssimulacra2", "psnr", "butteraugli", "psnr_hvs", "cvvdp", "ciede"])
        check([value["inputs"][side]["width"] for side in ("reference", "distorted")] == [61, 61],
              f"{value['inputs']}")


@case
def folders_pair_by_name():
    for folder in ("ref", "dis", "one", "none", "dis/below"):
        os.mkdir(folder)
    for i, name in enumerate(("a", "b", "c")):
        png(f"ref/{name}.png", noise(i))
    png("dis/a.png", noise(0))
    write("dis/b.tif.png", b"")
    write("dis/.hidden", b"")
    png("dis/b.PNG", noise(7))
    png("dis/d.png", noise(8))
    png("one/a.png", noise(0))
    out, err = fovea("score", "ref/", "dis", "-m", "psnr", "-o", "all.json",
                     says=("dis/d.png is left out: ref/ has", " ref/c.png is left out: dis has"))
    value = json.loads(read("all.json"))
    rows = [(os.path.basename(e["path"]), os.path.basename(e["reference"])) for e in value["encodes"]]
    check(rows == [("a.png", "a.png"), ("b.PNG", "b.png")], f"{rows}")
    check("\n2 pairs of ref" in out and value["encodes"][0]["scores"]["psnr_y"]["mean"] == 60, out)
    fovea("score", "ref", "one", "-m", "psnr")
    for args in (("ref", "one/a.png"), ("one/a.png", "ref"), ("ref", "one", "dis")):
        fovea("score", *args, "-m", "psnr", status=INPUT, says="is a directory")
    for args, says in ((("ref", "none"), "no file of none"), (("ref", "one", "-o", "ref/a.png"), "a.png")):
        fovea("score", *args, "-m", "psnr", status=USAGE, says=says)
    png("ref/a.bmp", noise(1))
    png("dis/a.PNG", noise(1))
    fovea("score", "ref", "dis", "-m", "psnr", status=USAGE, says="a.PNG may pair with a.bmp and with a.png")


@case
def displays_come_from_a_file():
    png("a.png", noise(1))
    png("b.png", noise(2))
    screen = {"name": "x", "resolution": [1920, 1080], "viewing_distance_meters": 0.6, "diagonal_size_inches": 24,
              "max_luminance": 200, "contrast": 1000, "E_ambient": 250, "source": "none"}
    headset = {"resolution": [1440, 1600], "fov_diagonal": 110.0, "viewing_distance_meters": 3, "max_luminance": 100,
               "min_luminance": 0.1}

    def own(displays, more="", **args):
        write("own.json", json.dumps(displays).encode())
        args.setdefault("status", 0)
        fovea("score", "a.png", "b.png", "-m", "cvvdp=display_file=own.json" + more, "--device", "cpu", "-q",
              "-o", "x.json", **args)
        return None if args["status"] else report("x.json")["pooled"]

    def known(options):
        return values(pooled("a.png", "b.png", ["cvvdp=" + options])[0])
    two = {"tv": screen, "hmd": headset}
    for display, more, same in (({"tv": screen}, "", "display=standard_fhd"),
                                (two, ":display_name=tv", "display=standard_fhd"),
                                (two, ":display_name=hmd", "display=standard_hmd"),
                                (two, ":display_name=tv:distance=1.2", "display=standard_fhd:distance=1.2"),
                                ({"p": dict(headset, pixels_per_degree=46.8)}, "", "display=standard_hmd:ppd=46.8")):
        got = sorted(p["mean"] if isinstance(p, dict) else p for p in own(display, more).values())
        check(got == known(same), f"{more}: {got}, not as {same}: {known(same)}")
    own(two, status=USAGE, says=("display_name", "tv, hmd"))
    own(two, ":display_name=phone", status=USAGE, says="tv, hmd")
    own(two, ":display_name=tv:display=standard_4k", status=USAGE, says="exclude")
    for wrong, says in (([], "not a JSON object"), ({"t": 1}, "not a JSON object"),
                        ({"t": dict(screen, k_refl=1)}, "k_refl"),
                        ({"t": dict(screen, resolution=[1])}, "resolution"),
                        ({"t": dict(screen, max_luminance=-1)}, "max_luminance"),
                        ({"t": dict(screen, colorspace="BT.709-linear")}, "colorspace"),
                        ({"t": dict(screen, contrast="x")}, "contrast"),
                        ({"t": {k: v for k, v in screen.items() if k != "contrast"}}, "contrast"),
                        ({"t": dict(headset, fov_diagonal=180)}, "fov"),
                        ({"t": {k: v for k, v in screen.items() if k != "diagonal_size_inches"}},
                         "diagonal_size_inches")):
        own(wrong, status=INPUT, says=("own.json", says))
    fovea("score", "a.png", "b.png", "-m", "cvvdp=display_name=tv", status=USAGE, says="display_file")


@case
def linear_light_is_converted_as_the_refusal_says():
    png("b.png", noise(1))
    png("a.png", noise(1), more=chunk(b"gAMA", places(1)))
    for order in (("a.png", "b.png"), ("b.png", "a.png")):
        says = fovea("score", *order, "-m", "psnr", status=INPUT, says="is linear light")[1]
        command = re.search(r"with ffmpeg (-i IN -vf \S+ -pix_fmt rgb48 OUT\.png), or", says)
        check(command, says)
        ffmpeg(*command[1].replace("IN", "a.png", 1).split())
        fovea("score", *(name.replace("a.png", "OUT.png") for name in order), "-m", "psnr", "-q")


@case
def every_kind_of_picture_is_scored_without_options():
    """The list of docs/command.md, less what this ffmpeg cannot write."""
    made = 0
    page = read(os.path.join(ROOT, "docs/command.md")).decode()
    words = page.split("Pictures are files that", 1)[1].split(". Of RGB", 1)[0]
    for ending in re.findall(r"`\.(\w+)`", words):
        try:
            ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "a." + ending)
        except Skipped:
            continue
        fovea("score", "a." + ending, "a." + ending, "-m", "psnr", "-q")
        made += 1
    check(made >= 8, f"{made} pictures")


run()
