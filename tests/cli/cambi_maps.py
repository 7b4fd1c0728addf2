"""Compares heat maps and scores of CAMBI with its formulas (docs/metrics/cambi.md), which are programmed here a
second time, without shortcuts."""

import csv
import os
import resource
import struct

import clip
from command import INPUT, OK, OUTPUT, PARTIAL, USAGE, case, check, fovea, read, run, write

WEIGHT = (1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7) + (8,) * 7 + (9,) * 10
SCALES = 5


def f32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def luminance(v):
    """Returns the luminance that BT.1886 gives a 10-bit value of limited range."""
    white, black = 300 ** (1 / 2.4), 0.01 ** (1 / 2.4)
    level = (min(max(v, 64), 940) - 64) / 876
    return (white - black) ** 2.4 * max(level + black / (white - black), 0) ** 2.4


def visible_up_to(d, threshold):
    """Returns the highest value at which a contrast of d is visible."""
    def seen(v):
        return luminance(v + d) - luminance(v) > threshold * luminance(v)
    if not seen(64):
        return 0
    return max(v for v in range(64, 940 - d) if seen(v)) if not seen(940 - d) else 1023


def positions(given, wanted):
    ratio = f32(f32(given) / f32(wanted))
    at, found = f32(f32(ratio / 2) - 0.5), []
    for _ in range(wanted):
        found.append(int(at + 0.5))
        at = f32(at + ratio)
    return found


