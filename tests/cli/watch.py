"""Videos that do not show the same frames are told, at their place, and those that do are not."""

import math
import random

import clip
from command import INPUT, PARTIAL, USAGE, Skipped, case, check, ffmpeg, fovea, report, run, write

WIDTH, HEIGHT, FRAMES = 192, 108, 120
TEXTURE = 2 * WIDTH


def texture():
    """Two layers of smooth noise."""
    generator = random.Random(5)
    rows = [[125.0] * TEXTURE for _ in range(TEXTURE)]
    for step, strength in ((32, 60), (8, 30)):
        knots = [[generator.uniform(-strength, strength) for _ in range(TEXTURE // step + 2)]
                 for _ in range(TEXTURE // step + 2)]
        for y in range(TEXTURE):
            above, below, down = knots[y // step], knots[y // step + 1], y % step / step
            line = [a + (b - a) * down for a, b in zip(above, below)]
            rows[y] = [value + line[x // step] + (line[x // step + 1] - line[x // step]) * (x % step) / step
                       for x, value in enumerate(rows[y])]
    return [bytes(max(20, min(230, int(value))) for value in row) for row in rows]


def pan(count, speed=1.0):
    rows = pan.texture = getattr(pan, "texture", None) or texture()
    for i in range(count):
        left = int(WIDTH / 2 + 80 * math.sin(speed * i / 17))
        top = int(HEIGHT + 60 * math.sin(speed * i / 23 + 1))
        yield b"".join(row[left:left + WIDTH] for row in rows[top:top + HEIGHT])


def video(name, lumas, rate="25:1"):
    chroma = bytes([128]) * (WIDTH * HEIGHT // 2)
    return write(name, clip.header(WIDTH, HEIGHT, rate=rate) + b"".join(b"FRAME\n" + y + chroma for y in lumas))


def each_row(luma, change):
    return b"".join(change([luma[y * WIDTH:(y + 1) * WIDTH] for y in range(HEIGHT)]))


def warnings(ref, dis, *args, **more):
    fovea("score", ref, dis, "--metric", "psnr", "--device", "cpu", "-o", "x.json", *args, **more)
    return [text[9:] for text in report("x.json")["decisions"] if text.startswith("warning: ")]


def tells(frames, *words):
    video("d.y4m", frames)
    told = warnings("r.y4m", "d.y4m")
    check(len(told) == len(words), f"{words}: {told}")
    for text, word in zip(told, words):
        check(word in text, f"not '{word}' but '{text}'")


def is_quiet(ref, dis, *args):
    told = warnings(ref, dis, *args)
    check(not told, f"{ref} {dis} {args}: {told}")


@case
def places_where_the_videos_part_are_told():
    frames = list(pan(FRAMES + 30))
    video("r.y4m", frames[:FRAMES])
    for at in (3, 50, 100):
        for count in (1, 2) if at == 100 else (1, 2, 7, 25):
            s = "" if count == 1 else "s"
            ahead = f"from frame {at} on the distorted video is {count} frame{s} ahead of the reference: --align map"
            tells((frames[:at] + frames[at + count:])[:FRAMES], ahead)
            late = (frames[:at] + frames[at - 1:at] * count + frames[at:])[:FRAMES]
            if count < 12:
                tells(late, f"from frame {at} on the distorted video is {count} frame{s} behind the reference")
            else:
                tells(late, f"stands still in frames {at} to {at + count - 1} while the reference moves; then it is "
                            f"{count} frames behind the reference: --align map")
        tells(frames[:at] + frames[at - 1:at] * 12 + frames[at + 12:FRAMES],
              f"the distorted video stands still in frames {at} to {at + 11} while the reference moves")
    tells(frames[:40] + frames[41:80] + frames[79:FRAMES], "from frame 40 on the distorted video is 1 frame ahead",
          "from frame 79 on the distorted video is in step with the reference again")
    tells(frames[:FRAMES - 14] + frames[FRAMES - 15:FRAMES - 14] * 14, f"stands still in frames {FRAMES - 14} to")
    tells(frames[3:FRAMES + 3], "frames look shifted by 3")
    dropped = [frame for i, frame in enumerate(frames) if i % 17 != 16][:FRAMES]
    tells(dropped, "from frame 16 on the distorted video is 1 frame ahead", "from frame 32 on", "from frame 48 on",
          "from frame 64 on", "from frame 80 on the distorted video is 5 frames ahead of the reference: --align map "
          "pairs frames by what they show; the videos part at 1 more place")


@case
def wrong_pictures_are_told():
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    black = bytes([16]) * (WIDTH * HEIGHT)
    for at in (0, 60, FRAMES - 3):
        tells(frames[:at] + [black] * 3 + frames[at + 3:],
              f"the distorted video is black in frames {at} to {at + 2}, and the reference is not")
    tells(frames[:60] + [bytes([90]) * (WIDTH * HEIGHT)] + frames[61:], "the distorted video is of one colour in frame 60")
    tells([each_row(y, lambda rows: [row[::-1] for row in rows]) for y in frames], "mirrored left to right")
    tells([each_row(y, reversed) for y in frames], "mirrored top to bottom")
    tells([y[::-1] for y in frames], "turned by 180 degrees: --rotate-dis 180")
    tells([bytes([16]) * (14 * WIDTH) + y[14 * WIDTH:-14 * WIDTH] + bytes([16]) * (14 * WIDTH) for y in frames],
          "the distorted video has black bars at the top and at the bottom, where the reference has a picture: "
          "--crop-dis auto")
    side = bytes([16]) * 24
    video("d.y4m", [each_row(y, lambda rows: [side + row[24:-24] + side for row in rows]) for y in frames])
    told = warnings("d.y4m", "r.y4m")
    check(len(told) == 1 and "the reference has black bars at the left and at the right" in told[0], f"{told}")
    is_quiet("d.y4m", "d.y4m")


@case
def everything_that_looks_at_the_videos_tells_the_same():
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    video("d.y4m", frames[:50] + frames[51:] + frames[-1:])
    expected = warnings("r.y4m", "d.y4m", "--threads", "1")
    check(len(expected) == 1, f"{expected}")
    for args in (("--threads", "2"), ("--threads", "4"), ("--subsample", "5"), ("--isa", "scalar"), ("--metric", "motion"),
                 ("--convert", "all"), ("--scale", "96x54")):
        check(warnings("r.y4m", "d.y4m", *args) == expected, f"{args} tell otherwise")
    is_quiet("r.y4m", "d.y4m", "--align", "map")
    is_quiet("r.y4m", "d.y4m", "--frames", "45")
    is_quiet("r.y4m", "d.y4m", "--frame-skip-ref", "52", "--frame-skip-dist", "51", "--shortest")
    video("d.y4m", frames[:50] + frames[51:])
    is_quiet("r.y4m", "d.y4m", "--align", "time")


@case
def strict_refuses():
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    video("d.y4m", frames[:50] + frames[51:] + frames[-1:])
    fovea("score", "r.y4m", "r.y4m", "--metric", "psnr", "--strict")
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--strict", "-o", "x.json", status=PARTIAL,
          says="refused by --strict: from frame 50 on")
    value = report("x.json")
    check(value["partial"] and value["frame_count"] == FRAMES, "the scores are not kept")
    fovea("score", "r.y4m", "d.y4m", "--strict", "--resume", "-o", "x.json", status=USAGE, says="leave out --resume")
    fovea("score", "r.y4m", "d.y4m", "--strict", "--device", "cpu,cpu", status=USAGE, says="name one device")
    ffmpeg("-i", "r.y4m", "-c:v", "ffv1", "r.mkv")
    ffmpeg("-i", "r.y4m", "-frames:v", "90", "-c:v", "ffv1", "d.mkv")
    fovea("score", "r.mkv", "d.mkv", "--metric", "psnr", "--strict", status=INPUT, says="refused by --strict: the videos "
          "seem to have unequal lengths")


def still(count):
    return list(pan(1)) * count


def noise(count, base=None, strength=40):
    generator = random.Random(7)
    for i in range(count):
        dither = generator.randbytes(WIDTH * HEIGHT)
        luma = base[i] if base else bytes([128]) * (WIDTH * HEIGHT)
        yield bytes(max(16, min(235, a + b * strength // 256 - strength // 2)) for a, b in zip(luma, dither))


def fade(frames):
    for i, luma in enumerate(frames):
        table = bytes(16 + max(0, v - 16) * min(i, 40) // 40 for v in range(256))
        yield luma.translate(table)


def flash(frames):
    for i, luma in enumerate(frames):
        yield bytes([235]) * len(luma) if i % 9 == 4 else luma


def cuts(frames):
    for i, luma in enumerate(frames):
        yield luma[::-1] if i // 13 % 2 else luma


SOURCES = {"pan": lambda: pan(60), "slow": lambda: pan(60, 0.1), "still": lambda: still(40), "noise": lambda: noise(30),
           "grain": lambda: noise(40, list(pan(40))), "fade": lambda: fade(pan(60)),
           "still fade": lambda: fade(still(60)), "flash": lambda: flash(pan(60)), "cuts": lambda: cuts(pan(60)),
           "short": lambda: pan(3)}
COARSE = {"x264": ("-c:v", "libx264", "-preset", "veryfast", "-crf", "45"), "mpeg2": ("-c:v", "mpeg2video", "-q:v", "31"),
          "vp9": ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "15k")}


@case
def good_videos_are_not_told():
    for name, frames in SOURCES.items():
        video("r.y4m", frames())
        is_quiet("r.y4m", "r.y4m")
        for codec, options in COARSE.items():
            ffmpeg("-i", "r.y4m", "-threads", "1", *options, f"{name} {codec}.mkv")
            is_quiet("r.y4m", f"{name} {codec}.mkv")
    dimmed = bytes(16 + max(0, v - 16) * 15 // 16 for v in range(256))
    frames = list(fade(pan(60)))
    video("r.y4m", frames)
    video("d.y4m", [luma.translate(dimmed) for luma in frames])
    is_quiet("r.y4m", "d.y4m")
    frames = list(pan(100))
    video("r.y4m", frames, "50:1")
    video("d.y4m", frames[::2])
    is_quiet("r.y4m", "d.y4m", "--align", "time")
    is_quiet("d.y4m", "r.y4m", "--align", "time")


ENCODERS = {"libx264": ("ultrafast", "veryfast", "medium", "slower"), "libx265": ("ultrafast", "superfast", "fast", "medium"),
            "libsvtav1": ("13", "12", "10", "8"), "libvpx-vp9": ("8", "6", "4", "2"), "mpeg2video": ("2", "8", "16", "31")}
OPTIONS = {"libx264": ("-crf", "33", "-preset"), "libx265": ("-crf", "35", "-x265-params", "log-level=none:pools=1", "-preset"),
           "libsvtav1": ("-crf", "50", "-preset"), "libvpx-vp9": ("-crf", "45", "-b:v", "0", "-cpu-used"),
           "mpeg2video": ("-bf", "2", "-q:v")}


@case
def real_encodes_are_not_told():
    video("r.y4m", pan(50))
    for encoder, presets in ENCODERS.items():
        for preset in presets:
            try:
                ffmpeg("-i", "r.y4m", "-threads", "1", "-c:v", encoder, *OPTIONS[encoder], preset, "d.mkv")
            except Skipped as reason:
                print(f"# {encoder}: {reason}")
                break
            is_quiet("r.y4m", "d.mkv")


run()
