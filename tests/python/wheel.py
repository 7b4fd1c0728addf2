"""Tests the wheel of this build: wheel.py FOVEA SYNTH PAGE BUILD. It has the package, the command and licences alone;
its tag says what its files need; and the examples of the page run from it."""

import base64
import email
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zipfile

PAGE, BUILD = (os.path.abspath(sys.argv.pop(3)) for _ in range(2))
ROOT = os.path.dirname(os.path.dirname(PAGE))

import clips

sys.path.insert(0, os.path.join(ROOT, "python"))
import make_wheel


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, make_wheel.make(BUILD, cls.folder.name))
        with zipfile.ZipFile(cls.path) as archive:
            cls.files = {name: archive.read(name) for name in archive.namelist()}
            cls.modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        cls.info = next(name for name in cls.files if name.endswith("/METADATA")).removesuffix("METADATA")
        cls.place = os.path.join(cls.folder.name, "place")
        for name, content in cls.files.items():
            os.makedirs(os.path.dirname(os.path.join(cls.place, name)), exist_ok=True)
            with open(os.path.join(cls.place, name), "wb") as file:
                file.write(content)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_files(self):
        """The package is that of the build, and nothing lies beside it."""
        name = self.info.removesuffix(".dist-info/")
        own = {entry for entry in os.listdir(os.path.join(BUILD, "python/fovea"))
               if entry.endswith((".py", ".pyi", ".typed", "_fovea.abi3.so"))}
        self.assertEqual({entry.removeprefix("fovea/") for entry in self.files if entry.startswith("fovea/")}, own)
        rest = {entry for entry in self.files if not entry.startswith("fovea/")}
        licences = {entry for entry in rest if entry.startswith(self.info + "licenses/")}
        self.assertLessEqual({self.info + "licenses/LICENSE", self.info + "licenses/LICENSE.models"}, licences)
        self.assertEqual(rest - licences, {name + ".data/scripts/fovea", self.info + "METADATA", self.info + "WHEEL",
                                           self.info + "RECORD"})
        run = [entry for entry, mode in self.modes.items() if mode & 0o111]
        self.assertEqual(run, [name + ".data/scripts/fovea"])

    def test_record(self):
        lines = dict(line.split(",", 1) for line in self.files[self.info + "RECORD"].decode().splitlines())
        self.assertEqual(set(lines), set(self.files))
        for name, content in self.files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            self.assertEqual(lines[name], "," if name.endswith("/RECORD") else f"sha256={digest},{len(content)}")

    def test_metadata(self):
        told = email.message_from_bytes(self.files[self.info + "METADATA"])
        self.assertEqual((told["Name"], told["Version"], told["Requires-Python"]),
                         ("fovea", clips.command("--version").decode().split()[1], ">=3.11"))
        self.assertIn("BSD-2-Clause", told["License"])
        self.assertEqual({self.info + "licenses/" + name for name in told.get_all("License-File")},
                         {name for name in self.files if "/licenses/" in name})
        self.assertIn("Programming Language :: Python :: 3.11", told.get_all("Classifier"))
        text = told.get_payload()
        self.assertTrue(text.startswith("# Python\n"))
        self.assertFalse(re.findall(r"\]\((?!https:)", text), "a link leads nowhere")

    def test_tag(self):
        """As readelf sees it: a glibc of that release has each symbol, and the one before lacks one."""
        tag = re.search(r"^Tag: (.*)$", self.files[self.info + "WHEEL"].decode(), flags=re.M)[1]
        self.assertTrue(self.path.endswith(f"-{tag}.whl"))
        releases, foreign = {(2, 5)}, False
        for name in "fovea/_fovea.abi3.so", self.info.replace(".dist-info/", ".data/scripts/fovea"):
            text = subprocess.run(["readelf", "-W", "--dyn-syms", "-d", os.path.join(self.place, name)],
                                  stdout=subprocess.PIPE, check=True, text=True).stdout
            releases |= {tuple(map(int, release.split(".")[:2])) for release in re.findall(r"@GLIBC_([\d.]+)", text)}
            foreign |= bool(re.search(r"NEEDED.*\[lib(?!c\.|m\.|dl\.|rt\.|pthread\.)", text))
            self.assertNotIn("libfovea", text)
        self.assertEqual(re.sub("_[a-z0-9]+_[0-9]+$|_aarch64$", "", tag), "cp311-abi3-linux" if foreign else
                         "cp311-abi3-manylinux_%d_%d" % max(releases))

    def test_needs(self):
        """A file that needs a library or an unknown symbol has the tag linux, others that of the newest glibc."""
        answers = (["libpng16.so.16"], (2, 17)), ([], None)
        with unittest.mock.patch.object(make_wheel, "machine_of", lambda path: "aarch64"):
            for answer in answers:
                with unittest.mock.patch.object(make_wheel, "needs", lambda path: answer):
                    self.assertEqual(make_wheel.platform_of(["file"]), "linux_aarch64")
            with unittest.mock.patch.object(make_wheel, "needs", lambda path: ([], (2, int(path)))):
                self.assertEqual(make_wheel.platform_of(["17", "28", "9"]), "manylinux_2_28_aarch64")
        self.assertEqual(make_wheel.machine_of(sys.executable), platform.machine())

    def test_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, make_wheel.make(BUILD, folder)), "rb") as again, \
                    open(self.path, "rb") as first:
                self.assertEqual(again.read(), first.read())

    def test_examples(self):
        run = subprocess.run([sys.executable, os.path.join(ROOT, "tests/python/pages.py"), clips.FOVEA, clips.SYNTH,
                              PAGE], env={**os.environ, "PYTHONPATH": self.place}, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        print(run.stdout)


clips.run()
