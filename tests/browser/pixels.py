"""Computes the pixels that pictures on pages must have, for comparison with the browser's."""

import struct

from command import fovea, read


def expected_rgb(number, depth, width, height, name="d.y4m"):
    """Returns the frame that fovea decode writes, as red, green and blue of 8 bits, by BT.601 of limited range."""
    fovea("decode", name, "-o", "out.y4m")
    data, words = read("out.y4m"), 2 if depth > 8 else 1
    size = width * height * 3 // 2 * words
    start = data.index(b"\n") + 1 + number * (size + 6) + 6
    samples = struct.unpack(f"<{size // words}{'H' if words == 2 else 'B'}", data[start:start + size])
    unit, red, blue, made = 1 << depth - 8, 0.299, 0.114, bytearray()

    def byte(value):
        return int(255 * (0 if value <= 0 else value if value < 1 else 1) + 0.5)

    for y in range(height):
        for x in range(width):
            at = width * height + y // 2 * (width // 2) + x // 2
            light = (samples[y * width + x] - 16 * unit) / (219 * unit)
            r = light + 2 * (1 - red) * ((samples[at + width * height // 4] - 128 * unit) / (224 * unit))
            b = light + 2 * (1 - blue) * ((samples[at] - 128 * unit) / (224 * unit))
            made += bytes((byte(r), byte((light - red * r - blue * b) / (1 - red - blue)), byte(b)))
    return bytes(made)
