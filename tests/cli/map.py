"""Tests fovea map: PNG files hold the values of the raw maps, and wrong calls are refused. Usage: map.py FOVEA
HAS_PNG."""

import json
import os
import struct
import subprocess
import sys
import tempfile

from png import png
from without import left_out

FOVEA, HAS_PNG = os.path.abspath(sys.argv[1]), sys.argv[2] == "1"
WIDTH, HEIGHT, FRAMES = 320, 241, 3
PATIENCE = 240  # seconds after which a run counts as hanging, on the busiest machine
results = []


def check(name, good, why=""):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}{'' if good else ': ' + why}")


def fovea(*args):
    run = subprocess.run([FOVEA, "map", *args], capture_output=True, text=True, timeout=PATIENCE, check=False)
    return run.returncode, run.stdout, run.stderr


def refused(name, status, word, *args):
    code, out, err = fovea(*args)
    check(name, code == status and word in err and not out, f"exit code {code}: {err}{out}")


def gray_clip(name, frames):
    """Writes a gray clip. `frames` states how far a square in the middle of each frame differs from the rest."""
    with open(name, "wb") as file:
        file.write(b"YUV4MPEG2 W64 H48 F25:1 Cmono\n")
        for depth in frames:
            file.write(b"FRAME\n" + bytes(126 + (depth if 20 <= x < 28 and 16 <= y < 24 else 0) for y in range(48)
                                          for x in range(64)))


def pfm(path):
    _, size, scale, data = open(path, "rb").read().split(b"\n", 3)
    width, height = map(int, size.split())
    values = struct.unpack(f"{'<' if scale == b'-1.0' else '>'}{width * height}f", data)
    return [values[y * width:(y + 1) * width] for y in reversed(range(height))]


