"""Runs the examples of docs/python.md: pages.py FOVEA SYNTH PAGE. An example that needs a missing package is skipped
by name."""

import contextlib
import io
import os
import re
import shutil
import sys
import unittest

PAGE = os.path.abspath(sys.argv.pop(3))

import clips

NEEDS = {"matplotlib": "python3-matplotlib", "numpy": "python3-numpy", "torch": "python3-torch"}


def examples():
    """Returns the heading and the program of each example."""
    heading, found = "", []
    with open(PAGE, encoding="utf-8") as file:
        for part in re.finditer(r"^(#+ [^\n]*)$|^```python\n(.*?)^```$", file.read(), flags=re.M | re.S):
            heading = part[1] or heading
            if part[2]:
                found.append((heading.lstrip("# "), part[2]))
    return found


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Makes the videos that the page names. Their extensions do not matter, since readers look at the content."""
        os.chdir(clips.FOLDER.name)
        shape = {"width": 640, "height": 360, "frames": 6}
        shutil.copy(clips.clip(**shape), "reference.mov")
        shutil.copy(clips.clip(seed=2, **shape), "distorted.mp4")
        os.mkdir("encodes")
        shutil.copy("distorted.mp4", "encodes/one.mp4")
        cls.names = {}

    def run_one(self, program):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(program, PAGE, "exec"), self.names) # pylint: disable=exec-used
            for name in [name for name in self.names if name.startswith("test_")]:
                self.names.pop(name)()
        return out.getvalue()

    def test_examples(self):
        found = examples()
        self.assertGreaterEqual(len(found), 7)
        os.environ["MPLBACKEND"] = "Agg"
        for heading, program in found:
            with self.subTest(heading):
                try:
                    text = self.run_one(program)
                except ImportError as error:
                    if error.name not in NEEDS:
                        raise
                    print(f"{heading}: left out, because {error.name} is not installed (Debian: {NEEDS[error.name]})")
                    continue
                except FileNotFoundError as error:
                    if error.filename != "ffmpeg":
                        raise
                    print(f"{heading}: left out, because ffmpeg is not installed")
                    continue
                self.assertEqual(bool(text), "print(" in program)
                print(f"{heading}: runs")


clips.run()
