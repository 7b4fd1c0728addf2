"""fovea map: the PNG files hold what the raw maps hold, and wrong calls are refused. Usage: map.py FOVEA HAS_PNG."""

import os
import struct
import subprocess
import sys
import tempfile
import zlib

FOVEA, HAS_PNG = os.path.abspath(sys.argv[1]), sys.argv[2] == "1"
WIDTH, HEIGHT, FRAMES = 320, 241, 3
results = []


def check(name, good, why=""):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}{'' if good else ': ' + why}")


def fovea(*args):
    run = subprocess.run([FOVEA, "map", *args], capture_output=True, text=True, timeout=60, check=False)
    return run.returncode, run.stdout, run.stderr


def refused(name, status, word, *args):
    code, out, err = fovea(*args)
    check(name, code == status and word in err and not out, f"exit code {code}: {err}{out}")


def png(path):
    """Width, height, depth, colour type and samples of a PNG file."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, color = head
    step = depth // 8 * (3 if color == 2 else 1)
    raw, rows, before = zlib.decompress(packed), [], bytes(width * step)
    for y in range(height):
        line = bytearray(raw[y * (width * step + 1):(y + 1) * (width * step + 1)])
        how, row = line[0], line[1:]
        for x in range(len(row)):
            a = row[x - step] if x >= step else 0
            b, c = before[x], before[x - step] if x >= step else 0
            p = a + b - c
            paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[x] = (row[x] + (0, a, b, (a + b) // 2, paeth)[how]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, depth, color, b"".join(rows)


def main():
    # A shallow slope in 10 bits, quantised more coarsely in later frames: banded.
    with open("clip.y4m", "wb") as file:
        file.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 C420p10\n".encode())
        for frame in range(FRAMES):
            file.write(b"FRAME\n")
            for y in range(HEIGHT):
                file.write(struct.pack(f"<{WIDTH}H", *(200 + (x + y) // (12 + 8 * frame) * 2 for x in range(WIDTH))))
            file.write(struct.pack("<H", 512) * (2 * 160 * 121))

    code, out, err = fovea("-d", "clip.y4m", "--frame", "0", "--frame", "2", "-o", "maps")
    check("two frames", code == 0 and len(out.splitlines()) == 2, err)
    check("folders of the chosen frames", sorted(os.listdir("maps")) == ["frame_0", "frame_2"])
    scores = [float(line.split()[3]) for line in out.splitlines()]
    subprocess.run([FOVEA, "score", "-d", "clip.y4m", "-m", "cambi", "-o", "r.csv", "--format", "csv", "-q"], check=True,
                   capture_output=True)
    want = [float(line.split(",")[1]) for line in open("r.csv", encoding="utf-8").read().splitlines()[1:]]
    check("the scores are those of fovea score", scores == [round(want[0], 6), round(want[2], 6)], f"{scores} {want}")

    hot = 0
    for frame in (0, 2):
        width, height = WIDTH, HEIGHT
        for scale in range(5):
            stem = f"maps/frame_{frame}/cambi_heatmap_scale_{scale}_{width}x{height}"
            raw = open(stem + "_16b.gray", "rb").read()
            hot += any(raw)
            check(f"frame {frame} scale {scale}: size", len(raw) == 2 * width * height)
            if HAS_PNG:
                samples = struct.unpack(f"<{width * height}H", raw)
                got = png(stem + ".png")
                check(f"frame {frame} scale {scale}: PNG",
                      got == (width, height, 16, 0, struct.pack(f">{width * height}H", *samples)))
            width, height = (width + 1) // 2, (height + 1) // 2
        if HAS_PNG:
            width, height, depth, color, rgb = png(f"maps/frame_{frame}/overlay.png")
            check(f"frame {frame}: overlay", (width, height, depth, color) == (WIDTH, HEIGHT, 8, 2))
            check(f"frame {frame}: something is red", any(rgb[i] > rgb[i + 1] for i in range(0, len(rgb), 3)))
    check("some map has heat", hot > 0)

    refused("a frame behind the end", 3, "has 3 frames", "-d", "clip.y4m", "--frame", "3", "-o", "more")
    refused("a frame that is no number", 2, "3-9", "-d", "clip.y4m", "--frame", "first")
    refused("a range backwards", 2, "3-9", "-d", "clip.y4m", "--frame", "2-1")
    refused("no video", 2, "-d VIDEO")
    refused("a metric without maps", 2, "has no map", "-d", "clip.y4m", "-m", "psnr")
    refused("a reference needed", 2, "full_ref", "-d", "clip.y4m", "-m", "cambi=full_ref=true", "-o", "more")
    refused("an unknown option", 2, "topk", "-d", "clip.y4m", "-m", "cambi=topkk=1", "-o", "more")
    refused("a folder that cannot be", 6, "cannot be made", "-d", "clip.y4m", "-o", "clip.y4m/maps")
    refused("a missing video", 3, "none.y4m", "-d", "none.y4m", "-o", "more")
    print(f"1..{len(results)}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
sys.exit(not all(results))
