"""Tests fovea.score() on two files: the same bytes as the command for every metric; refusals, gates, maps, progress,
and the end by Ctrl-C."""

import asyncio
import fcntl
import gc
import functools
import math
import os
import pickle
import signal
import threading
import unittest

import clips
import fovea


def path_of(name):
    return os.path.join(clips.FOLDER.name, name)


def everything():
    return [metric.name for metric in fovea.metrics()]


class Equality(unittest.TestCase):
    def test_every_metric_in_every_format(self):
        for chroma, depth in (("420", 8), ("444", 10)):
            ref, dis = clips.clip(chroma=chroma, depth=depth), clips.clip(chroma=chroma, depth=depth, seed=2)
            outputs = {name: path_of("report." + name) for name in ("json", "csv", "ndjson", "events")}
            clips.command("score", ref, dis, "--metric", ",".join(everything()),
                          *(word for path in outputs.values() for word in ("-o", path)))
            report = fovea.score(ref, dis, everything())
            for name, path in outputs.items():
                with open(path, "rb") as file:
                    self.assertEqual(report.to_bytes(name), file.read(), name)
            # The metric "light" is for HDR only.
            self.assertEqual({output.metric for output in report.outputs.values()}, set(everything()) - {"light"})
            self.assertEqual(report.to_bytes("html")[:15], b"<!DOCTYPE html>")

    def test_each_metric_gets_what_it_takes_of_pictures(self):
        """Metrics that accept RGB score the RGB of pictures, and the others score Y'CbCr, as with the command."""
        takers = {metric.name for metric in fovea.metrics() if metric.takes_rgb}
        self.assertTrue({"ssimulacra2", "butteraugli", "cvvdp"} <= takers and "psnr" not in takers, takers)
        a, b = (clips.picture(seed) for seed in (1, 2))
        outputs = path_of("pictures.json")
        try:
            fovea.score(a, b, "psnr")
        except fovea.InputError as error:
            self.assertIn("this build of fovea", str(error))
            self.skipTest("this build has no libav")
        clips.command("score", a, b, "-o", outputs)
        usual = fovea.score(a, b)
        with open(outputs, encoding="utf-8") as file:
            self.assertEqual(usual.to_json(), file.read())
        for encode in fovea.score_encodes(a, [b, b]):
            self.assertEqual(encode.report.to_json(), usual.to_json())
        maps = {}
        with fovea.Pairs(a, b) as pairs:
            self.assertEqual(pairs[0][1].format.chroma, "RGB")
            still = fovea.Still(*pairs[0])
        for name in ("ssimulacra2", "psnr", "butteraugli", "psnr_hvs"):
            alone = fovea.score(a, b, name)
            for score, value in still.scores(name).items():
                if score in alone.outputs:
                    self.assertEqual(alone.frames[0][score], value, score)
                    self.assertEqual(usual.frames[0][score], value, score)
        shown = [f"{metric.name}.{metric.maps[0].name}" for metric in fovea.metrics()
                 if metric.name in ("butteraugli", "vdm")]
        fovea.score(a, b, "butteraugli,vdm", maps={name: functools.partial(maps.__setitem__, name) for name in shown})
        self.assertEqual(len(maps), 2)
        for name, there in maps.items():
            self.assertEqual(bytes(there), bytes(still.map(*name.split("."))), name)
        with self.assertRaisesRegex(fovea.InputError, "is RGB: `convert=rgb`"):
            fovea.score(a, b, "psnr,ssimulacra2", convert="depth")

    def test_options(self):
        ref, dis = clips.clip(frames=6), clips.clip(frames=6, seed=2)
        for words, keywords in (
                ([], {}),
                (["--metric", "psnr", "--intervals", "0.04", "--subsample", "2"],
                 {"metrics": fovea.Metric("psnr"), "intervals": 0.04, "subsample": 2}),
                (["--metric", "psnr=enable_chroma=false", "--frame-skip-dist", "2", "--shortest", "--frame-cnt", "2"],
                 {"metrics": [fovea.Metric("psnr", enable_chroma=False)], "frame_skip": 2, "shortest": True,
                  "frame_cnt": 2}),
                (["--metric", "psnr", "--scale", "96x80", "--scale-filter", "lanczos", "--crop-ref", "96:80:16:8"],
                 {"metrics": "psnr", "scale": (96, 80), "scale_filter": "lanczos", "crop": (96, 80, 16, 8),
                  "stretch": True}),
                (["--metric", "psnr", "--range-ref", "full", "--ignore-range", "--matrix-dis", "bt709", "--scenes"],
                 {"metrics": "psnr", "range": "full", "ignore_range": True, "matrix": "bt709", "scenes": True}),
                (["--metric", "psnr,xpsnr", "--roi", "40:30:16:8"],
                 {"metrics": [fovea.Metric(name, roi="40:30:16:8") for name in ("psnr", "xpsnr")]}),
                (["--metric", "psnr", "--align", "time", "--threads", "2", "--isa", "scalar"],
                 {"metrics": "psnr", "align": "time", "threads": 2, "isa": "scalar"})):
            if keywords.pop("stretch", False):
                words, keywords = words + ["--stretch"], dict(keywords, stretch=True)
            reference = fovea.Video(ref, crop=keywords.pop("crop", None), range=keywords.pop("range", None))
            distorted = fovea.Video(dis, frame_skip=keywords.pop("frame_skip", 0),
                                    matrix=keywords.pop("matrix", None))
            written = path_of("options.json")
            clips.command("score", ref, dis, *words, "-o", written)
            with open(written, encoding="utf-8") as file:
                self.assertEqual(fovea.score(reference, distorted, **keywords).to_json(), file.read(), words)
            os.remove(written)

    def test_alignment(self):
        ref, dis = clips.clip(frames=6), clips.clip(frames=6, seed=2)
        self.assertIsNone(fovea.score(ref, dis, "psnr").alignment)
        found = fovea.score(ref, dis, "psnr", align="time").alignment
        self.assertEqual((found["mode"], found["pairs"]), ("time", 6))

    def test_verdict(self):
        """One second of a clip of 3 s is ruined. The verdict names it, and a gate counts it."""
        ruined, still = (os.path.join(clips.FOLDER.name, name) for name in ("ruined.y4m", "still.y4m"))
        for path, seconds in ((ruined, (1,)), (still, ())):
            with open(path, "wb") as file:
                file.write(b"YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg\n")
                for n in range(75):
                    luma = 160 if n // 25 in seconds else 100 + n % 3 + (path == ruined)
                    file.write(b"FRAME\n" + bytes([luma]) * (64 * 48) + bytes([128]) * (32 * 48))
        report = fovea.score(still, ruined, "psnr", fail_above={"low_seconds": 0.5})
        found, (segment,) = report.verdict, report.verdict.segments
        self.assertEqual(str(found),
                         "Gate failed: Low seconds, 1.00 is above 0.5. Good, but bad from 0:01.0 to 0:02.0")
        self.assertEqual((found.kind, found.word, found.level, found.low_seconds, found.bound),
                         ("gate failed", "good", 4, 1, None))
        self.assertEqual((found.score, found.value), ("psnr_y", report.pooled["psnr_y"]["mean"]))
        self.assertEqual((segment.first, segment.last, segment.word, segment.worst),
                         (25, 49, "bad", min(report["psnr_y"])))
        self.assertEqual((segment.start, segment.end, segment.shots), (1, 2, [(25, 49, segment.worst_frame)]))
        self.assertFalse(report.passed)
        self.assertTrue(fovea.score(still, ruined, "psnr", fail_above={"low_seconds": 1}).passed)
        self.assertEqual(fovea.score(still, still, "psnr").verdict.sentence, "Identical")

    def test_raw(self):
        ref, dis, raw = clips.clip(depth=10), clips.clip(depth=10, seed=2), []
        for path in (ref, dis):
            with open(path + ".yuv", "wb") as file:
                for frame in clips.planes(depth=10, seed=1 if path == ref else 2):
                    file.writelines(frame)
            raw.append(fovea.Video(path + ".yuv", width=240, height=184, pixel_format="420", bitdepth=10))
        self.assertEqual(fovea.score(*raw, "psnr,psnr_hvs").columns, fovea.score(ref, dis, "psnr,psnr_hvs").columns)

    def test_one_video(self):
        report = fovea.score(None, clips.clip(), "cambi")
        self.assertEqual(len(report["cambi"]), 3)
        self.assertIsNone(report.check)
        found = fovea.score(None, clips.clip(), "black,siti")
        self.assertEqual({check["name"]: check["verdict"] for check in found.check["checks"]}["black"], "pass")
        self.assertTrue(math.isnan(found["ti"][0]) and found.pooled["ti"]["mean"] > 0)
        with self.assertRaisesRegex(fovea.UsageError, "reference is None"):
            fovea.score(None, clips.clip())
        with self.assertRaisesRegex(fovea.UsageError, "compare with a reference"):
            fovea.score(None, clips.clip(), "psnr")

    def test_frames(self):
        report = fovea.score(clips.clip(frames=6), clips.clip(frames=6, seed=2), "psnr", frames={4, 1})
        whole = fovea.score(clips.clip(frames=6), clips.clip(frames=6, seed=2), "psnr")
        self.assertEqual(list(report["frame"]), [1, 4])
        self.assertEqual(list(report["psnr_y"]), [whole["psnr_y"][1], whole["psnr_y"][4]])
        videos = clips.clip(frames=6), clips.clip(frames=6, seed=2)
        with self.assertRaisesRegex(fovea.UsageError,
                                    "frames has 1000, which was not scored.* and 1 others") as caught:
            fovea.score(*videos, "psnr", frames=[3, 1000, 2000])
        self.assertEqual((list(caught.exception.report["frame"]), caught.exception.status), ([3], 2))
        told = fovea.score_encodes(videos[0], videos[1:], "psnr", frames=[3, 1000])
        self.assertRegex(str(told[0].error), "frames has 1000")
        for frames, error, says in (([1, "x"], TypeError, "frames is"), ([1.5], TypeError, "frames is"),
                                    ([-1], ValueError, "frames has -1")):
            with self.assertRaisesRegex(error, says):
                fovea.score(*videos, "psnr", frames=frames)

    def test_fields(self):
        videos = [fovea.Video(clips.clip(seed=seed), fields="top") for seed in (1, 2)]
        report = fovea.score(*videos, "psnr", fields=True, frames={0, 2})
        self.assertEqual(list(report.columns)[:4], ["frame", "psnr_y", "psnr_y_top", "psnr_y_bottom"])
        self.assertEqual(list(report["frame"]), [0, 2])
        self.assertEqual(report.pooled["psnr_y"]["min"], min(*report["psnr_y_top"], *report["psnr_y_bottom"]))
        encode, = fovea.score_encodes(videos[0], videos[1:], "psnr", fields=True, frames={0, 2})
        self.assertEqual(encode.report["psnr_y"].tolist(), report["psnr_y"].tolist())
        with self.assertRaisesRegex(fovea.InputError, "`reference.fields=top`"):
            fovea.score(clips.clip(), videos[1], "psnr", fields=True)
        with self.assertRaisesRegex(ValueError, "`fields` takes progressive, top or bottom"):
            fovea.Video("a.mov", fields="mixed")


