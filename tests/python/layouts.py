"""Tests frames of other layouts: bytes of decoders, interleaved planes, RGB, PyAV. Also pairs that are prepared,
functions that need no session, and stopping."""

import os
import signal
import struct
import threading
import time
import types
import unittest
import zlib

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
                ((whole, [one[0], one[1], b"1"]), ValueError,
                 r"data\[2\] has 1 bytes: 9 rows of 17 bytes are needed"),
                ((whole, one, None, [34, 17, 17]), None, None),
                ((whole, one, None, [34, 17, 18]), ValueError, r"strides\[2\]"),
                ((whole, [one[0], one[1], bytes(200)], None, [34, 17, 16]), ValueError, r"strides\[2\]"),
                ((whole, [one[0], one[1], bytes(200)], None, [34, 17, -17]), ValueError, r"strides\[2\]"),
                ((whole, one, "nv99"), ValueError, "layout is 'nv99'"),
                ((fovea.Format(34, 18, "4:2:0", 8), b"", "p010"), ValueError, "layout p010 is of 10 bits"),
                ((fovea.Format(34, 18), b""), ValueError, "format.chroma is missing"),
                ((fovea.Format(0, 18, "4:2:0"), b""), ValueError, "format.width is missing"),
                ((fovea.Format(34, 18, "4:2:0", 7), b""), fovea.UsageError, "7"),
                ((fovea.Format(35, 18), bytes(72 * 18), "uyvy422"), fovea.UsageError, "even number"),
                ((whole, 5), TypeError, "data"), ((whole, "text"), TypeError, "data"),
                ((None, b""), TypeError, "format is a NoneType")):
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


