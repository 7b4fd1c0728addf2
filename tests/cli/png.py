"""Reads PNG files as fovea writes them: gray or RGB, without interlacing. Makes PNG files of any kind."""

import struct
import zlib


def png(path):
    """Returns width, height, depth, colour type and samples of a PNG file."""
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


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_of(width, rows, depth, kind, more=b""):
    """Returns a PNG file of rows of bytes, with further chunks in front of the pixels."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), depth, kind, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in rows)))
    return b"\x89PNG\r\n\x1a\n" + head + more + body + chunk(b"IEND", b"")
