"""Functions that the Python programs of this folder share, without packages."""
import math
import sys
from array import array
from decimal import Context, Decimal

DIGITS = Context(prec=60)


def refuse(why):
    """Ends the program as one that refuses its input."""
    print(why, file=sys.stderr)
    sys.exit(3)


def log10(x):
    """Returns log10, correctly rounded: 60 digits, then one rounding. No binary64 number has a logarithm so close to
    the middle between two others."""
    return float(DIGITS.log10(Decimal(x))) if x > 0 and x < math.inf else -math.inf if x == 0 else x


def read_y4m(path):
    """Returns {"w", "h", "chroma", "depth", "cw", "ch": size of chroma, "frames": lists of planes} of a file."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.index(b'\n')
    head, at = data[:end].decode().split(), end + 1
    w = h = 0
    c = '420'
    for f in head[1:]:
        if f[0] == 'W':
            w = int(f[1:])
        elif f[0] == 'H':
            h = int(f[1:])
        elif f[0] == 'C':
            c = f[1:]
    chroma = 400 if c.startswith('mono') else int(c[:3])
    tail = c[4:] if chroma == 400 else c[3:]
    depth = int(tail.strip('p')) if tail.strip('p').isdigit() else 8
    cw, ch = (w + 1) // 2 if chroma in (420, 422) else w, (h + 1) // 2 if chroma == 420 else h
    sizes = [w * h] + ([] if chroma == 400 else [cw * ch] * 2)
    frames = []
    while at < len(data):
        at = data.index(b'\n', at) + 1
        planes = []
        for n in sizes:
            nb = n * (1 if depth == 8 else 2)
            planes.append(array('B' if depth == 8 else 'H', data[at:at + nb]))
            at += nb
        frames.append(planes)
    return {'w': w, 'h': h, 'chroma': chroma, 'depth': depth, 'cw': cw, 'ch': ch, 'frames': frames}


def read_pair(ref, dis):
    """Reads both clips, which must have one format."""
    clips = [read_y4m(path) for path in (ref, dis)]
    if any(clips[0][k] != clips[1][k] for k in ('w', 'h', 'chroma', 'depth')):
        refuse('the clips differ in format')
    return clips


def options(words, known):
    """Returns the options of a command line by name. known: {name: (default, type)}."""
    values = {name: default for name, (default, _) in known.items()}
    for word in words:
        name, _, text = word.partition('=')
        if name not in known:
            refuse('unknown option ' + name)
        kind = known[name][1]
        try:
            values[name] = {'true': True, '1': True, 'false': False, '0': False}[text] if kind is bool else kind(text)
        except (KeyError, ValueError):
            refuse(f'{name} cannot be {text}')
    return values
