"""Checks that --convert brings 4:1:1, 4:4:0, 4:1:0 and floating point to formats that are scored, sample by sample as
docs/scaling.md defines them, and that refusals name a remedy that works."""

import itertools
import re
import shlex
import struct
import subprocess
from math import floor

import clip
from command import INPUT, case, check, ffmpeg, fovea, read, report, run, write

# Luma samples that share a chroma sample across and down, and the format that is made of each.
STEPS = {"411": (4, 1), "440": (1, 2), "410": (4, 4), "420": (2, 2), "422": (2, 1), "444": (1, 1)}
PLANES = ("psnr_y", "psnr_cb", "psnr_cr")
MADE = {"411": "422", "440": "444", "410": "420"}


def dotted(name):
    return ":".join(name)


def weight(x):
    """Returns the bicubic kernel with b 0 and c 0.6 at a distance below 2."""
    return (1.4 * x - 2.4) * x * x + 1 if x < 1 else ((-0.6 * x + 3) * x - 4.8) * x + 2.4


def coefficients(i, step_in, step_out, left):
    """Returns the first input of output i and its coefficients, in units of 2^-14. Positions are those of samples
    among luma samples, in which `left` says that chroma lies with the first luma sample instead of the middle."""
    def place(k, step):
        return k * step + (0.5 if left else step / 2)
    coarse = max(step_in, step_out)
    at = place(i, step_out)
    first = min(j for j in range(-4, i + 8) if abs(place(j, step_in) - at) / coarse < 2)
    weights = []
    while abs(place(first + len(weights), step_in) - at) / coarse < 2:
        weights.append(weight(abs(place(first + len(weights), step_in) - at) / coarse))
    exact = [w * 16384 / sum(weights) for w in weights]
    whole = [floor(g + 0.5) for g in exact]
    while (rest := 16384 - sum(whole)):
        sign = 1 if rest > 0 else -1
        best = max(range(len(whole)), key=lambda j: (exact[j] - whole[j]) * sign)
        whole[best] += sign
    return first, whole


def resample(line, count, steps, left, shift):
    """Returns `count` sums over a line of samples whose ends are repeated, divided by 2^shift."""
    out = []
    for i in range(count):
        first, factors = coefficients(i, *steps, left)
        total = sum(c * line[min(max(first + j, 0), len(line) - 1)] for j, c in enumerate(factors))
        out.append((total + (1 << (shift - 1))) >> shift)
    return out


