"""Tests frames that are pushed: the same bits as files, from every kind of memory; refusals that name the argument;
how long each side keeps the memory; threads."""

import ctypes
import gc
import mmap
import os
import sys
import threading
import time
import unittest
import weakref

import clips
import fovea
from dlpack import Exporter

METRICS = [metric.name for metric in fovea.metrics()]
SIDES = {"8": {"depth": 8}, "10": {"depth": 10, "chroma": "444"}}


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def file_format(**shape):
    """Returns the Format of a generated clip. Its facts that arrays lack come from the Y4M header or from the
    report."""
    report = fovea.score(clips.clip(**shape), clips.clip(seed=2, **shape), "psnr")
    seen = report.to_dict()["scored"]["distorted"]
    known = {name: seen[name] for name in ("range", "rate", "siting", "transfer", "primaries", "matrix")}
    return fovea.Format(depth=shape.get("depth", 8), **{name: None if value == "unknown" else value
                                                       for name, value in known.items()})


def pushed(pairs, metrics, **session):
    with fovea.Session(metrics, **session) as scoring:
        for reference, distorted in pairs:
            scoring.push(reference, distorted)
        return scoring.finish().columns


class Elsewhere(mmap.mmap):
    """A buffer on a GPU, as arrays of CuPy and JAX are, that cannot be read as memory of the host."""

    def __new__(cls, *planes):
        self = super().__new__(cls, -1, 1)
        self.planes = planes
        self.close()
        return self

    def __len__(self):
        return len(self.planes)

    def __getitem__(self, number):
        return self.planes[number]

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **unused):
        raise AssertionError("a session on the CPU asks for samples of a GPU")


