"""Frames that a GPU scales and converts: the same report as from the CPU, and what is left to the CPU is said."""

import json
import struct

import clip
from command import PARTIAL, Skipped, case, check, fovea, read, report, run, usable_gpus, write

SIDES = ("-r", "big.y4m", "-d", "small.y4m")


def halved(values, width, height):
    """Means of two by two samples."""
    return [(values[y * width + x] + values[y * width + x + 1] + values[(y + 1) * width + x] +
             values[(y + 1) * width + x + 1] + 2) // 4 for y in range(0, height, 2) for x in range(0, width, 2)]


def make_videos(late=0, frames=18, width=128, height=72):
    """Ten bits, and eight at half the size; the small one begins `late` frames later."""
    big, small = [clip.header(width, height, "420", 10)], [clip.header(width // 2, height // 2)]
    for i in range(frames + late):
        sizes = ((width, height), (width // 2, height // 2), (width // 2, height // 2))
        planes = [clip.samples(w, h, 8, 7 * i + k) for k, (w, h) in enumerate(sizes)]
        if i < frames:
            deep = [value << 2 for plane in planes for value in plane]
            big.append(b"FRAME\n" + struct.pack(f"<{len(deep)}H", *deep))
        if i >= late:
            small.append(b"FRAME\n" + b"".join(bytes(halved(p, w, h)) for p, (w, h) in zip(planes, sizes)))
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
    for args in (("--scale", "dis"), ("--scale", "ref", "--kernel", "lanczos"), ("--scale", "100x81"),
                 ("--scale", "dis", "--crop-dis", "40:30:6:2", "--kernel", "spline36", "--subsample", "3"),
                 ("--scale", "dis", "--range-ref", "full", "--range-dis", "limited", "--convert", "range")):
        _, want = score("cpu", *SIDES, *args)
        for name in gpus():
            device, got = score(name, *SIDES, *args)
            check(device != "cpu", f"{name} did not score")
            check(got == want, f"{name} {args}: another report")
            check(not any("prepared on the CPU" in text for text in got["decisions"]), f"{got['decisions']}")


@case
def shifts_are_told_as_by_the_cpu():
    make_videos(late=2)
    for name in ("cpu", *gpus()):
        told = [text for text in score(name, *SIDES, "--scale", "dis")[1]["decisions"] if "shifted by 2" in text]
        check(len(told) == 1, f"{name}: {told}")


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
    """With the frames before it, from every device."""
    make_videos()
    write("small.y4m", read("small.y4m")[:-700])
    for name in ("cpu", *gpus()):
        _, errors = fovea("score", *SIDES, "--scale", "dis", "--metric", "psnr", "--device", name, "-o", "x.json",
                          status=PARTIAL)
        value = report("x.json")
        check(value["partial"] and len(value["frames"]) == 17, f"{name}: {errors}")


if __name__ == "__main__":
    run()
