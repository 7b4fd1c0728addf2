"""Scores pairs of files made by FFmpeg: each gives the score of the same pair prepared by hand, or a refusal with a
remedy."""

import math
import os
import subprocess
from fractions import Fraction

import clip
from command import FOVEA, INPUT, PARTIAL, USAGE, case, check, ffmpeg, fovea, read, report, run, write


def source(name, *args, frames=40, size="96x64", rate="25"):
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r={rate}", "-frames:v", str(frames), *args, name)
    return name


LOSSLESS = ("-c:v", "ffv1", "-pix_fmt", "yuv420p")
X264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")


def psnr(ref, dis, *args, **more):
    out = fovea("score", "-r", ref, "-d", dis, "--metric", "psnr", "-o", "x.json", *args, **more)
    return out if more.get("status") else report("x.json")


@case
def joined_transport_streams_are_read_to_their_end():
    source("a.ts", *X264, frames=12)
    write("ab.ts", read("a.ts") * 2)
    lines = fovea("decode", "ab.ts", "--md5")[0].split()
    check(len(lines) == 24 and lines[:12] == lines[12:], f"{len(lines)} frames")
    write("cut.ts", read("a.ts")[:-1880] + read("a.ts")[3760:])
    psnr("cut.ts", "cut.ts", status=PARTIAL, says="cut.ts")


@case
def video_streams_are_chosen():
    source("one.mkv", *LOSSLESS, frames=5)
    source("two.mkv", "-vf", "negate", *LOSSLESS, frames=5)
    ffmpeg("-i", "one.mkv", "-i", "two.mkv", "-map", "0:v", "-map", "1:v", "-c", "copy", "both.mkv")
    value = psnr("both.mkv", "two.mkv", "--stream-ref", "2")
    check(value["pooled"]["psnr_y"]["min"] == 60, "another stream is read")
    check(value["inputs"]["reference"]["stream"] == 2 and value["inputs"]["reference"]["streams"] == 2, "not told")
    value = psnr("both.mkv", "one.mkv")
    check(value["pooled"]["psnr_y"]["min"] == 60, "not the first stream")
    check("the reference is video stream 1 of the 2 in its file: `reference.stream` "
          "names another" in value["decisions"],
          f"{value['decisions']}")
    psnr("both.mkv", "two.mkv", "--stream-ref", "3", status=INPUT, says="has no video stream 3")


@case
def tags_are_compared():
    tags = {"709": ("bt709", "bt709", "bt709"), "pq": ("bt2020", "smpte2084", "bt2020nc")}
    for name, (primaries, transfer, matrix) in tags.items():
        source(name + ".mkv", "-vf", "format=yuv420p", "-color_primaries", primaries, "-color_trc", transfer,
               "-colorspace", matrix, "-color_range", "tv", *X264, frames=3)
    source("none.mkv", *X264, frames=3)
    psnr("709.mkv", "pq.mkv", status=INPUT, says="transfer")
    psnr("709.mkv", "pq.mkv", "--transfer-dis", "bt709", status=INPUT, says="primaries")
    psnr("709.mkv", "pq.mkv", "--ignore-colour")
    value = psnr("pq.mkv", "none.mkv")
    check(any("taken to be pq" in text for text in value["decisions"]), f"{value['decisions']}")
    check(value["inputs"]["reference"]["transfer"] == "pq", "the transfer is not told")
    source("full.mkv", "-vf", "scale=out_range=full", "-color_range", "pc", *X264, frames=3)
    psnr("full.mkv", "709.mkv", status=INPUT, says="--convert range")
    psnr("full.mkv", "none.mkv", status=INPUT, says="--range-dis")
    psnr("full.mkv", "709.mkv", "--convert", "range")


