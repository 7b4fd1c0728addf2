"""Tests --roi, which weights errors by a rectangle or mask: scores against crops and plain Python, its record in the
report, and refusals where no score is defined."""

import hashlib
import math
import random
import shlex
import struct

import clip
from command import (INPUT, PARTIAL, SANITIZED, USAGE, Failed, Skipped, case, check, ffmpeg, fovea, in_shards, read,
                     report, run, usable_gpus, write)
from png import png_of

W, H = 48, 40
METRICS = "psnr=enable_mse=true:enable_apsnr=true,float_ssim=enable_lcs=true,xpsnr"
TAPS = (0.001028, 0.007599, 0.036001, 0.109361, 0.213006, 0.266012, 0.213006, 0.109361, 0.036001, 0.007599, 0.001028)


def gray(name, rows, kind=0, depth=8, channels=1):
    """Writes a PNG with one sample per pixel, or with `channels` equal samples."""
    data = [b"".join(bytes([v]) * channels * (depth // 8) for v in row) for row in rows]
    return write(name, png_of(len(rows[0]), data, depth, kind))


def clips(width=W, height=H, chroma="420", depth=8):
    for side, seed in (("ref", 1), ("dis", 5)):
        write(side + ".y4m", clip.y4m(3, width, height, chroma, depth, seed))


def score(*args, name="x.json", ref="ref.y4m", dis="dis.y4m", metrics=METRICS):
    fovea("score", ref, dis, "-m", metrics, "-o", name, "-q", *([] if "--device" in args else ["--device", "cpu"]),
          *args)
    return report(name)


def scores(value):
    return [frame["metrics"] for frame in value["frames"]], value["pooled"], value["sequence"]


def weights(width=W, height=H, seed=3):
    dice = random.Random(seed)
    return [[dice.choice((0, 7, 60, 128, 255)) for _ in range(width)] for _ in range(height)]


def planes(name, width, height, chroma="420"):
    """Returns the planes of a video's first frame, in 8 bits, as lists of rows."""
    data = read(name)
    at = data.index(b"FRAME\n") + 6
    made = []
    for plane in range(1 if chroma == "400" else 3):
        across = (width + 1) // 2 if plane and chroma != "444" else width
        down = (height + 1) // 2 if plane and chroma == "420" else height
        made.append([data[at + y * across:at + (y + 1) * across] for y in range(down)])
        at += across * down
    return made


def mirrored(i, size):
    return -1 - i if i < 0 else 2 * size - 1 - i if i >= size else i


def weight_of(mask, x, y, across, down, left=0, above=0):
    """Returns the weight of a value that covers `across` x `down` luma samples. Positions beyond the edge repeat the
    last sample."""
    return sum(mask[min(above + y * down + j, len(mask) - 1)][min(left + x * across + i, len(mask[0]) - 1)]
               for j in range(down) for i in range(across))


def errors(mask, width, height, chroma="420"):
    """Returns the weighted mean squared error of each plane."""
    made = []
    for plane, (ref, dis) in enumerate(zip(planes("ref.y4m", width, height, chroma),
                                           planes("dis.y4m", width, height, chroma))):
        across, down = (2 if plane and chroma != "444" else 1), (2 if plane and chroma == "420" else 1)
        total = weight = 0
        for y in range(height // down):
            for x in range(width // across):
                w = weight_of(mask, x, y, across, down)
                weight += w
                total += w * (ref[y][x] - dis[y][x]) ** 2
        made.append(total / weight)
    return made


def close(got, want, what, error=1e-6):
    check(abs(got - want) <= error * max(1, abs(want)), f"{what}: {got}, not {want}")


def similarity(ref, dis, weight):
    """Returns SSIM's weighted mean over all positions of luma. weight(x, y) returns a position's weight."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    total = weights = 0
    for y in range(len(ref) - 10):
        for x in range(len(ref[0]) - 10):
            a = b = aa = bb = ab = 0
            for j, v in enumerate(TAPS):
                for i, h in enumerate(TAPS):
                    r, d, t = ref[y + j][x + i], dis[y + j][x + i], v * h
                    a, b, aa, bb, ab = a + t * r, b + t * d, aa + t * r * r, bb + t * d * d, ab + t * r * d
            va, vb = max(aa - a * a, 0), max(bb - b * b, 0)
            deviation = math.sqrt(va * vb)
            light = (2 * a * b + c1) / (a * a + b * b + c1)
            contrast = (2 * deviation + c2) / (va + vb + c2)
            structure = (ab - a * b + c2 / 2) / (deviation + c2 / 2)
            w = weight(x, y)
            weights += w
            total += w * light * contrast * structure
    return total / weights


def shrunk(rows, factor):
    height, width = len(rows), len(rows[0])
    return [[sum(rows[mirrored(factor * y - factor // 2 + j, height)][mirrored(factor * x - factor // 2 + i, width)]
                 for j in range(factor) for i in range(factor)) / factor ** 2
             for x in range(width // factor + width % 2)] for y in range(height // factor + height % 2)]


@case
def a_rectangle_is_a_crop():
    for chroma, depth in (("420", 8), ("422", 10), ("444", 16), ("400", 12)):
        clips(chroma=chroma, depth=depth)
        metrics = "psnr=enable_mse=true:enable_apsnr=true"
        part = scores(score("--roi", "20:12:6:4", metrics=metrics))
        crop = scores(score("--crop-ref", "20:12:6:4", "--crop-dis", "20:12:6:4", metrics=metrics))
        check(part == crop, f"{chroma} {depth}: {part} is not the crop's {crop}")
        check(part != scores(score(metrics=metrics)), "the rectangle counts for nothing")


@case
def equal_weights_are_none():
    for width, height, chroma in ((W, H, "420"), (47, 39, "420"), (W, H, "444")):
        clips(width, height, chroma)
        want = scores(score())
        for level in (255, 1):
            mask = gray("mask.png", [[level] * width] * height)
            check(scores(score("--roi", mask)) == want, f"{width}x{height}: a mask of {level} changes scores")
        check(scores(score("--roi", f"{width}:{height}:0:0")) == want, "the whole picture is another one")


@case
def grey_weights_count():
    for width, height, chroma in ((W, H, "420"), (47, 39, "420"), (W, H, "422"), (W, H, "444")):
        clips(width, height, chroma)
        mask = weights(width, height)
        value = score("--roi", gray("mask.png", mask))["frames"][0]["metrics"]
        for plane, want in zip(("y", "cb", "cr"), errors(mask, width, height, chroma)):
            check(value["mse_" + plane] == want,
                  f"{width}x{height} {chroma}: mse_{plane} {value['mse_' + plane]}, not {want}")
        ref, dis = planes("ref.y4m", width, height, chroma)[0], planes("dis.y4m", width, height, chroma)[0]
        close(value["float_ssim"], similarity(ref, dis, lambda x, y: mask[y + 5][x + 5]), "float_ssim", 1e-5)


@case
def smaller_scales_pool_the_weights():
    clips(70, 62, "400")
    mask = weights(70, 62)
    gray("mask.png", mask)
    for factor in (2, 3):
        ref, dis = (shrunk(planes(side, 70, 62, "400")[0], factor) for side in ("ref.y4m", "dis.y4m"))
        middle = 5 * factor - factor // 2
        want = similarity(ref, dis, lambda x, y: weight_of(mask, x, y, factor, factor, middle, middle))
        value = score("--roi", "mask.png", metrics=f"float_ssim=scale={factor}")["frames"][0]["metrics"]["float_ssim"]
        close(value, want, f"scale {factor}")
        check(abs(want - similarity(ref, dis, lambda x, y: 1)) > 1e-4, "the mask hardly counts")


def value_map(metric, name, *videos):
    """Returns a map of the first frame, as rows of numbers."""
    fovea("map", *videos, "-m", metric, "--map", name, "--frame", "0", "--format", "pfm", "-o", "maps", "--overwrite")
    data = read(f"maps/frame_0/{name}.pfm").split(b"\n", 3)
    width, height = (int(word) for word in data[1].split())
    values = struct.unpack(f"{'<' if float(data[2]) < 0 else '>'}{width * height}f", data[3])
    return [values[y * width:(y + 1) * width] for y in reversed(range(height))]


@case
def xpsnr_weights_errors():
    for width, height, chroma in ((96, 80, "420"), (71, 63, "420"), (71, 63, "444"), (30, 20, "422")):
        clips(width, height, chroma)
        mask = weights(width, height)
        gray("mask.png", mask)
        value = score("--roi", "mask.png", metrics="xpsnr")["frames"][0]["metrics"]
        busy = value_map("xpsnr", "weight", "ref.y4m", "dis.y4m")
        ratio = width * height / (3840 * 2160)
        factor = math.sqrt(16 * 2 ** 7 / math.sqrt(max(ratio, 0.00001))) if width * height >= 2025 else 1
        for plane, ref, dis in zip(range(3), planes("ref.y4m", width, height, chroma),
                                   planes("dis.y4m", width, height, chroma)):
            across, down = (2 if plane and chroma != "444" else 1), (2 if plane and chroma == "420" else 1)
            total = weight = 0
            for y, rows in enumerate(zip(ref, dis)):
                for x, (r, d) in enumerate(zip(*rows)):
                    w = weight_of(mask, x, y, across, down)
                    weight += w
                    total += w * (r - d) ** 2 * busy[min(y * down, height - 1)][min(x * across, width - 1)]
            name = "xpsnr_" + ("y", "cb", "cr")[plane]
            if plane == 0 or chroma == "444": # subsampled chroma has blocks of its own
                close(value[name], 10 * math.log10(255 ** 2 * weight / (total * factor)),
                      f"{width}x{height} {chroma} {name}")
        equal = scores(score("--roi", gray("mask.png", [[9] * width] * height), metrics="xpsnr"))
        check(equal == scores(score(metrics="xpsnr")), "equal weights change xpsnr")
    # Odd chroma sizes are rounded up, so the last column of luma has a chroma sample of its own.
    clips(71, 63)
    refused(INPUT, ["sample of Cb"], "--roi", "1:63:70:0")
    check(len(score("--roi", "1:63:70:0", metrics="xpsnr")["frames"][0]["metrics"]) == 3, "the last column")


def banded(name, width, height):
    """Writes a slope in steps, with some noise on the right."""
    dice = random.Random(9)
    rows = [bytes(min(255, 60 + (x + y) // 12 + (dice.randrange(3) if x > width * 3 // 4 else 0))
                  for x in range(width))
            for y in range(height)]
    return write(name, clip.header(width, height, "400", 8) + b"FRAME\n" + b"".join(rows)) and name


def greatest(mask, values, share, scale):
    """Returns the weighted mean of the greatest values whose weights make up a share of all weights."""
    pairs = sorted(((value, weight_of(mask, x, y, scale, scale)) for y, row in enumerate(values) for x,
                    value in enumerate(row)),
                   reverse=True)
    divisor = math.gcd(*(weight for _, weight in pairs))
    most = left = max(1, int(share * (sum(weight for _, weight in pairs) // divisor)))
    total = 0
    for value, weight in pairs:
        taken = min(left, weight // divisor)
        total += taken * value
        left -= taken
    return total / most


@case
def cambi_pools_by_weight():
    width, height = 242, 218
    banded("band.y4m", width, height)
    def value(*args, options=""):
        fovea("score", "-d", "band.y4m", "-m", "cambi" + options, "-q", "-o", "x.json", "--device", "cpu", *args)
        return report("x.json")["frames"][0]["metrics"]["cambi"]
    maps = [value_map("cambi", f"cambi_{s}", "-d", "band.y4m") for s in range(5)]
    masks = {"grey": weights(width, height),
             "part": [[255 * (x < 100 and y > 30) for x in range(width)] for y in range(height)],
             "equal": [[3] * width] * height}
    for share in (0.6, 0.05, 1):
        options = "" if share == 0.6 else f"=topk={share}"
        pooled = {name: sum(greatest(mask, values, share, 1 << s) * (16 >> s) for s, values in enumerate(maps))
                  for name, mask in masks.items()}
        area = pooled["equal"] / value(options=options)
        for name, mask in masks.items():
            close(value("--roi", gray("mask.png", mask), options=options), pooled[name] / area,
                  f"{name} {share}", 1e-9)
        check(value("--roi", "mask.png", options=options) == value(options=options), "equal weights change cambi")
    gray("mask.png", masks["grey"])
    check(value("--roi", "mask.png", "--isa", "scalar") == value("--roi", "mask.png"), "instruction sets differ")
    fovea("score", "-d", "band.y4m", "-m", "cambi=enc_width=220:enc_height=200", "--roi", "mask.png", status=USAGE,
          says="enc_width")
    fovea("score", "-d", "band.y4m", "-r", "band.y4m", "-m", "vmaf=overload=cambi.roi=8", status=USAGE)


def masks_of(width, height):
    return {"grey": weights(width, height),
            "part": [[255 * (3 <= x < 30 and y >= 9) for x in range(width)] for y in range(height)]}


def with_mask(mask, metric, *args):
    return score("--roi", gray("mask.png", mask), *args, metrics=metric)["frames"][0]["metrics"]


def in_any_order(mask, metric, value):
    """Instruction sets and threads give the same value, and equal weights change nothing."""
    gray("mask.png", mask)
    for args in (("--isa", "scalar"), *(() if SANITIZED else (("--threads", "1"), ("--threads", "3")))):
        check(with_mask(mask, metric, *args) == value, f"{metric} with {args}")
    equal = score("--roi", gray("equal.png", [[77] * len(row) for row in mask]), metrics=metric)
    check(scores(equal) == scores(score(metrics=metric)), f"equal weights change {metric}")


@case
def butteraugli_norms():
    for width, height in ((70, 50), (300, 60), (7, 40)): # sizes: one tile, two tiles, and a picture that is extended
        clips(width, height)
        distances = value_map("butteraugli", "distance", "ref.y4m", "dis.y4m")
        for name, mask in masks_of(width, height).items():
            value = with_mask(mask, "butteraugli")
            pairs = [(w, d) for row, line in zip(mask, distances) for w, d in zip(row, line)]
            total = sum(w for w, _ in pairs)
            norm = {q: (sum(w * (d if d >= 1 / 256 else 0) ** q for w, d in pairs) / total) ** (1 / q)
                    for q in (3, 5, 6, 12)}
            close(value["butteraugli_p3"], norm[3], f"{name} p3", 1e-5)
            close(value["butteraugli_p5"], norm[5], f"{name} p5", 1e-5)
            close(value["butteraugli_3norm"], (norm[3] + norm[6] + norm[12]) / 3, f"{name} 3norm", 1e-5)
            check(value["butteraugli"] == max(d for w, d in pairs if w), f"{name}: the greatest distance")
        in_any_order(mask, "butteraugli", value)


@case
def vdm_statistics():
    width, height = 90, 70
    clips(width, height)
    for options in ("", "=retinal_ppd=30"):
        jnd = value_map("vdm" + options, "jnd", "ref.y4m", "dis.y4m")
        whole = score(metrics="vdm" + options)["frames"][0]["metrics"]["vdm_detect"]
        ppd = math.sqrt(sum(j * j for row in jnd for j in row)) / whole
        for name, mask in masks_of(width, height).items():
            value = with_mask(mask, "vdm" + options)
            pairs = sorted((j, w) for row, line in zip(mask, jnd) for w, j in zip(row, line) if w)
            total = sum(w for _, w in pairs)
            mean = lambda power: sum(w * min(j, 63) ** power for j, w in pairs) / total
            close(value["vdm_mean"], mean(1), name + " mean")
            close(value["vdm_minkowski"], mean(4) ** 0.25, name + " minkowski", 1e-5)
            close(value["vdm_detect"], math.sqrt(sum(w * j * j for j, w in pairs) / 255) / ppd, name + " detect")
            close(value["vdm_visible"], sum(w for j, w in pairs if j >= 1) / total, name + " visible")
            check((value["vdm_min"], value["vdm_max"]) == (pairs[0][0], pairs[-1][0]), name + " extremes")
            for share in (50, 95, 99):
                seen, at = pairs[0][1], 0
                while seen < share / 100 * total - 1e-9:
                    at += 1
                    seen += pairs[at][1]
                found, want = value[f"vdm_p{share}"], pairs[at][0]
                check(found <= want <= found * (1 + 1 / 128) + 1e-30, f"{name} p{share}: {found}, not below {want}")
        in_any_order(mask, "vdm" + options, value)


@case
def every_instruction_set():
    clips(depth=10)
    gray("mask.png", weights())
    want = scores(score("--roi", "mask.png", "--isa", "scalar", "--threads", "1"))
    for isa in ("sse2", "avx2", "avx512", "auto"):
        try:
            value = score("--roi", "mask.png", "--isa", isa)
        except Failed as failure:
            check("cannot run instruction set" in str(failure), str(failure))
            continue
        check(scores(value) == want, f"{isa} differs")


@case
def gpus_leave_it_to_the_cpu():
    gpus = usable_gpus()
    if not gpus:
        raise Skipped("this machine has no GPU")
    clips()
    want = scores(score("--roi", "20:12:6:4"))
    value = score("--roi", "20:12:6:4", "--device", gpus[0])
    check(scores(value) == want, f"{gpus[0]} differs")
    check(any("computed on the CPU" in text and "(roi)" in text for text in value["decisions"]),
          f"{value['decisions']}")
    mixed = score("--device", gpus[0], metrics="psnr,psnr=roi=20\\:12\\:6\\:4")["decisions"]
    check(any("computed on the CPU" in text for text in mixed), f"the part alone is the CPU's: {mixed}")


@case
def reports_say_where():
    clips()
    gray("mask.png", weights())
    for args, options in ((["--roi", "20:12:6:4"], {"roi": "20:12:6:4"}),
                          (["--roi", "mask.png"], {"roi_mask": "mask.png"})):
        value = score(*args)
        check(any(args[1] in text for text in value["decisions"]), f"{value['decisions']}")
        for metric in value["metrics"]:
            told = {name: value for name, value in metric["options"].items() if name.startswith("roi") and value}
            check(told == options, f"{metric['name']}: {told}, not {options}")
            if "mask.png" in args:
                digest = hashlib.sha256(read("mask.png")).hexdigest()
                check(metric["files"]["roi_mask"]["sha256"] == digest, f"{metric}")
    both = score(metrics="psnr,psnr=roi=20\\:12\\:6\\:4")["frames"][0]["metrics"]
    check(len(both) == 8 and len(set(both.values())) == 8, f"the picture and a part in one run: {both}")


@case
def shards_agree():
    clips()
    gray("mask.png", weights())
    one = ["score", "ref.y4m", "dis.y4m", "-m", METRICS, "--roi", "mask.png", "-q", "--device", "cpu", "-o"]
    fovea(*one, "one.json")
    in_shards(3, "ref.y4m", "dis.y4m", "-m", METRICS, "--roi", "mask.png")
    check(read("merged.json") == read("one.json"), "merged shards differ from one run")
    fovea(*one, "resumed.json", "--resume")
    check(read("resumed.json") == read("one.json"), "--resume differs from one run")
    gray("mask.png", weights(seed=4))
    fovea("merge", "--plan", "plan.json", "shards", "-o", "merged.json", status=INPUT, says="roi_mask")


ALL = METRICS + ",butteraugli,vdm"


def moving(name, masks, tag=""):
    """Writes a gray video whose frames are the masks."""
    width, height = len(masks[0][0]), len(masks[0])
    head = clip.header(width, height, "400", 8)
    return write(name, head[:-1] + tag.encode() + b"\n" +
                 b"".join(b"FRAME\n" + b"".join(map(bytes, mask)) for mask in masks)) and name


def four_masks(width=W, height=H):
    """Returns masks of many grays, of black and white, of one gray, and of values with a common divisor."""
    part = [[255 * (3 <= x < 30 and y >= 9) for x in range(width)] for y in range(height)]
    return [weights(width, height), part, [[9] * width] * height,
            [[6 * (v % 5) for v in row] for row in weights(width, height, 8)]]


def long_clips(frames=4, width=W, height=H, chroma="420", depth=8):
    for side, seed in (("ref", 1), ("dis", 5)):
        write(side + ".y4m", clip.y4m(frames, width, height, chroma, depth, seed))


def singles(masks, metrics, *args):
    """Returns the scores of each frame, scored with its mask as a picture."""
    return [score("--roi", gray("mask.png", mask), *args, metrics=metrics, name="single.json")["frames"][i]["metrics"]
            for i, mask in enumerate(masks)]


@case
def a_video_weights_each_frame():
    for width, height, chroma, depth in ((90, 70, "420", 8), (71, 63, "422", 10), (48, 40, "444", 12)):
        long_clips(4, width, height, chroma, depth)
        masks = four_masks(width, height)
        want = singles(masks, ALL)
        moving("mask.y4m", masks)
        for args in ((), ("--isa", "scalar"), ("--threads", "1"), ("--threads", "3")):
            value = score("--roi", "mask.y4m", *args, metrics=ALL)
            for i, frame in enumerate(value["frames"]):
                check(frame["metrics"] == want[i],
                      f"{width}x{height} {chroma} {depth} {args} frame {i}: {frame['metrics']}, not {want[i]}")
        # A video of one repeated picture acts as that picture, also for scores of the clip. A white video changes
        # nothing.
        for mask in masks[:2]:
            still = score("--roi", gray("mask.png", mask), metrics=ALL)
            check(scores(score("--roi", moving("same.y4m", [mask] * 4), metrics=ALL)) == scores(still),
                  "a video of one picture")
        check(scores(score("--roi", moving("white.y4m", [masks[2]] * 4), metrics=ALL)) == scores(score(metrics=ALL)),
              "equal weights")


@case
def a_video_weights_cambi():
    width, height = 242, 218
    frame = clip.header(width, height, "400", 8)
    banded("band.y4m", width, height)
    picture = read("band.y4m")[len(frame):]
    masks = [[[v if (x // 16 + y // 16 + i) % 3 else 0 for x, v in enumerate(row)] for y,
              row in enumerate(weights(width, height, i))]
             for i in range(2)] + [[[5] * width] * height]
    for side in ("ref.y4m", "dis.y4m"):
        write(side, frame + picture * 3)
    metric = "cambi=full_ref=true"
    want = singles(masks, metric)
    check(len({value["cambi"] for value in want}) == 3, f"the masks hardly count: {want}")
    for args in ((), ("--isa", "scalar"), ("--threads", "1")):
        value = score("--roi", moving("mask.y4m", masks), *args, metrics=metric)
        check([frame["metrics"] for frame in value["frames"]] == want, f"{args}: {value['frames']}, not {want}")


@case
def a_clip_is_all_weighted_errors():
    clips()
    masks = four_masks()[:3]
    value = score("--roi", moving("mask.y4m", masks), metrics="psnr=enable_mse=true:enable_apsnr=true,xpsnr")
    # The total weight of each mask is the same for each plane, since the sides are even.
    own = [sum(map(sum, mask)) for mask in masks]
    y, cb, cr = (sum(frame["metrics"]["mse_" + plane] * weight for frame, weight in zip(value["frames"], own)) /
                 sum(own)
                 for plane in ("y", "cb", "cr"))
    for name, error in (("apsnr_y", y), ("apsnr_yuv", (4 * y + cb + cr) / 6)):
        close(value["sequence"][name], 10 * math.log10(255 ** 2 / error), name, 1e-9)
    roots = [10 ** (-frame["metrics"]["xpsnr_y"] / 20) for frame in value["frames"]]
    name = next(name for name in value["sequence"] if name.startswith("xpsnr") and name.endswith("_y"))
    close(value["sequence"][name], -20 * math.log10(sum(roots) / 3), name, 1e-9)


@case
def a_video_of_masks_follows_the_reference():
    long_clips(12)
    masks = [weights(seed=i) for i in range(12)]
    moving("mask.y4m", masks)
    whole = score("--roi", "mask.y4m")["frames"]
    def later(first, *args):
        part = score("--roi", "mask.y4m", *args)["frames"]
        for frame in part:
            check(frame["metrics"] == whole[frame["frame"] + first]["metrics"], f"{args}: frame {frame['frame']}")
        return len(part)
    check(later(0, "--every", "5") == 3, "every fifth frame")
    check(later(3, "--frame-skip-ref", "3", "--frame-skip-dis", "3") == 9, "frames skipped on both sides")
    check(later(5, "--start", "0.2", "--frames", "4") == 4, "a part by time")
    # The mask belongs to the reference's frames, wherever the distorted video begins.
    shifted = score("--roi", "mask.y4m", "--frame-skip-ref", "2", "--frames", "8", metrics="psnr")["frames"]
    wrong = score("--roi", moving("other.y4m", masks[2:]), "--frame-skip-ref", "2", "--frames", "8",
                  metrics="psnr")["frames"]
    head = clip.header(W, H, "420", 8)
    size = (len(read("ref.y4m")) - len(head)) // 12
    write("cut.y4m", head + read("ref.y4m")[len(head) + 2 * size:])
    same = score("--roi", "other.y4m", "--frames", "8", metrics="psnr", ref="cut.y4m")["frames"]
    check([f["metrics"] for f in shifted] == [f["metrics"] for f in same], "the mask does not follow the reference")
    check([f["metrics"] for f in wrong] != [f["metrics"] for f in same], "the mask is not of the reference's frames")


@case
def shards_read_their_part_of_a_video():
    long_clips(12)
    moving("mask.y4m", [weights(seed=i) for i in range(12)])
    one = ["score", "ref.y4m", "dis.y4m", "-m", ALL, "--roi", "mask.y4m", "-q", "--device", "cpu", "-o"]
    fovea(*one, "one.json")
    in_shards(3, "ref.y4m", "dis.y4m", "-m", ALL, "--roi", "mask.y4m")
    check(read("merged.json") == read("one.json"), "merged shards differ from one run")
    fovea(*one, "resumed.json", "--resume")
    check(read("resumed.json") == read("one.json"), "--resume differs from one run")
    digest = hashlib.sha256(read("mask.y4m")).hexdigest()
    check(all(metric["files"]["roi_mask"]["sha256"] == digest for metric in report("one.json")["metrics"]),
          "the hash of the video")


@case
def videos_that_are_no_masks():
    long_clips(4)
    masks = four_masks()
    black = [[0] * W] * H
    last_column = [[255 * (x == W - 1) for x in range(W)] for y in range(H)]
    refused(PARTIAL, ["mask.y4m", "no frame 2", "fewer frames"], "--roi", moving("mask.y4m", masks[:2]))
    check(len(score("--roi", "mask.y4m", "--frames", "2")["frames"]) == 2, "the remedy")
    refused(PARTIAL, ["frame 1 of the mask 'mask.y4m' is black"],
            "--roi", moving("mask.y4m", [masks[0], black, masks[1], masks[2]]))
    check(len(score("--roi", "mask.y4m", "--frame-skip-ref", "2", "--frame-skip-dis", "2")["frames"]) == 2,
          "the remedy")
    refused(PARTIAL, ["window", "frame 1 of the mask"],
            "--roi", moving("mask.y4m", [masks[0], last_column, masks[1], masks[2]]), metrics="float_ssim")
    refused(INPUT, ["46x40", "48x40"], "--roi", moving("mask.y4m", [[row[:-2] for row in mask] for mask in masks]))
    refused(INPUT, ["limited range", "ffmpeg"], "--roi", moving("mask.y4m", masks, " XCOLORRANGE=LIMITED"))
    score("--roi", moving("mask.y4m", masks, " XCOLORRANGE=FULL"))
    moving("mask.y4m", [[[16 + 219 * (x < 20) for x in range(W)]] * H] * 4, " XCOLORRANGE=LIMITED")
    words = fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "--roi", "mask.y4m", status=INPUT)[1]
    ffmpeg(*shlex.split(words[words.index("ffmpeg") + 6:].replace("MASK", "mask.y4m")))
    remedied = score("--roi", "mask.mkv")["frames"]
    check(remedied == score("--roi", f"20:{H}:0:0")["frames"], "the remedy for limited range is another mask")
    refused(INPUT, ["gray", "ffmpeg"], "--roi", "ref.y4m")
    moving("mask.y4m", masks)
    data = read("mask.y4m")
    write("mask.y4m", data[:-7])
    refused(PARTIAL, ["mask.y4m"], "--roi", "mask.y4m")


def refused(status, words, *args, metrics="psnr"):
    fovea("score", "ref.y4m", "dis.y4m", "--device", "cpu", *(["-m", metrics] if metrics else []), *args,
          status=status, says=words)


@case
def what_has_no_answer():
    clips(47, 39)
    gray("mask.png", weights(47, 39))
    for metric in ("vmaf", "psnr_hvs", "float_ms_ssim", "ciede", "ssimulacra2", "cvvdp", "pu_ssim", "vif",
                   "psnr,vmaf=version=vmaf_v0.6.1"):
        refused(USAGE, ["--roi", metric.split("=")[0].split(",")[-1],
                        "butteraugli, cambi, float_ssim, psnr, vdm, xpsnr"], "--roi", "mask.png", metrics=metric)
    refused(USAGE, ["--roi", "name metrics that have: butteraugli, cambi, float_ssim, psnr, vdm, xpsnr"],
            "--roi", "mask.png", metrics=None)
    refused(USAGE, ["--roi", "--model"], "--roi", "mask.png", "--model", "auto", metrics=None)
    for text in ("20:12:6", "0:12:6:4", "20:12:6:4:1", "20:12:99999:4", ":::"):
        refused(USAGE, ["W:H:X:Y", text], "--roi", text)
    refused(USAGE, ["roi", "roi_mask"], metrics="psnr=roi=8\\:8\\:0\\:0:roi_mask=mask.png")
    refused(INPUT, ["47x39", "40:39:8:0"], "--roi", "40:39:8:0")
    refused(INPUT, ["none.png"], "--roi", "none.png")
    refused(INPUT, ["46x39", "47x39"], "--roi", gray("small.png", weights(46, 39)))
    refused(INPUT, ["black"], "--roi", gray("black.png", [[0] * 47] * 39))
    refused(INPUT, ["gray", "colour.png"], "--roi", gray("colour.png", weights(47, 39), kind=2, channels=3))
    refused(INPUT, ["gray"], "--roi", gray("deep.png", weights(47, 39), depth=16))
    refused(INPUT, ["gray"], "--roi", "ref.y4m")
    # At this width chroma is rounded down, so the last column of luma has no chroma sample.
    refused(INPUT, ["sample of Cb"], "--roi", "1:39:46:0")
    score("--roi", "1:39:46:0", metrics="psnr=enable_chroma=false")
    refused(INPUT, ["window"], "--roi", "47:5:0:0", metrics="float_ssim")
    for width, height in ((16, 1), (1, 16)): # the chroma planes have no samples
        clips(width, height)
        refused(INPUT, ["sample of Cb"], "--roi", "1:1:0:0")
        refused(INPUT, ["sample of Cb"], "--roi", moving("thin.y4m", [[[7] * width] * height] * 3))
    clips(47, 39)
    refused(USAGE, ["roi_mask", "--fields"], "--roi", "mask.png", "--fields")


@case
def no_output_replaces_the_mask():
    clips()
    before = read(gray("mask.png", weights()))
    fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "--roi", "mask.png", "-o", "./mask.png", "--format", "json",
          status=USAGE)
    check(read("mask.png") == before, "the mask was replaced")


run()