def convert(rows, size, old, new, depth):
    """Returns the rows of a chroma plane in another chroma format, for a picture of `size` luma samples."""
    across, down = ((STEPS[old][k], STEPS[new][k]) for k in (0, 1))
    width, height = -(-size[0] // across[1]), -(-size[1] // down[1])
    both = across[0] != across[1] and down[0] != down[1]
    if down[0] != down[1]:
        columns = [resample(list(column), height, down, False, depth if both else 14) for column in zip(*rows)]
        rows = [list(row) for row in zip(*columns)]
    if across[0] != across[1]:
        rows = [resample(row, width, across, True, 28 - depth if both else 14) for row in rows]
    return [[min(max(v, 0), (1 << depth) - 1) for v in row] for row in rows]


def y4m(chroma, size, depth, frames):
    """Returns a Y4M file of frames, each a list of planes, each a list of rows."""
    tag = chroma if depth == 8 else f"{chroma}p{depth}"
    parts = [f"YUV4MPEG2 W{size[0]} H{size[1]} F25:1 C{tag}\n".encode()]
    for frame in frames:
        flat = [v for plane in frame for row in plane for v in row]
        parts.append(b"FRAME\n" + (bytes(flat) if depth == 8 else struct.pack(f"<{len(flat)}H", *flat)))
    return b"".join(parts)


def noise(width, height, depth, seed):
    values = clip.samples(width, height, depth, seed)
    return [list(values[y * width:(y + 1) * width]) for y in range(height)]


def make(name, chroma, size, depth):
    """Writes a video, and the one that --convert chroma must make of it."""
    across, down = STEPS[chroma]
    plain, made = [], []
    for i in range(3):
        luma = noise(*size, depth, 9 * i)
        planes = [noise(-(-size[0] // across), -(-size[1] // down), depth, 9 * i + 1 + k) for k in range(2)]
        plain.append([luma, *planes])
        made.append([luma, *(convert(plane, size, chroma, MADE[chroma], depth) for plane in planes)])
    write(name + ".y4m", y4m(chroma, size, depth, plain))
    write(name + "_made.y4m", y4m(MADE[chroma], size, depth, made))


def pooled(*args, metric="psnr"):
    """Returns the lowest PSNR of each plane, and the report. A plane that is equal has the cap of its depth."""
    fovea("score", *args, "-m", metric, "-q", "-o", "x.json", "--overwrite")
    value = report("x.json")
    return {name: pool["min"] for name, pool in value["pooled"].items()}, value


def refused(*args):
    return fovea("score", *args, "-m", "psnr", "-q", status=INPUT)[1].strip()


@case
def chroma_is_converted_exactly():
    count = 0
    for chroma, (depth, cap), size in itertools.product(MADE, ((8, 60), (10, 72)), ((64, 48), (67, 45))):
        make("a", chroma, size, depth)
        for pair in (("a.y4m", "a_made.y4m"), ("a_made.y4m", "a.y4m")):
            says = refused(*pair)
            check(dotted(chroma) in says and "--convert chroma" in says, f"{chroma}: {says}")
            value = pooled(*pair, "--convert", "chroma")[1]
            told = f"was converted from {dotted(chroma)} to {dotted(MADE[chroma])}"
            check(any(told in text for text in value["decisions"]), f"{chroma}: {value['decisions']}")
            equal = [frame for frame in value["frames"] if all(frame["metrics"][name] == cap for name in PLANES)]
            check(len(equal) == 3, f"{chroma} of {depth} bits, {size}: {value['frames']}")
            count += 1
    print(f"# {count} conversions are equal in every sample")


@case
def every_pair_of_chroma_formats_is_scored():
    """The made format is the poorest that has all chroma of both."""
    size = (64, 48)
    for chroma in STEPS:
        across, down = STEPS[chroma]
        frames = [[noise(*size, 8, 5), *(noise(-(-size[0] // across), -(-size[1] // down), 8, 6 + k)
                                         for k in range(2))] for _ in range(2)]
        write(chroma + ".y4m", y4m(chroma, size, 8, frames))
    for ref, dis in itertools.product(STEPS, STEPS):
        across, down = (min(STEPS[ref][k], STEPS[dis][k]) for k in (0, 1))
        made = "444" if across == 1 else "422" if down == 1 else "420"
        pair = (ref + ".y4m", dis + ".y4m")
        value = pooled(*pair, "--convert", "chroma")[1]
        told = " ".join(value["decisions"])
        for side, name in (("reference", ref), ("distorted video", dis)):
            text = f"the {side} was converted from {dotted(name)} to {dotted(made)}"
            check((text in told) == (name != made), f"{ref} and {dis}: {told}")
        if ref != dis or ref in MADE:
            says = refused(*pair)
            check("--convert chroma" in says, f"{ref} and {dis}: {says}")
            check(dotted(made) in says or "the poorer one" in says, f"{ref} and {dis}: {says}")
    fovea("score", "-d", "411.y4m", "-m", "siti", "-q", status=INPUT, says=["4:1:1", "--convert chroma", "4:2:2"])
    fovea("score", "-d", "411.y4m", "-m", "siti", "-q", "--convert", "chroma")


SOURCE = ("-f", "lavfi", "-i", "testsrc2=s=176x144:r=25,format=yuv444p")


@case
def files_of_these_formats_are_scored():
    ffmpeg(*SOURCE, "-frames:v", "4", "-c:v", "ffv1", "whole.mkv")
    table = [("mkv", "411", "yuv411p", "ffv1"), ("mkv", "440", "yuv440p", "ffv1"), ("mkv", "410", "yuv410p", "ffv1"),
             ("mkv", "440", "yuv440p10le", "ffv1"), ("mkv", "440", "yuv440p12le", "ffv1"),
             ("y4m", "411", "yuv411p", None), ("yuv", "411", "yuv411p", "rawvideo"),
             ("yuv", "440", "yuv440p", "rawvideo"), ("yuv", "410", "yuv410p", "rawvideo"),
             ("avi", "411", "yuv411p", "ffv1"), ("nut", "410", "yuv410p", "rawvideo")]
    for ending, chroma, pixels, codec in table:
        name = f"{pixels}_{codec}.{ending}"
        ffmpeg("-i", "whole.mkv", "-pix_fmt", pixels, *(("-c:v", codec) if codec else ()),
               *(("-f", "rawvideo") if ending == "yuv" else ()), name)
        ffmpeg("-i", "whole.mkv", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-qp", "1", "one.mkv")
        raw = ("-w", "176", "-h", "144", "-p", pixels, "--rate", "25") if ending == "yuv" else ()
        says = refused(name, "one.mkv", *raw)
        check(dotted(chroma) in says and "--convert chroma" in says, f"{name}: {says}")
        values, _ = pooled(name, "one.mkv", *raw, "--convert", "chroma")
        check(min(values.values()) > 20, f"{name}: {values}")
        values, _ = pooled(name, name, *raw, "--convert", "chroma")
        check(min(values.values()) >= 60, f"{name} against itself: {values}")


@case
def pictures_of_these_formats_are_scored():
    """Other sampling factors in the frame header make 4:4:0 of 4:2:2 and 4:1:1 of 4:2:0, with as many blocks."""
    for pixels, old, new, chroma in (("yuvj422p", "22 12 12", "22 21 21", "440"),
                                     ("yuvj420p", "22 11 11", "41 11 11", "411")):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=192x144", "-frames:v", "1", "-pix_fmt", pixels, "-q:v", "2",
               "plain.jpg")
        plain = bytearray(read("plain.jpg"))
        first = plain.index(b"\xff\xc0") + 11
        check(plain[first:first + 7:3].hex(" ") == old, f"{pixels}: {plain[first:first + 7:3].hex(' ')}")
        plain[first:first + 7:3] = bytes.fromhex(new)
        write(chroma + ".jpg", plain)
        ffmpeg("-i", chroma + ".jpg", "-pix_fmt", "yuvj420p", "-q:v", "1", "other.jpg")
        for pair in ((chroma + ".jpg", "other.jpg"), ("other.jpg", chroma + ".jpg")):
            values, value = pooled(*pair)
            check(values["psnr_y"] > 35 and min(values.values()) > 20, f"{pair}: {values}")
            check(any(f"converted from {dotted(chroma)} to" in text for text in value["decisions"]),
                  f"{pair}: {value['decisions']}")


@case
def packed_411_is_scored():
    ffmpeg(*SOURCE, "-frames:v", "2", "-f", "rawvideo", "-pix_fmt", "yuv411p", "plain.yuv")
    plain, packed, luma = read("plain.yuv"), b"", 176 * 144
    for frame in range(2):
        y, u, v = (plain[frame * luma * 3 // 2:][at:at + size] for at, size in
                   ((0, luma), (luma, luma // 4), (luma + luma // 4, luma // 4)))
        packed += b"".join(bytes((u[i], *y[4 * i:4 * i + 2], v[i], *y[4 * i + 2:4 * i + 4]))
                           for i in range(luma // 4))
    write("packed.yuv", packed)
    for name in ("plain", "packed"):
        pixels = "yuv411p" if name == "plain" else "uyyvyy411"
        ffmpeg("-f", "rawvideo", "-pix_fmt", pixels, "-s", "176x144", "-i", name + ".yuv", "-c", "copy",
               name + ".nut")
    values = pooled("plain.nut", "packed.nut", "--convert", "chroma")[0]
    check(min(values.values()) == 60, f"{values}")


# ---- Floating point ------------------------------------------------------------------------------------------------


WIDTH, HEIGHT = 176, 144


def exr(name, kind="float", alpha=False):
    """Writes a.png of 8 bits, and a picture with v / 255 for each of its samples v, by FFmpeg's header and its lines
    without compression: a number, a size, and each channel by the order of their letters."""
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={WIDTH}x{HEIGHT}", "-frames:v", "1", "-pix_fmt", "rgb24", "a.png")
    ffmpeg("-i", "a.png", "-f", "rawvideo", "-pix_fmt", "rgb24", "a.rgb")
    ffmpeg("-i", "a.png", "-c:v", "exr", "-pix_fmt", "gbrapf32le" if alpha else "gbrpf32le", "-format", kind, name)
    data, rgb, letter = bytearray(read(name)), read("a.rgb"), {"float": "f", "half": "e"}[kind]
    size = struct.calcsize(letter) * WIDTH
    line = 8 + (3 + alpha) * size
    for y in range(HEIGHT):
        at = len(data) - (HEIGHT - y) * line + 8
        if alpha:
            data[at:at + size] = struct.pack(f"<{WIDTH}{letter}", *[0.5] * WIDTH)
            at += size
        for channel in (2, 1, 0):
            values = rgb[3 * WIDTH * y + channel:3 * WIDTH * (y + 1):3]
            data[at:at + size] = struct.pack(f"<{WIDTH}{letter}", *(v / 255 for v in values))
            at += size
    return write(name, data)


@case
def floats_are_converted_exactly():
    """8-bit samples v/255 become 257 v of 16 bits, which are those that --convert depth makes of 8 bits."""
    exr("a.exr")
    for pair, same in ((("a.png", "a.exr"), ("--transfer-ref", "linear")),
                       (("a.exr", "a.png"), ("--transfer-dis", "linear")), (("a.exr", "a.exr"), ())):
        if same:
            says = refused(*pair, "--convert", "depth,rgb")
            check("linear light" in says and same[0] in says, says)
        value = pooled(*pair, *same, "--convert", "depth", metric="ssimulacra2")[1]
        check(value["frames"][0]["metrics"]["ssimulacra2"] == 100, f"{pair}: {value['frames']}")
        check(any("floating point were brought to 16 bits" in text for text in value["decisions"]),
              f"{value['decisions']}")
        values = pooled(*pair, *same, "--convert", "depth,rgb")[0]
        least = 55 if same else 108  # --convert rgb keeps 8 bits
        check(all(values[name] >= least for name in PLANES), f"{pair}: {values}")
        says = refused(*pair, *same, "--convert", "rgb")
        check("floating point" in says and "--convert depth" in says, says)
    exr("half.exr", kind="half")
    values = pooled("a.exr", "half.exr", "--convert", "depth", metric="ssimulacra2")[0]
    check(values["ssimulacra2"] > 99, f"{values}")
    exr("alpha.exr", alpha=True)
    values = pooled("a.exr", "alpha.exr", "--convert", "depth,rgb")[0]
    check(values["psnr_y"] == 108, f"associated alpha over black: {values}")
    fovea("score", "-d", "a.exr", "-m", "siti", "-q", "--convert", "rgb", status=INPUT, says="--convert depth")
    fovea("decode", "a.exr", "--md5", "--convert", "rgb", status=INPUT, says="--convert depth,rgb")
    fovea("decode", "a.exr", "--md5", "--convert", "depth,rgb")


@case
def floats_outside_are_refused_with_their_place():
    """The remedy of the message is run, and the picture is then scored."""
    exr("a.exr")
    plain = read("a.exr")[:-4]  # without the last sample, which is red
    for value, shown in ((float("nan"), "nan"), (1.5, "1.5"), (-0.25, "-0.25"), (float("inf"), "inf"),
                         (1.0000001, "1.0000001"), (-1e-30, "-1e-30")):
        write("bad.exr", plain + struct.pack("<f", value))
        says = refused("a.exr", "bad.exr", "--convert", "depth,rgb")
        where = re.search(r"bad\.exr: frame 0, red, column 175, row 143: the sample is (\S+), and", says)
        check(where and where[1].lstrip("-+" if shown == "nan" else "").startswith(shown), f"{shown}: {says}")
        command = re.search(r"ffmpeg -i bad\.exr -pix_fmt \w+ OUT\.png", says)
        check(command, says)
        ffmpeg(*shlex.split(command[0])[1:])
        pooled("a.exr", "OUT.png", "--transfer-dis", "linear", "--convert", "depth,rgb")
    for value in (0.0, -0.0, 1e-40, 1.0):
        write("good.exr", plain + struct.pack("<f", value))
        pooled("a.exr", "good.exr", "--convert", "depth,rgb")


if __name__ == "__main__":
    run()