@case
def geometry_is_for_raw_files():
    source("a.mp4", *X264, frames=3)
    ffmpeg("-i", "a.mp4", "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "a.yuv")
    value = psnr("a.yuv", "a.mp4", "-w", "96", "-h", "64", "-p", "420", "-b", "10")
    check(value["pooled"]["psnr_y"]["min"] > 50, "other samples")


@case
def alpha_is_in_the_sums_whoever_decodes():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25,format=yuva444p10le", "-frames:v", "3", "-c:v", "prores_ks",
           "-profile:v", "4444", "-alpha_bits", "16", "a.mov")
    ours = fovea("decode", "a.mov", "--md5")[0].split()
    theirs = fovea("decode", "a.mov", "--md5", "--decoder", "prores=libavcodec")[0].split()
    ffmpeg("-i", "a.mov", "-c:v", "prores_ks", "-profile:v", "4444", "-alpha_bits", "0", "b.mov")
    check(len(ours) == len(theirs) == 3, "not three sums")
    for decoder in ("fovea", "libavcodec"):
        told = psnr("a.mov", "a.mov", "--decoder", f"prores={decoder}")["decisions"]
        check("the alpha of the reference is left out: it is Y'CbCr" in told, f"{decoder}: {told}")
    plain = fovea("decode", "b.mov", "--md5", "--decoder", "prores=libavcodec")[0].split()
    check(theirs != plain, "alpha is left out")


@case
def offsets_drops_and_telecine():
    source("long.mkv", *LOSSLESS, frames=60)
    source("noisy.mkv", *X264, "-crf", "30", frames=60)
    for late in (3, 17):
        ffmpeg("-i", "noisy.mkv", "-vf", f"trim=start_frame={late},setpts=PTS-STARTPTS", *LOSSLESS, "late.mkv")
        hand = psnr("long.mkv", "late.mkv", "--frame-skip-ref", str(late))
        check(psnr("long.mkv", "late.mkv", "--align", "auto")["frames"] == hand["frames"], f"late by {late}")
        hand = psnr("late.mkv", "long.mkv", "--frame-skip-dist", str(late))
        check(psnr("late.mkv", "long.mkv", "--align", "auto")["frames"] == hand["frames"], f"early by {late}")
        check(report("x.json")["alignment"]["offset"] == -late, f"{report('x.json')['alignment']}")
    ffmpeg("-i", "noisy.mkv", "-vf", "select='not(between(n,20,22))',setpts=N/25/TB", *LOSSLESS, "drop.mkv")
    psnr("long.mkv", "drop.mkv", "--align", "auto", status=INPUT, says="--align map")
    value = psnr("long.mkv", "drop.mkv", "--align", "map")
    check(len(value["frames"]) == 57, "not 57 pairs")
    check([event["what"] for event in value["alignment"]["events"]] == ["drop"], f"{value['alignment']}")
    value = psnr("long.mkv", "drop.mkv", "--align", "time")["alignment"]
    check(value == {"mode": "time", "pairs": 57, "unpaired": 0, "repeated": 0, "dropped": 0}, f"{value}")
    ffmpeg("-i", "long.mkv", "-vf", "telecine", *LOSSLESS, "film.mkv")
    psnr("long.mkv", "film.mkv", "--align", "map", status=INPUT, says="cannot be aligned")
    ffmpeg("-i", "long.mkv", "-vf", "loop=59:1:0,trim=end_frame=60,setpts=N/25/TB", *LOSSLESS, "still.mkv")
    psnr("still.mkv", "still.mkv", "--align", "auto", status=INPUT, says="static")


@case
def lengths_are_told_at_the_start():
    source("a.mp4", *X264, frames=12)
    source("b.mp4", *X264, frames=10)
    psnr("a.mp4", "b.mp4", status=INPUT, says=["a.mp4 has 12 frames to compare", "--align map", "--shortest"])
    check(not os.path.exists("x.json"), "something was scored")
    check(len(psnr("a.mp4", "b.mp4", "--shortest")["frames"]) == 10, "not ten frames")
    for ending in ("mkv", "flv"):
        source("b." + ending, *X264, frames=8)
        warned = psnr("a.mp4", "b." + ending, status=PARTIAL, says="state 0.480 s to compare")[1]
        check("0.320 s" in warned, warned)
        check(not any("promise" in text for text in psnr("a.mp4", "b." + ending, "--shortest")["decisions"]), ending)
        source("c." + ending, *X264, frames=12)
        check(not any("promise" in text for text in psnr("a.mp4", "c." + ending)["decisions"]), f"c.{ending}")


