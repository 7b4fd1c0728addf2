"""Makes each mistake that fovea looks for (docs/doubt.md) and checks that the command warns of it with a remedy. The
remedy, pasted into the command line, must remove both the difference and the warning."""

import math
import random
import shlex

import clip
from command import INPUT, PARTIAL, Skipped, case, check, ffmpeg, fovea, in_shards, report, run, write

WIDTH, HEIGHT, FRAMES = 192, 128, 9
WEIGHTS = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722), "bt2020": (0.2627, 0.0593)}


def smooth(generator, width, height, step, low, high):
    """Returns noise that is interpolated between knots `step` samples apart."""
    knots = [[generator.uniform(low, high) for _ in range(width // step + 2)] for _ in range(height // step + 2)]
    rows = []
    for y in range(height):
        down = y % step / step
        line = [a + (b - a) * down for a, b in zip(knots[y // step], knots[y // step + 1])]
        rows.append([line[x // step] + (line[x // step + 1] - line[x // step]) * (x % step) / step
                     for x in range(width)])
    return rows


class Pictures:
    """A picture as rows of pixels (Y, Cb, Cr), in fractional codes, and the left and top edge of each frame in it."""

    def __init__(self, rows, places):
        self.rows, self.places = rows, places


def smooth_picture(seed, width, height, low, high, places):
    generator = random.Random(seed)
    planes = [smooth(generator, width, height, *knots) for knots in ((12, low, high), (20, 100, 156), (24, 100, 156))]
    return Pictures([list(zip(*rows)) for rows in zip(*planes)], places)


# The colours stay in range after every change of this test.
BASE = smooth_picture(11, WIDTH + 16, HEIGHT + 16, 70, 170, [(i, i) for i in range(FRAMES)])


def make_pan(frames=36):
    """Returns frames of a picture that moves by 12 samples per frame."""
    return smooth_picture(7, WIDTH + 12 * 36, HEIGHT, 60, 180, [(12 * i, 0) for i in range(frames)])


def video(name, change=None, shape=None, chroma="444", pictures=BASE):
    """Writes a video. change(y, cb, cr) replaces a pixel, whose values are then rounded to the nearest integer and
    clipped. shape(rows, black) replaces the rows of codes of a plane of a frame."""
    rows = [[change(*pixel) for pixel in row] for row in pictures.rows] if change else pictures.rows
    planes = [[bytes(max(0, min(255, int(pixel[p] + 0.5))) for pixel in row) for row in rows] for p in range(3)]
    across, down, body = 1 + (chroma != "444"), 1 + (chroma == "420"), bytearray()
    for left, top in pictures.places:
        body += b"FRAME\n"
        for p, plane in enumerate(planes):
            seen = [row[left:left + WIDTH] for row in plane[top:top + HEIGHT]]
            seen = shape(seen, b"\x80" if p else b"\x10") if shape else seen
            body += b"".join(row[::across] for row in seen[::down]) if p else b"".join(seen)
    return write(name, clip.header(WIDTH, HEIGHT, chroma) + body)


def to_rgb(name):
    red, blue = WEIGHTS[name]
    green = 1 - red - blue
    def convert(y, cb, cr):
        y, cb, cr = (y - 16) / 219, (cb - 128) / 112 * (1 - blue), (cr - 128) / 112 * (1 - red)
        return y + cr, y - blue * cb / green - red * cr / green, y + cb
    return convert


def from_rgb(name):
    red, blue = WEIGHTS[name]
    def convert(r, g, b):
        y = red * r + (1 - red - blue) * g + blue * b
        return 16 + 219 * y, 128 + 112 * (b - y) / (1 - blue), 128 + 112 * (r - y) / (1 - red)
    return convert


def matrix(one, other):
    there, back = to_rgb(one), from_rgb(other)
    return lambda *pixel: back(*there(*pixel))


def squeeze(y, cb, cr):
    return 16 + y * 219 / 255, 128 + (cb - 128) * 224 / 255, 128 + (cr - 128) * 224 / 255


def stretch(y, cb, cr):
    return (y - 16) * 255 / 219, 128 + (cb - 128) * 255 / 224, 128 + (cr - 128) * 255 / 224


def turn(degrees, factor=1.0):
    x, y = factor * math.cos(math.radians(degrees)), factor * math.sin(math.radians(degrees))
    return lambda luma, cb, cr: (luma, 128 + x * (cb - 128) - y * (cr - 128), 128 + y * (cb - 128) + x * (cr - 128))


def move(lines, columns=0):
    """Returns a shape that moves the picture down and to the right, and repeats the edge."""
    def moved(row):
        return row[:1] * columns + row[:WIDTH - columns] if columns >= 0 else row[-columns:] + row[-1:] * -columns
    return lambda rows, black: [moved(rows[max(0, min(HEIGHT - 1, y - lines))]) for y in range(HEIGHT)]


def bars(top, bottom, left=0, right=0):
    return lambda rows, black: [black * left + row[left:WIDTH - right] + black * right
                                if top <= y < HEIGHT - bottom else black * WIDTH for y, row in enumerate(rows)]


def exchange_fields(rows, black):
    return [rows[y ^ 1] for y in range(HEIGHT)]


def score(*args, **more):
    """Returns the mean PSNR of the planes, the warnings as printed, and the events."""
    err = fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--device", "cpu", "-o", "x.json", *args, **more)[1]
    value = report("x.json")
    means = [pools["mean"] for name, pools in value["pooled"].items() if name.startswith("psnr_")]
    told = [line.split("warning: ", 1)[1] for line in err.splitlines() if "warning: " in line]
    return sum(means) / len(means), told, value["events"]


def is_told(kind, *args, text, fit=None, remedy=None, keep=()):
    """Checks that there is one warning, which --strict refuses. The remedy, used instead of `args` with `keep`, must
    raise PSNR by 6 dB and leave no warning."""
    before, told, events = score(*args)
    check(len(told) == 1 and text in told[0], f"not '{text}' but {told}")
    check([event["kind"] for event in events] == [kind], f"{kind}: {events}")
    check(fit is None or events[0]["fit"] == fit, f"not '{fit}' but {events[0]}")
    check(told[0].startswith(events[0]["text"].split(": `")[0]), f"{told} is not {events[0]['text']}")
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--device", "cpu", "--strict", *args, status=PARTIAL,
          says="refused by --strict: " + told[0].split(": ")[0])
    if not remedy:
        check(not events[0]["remedy"] and " --" not in told[0], f"{told} has a remedy")
        return
    offered = told[0].rsplit(": ", 1)[1]
    check(offered == remedy, f"not '{remedy}' but '{offered}'")
    after, left, _ = score(*shlex.split(offered), *keep)
    check(after >= before + 6, f"{remedy}: {before:.2f} dB before, {after:.2f} dB after")
    check(not left, f"{remedy}: {left}")


@case
def matrices_are_told():
    video("r.y4m")
    for one, other in (("bt709", "bt601"), ("bt601", "bt709")):
        video("d.y4m", matrix(one, other))
        is_told("matrix", text=f"if its matrix is {'BT.' + other[2:]} and the reference's is {'BT.' + one[2:]}",
                fit=f"matrix {one} {other}", remedy=f"--matrix-ref {one} --matrix-dis {other} --convert matrix")
    video("d.y4m", matrix("bt601", "bt2020"))
    is_told("matrix", text="if its matrix is BT.2020 and the reference's is BT.601", fit="matrix bt601 bt2020")
    video("d.y4m")
    is_told("matrix", "--matrix-ref", "bt709", "--matrix-dis", "bt601", "--convert", "matrix",
            text="without the conversion of its matrix", fit="matrix bt601 bt709",
            remedy="--matrix-ref bt709 --matrix-dis bt709")


@case
def ranges_are_told():
    video("r.y4m")
    video("d.y4m", squeeze)
    is_told("range", text="if it is limited range and the reference is full range", fit="range squeezed",
            remedy="--range-ref full --range-dis limited --convert range")
    video("d.y4m", stretch)
    is_told("range", text="if it is full range and the reference is limited range", fit="range stretched",
            remedy="--range-ref limited --range-dis full --convert range")
    video("d.y4m")
    is_told("range", "--range-ref", "limited", "--range-dis", "full", "--convert", "range",
            text="without the conversion of its range", fit="range squeezed",
            remedy="--range-dis limited", keep=("--range-ref", "limited"))
    for change, words in ((squeeze, "limited"), (stretch, "full")):
        video("d.y4m", lambda *pixel, change=change: change(*change(*pixel)))
        is_told("range", text=f"were brought to {words} range twice")
    video("d.y4m", lambda *pixel: squeeze(*matrix("bt709", "bt601")(*pixel)))
    is_told("matrix", text="if its matrix is BT.601 and the reference's is BT.709, and if it is limited range",
            fit="matrix bt709 bt601, range squeezed",
            remedy="--matrix-ref bt709 --matrix-dis bt601 --range-ref full --range-dis limited --convert "
            "range,matrix")


@case
def other_colours_are_told():
    video("r.y4m")
    def told(kind, change, text, fit=None):
        video("d.y4m", change)
        is_told(kind, text=text, fit=fit)
    told("planes", lambda y, cb, cr: (y, cr, cb), "its chroma planes exchanged", "planes swapped")
    def exchanged(order):
        there, back = to_rgb("bt709"), from_rgb("bt709")
        return lambda *pixel: back(*(there(*pixel)["RGB".index(letter)] for letter in order))
    for order, words in (("BGR", "its red and blue are"), ("GRB", "its red and green are"),
                         ("RBG", "its green and blue are"), ("GBR", "in the next one's place")):
        told("components", exchanged(order), words, "rgb " + order)
    told("negative", lambda y, cb, cr: (251 - y, 256 - cb, 256 - cr), "the distorted video is the negative")
    told("negative", lambda y, cb, cr: (251 - y, cb, cr), "luma of the distorted video is the negative")
    told("negative", lambda y, cb, cr: (y, 256 - cb, 256 - cr), "the chroma of the distorted video is the negative")
    told("negative", lambda y, cb, cr: (y, cb, 256 - cr), "Cr of the distorted video is the negative")
    told("no_colour", lambda y, cb, cr: (y, 128, 128), "has no colour: Cb and Cr are constant")
    told("no_colour", lambda y, cb, cr: (y, cb, 128), "lacks a part of its colour: Cr is constant")
    for angle in (30, 90, 135):
        told("hue", turn(angle), f"turned by {angle} degrees", "hue")
    told("saturation", turn(0, 0.6), "have 60 percent of the reference's saturation", "saturation")
    told("level", lambda y, cb, cr: (0.7 * y + 5, cb, cr), "times 0.70 plus 5.0 codes", "level")
    told("level", lambda y, cb, cr: (1.2 * y - 12, *turn(0, 0.6)(y, cb, cr)[1:]), "colours have 60 percent",
         "level and saturation")
    told("tone", lambda y, cb, cr: (y * (512 - y) / 256, cb, cr), "follows another curve", "tone")
    told("colours", lambda y, cb, cr: (0.8 * y + 0.3 * (cb - 128) + 20, 128 + 0.7 * (cb - 128) + 0.3 * (cr - 128),
                                       128 + 0.5 * (cr - 128) - 0.4 * (cb - 128)),
         "by a map that no known mistake explains")


@case
def pale_colours_are_told_from_the_bound_on():
    """docs/doubt.md: the chroma of the means must be 2.6 / |1 - s| codes or more."""
    pixels = [pixel for left, top in BASE.places for row in BASE.rows[top:top + HEIGHT]
              for pixel in row[left:left + WIDTH]]
    own = math.sqrt(sum((cb - 128)**2 + (cr - 128)**2 for _, cb, cr in pixels) / len(pixels))
    for saturation in (0.5, 0.6, 0.75, 1.5):
        bound = math.sqrt(3) * 1.5 / abs(1 - saturation)
        for share, kinds in ((0.85, []), (1.15, ["saturation"])):
            pale = share * bound / own
            for name, factor in (("r.y4m", pale), ("d.y4m", pale * saturation)):
                video(name, turn(0, factor))
            events = score()[2]
            check([event["kind"] for event in events] == kinds, f"{saturation} at {share} of {bound}: {events}")


@case
def lines_and_bars_are_told():
    video("r.y4m", chroma="420")
    for moved, kind, words, remedy in (
            ((2, ), "lines", "2 lines lower", "--crop-ref 192:126:0:0 --crop-dis 192:126:0:2"),
            ((-4, ), "lines", "4 lines higher", "--crop-ref 192:124:0:4 --crop-dis 192:124:0:0"),
            ((1, ), "lines", "1 line lower", None), # this shift would cut a chroma sample in two
            ((0, 2), "columns", "2 columns further right", "--crop-ref 190:128:0:0 --crop-dis 190:128:2:0"),
            ((0, -4), "columns", "4 columns further left", "--crop-ref 188:128:4:0 --crop-dis 188:128:0:0")):
        video("d.y4m", shape=move(*moved), chroma="420")
        is_told(kind, text=words, remedy=remedy)
    video("d.y4m", shape=exchange_fields, chroma="420")
    is_told("fields", text="the fields of the distorted video are exchanged")
    for cut, remedy in (((3, 0), "192:124:0:4"), ((4, 6), "192:118:0:4"), ((20, 20), "192:88:0:20"),
                        ((0, 0, 4, 0), "188:128:4:0"), ((0, 0, 30, 30), "132:128:30:0")):
        video("d.y4m", shape=bars(*cut), chroma="420")
        is_told("bars", text="the distorted video has black bars at",
                remedy=f"--crop-ref {remedy} --crop-dis {remedy}")


@case
def structure_is_told():
    video("r.y4m")
    squares = [[(220 - y, cb, cr) if (column // 24 + line // 20) % 2 else (y, cr, cb)
                for column, (y, cb, cr) in enumerate(row)] for line, row in enumerate(BASE.rows)]
    video("d.y4m", pictures=Pictures(squares, BASE.places))
    is_told("unrelated", text="do not seem to show the same pictures")
    pan = make_pan(16)
    video("r.y4m", pictures=pan)
    video("d.y4m", pictures=Pictures(pan.rows, pan.places[::-1]))
    is_told("reversed", text="the distorted video runs backwards")


@case
def rgb_takes_the_other_sides_matrix():
    """The reference was converted from Y'CbCr to RGB by BT.709's matrix, and its encode uses BT.601's."""
    video("y.y4m")
    ffmpeg("-i", "y.y4m", "-vf", "scale=in_color_matrix=bt709:in_range=limited", "-frames:v", "9",
           "-pix_fmt", "gbrp", "-c:v", "ffv1", "r.mkv")
    video("d.y4m", matrix("bt709", "bt601"))
    def rgb(*args):
        err = fovea("score", "r.mkv", "d.y4m", "--metric", "psnr", "--device", "cpu", "--convert", "rgb",
                    "-o", "x.json", *args)[1]
        value = report("x.json")
        return value["pooled"]["psnr_cb"]["mean"], [line for line in err.splitlines() if "warning: " in line]
    before, told = rgb("--matrix-ref", "bt709", "--matrix-dis", "bt709")
    check(len(told) == 1 and
          "if the matrix of the distorted video is BT.601: --matrix-ref bt601 --matrix-dis bt601" in told[0],
          f"{told}")
    after, left = rgb("--matrix-ref", "bt601", "--matrix-dis", "bt601")
    check(after >= before + 6 and not left, f"{before} before, {after} after, {left}")


def whole(frames):
    pan = make_pan(frames)
    video("r.y4m", pictures=pan)
    video("d.y4m", matrix("bt709", "bt601"), pictures=pan)


def from_frame(first, frames, change=matrix("bt709", "bt601"), shape=None):
    """Writes a clip that has a mistake, by default another matrix, from a frame on."""
    pan, generator = make_pan(), random.Random(5)
    pan.places = [(generator.randrange(12 * 36), 0) for _ in range(frames)]
    video("r.y4m", pictures=pan, chroma="420")
    video("d.y4m", change, shape, pictures=pan, chroma="420")
    with open("r.y4m", "rb") as ref, open("d.y4m", "rb") as dis:
        own, changed = ref.read(), dis.read()
    size = len(b"FRAME\n") + WIDTH * HEIGHT * 3 // 2
    begin = len(own) - (frames - first) * size
    write("d.y4m", own[:begin] + changed[begin:])


def says_the_same(shards, first=None):
    """Runs with threads, shards or --resume, and a run whose metrics read luma alone, report what a plain run
    reports. first: the first frame that the event may have."""
    score("--threads", "1")
    alone = report("x.json")
    check([event["kind"] for event in alone["events"]] == ["matrix"], f"{alone['events']}")
    def is_told(path, what):
        events = report(path)["events"]
        check({event["kind"] for event in events} == {"matrix"}, f"{what}: {events}")
        place = events[0]["first"]
        check(place is None if first is None else first <= place < first + 24, f"{what}: {events}")
    is_told("x.json", "a plain run")
    score("--threads", "3")
    check(report("x.json") == alone, "threads")
    for args in (("--device", "cpu,cpu"), ("--resume", )):
        fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", *args, "-o", "s.json",
              *(() if "cpu,cpu" in args else ("--device", "cpu")))
        check(report("s.json")["events"] == alone["events"], f"{args}: {report('s.json')['events']}")
    for count in shards:
        in_shards(count, "-r", "r.y4m", "-d", "d.y4m", "--metric", "psnr")
        check(report("merged.json") == alone, f"{count} shards: {report('merged.json')['events']}")
        fovea("merge", "shards", "-o", "m.json", "--strict", status=PARTIAL,
              says=("refused by --strict: ", "the distorted video fits"))
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr=enable_chroma=false", "--device", "cpu", "-o", "l.json")
    check(report("l.json")["events"] == alone["events"], "where no metric reads chroma")
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--device", "cpu", "--align", "map", "-o", "a.json")
    is_told("a.json", "pairs by content")
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--device", "cpu", "--every", "4", "-o", "e.json")
    is_told("e.json", "every fourth pair")
    fovea("score", "r.y4m", "d.y4m", "--metric", "psnr", "--device", "cpu", "--fields", "--fields-ref", "top",
          "--fields-dis", "top", "-o", "f.json")
    is_told("f.json", "fields")


@case
def everything_says_the_same():
    whole(36)
    says_the_same(("2", "5", "36"))


@case
def everything_says_the_same_of_a_part():
    from_frame(15, 36)
    says_the_same(("2", "5", "36"), first=15)


@case
def everything_says_the_same_of_a_late_part():
    from_frame(470, 640)
    says_the_same(("2", "7"), first=470)


@case
def wide_bars_of_a_part_are_told():
    for cut, words in (((20, 20), "at the top and at the bottom"), ((0, 0, 66, 66), "at the left and at the right"),
                       ((0, 40), "at the bottom")):
        from_frame(16, 40, None, bars(*cut))
        events = score()[2]
        check([event["kind"] for event in events] == ["bars"] and words in events[0]["text"] and
              events[0]["first"] == 16, f"{cut}: {events}")
    from_frame(16, 40, None, bars(HEIGHT, 0))
    check([event["kind"] for event in score()[2]] == ["black"], "black pictures have no bars")


@case
def fields_tell_a_mistake_once():
    """The fields of this picture differ, and so do the numbers that are told of them."""
    rows = [[(y if line % 2 else 40 + 0.75 * y, cb, cr) for y, cb, cr in row] for line, row in enumerate(BASE.rows)]
    places = [(i, 2 * (i // 2)) for i in range(FRAMES)]
    video("r.y4m", pictures=Pictures(rows, places))
    for kind, change in (("level", lambda y, cb, cr: (0.7 * y + 5, cb, cr)),
                         ("tone", lambda y, cb, cr: (y * (512 - y) / 256, cb, cr)),
                         ("matrix", matrix("bt709", "bt601"))):
        video("d.y4m", change, pictures=Pictures(rows, places))
        alone = score()[2]
        events, told = score("--fields", "--fields-ref", "top", "--fields-dis", "top")[:0:-1]
        check([event["kind"] for event in alone] == [kind] == [event["kind"] for event in events] and len(told) == 1,
              f"{kind}: {alone}, {events}, {told}")


@case
def what_a_gpu_decodes_says_the_same():
    devices = [line.split()[0] for line in fovea("devices")[0].splitlines() if line.startswith(("vulkan:", "cuda:"))]
    if not devices:
        raise Skipped("there is no GPU")
    def exchange():
        pan = make_pan()
        video("r.y4m", pictures=pan)
        video("d.y4m", squeeze, pictures=pan)
    def parts():
        from_frame(15, 36)
    for make, kind in ((lambda: whole(36), "matrix"), (exchange, "range"), (parts, "matrix")):
        make()
        for name in "rd":
            ffmpeg("-i", name + ".y4m", "-c:v", "prores_ks", "-profile:v", "3", "-pix_fmt", "yuv422p10le",
                   name + ".mov")
        part = ("--crop-ref", "160:128:8:0", "--crop-dis", "160:128:8:0") # which the GPU cuts out
        for pair in (("r.mov", "d.mov"), ("r.mov", "d.y4m"), ("r.y4m", "d.mov"), ("r.y4m", "d.y4m", *part)):
            events, decodes = [], "r.mov" in pair or "d.mov" in pair
            if decodes and make is parts:
                continue # too few pairs are looked at
            for device in ("cpu", devices[0]):
                err = fovea("score", *pair, "--metric", "psnr", "--device", device, "--convert", "depth,chroma",
                            "-o", "x.json")[1]
                check("decoded on the CPU" not in err, err)
                events.append(report("x.json")["events"])
            told = [[(event["kind"], event["fit"] if decodes else event, event["remedy"]) for event in side]
                    for side in events]
            check([event[0] for event in told[0]] == [kind] and told[0] == told[1], f"{pair}: {events}")


@case
def a_size_that_cambi_refuses_has_a_remedy():
    video("r.y4m")
    says = fovea("score", "r.y4m", "r.y4m", "--metric", "vmaf", status=INPUT, says="cambi")[1]
    fovea("score", "r.y4m", "r.y4m", "--metric", says.strip().rsplit(" ", 1)[1], "-q")


@case
def what_is_right_stays_quiet():
    video("r.y4m")
    for change in (lambda y, cb, cr: (y + 1, cb, cr), lambda y, cb, cr: (0.99 * y + 2, cb, cr), turn(3),
                   turn(0, 0.95)):
        video("d.y4m", change)
        check(not score()[1], f"{score()[1]}")
    def flat(*pixels):
        """Returns frames of one pixel each, repeated."""
        rows = [[pixel for pixel in pixels for _ in range(WIDTH)]] * HEIGHT
        return Pictures(rows, [(WIDTH * i, 0) for i in range(len(pixels))])
    video("r.y4m", pictures=flat(*((90 + i, 127, 130) for i in range(4))))
    for pixel in ((90, 130, 127), (93, 127, 130), (88, 128, 128)):
        video("d.y4m", pictures=flat(*[pixel] * 4))
        check(not score()[1], f"flat {pixel}: {score()[1]}")


run()