def png(name, width, height, components, depth, words):
    """Writes a PNG file whose samples are `words`, in packed order, and returns its path."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row, size = width * components, depth // 8
    lines = b"".join(b"\0" + struct.pack(f">{row}{'BH'[size - 1]}", *words[y * row:(y + 1) * row])
                     for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, depth, {3: 2, 4: 6}[components], 0, 0, 0)
    name = os.path.join(clips.FOLDER.name, name)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) +
                   chunk(b"IEND", b""))
    return name


def picture(width, height, components, depth, seed):
    """Returns the words of a picture with edges, slopes and noise, which depends only on the seed."""
    peak, state, words = (1 << depth) - 1, seed, []
    for y in range(height):
        for x in range(width):
            for c in range(components):
                state = (state * 1103515245 + 12345) & 0x7fffffff
                base = (x * (3 + c) + y * 2 + 90 * seed * ((x // 24 + y // 24) % 2)) % 256 * peak // 255
                words.append(min(peak, max(0, base + (state >> 16) % (peak // 12) - peak // 24)))
    return words


class Indexed:
    """A view whose items are rows, like an array or a tensor. Memoryviews of several dimensions have no such
    items."""

    def __init__(self, view, shape):
        self.items, self.shape = view.tolist(), view.shape
        self.kind, self.of = view.format, shape

    def __len__(self):
        return len(self.items)

    def __getitem__(self, number):
        def flat(item):
            return [word for part in item for word in flat(part)] if isinstance(item, list) else [item]
        return array(flat(self.items[number]), *self.of, kind=self.kind)


def array(words, *shape, kind="B"):
    return memoryview(bytearray(struct.pack(f"={len(words)}{kind}", *words))).cast("B").cast(kind, shape)


class Rgb(unittest.TestCase):
    SIZE = (240, 216)

    def files(self, components=3, depth=8, metrics="ssimulacra2,psnr,butteraugli"):
        """Scores two PNG files of random samples. Returns the scores and the samples of both files."""
        width, height = self.SIZE
        words = [picture(width, height, components, depth, seed) for seed in (1, 2)]
        names = [png(f"{side}.png", width, height, components, depth, one) for side, one in zip("ab", words)]
        try:
            return fovea.score(*names, metrics).columns, words
        except fovea.InputError as error:
            self.skipTest(str(error))

    def pushed(self, words, metrics, *shape, kind="B", **keywords):
        known = fovea.Format(rate=25)
        with fovea.Session(metrics) as session:
            session.push(*(fovea.Frame.from_rgb(array(one, *shape, kind=kind), format=known, **keywords)
                           for one in words))
            return session.finish().columns

    def test_every_metric_scores_as_files(self):
        metrics = [metric.name for metric in fovea.metrics()]
        width, height = self.SIZE
        wanted, words = self.files(metrics=metrics)
        got = self.pushed(words, metrics, height, width, 3)
        self.assertEqual(list(got), list(wanted))
        for name, column in wanted.items():
            self.assertEqual(column.tobytes(), got[name].tobytes(), name)

    def test_every_layout_and_type_scores_as_files(self):
        metrics, (width, height) = "ssimulacra2,psnr,butteraugli", self.SIZE
        wanted, words = self.files()
        planar = [[word for c in range(3) for word in one[c::3]] for one in words]
        scaled = [[word / 255 for word in one] for one in words]
        for got in (self.pushed(words, metrics, height, width, 3, layout="HWC"),
                    self.pushed(planar, metrics, 3, height, width),
                    self.pushed(planar, metrics, 3, height, width, layout="CHW"),
                    self.pushed(scaled, metrics, height, width, 3, kind="d", range=(0, 1), rounding="nearest"),
                    self.pushed(scaled, metrics, height, width, 3, kind="f", range=(0.0, 1.0), rounding="half_up"),
                    self.pushed(words, metrics, height, width, 3, kind="f", range=(0, 255), rounding="floor"),
                    self.pushed([[word / 127.5 - 1 for word in one] for one in words], metrics, height, width,
                                3, kind="d", range=(-1, 1), rounding="nearest")):
            self.assertEqual(got, wanted)
        batch = [array(one * 2, 2, height, width, 3) for one in words]
        frames = [Indexed(one, (height, width, 3)) for one in batch]
        with fovea.Session(metrics) as session:
            for pair in zip(*(fovea.Frame.from_rgb(one, layout="NHWC", format=fovea.Format(rate=25))
                              for one in frames)):
                session.push(*pair)
            report = session.finish()
        self.assertEqual([report["ssimulacra2"][i] for i in range(2)], [wanted["ssimulacra2"][0]] * 2)

    def test_sixteen_bits_and_alpha_score_as_files(self):
        metrics, (width, height) = "ssimulacra2,psnr,butteraugli", self.SIZE
        wanted, words = self.files(depth=16)
        self.assertEqual(self.pushed(words, metrics, height, width, 3, kind="H", depth=16), wanted)
        for depth in (8, 16):
            wanted, words = self.files(components=4, depth=depth)
            for background in ("#000000", (0, 0, 0)):
                self.assertEqual(self.pushed(words, metrics, height, width, 4, kind="BH"[depth > 8], depth=depth,
                                             background=background),
                                 wanted)
        sides = [os.path.join(clips.FOLDER.name, f"{side}.png") for side in "ab"]
        printed = clips.command("score", *sides, "-m", metrics, "--background", "#123456", "--print", "psnr_y",
                                "--print", "ssimulacra2")
        got = self.pushed(words, metrics, height, width, 4, kind="H", depth=16, background="#123456")
        self.assertEqual([float(word) for word in printed.decode().split()],
                         [got["psnr_y"][0], got["ssimulacra2"][0]])

    def test_prepared_pairs_score_as_files(self):
        metrics, (width, height) = "ssimulacra2,psnr", self.SIZE
        _, words = self.files()
        known = fovea.Format(rate=25)
        small = picture(120, 108, 3, 8, 3)
        files = os.path.join(clips.FOLDER.name, "a.png"), png("small.png", 120, 108, 3, 8, small)
        wanted = fovea.score(*files, metrics, scale="ref").columns
        with fovea.Session(metrics, scale="ref") as session:
            session.push(fovea.Frame.from_rgb(array(words[0], height, width, 3), format=known),
                         fovea.Frame.from_rgb(array(small, 108, 120, 3), format=known))
            self.assertEqual(session.finish().columns, wanted)

    def test_remedy_of_rgb_planes(self):
        """Planes of RGB have no Y'CbCr. The refusal names Frame.from_rgb(), which makes it."""
        pixels = array(picture(64, 48, 3, 8, 1), 3, 48, 64)
        planes = [array([word for row in plane for word in row], 48, 64) for plane in pixels.tolist()]
        with fovea.Session("psnr", format=fovea.Format(chroma="RGB")) as session:
            with self.assertRaisesRegex(fovea.UsageError, r"psnr takes Y'CbCr.*: make them with Frame.from_rgb\(\)"):
                session.push(planes, planes)
        with fovea.Session("psnr") as session:
            session.push(fovea.Frame.from_rgb(pixels), fovea.Frame.from_rgb(pixels))
            self.assertEqual(session.finish()["psnr_y"][0], 60)

    def test_still(self):
        _, words = self.files()
        width, height = self.SIZE
        frames = [fovea.Frame.from_rgb(array(one, height, width, 3)) for one in words]
        with fovea.Still(*frames) as still, fovea.Still(*fovea.Pairs(*(os.path.join(clips.FOLDER.name, f"{side}.png")
                                                                       for side in "ab"))[0]) as files:
            self.assertEqual(still.scores("psnr"), files.scores("psnr"))
            self.assertEqual(still.scores("ssimulacra2"), files.scores("ssimulacra2"))

    def test_colours(self):
        pixels = memoryview(bytes([255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255])).cast("B", (1, 4, 3))
        frame = fovea.Frame.from_rgb(pixels)
        self.assertEqual(samples(frame), [[[255, 0, 255, 0]], [[255, 0, 0, 0]], [[255, 0, 0, 255]]])
        known = frame.format
        self.assertEqual((known.chroma, known.range, known.matrix, known.transfer, known.primaries),
                         ("RGB", "full", None, "srgb", "bt709"))
        deep = fovea.Frame.from_rgb(memoryview(struct.pack("=3H", 1023, 0, 1023)).cast("B").cast("H", (1, 1, 3)),
                                    "bt2020", 10, fovea.Format(transfer="pq"))
        self.assertEqual((samples(deep), deep.format.transfer), ([[[1023]], [[0]], [[1023]]], "pq"))

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
        half = (pixels / 255).astype("float16").astype("float64")
        for kind in ("float16", "float32", "float64"):
            self.assertEqual(samples(fovea.Frame.from_rgb(half.astype(kind), range=(0, 1), rounding="nearest")),
                             samples(fovea.Frame.from_rgb((half * 255).round().astype("uint8"))))

    def test_refusals(self):
        def pixels(*shape, kind="B"):
            count = 1
            for side in shape:
                count *= side
            return memoryview(bytearray(count * (1 + (kind == "H")))).cast("B").cast(kind, shape)
        for arguments, error, text in (
                ((pixels(2, 2),), TypeError, "array has 2 dimensions: pixels are height x width x components"),
                ((pixels(2, 2, 4),), ValueError, r"array has 4 components.*background='#000000'.*array\[..., :3\]"),
                ((pixels(2, 2, 5),), ValueError, "array has 5 components"),
                ((pixels(3, 2, 3),), ValueError, "layout='HWC' or 'CHW'"),
                ((pixels(1, 2, 2, 3),), ValueError, "say layout='NCHW' or 'NHWC'"),
                ((pixels(2, 2, 3), "bt470"), ValueError, "matrix is 'bt470'"),
                ((pixels(2, 2, 3), "ycgco"), ValueError, "matrix is 'ycgco'"),
                ((pixels(2, 2, 3, kind="H"),), ValueError, "array is uint16; depth must be from 9 to 16"),
                ((pixels(2, 2, 3), "bt709", 10), ValueError, "array is uint8; depth must be 8"),
                ((pixels(2, 2, 3, kind="H"), "bt709", 99), fovea.UsageError, "99"),
                ((5,), TypeError, "array is a int")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                fovea.Frame.from_rgb(*arguments)
        real = array([0.5] * 12, 2, 2, 3, kind="f")
        for keywords, error, text in (
                ({}, TypeError, r"state range=\(0, 1\).*rounding='nearest'"),
                ({"range": (0, 1)}, TypeError, "rounding="),
                ({"range": (1, 0), "rounding": "floor"}, ValueError, r"range is \(1, 0\)"),
                ({"range": 1, "rounding": "floor"}, ValueError, "range is 1"),
                ({"range": (0, 1), "rounding": "up"}, ValueError, "rounding is 'up'"),
                ({"range": (0, 0.25), "rounding": "floor"}, ValueError,
                 "the value 0.5 of row 0, column 0, component 0 is outside"),
                ({"layout": "HCW"}, ValueError, "layout is 'HCW'"),
                ({"format": fovea.Format(chroma="4:2:0")}, ValueError, "format.chroma is not RGB"),
                ({"background": "black"}, ValueError, "background is 'black'"),
                ({"background": (1, 2, 256)}, ValueError, "background is")):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                fovea.Frame.from_rgb(pixels(2, 2, 4) if "background" in keywords else real, **keywords)
        with self.assertRaisesRegex(ValueError, "nan"):
            fovea.Frame.from_rgb(array([float("nan")] * 12, 2, 2, 3, kind="d"), range=(0, 1), rounding="floor")

    def test_an_array_that_could_be_either(self):
        """Three planes in one array may be Y'CbCr or RGB. The scores differ, so the caller must say which."""
        both = array(picture(16, 16, 3, 8, 1), 3, 16, 16)
        with fovea.Session("psnr") as session:
            with self.assertRaisesRegex(ValueError, "reference is one array of 3 dimensions, which could be RGB or"):
                session.push(both, both)
        for frame in (fovea.Frame.from_planes(Indexed(both, (16, 16))), fovea.Frame.from_rgb(both)):
            with fovea.Session("psnr") as session:
                session.push(frame, frame)
                self.assertEqual(session.finish()["psnr_y"][0], 60)
        with self.assertRaisesRegex(fovea.Error, "RGB|beside"):
            with fovea.Session("psnr") as session:
                session.push(fovea.Frame.from_rgb(both), fovea.Frame.from_planes(Indexed(both, (16, 16))))


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
                                      ({"convert": "rgb"}, ValueError, "from_rgb"),
                                      ({"scael": "dis"}, TypeError, "scael"),
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