@case
def missing_ends_are_told():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32:r=25,format=gray", "-frames:v", "9", "-start_number", "1",
           "g%02d.png")
    os.remove("g05.png")
    psnr("g%02d.png", "g%02d.png", status=INPUT, says="g05.png is missing, and the sequence has 8 images")
    for ending in ("mkv", "webm"):
        codec = ("-c:v", "libvpx", "-b:v", "200k") if ending == "webm" else X264
        source("whole." + ending, *codec, frames=40)
        whole = read("whole." + ending)
        for tenth in range(1, 10):
            write("cut." + ending, whole[:len(whole) * tenth // 10])
            fovea("decode", "cut." + ending, "-o", "cut.y4m", status=INPUT, says="cut." + ending)
        check(len(fovea("decode", "whole." + ending, "--md5")[0].split()) == 40, ending)


@case
def what_a_file_in_parts_says_of_its_end():
    """A cut between two parts is noticed if the file has a list of all parts or marks its last one. Without either it
    goes unnoticed."""
    for name, mark, back, told, *options in (
            ("listed.mp4", b"moof", 4, True, *X264, "-g", "4",
             "-movflags", "frag_keyframe+empty_moov+default_base_moof+global_sidx"),
            ("parts.mp4", b"moof", 4, False, *X264, "-g", "4", "-movflags", "frag_keyframe+empty_moov"),
            ("live.mkv", b"\x1f\x43\xb6\x75", 0, False, *X264, "-g", "4", "-live", "1"),
            ("a.ogv", b"OggS", 0, True, "-c:v", "libtheora", "-g", "4")):
        source(name, "-pix_fmt", "yuv420p", *options, frames=20)
        check(len(fovea("decode", name, "--md5")[0].split()) == 20, name)
        data, at = read(name), -1
        for _ in range(3):
            at = data.index(mark, at + 1)
        end = "cut." + name.split(".")[1]
        write(end, data[:data.index(mark, at + 1) - back])
        if told:
            fovea("decode", end, "-o", "cut.y4m", status=INPUT, says=(end, "bytes are missing"))
        else:
            check(len(psnr(end, end)["frames"]) >= 4, f"{end} lacks nothing that it states")


@case
def scaled_like_ffmpeg():
    """The result is close to FFmpeg's bicubic filter, which steps its positions more coarsely."""
    source("big.mkv", *LOSSLESS, frames=2, size="192x128")
    ffmpeg("-i", "big.mkv", "-vf", "scale=96:64:flags=bicubic+accurate_rnd", *LOSSLESS, "small.mkv")
    ffmpeg("-i", "small.mkv", "-vf", "scale=192:128:flags=bicubic+accurate_rnd", *LOSSLESS, "back.mkv")
    ours = psnr("big.mkv", "small.mkv", "--scale", "dis")["pooled"]["psnr_y"]["mean"]
    theirs = psnr("big.mkv", "back.mkv")["pooled"]["psnr_y"]["mean"]
    check(abs(ours - theirs) < 0.05, f"{ours} dB, and {theirs} dB with FFmpeg's scaler")
    psnr("big.mkv", "small.mkv", status=INPUT, says="--scale dis")


@case
def shifted_frames_are_told():
    source("long.mkv", *LOSSLESS, frames=60)
    ffmpeg("-i", "long.mkv", "-vf", "trim=start_frame=3,setpts=PTS-STARTPTS", *X264, "-crf", "32", "late.mkv")
    for args, words in ((("long.mkv", "late.mkv"), "reference.frame_skip=3"),
                        (("late.mkv", "long.mkv"), "distorted.frame_skip=3")):
        told = [text for text in psnr(*args, "--shortest")["decisions"] if "look shifted" in text]
        check(told and words in told[0], f"{args}: {told}")
        side = "--frame-skip-ref 3" if words[0] == "r" else "--frame-skip-dis 3"
        fovea("score", *args, "-m", "psnr",
              "--shortest", says=[f"--align auto pairs them by what they show, {side} with --shortest by hand"])
    for args in (("long.mkv", "long.mkv"), ("long.mkv", "late.mkv", "--frame-skip-ref", "3"),
                 ("long.mkv", "late.mkv", "--align", "auto")):
        told = [text for text in psnr(*args)["decisions"] if "look shifted" in text]
        check(not told, f"{args}: {told}")


@case
def bars_are_found_over_the_clip():
    """The video fades in, so its first frame alone would show bars that are too wide. The bars found end at chroma
    samples."""
    source("whole.mkv", "-vf", "fade=in:0:10", *LOSSLESS)
    ffmpeg("-i", "whole.mkv", "-vf", "crop=80:40:10:12,format=yuv444p,pad=96:64:8:11", *LOSSLESS, "bars.mkv")
    ffmpeg("-i", "whole.mkv", "-vf", "crop=80:40:10:12", *LOSSLESS, "inside.mkv")
    value = psnr("inside.mkv", "bars.mkv", "--crop-dis", "80:42:8:10", "--scale", "dis", "--stretch")
    found = psnr("inside.mkv", "bars.mkv", "--crop-dis", "auto", "--scale", "dis")
    check(found["frames"] == value["frames"], "other scores than by hand")
    words = "10 rows at the top, 12 at the bottom, 8 columns at the left and 8"
    check(any(words in text for text in found["decisions"]), f"{found['decisions']}")
    value = psnr("whole.mkv", "whole.mkv", "--crop-ref", "auto")
    check(any("has no bars" in text for text in value["decisions"]), f"{value['decisions']}")
    ffmpeg("-i", "bars.mkv", "-frames:v", "7", *LOSSLESS, "short.mkv")
    psnr("short.mkv", "short.mkv", "--crop-ref", "auto", status=INPUT, says="which takes 8")


@case
def parts_are_pooled():
    source("a.mkv", *LOSSLESS, frames=20)
    source("b.mkv", "-vf", "negate", *LOSSLESS, frames=25)
    ffmpeg("-i", "a.mkv", "-i", "b.mkv", "-filter_complex", "[0][1]concat=n=2:v=1", *LOSSLESS, "two.mkv")
    ffmpeg("-i", "two.mkv", *X264, "-crf", "35", "coded.mkv")
    value = psnr("two.mkv", "coded.mkv", "--scenes", "--intervals", "0.5")
    scenes = [(part["frame"], part["frame_count"]) for part in value["scenes"]]
    check(scenes == [(0, 20), (20, 25)], f"scenes are {scenes}")
    check([part["frame"] for part in value["intervals"]] == [0, 13, 25, 38], "other intervals")
    scores = [frame["metrics"]["psnr_y"] for frame in value["frames"]]
    for part in value["scenes"] + value["intervals"]:
        own = scores[part["frame"]:part["frame"] + part["frame_count"]]
        check(part["pooled"]["psnr_y"]["min"] == min(own), "another minimum")
        check(abs(part["pooled"]["psnr_y"]["mean"] - sum(own) / len(own)) < 1e-9, "another mean")
    value = psnr("two.mkv", "coded.mkv", "--scenes", "--subsample", "15")
    check([(part["frame"], part["frame_count"]) for part in value["scenes"]] == [(0, 2), (30, 1)], "other scenes")


def to_ycbcr(rgb, depth, red, blue):
    """Converts (R, G, B) pixels to planes by exact fractions, rounded half up."""
    unit, peak = 1 << (depth - 8), (1 << depth) - 1
    planes = [], [], []
    for r, g, b in rgb:
        light = red * r + (1 - red - blue) * g + blue * b
        for plane, base, value in ((0, 16, 219 * light), (1, 128, 112 * (b - light) / (1 - blue)),
                                   (2, 128, 112 * (r - light) / (1 - red))):
            planes[plane].append(base * unit + math.floor(value * unit / peak + Fraction(1, 2)))
    return planes


@case
def pictures_are_converted_unasked():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32,format=rgb24", "-frames:v", "1", "a.png")
    ffmpeg("-i", "a.png", "-pix_fmt", "yuvj420p", "-q:v", "4", "b.jpg")
    ffmpeg("-r", "1", "-i", "a.png", "-pix_fmt", "yuv444p", "-color_range", "tv", "-colorspace", "bt709",
           "-c:v", "ffv1", "one.mov")
    for more in ((), ("--convert", "all")):
        fovea("score", "a.png", "b.jpg", "-m", "psnr", *more, "-o", f"{len(more)}.json", "-q")
    write("same.png", read("a.png"))
    check("Every sample is equal." in "".join(fovea("score", "a.png", "same.png", "-m", "psnr")),
          "no sentence of equality")
    value = report("0.json")
    check(value["frames"] == report("2.json")["frames"], "other scores than with --convert all")
    for words in ("reference was converted from RGB", "by the matrix of bt470bg", "from full to limited range",
                  "from 4:2:0"):
        check(any(words in text for text in value["decisions"]), f"{words}: {value['decisions']}")
    fovea("score", "a.png", "b.jpg", "-m", "psnr", "--convert", "range", status=INPUT, says="--convert rgb")
    fovea("score", "a.png", "one.mov", "-m", "psnr", status=INPUT, says="--convert rgb")
    # The two videos have frame rates of 25/1 and 1/1.
    fovea("score", "a.png", "one.mov", "-m", "psnr", "--convert", "rgb", "-q", "-o", "rate.json")


@case
def rgb_is_converted_exactly():
    for name, depth, codec in (("rgb24", 8, "png"), ("rgb48le", 16, "png"), ("gbrp10le", 10, "ffv1")):
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=48x32:r=25,format={name}", "-frames:v", "2",
               "-c:v", codec, "rgb.mkv")
        psnr("rgb.mkv", "rgb.mkv", status=INPUT, says="--convert rgb")
        ffmpeg("-i", "rgb.mkv", "-vf", f"format={name}", "-f", "rawvideo", "-pix_fmt", name, "rgb.bin")
        stored, size = read("rgb.bin"), 2 if depth > 8 else 1
        values = [int.from_bytes(stored[i:i + size], "little") for i in range(0, len(stored), size)]
        for code, red, blue in (("bt709", "0.2126", "0.0722"), ("smpte170m", "0.299", "0.114")):
            frames = b""
            for i in range(2):
                frame = values[i * 48 * 32 * 3:(i + 1) * 48 * 32 * 3]
                if name.startswith("gbr"):
                    third = len(frame) // 3
                    pixels = zip(frame[2 * third:], frame[:third], frame[third:2 * third])
                else:
                    pixels = zip(frame[::3], frame[1::3], frame[2::3])
                planes = to_ycbcr(pixels, depth, Fraction(red), Fraction(blue))
                frames += b"FRAME\n" + b"".join(v.to_bytes(size, "little") for plane in planes for v in plane)
            tag = "" if depth == 8 else f"p{depth}"
            write("own.y4m", f"YUV4MPEG2 W48 H32 F25:1 C444{tag} XCOLORRANGE=LIMITED\n".encode() + frames)
            value = psnr("own.y4m", "rgb.mkv", "--convert", "rgb", "--matrix-dis", code)
            check(all(value["pooled"][plane]["min"] >= 6 * depth + 12 for plane in ("psnr_y", "psnr_cb", "psnr_cr")),
                  f"{name}, {code}: {value['pooled']}")
            check(any("from RGB" in text and code in text for text in value["decisions"]), f"{value['decisions']}")


@case
def sequences_of_images_are_read():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32:r=25,format=gray", "-frames:v", "3", "-start_number", "2",
           "i%03d.png")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32:r=25,format=gray", "-frames:v", "3", "-c:v", "ffv1", "i.mkv")
    value = psnr("i%03d.png", "i.mkv", "--range-dis", "full")
    check(len(value["frames"]) == 3 and value["pooled"]["psnr_y"]["min"] == 60, f"{value['pooled']}")
    check(value["inputs"]["reference"]["path"] == "i%03d.png", f"{value['inputs']}")
    psnr("none%d.png", "i.mkv", status=INPUT, says="matches no file")
    for name, pixels in (("t%04d.tif", "rgb24"), ("w%d.tif", "rgb48le"), ("d%04d.dpx", "gbrp10be"),
                         ("b%06d.dpx", "rgb24")):
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=48x32:r=25,format={pixels}", "-frames:v", "3",
               "-start_number", "998", name)
        value = psnr(name, name, "--convert", "rgb")
        check(len(value["frames"]) == 3 and value["pooled"]["psnr_y"]["min"] >= 60, f"{name}: {value['pooled']}")
    write("t0999.tif", read("t0999.tif")[:-2000])
    psnr("t%04d.tif", "t%04d.tif", "--convert", "rgb", status=PARTIAL, says="frame 1")


