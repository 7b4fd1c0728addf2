"""Tests frames that a GPU scales and converts: the report equals the CPU's, and says which work the GPU left to the
CPU."""

import json
import struct

import clip
from command import PARTIAL, Skipped, case, check, fovea, read, report, run, usable_gpus, write

SIDES = ("-r", "big.y4m", "-d", "small.y4m")


def halved(values, width, height, edge):
    """Returns the means of two by two samples, without `edge` samples at each edge."""
    return [(values[y * width + x] + values[y * width + x + 1] + values[(y + 1) * width + x] +
             values[(y + 1) * width + x + 1] + 2) // 4 for y in range(edge, height - edge, 2)
            for x in range(edge, width - edge, 2)]


def make_videos(late=0, frames=18, width=128, height=72, edge=0):
    """Writes a video of ten bits, and one of eight bits at half the size, which begins `late` frames later and lacks
    `edge` samples at each edge."""
    big, small = [clip.header(width, height, "420", 10)], [clip.header(width // 2 - edge, height // 2 - edge)]
    for i in range(frames + late):
        sizes = ((width, height), (width // 2, height // 2), (width // 2, height // 2))
        planes = [clip.samples(w, h, 8, 7 * i + k) for k, (w, h) in enumerate(sizes)]
        if i < frames:
            deep = [value << 2 for plane in planes for value in plane]
            big.append(b"FRAME\n" + struct.pack(f"<{len(deep)}H", *deep))
        if i >= late:
            small.append(b"FRAME\n" + b"".join(bytes(halved(planes[k], *sizes[k], edge // (2 if k else 1)))
                                               for k in range(3)))
    write("big.y4m", b"".join(big))
    write("small.y4m", b"".join(small))


def gpus():
    names = usable_gpus()
    if not names:
        raise Skipped("no usable GPU")
    return names


def without_device(value):
    value["device"] = None
    for metric in value["metrics"]:
        metric["device"] = None
    return value


def score(device, *args):
    fovea("score", *args, "--metric", "psnr,motion", "--device", device, "-o", "x.json")
    value = report("x.json")
    return value["metrics"][0]["device"], without_device(value)


@case
def reports_are_those_of_the_cpu():
    make_videos()
    for args in (("--scale", "dis"), ("--scale", "ref", "--scale-filter", "lanczos"), ("--scale", "100x81"),
                 ("--scale", "dis", "--stretch", "--crop-dis", "40:30:6:2", "--scale-filter", "spline36",
                  "--subsample", "3"),
                 ("--scale", "dis", "--range-ref", "full", "--range-dis", "limited", "--convert", "range")):
        _, want = score("cpu", *SIDES, *args)
        for name in gpus():
            device, got = score(name, *SIDES, *args)
            check(device != "cpu", f"{name} did not score")
            # The second opinion needs frames that the host prepares (docs/doubt.md), so a GPU's frames get none.
            for value in (want, got):
                value["events"] = None
                value["decisions"] = [text for text in value["decisions"] if not text.startswith("warning: ")]
            check(got == want, f"{name} {args}: another report")
            check(not any("prepared on the CPU" in text for text in got["decisions"]), f"{got['decisions']}")


@case
def shifts_are_told_as_by_the_cpu():
    for edge, args in ((0, ()), (12, ("--crop-ref", "136:80:12:12"))):
        make_videos(late=2, width=160, height=104, edge=edge)
        for name in ("cpu", *gpus()):
            told = score(name, *SIDES, "--scale", "dis", *args)[1]["decisions"]
            check(len([text for text in told if "shifted by 2" in text]) == 1, f"{name} {args}: {told}")


def write_flat(name, depth, luma, chroma):
    """Writes two frames with every 8-bit code, mapped by luma() and chroma()."""
    codes = [luma(v % 256) for v in range(32 * 16)] + [chroma(v % 256) for v in range(2 * 16 * 8)]
    data = bytes(codes) if depth == 8 else struct.pack(f"<{len(codes)}H", *codes)
    write(name, clip.header(32, 16, depth=depth) + 2 * (b"FRAME\n" + data))


def clip_to(value, most):
    return max(0, min(most, value))


@case
def conversions_are_those_by_hand():
    write_flat("plain.y4m", 8, int, int)
    write_flat("deep.y4m", 10, lambda v: (2 * v * 1023 + 255) // 510, lambda v: (2 * v * 1023 + 255) // 510)
    write_flat("shifted.y4m", 10, lambda v: 4 * v, lambda v: 4 * v)
    write_flat("full.y4m", 8, lambda v: clip_to((2 * (v - 16) * 255 + 219) // 438, 255),
               lambda v: clip_to(128 + (2 * (v - 128) * 255 + 224) // 448, 255))
    full = ("--range-ref", "full", "--range-dis", "full")
    for name, args, best in (("deep.y4m", (*full, "--convert", "depth"), 72), ("shifted.y4m", (), 72),
                             ("full.y4m", ("--range-ref", "full", "--range-dis", "limited", "--convert", "range"),
                              60)):
        for device in ("cpu", *usable_gpus()):
            value = score(device, "-r", name, "-d", "plain.y4m", *args)[1]
            got = [value["pooled"][output]["min"] for output in ("psnr_y", "psnr_cb", "psnr_cr")]
            check(got == [best] * 3, f"{device}, {name}: {got}")


@case
def chroma_lies_where_the_tag_says():
    make_videos(frames=2)
    for args, words in (((), "siting center"), (("--siting-dis", "topleft"), "siting topleft"),
                        (("--siting-dis", "left"), "siting left")):
        value = score("cpu", *SIDES, "--scale", "dis", *args)[1]
        check(any("was scaled" in text and text.endswith(words) for text in value["decisions"]),
              f"{value['decisions']}")
    write("small.y4m", read("small.y4m").replace(b"C420jpeg", b"C420", 1))
    told = score("cpu", *SIDES, "--scale", "dis")[1]["decisions"]
    check(any(text.endswith("siting left (assumed)") for text in told), f"{told}")


@case
def what_is_left_to_the_cpu_is_said():
    make_videos(frames=2)
    write("wide.y4m", clip.y4m(frames=2, width=2100, height=8))
    for name in gpus():
        for args, words in ((("-r", "wide.y4m", "-d", "wide.y4m", "--scale", "4x8"), "kernels take at most 1024"),
                            ((*SIDES, "--scale", "dis", "--matrix-ref", "bt709", "--matrix-dis", "smpte170m",
                              "--convert", "matrix"), "a change of the matrix")):
            value = score(name, *args)[1]
            told = [text for text in value["decisions"] if "prepared on the CPU" in text and words in text]
            check(told, f"{name} {args}: {json.dumps(value['decisions'])}")
            check(value["frames"] == score("cpu", *args)[1]["frames"], f"{name} {args}: other scores")


@case
def damaged_frames_end_a_scoring():
    """On every device, the run keeps the scores of the frames before the damage."""
    make_videos()
    write("small.y4m", read("small.y4m")[:-700])
    for name in ("cpu", *gpus()):
        _, errors = fovea("score", *SIDES, "--scale", "dis", "--metric", "psnr", "--device", name, "-o", "x.json",
                          status=PARTIAL)
        value = report("x.json")
        check(value["partial"] and len(value["frames"]) == 17, f"{name}: {errors}")


if __name__ == "__main__":
    run()
