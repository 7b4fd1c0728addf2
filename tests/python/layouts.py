"""Frames of other layouts: bytes of decoders, interleaved planes, RGB, PyAV; pairs that are prepared; functions that need no
session; and stopping."""

import os
import signal
import struct
import threading
import time
import types
import unittest

import clips
import fovea


def samples(frame):
    return [plane.tolist() for plane in frame.planes]


def interleaved(cb, cr):
    return b"".join(bytes(pair) for row in zip(cb.tolist(), cr.tolist()) for pair in zip(*row))


class Bytes(unittest.TestCase):
    def setUp(self):
        self.planes = clips.planes(width=34, height=18)[0]
        self.whole = fovea.Format(34, 18, "4:2:0")

    def test_planes(self):
        plain = samples(fovea.Frame.from_planes(self.planes))
        self.assertEqual(plain, [plane.tolist() for plane in self.planes])
        joined = b"".join(plane.tobytes() for plane in self.planes)
        self.assertEqual(samples(fovea.Frame.from_bytes(self.whole, joined)), plain)
        self.assertEqual(samples(fovea.Frame.from_bytes(self.whole, self.planes)), plain)
        padded = [b"".join(bytes(row) + b"??" for row in plane.tolist()) for plane in self.planes]
        self.assertEqual(samples(fovea.Frame.from_bytes(self.whole, padded, strides=[36, 19, 19])), plain)

    def test_interleaved(self):
        y, cb, cr = self.planes
        nv12 = y.tobytes() + interleaved(cb, cr)
        plain = samples(fovea.Frame.from_planes(self.planes))
        self.assertEqual(samples(fovea.Frame.from_bytes(fovea.Format(34, 18), nv12, "nv12")), plain)
        self.assertEqual(samples(fovea.Frame.from_bytes(self.whole, [y, interleaved(cb, cr)], "nv12")), plain)
        p010 = b"".join(struct.pack("<H", value << 6) for value in nv12)
        deep = fovea.Frame.from_bytes(fovea.Format(34, 18), p010, "p010le")
        self.assertEqual((samples(deep), deep.format.depth), (plain, 10))
        self.assertTrue(deep.planes[0].readonly)

    def test_refusals(self):
        take, whole, one = fovea.Frame.from_bytes, self.whole, self.planes
        for arguments, error, text in (
                ((whole, b"12"), ValueError, "data has 2 bytes: a frame of this format has 918"),
                ((whole, one[:2]), ValueError, "data has another number of planes than the format, 3"),
                ((whole, [one[0], one[1], b"1"]), ValueError, r"data\[2\] has 1 bytes: 9 rows of 17 bytes are needed"),
                ((whole, one, None, [34, 17, 16]), None, None),
                ((whole, [one[0], one[1], bytes(200)], None, [34, 17, 16]), ValueError, r"data\[2\]"),
                ((whole, [one[0], one[1], bytes(200)], None, [34, 17, -17]), ValueError, r"data\[2\]"),
                ((whole, one, "nv99"), ValueError, "layout is 'nv99'"),
                ((fovea.Format(34, 18, "4:2:0", 8), b"", "p010"), ValueError, "layout p010 is of 10 bits"),
                ((fovea.Format(34, 18), b""), ValueError, "format.chroma is missing"),
                ((fovea.Format(0, 18, "4:2:0"), b""), ValueError, "format.width is missing"),
                ((fovea.Format(34, 18, "4:2:0", 7), b""), fovea.UsageError, "7"),
                ((fovea.Format(35, 18), bytes(72 * 18), "uyvy422"), fovea.UsageError, "even number"),
                ((whole, 5), TypeError, ""), ((whole, "text"), ValueError, "planes"), ((None, b""), TypeError, "format is a NoneType")):
            with self.subTest(text):
                if error is None:
                    take(*arguments)
                    continue
                with self.assertRaisesRegex(error, text):
                    take(*arguments)
        with self.assertRaisesRegex(fovea.InputError, "is not a sample of 10 bits"):
            take(fovea.Format(2, 2), struct.pack("<6H", 64, 64, 64, 65, 0, 0), "p010")

    def test_av(self):
        av = types.SimpleNamespace
        def frame(name, planes, **tags):
            return av(format=av(name=name), width=34, height=18, pict_type=1, planes=planes, **tags)
        class Plane(bytes):
            line_size = 0
        def plane(content, line):
            made = Plane(content)
            made.line_size = line
            return made
        y, cb, cr = (bytes(view) for view in self.planes)
        given = frame("yuv420p", [plane(y, 34), plane(cb, 17), plane(cr, 17)], color_range=1, colorspace=1)
        nv12 = frame("nv12", [plane(y, 34), plane(interleaved(*self.planes[1:]), 34)])
        with fovea.Session("psnr", format=fovea.Format(rate=25)) as session:
            session.push(given, nv12)
            report = session.finish()
        self.assertEqual(report["psnr_y"][0], 60)
        self.assertEqual(report.to_dict()["scored"]["reference"]["range"], "limited")
        with self.assertRaisesRegex(TypeError, "distorted is of pixel format rgb24.*from_rgb"):
            fovea.Session("psnr").push(given, frame("rgb24", [plane(bytes(34 * 18 * 3), 102)]))