@case
def no_output_replaces_an_image_of_a_sequence():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32:r=25,format=gray", "-frames:v", "100", "-start_number", "0",
           "q%03d.png")
    os.symlink("q070.png", "link.png")
    before = [read(f"q{i:03}.png") for i in range(100)]
    for name in ("q000.png", "q002.png", "q099.png", "link.png", "./q064.png"):
        fovea("score", "-r", "q%03d.png", "-d", "q%03d.png", "-m", "psnr", "--format", "json", "-o", name,
              status=USAGE, says=f"{name} would overwrite the input q%03d.png; name another file")
        fovea("decode", "q%03d.png", "-o", name, status=USAGE, says=name)
    check([read(f"q{i:03}.png") for i in range(100)] == before, "an image changed")
    fovea("decode", "q%03d.png", "-o", "q100.y4m")


@case
def the_display_follows_the_tag():
    source("pq.mkv", "-vf", "scale=320:240,format=yuv420p10le", "-c:v", "ffv1", "-color_trc", "smpte2084", frames=2)

    def cambi(metric):
        fovea("score", "-d", "pq.mkv", "--metric", metric, "-o", "x.json")
        return [frame["metrics"]["cambi"] for frame in report("x.json")["frames"]]
    check(cambi("cambi") == cambi("cambi=eotf=pq") != cambi("cambi=eotf=bt1886"), "not the display of PQ")


