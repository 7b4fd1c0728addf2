"""Makes small clips from integers, as Y4M or raw planar video."""

import functools

FIRST, FACTOR, STEP = 2654435761, 1664525, 1013904223  # a linear congruential generator with 32 bits of state
LEVELS = bytes(range(20, 220))
SHADES = LEVELS + LEVELS[:56]  # bytes.translate() with these is a remainder of 200, and adds 20
HIGH_BITS = bytes(value >> 4 for value in range(256))


@functools.lru_cache(None)
def lanes(count):
    """Returns two integers of `count` lanes of 64 bits: what `count` steps of the generator multiply its first state
    by, and what they add."""
    factor, term, factors, terms = 1, 0, bytearray(), bytearray()
    for _ in range(count):
        factor, term = factor * FACTOR % 2**32, (term * FACTOR + STEP) % 2**32
        factors += factor.to_bytes(8, "little")
        terms += term.to_bytes(8, "little")
    return int.from_bytes(factors, "little"), int.from_bytes(terms, "little")


@functools.lru_cache(None)
def gradient(width, height):
    return int.from_bytes(bytes((x * 3 + y * 2) % 200 for y in range(height) for x in range(width)), "little")


@functools.lru_cache(1024)
def shades(width, height, seed):
    """Returns a gradient with pseudo-random noise, a byte for each pixel."""
    # Integers of many lanes compute all pixels at once, a hundred times as fast as a loop does.
    count = width * height
    factors, terms = lanes(count)
    states = (seed * FIRST % 2**32 * factors + terms).to_bytes(8 * count, "little")
    noise = int.from_bytes(states[3::8].translate(HIGH_BITS), "little")
    return (noise + gradient(width, height)).to_bytes(count, "little").translate(SHADES)


def samples(width, height, depth, seed):
    return [value << (depth - 8) for value in shades(width, height, seed)]


def packed(values, depth):
    """Returns bytes as samples of `depth` bits."""
    if depth == 8:
        return values
    words = bytearray(2 * len(values))
    words[::2] = values.translate(bytes(value << (depth - 8) & 255 for value in range(256)))
    words[1::2] = values.translate(bytes(value >> (16 - depth) for value in range(256)))
    return bytes(words)


def planes(width, height, chroma, depth, seed, turned=False):
    sizes = [(width, height)]
    if chroma != "400":
        half_width = (width + 1) // 2 if chroma != "444" else width
        half_height = (height + 1) // 2 if chroma == "420" else height
        sizes += [(half_width, half_height)] * 2
    data = b""
    for i, (w, h) in enumerate(sizes):
        values = shades(w, h, seed + 100 * i)
        data += packed(values[::-1] if turned else values, depth)
    return data


def raw(frames=3, width=48, height=32, chroma="420", depth=8, seed=1):
    return b"".join(planes(width, height, chroma, depth, seed + i) for i in range(frames))


def header(width=48, height=32, chroma="420", depth=8, rate="25:1", extra=""):
    tag = {"400": "mono"}.get(chroma, chroma)
    if depth > 8:
        tag += str(depth) if chroma == "400" else f"p{depth}"
    elif chroma == "420":
        tag = "420jpeg"
    return f"YUV4MPEG2 W{width} H{height} F{rate} Ip A1:1 C{tag}{extra}\n".encode()


def y4m(frames=3, width=48, height=32, chroma="420", depth=8, seed=1, rate="25:1", extra="", hold=0):
    """Returns a Y4M clip whose frames have different noise. With `hold`, its picture stays the same, but is turned
    upside down after every `hold` frames."""
    parts = [header(width, height, chroma, depth, rate, extra)]
    for i in range(frames):
        turned = bool(hold) and i // hold % 2 == 1
        parts += [b"FRAME\n", planes(width, height, chroma, depth, seed if hold else seed + i, turned)]
    return b"".join(parts)


def element(name, *content):
    """Returns a Matroska element: its name in hexadecimal digits, and numbers, texts or bytes as its content."""
    data = b"".join(part if isinstance(part, bytes) else part.encode() if isinstance(part, str) else
                    part.to_bytes(max(1, (part.bit_length() + 7) // 8), "big") for part in content)
    return bytes.fromhex(name) + (0x0100000000000000 | len(data)).to_bytes(8, "big") + data


def matroska(frames=6, width=48, height=32, seed=1):
    """Returns a Matroska file of uncompressed 4:2:0, with two frames per cluster."""
    video = element("e0", element("b0", width), element("ba", height), element("2eb524", "I420"))
    track = element("ae", element("d7", 1), element("73c5", 1), element("83", 1), element("23e383", 40000000),
                    element("86", "V_UNCOMPRESSED"), video)
    clusters = b""
    for first in range(0, frames, 2):
        blocks = b"".join(element("a3", b"\x81" + (40 * (i - first)).to_bytes(2, "big") + b"\x80" +
                                  planes(width, height, "420", 8, seed + i))
                          for i in range(first, min(frames, first + 2)))
        clusters += element("1f43b675", element("e7", 40 * first), blocks)
    head = element("1a45dfa3", element("4282", "matroska"), element("4287", 4), element("4285", 2))
    info = element("1549a966", element("2ad7b1", 1000000), element("4d80", "test"), element("5741", "test"))
    return head + element("18538067", info, element("1654ae6b", track), clusters)


@functools.lru_cache(None)
def square(number, seed):
    """Returns a frame of moving()."""
    width, height = 96, 54
    rows = bytearray()
    left, top = 7 * number % 80, 5 * number % 38
    for y in range(height):
        for x in range(width):
            inside = left <= x < left + 16 and top <= y < top + 16
            rows.append((200 if inside else 40 + (x + y) // 2) + (seed * (x * 7 + y * 13 + number) % 3))
    return bytes(rows)


def moving(numbers, seed=0):
    """Returns frames with a bright square that moves over a gradient; a `seed` above 0 adds a little noise."""
    return b"".join([b"YUV4MPEG2 W96 H54 F25:1 Cmono\n", *(b"FRAME\n" + square(n, seed) for n in numbers)])
