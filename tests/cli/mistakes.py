"""Makes each mistake of docs/doubt.md with ffmpeg, in each chroma format and in several depths and sizes, and checks
that the command warns of it by name. A remedy, pasted into the command line, must raise PSNR by 6 dB and leave no
warning. Of two mistakes at once it must tell one at least.

    mistakes.py FOVEA SOURCE_ROOT       one cell of the table for each mistake, and some pairs
    mistakes.py FOVEA SOURCE_ROOT all   the whole table and all pairs, with the counts at the end

A cell that this ffmpeg cannot make is skipped, and said to be."""

import json
import os
import shlex
import subprocess
import sys
import tempfile

FOVEA = os.path.abspath(sys.argv[1])
ALL = sys.argv[3:] == ["all"]
EDGE = 8  # samples around the reference's part of a master picture, from which shifted pictures are cut

SHAPES = [(chroma, depth, size) for size in ((192, 128), (322, 182), (416, 240)) for chroma in ("420", "422", "444")
          for depth in (8, 10, 12, 16)]
SOME = SHAPES[0], SHAPES[17], SHAPES[10], SHAPES[27]


def zscale(**options):
    given = dict({"rangein": "limited", "range": "limited", "matrixin": "709", "matrix": "709"}, **options)
    return "zscale=" + ":".join(f"{name}={value}" for name, value in given.items())


def transfer(name):
    return zscale(transferin="709", transfer=name, npl="203", primariesin="709", primaries="709")


def turn(x, y):
    """Returns a filter that multiplies Cb + i Cr by x + i y."""
    return (f"geq=lum='lum(X,Y)':cb='{{half}}+{x}*(cb(X,Y)-{{half}})-{y}*(cr(X,Y)-{{half}})'"
            f":cr='{{half}}+{y}*(cb(X,Y)-{{half}})+{x}*(cr(X,Y)-{{half}})'")


SQUEEZED, STRETCHED = zscale(rangein="full"), zscale(range="full")
BARS = "crop=iw:ih-16:0:8,pad=iw:ih+16:0:8"
# Name of each mistake, the filter that makes it, the kinds of which one must be reported, words of the sentence, and
# whether there is a remedy: "" for none, "fovea" for parameters, else the filter that the sentence names.
MISTAKES = [
    ("matrix 601", zscale(matrix="170m"), "matrix", "if its matrix is BT.601 and the reference's is BT.709", "fovea"),
    ("matrix 709", zscale(matrixin="170m"), "matrix", "if its matrix is BT.709 and the reference's is BT.601",
     "fovea"),
    ("matrix 2020", zscale(matrix="2020_ncl"), "matrix", "if its matrix is BT.2020 and the reference's is BT.709",
     ""),
    ("squeezed", SQUEEZED, "range", "if it is limited range and the reference is full range", "fovea"),
    ("stretched", STRETCHED, "range", "if it is full range and the reference is limited range", "fovea"),
    ("squeezed twice", SQUEEZED + "," + SQUEEZED, "range", "were brought to limited range twice", ""),
    ("matrix and range", zscale(matrix="170m", rangein="full"), "matrix",
     "and if it is limited range and the reference is full range", "fovea"),
    ("planes", "swapuv", "planes", "its chroma planes exchanged; ffmpeg -vf swapuv", "swapuv"),
    ("negative", "lutyuv=y=negval:u=negval:v=negval", "negative", "the distorted video is the negative", ""),
    ("negative luma", "lutyuv=y=negval", "negative", "luma of the distorted video is the negative", ""),
    ("negative Cr", "lutyuv=v=negval", "negative", "Cr of the distorted video is the negative", ""),
    ("no colour", "lutyuv=u={half}:v={half}", "no_colour", "has no colour: Cb and Cr are constant", ""),
    ("no Cb", "lutyuv=u={half}", "no_colour", "Cb is constant", ""),
    ("hue", turn(0.819, 0.574), "hue", "turned by 3", ""),
    ("saturation", turn(0.5, 0), "saturation", "percent of the reference's saturation", ""),
    ("gain", "lutyuv=y=val*0.8", "level", "times 0.80", ""),
    ("gamma", "lutyuv=y=gammaval(0.5)", "tone level", "luma of the distorted video follows", ""),
    ("PQ", transfer("smpte2084"), "tone level colours", "the transfer of the reference is taken to be pq", ""),
    ("HLG", transfer("arib-std-b67"), "tone level colours", "the transfer of the reference is taken to be hlg", ""),
    ("lower", "LOWER", "lines", "2 lines lower", "fovea"),
    ("left", "LEFT", "columns", "2 columns further left", "fovea"),
    ("fields", "il=ls=1:cs=1", "fields", "the fields of the distorted video are exchanged", ""),
    ("bars", BARS, "bars", "has black bars at the top and at the bottom", "fovea"),
    ("reversed", "reverse", "reversed", "runs backwards", ""),
    ("other content", "OTHER", "unrelated", "do not seem to show the same pictures", ""),
]
TAGS = {"PQ": ("--transfer-dis", "pq"), "HLG": ("--transfer-dis", "hlg")}


def ffmpeg(*args):
    done = subprocess.run(["ffmpeg", "-v", "error", "-y", "-nostdin", *args], stderr=subprocess.PIPE, check=False,
                          timeout=240)
    return not done.returncode