@case
def frames_of_y4m_need_nothing():
    write("plain.y4m", clip.y4m(extra=" XCOLORRANGE=LIMITED"))
    check(not psnr("plain.y4m", "plain.y4m")["decisions"], "something was decided")


@case
def film_grain():
    """Without its film grain, AV1 video equals what libavcodec decodes when it leaves the grain to its caller."""
    clip_of = ("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-frames:v", "4", "-pix_fmt", "yuv420p")
    ffmpeg(*clip_of, "-c:v", "libaom-av1", "-cpu-used", "8", "-aom-params", "film-grain-test=3", "grain.mkv")
    ffmpeg("-export_side_data", "film_grain", "-c:v", "libdav1d", "-i", "grain.mkv", "plain.y4m")
    for more in (["--film-grain", "off"], ["--film-grain-dis", "off"],
                 ["--film-grain", "on", "--film-grain-dis", "off"], ["--film-grain", "off", "--device", "cpu,cpu"]):
        value = psnr("plain.y4m", "grain.mkv", *more)
        check(value["pooled"]["psnr_y"]["min"] == 60, f"{more}: {value['pooled']['psnr_y']}")
        check("the distorted video was decoded without film grain" in value["decisions"], f"{value['decisions']}")
    for more in ([], ["--film-grain-ref", "off"], ["--film-grain", "off", "--film-grain-dis", "on"]):
        value = psnr("plain.y4m", "grain.mkv", *more)
        check(value["pooled"]["psnr_y"]["max"] < 60, f"{more} leaves grain out")
        check(not any("grain" in text for text in value["decisions"]), f"{more}: {value['decisions']}")
    sums = [fovea("decode", name, "--md5", *more)[0] for name, more in
            (("plain.y4m", []), ("grain.mkv", ["--film-grain", "off"]), ("grain.mkv", []))]
    check(sums[0] == sums[1] != sums[2], "fovea decode and the grain")


