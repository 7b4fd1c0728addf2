"""Tests PyTorch's tensors, on the CPU and on a CUDA device: scores equal those of files. A skipped case states what
is missing."""

import gc
import unittest
import weakref

import clips
import fovea

try:
    import torch
except ImportError:
    torch = None

GPU = "cuda:0"
METRICS = "psnr,psnr_hvs,ssimulacra2,vdm"


def frames(depth, chroma, width, seed):
    kind = torch.uint8 if depth == 8 else torch.int16
    return [[torch.tensor(plane.tolist(), dtype=torch.int32).to(kind) for plane in planes]
            for planes in clips.planes(depth=depth, chroma=chroma, width=width, seed=seed)]


@unittest.skipUnless(torch, "PyTorch is not installed (Debian: python3-torch)")
class Tensors(unittest.TestCase):
    def compare(self, place, device, change=lambda tensor: tensor):
        for depth, chroma, width in ((8, "420", 240), (10, "444", 227)):
            known = fovea.Format(depth=depth)
            with fovea.Session(METRICS, device=device, format=known) as session:
                for reference, distorted in zip(frames(depth, chroma, width, 1), frames(depth, chroma, width, 2)):
                    session.push([change(plane.to(place)) for plane in reference],
                                 [change(plane.to(place)) for plane in distorted])
                columns = session.finish().columns
            with fovea.Session(METRICS, device="cpu", format=known) as session:
                for pair in zip(clips.planes(depth=depth, chroma=chroma, width=width),
                                clips.planes(depth=depth, chroma=chroma, width=width, seed=2)):
                    session.push(*pair)
                plain = session.finish().columns
            self.assertEqual({name: column.tobytes() for name, column in columns.items()},
                             {name: column.tobytes() for name, column in plain.items()})

    def test_cpu(self):
        self.compare("cpu", "cpu")
        batch = torch.zeros(2, 3, 72, 128)
        with fovea.Session("psnr") as session:
            with self.assertRaisesRegex(TypeError, r"reference\[0\] has samples of type '(f|float32)'.*255"):
                session.push(list(batch[0]), list(batch[1]))
            with self.assertRaisesRegex(ValueError, "could be RGB or Y'CbCr"):
                session.push(batch[0], batch[1])
        pictures = torch.randint(0, 256, (2, 3, 72, 128), dtype=torch.uint8,
                                 generator=torch.Generator().manual_seed(1))
        scores = []
        for videos in (fovea.Frame.from_rgb(pictures, layout="NCHW"),
                       fovea.Frame.from_rgb(pictures.permute(0, 2, 3, 1), layout="NHWC"),
                       fovea.Frame.from_rgb(pictures / 255, layout="NCHW", range=(0, 1), rounding="nearest")):
            with fovea.Session("psnr,ssimulacra2") as session:
                session.push(*videos)
                scores.append(session.finish().columns)
        self.assertEqual(scores[1:], scores[:1] * 2)

    def needs_gpu(self):
        if not torch.cuda.is_available():
            self.skipTest("PyTorch sees no CUDA device")

    def test_gpu(self):
        self.needs_gpu()
        self.compare(GPU, GPU)
        self.compare(GPU, GPU, lambda tensor: torch.nn.functional.pad(tensor, (3, 5))[:, 3:-5])

    def test_rgb_on_gpu(self):
        """A session of RGB reads R, G and B of a tensor in place, and scores them as from_rgb does."""
        self.needs_gpu()
        pictures = torch.randint(0, 256, (2, 3, 72, 128), dtype=torch.uint8)
        with fovea.Session("ssimulacra2,butteraugli", device=GPU, format=fovea.Format(chroma="RGB")) as session:
            session.push(*pictures.to(GPU))
            columns = session.finish().columns
        with fovea.Session("ssimulacra2,butteraugli", device="cpu") as session:
            session.push(*fovea.Frame.from_rgb(pictures, layout="NCHW"))
            self.assertEqual(columns, session.finish().columns)

    def test_rgb_frames_on_gpu(self):
        """Frame.from_rgb keeps tensors of every layout and type, and the session reads them on the device."""
        self.needs_gpu()
        pictures = torch.randint(0, 256, (2, 3, 72, 128), dtype=torch.uint8)
        real = {"range": (0, 1), "rounding": "nearest"}
        for tensor, keywords in ((pictures, {"layout": "NCHW"}), (pictures.permute(0, 2, 3, 1), {"layout": "NHWC"}),
                                 (pictures / 255, {"layout": "NCHW", **real}),
                                 ((pictures / 255).half(), {"layout": "NCHW", "depth": 10, **real}),
                                 ((pictures / 255)[:, :, 3:, 5:], {"layout": "NCHW", **real})):
            scores = []
            for place in (GPU, "cpu"):
                with fovea.Session("psnr,ssimulacra2", device=place) as session:
                    session.push(*fovea.Frame.from_rgb(tensor.to(place), **keywords))
                    scores.append(session.finish().columns)
            self.assertEqual(*scores)

    def test_after_work_of_a_stream(self):
        """The session waits for the stream whose work computes the samples."""
        self.needs_gpu()
        large = torch.ones(4096, 4096, device=GPU)
        with fovea.Session("psnr", device=GPU, threads=1) as session:
            for number in range(8):
                for _ in range(30):
                    large = large @ large
                    large = large / large.max()
                late = (large[:184, :240] * 100 + number).to(torch.uint8)
                session.push([torch.full((184, 240), 100, dtype=torch.uint8, device=GPU)], [late])
            report = session.finish()
        self.assertTrue(report["psnr_y"][0] > 50, list(report["psnr_y"]))
        self.assertEqual(sorted(report["psnr_y"], reverse=True)[1:], list(report["psnr_y"])[1:])

    def test_let_go(self):
        self.needs_gpu()
        planes = [torch.zeros(64, 64, dtype=torch.uint8, device=GPU)]
        gone = weakref.ref(planes[0])
        used = torch.cuda.memory_allocated()
        with fovea.Session("psnr", device=GPU) as session:
            for _ in range(200):
                session.push(planes, [torch.ones(64, 64, dtype=torch.uint8, device=GPU)])
            session.finish()
        del planes
        gc.collect()
        self.assertIsNone(gone())
        self.assertLessEqual(torch.cuda.memory_allocated(), used)

    def test_refusals(self):
        self.needs_gpu()
        plane = torch.zeros(64, 64, dtype=torch.uint8)
        with fovea.Session("psnr", device="cpu") as session:
            with self.assertRaisesRegex(TypeError,
                                        r"distorted\[0\] is on cuda:0, and a session with device='cuda:0'"):
                session.push([plane], [plane.to(GPU)])
        with fovea.Session("psnr", device=GPU) as session:
            with self.assertRaisesRegex(TypeError, r"distorted\[2\] is not where distorted\[0\] is"):
                session.push([plane] * 3, [plane.to(GPU), plane.to(GPU), plane])
            session.push([plane], [plane.to(GPU)])
            self.assertEqual(len(session.finish()), 1)
        with self.assertRaisesRegex(TypeError, "is on cuda:0"):
            fovea.Still([plane.to(GPU)], [plane.to(GPU)])


clips.run()
