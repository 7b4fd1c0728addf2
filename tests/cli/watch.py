"""Checks that the command warns, with the place, where two videos do not show the same frames, and does not warn
where they do."""

import math
import os
import random

import clip
from command import INPUT, PARTIAL, USAGE, Skipped, case, check, ffmpeg, fovea, read, report, run, write

WIDTH, HEIGHT, FRAMES = 192, 108, 120
TEXTURE = 2 * WIDTH


def texture():
    """Returns two layers of smooth noise."""
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


def warnings(ref, dis, *args, metric="psnr", **more):
    fovea("score", ref, dis, "--metric", metric, "--device", "cpu", "-o", "x.json", *args, **more)
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
            ahead = f"from frame {at} on the distorted video is {count} frame{s} ahead of the reference: `align=map`"
            tells((frames[:at] + frames[at + count:])[:FRAMES], ahead)
            late = (frames[:at] + frames[at - 1:at] * count + frames[at:])[:FRAMES]
            if count < 12:
                tells(late, f"from frame {at} on the distorted video is {count} frame{s} behind the reference")
            else:
                tells(late, f"stands still in frames {at} to {at + count - 1} while the reference moves; then it is "
                            f"{count} frames behind the reference: `align=map`")
        tells(frames[:at] + frames[at - 1:at] * 12 + frames[at + 12:FRAMES],
              f"the distorted video stands still in frames {at} to {at + 11} while the reference moves")
    tells(frames[:40] + frames[41:80] + frames[79:FRAMES], "from frame 40 on the distorted video is 1 frame ahead",
          "from frame 79 on the distorted video is in step with the reference again")
    tells(frames[:FRAMES - 14] + frames[FRAMES - 15:FRAMES - 14] * 14, f"stands still in frames {FRAMES - 14} to")
    tells(frames[3:FRAMES + 3], "frames look shifted by 3")
    dropped = [frame for i, frame in enumerate(frames) if i % 17 != 16][:FRAMES]
    tells(dropped, "from frame 16 on the distorted video is 1 frame ahead", "from frame 32 on", "from frame 48 on",
          "from frame 64 on", "from frame 80 on the distorted video is 5 frames ahead of the reference: `align=map` "
          "pairs frames by what they show; the videos part at 1 more place")


@case
def events_are_told_apart():
    """A still picture and the delay after it are one event. A drop ten frames later is another. All events are
    counted."""
    frames = list(pan(200))
    video("r.y4m", frames[:190])
    still = frames[:20] + frames[19:20] * 12
    late = "stands still in frames 20 to 31 while the reference moves; then it is 12 frames behind"
    tells([frame for i, frame in enumerate(still + frames[20:]) if i < 48 or i % 17 != 16][:190], late,
          "from frame 50 on", "from frame 66 on", "from frame 82 on",
          "8 frames behind the reference: `align=map` pairs frames by what they "
          "show; the videos part at 5 more places")
    tells((still + frames[32:42] + frames[43:])[:190], "stands still in frames 20 to 31 while the reference moves",
          "from frame 42 on the distorted video is 1 frame ahead")


