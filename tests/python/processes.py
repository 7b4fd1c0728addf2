"""Tests several processes and interpreters: forks, subinterpreters, the end of the interpreter, and objects that are
pickled from one process to another."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import unittest

import clips
import fovea

try:
    import _xxsubinterpreters as interpreters
except ImportError:
    interpreters = None

PATIENCE = 300


def in_child(work):
    """Returns the exit code of a forked process, which is 0 if work() returned. An alarm ends a process that
    hangs."""
    child = os.fork()
    if not child:
        signal.alarm(PATIENCE)
        try:
            work()
            gc.collect()
            os._exit(0)
        except BaseException as error: # pylint: disable=broad-except
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
    return os.waitpid(child, 0)[1]


def program(text, *arguments):
    run = subprocess.run([sys.executable, "-c", text, *arguments], capture_output=True, text=True, check=False,
                         timeout=PATIENCE)
    return run.returncode, run.stdout, run.stderr


class Forks(unittest.TestCase):
    def test_objects_of_the_parent(self):
        """A forked process cannot use or close the parent's objects, whose threads exist only in the parent."""
        planes = clips.planes()[0]
        held = {"session": fovea.Session("psnr", threads=2), "pairs": fovea.Pairs(clips.clip(), clips.clip(seed=2)),
                "still": fovea.Still(planes, planes, threads=2)}
        held["still"].scores("psnr")
        pair = held["pairs"][1]

        def work():
            calls = {"session": [held["session"].wait, held["session"].cancel, held["session"].close],
                     "pairs": [lambda: held["pairs"][0], held["pairs"].close],
                     "still": [lambda: held["still"].scores("psnr"), held["still"].close]}
            for name in list(held):
                for call in calls.pop(name):
                    with self.assertRaisesRegex(RuntimeError, f"the {name} belongs to the process that was forked"):
                        call()
                del call, held[name]

        self.assertEqual(in_child(work), 0)
        held["session"].push(*pair)
        self.assertEqual(len(held["session"].finish()), 1)
        held["still"].pair(*pair)
        held["still"].scores("psnr")

    def test_a_child_scores(self):
        columns = fovea.score(clips.clip(), clips.clip(seed=2), "psnr,psnr_hvs", threads=2).columns

        def work():
            self.assertEqual(fovea.score(clips.clip(), clips.clip(seed=2), "psnr,psnr_hvs", threads=2).columns,
                             columns)

        self.assertEqual(in_child(work), 0)


class Interpreters(unittest.TestCase):
    @unittest.skipUnless(interpreters, "this Python has no _xxsubinterpreters")
    def test_another_one(self):
        """Another interpreter has objects of its own, and an object that is left open ends with its interpreter."""
        text = "; ".join((f"import sys; sys.path[:] = {sys.path!r}; import fovea",
                          f"mean = fovea.score({clips.clip()!r}, {clips.clip(seed=2)!r}, "
                          "'psnr').pooled['psnr_y']['mean']",
                          f"planes = [memoryview(bytes(64 * 64)).cast('B', (64, 64))]",
                          "session = fovea.Session('psnr', threads=2); session.push(planes, planes); "
                          "session.me = session"))
        expected = fovea.score(clips.clip(), clips.clip(seed=2), "psnr").pooled["psnr_y"]["mean"]
        for _ in range(2):
            other = interpreters.create()
            interpreters.run_string(other, f"{text}; assert mean == {expected!r}")
            interpreters.destroy(other)
        self.assertEqual(fovea.score(clips.clip(), clips.clip(seed=2), "psnr").pooled["psnr_y"]["mean"], expected)

    def test_the_end_while_a_thread_scores(self):
        """A daemon thread that is in score() when the interpreter ends does no harm. Its work continues until the
        process ends."""
        text = """if True:
            import fovea, sys, threading, time
            class Last:
                def __del__(self, sleep=time.sleep):
                    sleep(0.3)
            sys.last, begun = Last(), threading.Event()
            def work():
                def progress(reached):
                    begun.set()
                while True:
                    fovea.score(*sys.argv[1:], "butteraugli", threads=2, progress=progress)
            threading.Thread(target=work, daemon=True).start()
            begun.wait()
            planes = [memoryview(bytes(64 * 64)).cast("B", (64, 64))]
            session = fovea.Session("psnr", threads=2)
            session.push(planes, planes)
            print("ends")
            """
        shape = {"width": 640, "height": 360, "frames": 6}
        self.assertEqual(program(text, clips.clip(**shape), clips.clip(seed=2, **shape)), (0, "ends\n", ""))


class Travel(unittest.TestCase):
    def test_what_cannot(self):
        planes = clips.planes()[0]
        taken = []
        fovea.score(clips.clip(), clips.clip(seed=2), "butteraugli", frames=[1],
                    maps={"butteraugli.distance": taken.append})
        for thing in (fovea.Session("psnr"), fovea.Frame.from_planes(planes), fovea.Still(planes, planes), taken[0],
                      fovea.Pairs(clips.clip(), clips.clip()), fovea.Model("vmaf_v0.6.1")):
            for call in (pickle.dumps, copy.copy, copy.deepcopy):
                with self.assertRaisesRegex(TypeError, "cannot pickle"):
                    call(thing)

    def test_what_can(self):
        for thing in (fovea.Format(64, 64, rate="30000/1001"), fovea.Video("a.mov", crop=(8, 8, 0, 0), rotate=90),
                      fovea.Metric("psnr", enable_chroma=False)):
            other = pickle.loads(pickle.dumps(thing))
            self.assertEqual(vars(other), vars(thing))
        with self.assertRaises(fovea.InputError) as caught:
            fovea.score(clips.clip(), "absent.y4m", "psnr")
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(error), str(error), error.status),
                         (fovea.InputError, str(caught.exception), caught.exception.status))
        for call in (lambda: fovea.Video("a\0.y4m"), lambda: fovea.Session("psnr\0")):
            with self.assertRaisesRegex(ValueError, "null character"):
                call()


clips.run()
