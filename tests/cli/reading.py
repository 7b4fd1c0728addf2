"""Checks that videos are read as they are meant (colour, rates, fields, first pictures, streams), and that the
remedies of refusals work as the message prints them."""

import re
import shlex
import struct
import subprocess

from command import FOVEA, INPUT, PARTIAL, USAGE, case, check, ffmpeg, fovea, in_shards, read, report, run, write
from png import png_of

SOURCE = ("-f", "lavfi", "-i", "testsrc2=s=64x64:r=25")
SMALL = ("-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18")


def psnr(*args, metric="psnr", chroma=True):
    """Returns the lowest value of any plane, and the report."""
    fovea("score", *args, "-m", metric, "--device", "cpu", "-q", "-o", "x.json")
    value = report("x.json")
    return min(pool["min"] for name, pool in value["pooled"].items() if chroma or name.endswith("_y")), value


def said(*args, status=INPUT):
    return fovea("score", *args, "-m", "psnr", "--device", "cpu", "-q", status=status)[1].strip()


# ---- Colour --------------------------------------------------------------------------------------------------------


def rgb_clips():
    ffmpeg(*SOURCE, "-frames:v", "2", "-pix_fmt", "gbrp", "-c:v", "ffv1", "rgb.mkv")
    for name, code, tag in (("untagged", "bt601", "unknown"), ("bt601", "bt601", "smpte170m"),
                            ("bt709", "bt709", "bt709"), ("bt2020", "bt2020", "bt2020nc"),
                            ("really709", "bt709", "unknown")):
        ffmpeg("-i", "rgb.mkv", "-vf", f"scale=out_color_matrix={code}:flags=accurate_rnd", "-colorspace", tag,
               "-pix_fmt", "yuv444p", "-c:v", "libx264", "-qp", "0", name + ".mkv")


@case
def rgb_takes_the_matrix_of_the_other_video():
    rgb_clips()
    for name, named, least in (("untagged", (), 50), ("bt601", (), 50), ("bt709", (), 50), ("bt2020", (), 50),
                               ("really709", (), 0), ("really709", ("bt709",), 50)):
        for side, pair in (("dis", ("rgb.mkv", name + ".mkv")), ("ref", (name + ".mkv", "rgb.mkv"))):
            more = ("--matrix-" + side, *named) if named else ()
            value, told = psnr(*pair, "--convert", "rgb", *more)
            check(value > least and (least or value < 40), f"{name}, {more}: {value}")
            light = psnr(*pair, *more, metric="ssimulacra2")[0]
            check(light > 93 if least else light < 90, f"{name}, {more}: SSIMULACRA 2 {light}")
            check(any("converted from RGB" in text
                      for text in psnr(*pair, "--convert", "rgb", *more)[1]["decisions"]), f"{told['decisions']}")
    for order in (1, -1):  # a matrix that the caller names for RGB stays
        pair, side = ("rgb.mkv", "bt709.mkv")[::order], "ref" if order == 1 else "dis"
        said(*pair, "--convert", "rgb", f"--matrix-{side}", "bt601")
        check(psnr(*pair, "--convert", "rgb,matrix", f"--matrix-{side}", "bt601")[0] > 45,
              "the named matrix does not count")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1280x64:r=25", "-frames:v", "1", "-pix_fmt", "gbrp",
           "-c:v", "ffv1", "wide.mkv")
    for code, good in (("bt709", True), ("bt601", False)):
        ffmpeg("-i", "wide.mkv", "-vf", f"scale=out_color_matrix={code}:flags=accurate_rnd", "-pix_fmt", "yuv444p",
               "-c:v", "libx264", "-qp", "0", "-colorspace", "unknown", "dis.mkv")
        check((psnr("wide.mkv", "dis.mkv", "--convert", "rgb")[0] > 50) == good, f"1280 columns of {code}")