class Rgb(unittest.TestCase):
    def test_colours(self):
        pixels = memoryview(bytes([255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255])).cast("B", (1, 4, 3))
        frame = fovea.Frame.from_rgb(pixels)
        self.assertEqual(samples(frame), [[[235, 16, 63, 32]], [[128, 128, 102, 240]], [[128, 128, 240, 118]]])
        self.assertEqual((frame.format.chroma, frame.format.range, frame.format.matrix), ("4:4:4", "limited", "bt709"))
        deep = fovea.Frame.from_rgb(memoryview(struct.pack("=3H", 1023, 1023, 1023)).cast("B").cast("H", (1, 1, 3)), "bt2020", 10,
                                    fovea.Format(transfer="pq"))
        self.assertEqual((samples(deep), deep.format.transfer), ([[[940]], [[512]], [[512]]], "pq"))

    @clips.needs_numpy
    def test_any_stride(self):
        import numpy
        pixels = numpy.random.default_rng(1).integers(0, 256, (9, 14, 3), "uint8")
        plain = samples(fovea.Frame.from_rgb(pixels))
        self.assertEqual(samples(fovea.Frame.from_rgb(pixels[..., ::-1].copy()[..., ::-1])), plain)
        self.assertEqual(samples(fovea.Frame.from_rgb(pixels.transpose(2, 0, 1).copy().transpose(1, 2, 0))), plain)
        self.assertEqual(samples(fovea.Frame.from_rgb(pixels[::-1, ::-1].copy()[::-1, ::-1])), plain)
        self.assertEqual(samples(fovea.Frame.from_rgb(numpy.broadcast_to(pixels[:, :, :1], (9, 14, 3)))),
                         samples(fovea.Frame.from_rgb(numpy.repeat(pixels[:, :, :1], 3, 2))))
        with self.assertRaisesRegex(TypeError, "samples of type 'd'"):
            fovea.Frame.from_rgb(pixels / 255)

    def test_refusals(self):
        def pixels(*shape, kind="B"):
            count = 1
            for side in shape:
                count *= side
            return memoryview(bytearray(count * (1 + (kind == "H")))).cast("B").cast(kind, shape)
        for arguments, error, text in (
                ((pixels(2, 2),), TypeError, "array has 2 dimensions: pixels are height x width x components"),
                ((pixels(2, 2, 4),), ValueError, r"array has 4 components.*array\[..., :3\]"),
                ((pixels(2, 2, 3), "bt470"), ValueError, "matrix is 'bt470'"),
                ((pixels(2, 2, 3), "ycgco"), fovea.UsageError, "matrix of BT.709"),
                ((pixels(2, 2, 3, kind="H"),), ValueError, "array is uint16: depth is missing"),
                ((pixels(2, 2, 3), "bt709", 10), ValueError, "array is uint8: depth is 8"),
                ((pixels(2, 2, 3, kind="H"), "bt709", 99), fovea.UsageError, "99"),
                ((5,), TypeError, "array is a int")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                fovea.Frame.from_rgb(*arguments)


class Prepared(unittest.TestCase):
    def test_as_files(self):
        small, large = {"width": 120, "height": 92}, {"depth": 10}
        names = clips.clip(**large), clips.clip(seed=2, **small)
        asked = {"scale": "dis", "convert": "range"}
        report = fovea.score(*names, "psnr", **asked, ignore_colour=True)
        pairs = zip(clips.planes(**large), clips.planes(seed=2, **small))
        seen = report.to_dict()["scored"]["distorted"]
        known = {"range": seen["range"], "siting": seen["siting"]}
        known = {name: value for name, value in known.items() if value != "unknown"}
        with fovea.Session("psnr", **asked, ignore_colour=True) as session:
            for reference, distorted in pairs:
                session.push(fovea.Frame.from_planes(reference, fovea.Format(depth=10, **known)),
                             fovea.Frame.from_planes(distorted, fovea.Format(**known)))
            pushed = session.finish()
        self.assertEqual(pushed.columns, report.columns)
        self.assertTrue(any("scaled" in decision for decision in pushed.decisions))
        self.assertEqual(pushed.to_dict()["scoring"], report.to_dict()["scoring"])

    def test_crop_and_refusals(self):
        planes = clips.planes()[0]
        part = [planes[0].tolist(), planes[1].tolist(), planes[2].tolist()]
        cut = [[row[x // (1 + (i > 0)):(x + 64) // (1 + (i > 0))] for row in rows[:(32 if i == 0 else 16)]]
               for i, rows in enumerate(part) for x in (16,)]
        cut = [memoryview(bytes(sum(rows, []))).cast("B", (len(rows), len(rows[0]))) for rows in cut]
        with fovea.Session("psnr", crop=((64, 32, 16, 0), None)) as session:
            session.push(planes, cut)
            self.assertEqual(session.finish()["psnr_y"][0], 60)
        for keywords, error, text in (({"crop": (1, 2)}, ValueError, "crop is"), ({"crop": 5}, ValueError, "crop is"),
                                      ({"convert": "rgb"}, ValueError, "from_rgb"), ({"scael": "dis"}, TypeError, "scael"),
                                      ({"scale": "up"}, ValueError, "`scale` takes .* not 'up'")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                fovea.Session("psnr", **keywords)
        with fovea.Session("psnr", scale="dis") as session, self.assertRaises(fovea.UsageError):
            session.push(None, planes)


class Curves(unittest.TestCase):
    def test_bd_rate(self):
        anchor = [(1000, 30), (2000, 33), (4000, 36), (8000, 39)]
        result = fovea.bd_rate(anchor, [(rate / 2, quality) for rate, quality in reversed(anchor)])
        self.assertAlmostEqual(result.rate, -50, places=9)
        self.assertAlmostEqual(result.quality, 3, places=9)
        self.assertEqual((result.refusal, result.overlap, result.dropped), (None, 1, ([], [])))
        refused = fovea.bd_rate(anchor, anchor[:2])
        self.assertEqual(refused.refusal, "few points")
        self.assertNotEqual(refused.rate, refused.rate)
        self.assertIn("2", refused.reason)
        for arguments, error, text in (((anchor, [5]), TypeError, "test has 5"), (([], anchor), fovea.UsageError, ""),
                                       ((anchor, [(1, "x")]), TypeError, "test has")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                fovea.bd_rate(*arguments)
        with self.assertRaisesRegex(ValueError, "method is 'x'"):
            fovea.bd_rate(anchor, anchor, method="x")

    def test_alone(self):
        with self.assertRaises(fovea.InputError):
            fovea.find_bars(clips.clip(frames=2))
        with self.assertRaisesRegex(TypeError, "video is None"):
            fovea.find_bars(None)
        self.assertEqual(fovea.verify_device("cpu"), {})
        with self.assertRaises(fovea.Error):
            fovea.verify_device("abacus")


class Stopping(unittest.TestCase):
    def test_cancel_ends_a_session(self):
        planes = clips.planes()[0]
        with fovea.Session("psnr", threads=2) as session:
            session.push(planes, planes)
            session.wait()
            session.cancel()
            for call in (lambda: session.push(planes, planes), session.wait):
                with self.assertRaises(fovea.Error):
                    call()
            self.assertEqual(len(session.report()), 1)
            self.assertIn("stopped on request", session.report().partial)

    def test_a_signal_ends_waiting(self):
        planes = clips.planes(width=640, height=360, frames=1)[0]
        with fovea.Session("butteraugli,ssimulacra2", threads=1, in_flight=0) as session:
            session.push(planes, planes)
            timer = threading.Timer(0, os.kill, (os.getpid(), signal.SIGINT))
            taken = []
            try:
                timer.start()
                for _ in range(200):
                    session.push(planes, planes)
                    session.wait()
            except KeyboardInterrupt:
                taken.append(True)
            timer.join()
            self.assertTrue(taken)

    def test_a_receiver_fails_while_maps_wait(self):
        planes = clips.planes(width=64, height=64, frames=1)[0]
        with fovea.Session("xpsnr", threads=2, in_flight=12, maps={"xpsnr.weight": lambda unused: 1 // 0}) as session:
            for _ in range(12):
                try:
                    session.push(planes, planes)
                except ZeroDivisionError:
                    pass
            with self.assertRaises(ZeroDivisionError):
                session.wait()
            self.assertEqual(len(session.report()), 12)

    def test_strict(self):
        with self.assertRaisesRegex(TypeError, "strict"):
            fovea.Session("psnr", strict=True)
        self.assertEqual(len(fovea.score(clips.clip(), clips.clip(seed=2), "psnr", strict=True)), 3)


clips.run()
