"""Passes a value of a wrong type for every argument of every function and class, and to the functions that make a
Frame also values that cannot be: each must raise an exception that names the argument."""

import array
import dataclasses
import inspect
import unittest

import clips
import fovea
from fovea import _run


class Stranger:
    """An object that is no path, number, text, mapping, sequence or buffer."""


# Valid arguments of each function and of each class's constructor.
CALLS = {
    fovea.score: lambda: {"reference": clips.clip(), "distorted": clips.clip(seed=2), "metrics": "psnr"},
    fovea.score_encodes: lambda: {"reference": clips.clip(), "encodes": [clips.clip(seed=2)], "metrics": "psnr"},
    fovea.Session: lambda: {"metrics": "psnr"},
    fovea.Pairs: lambda: {"reference": clips.clip(), "distorted": clips.clip(seed=2)},
    fovea.Video: lambda: {"path": clips.clip()},
    fovea.Format: lambda: {"width": 64, "height": 48},
    fovea.Still: lambda: {"reference": None, "distorted": clips.planes()[0]},
    fovea.Model: lambda: {"version": "vmaf_v0.6.1"},
    fovea.align: lambda: {"reference": clips.clip(), "distorted": clips.clip()},
    fovea.find_bars: lambda: {"video": clips.clip()},
    fovea.bd_rate: lambda: {"anchor": [(1, 1), (2, 2), (3, 3), (4, 4)], "test": [(1, 1), (2, 2), (3, 3), (4, 4)]},
    fovea.verify_device: lambda: {"name": "cpu"},
    fovea.read_report: lambda: {"path": "missing.json"},
    fovea.rows: lambda: {"pairs": [], "metrics": "psnr"},
}


def buffer(shape, kind="B"):
    size = 1
    for side in shape:
        size *= side
    return memoryview(array.array(kind, bytes(size * array.array(kind).itemsize))).cast("B").cast(kind, shape)


PLANE, RGB, NV12 = buffer((48, 64)), buffer((48, 64, 3)), bytes(64 * 72)
# Valid arguments of each function that makes a Frame.
MAKERS = {
    fovea.Frame: lambda: {"format": fovea.Format(64, 48, "4:2:0")},
    fovea.Frame.from_planes: lambda: {"planes": [PLANE], "format": fovea.Format()},
    fovea.Frame.from_rgb: lambda: {"array": RGB, "matrix": "bt709", "depth": 8, "format": fovea.Format(),
                                   "layout": "HWC", "range": None, "rounding": None, "background": None},
    fovea.Frame.from_bytes: lambda: {"format": fovea.Format(64, 48), "data": NV12, "layout": "nv12",
                                     "strides": None},
}
ANY = (Stranger(), [Stranger()], {Stranger(): 1}, [], {}, (), "", "?", "\0", "a\0b", "\ud800", b"x", -1, 0.5,
       10 ** 30, -10 ** 30, 1j, True, float("nan"), range(3), [None] * 3)
# Values that no call takes, by the name of the argument, beside those of ANY.
IMPOSSIBLE = {
    "format": [fovea.Format(64, 48, "4:2:0", **words) for words in (
        {"depth": 7}, {"depth": 17}, {"range": "?"}, {"siting": "?"}, {"transfer": "?"}, {"primaries": "?"},
        {"matrix": "x\0"}, {"peak": -1}, {"peak": 10 ** 9}, {"rate": (2 ** 40, 1)})] +
              [fovea.Format(*words) for words in ((-1, 48, "4:2:0"), (40000, 48, "4:2:0"), (64, 48, "4:2:1"),
                                                  (10 ** 12, 48, "4:2:0"))],
    "planes": [[PLANE] * 2, [PLANE] * 4, [PLANE, 5, PLANE], [buffer((48, 64), "f")], [buffer((48, 64), "H")],
               buffer((4,)), [buffer((6, 4)), buffer((3, 4)), buffer((3, 4))]],
    "array": [PLANE, buffer((16,)), buffer((48, 64, 5)), buffer((48, 64, 3), "f"), buffer((48, 64, 3), "H"),
              buffer((48, 64, 3), "i"), buffer((48, 64, 4)), buffer((3, 48, 64))],
    "matrix": ["0", "13", "rgb", "x" * 300],
    "depth": [7, 17, 9, 2 ** 31, -2 ** 31 - 1],
    "layout": ["hwc", "NHW", "HWCN", "nv99", "yuv420p", "CHW", "NCHW", "p010", "v210"],
    "range": [(1, 0), (0, 0), (0, float("inf")), (float("nan"), 1), ("a", 1), (0, 1, 2), (0,), [0, 1],
              (-1e308, 1e308), (0.5, 1)],
    "rounding": ["round", "NEAREST"],
    "background": ["000000", "#12345", "#1234567", "#gggggg", "#+12345", "# 12345", "#0x1234", (1, 2), (1, 2, 3, 4),
                   (256, 0, 0), (-1, 0, 0), (0, 0, 1.5), ("a", 0, 0), (10 ** 30, 0, 0)],
    "data": [b"", NV12[:-1], NV12 + b"x", [NV12], [NV12] * 3, [NV12[:10], NV12], [NV12, None], [1, 2],
             [memoryview(NV12)[::2], NV12], buffer((8, 8))],
    "strides": [[64], [64, 64], [1, 1], [64, -64], [0, 0], ["a", 64], [None, 64], [64.0, 64], [10 ** 30, 64], 64],
}
# Arguments beside which another one matters: real numbers have a range and a rounding.
WITH = {"range": {"array": buffer((48, 64, 3), "f"), "rounding": "nearest"},
        "rounding": {"array": buffer((48, 64, 3), "f"), "range": (0, 1)}}