def jnd():
    """VDM's maps have no upper limit, some have a sign, and some are written only on request."""
    gray_clip("flat.y4m", [0] * 6)
    gray_clip("spots.y4m", [2, 30, 0, 90, 4, 30])
    pair = ("-r", "flat.y4m", "-d", "spots.y4m", "-m", "vdm")
    code, out, err = fovea(*pair, "--frame", "3", "--format", "pfm", "--map", "jnd", "--map", "response0_0",
                           "-o", "values")
    check("JND as PFM", code == 0, err)
    want, signed = pfm("values/frame_3/jnd.pfm"), pfm("values/frame_3/response0_0.pfm")
    flat = [v for row in want for v in row]
    if HAS_PNG:
        code, out, err = fovea(*pair, "--frame", "3", "-o", "deep")
        width, height, depth, _, samples = png("deep/frame_3/jnd.png")
        check("JND in 16 bits", code == 0 and sorted(os.listdir("deep/frame_3")) == ["jnd.png", "overlay.png"] and
              (width, height, depth) == (64, 48, 16) and
              list(struct.unpack(f">{64 * 48}H", samples)) == [min(int(1024 * v + 0.5), 65535) for v in flat], err)
        code, out, err = fovea(*pair, "--frame", "3", "--format", "png8", "-o", "shallow")
        check("JND in 8 bits", code == 0 and list(png("shallow/frame_3/jnd.png")[4]) ==
              [min(int(32 * v + 0.5), 255) for v in flat], err)
        code, out, err = fovea(*pair, "--frame", "3", "--format", "png8", "--map", "response0_0", "-o", "signed")
        check("signed values around 128", code == 0 and list(png("signed/frame_3/response0_0.png")[4]) ==
              [max(min(int(16 * (v + 8) + 0.5), 255), 0) for row in signed for v in row], err)
        code, out, err = fovea(*pair, "--worst", "3", "-o", "worst")
        check("the three worst frames", code == 0 and
              sorted(os.listdir("worst")) == ["frame_1", "frame_3", "frame_5"] and
              all(sorted(os.listdir(f"worst/{f}")) == ["distorted.png", "jnd.png", "overlay.png", "reference.png"]
                  for f in os.listdir("worst")), f"{out}{err}")
        width, height, depth, color, rgb = png("worst/frame_3/distorted.png")
        level = [int(255 * min(max((v - 16) / 219, 0), 1) + 0.5) for v in (126, 216)]
        check("a frame as it is", (width, height, depth, color) == (64, 48, 8, 2) and
              set(rgb[:3]) == {level[0]} and set(rgb[3 * (64 * 20 + 24):3 * (64 * 20 + 25)]) == {level[1]},
              f"{rgb[:3]}")
        code, out, err = fovea("-d", "clip.y4m", "--worst", "100", "-o", "few")
        check("no more than there are", code == 0 and len(os.listdir("few")) == FRAMES, err)
    code, out, err = fovea(*pair[:4], "-m", "ssimulacra2", "-m", "vdm", "--frame", "1,3", "--format", "pfm",
                           "-o", "mixed")
    check("maps with and without a range", code == 0 and sorted(os.listdir("mixed/frame_3")) ==
          ["error.pfm", "jnd.pfm"] + ["overlay.png"] * HAS_PNG, err)
    if HAS_PNG:
        check("the overlay is that of the map with a range",
              png("mixed/frame_3/overlay.png") == png("deep/frame_3/overlay.png"))
    code, out, err = fovea(*pair[:4], "-m", "butteraugli", "--frame", "3", "--format", "pfm", "-o", "distances")
    check("distances", code == 0, err)
    subprocess.run([FOVEA, "score", *pair[:4], "-m", "butteraugli", "-o", "distances.json", "-q"], check=True,
                   capture_output=True)
    scores = json.load(open("distances.json", encoding="utf-8"))["frames"][3]["metrics"]
    distances = [v for row in pfm("distances/frame_3/distance.pfm") for v in row]
    norms = {f"p{q}": (sum(d ** q for d in distances) / len(distances)) ** (1 / q) for q in (3, 5, 6, 12)}
    want = {"butteraugli": max(distances), "butteraugli_p3": norms["p3"], "butteraugli_p5": norms["p5"],
            "butteraugli_3norm": (norms["p3"] + norms["p6"] + norms["p12"]) / 3}
    check("norms of the distances", set(scores) == set(want) and
          all(abs(scores[name] - value) < 1e-5 * value for name, value in want.items()), f"{scores}, {want}")
    code, out, err = fovea(*pair, "-o", "jnd.y4m")
    head, body = open("jnd.y4m", "rb").read().split(b"\n", 1)
    check("a video of JND", code == 0 and head.startswith(b"YUV4MPEG2 W64 H48") and
          len(body) == 6 * (6 + 2 * 64 * 48), err)
    refused("worst frames of a pipe", 2, "twice", *pair[:2], "-d", "-", "-m", "vdm", "--worst", "1")
    refused("worst frames that are named", 2, "--frame", *pair, "--worst", "1", "--frame", "2")
    refused("a video of worst frames", 2, "-o FOLDER", *pair, "--worst", "1", "-o", "worst.y4m")


def links(once):
    """Links are refused, unless --overwrite is given."""
    os.makedirs("linked")
    os.makedirs("elsewhere")
    os.symlink("../elsewhere", "linked/frame_0")
    os.makedirs("linked/frame_1")
    open("mine", "wb").write(b"mine")
    os.symlink("../../mine", "linked/frame_1/cambi_1.pfm")
    refused("a folder that is a link", 2, "linked/frame_0 is a symbolic link", *once, "-o", "linked")
    refused("a picture that is a link", 2, "cambi_1.pfm exists already", *once, "--frame", "1", "-o", "linked")
    check("links are not followed", not os.listdir("elsewhere") and open("mine", "rb").read() == b"mine")
    code, out, err = fovea(*once, "--frame", "0,1", "--overwrite", "-o", "linked")
    check("links are followed on request", code == 0 and "cambi_1.pfm" in os.listdir("elsewhere") and
          open("mine", "rb").read().startswith(b"Pf"), err)


