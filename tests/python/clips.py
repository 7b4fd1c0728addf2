"""Makes the clips of the package's tests, as files and as planes, and runs the command. Call a test as FILE.py FOVEA
SYNTH [arguments of unittest]."""

import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

FOVEA, SYNTH = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory()
SUBSAMPLING = {"400": None, "420": (2, 2), "422": (2, 1), "444": (1, 1)}

try:
    import numpy
except ImportError:
    numpy = None

needs_numpy = unittest.skipUnless(numpy, "NumPy is not installed (Debian: python3-numpy)")


def clip(width=240, height=184, chroma="420", depth=8, frames=3, seed=1):
    """Returns the path of a clip, which is made on the first call."""
    path = os.path.join(FOLDER.name, f"{width}x{height}-{chroma}-{depth}-{frames}-{seed}.y4m")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            subprocess.run([SYNTH, str(width), str(height), chroma, str(depth), str(frames), str(seed), "mix"],
                           stdout=file, check=True)
    return path


def picture(seed, width=240, height=184):
    """Returns the path of an RGB picture, a PNG."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    dice = random.Random(seed)
    rows = b"".join(b"\0" + bytes(min(255, (x + 2 * y * (c + 1) // 3) // 3 + dice.randrange(40)) for x in range(width)
                                  for c in range(3))
                    for y in range(height))
    path = os.path.join(FOLDER.name, f"{seed}.png")
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return path


def planes(width=240, height=184, chroma="420", depth=8, frames=3, seed=1):
    """Returns the frames of clip(), each as a list of memoryviews of height x width."""
    with open(clip(width, height, chroma, depth, frames, seed), "rb") as file:
        content = file.read()
    at = content.index(b"\n") + 1
    kind, size = ("B", 1) if depth == 8 else ("H", 2)
    shapes = [(height, width)]
    if SUBSAMPLING[chroma]:
        across, down = SUBSAMPLING[chroma]
        shapes += [(-(-height // down), -(-width // across))] * 2
    found = []
    while at < len(content):
        at = content.index(b"\n", at) + 1
        frame = []
        for rows, columns in shapes:
            view = memoryview(bytearray(content[at:at + rows * columns * size]))
            frame.append(view.cast("B").cast(kind, (rows, columns)))
            at += rows * columns * size
        found.append(frame)
    return found


def pairs(**shape):
    return list(zip(planes(seed=1, **shape), planes(seed=2, **shape)))


def command(*arguments, status=0):
    run = subprocess.run([FOVEA, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    assert run.returncode == status, (arguments, run.returncode, run.stderr)
    return run.stdout


def run():
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
