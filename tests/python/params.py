"""Tests every parameter of a run in Python: each keyword and each member of Video accepts the values at its bounds,
and refuses values outside with an exception that names it. The test knows parameters only from the library's
table."""

import unittest

import clips
import fovea
from fovea import _run

ABSENT = "absent.y4m"


def inside(param):
    if param["name"] == "resume":
        return ["absent.parts"]
    if param["type"] == "bool":
        return [True]
    if param["type"] == "int":
        return [int(param["minimum"]), int(min(param["maximum"], 2 ** 63 - 1))]
    return param["examples"] or [word for word in param["choices"] if ":FORMAT" not in word]


def call(param, value):
    """Scores files that do not exist. fovea checks parameters before it opens files."""
    if param["sides"] == "run":
        return fovea.score(ABSENT, ABSENT, "psnr", **{param["name"]: value})
    return fovea.score(ABSENT, fovea.Video(ABSENT, **{param["name"]: value}), "psnr")


class Params(unittest.TestCase):
    def rows(self):
        return [param for param in _run.PARAMS if param["sides"] != "run" or _run.takes(param, _run.SCORE)]

    def test_what_lies_inside(self):
        self.assertGreater(len(self.rows()), 40)
        for param in self.rows():
            for value in inside(param):
                with self.subTest(name=param["name"], value=value):
                    try:
                        call(param, value)
                    except fovea.UsageError as error:
                        self.assertNotIn(" takes ", str(error))
                    except fovea.Error:
                        pass

    def test_what_lies_outside(self):
        for param in self.rows():
            for value in ([-1, "x", 2 ** 64] if param["type"] == "int" else [True, 1, ""]
                          if param["name"] == "resume" else []
                          if param["name"] in ("roi", "device", "model") else ["?"]):
                with self.subTest(name=param["name"], value=value):
                    with self.assertRaisesRegex((ValueError, TypeError), param["name"]):
                        call(param, value)

    def test_unknown_names(self):
        for function in (lambda **words: fovea.score(ABSENT, ABSENT, **words),
                         lambda **words: fovea.Session("psnr", **words), lambda **words:
                         fovea.Pairs(ABSENT, ABSENT, **words), lambda **words: fovea.Video(ABSENT, **words)):
            with self.assertRaisesRegex(TypeError, "nothing"):
                function(nothing=1)

    def test_new_ones(self):
        """Parameters that Python got from the command: a region, a background, models, and bars or stretched shapes
        by their names."""
        ref, dis = clips.clip(), clips.clip(seed=2)
        with_region = fovea.score(ref, dis, "psnr", roi="32:32:0:0")
        self.assertNotEqual(list(with_region["psnr_y"]), list(fovea.score(ref, dis, "psnr")["psnr_y"]))
        one = fovea.score(ref, dis, model="version=vmaf_v0.6.1:name=old")
        self.assertEqual(list(one["old"]), list(fovea.score(ref, dis, "vmaf=version=vmaf_v0.6.1")["vmaf"]))
        self.assertEqual(fovea.Video(ref, background="ff8000").background, "ff8000")
        for old, new in ({"fit": "stretch"}, {"stretch": True}), ({"frame_cnt": 2}, {"frames": 2}):
            self.assertEqual(fovea.score(ref, dis, "psnr", **old).to_json(),
                             fovea.score(ref, dis, "psnr", **new).to_json())


clips.run()
