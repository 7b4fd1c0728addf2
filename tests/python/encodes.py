"""Tests the calls that score several encodes of one reference, many pairs, pairs by content, and models without
video, and their resistance to hostile callers."""

import gc
import array
import os
import signal
import sys
import threading
import time
import unittest

import clips
import fovea


def path_of(name):
    return os.path.join(clips.FOLDER.name, name)


def small(seed, width=96, height=80, **more):
    return clips.clip(width=width, height=height, seed=seed, **more)


def moving(name, numbers, flip=0):
    """Writes a clip with a bright square that moves over a gradient. `flip` changes each sample a little."""
    table, frames = bytes(code ^ flip for code in range(256)), [b"YUV4MPEG2 W96 H54 F25:1 Cmono\n"]
    for number in numbers:
        rows = [bytearray(range(40 + y // 2, 136 + y // 2)) for y in range(54)]
        left, top = 7 * number % 80, 5 * number % 38
        for row in rows[top:top + 16]:
            row[left:left + 16] = b"\xc8" * 16
        frames += [b"FRAME\n", *(row.translate(table) for row in rows)]
    with open(path_of(name), "wb") as file:
        file.writelines(frames)
    return path_of(name)


class Alignment(unittest.TestCase):
    def test_pairs(self):
        """align() returns the pairs that score(align="map") scores, which include only the first of repeated
        frames."""
        kept = [*range(4, 20), 22, 22, *range(23, 40)]
        reference, distorted = moving("whole.y4m", range(40)), moving("part.y4m", kept, 1)
        pairs = fovea.align(reference, distorted)
        self.assertEqual(pairs, array.array("q", kept))
        report = fovea.score(reference, distorted, "psnr", align="map")
        self.assertEqual(len(report), len(set(kept)))
        self.assertGreater(min(report["psnr_y"]), 40)
        late = moving("late.y4m", [39] * 3 + [*range(37)])
        self.assertEqual(list(fovea.align(moving("early.y4m", range(36)), late, "auto")), [-1] * 3 + [*range(36), -1])
        with self.assertRaisesRegex(fovea.InputError, "align=map"):
            fovea.align(reference, distorted, mode="auto")

    def test_arguments(self):
        long = moving("whole.y4m", range(40))
        for arguments, kind, words in (((None, long), ValueError, "reference is None"),
                                       ((long, None), TypeError, "distorted is None"),
                                       ((long, 7), TypeError, "distorted is 7"),
                                       ((long, long, "time"), ValueError, "mode is 'time'"),
                                       ((long, fovea.Video(long, frame_skip=1)), ValueError,
                                        "distorted.frame_skip is 1"),
                                       ((path_of("absent.y4m"), long), fovea.InputError, "absent.y4m"),
                                       ((long, "-"), fovea.InputError, ""),
                                       ((moving("short.y4m", range(5)), long), fovea.InputError,
                                        "fewer than 8 frames")):
            with self.assertRaisesRegex(kind, words):
                fovea.align(*arguments)

    def test_interruption(self):
        """Ctrl-C interrupts a search that takes longer, in a file of 199000 frames and in one of 4 GiB of 1x1
        frames."""
        with open(path_of("long.raw"), "wb") as file:
            file.truncate(1 << 32)
        with open(path_of("short.raw"), "wb") as file:
            file.truncate(64 * 36 * 199000)
        raw = {"pixel_format": "400", "bitdepth": 8, "rate": 25}
        tiny = fovea.Video(path_of("long.raw"), width=1, height=1, **raw)
        small = fovea.Video(path_of("short.raw"), width=64, height=36, **raw)
        for search in (lambda: fovea.align(small, small), lambda: fovea.find_bars(tiny)):
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                search()
            timer.join()


    def test_interruption_of_a_pipe(self):
        """Ctrl-C interrupts searches that come before pairs are opened, in a pipe that delivers nothing."""
        pipe, whole = path_of("stalled.y4m"), moving("whole.y4m", range(20))
        os.mkfifo(pipe)
        for call in (lambda: fovea.Pairs(whole, fovea.Video(pipe, crop="auto")),
                     lambda: fovea.Pairs(pipe, whole, align="map"), lambda: fovea.Pairs(whole, pipe, align="auto")):
            ended = threading.Event()

            def stall():
                with open(pipe, "wb"): # open() waits until the library opens the pipe to read
                    time.sleep(0.2)
                    os.kill(os.getpid(), signal.SIGINT)
                    ended.wait(60) # pylint: disable=cell-var-from-loop
            writer = threading.Thread(target=stall)
            writer.start()
            try:
                with self.assertRaises(KeyboardInterrupt):
                    call()
            finally:
                ended.set()
                writer.join()


class Batch(unittest.TestCase):
    def test_each_equals_its_own_run(self):
        """A job is taken when its predecessor is done, and a failed job does not stop the others."""
        taken = []

        def jobs():
            for job in ((small(1), small(2)), (small(1), path_of("absent.y4m")),
                        (small(1), small(3), {"frames": [1]}), (None, clips.clip(seed=3), {"metrics": "cambi"}),
                        [small(1), fovea.Video(small(3))]):
                taken.append(job)
                yield job
        told = []
        for encode in fovea.batch(jobs(), "psnr"):
            told.append(encode)
            self.assertEqual(len(taken), len(told))
        self.assertEqual([encode.error and type(encode.error) for encode in told],
                         [None, fovea.InputError, None, None, None])
        self.assertIn("absent.y4m", str(told[1].error))
        self.assertEqual([encode.report and len(encode.report) for encode in told], [3, None, 1, 3, 3])
        self.assertEqual(told[0].report.to_json(), fovea.score(small(1), small(2), "psnr").to_json())
        self.assertEqual((list(told[3].report.columns), told[4].video.path), (["frame", "cambi"], small(3)))

    def test_arguments(self):
        for job, kind, words in (("ab", TypeError, r"jobs\[0\] is 'ab'"), ((small(1),), TypeError, r"jobs\[0\]"),
                                 (7, TypeError, r"jobs\[0\] is 7"),
                                 ((small(1), None), TypeError, "distorted is None"),
                                 ((small(1), small(2), {"colour": 1}), TypeError, "colour"),
                                 ((small(1), small(2), 5), TypeError, "")):
            with self.assertRaisesRegex(kind, words):
                list(fovea.batch([job], "psnr"))
        with self.assertRaisesRegex(TypeError, "iterable"):
            list(fovea.batch(7))


class Encodes(unittest.TestCase):
    def test_each_equals_its_own_run(self):
        encodes = [small(seed) for seed in (2, 3, 4)]
        for threads in (1, 2, 4):
            told = fovea.score_encodes(small(1), iter(encodes), "psnr,psnr_hvs", threads=threads,
                                       fail_below={"psnr_y": 99})
            for path, encode in zip(encodes, told, strict=True):
                alone = fovea.score(small(1), path, "psnr,psnr_hvs", fail_below={"psnr_y": 99})
                self.assertIsNone(encode.error)
                self.assertEqual((encode.video.path, encode.report.to_json()), (path, alone.to_json()))
                self.assertFalse(encode.report.passed)

    def test_one_that_is_refused_stops_no_other(self):
        short = small(5, frames=2)
        broken = path_of("broken.y4m")
        with open(small(3), "rb") as whole, open(broken, "wb") as part:
            part.write(whole.read()[:-100])
        cases = ((path_of("absent.y4m"), fovea.InputError, "absent.y4m", 0), (small(2), None, "", 3),
                 (short, fovea.InputError, "`shortest`", 0),
                 (clips.clip(width=64, height=48), fovea.InputError, "`scale=dis`", 0),
                 (broken, fovea.PartialError, "broken.y4m", 2), (small(4), None, "", 3))
        told = fovea.score_encodes(small(1), [path for path, _, _, _ in cases], "psnr")
        for (_, kind, words, frames), encode in zip(cases, told, strict=True):
            self.assertEqual(type(encode.error), kind or type(None), encode.error)
            self.assertIn(words, str(encode.error))
            self.assertEqual(len(encode.report) if encode.report else 0, frames)
            self.assertIs(encode.error and encode.error.report, encode.error and encode.report)

    def test_one_that_is_absent_for_all(self):
        for encode in fovea.score_encodes(path_of("absent.y4m"), [small(2), small(3)], "psnr"):
            self.assertIsInstance(encode.error, fovea.InputError)
            self.assertIn("absent.y4m", str(encode.error))
        for encode in fovea.score_encodes(None, [clips.clip(seed=2), clips.clip(seed=3)], "cambi"):
            self.assertEqual(len(encode.report["cambi"]), 3)
        self.assertIn("reference is None", str(fovea.score_encodes(None, [small(2)])[0].error))

    def test_more_than_a_group(self):
        seen = set()
        told = fovea.score_encodes(small(1), [small(2), small(3)] * 9, "psnr", progress=lambda number,
                                   progress: seen.add(number))
        self.assertEqual([encode.report["psnr_y"] for encode in told],
                         [fovea.score(small(1), small(2 + i % 2), "psnr")["psnr_y"] for i in range(18)])
        self.assertLessEqual(seen, set(range(18)))

    def test_arguments(self):
        used_up = iter([small(2)])
        list(used_up)
        for encodes, kind, words in ((small(2), TypeError, "encodes is one video"),
                                     ([], ValueError, "encodes is empty"), (used_up, ValueError, "encodes is empty"),
                                     ([None], TypeError, r"encodes\[0\] is None"), (7, TypeError, "encodes is 7"),
                                     ([7], TypeError, r"encodes\[0\] is 7")):
            with self.assertRaisesRegex(kind, words):
                fovea.score_encodes(small(1), encodes, "psnr")
        for keywords in ({"frames": ["x"]}, {"align": "x"}, {"fail_below": {"psnr_y": "x"}}, {"convert": "x"}):
            with self.assertRaises((TypeError, ValueError)):
                fovea.score_encodes(small(1), [small(2)], "psnr", **keywords)
        with self.assertRaisesRegex(fovea.UsageError, "no_metric"):
            fovea.score_encodes(small(1), [small(2)], "no_metric")
        told = fovea.score_encodes(small(1), [small(2)], "psnr", fail_below={"no_score": 1})
        self.assertIn("no_score", str(told[0].error))

    def test_numbers_of_frames_are_counted_once(self):
        """An iterator of frame numbers applies to all encodes, although it can be read only once."""
        told = fovea.score_encodes(small(1), [small(2)] * 17, "psnr", frames=iter([1]))
        self.assertEqual({tuple(encode.report["frame"]) for encode in told}, {(1,)})

    def test_maps(self):
        """Each encode's maps come in order, with the encode's number, and equal those of a run of its own."""
        reference, encodes, seen, alone = small(1), [small(2), small(3)], [], []
        fovea.score_encodes(reference, encodes, "xpsnr", maps={
            "xpsnr.weight": lambda number, heat: seen.append((number, heat.number, bytes(heat)))})
        for number, encode in enumerate(encodes):
            fovea.score(reference, encode, "xpsnr", maps={
                "xpsnr.weight": lambda heat, number=number: alone.append((number, heat.number, bytes(heat)))})
        self.assertEqual((sorted(seen), len(seen)), (alone, 6))
        with self.assertRaisesRegex(ValueError, "maps: 'xpsnr' is not"):
            fovea.score_encodes(reference, encodes, "xpsnr", maps={"xpsnr": print})
        with self.assertRaisesRegex(ValueError, "nothing"):
            fovea.score_encodes(reference, encodes, "xpsnr", maps={"xpsnr.nothing": print})

        def stop(number, heat):
            raise LookupError(f"map {heat.number} of {number}")
        with self.assertRaisesRegex(LookupError, "map 0 of "):
            fovea.score_encodes(reference, encodes, "xpsnr", maps={"xpsnr.weight": stop})

    def test_an_exception_ends_it(self):
        def stop(number, progress):
            raise LookupError("enough")
        long = [small(seed, frames=40) for seed in (1, 2, 3)]
        with self.assertRaisesRegex(LookupError, "enough") as caught:
            fovea.score_encodes(long[0], long[1:], "butteraugli", progress=stop)
        self.assertEqual([encode.video.path for encode in caught.exception.encodes], long[1:])

    def test_interruption(self):
        """Ctrl-C interrupts a run whose reference is a pipe that delivers nothing more."""
        pipe = path_of("pipe.y4m")
        os.mkfifo(pipe)
        with open(small(1), "rb") as file:
            content = file.read()
        ended = threading.Event()

        def feed():
            with open(pipe, "wb") as file:
                file.write(content[:-10])
                file.flush()
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGINT)
                ended.wait(60)
        writer = threading.Thread(target=feed)
        writer.start()
        try:
            with self.assertRaises(KeyboardInterrupt) as caught:
                fovea.score_encodes(pipe, [small(2), small(3)], "psnr")
            self.assertEqual(len(caught.exception.encodes), 2)
        finally:
            ended.set()
            writer.join()

    def test_ten_threads(self):
        expected = fovea.score(small(1), small(2), "psnr")["psnr_y"]
        wrong = []

        def work():
            for encode in fovea.score_encodes(small(1), [small(2)] * 2, "psnr", threads=1):
                if encode.error or encode.report["psnr_y"] != expected:
                    wrong.append(encode)
        threads = [threading.Thread(target=work) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_misuse_of_the_part_in_c(self):
        words = fovea._scores._job([()], "psnr", None, None, None, None, {})
        video = fovea.Video(small(2))
        with fovea.Session("psnr") as session:
            for arguments, kind in ((([], video, [], words, 0), ValueError),
                                    (([1], video, [video], words, 0), TypeError),
                                    (([session], video, [], words, 0), ValueError),
                                    (([session], video, [video], (), 0), TypeError),
                                    (([session], video, [video], (([], []), *words[1:]), 0), TypeError),
                                    (([session, session], video, [video] * 2, ([(), ()], *words[1:]), 0),
                                     RuntimeError)):
                with self.assertRaises(kind):
                    fovea._fovea.score_encodes(*arguments)
            session.close()
            with self.assertRaisesRegex(ValueError, "closed"):
                fovea._fovea.score_encodes([session], video, [video], words, 0)


class Models(unittest.TestCase):
    def test_scores_equal_those_of_the_metric(self):
        report = fovea.score(small(1), small(2), ["vmaf=version=vmaf_v0.6.1", "vif", "adm", "motion"])
        model = fovea.Model("vmaf_v0.6.1")
        self.assertEqual([feature.name for feature in model.features][0], "VMAF_integer_feature_adm2_score")
        columns = {}
        for feature in model.features:
            name = feature.name.removeprefix("VMAF_").replace("feature_", "").removesuffix("_score")
            columns[feature.name] = report[name]
        scores = model.score(columns)
        self.assertEqual(list(scores), ["score"])
        self.assertEqual(list(scores["score"]), list(report["vmaf"]))
        rows = list(zip(*columns.values()))
        self.assertEqual(model.score(rows), scores)
        self.assertEqual(model.score([]), {"score": array.array("d")})
        if clips.numpy:
            table = clips.numpy.array(rows)
            self.assertEqual(model.score(table), scores)
            for wrong in (table[:, ::-1], table.astype("f4"), table.T, table[0], table[:, 1:]):
                with self.assertRaises((TypeError, ValueError)):
                    model.score(wrong)
            table.flags.writeable = False
            self.assertEqual(model.score(table), scores)

    def test_collections(self):
        model = fovea.Model("vmaf_b_v0.6.3")
        scores = model.score([[0.9] * len(model.features)])
        self.assertEqual(list(scores)[0], "score")
        self.assertEqual(list(scores)[-4:], ["mean", "stddev", "low", "high"])
        self.assertLessEqual(scores["low"][0], scores["high"][0])

    def test_arguments(self):
        for arguments, kind, words in ((("vmaf_v9",), fovea.UsageError, "vmaf_v9"),
                                       ((None, path_of("absent.json")), OSError, "absent"),
                                       ((None, small(1)), fovea.InputError, ""), ((), fovea.UsageError, ""),
                                       ((1,), TypeError, ""), (("a\0b",), ValueError, "")):
            with self.assertRaisesRegex(kind, words):
                fovea.Model(*arguments)
        model = fovea.Model("vmaf_v0.6.1")
        count = len(model.features)
        self.assertGreater(count, 1)
        columns = {feature.name: [1.0] for feature in model.features}
        for features, kind in (({}, KeyError), (dict(columns, **{model.features[0].name: [1.0, 2.0]}), ValueError),
                               ([[1.0] * (count + 1)], ValueError), ([["x"] * count], TypeError), (None, TypeError),
                               (b"12345678", TypeError), ({name: 1.0 for name in columns}, TypeError)):
            with self.assertRaises(kind):
                model.score(features)
        with self.assertRaisesRegex(ValueError, "values a frame"):
            model._score(bytes(8), False, False)


class Lifetimes(unittest.TestCase):
    def test_references_stay(self):
        """None and the arguments have as many references after many calls as before."""
        model = fovea.Model("vmaf_v0.6.1")
        row = [[0.5] * len(model.features)]
        video, absent = fovea.Video(small(2)), fovea.Video(path_of("absent.y4m"))

        def rounds(count):
            for _ in range(count):
                fovea.Model("vmaf_v0.6.1").score(row)
                model.features
                for wrong in ({}, [[1.0]]):
                    try:
                        model.score(wrong)
                    except (KeyError, ValueError):
                        pass
                fovea.score_encodes(video, [video, absent], "psnr", threads=1)
        things = (None, video, absent, row, model, fovea.InputError, fovea._fovea.Session, fovea.Model, True)
        rounds(100)
        gc.collect()
        before = [sys.getrefcount(thing) for thing in things]
        files = len(os.listdir("/proc/self/fd"))
        rounds(100)  # the interpreter may cache None; a call that lost a reference would lose a hundred
        gc.collect()
        for thing, count in zip(things, before):
            self.assertLess(abs(sys.getrefcount(thing) - count), 60, thing)
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)


clips.run()