def grain_message(hevc):
    """Returns a message of ITU-T H.274, 8.5: grain of one strength in all of luma."""
    text = "0" + "00" + "0" + "00" + format(2, "04b") + "100"  # model: frequency filtering; blending: additive
    text += format(0, "08b") + format(2, "03b") + format(0, "08b") + format(255, "08b")
    for value in (120, 8, 8):  # values: strength and both cut-off frequencies, as signed Exp-Golomb codes
        code = format(2 * value, "b")
        text += "0" * (len(code) - 1) + code
    text += "1"  # the message persists; in H.264: until another message comes
    text += "1" + "0" * (-(len(text) + 1) % 8)
    payload = int(text, 2).to_bytes(len(text) // 8, "big")
    body, zeros = b"", 0
    for byte in (b"\x4e\x01" if hevc else b"\x06") + bytes([19, len(payload)]) + payload + b"\x80":
        body += (b"\x03" if zeros >= 2 and byte <= 3 else b"") + bytes([byte])
        zeros = 0 if byte else zeros + 1
    return b"\0\0\0\1" + body


def with_grain(name, made, hevc):
    """Writes the stream with a message in front of each picture."""
    units = read(name).replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")[1:]
    pictures = range(32) if hevc else (1, 5)
    return write(made,
                 b"".join((grain_message(hevc) if (unit[0] >> 1 if hevc else unit[0] & 31) in pictures else b"") +
                          b"\0\0\0\1" + unit for unit in units))


@case
def film_grain_of_messages():
    """With --film-grain off, H.264 and HEVC give the pictures of the stream without messages. With on, the decoder
    adds grain, or fovea reports that it does not."""
    for hevc, encoder, extension in ((False, ["-c:v", "libx264", "-x264-params", "slices=1:sliced-threads=0"],
                                      "h264"),
                                     (True, ["-c:v", "libx265", "-x265-params", "log-level=none"], "hevc")):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x192:r=25", "-frames:v", "6", "-pix_fmt", "yuv420p", *encoder,
               "plain." + extension)
        with_grain("plain." + extension, "grain." + extension, hevc)
        for name in ("plain", "grain"):
            ffmpeg("-r", "25", "-i", f"{name}.{extension}", "-c", "copy", f"{name}.{extension}.mp4")
        for end in (extension, extension + ".mp4"):
            plain, grain = f"plain.{end}", f"grain.{end}"
            sums = [fovea("decode", name, "--md5", *more)[0] for name, more in
                    ((plain, []), (grain, ["--film-grain", "off"]), (grain, []))]
            check(sums[0] == sums[1] != sums[2], f"{grain}: grain is {'left' if sums[0] != sums[1] else 'missing'}")
            value = psnr(plain, grain, "--film-grain", "off")
            check(value["pooled"]["psnr_y"]["min"] == 60, f"{grain}: {value['pooled']['psnr_y']}")
            check("the distorted video was decoded without film grain" in value["decisions"], f"{value['decisions']}")
            value = psnr(plain, grain)
            check(value["pooled"]["psnr_y"]["max"] < 60, f"{grain} has no grain")