class Reports(unittest.TestCase):
    def setUp(self):
        self.report = fovea.score(clips.clip(frames=6), clips.clip(frames=6, seed=2), "psnr,cambi")

    def test_mapping(self):
        report = fovea.score(clips.clip(), clips.clip(seed=2), "psnr")
        self.assertEqual(list(report), ["frame", "psnr_y", "psnr_cb", "psnr_cr", "psnr_yuv"])
        self.assertEqual((list(report), dict(report), "psnr_y" in report, "vmaf" in report),
                         (list(report.columns), report.columns, True, False))
        self.assertEqual((report.get("vmaf", 3), list(report.items()), len(report)),
                         (3, list(report.columns.items()), 3))
        self.assertEqual((list(report.keys()), list(report.values())),
                         (list(report.columns), list(report.columns.values())))
        for name in ("x.xml", "x.jsn", "x"):
            with self.assertRaisesRegex(ValueError, f"path is '{name}': its ending says no format"):
                report.write(name)

    def test_metrics_in_a_dict(self):
        videos = clips.clip(), clips.clip(seed=2)
        for given, text in (({"psnr": {"enable_chroma": False}}, "psnr=enable_chroma=false"),
                            ({"psnr": None, "motion": {}}, "psnr,motion"),
                            ({"vmaf": {"version": "vmaf_v0.6.1neg"}}, "vmaf=version=vmaf_v0.6.1neg")):
            self.assertEqual(fovea.score(*videos, given).columns, fovea.score(*videos, text).columns)
        for given, says in (({"psnr": 3}, r"metrics\['psnr'\] is 3"), ({3: {}}, "metrics has the key 3"),
                            ({"psnr": {3: 4}}, r"metrics\['psnr'\] has the key 3")):
            with self.assertRaisesRegex(TypeError, says):
                fovea.score(*videos, given)

    def test_columns(self):
        report = self.report
        self.assertEqual(list(report.columns), ["frame", "psnr_y", "psnr_cb", "psnr_cr", "psnr_yuv", "cambi"])
        self.assertEqual((memoryview(report["psnr_y"]).format, memoryview(report["frame"]).format), ("d", "q"))
        self.assertEqual([row["cambi"] for row in report.frames], list(report["cambi"]))
        self.assertEqual([row.number for row in report.frames[1:3]], [1, 2])
        self.assertEqual(report.pooled["cambi"]["max"], max(report["cambi"]))
        self.assertEqual(report.outputs["psnr_y"].unit, "dB")
        worst = report.worst("psnr_y", 2)
        self.assertEqual([row["psnr_y"] for row in worst], sorted(report["psnr_y"])[:2])
        apart = [row.number for row in report.worst("cambi", 3, apart=2)]
        self.assertEqual(report["cambi"][apart[0]], max(report["cambi"]))
        self.assertTrue(all(abs(a - b) >= 2 for a in apart for b in apart if a != b))
        with self.assertRaisesRegex(KeyError, "psnr_cb"):
            report["vmaf"]

    def test_infinite(self):
        report = fovea.score(clips.clip(), clips.clip(), "psnr=min_sse=0")
        self.assertEqual(report.pooled["psnr_y"]["mean"], report["psnr_y"][0])

    def test_pickle_and_file(self):
        for other in (pickle.loads(pickle.dumps(self.report)), self.from_file()):
            self.assertEqual(other.columns, self.report.columns)
            self.assertEqual(other.pooled, self.report.pooled)
            self.assertEqual(other.to_json(), self.report.to_json())
            self.assertEqual(other.to_bytes("csv"), self.report.to_bytes("csv"))

    def from_file(self):
        self.report.write(path_of("written.json"))
        return fovea.read_report(path_of("written.json"))

    def test_never_over_an_input(self):
        with open(clips.clip(frames=6), "rb") as file:
            before = file.read()
        with self.assertRaisesRegex(fovea.Error, "overwrite the input"):
            self.report.write(clips.clip(frames=6), "json")
        with open(clips.clip(frames=6), "rb") as file:
            self.assertEqual(file.read(), before)
        with self.assertRaises(fovea.OutputError):
            self.report.write("/nowhere/report.json")
        with self.assertRaises(fovea.InputError):
            fovea.read_report(clips.clip())

    @clips.needs_numpy
    def test_numpy_copies_nothing(self):
        column = self.report["psnr_y"]
        array = clips.numpy.asarray(column)
        self.assertEqual(array.__array_interface__["data"][0], column.buffer_info()[0])
        self.assertEqual(array.tolist(), list(column))


