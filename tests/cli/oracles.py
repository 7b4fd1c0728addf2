"""Compares siti and flash with the published numbers of two other projects, on clips that are regenerated here:
- VQEG/siti-tools ed79945, test/ground_truth; the clips are those of test/generate_ffmpeg_sources.sh.
- electronicarts/IRIS d96978a, test/Iris.Tests/data/ExpectedVideoLogFiles; the clips change between whole pictures of
  one colour at the frames where those of TestVideos do.
Usage: oracles.py FOVEA SOURCE_ROOT."""

import array
import itertools

from clip import header
from command import Skipped, case, check, ffmpeg, fovea, read, report, run, write

TESTSRC = 0x10c1b1c6afa76ff8  # FNV-1a 64 of the first luma plane in full range, by FFmpeg 5.1


def luma_hash(name):
    value = 0xcbf29ce484222325
    for sample in read(name).split(b"FRAME\n")[1][:320 * 240]:
        for byte in (sample, 0):
            value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


def siti(name, si, ti, *options, domain="pq"):
    fovea("score", "-d", name, "-m", "siti" if domain == "pq" else "siti=domain=code", "-o", "siti.json", "-q",
          "--overwrite", *options)
    frames = [list(frame["metrics"].values()) for frame in report("siti.json")["frames"]]
    check(len(frames) == len(si), f"{name} has {len(frames)} frames")
    # Values of 20 bits differ from those of binary64 by 2e-5 and more. siti-tools' own test allows 0.5 %.
    for i, (ours, theirs) in enumerate(itertools.chain(zip((f[0] for f in frames), si),
                                                       zip((f[1] for f in frames[1:]), ti))):
        check(abs(ours - theirs) < 5e-5, f"{name} {options} {domain}, number {i}: {ours}, published is {theirs}")


FULL = ("--range-dis", "full")