# The words of which a refusal has one: a layout that does not fit the array, and the members of a format.
NAMED = {"layout": ("layout", "array"), "format": ("format", *(field.name for field in
                                                             dataclasses.fields(fovea.Format)))}
# Valid arguments of each method that takes any, by the object that has it.
METHODS = {
    "report": {"write": {"path": "report.json", "format": "json"}, "to_bytes": {"format": "json"},
               "worst": {"score": "psnr_y", "count": 1, "apart": 1}},
    "session": {"push": {"reference": [PLANE], "distorted": [PLANE], "number": 10 ** 6, "skip": False}},
    "still": {"map": {"metric": "psnr", "name": "x"}},
    "model": {"score": {"features": [], "disable_clip": False, "enable_transform": False}},
}
# Methods that take one argument without a name, or that answer as a dict does.
WITHOUT_NAMES = {"report": {"get"}, "session": set(), "still": {"pair", "scores"}, "model": set()}
# A dict that lacks a feature is refused by KeyError, as a dict refuses a key that it lacks.
OF_METHODS = (Stranger(), [Stranger()], {1: Stranger()}, 1.5, 10 ** 30, b"x", float("nan"), "?")


def fits(name, value):
    return (name in ("count", "apart") and value == 10 ** 30 or name == "path" and isinstance(
        value, (str, bytes)) or name in ("disable_clip", "enable_transform", "skip") and value == 10 ** 30)


def names_of(function):
    words = inspect.signature(function).parameters.values()
    return [word.name for word in words if word.kind not in (word.VAR_KEYWORD, word.VAR_POSITIONAL)]