@case
def shards_and_many_encodes_agree_on_the_matrix():
    rgb_clips()
    one = psnr("rgb.mkv", "bt601.mkv", "--convert", "rgb")[1]
    in_shards(2, "-r", "rgb.mkv", "-d", "bt601.mkv", "-m", "psnr", "--convert", "rgb")
    check(report("merged.json")["frames"] == one["frames"], "merged shards differ")
    check(report("merged.json")["inputs"] == one["inputs"], "merged shards have other inputs")
    fovea("score", "rgb.mkv", "bt601.mkv", "untagged.mkv", "-m", "psnr", "--convert", "rgb", "--device", "cpu",
          "-o", "each", "-q")
    check(report("each/bt601.mkv.json")["frames"] == one["frames"], "many encodes differ")
    fovea("score", "rgb.mkv", "bt601.mkv", "bt709.mkv", "-m", "psnr", "--convert", "rgb", "--device", "cpu",
          "-q", status=INPUT, says="--convert matrix")


@case
def a_named_matrix_is_never_cancelled():
    rgb_clips()
    for side in ("ref", "dis"):
        pair = ("really709.mkv", "untagged.mkv") if side == "dis" else ("untagged.mkv", "really709.mkv")
        text = said(*pair, f"--matrix-{side}", "bt601", "--convert", "matrix")
        other = "dis" if side == "ref" else "ref"
        check(f"--matrix-{other} bt709" in text, text)
        check(psnr(*pair, f"--matrix-{side}", "bt601", f"--matrix-{other}", "bt709", "--convert", "matrix")[0] > 45,
              "no conversion")


# ---- Rates ---------------------------------------------------------------------------------------------------------


@case
def rates_that_drift_by_less_than_half_a_frame_are_one():
    """The rates come from times in milliseconds, in 1/600 s, and from a variable rate."""
    ffmpeg(*SOURCE[:2], "-i", "testsrc2=s=64x64:r=30", "-vf", "select='gt(mod(n,7),2)+lt(n,20)'", "-vsync", "vfr",
           "-frames:v", "60", *SMALL, "v.mkv")
    ffmpeg("-i", "v.mkv", "-c", "copy", "v.mp4", "-c", "copy", "-muxpreload", "0", "v.ts")
    for pair in (("v.mkv", "v.mp4"), ("v.mp4", "v.mkv"), ("v.ts", "v.mp4"), ("v.mp4", "v.ts")):
        check(psnr(*pair)[0] == 60, f"{pair}")
        check("Every sample" in fovea("score", *pair, "-m", "psnr")[0], f"{pair}")
    ffmpeg(*SOURCE[:2], "-i", "testsrc2=s=64x64:r=60000/1001", "-frames:v", "90", *SMALL, "a.mp4")
    ffmpeg("-i", "a.mp4", "-c", "copy", "-video_track_timescale", "600", "coarse.mov")
    ffmpeg("-i", "coarse.mov", "-c", "copy", "coarse.ts")
    for pair in (("a.mp4", "coarse.mov"), ("a.mp4", "coarse.ts"), ("coarse.ts", "a.mp4")):
        check("Every sample" in fovea("score", *pair, "-m", "psnr")[0], f"{pair}")


@case
def equal_counts_at_other_rates_pair_by_index():
    ffmpeg(*SOURCE[:2], "-i", "testsrc2=s=16x16:r=24", "-frames:v", "1500", "-c:v", "rawvideo",
           "-pix_fmt", "yuv420p", "a.y4m")
    write("b.y4m", read("a.y4m").replace(b"F24:1", b"F24000:1001", 1))
    text = said("a.y4m", "b.y4m")
    check(text.index("--ignore-rate") < text.index("--align time"), text)
    check(psnr("a.y4m", "b.y4m", "--ignore-rate")[0] == 60, "other frames pair")
    write("c.y4m", read("a.y4m").replace(b"F24:1", b"F30:1", 1)[:-(5 + 1 + 384)])
    text = said("a.y4m", "c.y4m", status=INPUT)
    check("--align time" in text, text)