@case
def containers_cut_at_each_tenth():
    """No cut file passes as a complete video. The frames before the cut are the video's, except the last frame of
    formats that store no lengths."""
    for name, *encoder in (("a.mp4", *X264, "-movflags", "+faststart"), ("a.mov", *X264),
                           ("p.mov", "-c:v", "prores_ks", "-movflags", "+faststart"), ("a.mkv", *X264),
                           ("a.avi", *X264), ("a.flv", *X264), ("a.ts", *X264), ("a.webm", "-c:v", "libvpx"),
                           ("a.ivf", "-c:v", "libvpx-vp9", "-cpu-used", "8"), ("b.ts", "-c:v", "mpeg2video"),
                           ("a.mxf", "-c:v", "mpeg2video"), ("a.y4m",),
                           ("f.mp4", *X264, "-g", "4", "-movflags", "frag_keyframe+empty_moov"),
                           ("f.mov", *X264, "-g", "4", "-movflags", "frag_keyframe"),
                           ("f.mkv", *X264, "-g", "4", "-live", "1"), ("a.wmv", "-c:v", "wmv2"), ("a.nut", *X264),
                           ("a.ogv", "-c:v", "libtheora"), ("a.obu", "-c:v", "libsvtav1", "-preset", "12")):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-frames:v", "20", "-pix_fmt", "yuv420p",
               *encoder, name)
        whole = fovea("decode", name, "--md5")[0].split()
        data = read(name)
        check(len(whole) == 20, f"{name}: {len(whole)} frames")
        for tenth in range(1, 10):
            end = len(data) * tenth // 10
            # Moves a cut that falls between two transport packets, where nothing would be missing.
            write("cut." + name.split(".")[1], data[:end + (end % 188 == 0)])
            done = subprocess.run([FOVEA, "decode", "cut." + name.split(".")[1], "--md5"], capture_output=True,
                                  check=False)
            frames = done.stdout.decode().split()
            check(done.returncode in (INPUT, PARTIAL),
                  f"{name} cut at {tenth} tenths: {done.returncode}, {len(frames)} frames")
            check(frames[:-1] == whole[:len(frames)][:-1], f"{name} cut at {tenth} tenths gives other frames")


run()