@case
def siti_of_plain_pictures_and_boards():
    def board(name, low, high, size, depth=8):
        luma = array.array("B" if depth == 8 else "H", (high if x // size % 2 == y // size % 2 else low
                                                        for y in range(240) for x in range(320)))
        gray = array.array("B" if depth == 8 else "H", [1 << depth - 1] * (320 * 240 // 2))
        frame = b"FRAME\n" + luma.tobytes() + gray.tobytes()
        return write(name, header(320, 240, "420", depth, "25:1") + 3 * frame)

    none = ([0.0] * 3, [0.0] * 2)
    siti(board("black.y4m", 16, 16, 1), *none, *FULL)
    siti(board("white.y4m", 235, 235, 1), *none, *FULL)
    siti(board("checkerboard-1x1.y4m", 16, 235, 1), *none, *FULL)
    siti(board("checkerboard-8x8.y4m", 16, 235, 32), [154.77804876773698] * 3, none[1], *FULL)
    siti(board("checkerboard-8x8-10bpp.y4m", 0, 1020, 32, 10), [178.50055531682995] * 3, none[1], *FULL)
    siti(board("checkerboard-8x8-10bpp-limited.y4m", 64, 940, 32, 10), [178.73967197824064] * 3, none[1])


@case
def siti_of_test_pictures():
    def source(name, size, made, frames):
        ffmpeg("-f", "lavfi", "-i", f"testsrc=size={size}", "-filter:v",
               f"scale=in_range=limited:out_range={made}", "-frames:v", str(frames), "-pix_fmt", "yuv420p", name)

    source("full-range.y4m", "320x240", "full", 3)
    source("limited-range.y4m", "320x240", "limited", 3)
    if luma_hash("full-range.y4m") != TESTSRC:
        raise Skipped("this ffmpeg draws another test picture")
    siti("full-range.y4m", [80.76321760899647, 80.88993477906364, 81.02828258496032],
         [0.8203678910908195, 0.8011523889086939], *FULL)
    siti("limited-range.y4m", [80.75056922470523, 80.87490630372484, 81.01729894350679],
         [0.8281208223948032, 0.8081846764713325])
    siti("full-range.y4m", [146.56553042206565, 146.74346244055985, 146.95025189484886],
         [1.48200040236156, 1.4430011359927235], *FULL, domain="code")
    siti("limited-range.y4m", [146.57975245960287, 146.7514109780843, 146.96766012704802],
         [1.4732842475348167, 1.461461809299338], domain="code")
    for size, si in (("1920x1080", 35.41945071566183), ("1280x720", 43.404317320599844),
                     ("854x480", 51.99859966230901), ("640x360", 60.124155242591925),
                     ("426x240", 71.36044475463157)):
        source("test.y4m", size, "full", 1)
        siti("test.y4m", [si], [], *FULL)


def runs(pairs):
    return [value for value, count in pairs for _ in range(count)]


FAST, SLOW = [3, 3, 3], [11, 14, 11, 14, 11]
# Frames a second; codes of the two colours; lengths of the runs of either in turn; IRIS's luminance transitions, each
# with its number of frames; IRIS's frames that fail.
IRIS = {
    "2Hz_5s": (5, (16, 235), [6, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2],
               [(0, 6), (1, 1), (2, 1), (3, 1), (4, 1), (5, 4), (4, 11)], {}),
    "2Hz_6s": (25, (16, 235), [5, *FAST, 15, *FAST, 16, *FAST, 16, *FAST, 16, *FAST, 16, *FAST, 11],
               [(0, 5), (1, 3), (2, 3), (3, 3), (4, 15), (5, 1), (4, 2), (5, 1), (4, 2), (5, 1), (4, 2), (5, 1),
                (4, 110)], {"flash_extended": 36}),
    "3Hz_6s": (25, (16, 235), [5, *FAST, 2, 3, 10, *FAST, 2, 3, 11, *FAST, 2, 3, 11, *FAST, 2, 3, 11, *FAST, 2, 3, 11,
                               *FAST, 2, 3, 6],
               [(0, 5), (1, 3), (2, 3), (3, 3), (4, 2), (5, 3), (6, 10), (7, 1), (6, 2), (7, 1), (6, 2), (7, 1),
                (6, 2), (7, 1), (6, 1), (7, 1), (6, 2), (7, 1), (6, 105)], {"flash": 6, "flash_extended": 30}),
    "gray": (25, (218, 235), [4, 4, 4, 4, 4, 5, 5, 4, 4, 4, 4, 4], [(0, 50)], {}),
    "extendedFLONG": (25, (16, 235), [9, 11, 13, *SLOW, 14, *SLOW, 14, 11, 6],
                      [(0, 9), (1, 11), (2, 13), (3, 1), (2, 10), (3, 1), (2, 155)], {}),
    "intermitentEF": (25, (16, 235), [9, 11, 13, *SLOW, 39, 11, 14, 11, 31],
                      [(0, 9), (1, 11), (2, 13), (3, 1), (2, 10), (3, 1), (2, 63), (1, 11), (0, 14), (1, 11), (2, 39),
                       (1, 11), (0, 6)], {}),
}


@case
def flashes_of_whole_pictures():
    for name, (rate, codes, lengths, transitions, failed) in IRIS.items():
        data = [header(160, 90, "420", 8, f"{rate}:1")]
        for i, length in enumerate(lengths):
            data += [b"FRAME\n" + bytes([codes[i % 2]]) * 14400 + bytes([128]) * 7200] * length
        write("iris.y4m", b"".join(data))
        fovea("score", "-d", "iris.y4m", "-m", "flash", "-o", "iris.json", "-q", "--overwrite", "--transfer-dis",
              "srgb", "--matrix-dis", "bt601", "--primaries-dis", "bt709")
        value = report("iris.json")
        ours = [frame["metrics"]["flash_transitions"] for frame in value["frames"]]
        check(ours == runs(transitions), f"{name}: {[(k, len(list(g))) for k, g in itertools.groupby(ours)]}")
        check(not any(frame["metrics"]["red_flash_transitions"] for frame in value["frames"]), f"{name}: red")
        told = {event["check"]: event["frames"] for event in value["check"]["events"]}
        check(told == failed, f"{name}: {told}")


run()