@case
def pictures_have_the_rate_of_the_other_video():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32:r=24", "-frames:v", "5", "-pix_fmt", "rgb24", "p%02d.png")
    ffmpeg("-framerate", "24000/1001", "-i", "p%02d.png", "-pix_fmt", "yuv444p", "-c:v", "ffv1", "v.mkv")
    value = psnr("p%02d.png", "v.mkv", "--convert", "all")[1]
    check(value["inputs"]["reference"].get("frame_rate") is None, f"{value['inputs']['reference']}")
    check(abs(value["frames"][1]["time"] - 1001 / 24000) < 1e-3, f"{value['frames'][1]}")
    for rate, seconds in (("50", 0.02), ("24000/1001", 1001 / 24000)):
        value = psnr("p%02d.png", "p%02d.png", "--convert", "rgb", "--rate", rate)[1]
        check(abs(value["frames"][1]["time"] - seconds) < 1e-9, f"{rate}: {value['frames'][1]}")
    value = psnr("p%02d.png", "p%02d.png", "--convert", "rgb")[1]
    check(value["frames"][1].get("time") is None, f"25 is invented: {value['frames'][1]}")
    for wrong in ("0", "-1", "fast", "1/0", "24,5"):
        fovea("score", "p%02d.png", "v.mkv", "-m", "psnr", f"--rate={wrong}", status=USAGE, says="--rate takes")


# ---- Pictures ------------------------------------------------------------------------------------------------------


def tiff(name, pages, kinds=None):
    """Writes gray pages of 48x32, each with its NewSubfileType."""
    data = bytearray(b"II*\0\0\0\0\0")
    link = 4
    for i, page in enumerate(pages):
        at = len(data)
        data += page
        entries = [(254, 4, (kinds or {}).get(i, 0)), (256, 3, 48), (257, 3, 32), (258, 3, 8), (259, 3, 1),
                   (262, 3, 1), (273, 4, at), (277, 3, 1), (278, 3, 32), (279, 4, len(page))]
        data[link:link + 4] = struct.pack("<I", len(data))
        data += struct.pack("<H", len(entries))
        for tag, kind, value in entries:
            data += struct.pack("<HHII", tag, kind, 1, value)
        link = len(data)
        data += b"\0\0\0\0"
    write(name, bytes(data))