class Refusals(unittest.TestCase):
    def test_by_kind(self):
        ref, dis = clips.clip(), clips.clip(seed=2)
        for kind, beside, status, says, arguments, keywords in (
                (fovea.InputError, OSError, 3, "nowhere.y4m", (ref, "nowhere.y4m", "psnr"), {}),
                (fovea.InputError, OSError, 3, "240x184", (ref, clips.clip(width=224), "psnr"), {}),
                (fovea.UsageError, ValueError, 2, "did you mean 'psnr'", (ref, dis, "psnrr"), {}),
                (fovea.UsageError, ValueError, 2, "nothing", (ref, dis, "psnr"), {"device": "nothing"}),
                (fovea.UsageError, ValueError, 2, "fail_below: this run has no score 'x'; it has psnr_y",
                 (ref, dis, "psnr"), {"fail_below": {"x": 1}}),
                (fovea.UsageError, ValueError, 2, "give it to fail_below", (ref, dis, "psnr"),
                 {"fail_above": {"psnr_y": 1}}),
                (fovea.UsageError, ValueError, 2, "low_seconds is better when it is lower; give it to fail_above",
                 (ref, dis, "psnr"), {"fail_below": {"low_seconds": 1}}),
                (fovea.UsageError, ValueError, 2, "add the metric 'ssimulacra2'", (ref, dis, "psnr_hvs"),
                 {"fail_above": {"low_seconds": 1}})):
            with self.assertRaises(kind) as caught:
                fovea.score(*arguments, **keywords)
            self.assertIsInstance(caught.exception, beside)
            self.assertIsInstance(caught.exception, fovea.Error)
            self.assertEqual(caught.exception.status, status)
            self.assertIn(says, str(caught.exception))

    def test_arguments(self):
        ref, dis = clips.clip(), clips.clip(seed=2)
        for error, says, keywords in (
                (ValueError, "`align` takes index, time, auto or map, not 'nearest'", {"align": "nearest"}),
                (ValueError, "scale_filter", {"scale_filter": "cubic"}),
                (ValueError, "`scale` takes .* not 'big'", {"scale": "big"}), (TypeError, "scale is 7", {"scale": 7}),
                (ValueError, "convert", {"convert": "hue"}),
                (ValueError, "`start` takes seconds.* not '-1", {"start": -1}),
                (ValueError, "fail_below: the pooling of psnr_y", {"fail_below": {"psnr_y": ("p50", 1)}}),
                (ValueError, "fail_below: the limit of psnr_y is nan", {"fail_below": {"psnr_y": float("nan")}}),
                (ValueError, "maps: 'jnd'", {"maps": {"jnd": print}}),
                (ValueError, "no metric 'vdm'", {"maps": {"vdm.jnd": print}}),
                (TypeError, "threads|integer", {"threads": "two"}), (TypeError, "unexpected", {"thread": 2}),
                (TypeError, "metrics has a int", {"metrics": [3]}), (ValueError, "metrics is empty", {"metrics": []}),
                (fovea.UsageError, "threads", {"threads": -1}),
                (fovea.UsageError, "isa|instruction", {"isa": "mmx"})):
            with self.assertRaisesRegex(error, says):
                fovea.score(ref, dis, **{"metrics": "psnr", **keywords})
        for keywords in ({"rotate": 45}, {"crop": "bars"}):
            with self.assertRaises(ValueError):
                fovea.Video(ref, **keywords)
        with self.assertRaisesRegex(ValueError, "crop"):
            fovea.score(fovea.Video(ref, crop=(1, 2)), dis, "psnr")
        with self.assertRaisesRegex(ValueError, "matrix` takes .* not 'bt7'"):
            fovea.score(fovea.Video(ref, matrix="bt7"), dis, "psnr")
        with self.assertRaises(TypeError):
            fovea.score(ref, None, "psnr")

    def test_gates(self):
        report = fovea.score(clips.clip(), clips.clip(seed=2), "psnr,cambi", fail_below={"psnr_y": ("p5", 90)},
                             fail_above={"cambi": 24})
        self.assertEqual([(gate.score, gate.pool, gate.outcome) for gate in report.gates],
                         [("psnr_y", "p5", "failed"), ("cambi", "mean", "passed")])
        self.assertFalse(report.passed)
        self.assertEqual(report.gates[0].value, report.pooled["psnr_y"]["p5"])