def noisy(frames, strength):
    """Yields frames in which each block of a signature is brighter or darker."""
    generator = random.Random(3)
    for luma in frames:
        add = [generator.choice((-strength, strength)) for _ in range(32 * 18)]
        yield bytes(v + add[i // WIDTH // 6 * 32 + i % WIDTH // 6] for i, v in enumerate(luma))


@case
def doubtful_offsets_are_not_told():
    frames = list(pan(91))
    video("r.y4m", frames[:90])
    half = [bytes((a + b) // 2 for a, b in zip(one, two)) for one, two in zip(frames, frames[1:])]
    tells([frames[i + 1] if i % 3 == 0 else half[i] for i in range(90)]) # most frames are a mean of two neighbours
    frames = list(pan(60, 0.3))
    video("r.y4m", frames[:50])
    tells(noisy([frames[i + 5 * (10 <= i < 19 or 24 <= i < 33)] for i in range(50)], 3)) # two shifts, each too short
    frames = list(pan(41, 0.1))
    video("r.y4m", frames[:40])
    tells(noisy(frames[1:], 2)) # neighbouring frames match almost as well


@case
def drops_are_told_up_to_the_limits():
    frames = list(pan(95 + 55))
    video("r.y4m", frames[:95])
    tells(frames[:20] + frames[75:], "from frame 20 on the distorted video is 55 frames ahead")
    video("r.y4m", frames[:60])
    tells(frames[:46] + frames[47:61], "from frame 46 on the distorted video is 1 frame ahead")
    # Few frames suffice if they differ clearly.
    tells(frames[:53] + frames[54:61], "from frame 53 on the distorted video is 1 frame ahead")
    tells(frames[:54] + frames[55:61])
    tells(frames[:54] + frames[53:59], "from frame 54 on the distorted video is 1 frame behind")
    tells(noisy(frames[:46] + frames[47:61], 4), "from frame 46 on the distorted video is 1 frame ahead")
    tells(noisy(frames[:50] + frames[51:61], 4)) # the frames after the drop are too few for this much noise
    small = [each_row(y, lambda rows: [a[:6] + b[6:] for a,
                                       b in zip(rows, (frames[0][at:at + WIDTH] for at in range(0, len(y), WIDTH)))])
             for y in frames[:80]]
    video("r.y4m", small[:74])
    tells([y for i, y in enumerate(small) if not 30 <= i < 36],
          "from frame 30 on the distorted video is 6 frames ahead")


@case
def still_ends_are_told_where_frames_are_paired_by_content():
    """An encode of a still picture is never quite still."""
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    for name, lumas, first in (("at the end", frames[:-14] + frames[-15:-14] * 14, FRAMES - 14),
                               ("at the start", frames[14:15] * 14 + frames[14:], 1)):
        video("d.y4m", lumas)
        ffmpeg("-i", "d.y4m", "-threads", "1", "-c:v", "mpeg2video", "-bf", "2", "-q:v", "8", "d.mkv")
        told = warnings("r.y4m", "d.mkv", "--align", "map")
        check(len(told) == 1 and f"still in frames {first} to {first + 13}: these frames have no pair" in told[0],
              f"{name}: {told}")


@case
def wrong_pictures_are_told():
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    black = bytes([16]) * (WIDTH * HEIGHT)
    for at in (0, 60, FRAMES - 3):
        tells(frames[:at] + [black] * 3 + frames[at + 3:],
              f"the distorted video is black in frames {at} to {at + 2}, and the reference is not")
    tells(frames[:60] + [bytes([90]) * (WIDTH * HEIGHT)] + frames[61:],
          "the distorted video is of one colour in frame 60")
    tells(frames[:60] + [black] * 3 + [bytes([90]) * (WIDTH * HEIGHT)] * 3 + frames[66:], "black in frames 60 to 62",
          "of one colour in frames 63 to 65")
    tells(frames[:30] + frames[31:60] + [black] * 3 + frames[63:] + frames[-1:],
          # Events are listed in frame order, although the sync check finds the black frames first.
          "from frame 30 on the distorted video is 1", "black in frames 59 to 61")
    tells([each_row(y, lambda rows: [row[::-1] for row in rows]) for y in frames], "mirrored left to right")
    tells([each_row(y, reversed) for y in frames], "mirrored top to bottom")
    tells([y[::-1] for y in frames], "turned by 180 degrees: `distorted.rotate=180`")
    tells([each_row(y, lambda rows: [row[::-1] for row in rows] if i < 26 else reversed(rows))
           for i, y in enumerate(frames[:64])] + frames[64:], # some pictures are mirrored in another way
          "in frames 0 to 56, the videos do not seem to show the same pictures")
    # A part that is mirrored makes no mirrored clip.
    video("part.y4m", [each_row(y, lambda rows: [row[::-1] for row in rows]) if 30 <= i < 100 else y
                       for i, y in enumerate(frames)])
    told = warnings("r.y4m", "part.y4m")
    check(not any("is mirrored" in text for text in told), f"{told}")
    # Mixed pictures are nearer to the turned reference than to the reference, but too far from both.
    both = [bytes((4 * a + 6 * b) // 10 for a, b in zip(y, y[::-1])) for y in frames[:24]]
    video("d.y4m", both)
    is_quiet("r.y4m", "d.y4m", "--frames", "24", "--shortest")
    tells([bytes([16]) * (14 * WIDTH) + y[14 * WIDTH:-14 * WIDTH] + bytes([16]) * (14 * WIDTH) for y in frames],
          "the distorted video has black bars at the top and at the bottom, where the reference has a picture: "
          "`reference.crop=192:80:0:14` `distorted.crop=192:80:0:14`")
    video("d.y4m", frames)
    for count, words in ((2, 0), (3, 1)): # encoders may leave out a single flash, so two frames are no event
        video("flash.y4m", frames[:60] + [black] * count + frames[60 + count:])
        told = warnings("flash.y4m", "d.y4m")
        check(len(told) == words and all("the reference is black in frames 60 to 62" in text for text in told),
              f"{told}")
    band = bytes([16]) * (14 * WIDTH)
    tells([band + y[14 * WIDTH:] if i < 70 else y for i, y in enumerate(frames)],
          "in frames 0 to 64, the distorted video has black bars at the top, where the reference has a picture")
    video("d.y4m", [black] * FRAMES)
    for pair, side in ((("r.y4m", "d.y4m"), "the distorted video"), (("d.y4m", "r.y4m"), "the reference")):
        told = warnings(*pair)
        check(len(told) == 1 and f"{side} is black in frames 0 to {FRAMES - 1}" in told[0], f"{told}")
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
    for args in (("--threads", "2"), ("--threads", "4"), ("--subsample", "5"), ("--isa", "scalar"),
                 ("--metric", "motion"), ("--convert", "all"), ("--scale", "96x54")):
        check(warnings("r.y4m", "d.y4m", *args) == expected, f"{args} tell otherwise")
    is_quiet("r.y4m", "d.y4m", "--align", "map")
    is_quiet("r.y4m", "d.y4m", "--frames", "45")
    is_quiet("r.y4m", "d.y4m", "--frame-skip-ref", "52", "--frame-skip-dist", "51", "--shortest")


@case
def times_that_are_shifted_are_told():
    """Times count from the first frame of each video, and these may be different frames."""
    frames = list(pan(90))
    video("r.y4m", frames[:80])
    video("d.y4m", frames[7:80])
    for ref, dis, words in (("r.y4m", "d.y4m", "7 frames ahead of"), ("d.y4m", "r.y4m", "7 frames behind")):
        told = warnings(ref, dis, "--align", "time")
        check(len(told) == 1 and
              f"by its own times, the distorted video is {words} the reference: `align=map`" in told[0], f"{told}")
    video("d.y4m", frames[:40] + frames[41:81])
    told = warnings("r.y4m", "d.y4m", "--align", "time")
    check(len(told) == 1 and "from frame 40 on the distorted video is 1 frame ahead of the reference" in told[0],
          f"{told}")
    video("fast.y4m", list(pan(160, 0.5)), "50:1")
    told = warnings("fast.y4m", "d.y4m", "--align", "time")
    check(any("from frame 40 on the distorted video is 1 frame ahead of the reference" in text for text in told),
          f"{told}")
    fovea("score", "fast.y4m", "d.y4m", "-m", "psnr", "--align", "time", "--strict", status=PARTIAL,
          says="from frame 40 on")
    # Every frame comes twice, but one is left out.
    video("d.y4m", [frames[i // 2 + (i >= 90)] for i in range(160)], "50:1")
    told = warnings("r.y4m", "d.y4m", "--align", "time")
    check(len(told) == 1 and "from frame 90 on the distorted video is 1 frame ahead of the reference" in told[0],
          f"{told}")
    video("d.y4m", [frames[i // 2 + 6] for i in range(148)], "50:1")
    told = warnings("r.y4m", "d.y4m", "--align", "time")
    check(len(told) == 1 and "the distorted video is 6 frames ahead of the reference" in told[0], f"{told}")


@case
def shards_tell_what_one_run_tells():
    """The decisions and their order do not depend on where shards begin, even in the middle of an event."""
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    black = bytes([16]) * (WIDTH * HEIGHT)
    video("d.y4m", frames[:30] + [frames[30]] * 14 + [black] * 3 + frames[47:80] + frames[81:] + frames[-1:])
    args = ("--metric", "psnr", "--device", "cpu")
    fovea("score", "r.y4m", "d.y4m", *args, "-o", "x.json", says="stands still in frames 31 to 43")
    expected = report("x.json")
    check(sum("warning: " in text for text in expected["decisions"]) == 3, f"{expected['decisions']}")
    for shards in (1, 5, 40):
        fovea("plan", "-r", "r.y4m", "-d", "d.y4m", "--metric", "psnr", "--shards", str(shards), "-o", "plan.json")
        fovea("run", "--shard", "all", "-o", f"s{shards}", *args[2:])
        fovea("merge", f"s{shards}", "-o", "m.json")
        check(report("m.json") == expected, f"{shards} shards: {report('m.json')['decisions']}")
    os.remove("s40/000033.shard")
    fovea("merge", "s40", "--allow-missing", "-o", "m.json", status=PARTIAL)
    told = [text for text in report("m.json")["decisions"] if text.startswith("warning: ")]
    check(told == [text for text in expected["decisions"] if text.startswith("warning: ")], f"{told}")
    for more in (("--device", "cpu,cpu"), ("--device", "cpu", "--resume")):
        fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", *more, "-o", "m.json")
        check(report("m.json")["decisions"] == expected["decisions"], f"{more}: {report('m.json')['decisions']}")


@case
def luma_that_no_metric_reads_is_watched():
    """The sync check reads all luma. Of SpEED's metrics, one reads no luma and the other only some rows."""
    frames = list(pan(FRAMES + 1))
    video("r.y4m", frames[:FRAMES])
    video("d.y4m", frames[:101] + frames[102:])
    for metric, more in (("speed_chroma", ("--scale", "384x216")), ("speed_chroma=speed_prescale=2", ()),
                         ("speed_temporal=speed_prescale=2", ())):
        told = warnings("r.y4m", "d.y4m", *more, metric=metric)
        check(len(told) == 1 and "from frame 101 on the distorted video is 1 frame ahead" in told[0],
              f"{metric}: {told}")
    luma, black, chroma = (bytes(40 + x % 190 for x in range(768)) * 464, bytes([16]) * (768 * 464),
                           bytes([128]) * (384 * 464))
    # Metrics that read frames by rows.
    for name, lumas in (("r.y4m", (luma, luma, luma)), ("d.y4m", (luma, black, luma))):
        write(name, clip.header(768, 464) + b"".join(b"FRAME\n" + y + chroma for y in lumas))
    for metric in ("speed_chroma", "speed_temporal"):
        told = warnings("r.y4m", "d.y4m", metric=metric)
        check(len(told) == 1 and "the distorted video is black in frame 1" in told[0], f"{metric}: {told}")


@case
def exchanged_chroma_is_told():
    """The warning also comes in the first frames of shards, for deep pictures, and after a fade from black, but not
    for grey pictures."""
    for pixels in ("yuv420p", "yuv422p10le"):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-vf", "fade=in:0:4", "-frames:v", "16",
               "-pix_fmt", pixels, "-strict", "-1", "r.y4m")
        ffmpeg("-i", "r.y4m", "-vf", "swapuv", "-strict", "-1", "d.y4m")
        for ref, dis in (("r.y4m", "d.y4m"), ("d.y4m", "r.y4m")):
            told = warnings(ref, dis)
            check(len(told) == 1 and "chroma planes exchanged" in told[0], f"{pixels}: {told}")
        is_quiet("d.y4m", "d.y4m")
    ffmpeg("-i", "r.y4m", "-c:v", "libx264", "-crf", "45", "-threads", "1", "r.mkv")
    is_quiet("r.y4m", "r.mkv")
    told = warnings("r.y4m", "d.y4m", metric="psnr=enable_chroma=false")
    check(len(told) == 1 and "chroma planes exchanged" in told[0], f"where no metric reads chroma: {told}")
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--device", "cpu", "-o", "x.json")
    fovea("plan", "-r", "r.y4m", "-d", "d.y4m", "--metric", "psnr", "--shards", "3", "-o", "plan.json")
    fovea("run", "--shard", "all", "-o", "s", "--device", "cpu")
    fovea("merge", "s", "-o", "m.json")
    check(report("m.json") == report("x.json"), f"merged: {report('m.json')['decisions']}")
    one, other = (read(name).split(b"FRAME\n") for name in ("r.y4m", "d.y4m"))
    write("some.y4m", b"FRAME\n".join(other[:5] + one[5:]))
    is_quiet("r.y4m", "some.y4m") # the planes are exchanged in fewer than three quarters of the pairs
    for grey, count in ((80, 1), (97, 1), (105, 0)): # from frame 96 on the check reads every eighth frame
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-vf", f"drawbox=t=fill:c=gray:enable='lt(n,{grey})'",
               "-frames:v", "110", "-pix_fmt", "yuv420p", "r.y4m")
        ffmpeg("-i", "r.y4m", "-vf", "swapuv", "d.y4m")
        told = warnings("r.y4m", "d.y4m")
        check(len(told) == count, f"behind {grey} grey frames: {told}")
    def flat(name, cb, cr):
        return write(name, clip.header(64, 48) + b"".join(b"FRAME\n" + bytes([90 + i]) * 3072 + bytes([cb]) * 768 +
                                                          bytes([cr]) * 768 for i in range(4)))
    # The chroma is gray, nearly gray, or only slightly nearer when exchanged.
    for ref, dis in (((128, 128), (128, 129)), ((127, 130), (130, 127)), ((100, 110), (106, 105))):
        is_quiet(flat("r.y4m", *ref), flat("d.y4m", *dis))


def timed(name, times, base="", rate=25):
    """Writes a Matroska file of small frames. `times` is FFmpeg's expression for each frame's time, in frame
    durations."""
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=64x48:r={rate},{base}setpts='{times}'", "-frames:v", "40",
           "-fps_mode", "passthrough", "-enc_time_base", "1:1000", "-c:v", "ffv1", name)


@case
def gaps_in_a_constant_rate_are_told():
    timed("even.mkv", "N")
    timed("gap.mkv", "N+2*gte(N,20)")
    timed("other.mkv", "N+gte(N,9)")
    timed("two.mkv", "N+gte(N,9)+gte(N,30)")
    timed("varies.mkv", "N+trunc(N/4)")
    timed("jitter.mkv", "10*N+10*gte(N,20)+4*mod(N,3)", "settb=1/250,")
    gap = "before frame 20 the time stamps of the distorted video leave out 2 frames"
    for ref, dis, words in (("even", "gap", [gap]), ("gap", "gap", []), ("even", "varies", []),
                            ("varies", "even", []), ("jitter", "even", []), ("even", "even", []),
                            ("other", "gap",
                             ["before frame 9 the time stamps of the reference leave out 1 frame:", gap]),
                            ("even", "two",
                             ["before frame 9 the time stamps of the distorted video leave out 1 frame:"])):
        told = warnings(f"{ref}.mkv", f"{dis}.mkv", "--ignore-rate")
        told = [text for text in told if "time stamps" in text]
        check(len(told) == len(words) and all(word in text for word, text in zip(words, told)),
              f"{ref} {dis}: {told}")
    check("there are 1 more gaps" not in told[0] and "there is 1 more gap" in told[0], f"{told}")
    timed("join.mkv", "N+1500*gte(N,20)") # a gap of a minute is a join, not a loss
    is_quiet("even.mkv", "join.mkv", "--ignore-rate")
    timed("fast.mkv", "N+2*gte(N,20)", rate=500) # a frame of this rate lasts two ticks of the container
    is_quiet("even.mkv", "fast.mkv", "--ignore-rate")
    is_quiet("even.mkv", "gap.mkv", "--ignore-rate", "--align", "map")
    fovea("score", "even.mkv", "gap.mkv", "--ignore-rate", "--metric", "psnr", "--strict", status=PARTIAL, says=gap)
    # fovea reads no packet of this file, which lists its frames' times.
    ffmpeg("-i", "other.mkv", "-c", "copy", "-video_track_timescale", "250", "listed.mov")
    for dis, skip in (("gap.mkv", "0"), ("gap.mkv", "3"), ("two.mkv", "0"), ("listed.mov", "0")):
        args = ("-r", "even.mkv", "-d", dis, "--ignore-rate", "--frame-skip-dist", skip, "--shortest",
                "--metric", "psnr")
        fovea("score", *args, "--device", "cpu", "-o", "x.json", says="leave out")
        fovea("plan", *args, "--shards", "4", "-o", "plan.json")
        fovea("run", "--shard", "all", "-o", dis + skip, "--device", "cpu")
        fovea("merge", dis + skip, "-o", "m.json")
        merged, whole = report("m.json"), report("x.json")
        for value in (merged, whole):  # several shards do not compare samples, so no merge says "Identical"
            value["verdict"] = None
        check(merged == whole, f"{dis}: {report('m.json')['decisions']}")


def refuses_in_parts(words):
    """Checks that a run with --strict writes the report of all frames, and keeps its shards, which a run without
    --strict then merges."""
    args = ("score", "r.y4m", "d.y4m", "--metric", "motion,psnr", "-o", "m.json")
    refused = f"refused by --strict: {words}"
    fovea(*args, "--strict", "--device", "cpu", status=PARTIAL, says=refused)
    expected = report("m.json")
    check(expected["partial"] and expected["frame_count"] == FRAMES, "the scores are not kept")
    for more in (("--device", "cpu,cpu"), ("--device", "cpu", "--resume"), ("--resume",)):
        fovea(*args, *more, "--strict", status=PARTIAL, says=refused)
        value = report("m.json")
        for member in ("frames", "pooled", "decisions", "partial_reason"):
            check(value[member] == expected[member], f"{more}: {member} is {value[member]}")
    fovea("merge", "m.json.shards", "--plan", "m.json.shards/plan.json", "--strict", "-o", "m.json", status=PARTIAL,
          says=refused)
    check(report("m.json") == expected, "merge refuses otherwise")
    check(words in fovea(*args, "--resume")[0], "no warning without --strict")
    check(not report("m.json")["partial"] and not os.path.exists("m.json.shards"), "the parts do not serve")


@case
def strict_refuses():
    frames = list(pan(FRAMES))
    video("r.y4m", frames)
    video("d.y4m", frames[:50] + frames[51:] + frames[-1:])
    fovea("score", "r.y4m", "r.y4m", "--metric", "psnr", "--strict")
    fovea("score", "r.y4m", "r.y4m", "--metric", "psnr", "--strict", "--device", "cpu,cpu")
    refuses_in_parts("from frame 50 on")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "12", "-pix_fmt", "yuv420p", "s.y4m")
    ffmpeg("-i", "s.y4m", "-vf", "swapuv", "t.y4m")
    fovea("plan", "-r", "s.y4m", "-d", "t.y4m", "--metric", "psnr", "--shards", "2", "-o", "plan.json")
    fovea("run", "--shard", "all", "-o", "s", "--device", "cpu") # the record of a shard stores the warning
    fovea("merge", "s", "-o", "x.json", "--strict", status=PARTIAL,
          says="refused by --strict: Cb of the distorted video")
    check(report("x.json")["frame_count"] == 12, "the scores are not kept")
    fovea("score", "s.y4m", "t.y4m", "--metric", "psnr", "--strict", "--device", "cpu,cpu", "-o", "x.json",
          status=PARTIAL, says="refused by --strict: Cb")
    ffmpeg("-i", "r.y4m", "-c:v", "ffv1", "r.mkv")
    ffmpeg("-i", "r.y4m", "-frames:v", "90", "-c:v", "ffv1", "d.mkv")
    fovea("score", "r.mkv", "d.mkv", "--metric", "psnr", "--strict", status=INPUT,
          says="refused by --strict: the videos "
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


SOURCES = {"pan": lambda: pan(60), "slow": lambda: pan(60, 0.1), "still": lambda: still(40),
           "noise": lambda: noise(30), "grain": lambda: noise(40, list(pan(40))), "fade": lambda: fade(pan(60)),
           "still fade": lambda: fade(still(60)), "flash": lambda: flash(pan(60)), "cuts": lambda: cuts(pan(60)),
           "short": lambda: pan(3)}
COARSE = {"x264": ("-c:v", "libx264", "-preset", "veryfast", "-crf", "45"),
          "mpeg2": ("-c:v", "mpeg2video", "-q:v", "31"),
          "vp9": ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "15k")}


@case
def good_videos_are_not_told():
    for name, frames in SOURCES.items():
        video("r.y4m", frames())
        is_quiet("r.y4m", "r.y4m")
        for codec, options in COARSE.items():
            ffmpeg("-i", "r.y4m", "-threads", "1", *options, f"{name} {codec}.mkv")
            is_quiet("r.y4m", f"{name} {codec}.mkv")
    frames = list(pan(100))
    video("r.y4m", frames[:30] + [frames[29]] * 20 + frames[30:])
    video("d.y4m", frames[:30] + [frames[29]] * 24 + frames[34:]) # the still picture ends four frames late
    is_quiet("r.y4m", "d.y4m")
    dimmed = bytes(16 + max(0, v - 16) * 15 // 16 for v in range(256))
    frames = list(fade(pan(60)))
    video("r.y4m", frames)
    video("d.y4m", [luma.translate(dimmed) for luma in frames])
    is_quiet("r.y4m", "d.y4m")
    video("r.y4m", noise(30, still(30), 24))
    video("d.y4m", still(30)) # as if an encoder had removed the noise
    is_quiet("r.y4m", "d.y4m")
    frames = list(pan(100))
    video("r.y4m", frames, "50:1")
    video("d.y4m", frames[::2])
    is_quiet("r.y4m", "d.y4m", "--align", "time")
    is_quiet("d.y4m", "r.y4m", "--align", "time")
    video("r.y4m", frames[:60], "24:1")
    # Each frame lasts until the next one comes, as in players.
    video("d.y4m", [frames[2 * i // 5] for i in range(150)], "60:1")
    is_quiet("r.y4m", "d.y4m", "--align", "time")


ENCODERS = {"libx264": ("ultrafast", "veryfast", "medium", "slower"),
            "libx265": ("ultrafast", "superfast", "fast", "medium"), "libsvtav1": ("13", "12", "10", "8"),
            "libvpx-vp9": ("8", "6", "4", "2"), "mpeg2video": ("2", "8", "16", "31")}
OPTIONS = {"libx264": ("-crf", "33", "-preset"),
           "libx265": ("-crf", "35", "-x265-params", "log-level=none:pools=1", "-preset"),
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