def png(name, rows, kind):
    write(name, png_of(len(rows[0]) // (3 if kind == 2 else 1), rows, 8, kind))


@case
def one_picture_of_a_file_counts_and_others_are_told():
    pages = [bytes((x * 5 + y * 3 + 40 * i) % 256 for y in range(32) for x in range(48)) for i in range(3)]
    tiff("one.tif", pages[:1])
    tiff("three.tif", pages)
    tiff("thumbnail.tif", pages[:2], {1: 1})
    for name, told in (("one.tif", False), ("three.tif", True), ("thumbnail.tif", False)):
        err = fovea("score", "one.tif", name, "-m", "psnr", "--device", "cpu")[1]
        check(("holds other pictures" in err) == told, f"{name}: {err}")
        check("Every sample is equal" in fovea("score", "one.tif", name, "-m", "psnr")[0], name)
    ffmpeg(*SOURCE, "-frames:v", "1", "-pix_fmt", "yuvj420p", "a.jpg")
    ffmpeg(*SOURCE, "-frames:v", "1", "-pix_fmt", "gray", "-s", "32x24", "map.jpg")
    ffmpeg(*SOURCE[:2], "-i", "testsrc=s=64x64:r=25", "-frames:v", "1", "-pix_fmt", "yuvj420p", "same_size.jpg")
    plain = read("a.jpg")
    index = b"\xff\xe2" + struct.pack(">H", 2 + 4 + 8) + b"MPF\0" + b"MM\0*\0\0\0\x08"
    write("gain.jpg", plain + read("map.jpg"))
    write("mpf.jpg", plain[:2] + index + plain[2:] + read("same_size.jpg"))
    exif = b"Exif\0\0" + b"XX" + bytes(30)
    write("exif.jpg", plain[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(exif)) + exif + plain[2:])
    for name in ("gain.jpg", "mpf.jpg", "exif.jpg"):
        for pair in (("a.jpg", name), (name, "a.jpg"), (name, name)):
            check("Every sample is equal" in fovea("score", *pair, "-m", "psnr", "--device", "cpu")[0], f"{pair}")


@case
def gray_is_rgb_of_equal_components():
    rows = [[(x * 4 + y * 7) % 256 for x in range(48)] for y in range(32)]
    png("gray.png", rows, 0)
    png("rgb.png", [[v for v in row for _ in range(3)] for row in rows], 2)
    for pair in (("gray.png", "rgb.png"), ("rgb.png", "gray.png")):
        for metric in ("psnr", "float_ssim", "ssimulacra2"):
            out = fovea("score", *pair, "-m", metric, "--device", "cpu")[0]
            check("Every sample is equal" in out, f"{metric} of {pair}: {out[:200]}")


@case
def pictures_without_a_matrix_have_that_of_their_standard():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25", "-frames:v", "1", "-pix_fmt", "gbrp",
           "-c:v", "png", "a.png")
    for name, args in (("a.avif", ("-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "4", "-still-picture", "1")),
                       ("a.tif", ())):
        ffmpeg("-i", "a.png", "-vf", "scale=out_color_matrix=bt601:flags=accurate_rnd,format=yuv444p",
               "-colorspace", "unknown", *args, name)
        check(psnr("a.png", name)[0] > 33, f"{name}: {psnr('a.png', name)[0]}")


# ---- Fields --------------------------------------------------------------------------------------------------------


@case
def field_orders_are_the_same_in_every_container():
    for order in ("tff", "bff"):
        ffmpeg(*SOURCE[:2], "-i", "testsrc2=s=64x64:r=50", "-vf", "interlace=scan=" + order, "-frames:v", "8",
               "-pix_fmt", "yuv420p", "-flags", "+ildct+ilme", "-c:v", "mpeg2video", "-q:v", "2", order + ".ts")
        ffmpeg("-i", order + ".ts", "-c", "copy", order + ".copy.mkv", "-flags", "+ildct+ilme",
               "-x264opts", order + "=1", "-c:v", "libx264", order + ".mkv", "-flags", "+ildct+ilme",
               "-x264opts", order + "=1", "-c:v", "libx264", order + ".mov", "-c:v", "ffv1", "-top",
               str(int(order == "tff")), order + ".ffv1.mkv", "-c:v", "prores_ks", "-flags", "+ildct+ilme",
               "-top", str(int(order == "tff")), order + ".prores.mov")
        for name in ("copy.mkv", "mkv", "mov"):
            value = psnr(f"{order}.ts", f"{order}.{name}")[1]
            want = "top first" if order == "tff" else "bottom first"
            got = {value["inputs"][side]["fields"] for side in ("reference", "distorted")}
            check(len(got) == 1 and want.split()[0] in str(got), f"{order}, {name}: {got}")
    said("tff.ts", "bff.mkv")


@case
def interlaced_frames_behind_a_progressive_one_are_told():
    ffmpeg(*SOURCE, "-frames:v", "4", "-pix_fmt", "yuv420p", "-c:v", "mpeg2video", "a.m2v")
    ffmpeg(*SOURCE, "-vf", "setfield=tff", "-frames:v", "4", "-pix_fmt", "yuv420p", "-flags", "+ildct+ilme",
           "-c:v", "mpeg2video", "b.m2v")
    write("c.m2v", read("a.m2v") + read("b.m2v"))
    ffmpeg("-i", "c.m2v", "-c:v", "ffv1", "c.mkv")
    err = fovea("score", "c.mkv", "c.m2v", "-m", "psnr", "--device", "cpu", "--ignore-fields")[1]
    check("from frame 4 on" in err and "--fields-dis" in err, err)


# ---- Changes, captures, streams ------------------------------------------------------------------------------------


@case
def tags_that_change_in_midstream_are_refused_at_that_frame():
    """Also where the range changes the decoder's pixel format, as in HEVC."""
    kinds = {"full": "video_full_range_flag=1", "limited": "video_full_range_flag=0",
             "pq": "transfer_characteristics=16", "bt709": "matrix_coefficients=1", "bt601": "matrix_coefficients=6",
             "unstated": None}
    for kind, encoder in (("h264", SMALL), ("hevc", ("-pix_fmt", "yuv420p", "-c:v", "libx265", "-x265-params",
                                                     "log-level=none"))):
        ffmpeg(*SOURCE, "-frames:v", "4", *encoder, "-bf", "0", "plain." + kind)
        for name, flag in kinds.items():
            ffmpeg("-i", "plain." + kind, "-c", "copy", *(("-bsf:v", f"{kind}_metadata={flag}") if flag else ()),
                   f"{name}.{kind}")
        for first, then, words in (("unstated", "full", "range"), ("full", "limited", "range"),
                                   ("limited", "full", "range"), ("unstated", "pq", "transfer"),
                                   ("unstated", "bt709", "matrix"), ("bt601", "bt709", "matrix"),
                                   ("unstated", "limited", None), ("bt709", "bt709", None)):
            name = write("x." + kind, read(f"{first}.{kind}") + read(f"{then}.{kind}"))
            args = ("score", name, name, "-m", "psnr", "--device", "cpu", "-q")
            if not words:
                fovea(*args)
                continue
            err = fovea(*args, status=PARTIAL)[1]
            check("frame 4 " in err and words in err, f"{kind}: {first}, then {then}: {err}")
            value = {"range": "limited", "transfer": "bt709", "matrix": "bt709"}[words]
            fovea(*args, f"--{words}-ref", value, f"--{words}-dis", value)


@case
def frames_of_avi_are_counted_without_its_empty_ticks():
    """FFmpeg writes H.264 to AVI with two ticks for a frame."""
    ffmpeg(*SOURCE, "-frames:v", "12", *SMALL, "plain.mkv")
    ffmpeg("-i", "plain.mkv", "-c", "copy", "-bsf:v", "h264_mp4toannexb", "plain.avi")
    for pair in (("plain.mkv", "plain.avi"), ("plain.avi", "plain.mkv"), ("plain.avi", "plain.avi")):
        err = fovea("score", *pair, "-m", "psnr", "--device", "cpu", "-q")[1]
        check(not err, f"{pair}: {err}")


@case
def captures_begin_with_the_first_clean_picture():
    """Tests transport streams, and MP4 files whose edit list hides the frames that cannot be decoded."""
    for codec, more in (("libx264", ("-x264opts", "open_gop=1:keyint=12:min-keyint=12:scenecut=0:bframes=3")),
                        ("libx265",
                         ("-x265-params", "log-level=0:open-gop=1:keyint=12:min-keyint=12:scenecut=0:bframes=3"))):
        ffmpeg(*SOURCE, "-frames:v", "60", "-pix_fmt", "yuv420p", "-c:v", codec, "-preset", "ultrafast", *more,
               "-mpegts_flags", "resend_headers", codec + ".ts")
        ffmpeg("-i", codec + ".ts", "-c:v", "ffv1", codec + ".all.mkv")
        whole = read(codec + ".ts")
        seen = set()
        for share in (4, 3, 2):
            write("cut.ts", whole[len(whole) // 188 // share * 188:])
            out = fovea("score", "cut.ts", "cut.ts", "-m", "psnr", "--device", "cpu", "-o", "cut.json")[0]
            check("Every sample" in out, out[:200])
            value = report("cut.json")
            told = [text for text in value["decisions"] if "begins within a group of pictures" in text]
            seen.add(len(told))
            frames = len(value["frames"])
            skip = str(60 - frames)
            check(psnr(codec + ".all.mkv", "cut.ts", "--frame-skip-ref", skip)[0] == 60,
                  f"{codec}, 1/{share}: not the last {frames} frames")
            found = psnr(codec + ".all.mkv", "cut.ts", "--align", "auto")
            check(found[0] == 60 and len(found[1]["frames"]) == frames,
                  f"--align auto pairs {len(found[1]['frames'])} frames")
        check(seen == {2} or codec == "libx265", f"{codec}: the pictures that are left out are not told")
    ffmpeg("-ss", "0.6", "-i", "libx264.ts", "-c", "copy", "trim.mp4")
    check("Every sample" in fovea("score", "trim.mp4", "trim.mp4", "-m", "psnr")[0], "a trimmed MP4 is not itself")
    damaged = bytearray(read("cut.ts"))
    middle = len(damaged) // 188 * 3 // 4 * 188
    damaged[middle + 20:middle + 160] = bytes(140)
    write("damaged.ts", bytes(damaged))
    run_ = subprocess.run([FOVEA, "score", "cut.ts", "damaged.ts", "-m", "psnr", "-q", "--device", "cpu"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    check(run_.returncode in (INPUT, PARTIAL), f"damage behind the start passes: {run_.stderr.decode()}")


@case
def of_several_videos_the_default_one_counts_or_the_largest():
    for name, size in (("small", "32x32"), ("large", "96x64")):
        ffmpeg(*SOURCE[:2], "-i", f"testsrc2=s={size}:r=25", "-frames:v", "3", *SMALL, name + ".mp4")
    for order, default, want in (("sl", None, "large"), ("ls", None, "large"), ("sl", 0, "small"), ("ls", 1, "small"),
                                 ("ls", 0, "large")):
        files = ["small.mp4" if c == "s" else "large.mp4" for c in order]
        flags = ["-disposition:v:0", "0", "-disposition:v:1", "0"] + ([f"-disposition:v:{default}", "default"]
                                                                      if default is not None else [])
        ffmpeg("-i", files[0], "-i", files[1], "-map", "0:v", "-map", "1:v", "-c", "copy", *flags,
               "-default_mode", "passthrough", "both.mkv")
        check("Every sample" in fovea("score", want + ".mp4", "both.mkv", "-m", "psnr")[0],
              f"{order}, default {default}")
        other = "small" if want == "large" else "large"
        text = said(other + ".mp4", "both.mkv")
        check("--stream-dis" in text, text)
        check("--stream-ref" in said("both.mkv", other + ".mp4"), "no --stream-ref")


# ---- Refusals ------------------------------------------------------------------------------------------------------

MISFITS = {  # each misfit: arguments of ffmpeg, and what the refusal names
    "rate": (("-r", "30"), "frame rates"),
    "size": (("-s", "48x48"), "sizes"),
    "range": (("-vf", "scale=out_range=full", "-color_range", "pc"), "ranges"),
    "matrix": (("-colorspace", "smpte170m"), "matrices"),
    "transfer": (("-color_trc", "smpte2084"), "transfers"),
    "fields": (("-flags", "+ildct+ilme", "-x264opts", "tff=1"), "field orders"),
    "chroma": (("-pix_fmt", "yuv444p"), "chroma formats"),
}


@case
def one_refusal_names_all_and_its_options_work():
    """Refusals of every two misfits together, and of all, name options that work."""
    tags = ("-colorspace", "bt709", "-color_trc", "bt709", "-color_primaries", "bt709", "-color_range", "tv")
    ffmpeg(*SOURCE, "-frames:v", "10", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast",
           *tags, "ref.mp4")
    names = list(MISFITS)
    rows = [(a, b) for i, a in enumerate(names) for b in names[i + 1:]] + [tuple(names)]
    for row in rows:
        args = [word for name in row for word in MISFITS[name][0]]
        ffmpeg("-i", "ref.mp4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", *tags,
               *args, "dis.mp4")
        err = said("ref.mp4", "dis.mp4")
        for name in row:
            check(MISFITS[name][1] in err, f"{row}: {MISFITS[name][1]} is not named: {err}")
        found = re.search(r"to compare them anyway, add (.*)$", err)
        check(found, err)
        fovea("score", "ref.mp4", "dis.mp4", "-m", "psnr", "--device", "cpu", "-q", *shlex.split(found.group(1)))


@case
def bars_of_one_video_are_cut_from_both():
    ffmpeg(*SOURCE[:2], "-i", "testsrc2=s=96x64:r=25", "-frames:v", "8", *SMALL, "ref.mp4")
    ffmpeg("-i", "ref.mp4", "-vf", "crop=96:48:0:8,pad=96:64:0:8", *SMALL, "dis.mp4")
    text = said("ref.mp4", "dis.mp4", "--crop-dis", "auto")
    found = re.search(r"--crop-ref (\d+:\d+:\d+:\d+)", text)
    check(found, text)
    check(psnr("ref.mp4", "dis.mp4", "--crop-dis", "auto", "--crop-ref", found.group(1))[0] > 35, text)
    check(psnr("ref.mp4", "dis.mp4", "--crop-dis", found.group(1), "--crop-ref", found.group(1))[0] > 35, text)


def crc_of_section(data):
    value = 0xffffffff
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04c11db7 if value >> 31 else 0)) & 0xffffffff
    return value.to_bytes(4, "big")


def set_stream_type(data, kind):
    """Returns a transport stream of ffmpeg with another type of its only stream in the program map table."""
    data = bytearray(data)
    for packet in range(0, len(data), 188):
        if (data[packet + 1] & 31) << 8 | data[packet + 2] != 0x1000:
            continue
        table = packet + 5 + data[packet + 4]
        end = table + 3 + ((data[table + 1] & 15) << 8 | data[table + 2]) - 4
        check(bytes(data[end:end + 4]) == crc_of_section(data[table:end]), "this is no program map table")
        data[table + 12 + ((data[table + 10] & 15) << 8 | data[table + 11])] = kind
        data[end:end + 4] = crc_of_section(data[table:end])
    return bytes(data)


@case
def libavs_sentences_become_ours():
    ffmpeg(*SOURCE, "-frames:v", "6", *SMALL, "a.mp4")
    write("text.mp4", b"This is not a video.\n" * 20)
    data = read("a.mp4")
    write("cut.mp4", data[:len(data) // 2])
    ffmpeg("-i", "a.mp4", "-c", "copy", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "f.mp4")
    fragments = read("f.mp4")
    at = fragments.index(b"moof") - 4
    write("segment.m4s", fragments[at:])
    write("init.mp4", fragments[:at])
    ffmpeg("-i", "a.mp4", "-c", "copy", "-encryption_scheme", "cenc-aes-ctr",
           "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
           "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", "cenc.mp4")
    ffmpeg("-i", "a.mp4", "-c", "copy", "a.ts")
    write("sample_aes.ts", set_stream_type(read("a.ts"), 0xdb))
    write("codec.mp4", data.replace(b"avc1", b"xyz1"))
    for name, words in (("text.mp4", "is a text file"), ("cut.mp4", "lacks its index (moov)"),
                        ("segment.m4s", "without its initialisation"), ("cenc.mp4", "is encrypted"),
                        ("sample_aes.ts", "is encrypted, and fovea has no keys: decrypt it first"),
                        ("codec.mp4", "(xyz1)")):
        err = said("a.mp4", name)
        check(words in err and "atom" not in err and "trun" not in err, f"{name}: {err}")
    write("joined.mp4", read("init.mp4") + read("segment.m4s"))
    check("Every sample" in fovea("score", "a.mp4", "joined.mp4", "-m", "psnr")[0], "the remedy of a segment")


@case
def decode_recommends_what_it_has():
    ffmpeg(*SOURCE, "-frames:v", "2", "-pix_fmt", "gbrp", "-c:v", "ffv1", "rgb.mkv")
    err = fovea("decode", "rgb.mkv", "--md5", status=INPUT)[1]
    found = re.search(r"(--convert rgb)", err)
    check(found and "--matrix" not in err, err)
    fovea("decode", "rgb.mkv", "--md5", *found.group(1).split())


MEANT = (("-m", "ssim", "float_ssim"), ("-m", "ms_ssim", "float_ms_ssim"), ("-m", "ms-ssim", "float_ms_ssim"),
         ("-m", "sism", "float_ssim"), ("-m", "vmaf_neg", "vmaf=version=vmaf_v0.6.1neg"),
         ("-m", "vmaf_v0.6.1", "vmaf=version=vmaf_v0.6.1"), ("-m", "pnsr", "psnr"), ("-m", "cvvpd", "cvvdp"),
         ("-m", "ciede2000", "ciede"), ("--vmaf", None, "--metric vmaf"), ("--feature", "psnr", "--metric"),
         ("--psnr", None, "--metric psnr"), ("--ssim", None, "--metric float_ssim"),
         ("--n_threads", "2", "--threads"), ("--metrci", "psnr", "--metric"),
         ("--ms-ssim", None, "--metric float_ms_ssim"))


@case
def did_you_mean_knows_exchanged_letters_and_other_programs():
    for option, value, meant in MEANT:
        err = fovea("score", "ref.y4m", "dis.y4m", option, *([value] if value else []), status=USAGE)[1]
        check(f"did you mean '{meant}'" in err, f"{option} {value}: {err}")
        words = meant.split() if meant.startswith("--") else ["-m", meant]
        if len(words) == 2 and "vmaf" not in meant and "ms_ssim" not in meant and "cvvdp" not in meant:
            fovea("score", "ref.y4m", "dis.y4m", *words, "--device", "cpu", "-q")
    fovea("score", "ref.y4m", "dis.y4m", "-m", "all", status=USAGE, says="name those that count")
    fovea("version", status=USAGE, says="fovea --version")


if __name__ == "__main__":
    run()