def main():
    # The clip is a shallow slope in 10 bits, quantised more coarsely in later frames, so that it shows bands.
    with open("clip.y4m", "wb") as file:
        file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C420p10\n".encode())
        for frame in range(FRAMES):
            file.write(b"FRAME\n")
            for y in range(HEIGHT):
                file.write(struct.pack(f"<{WIDTH}H", *(200 + (x + y) // (12 + 8 * frame) * 2 for x in range(WIDTH))))
            file.write(struct.pack("<H", 512) * (2 * 160 * 121))

    # CAMBI's own files, which fovea score writes, contain the values that the maps must have.
    subprocess.run([FOVEA, "score", "-d", "clip.y4m", "-m", "cambi=heatmaps_path='own:,'", "-o", "r.csv",
                    "--format", "csv", "-q"], check=True, capture_output=True)
    want = [float(line.split(",")[2]) for line in open("r.csv", encoding="utf-8").read().splitlines()[1:]]
    sizes, raw = [(WIDTH, HEIGHT)], []
    for scale in range(5):
        width, height = sizes[scale]
        data = open(f"own:,/cambi_heatmap_scale_{scale}_{width}x{height}_16b.gray", "rb").read()
        raw.append([struct.unpack(f"<{width * height}H", data[f * 2 * width * height:(f + 1) * 2 * width * height])
                    for f in range(FRAMES)])
        sizes.append(((width + 1) // 2, (height + 1) // 2))
    check("some map has heat", any(map(any, raw[0])))

    os.makedirs("maps/frame_2")
    open("maps/frame_2/cambi_heatmap_scale_9_4x4_16b.gray", "wb").write(b"stale")
    code, out, err = fovea("-d", "clip.y4m", "--frame", "0,2", "-o", "maps")
    check("two frames", code == 0 and len(out.splitlines()) == 2, err)
    check("folders of the chosen frames", sorted(os.listdir("maps")) == ["frame_0", "frame_2"])
    scores = [float(line.split()[3]) for line in out.splitlines()]
    check("the scores are those of fovea score", scores == [round(want[0], 6), round(want[2], 6)], f"{scores} {want}")
    for frame in (0, 2) if HAS_PNG else ():
        for scale in range(5):
            width, height = sizes[scale]
            check(f"frame {frame} scale {scale}: PNG", png(f"maps/frame_{frame}/cambi_{scale}.png") ==
                  (width, height, 16, 0, struct.pack(f">{width * height}H", *raw[scale][frame])))
        width, height, depth, color, rgb = png(f"maps/frame_{frame}/overlay.png")
        check(f"frame {frame}: overlay", (width, height, depth, color) == (WIDTH, HEIGHT + 32, 8, 2))
        inside = rgb[:3 * WIDTH * HEIGHT]
        check(f"frame {frame}: coloured where there is heat",
              any(inside[i] != inside[i + 1] for i in range(0, len(inside), 3)) == any(any(r[frame]) for r in raw))
        check(f"frame {frame}: a legend", rgb[len(inside):].count(255) > 50)
    code, out, err = fovea("-d", "clip.y4m", "--frame", "0,2", "-o", "again")
    same = subprocess.run(["diff", "-r", "-x", "*.gray", "maps", "again"], check=False).returncode == 0
    check("what lies in the folder is not looked at", code == 0 and same)

    once = ("-d", "clip.y4m", "--map", "cambi_1", "--format", "pfm")
    if "links" not in left_out():
        links(once)
    os.makedirs("kept/frame_0")
    open("kept/frame_0/cambi_1.pfm", "wb").write(b"mine")
    refused("a picture that exists", 2, "name another folder", *once, "-o", "kept")
    check("it is kept", open("kept/frame_0/cambi_1.pfm", "rb").read() == b"mine")

    code, out, err = fovea("-d", "clip.y4m", "--frame", "1-2", "--map", "cambi_1", "--format", "pfm", "-o", "values")
    check("values", code == 0 and sorted(f for f in os.listdir("values/frame_1") if f != "overlay.png") ==
          ["cambi_1.pfm"], err)
    head, size, scale, data = open("values/frame_1/cambi_1.pfm", "rb").read().split(b"\n", 3)
    width, height = sizes[1]
    floats = struct.unpack(f"{'<' if scale == b'-1.0' else '>'}{width * height}f", data)
    rows = [floats[y * width:(y + 1) * width] for y in reversed(range(height))]
    # The map's unit: two contrasts of up to 4 codes have weight 4, and the window has 65 pixels at 2160 lines.
    most = max(v for row in rows for v in row)
    ratio = max(raw[1][1]) / most
    check("PFM", head == b"Pf" and size == b"%d %d" % (width, height) and
          all(abs(v * ratio - r) <= 1 for row, y in zip(rows, range(height))
              for v, r in zip(row, raw[1][1][y * width:(y + 1) * width])))

    code, out, err = fovea("-d", "clip.y4m", "--map", "cambi_0", "-o", "all.y4m")
    body = b"".join(b"FRAME\n" + struct.pack(f"<{WIDTH * HEIGHT}H", *raw[0][f]) for f in range(FRAMES))
    head = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 Cmono16 XCOLORRANGE=FULL\n".encode()
    check("a video", code == 0 and open("all.y4m", "rb").read() == head + body, err)
    run = subprocess.run([FOVEA, "map", "-d", "clip.y4m", "--map", "cambi_0", "--frame", "1", "-o", "-"],
                         capture_output=True, check=False)
    one = b"FRAME\n" + struct.pack(f"<{WIDTH * HEIGHT}H", *raw[0][1])
    check("a video on standard output", run.returncode == 0 and run.stdout == head + one, run.stderr.decode())
    code, out, err = fovea("-d", "clip.y4m", "-r", "clip.y4m", "-m", "cambi=full_ref=true,cambi=topk=0.1",
                           "-o", "twice", "--format", "pfm")
    names = sorted(f for f in os.listdir("twice/frame_0") if f.endswith(".pfm"))
    check("two metrics with a reference", code == 0 and names == sorted([f"cambi_{s}.pfm" for s in range(5)] +
                                                                        [f"cambi_{s}_2.pfm" for s in range(5)]), err)
    if HAS_PNG:
        code, out, err = fovea("-d", "clip.y4m", "-o", "small", "--format", "png8", "--maximum", "1")
        width, height, depth, color, gray = png("small/frame_0/cambi_0.png")
        check("8 bits", code == 0 and (width, height, depth, color) == (WIDTH, HEIGHT, 8, 0) and
              len(gray) == WIDTH * HEIGHT)

    jnd()
    refused("a video of five maps", 2, "--map", "-d", "clip.y4m", "-o", "five.y4m")
    refused("an unknown map", 2, "cambi_4", "-d", "clip.y4m", "--map", "cambi_7")
    refused("a maximum that is none", 2, "number", "-d", "clip.y4m", "--maximum", "much")
    refused("a video over its input", 2, "clip.y4m", "-d", "clip.y4m", "--map", "cambi_0", "-o", "./clip.y4m")
    refused("a frame behind the end", 3, "has 3 frames", "-d", "clip.y4m", "--frame", "3", "-o", "more")
    refused("a frame that is no number", 2, "10-20", "-d", "clip.y4m", "--frame", "first")
    refused("a range backwards", 2, "10-20", "-d", "clip.y4m", "--frame", "2-1")
    refused("no video", 2, "-d VIDEO")
    refused("a metric without maps", 2, "has no map", "-d", "clip.y4m", "-m", "psnr")
    refused("a reference needed", 2, "-r FILE", "-d", "clip.y4m", "-m", "cambi=full_ref=true", "-o", "more")
    refused("an unknown option", 2, "topk", "-d", "clip.y4m", "-m", "cambi=topkk=1", "-o", "more")
    refused("a folder that cannot be", 6, "cannot be made", "-d", "clip.y4m", "-o", "clip.y4m/maps")
    refused("a missing video", 3, "none.y4m", "-d", "none.y4m", "-o", "more")
    print(f"1..{len(results)}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
sys.exit(not all(results))