class Arguments(unittest.TestCase):
    def test_all_are_walked(self):
        functions = {getattr(fovea, name) for name in fovea.__all__ if callable(getattr(fovea, name))}
        made = {item for item in functions if isinstance(item, type) and
                (issubclass(item, (Exception, tuple)) or item in (
                    fovea.Cancel, fovea.Frame, fovea.Map, fovea.Metric, fovea.Report, fovea.Row, fovea.Gate,
                    fovea.Output, fovea.Part, fovea.Segment, fovea.Verdict))}
        self.assertEqual(functions - made - set(CALLS), {fovea.batch, fovea.metrics, fovea.devices},
                         "no call is listed")

    def test_strangers(self):
        wrong = []
        for function, words in CALLS.items():
            for name in names_of(function):
                for value in (Stranger(), [Stranger()], {Stranger(): 1}):
                    try:
                        result = function(**{**words(), name: value})
                        if function is fovea.rows:
                            list(result)
                        wrong.append(f"{function.__qualname__}({name}={value!r}) is taken")
                    # pylint: disable=broad-exception-caught # a walk tells all that is wrong
                    except Exception as error:
                        if name not in str(error) or not isinstance(error, (TypeError, ValueError)):
                            wrong.append(f"{function.__qualname__}({name}={value!r}): "
                                         f"{type(error).__name__}: {error}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_methods(self):
        """Each method refuses a value of a wrong type by the argument's name."""
        report = fovea.score(clips.clip(), clips.clip(seed=2), "psnr", device="cpu")
        still = fovea.Still([PLANE], [PLANE])
        wrong = []
        for kind, item in (("report", report), ("session", fovea.Session("psnr", device="cpu")), ("still", still),
                           ("model", fovea.Model("vmaf_v0.6.1"))):
            public = {name: getattr(item, name) for name in dir(item) if not name.startswith("_")}
            taking = {name for name, method in public.items() if callable(method) and
                      getattr(method, "__text_signature__", "") is not None and names_of(method)}
            self.assertEqual(taking - WITHOUT_NAMES[kind], set(METHODS[kind]), kind)
            for method, words in METHODS[kind].items():
                for name, value in ((name, value) for name in words for value in OF_METHODS):
                    if fits(name, value):
                        continue
                    try:
                        getattr(item, method)(**{**words, name: value})
                        wrong.append(f"{kind}.{method}({name}={value!r}) is taken")
                    # pylint: disable=broad-exception-caught # a walk tells all that is wrong
                    except Exception as error:
                        if name not in str(error) and f"no map '{value}'" not in str(error):
                            wrong.append(f"{kind}.{method}({name}={value!r}): {type(error).__name__}: {error}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_listed_frames(self):
        """A list of frames has numbers: no list at all and a mask are refused."""
        for frames in ([], (), range(0), [True, False], [1.0], ["1"], "1"):
            with self.assertRaisesRegex((TypeError, ValueError), "^frames (is|has) "):
                fovea.score(clips.clip(), clips.clip(seed=2), "psnr", frames=frames)

    def test_true_is_no_number(self):
        """True counts as 1 in Python; where a number is asked for, it is a mistake."""
        numbers = [name for name, param in _run.OF_RUN.items() if param["type"] == "int"]
        self.assertIn("frames", numbers)
        for name in numbers:
            for task, call in (
                    (_run.SCORE, lambda words: fovea.score(clips.clip(), clips.clip(seed=2), "psnr", **words)),
                    (_run.PUSH, lambda words: fovea.Session("psnr", **words))):
                for value in (True, False) if _run.takes(_run.OF_RUN[name], task) else ():
                    with self.subTest(name), self.assertRaisesRegex(TypeError, f"^{name} is {value}; .*whole number"):
                        call({name: value})
        with fovea.Session("psnr") as session, self.assertRaisesRegex(TypeError, "^number is True; .*whole number"):
            session.push([PLANE], [PLANE], number=True)
        with self.assertRaisesRegex(TypeError, "^width is True; .*whole number"):
            fovea.Frame(fovea.Format(True, 48, "4:0:0"))

    def test_video_names_its_own(self):
        """A Video names the keyword that is wrong without a side, which it does not have yet."""
        for name, value in (("range", "?"), ("crop", (1, 2)), ("frame_skip", -1), ("width", "x"), ("rate", 0)):
            with self.assertRaisesRegex((TypeError, ValueError), rf"(^|`){name}\b"):
                fovea.Video("a.yuv", **{name: value})

    def test_frames(self):
        """Each maker of a Frame takes its valid arguments, and refuses every other value by the argument's name."""
        wrong = []
        for function, words in MAKERS.items():
            self.assertIsInstance(function(**words()), fovea.Frame)
            for name in words():
                for value in [*ANY, *IMPOSSIBLE[name]]:
                    try:
                        function(**{**words(), **WITH.get(name, {}), name: value})
                        wrong.append(f"{function.__qualname__}({name}={value!r}) is taken")
                    # pylint: disable=broad-exception-caught # a walk tells all that is wrong
                    except Exception as error:
                        if (not any(word in str(error) for word in NAMED.get(name, (name,))) or
                                not isinstance(error, (TypeError, ValueError))):
                            wrong.append(f"{function.__qualname__}({name}={value!r}): "
                                         f"{type(error).__name__}: {error}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_strides(self):
        """Strides are those of a list of buffers: each is at least a row, and an array of rows has its own."""
        shape, planes = fovea.Format(64, 48, "4:0:0"), [bytes(80 * 48)]
        self.assertEqual(fovea.Frame.from_bytes(shape, planes, strides=[80]).format, fovea.Format(64, 48, "4:0:0", 8))
        for data, strides in ((planes, [0]), (planes, [63]), (planes, [81]), ([buffer((48, 80))], [64]),
                              (planes[0], [80])):
            with self.assertRaisesRegex((TypeError, ValueError), r"strides|data\[0\] has"):
                fovea.Frame.from_bytes(shape, data, strides=strides)

    def test_tags_of_rgb(self):
        """A member of the format that from_rgb would ignore is refused, and the matrix is taken from there."""
        coloured = memoryview(bytes(range(256)) * 36).cast("B", (48, 64, 3))
        for tags in ({"matrix": "bt2020", "range": "full"}, {"matrix": "bt601"}):
            shape = fovea.Format(64, 48, **tags)
            with fovea.Session("psnr") as session:
                session.push(fovea.Frame.from_rgb(coloured, format=shape),
                             fovea.Frame.from_rgb(coloured, matrix=tags["matrix"]))
                self.assertGreater(session.finish()["psnr_y"][0], 50)
        for words, name in (({"matrix": "bt601", "format": fovea.Format(matrix="bt2020")}, "matrix"),
                            ({"format": fovea.Format(range="limited")}, "range"),
                            ({"format": fovea.Format(matrix="fcc")}, "matrix"),
                            ({"format": fovea.Format(32, 48)}, "format"),
                            ({"depth": 8, "format": fovea.Format(depth=10)}, "depth"),
                            ({"range": (0, 255)}, "range"), ({"rounding": "nearest"}, "rounding")):
            with self.assertRaisesRegex(ValueError, name):
                fovea.Frame.from_rgb(RGB, **words)

    def test_rates(self):
        for rate in ("x", "1/0", (1, 0), 0, -25, float("nan"), float("inf"), b"25", [25]):
            with self.assertRaisesRegex((TypeError, ValueError), "rate"):
                fovea.Format(rate=rate)


clips.run()
