"""Tests RGB on a CUDA device without a library of tensors: scores equal those of the same pixels in host memory.
Where there is no such device, only what needs none is tested."""

import ctypes
import gc
import struct
import unittest
import weakref

import clips
import fovea
from dlpack import Exporter

WIDTH, HEIGHT, METRICS = 67, 35, "psnr,ssimulacra2"
CODES = {"B": 1, "H": 1, "e": 2, "f": 2, "d": 2}  # DLPack's codes of types: unsigned integers and floats


def pixels(seed, *shape, kind="B", peak=255):
    """Returns an array of numbers from 0 to peak, of a shape."""
    count = shape[0] * shape[1] * shape[2]
    numbers = [(i * i * 31 + seed * i * 7 + (i >> 3)) % (2 * peak + 1) / 2 for i in range(count)]
    if kind in "BH":
        numbers = map(int, numbers)
    return memoryview(struct.pack(f"={count}{kind}", *numbers)).cast("B").cast(kind, shape)


def exported(view, **options):
    return Exporter(view, True, code=CODES[view.format], **options)


class Cuda:
    """The calls of CUDA's driver that put samples on a device."""

    def __init__(self):
        self.driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        result = getattr(self.driver, name)(*arguments)
        if result:
            raise OSError(f"{name} gives {result}")

    def tensor(self, view):
        """Returns a copy of an array on the device, which keeps its memory until the program ends."""
        place, tensor = ctypes.c_uint64(), exported(view, device=2)
        self.call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(view.nbytes + 256))
        self.call("cuMemcpyHtoD_v2", place, view.tobytes(), ctypes.c_size_t(view.nbytes))
        tensor.managed.tensor.data = place.value
        return tensor


class Anywhere(unittest.TestCase):
    def test_kept_until_pushed(self):
        view = pixels(1, HEIGHT, WIDTH, 3, kind="f")
        tensor = exported(view, device=2)
        kept = weakref.ref(tensor)
        frame = fovea.Frame.from_rgb(tensor, depth=10, range=(0, 255), rounding="nearest")
        self.assertEqual((frame.format.width, frame.format.height, frame.format.depth, frame.format.chroma),
                         (WIDTH, HEIGHT, 10, "RGB"))
        with self.assertRaisesRegex(BufferError, "on a device"):
            frame.planes
        with fovea.Session(METRICS, device="cpu") as session:
            with self.assertRaisesRegex(TypeError, "distorted is on cuda:0, and a session with device='cuda:0'"):
                session.push(fovea.Frame.from_rgb(view, depth=10, range=(0, 255), rounding="nearest"), frame)
        with self.assertRaisesRegex(TypeError, r"reference is RGB on a CUDA device.*x.cpu\(\)"):
            fovea.Still(frame, frame)
        del tensor
        gc.collect()
        self.assertIsNotNone(kept(), "the frame does not keep its tensor")
        del frame
        gc.collect()
        self.assertIsNone(kept(), "the frame is gone and keeps its tensor")

    def test_refused_before_pushing(self):
        for view, keywords, error, says in (
                (pixels(1, HEIGHT, WIDTH, 3, kind="f"), {}, TypeError, "state range="),
                (pixels(1, HEIGHT, WIDTH, 4), {}, ValueError, "background='#000000'"),
                (pixels(1, HEIGHT, WIDTH, 3, kind="H"), {}, ValueError, "depth must be from 9 to 16"),
                (pixels(1, 3, WIDTH, 3), {}, ValueError, "layout='HWC' or 'CHW'")):
            with self.subTest(says), self.assertRaisesRegex(error, says):
                fovea.Frame.from_rgb(exported(view, device=2), **keywords)
        Exporter.live = 0


@unittest.skipUnless(any(device.name.startswith("cuda") and device.usable for device in fovea.devices()),
                     "there is no CUDA device")
class OnDevice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cuda = Cuda()

    def columns(self, device, pair, **keywords):
        with fovea.Session(METRICS, device=device) as session:
            session.push(*(fovea.Frame.from_rgb(view if device == "cpu" else self.cuda.tensor(view), **keywords)
                           for view in pair))
            return session.finish().columns

    def test_every_type_and_layout(self):
        real = {"range": (0, 255), "rounding": "nearest"}
        for shape in ((HEIGHT, WIDTH, 3), (3, HEIGHT, WIDTH), (HEIGHT, WIDTH, 4), (4, HEIGHT, WIDTH)):
            alpha = {"background": "#123456"} if 4 in shape else {}
            for kind, peak, keywords in (
                    ("B", 255, {}), ("H", 1023, {"depth": 10}), ("H", 65535, {"depth": 16, "matrix": "bt2020"}),
                    ("e", 255, real), ("f", 255, {**real, "rounding": "half_up"}), ("d", 255, {**real, "depth": 16}),
                    ("f", 255, {"range": (-300.5, 255), "rounding": "floor", "depth": 12, "matrix": "bt601"})):
                with self.subTest(kind=kind, shape=shape, **keywords):
                    pair = [pixels(seed, *shape, kind=kind, peak=peak) for seed in (1, 2)]
                    self.assertEqual(self.columns("cuda:0", pair, **keywords, **alpha),
                                     self.columns("cpu", pair, **keywords, **alpha))

    def test_refusals(self):
        good = pixels(1, HEIGHT, WIDTH, 3, kind="f")
        for kind, change, error, says, keywords in (
                ("H", 1024, fovea.InputError, "green of column 2, row 0.*exceeds 10 bits", {"depth": 10}),
                ("f", 255.5, ValueError, "row 0, column 2, component 1 is outside the range 0 to 255",
                 {"range": (0, 255), "rounding": "floor"}),
                ("f", float("nan"), ValueError, "row 0, column 2, component 1 is outside the range 0 to 255",
                 {"range": (0, 255), "rounding": "floor"})):
            words = pixels(1, HEIGHT, WIDTH, 3, kind=kind).cast("B").cast(kind).tolist()
            words[7] = change
            view = memoryview(struct.pack(f"={len(words)}{kind}", *words)).cast("B").cast(kind, good.shape)
            with self.subTest(says), self.assertRaisesRegex(error, says):
                self.columns("cuda:0", [view, view], **keywords)


clips.run()