class Resumed(unittest.TestCase):
    """A run whose finished parts are kept in a folder."""
    FRAMES = 250  # two parts

    def setUp(self):
        self.videos = [clips.clip(32, 32, frames=self.FRAMES, seed=seed) for seed in (1, 2)]
        self.folder = path_of("parts")

    def score(self, **keywords):
        return fovea.score(*self.videos, **{"metrics": "psnr", "resume": self.folder, "threads": 1, **keywords})

    def test_goes_on(self):
        """A run that cannot write its second part leaves its plan. The next run scores only what is missing."""
        want, told = fovea.score(*self.videos, "psnr", threads=1, intervals=1).to_json(), []
        os.makedirs(os.path.join(self.folder, "000001.run.json"))
        with self.assertRaises(fovea.OutputError):
            self.score(intervals=1)
        with self.assertRaisesRegex(fovea.UsageError, "other options; remove the folder"):
            self.score(metrics="psnr_hvs")
        os.rmdir(os.path.join(self.folder, "000001.run.json"))
        clips.command("run", "--plan", os.path.join(self.folder, "plan.json"), "--shard", "0", "-o", self.folder)
        report = self.score(intervals=1, progress=told.append, fail_below={"psnr_y": 90})
        self.assertEqual([gate.outcome for gate in report.gates], ["failed"])
        self.assertEqual(told[-1].total, self.FRAMES - 240)
        self.assertFalse(os.path.exists(self.folder))
        with self.assertRaisesRegex(fovea.UsageError, "has no score 'x'"):
            self.score(intervals=1, fail_below={"x": 1})
        self.assertEqual(self.score(intervals=1, progress=told.append).to_json(), want)

    def test_one_at_a_time(self):
        os.mkdir(self.folder)
        folder = os.open(self.folder, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        try:
            with self.assertRaisesRegex(fovea.OutputError, "another process works in this folder"):
                self.score()
            self.assertEqual(os.listdir(self.folder), [])
        finally:
            os.close(folder)
            os.rmdir(self.folder)

    def test_what_it_refuses(self):
        for error, says, keywords in ((fovea.UsageError, "leave out `fields`", {"fields": True}),
                                      (fovea.UsageError, "the timing is", {"timing": True}),
                                      (fovea.UsageError, "every frame", {"frames": [1, 2]}),
                                      (ValueError, "no maps", {"maps": {"psnr.x": print}})):
            with self.assertRaisesRegex(error, says):
                self.score(**keywords)
        with self.assertRaisesRegex(TypeError, "resume"):
            fovea.score_encodes(self.videos[0], self.videos, "psnr", resume=self.folder)
        with self.assertRaisesRegex(ValueError, "one job"):
            next(fovea.batch([self.videos], "psnr", resume=self.folder))
        job, = fovea.batch([(*self.videos, {"resume": self.folder})], "psnr")
        self.assertIsNone(job.error)
        self.assertFalse(os.path.exists(self.folder))


class Callbacks(unittest.TestCase):
    def test_progress(self):
        told = []
        fovea.score(clips.clip(frames=6), clips.clip(frames=6, seed=2), "psnr", progress=told.append)
        self.assertEqual((told[-1].frames, told[-1].total), (6, 6))

    def test_maps(self):
        for name in [f"{metric.name}.{point.name}" for metric in fovea.metrics() for point in metric.maps]:
            maps = []
            metric = name.split(".")[0]
            fovea.score(clips.clip(), clips.clip(seed=2), metric, maps={name: maps.append}, threads=2)
            self.assertEqual([one.number for one in maps], [0, 1, 2])
            view = memoryview(maps[0])
            self.assertEqual((view.shape, view.format, view.readonly), (maps[0].shape, "f", True))
            self.assertEqual(f"{maps[0].metric}.{maps[0].name}", name)
            values = [value for row in view.tolist() for value in row]
            self.assertTrue(maps[0].minimum <= min(values) and max(values) <= maps[0].maximum)

    def test_exceptions_end_it(self):
        ref, dis = clips.clip(frames=40), clips.clip(frames=40, seed=2)
        point = "butteraugli." + next(metric for metric in fovea.metrics()
                                      if metric.name == "butteraugli").maps[0].name
        for keywords in ({"progress": self.fail}, {"maps": {point: self.fail}}):
            with self.assertRaisesRegex(ZeroDivisionError, "mine") as caught:
                fovea.score(ref, dis, "butteraugli", **keywords)
            report = getattr(caught.exception, "report", None)
            self.assertTrue(report is None or (report.partial and len(report) < 40))

    def fail(self, unused):
        raise ZeroDivisionError("mine")

    def test_interrupt(self):
        ref, dis = clips.clip(frames=40), clips.clip(frames=40, seed=2)
        with self.assertRaises(KeyboardInterrupt) as caught:
            fovea.score(ref, dis, "butteraugli", progress=lambda progress: signal.raise_signal(signal.SIGINT))
        self.assertLess(len(caught.exception.report), 40)
        self.assertIn("stop", caught.exception.report.partial)

    def test_cancel(self):
        """A request from another thread stops a run within a frame, in a pipe that delivers nothing, and before the
        run begins. One request stops several runs at once."""
        ref, dis = clips.clip(frames=40), clips.clip(frames=40, seed=2)
        cancel, codes = fovea.Cancel(), []

        def work():
            with self.assertRaises(fovea.PartialError) as caught:
                fovea.score(ref, dis, "butteraugli", threads=1, cancel=cancel,
                            progress=lambda progress: begun.release())
            report = caught.exception.report  # None if the stop came before the first frame
            codes.append((caught.exception.code, report is None or len(report) < 40))

        begun = threading.Semaphore(0)
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        begun.acquire()
        cancel.request()
        for thread in threads:
            thread.join()
        self.assertEqual([code for code, _ in codes], ["stopped", "stopped"])
        self.assertTrue(cancel.requested and all(short for _, short in codes))
        with self.assertRaises(fovea.PartialError):
            fovea.score(ref, dis, "psnr", cancel=cancel)
        ended = [encode.error.code for encode in fovea.score_encodes(ref, [dis, dis], "psnr", cancel=cancel)]
        self.assertEqual(ended, ["stopped", "stopped"])
        with self.assertRaisesRegex(TypeError, "cancel is 5"):
            fovea.score(ref, dis, "psnr", cancel=5)

    def test_cancel_of_calls_without_a_session(self):
        """A request ends calls that wait for a pipe, and calls and objects that meet it later. It frees nothing that
        they use, and calls without it work on."""
        clip, pipe = clips.clip(), path_of("silent")
        os.mkfifo(pipe)
        calls = {"align": lambda words, path: fovea.align(clip, path, **words),
                 "find_bars": lambda words, path: fovea.find_bars(path, **words),
                 "Pairs": lambda words, path: fovea.Pairs(clip, path, align="map", **words)}
        for name, call in calls.items():
            with self.subTest(name):
                cancel, ended = fovea.Cancel(), []

                def work():
                    with self.assertRaises(fovea.PartialError) as caught:
                        call({"cancel": cancel}, pipe)
                    ended.append(caught.exception.code)

                thread = threading.Thread(target=work)
                thread.start()
                with open(pipe, "wb"):
                    cancel.request()
                    thread.join()
                self.assertEqual(ended, ["stopped"])
                with self.assertRaises(fovea.PartialError):
                    call({"cancel": cancel}, clip)
        cancel = fovea.Cancel()
        pairs, still = fovea.Pairs(clip, clip, cancel=cancel), fovea.Still(*clips.planes()[:2], cancel=cancel)
        others = fovea.Pairs(clip, clip), fovea.Still(*clips.planes()[:2], cancel=fovea.Cancel())
        scores = still.scores("psnr")
        pairs[0], gc.collect(), cancel.request()
        late = [lambda: pairs[1], lambda: still.scores("ssimulacra2"), lambda: still.map("butteraugli")]
        gpu = fovea.devices()[-1].name # the processor has nothing to test
        late += [lambda: fovea.verify_device(gpu, cancel=cancel)] if gpu != "cpu" else []
        for call in late:
            with self.assertRaises(fovea.PartialError):
                call()
        self.assertEqual(others[1].scores("psnr"), scores)
        self.assertEqual(len(others[0][1]), 2)
        for item in (pairs, still, *others):
            item.close()

    def test_cancel_of_asyncio(self):
        pipe, cancel = path_of("stalled"), fovea.Cancel()
        os.mkfifo(pipe)

        async def main():
            task = asyncio.create_task(asyncio.to_thread(fovea.score, clips.clip(), pipe, "psnr", cancel=cancel))
            with await asyncio.to_thread(open, pipe, "wb"):
                cancel.request()
                with self.assertRaises(fovea.PartialError):
                    await task

        asyncio.run(main())

    def test_codes(self):
        for call, code in ((lambda: fovea.score("nowhere.y4m", clips.clip(), "psnr"), "not-found"),
                           (lambda: fovea.score(clips.clip(), clips.clip(width=64, height=48), "psnr"),
                            "size-mismatch"),
                           (lambda: fovea.score(clips.clip(), clips.clip(), "psnrr"), "unknown-metric"),
                           (lambda: fovea.score(clips.clip(), clips.clip(), "psnr", frames=[1, 99]), "usage")):
            with self.assertRaises(fovea.Error) as caught:
                call()
            self.assertEqual(caught.exception.code, code)

    def test_interrupt_of_a_pipe(self):
        pipe = path_of("pipe")
        os.mkfifo(pipe)

        def interrupt():
            with open(pipe, "wb") as file: # opens when the library reads, and delivers nothing
                os.kill(os.getpid(), signal.SIGINT)
                ended.wait()

        ended = threading.Event()
        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            fovea.score(clips.clip(), pipe, "psnr")
        ended.set()
        thread.join()

    def test_partial(self):
        with open(clips.clip(), "rb") as file:
            content = file.read()
        cut = path_of("cut.y4m")
        with open(cut, "wb") as file:
            file.write(content[:-100])
        with self.assertRaises(fovea.PartialError) as caught:
            fovea.score(clips.clip(), cut, "psnr")
        self.assertEqual((len(caught.exception.report), caught.exception.status), (2, 5))
        self.assertTrue(caught.exception.report.partial)

    def test_log(self):
        with self.assertLogs("fovea", "INFO") as caught:
            report = fovea.score(clips.clip(), clips.clip(seed=2), "psnr")
        self.assertEqual([line.partition("fovea:")[2] for line in caught.output], report.decisions)


clips.run()