class Equality(unittest.TestCase):
    def test_every_metric(self):
        for shape in SIDES.values():
            columns = pushed(clips.pairs(**shape), METRICS, format=file_format(**shape))
            report = fovea.score(clips.clip(**shape), clips.clip(seed=2, **shape), METRICS)
            self.assertEqual(list(columns), list(report.columns))
            for name, column in report.columns.items():
                self.assertEqual(column.tobytes(), columns[name].tobytes(), name)

    def test_odd_sizes(self):
        for chroma in clips.SUBSAMPLING:
            for width, height in ((67, 35), (1, 1), (2, 2), (1, 64)):
                shape = {"width": width, "height": height, "chroma": chroma}
                known = fovea.Format(chroma=f"{chroma[0]}:{chroma[1]}:{chroma[2]}")
                self.assertEqual(pushed(clips.pairs(**shape), "psnr", format=known),
                                 fovea.score(clips.clip(**shape), clips.clip(seed=2, **shape), "psnr").columns)

    def test_frames_of_the_library(self):
        for shape in SIDES.values():
            seen, pairs = file_format(**shape), []
            whole = fovea.Format(240, 184, "4:2:0" if shape["depth"] == 8 else "4:4:4", shape["depth"])
            for pair in clips.pairs(**shape):
                frames = fovea.Frame(whole), fovea.Frame(whole)
                for frame, planes in zip(frames, pair):
                    for to, plane in zip(frame.planes, planes):
                        self.assertEqual((to.shape, to.format, to.readonly), (plane.shape, plane.format, False))
                        for row in range(plane.shape[0]):
                            fill_row(to, row, plane)
                del to
                pairs.append(frames)
            self.assertEqual(pushed(pairs, "psnr"), pushed(clips.pairs(**shape), "psnr", format=seen))
            with self.assertRaises(TypeError):
                (ctypes.c_char * 1).from_buffer(pairs[0][0].planes[0].obj)
            self.assertTrue(pairs[0][0].planes[0].readonly)

    def test_dlpack(self):
        before = Exporter.live
        for shape in SIDES.values():
            plain = pushed(clips.pairs(**shape), "psnr", format=fovea.Format(depth=shape["depth"]))
            for options in ({"versioned": True}, {"versioned": False}, {"versioned": True, "strides": False},
                            {"versioned": False, "offset": 64}, {"versioned": True, "device": 3}):
                given = ([[Exporter(plane, **options) for plane in planes] for planes in pair]
                         for pair in clips.pairs(**shape))
                self.assertEqual(pushed(given, "psnr", format=fovea.Format(depth=shape["depth"])), plain, options)
        self.assertEqual(Exporter.live, before)

    def test_ctypes(self):
        """Arrays of ctypes state no strides."""
        pairs = clips.pairs()

        def array(plane):
            return ((ctypes.c_uint8 * plane.shape[1]) * plane.shape[0]).from_buffer(plane.obj)

        given = [[[array(plane) for plane in planes] for planes in pair] for pair in pairs]
        self.assertEqual(pushed(given, "psnr"), pushed(pairs, "psnr"))
        whole = fovea.Format(240, 184, "4:2:0")
        made = [[fovea.Frame.from_bytes(whole, planes) for planes in pair] for pair in given]
        self.assertEqual(pushed(made, "psnr"), pushed(pairs, "psnr"))

    @clips.needs_numpy
    def test_any_stride(self):
        numpy, pairs = clips.numpy, clips.pairs()
        plain = pushed(pairs, "psnr")

        def padded(plane):
            wide = numpy.full((plane.shape[0] + 5, plane.shape[1] + 13), 7, plane.dtype)
            wide[3:-2, 9:-4] = plane
            return wide[3:-2, 9:-4]

        def read_only(plane):
            plane = plane.copy()
            plane.flags.writeable = False
            return plane

        for change in (padded, read_only, lambda plane: plane[::-1].copy()[::-1], numpy.asfortranarray):
            given = [[[change(numpy.asarray(plane)) for plane in planes] for planes in pair] for pair in pairs]
            if change is numpy.asfortranarray:
                with self.assertRaisesRegex(TypeError, r"reference\[0\].*side by side.*ascontiguousarray"):
                    pushed(given, "psnr")
            else:
                self.assertEqual(pushed(given, "psnr"), plain)
        stacked = [[numpy.stack([numpy.asarray(plane) for plane in planes]) for planes in pair]
                   for pair in clips.pairs(chroma="444")]
        planes = pushed(clips.pairs(chroma="444"), "psnr")
        self.assertEqual(pushed([[fovea.Frame.from_planes(one) for one in pair] for pair in stacked], "psnr"), planes)
        self.assertEqual(pushed(stacked, "psnr", format=fovea.Format(chroma="4:4:4")), planes)
        with self.assertRaisesRegex(ValueError, "could be RGB or Y'CbCr"):
            pushed(stacked, "psnr")
        self.assertEqual(pushed([[numpy.asarray(planes[0]) for planes in pair] for pair in pairs], "psnr"),
                         pushed([[planes[:1] for planes in pair] for pair in pairs], "psnr"))

    def test_rows_come_while_pushing(self):
        pairs = clips.pairs(frames=8)
        column = fovea.score(clips.clip(frames=8), clips.clip(frames=8, seed=2), "psnr")["psnr_y"]
        rows = list(fovea.rows(pairs, "psnr", threads=1))
        self.assertEqual([(row.number, row["psnr_y"]) for row in rows], list(enumerate(column)))
        with fovea.Session("psnr", threads=1) as session:
            session.push(*pairs[0])
            session.wait()
            self.assertEqual([row.number for row in session.rows()], [0])
            session.push(*pairs[1], number=7)
            session.push(*pairs[2], skip=True)
            self.assertIn("finish", session.report().partial or "finish")
            report = session.finish()
            self.assertIs(session.finish(), report)
        self.assertEqual(list(report["frame"]), [0, 7])

    def test_one_video(self):
        report = fovea.score(None, clips.clip(), "cambi")
        self.assertEqual(pushed([(None, planes) for planes in clips.planes()], "cambi")["cambi"], report["cambi"])
        with fovea.Session("psnr") as session:
            with self.assertRaisesRegex(fovea.UsageError, "reference"):
                session.push(None, clips.planes()[0])

    def test_maps(self):
        point = "butteraugli." + next(metric for metric in fovea.metrics()
                                      if metric.name == "butteraugli").maps[0].name
        taken, pairs = [], clips.pairs()
        with fovea.Session("butteraugli", maps={point: taken.append}, format=file_format()) as session:
            for pair in pairs:
                session.push(*pair)
            session.finish()
        whole = []
        fovea.score(clips.clip(), clips.clip(seed=2), "butteraugli", maps={point: whole.append})
        self.assertEqual([bytes(one) for one in taken], [bytes(one) for one in whole])
        with fovea.Session("butteraugli", maps={point: lambda unused: 1 // 0}, threads=3) as session:
            for pair in pairs: # several pairs may be in flight when the first map arrives
                try:
                    session.push(*pair)
                except ZeroDivisionError:
                    break
            else:
                with self.assertRaises(ZeroDivisionError):
                    session.wait()
            session.push(*pairs[0])


class Looking(unittest.TestCase):
    def test_pairs(self):
        with fovea.Pairs(clips.clip(), clips.clip(seed=2)) as pairs:
            for number in (2, 0, 1):
                for frame, planes in zip(pairs[number], clips.pairs()[number]):
                    self.assertEqual([plane.tolist() for plane in frame.planes], [plane.tolist() for plane in planes])
                    self.assertTrue(frame.planes[0].readonly)
            for number in (3, -1):
                with self.assertRaisesRegex(IndexError, f"pair {number}"):
                    pairs[number]
            with self.assertRaisesRegex(TypeError, "number is '1'"):
                pairs["1"]
            self.assertEqual(len(list(pairs)), 3)
        with self.assertRaisesRegex(ValueError, "pairs is closed"):
            pairs[0]
        with self.assertRaisesRegex(fovea.InputError, "nowhere"):
            fovea.Pairs("nowhere.y4m", clips.clip())
        with self.assertRaisesRegex(TypeError, "metrics"):
            fovea.Pairs(clips.clip(), clips.clip(), metrics="psnr")
        self.assertIsNone(fovea.Pairs(None, clips.clip())[0][0])
        scaled = fovea.Pairs(clips.clip(), clips.clip(), scale=(64, 48), fit="stretch")[0][1]
        self.assertEqual((scaled.format.width, scaled.format.height), (64, 48))

    def test_pushed_pairs(self):
        with fovea.Pairs(clips.clip(), clips.clip(seed=2)) as pairs:
            columns = pushed(pairs, METRICS)
        report = fovea.score(clips.clip(), clips.clip(seed=2), METRICS)
        self.assertEqual({name: column.tobytes() for name, column in columns.items()},
                         {name: column.tobytes() for name, column in report.columns.items()})

    def test_still(self):
        taken = []
        fovea.score(clips.clip(), clips.clip(seed=2), "vdm=distance_h=1.6", maps={"vdm.jnd": taken.append})
        pairs = fovea.Pairs(clips.clip(), clips.clip(seed=2))
        with fovea.Still(*pairs[1]) as still:
            found = still.map("vdm=distance_h=1.6", "jnd")
            self.assertEqual(bytes(found), bytes(taken[1]))
            self.assertNotEqual(bytes(still.map("vdm", "jnd")), bytes(found))
            scores = fovea.score(clips.clip(), clips.clip(seed=2), "psnr").frames
            self.assertLessEqual(scores[1].items(), still.scores("psnr").items())
            still.pair(*pairs[2])
            self.assertLessEqual(scores[2].items(), still.scores("psnr").items())
            self.assertEqual(bytes(still.map("vdm=distance_h=1.6", "jnd")), bytes(taken[2]))
            for error, says, call in ((ValueError, "psnr has no maps", lambda: still.map("psnr")),
                                      (fovea.UsageError, "no map|map", lambda: still.map("vdm", "none")),
                                      (fovea.UsageError, "unknown metric", lambda: still.map("vdn", "jnd")),
                                      (fovea.UsageError, "unknown metric", lambda: still.map("vdn")),
                                      (fovea.UsageError, "no option", lambda: still.map("vdm=far=1", "jnd")),
                                      (TypeError, "reference is not", lambda: still.pair(1, 2)),
                                      (TypeError, "distorted is not", lambda: still.pair(pairs[0][0], 2))):
                with self.assertRaisesRegex(error, says):
                    call()
        with self.assertRaisesRegex(ValueError, "still is closed"):
            still.map("vdm")
        with self.assertRaisesRegex(fovea.InputError, ""):
            fovea.Still(pairs[0][0], clips.planes(width=224)[0])
        arrays = fovea.Still(*clips.pairs()[0], format=file_format())
        self.assertLessEqual(scores[0].items(), arrays.scores("psnr").items())


def fill_row(to, row, plane):
    """Copies a row item by item, since memoryviews of two dimensions have no rows."""
    for column in range(plane.shape[1]):
        to[row, column] = plane[row, column]


class Refusals(unittest.TestCase):
    def refuses(self, error, says, reference, distorted, **session):
        with fovea.Session("psnr", device="cpu", **session) as scoring:
            with self.assertRaisesRegex(error, says):
                scoring.push(reference, distorted)

    def test_arguments(self):
        good, ten = clips.planes()[0], clips.planes(depth=10)[0]
        real = memoryview(bytearray(64 * 4)).cast("f", (8, 8))
        line = memoryview(bytearray(64))
        for error, says, reference, distorted, session in (
                (TypeError, r"distorted\[0\] has samples of type 'f'.*255", good, [real], {}),
                (TypeError, r"reference\[2\] has 1 dimension", [good[0], good[1], line], good, {}),
                (TypeError, r"reference is not a fovea.Frame", good[:2], good, {}),
                (TypeError, r"distorted is not a fovea.Frame", good, 3, {}),
                (TypeError, r"distorted is not a fovea.Frame", good, None, {}),
                (TypeError, r"reference\[0\] is a int", [3], good, {}),
                (TypeError, r"reference\[0\] has samples of type 'b'",
                 [good[0].cast("B").cast("b", (184, 240))], good, {}),
                (ValueError, r"reference: planes of 184 x 240, 184 x 240, 92 x 120",
                 [good[0], good[0], good[1]], good, {}),
                (ValueError, r"reference\[0\] is uint16.*depth=10", ten, ten, {}),
                (ValueError, r"distorted\[1\] and distorted\[0\] have", ten, [ten[0], good[1], good[2]],
                 {"format": fovea.Format(depth=10)}),
                (ValueError, r"reference\[0\] is uint8, but", good, good, {"format": fovea.Format(depth=10)}),
                (ValueError, r"reference\[0\] has 184 x 240", good, good, {"format": fovea.Format(64, 64)}),
                (ValueError, r"reference: planes of", good, good, {"format": fovea.Format(chroma="4:4:4")}),
                (fovea.InputError, "sample|1023|9", ten, ten, {"format": fovea.Format(depth=9)}),
                (TypeError, r"reference\[0\] is on cuda:0.*cpu\(\)", [Exporter(good[0], True, device=2)], good, {}),
                (TypeError, r"reference\[0\] is on cuda:0", [Elsewhere()], good, {}),
                (TypeError, r"reference\[0\] is on cuda:0", Elsewhere(Elsewhere()), good, {}),
                (TypeError, r"distorted\[0\] is on a device \(DLPack type 10\)", good,
                 [Exporter(good[0], True, device=10)], {}),
                (BufferError, r"reference\[0\]: __dlpack__ gave a tensor that lies elsewhere",
                 [Exporter(good[0], True, lies=2)], good, {}),
                (TypeError, r"reference\[0\] has samples of type 'float8'",
                 [Exporter(good[0], True, code=2)], good, {})):
            self.refuses(error, says, reference, distorted, **session)
        Exporter.live = 0

    def test_tensors_that_are_taken(self):
        class Once(Exporter):
            def __dlpack__(self, **keywords):
                self.capsule = self.capsule or super().__dlpack__(**keywords)
                return self.capsule

        class Nothing(Exporter):
            def __dlpack__(self, **unused):
                return 3

        plane = clips.planes()[0][0]
        for versioned in (True, False):
            once = Once(plane, versioned)
            self.refuses(BufferError, r"distorted\[0\]: .*taken before", [once], [once])
        self.refuses(BufferError, r"reference\[0\]: __dlpack__ gave no tensor", [Nothing(plane, True)], [plane])
        Exporter.live = 0

    def test_tensors_of_strangers(self):
        """DLPack capsules from other libraries with invalid content are refused."""
        plane = clips.planes()[0][0]
        for place in (3, "cpu", (1,), (1, 0, 0), [1, 0], None):
            tensor = Exporter(plane, True)
            tensor.__class__ = type("Placed", (Exporter,), {"__dlpack_device__": lambda self, place=place: place})
            self.refuses(TypeError, r"reference\[0\]: __dlpack_device__ gives .*pair of whole numbers",
                         [tensor], [plane])
        for changes in ({"shape": None}, {"data": 0}, {"ndim": -1}, {"ndim": 1 << 20}, {"shape": (-1, 4)},
                        {"shape": (1 << 40, 1 << 40)}, {"strides": (1 << 50, 1)}):
            for versioned in (True, False):
                tensor = Exporter(plane, versioned)
                for name, value in changes.items():
                    if isinstance(value, tuple):
                        value = (ctypes.c_int64 * 2)(*value)
                        tensor.kept.append(value)
                    setattr(tensor.managed.tensor, name, value)
                self.refuses(BufferError, r"reference\[0\]: __dlpack__ gave a tensor without", [tensor], [plane])
        self.refuses(TypeError, r"reference\[0\] has 0 dimensions", [self.changed(plane, ndim=0)], [plane])
        self.refuses(ValueError, r"reference\[0\] is empty", [self.changed(plane, shape=(0, 4), data=0)], [plane])
        Exporter.live = 0

    @staticmethod
    def changed(plane, shape=None, **values):
        tensor = Exporter(plane, True)
        if shape:
            tensor.kept.append((ctypes.c_int64 * 2)(*shape))
            tensor.managed.tensor.shape = tensor.kept[-1]
        for name, value in values.items():
            setattr(tensor.managed.tensor, name, value)
        return tensor

    def test_numbers_ascend(self):
        good = clips.planes()[0]
        with fovea.Session("psnr") as session:
            session.push(good, good, number=3)
            for number in (3, 2, -1):
                with self.assertRaisesRegex(ValueError,
                                            f"number is {number}; numbers ascend, and the next pair has 4 or more"):
                    session.push(good, good, number=number)
            session.push(good, good)
            session.push(good, good, number=9)
            self.assertEqual(list(session.finish()["frame"]), [3, 4, 9])

    def test_pairs_that_do_not_fit(self):
        good = clips.planes()[0]
        self.refuses(fovea.InputError, "240x184.*`scale`", good, clips.planes(width=224)[0])
        self.refuses(fovea.InputError, "4:2:0.*`convert=chroma`", good, good[:1] * 3)
        with fovea.Session("psnr") as session:
            session.push(good, good)
            with self.assertRaises(fovea.Error):
                session.push(clips.planes(width=224)[0], clips.planes(width=224)[0])

    def test_formats(self):
        for error, says, keywords in (
                (ValueError, "chroma is '4:2:1'", {"chroma": "4:2:1"}),
                (ValueError, "range is 'tv'", {"range": "tv"}),
                (ValueError, "transfer is 'xyz'", {"transfer": "xyz"}),
                (ValueError, "siting is 'in'", {"siting": "in"}),
                (TypeError, "matrix is 1", {"matrix": 1}), (fovea.UsageError, "depth|7", {"depth": 7}),
                (fovea.UsageError, "", {"width": 0}), (ValueError, "chroma is missing", {"chroma": None}),
                (ValueError, "range has a null character", {"range": "full\0"}),
                (ValueError, r"rate is Fraction\(1000", {"rate": 10 ** 30}),
                (ValueError, "width is out of range: 1208", {"width": 2 ** 80})):
            with self.assertRaisesRegex(error, says):
                fovea.Frame(fovea.Format(**{"width": 8, "height": 8, "chroma": "4:2:0", "depth": 8, **keywords}))
        for call in (fovea.Frame, lambda text: fovea.Session("psnr", format=text),
                     lambda text: fovea.Frame.from_bytes(text, b"")):
            with self.assertRaisesRegex(TypeError, "format is a str; it must be a fovea.Format"):
                call("8x8")
        given = fovea.Format(8, 8, "4:2:0", 10, "limited", "30000/1001", "pq", "bt2020", "bt709", "topleft", 1000)
        self.assertEqual(fovea.Frame(given).format.rate, given.rate)
        self.assertEqual((fovea.Frame(given).format.siting, fovea.Frame(given).format.range), ("topleft", "limited"))
        self.assertEqual(fovea.Frame(fovea.Frame(given).format).format, fovea.Frame(given).format)

    def test_sessions(self):
        for says, call in (("metrics is 3", lambda: fovea.Session(3)),
                           ("threads is 'x'", lambda: fovea.Session("psnr", threads="x")),
                           ("in_flight is 1.5", lambda: fovea.Session("psnr", in_flight=1.5)),
                           ("threads is 'x'", lambda: fovea.score("a.y4m", "b.y4m", threads="x"))):
            with self.assertRaisesRegex(TypeError, says):
                call()
        with fovea.Session("psnr") as session:
            for call in (session.wait, session.finish):
                with self.assertRaisesRegex(ValueError, "no pair was pushed"):
                    call()

    def test_closed(self):
        good = clips.planes()[0]
        session = fovea.Session("psnr")
        session.close()
        session.close()
        self.assertTrue(session.closed)
        for call in (lambda: session.push(good, good), session.wait, session.report, session.finish,
                     lambda: list(session.rows())):
            with self.assertRaisesRegex(ValueError, "session is closed"):
                call()

    def test_writable_views(self):
        frame = fovea.Frame(fovea.Format(8, 8, "4:2:0", 8))
        views = frame.planes
        with fovea.Session("psnr") as session:
            with self.assertRaisesRegex(BufferError, "distorted: arrays of the frame can still be written"):
                session.push(fovea.Frame(frame.format), frame)
        del views

    def test_in_use(self):
        good, says = clips.planes()[0], []
        point = "butteraugli." + next(metric for metric in fovea.metrics()
                                      if metric.name == "butteraugli").maps[0].name

        def push_again(unused):
            try:
                session.push(good, good)
            except RuntimeError as error:
                says.append(str(error))
            try:
                says.append(session.memory)
            except RuntimeError as error:
                says.append(str(error))

        session = fovea.Session("butteraugli", maps={point: push_again}, threads=1)
        session.push(good, good)
        self.assertGreater(session.memory, 0)
        session.finish()
        self.assertEqual(says, ["the session is in use by another thread"] * 2)
        self.assertEqual(session.memory, 0)


class Lifetimes(unittest.TestCase):
    def test_collected(self):
        class Taker:
            def __call__(self, unused):
                pass

        taker = Taker()
        point = "butteraugli." + next(metric for metric in fovea.metrics()
                                      if metric.name == "butteraugli").maps[0].name
        session = fovea.Session("butteraugli", maps={point: taker})
        taker.session = session
        gone = weakref.ref(taker)
        del taker, session
        gc.collect()
        self.assertIsNone(gone())

    def test_views_outlive_frames(self):
        frame = fovea.Frame(fovea.Format(64, 64, "4:0:0", 8))
        view, = frame.planes
        view[63, 63] = 9
        del frame
        gc.collect()
        self.assertEqual(view[63, 63], 9)

    def test_nothing_is_kept(self):
        taken = []
        point = "butteraugli." + next(metric for metric in fovea.metrics()
                                      if metric.name == "butteraugli").maps[0].name
        ref, dis = clips.pairs(width=64, height=64, frames=1)[0]

        def once():
            with fovea.Session("psnr,butteraugli", maps={point: taken.append}, threads=1, device="cpu") as session:
                session.push(ref, dis)
                try:
                    session.push(ref, [dis[0], dis[0], dis[1]])
                except ValueError:
                    pass
                report = session.finish()
            report.pooled["psnr_y"]
            taken.clear()

        def counts():
            gc.collect()
            return (sys.getrefcount(None), sys.getrefcount(ref), sys.getrefcount(ref[0]),
                    sys.getrefcount(fovea.Report), len(os.listdir("/proc/self/fd")))

        for _ in range(100):
            once()
        before, memory = counts(), resident()
        for _ in range(1000):
            once()
        after = counts()
        self.assertLess(abs(after[0] - before[0]), 20)
        self.assertEqual(after[1:], before[1:])
        self.assertLess(resident() - memory, 4 << 20)


class Threads(unittest.TestCase):
    def test_ten(self):
        pairs, found = clips.pairs(frames=4), []
        expected = pushed(pairs, "psnr,psnr_hvs")

        def work():
            for _ in range(3):
                found.append(pushed(pairs, "psnr,psnr_hvs", threads=2) == expected)

        threads = [threading.Thread(target=work) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 30)

    def test_others_run_meanwhile(self):
        """push() releases the GIL, so another thread runs meanwhile. The long switch interval ensures that threads
        change only where one of them releases the GIL."""
        interval, ticks, ends = sys.getswitchinterval(), [0], threading.Event()

        def tick():
            while not ends.is_set():
                ticks[0] += 1
                time.sleep(0)

        thread = threading.Thread(target=tick)
        pairs = clips.pairs(width=640, height=360)
        thread.start()
        try:
            sys.setswitchinterval(1000)
            with fovea.Session("psnr_hvs", threads=1) as session:
                for attempt in range(1000):
                    before = ticks[0]
                    session.push(*pairs[attempt % 3])
                    if ticks[0] > before + 1:
                        break
        finally:
            sys.setswitchinterval(interval)
            ends.set()
            thread.join()
        self.assertLess(attempt, 999)

    def test_one_session_in_two(self):
        pairs, says = clips.pairs(width=640, height=360), []

        def push():
            for _ in range(20):
                try:
                    session.push(*pairs[0])
                except RuntimeError as error:
                    says.append(str(error))

        with fovea.Session("psnr_hvs", threads=1) as session:
            threads = [threading.Thread(target=push) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(len(session.finish()) + len(says), 40)
        self.assertLessEqual(set(says), {"the session is in use by another thread"})


clips.run()