def prepared(luma, width, height, depth, size):
    """Returns luma at processing size and in 10 bits; the dither of video of lower depth is removed."""
    if size != (width, height):
        xs, ys = positions(width, size[0]), positions(height, size[1])
        luma = [[luma[y][x] for x in xs] for y in ys]
    image = [[v << (10 - depth) for v in row] for row in luma]
    if depth == 10:
        return image
    right, below = size[0] - 1, size[1] - 1
    result = []
    for y, row in enumerate(image):
        result.append([])
        for x in range(size[0]):
            some = [line[k] for line in image[y:min(y, below - 1) + 2 if y < below else y + 1]
                    for k in range(x, x + 2 if x < right else x + 1)]
            result[y].append(sum(some) // len(some))
    return result


def flat(image, width, height):
    """Returns CAMBI's mask: pixels around which enough pixels equal their right and lower neighbours."""
    area = (width // 64) * (height // 64)
    threshold = (49 + 3 * ((max(area, 1) - 1).bit_length() - 11) - 1) >> 1
    same = [[(x == width - 1 or image[y][x] == image[y][x + 1]) and
             (y == height - 1 or image[y][x] == image[y + 1][x]) for x in range(width)] for y in range(height)]
    return [[sum(sum(same[j][max(x - 3, 0):x + 4]) for j in range(max(y - 3, 0), min(y + 4, height))) > threshold
             for x in range(width)] for y in range(height)]


def mode(a, b, c):
    return a if a in (b, c) else b if b == c else min(a, b, c)


def filtered(image, width, height):
    if height < 3:
        return image
    across = [row[:1] + [mode(*row[x - 1:x + 2]) for x in range(1, width - 1)] + row[-1:] if width > 1 else row
              for row in image]
    return image[:1] + [[mode(across[y - 1][x], across[y][x], across[y + 1][x]) for x in range(width)]
                        for y in range(1, height - 1)] + image[-1:]


def contrasts(image, mask, width, height, reach, limits):
    """Returns the c-values (banding contrasts) of all pixels, row after row."""
    result = []
    for y in range(height):
        for x in range(width):
            v, best, count = image[y][x], 0.0, {}
            for j in range(max(y - reach, 0), min(y + reach + 1, height)) if mask[y][x] else ():
                for i in range(max(x - reach, 0), min(x + reach + 1, width)):
                    if mask[j][i]:
                        count[image[j][i]] = count.get(image[j][i], 0) + 1
            for d, limit in enumerate(limits, 1):
                others = max(count.get(v + d, 0), count.get(v - d, 0))
                if others and v <= limit:
                    inverse = f32(float(f"{1 / (count[v] + others):.8e}"))
                    best = max(best, f32(f32(WEIGHT[d - 1] * count[v] * others) * inverse))
            result.append(best)
    return result


def expected(luma, width, height, depth, size, window_size, steps, threshold):
    """Returns the bytes of a frame's five maps, and its score."""
    window = window_size * sum(size) // 375 // 16 | 1
    greatest = WEIGHT[steps - 1] * window * window // 4
    limits = [visible_up_to(d, threshold) for d in range(1, steps + 1)]
    image, (width, height) = prepared(luma, width, height, depth, size), size
    mask = flat(image, width, height)
    maps, score = {}, 0.0
    for scale in range(SCALES):
        if scale:
            image, mask = [row[::2] for row in image[::2]], [row[::2] for row in mask[::2]]
            width, height = (width + 1) // 2, (height + 1) // 2
        image = filtered(image, width, height)
        c = contrasts(image, mask, width, height, window // 2, limits)
        samples = [min(int(65535 / greatest * value), 65535) if greatest else 0 for value in c]
        maps[f"cambi_heatmap_scale_{scale}_{width}x{height}_16b.gray"] = struct.pack(f"={len(c)}H", *samples)
        pooled = min(max(int(0.6 * len(c)), 1), len(c))
        score += sum(sorted(c)[-pooled:]) / pooled * (16 >> scale)
    return maps, score / (window * window)


def banded(frame, width, height, depth):
    """Returns stepped slopes whose steps grow towards the bottom, with noise at the right."""
    state, rows = frame + 1, []
    for y in range(height):
        rows.append([])
        for x in range(width):
            state = (state * 1664525 + 1013904223) % 2**32
            noise = state >> 29 if x > 7 * width // 8 else 0
            rows[y].append((60 + (x + 2 * y) // (11 + frame) * (1 + y // 40 % 2) + noise) << (depth - 8))
    return rows


def compare(width, height, depth, size=None, window_size=65, steps=4, threshold=0.019, options=""):
    frames = [banded(frame, width, height, depth) for frame in range(2)]
    form = "H" if depth > 8 else "B"
    write("clip.yuv", b"".join(struct.pack(f"<{width}{form}", *row) for luma in frames for row in luma))
    fovea("score", "-d", "clip.yuv", "-w", str(width), "-h", str(height), "-p", "400", "-b", str(depth), "-m",
          f"cambi=heatmaps_path=deep/maps{options}", "-o", "report.csv", "-q")
    want = [expected(luma, width, height, depth, size or (width, height), window_size, steps, threshold)
            for luma in frames]
    check(set(os.listdir("deep/maps")) == set(want[0][0]), f"the files are {os.listdir('deep/maps')}")
    for name in want[0][0]:
        data = b"".join(maps[name] for maps, _ in want)
        check(read(f"deep/maps/{name}") == data, f"{name} holds something else")
    check(steps == 1 or any(any(data) for data in want[0][0].values()), "there is no heat")
    with open("report.csv", encoding="utf-8", newline="") as file:
        got = [float(row[1]) for row in list(csv.reader(file))[1:]]
    check(got == [score for _, score in want], f"the scores are {got}, not {[score for _, score in want]}")


def heat(path, *args, status=OK, says=()):
    """Scores the video `path`, writes maps to the folder hm, and returns the command's messages."""
    return fovea("score", "-d", path, "-m", "cambi=heatmaps_path=hm", "-q", "--overwrite", *args, status=status,
                 says=says)[1]


NAMES = [f"hm/cambi_heatmap_scale_{s}_{320 >> s}x{240 >> s}_16b" for s in range(SCALES)]


def prepare():
    write("wide.y4m", clip.y4m(3, width=320, height=240))
    os.makedirs("hm", exist_ok=True)
    for name in NAMES:
        write(f"{name}.gray", b"old")


@case
def maps_appear_whole():
    prepare()
    data = read("wide.y4m")
    write("cut.y4m", data[:-1000])
    heat("cut.y4m", status=PARTIAL, says=["kept in", "hm/cambi_heatmap_scale_0_320x240_16b.partial.gray"])
    check(all(read(f"{name}.gray") == b"old" for name in NAMES), "the old maps are gone")
    kept = [read(f"{name}.partial.gray") for name in NAMES]
    check([len(part) for part in kept] == [2 * 2 * (320 >> s) * (240 >> s) for s in range(SCALES)], "other sizes")
    heat("wide.y4m")
    for name, part in zip(NAMES, kept):
        whole = read(f"{name}.gray")
        check(whole.startswith(part) and 2 * len(whole) == 3 * len(part), f"{name} holds something else")
    check(len(os.listdir("hm")) == 2 * SCALES, f"the folder holds {os.listdir('hm')}")
    write("none.y4m", data[:-300000])
    heat("none.y4m", status=INPUT)
    check(len(os.listdir("hm")) == 2 * SCALES, f"the folder holds {os.listdir('hm')}")


@case
def maps_never_replace_what_is_read():
    prepare()
    for name in NAMES:
        os.remove(f"{name}.gray")
    os.link("wide.y4m", f"{NAMES[3]}.gray")
    before = read("wide.y4m")
    heat("wide.y4m", status=USAGE, says=["would overwrite the input wide.y4m", NAMES[3]])
    check(read("wide.y4m") == before and len(os.listdir("hm")) == 1, "something changed")


@case
def maps_replace_older_ones_with_overwrite_only():
    prepare()
    args = ["score", "-d", "wide.y4m", "-m", "cambi=heatmaps_path=hm", "-q"]
    fovea(*args, status=USAGE, says=[f"{NAMES[0]}.gray exists already", "--overwrite"])
    check(all(read(f"{name}.gray") == b"old" for name in NAMES) and len(os.listdir("hm")) == SCALES,
          "something changed")
    fovea(*args, "--overwrite")
    check(not any(read(f"{name}.gray") == b"old" for name in NAMES), "the old maps are there")


@case
def maps_follow_no_links():
    prepare()
    write("mine", b"mine")
    os.remove(f"{NAMES[2]}.gray")
    os.symlink("../mine", f"{NAMES[2]}.gray")
    heat("wide.y4m", status=USAGE, says=[f"{NAMES[2]}.gray is a symbolic link", "name another folder"])
    check(read("mine") == b"mine" and read(f"{NAMES[0]}.gray") == b"old", "something changed")


@case
def maps_of_two_metrics_need_two_folders():
    prepare()
    heat("wide.y4m", "-m", "cambi=window_size=33:heatmaps_path=hm/../hm", status=USAGE, says="a folder for each")
    heat("wide.y4m", "-m", "cambi=window_size=33:heatmaps_path=hm2")
    check(read(f"{NAMES[0]}.gray") != b"old" and len(os.listdir("hm2")) == SCALES, "maps are missing")


@case
def a_full_disk():
    prepare()
    heat("/dev/null", status=INPUT)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
    fovea("score", "-d", "wide.y4m", "-m", "cambi=heatmaps_path=hm", "-q", "--overwrite", status=OUTPUT, limit=limit,
          says="could not be written")
    check(all(read(f"{name}.gray") == b"old" for name in NAMES), "the old maps are gone")


@case
def ten_bits():
    compare(217, 50, 10)


@case
def eight_bits_without_dither():
    compare(216, 45, 8, window_size=127, options=":window_size=127")


@case
def many_contrasts():
    compare(220, 33, 10, window_size=127, steps=32, threshold=0.01,
            options=":window_size=127:max_log_contrast=5:tvi_threshold=0.01")


@case
def another_size():
    compare(300, 170, 8, size=(240, 150), options=":enc_width=240:enc_height=150")


@case
def nothing_can_be_seen():
    """With a window of one pixel and one contrast of weight 1, the greatest possible value is 0."""
    compare(216, 20, 10, window_size=15, steps=1, options=":window_size=15:max_log_contrast=0")


run()