def filter_of(mistake, shape):
    """Returns the filters that cut the distorted video of a mistake out of the master picture."""
    depth = shape[1]
    change = mistake[1].format(half=128 << (depth - 8))
    x, y = {"LOWER": (EDGE, EDGE - 2), "LEFT": (EDGE + 2, EDGE), "OTHER": (120, 60)}.get(change, (EDGE, EDGE))
    return cut(shape, x, y) + ("" if change.isupper() else "," + change)


def cut(shape, x, y):
    """Returns the filter that cuts a picture out of the master picture; it moves to and fro."""
    width, height = shape[2]
    moved = "(19-abs(mod(n\\,38)-19))"
    return f"crop={width}:{height}:{x}+6*{moved}:{y}+2*{moved}"


def make(shape, mistakes, frames=16):
    """Writes r.y4m and the distorted video of each mistake, of interpolated noise that moves. Returns whether ffmpeg
    made all of them; one call makes them all, because its start takes longer than they do."""
    chroma, depth, (width, height) = shape
    pixels = f"yuv{chroma}p" + (f"{depth}le" if depth > 8 else "")
    master = (f"color=c=gray:s=48x28:r=25,trim=end_frame={frames},format=yuv444p,noise=c0s=100:c1s=56:c2s=56"
              f":c0_seed=5:c1_seed=6:c2_seed=7,format=yuv{chroma}p16,scale={width + 256}:{height + 128}"
              f":flags=bilinear,format={pixels}")
    parts = [cut(shape, EDGE, EDGE)] + [filter_of(mistake, shape) for mistake in mistakes]
    graph = [f"{master},split={len(parts)}" + "".join(f"[i{k}]" for k in range(len(parts)))]
    graph += [f"[i{k}]{part},setparams=range=unknown,format={pixels}[o{k}]" for k, part in enumerate(parts)]
    names = ["r.y4m"] + [mistake[0] + ".y4m" for mistake in mistakes]
    outputs = [word for k, name in enumerate(names) for word in ("-map", f"[o{k}]", "-strict", "-1", name)]
    return ffmpeg("-filter_complex_threads", "1", "-filter_complex", ";".join(graph), *outputs)


def score(dis, *args):
    """Returns the mean PSNR of the planes and pairs of an event and its warning; None and what the command says if it
    fails."""
    done = subprocess.run([FOVEA, "score", "r.y4m", dis, "-m", "psnr", "--device", "cpu", "--threads", "1", "-q",
                           "-o", "x.json", *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        return None, done.stderr.decode()
    with open("x.json", encoding="utf-8") as file:
        value = json.load(file)
    means = [pools["mean"] for name, pools in value["pooled"].items() if name in ("psnr_y", "psnr_cb", "psnr_cr")]
    told = [line.split("warning: ", 1)[1] for line in done.stderr.decode().splitlines() if "warning: " in line]
    return sum(means) / len(means), list(zip(value["events"], told))


def wrong(mistake):
    """Returns what is wrong with the answer to a mistake; None if nothing is."""
    name, _, kinds, words, remedy = mistake
    before, events = score(name + ".y4m", *TAGS.get(name, ()))
    if before is None:
        return f"refused: {events}"
    if len(events) != 1 or events[0][0]["kind"] not in kinds.split() or words not in events[0][1]:
        return f"not '{words}' but {[text for _, text in events]}"
    event, text = events[0]
    if bool(event["remedy"]) != (remedy == "fovea"):
        return f"the remedy is {event['remedy']}"
    if not remedy:
        return None
    mended = name + ".y4m"
    if remedy != "fovea":
        mended = "mended.y4m"
        if not ffmpeg("-i", name + ".y4m", "-vf", remedy, "-strict", "-1", mended):
            return f"ffmpeg refuses {remedy}"
    after, left = score(mended, *(shlex.split(text.rsplit(": ", 1)[1]) if remedy == "fovea" else ()))
    if after is None or left or after < before + 6:
        return f"'{text}': {before} dB before, {after} dB after, and {left}"
    return None


def pairs_of_mistakes():
    """Returns each two mistakes of different kinds as one."""
    alone = [mistake for mistake in MISTAKES if not mistake[1].isupper()]
    return [(f"{a[0]} and {b[0]}", f"{a[1]},{b[1]}") for i, a in enumerate(alone) for b in alone[i + 1:]
            if a[2] != b[2]]


def untold(name):
    """Returns what is wrong with the answer to two mistakes; None if one of them is told."""
    before, events = score(name + ".y4m")
    return f"refused: {events}" if before is None else None if events else f"nothing is told at {before} dB"


def main():
    count = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, shape in enumerate(SHAPES if ALL else SOME):
            cells = [mistake for k, mistake in enumerate(MISTAKES) if ALL or k % len(SOME) == i]
            together = make(shape, cells)
            doubled = pairs_of_mistakes()[::1 if ALL else 12] if not i else []
            for mistake in cells + doubled:
                count += 1
                made = make(shape, [mistake]) if mistake in doubled or not together else True
                answer = None if not made else untold(mistake[0]) if mistake in doubled else wrong(mistake)
                skipped += not made
                failed += bool(answer)
                chroma, depth, (width, height) = shape
                print(f"{'not ' if answer else ''}ok {count} - {mistake[0]}, {chroma}, {depth} bits, {width}x{height}"
                      f"{'' if made else ' # SKIP ffmpeg does not make it'}")
                if answer:
                    print(f"# {answer}", flush=True)
    print(f"1..{count}\n# {count - skipped} cells, {failed} wrong, {skipped} not made")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
