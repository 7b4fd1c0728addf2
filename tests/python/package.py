"""Tests the package as a whole: it imports nothing outside the standard library, its names and stubs agree, and it
contains the command."""

import ast
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import clips
import fovea
import fovea._fovea

HERE = os.path.dirname(fovea.__file__)
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/python.md")
PROGRAM = """
import array
from typing import Any, assert_type
import fovea

class Tensor:
    def __dlpack__(self, *, stream: int | None = None) -> Any:
        return None

report = fovea.score("a.mov", "b.mov", [fovea.Metric("psnr", enable_chroma=False), "vmaf"],
                     fail_below={"psnr_y": ("p5", 30)})
assert_type(report["psnr_y"], array.array[float])
assert_type(report.pooled["psnr_y"]["mean"], float)
assert_type(report.worst("psnr_y"), list[fovea.Row])
assert_type(report.frames[0]["psnr_y"], float)
assert_type(report.outputs["psnr_y"].better, str)
assert_type(report.gates, list[fovea.Gate])
assert_type("psnr_y" in report, bool)
assert_type(list(report), list[str])
fovea.score("a.mov", "b.mov", {"vmaf": {"version": "vmaf_v0.6.1neg"}, "psnr": None})
assert_type(fovea.Frame.from_rgb(Tensor(), layout="CHW", background="#000000"), fovea.Frame)
assert_type(fovea.Frame.from_rgb(Tensor(), layout="NCHW", range=(0, 1), rounding="nearest"), list[fovea.Frame])
assert_type(report.to_bytes("csv"), bytes)
with fovea.Session("psnr", format=fovea.Format(rate="30000/1001")) as session:
    session.push(Tensor(), [memoryview(b""), Tensor()])
    session.push(None, fovea.Frame(fovea.Format(64, 48)))
    for row in session.rows():
        assert_type(row["psnr_y"], float)
    assert_type(session.finish().decisions, list[str])
"""


def python(*words, **keywords):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, **keywords)


class Package(unittest.TestCase):
    def test_imports(self):
        """Importing the package imports neither NumPy nor any other installed package."""
        run = python("-S", "-c", "import fovea, sys; print(fovea.__version__, fovea.numerics_version, 'numpy' in "
                     "sys.modules)",
                     env={**os.environ, "PYTHONPATH": os.path.dirname(HERE)})
        version = clips.command("--version").decode().split()[1]
        self.assertEqual(run.stdout.split(), [version, str(fovea.numerics_version), "False"], run.stderr)

    def test_names(self):
        self.assertEqual(sorted(fovea.__all__), fovea.__all__)
        for name in fovea.__all__:
            self.assertTrue(getattr(fovea, name) is not None, name)
        public = {name for name in vars(fovea) if not name.startswith("_")}
        self.assertLessEqual(public, set(fovea.__all__))

    def test_docstrings(self):
        for name in fovea.__all__:
            item = getattr(fovea, name)
            self.assertTrue(isinstance(item, int) or item.__doc__, name)
        for kind in (fovea.Session, fovea.Report, fovea.Frame, fovea.Model, fovea.Pairs, fovea.Still):
            for name in dir(kind):
                self.assertTrue(name.startswith("_") or getattr(kind, name).__doc__, f"{kind.__name__}.{name}")

    def test_stubs(self):
        """The stubs of the C module have all its names and no others."""
        with open(os.path.join(HERE, "_fovea.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        self.assertTrue(os.path.exists(os.path.join(HERE, "py.typed")))
        self.compare(tree, fovea._fovea)

    def test_stubs_of_the_package(self):
        """The stubs of the package have every public name, with its parameters and defaults, and no others."""
        with open(os.path.join(HERE, "__init__.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        imported = {alias.asname or alias.name for item in tree.body if isinstance(item, ast.ImportFrom) and
                    item.level
                    for alias in item.names}
        defined = {item.name: item for item in tree.body if isinstance(item, (ast.FunctionDef, ast.ClassDef))}
        named = imported | set(defined)
        self.assertEqual({name for name in named if not name.startswith("_")}, set(fovea.__all__))
        for name, item in defined.items():
            thing = getattr(fovea, name)
            if isinstance(item, ast.FunctionDef):
                self.same_parameters(item, thing)
            else:
                self.same_members(item, thing)

    def test_types(self):
        """Functions without a stub have annotations of types."""
        for kind in (fovea.Format, fovea.Gate, fovea.Output, fovea.Part, fovea.Report, fovea.Row, fovea.Segment,
                     fovea.Verdict, fovea.Video):
            for name, member in vars(kind).items():
                function = getattr(member, "fget", None) or getattr(member, "func", None) or member
                if not name.startswith("_") and inspect.isfunction(function):
                    self.typed(f"{kind.__name__}.{name}", function)
        self.typed("read_report", fovea.read_report)

    def typed(self, name, function):
        signature = inspect.signature(function)
        self.assertIsNot(signature.return_annotation, inspect.Signature.empty, name)
        for word in signature.parameters.values():
            self.assertTrue(word.name == "self" or word.annotation is not word.empty, f"{name}: {word.name}")

    def test_checked_programs(self):
        """A type checker accepts the package, a correct program and the examples of the page, knows the types of
        results, and finds each mistake."""
        if python("-m", "mypy", "--version").returncode:
            self.skipTest("mypy is not installed (Debian: mypy)")
        programs = {"right.py": (PROGRAM, 0), "push.py": ("import fovea\nfovea.Session('psnr').push(1, 2)\n", 2),
                    "worst.py": ("import fovea\nfovea.score('a', 'b').worst(3)\n", 1)}
        with open(PAGE, encoding="utf-8") as file:
            examples = re.findall(r"^```python\n(.*?)^```$", file.read(), flags=re.M | re.S)
        self.assertGreaterEqual(len(examples), 10)
        programs |= {f"example{number}.py": ("import fovea\n" + text.replace("import fovea\n", ""), 0)
                     for number, text in enumerate(examples)}
        with tempfile.TemporaryDirectory() as folder:
            for name, (text, _) in programs.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            run = python("-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", folder, *programs,
                         cwd=folder, env={**os.environ, "MYPYPATH": os.path.dirname(HERE)})
        found = [line for line in run.stdout.splitlines() if ": error: " in line]
        told = {name: sum(line.startswith(name + ":") for line in found) for name in programs}
        self.assertEqual(told, {name: faults for name, (_, faults) in programs.items()}, run.stdout)
        self.assertEqual(len(found), sum(told.values()), run.stdout)

    def same_members(self, stub, thing):
        declared = {item.name: item for item in stub.body if isinstance(item, ast.FunctionDef)}
        fields = {item.target.id for item in stub.body if isinstance(item, ast.AnnAssign)}
        own = {name for name, value in vars(thing).items() if not name.startswith("_") and not name.isdigit()}
        self.assertLessEqual(own, set(declared) | fields, stub.name)
        self.assertEqual(set(getattr(thing, "_fields", fields)), fields, stub.name)
        for name, item in declared.items():
            member = vars(thing)[name]
            if not isinstance(member, property):
                self.same_parameters(item, getattr(member, "__func__", member))

    def same_parameters(self, stub, function):
        words = stub.args
        given = [word.arg for word in words.posonlyargs + words.args + words.kwonlyargs]
        given += [word.arg for word in (words.vararg, words.kwarg) if word]
        real = inspect.signature(function).parameters
        self.assertEqual(sorted(given), sorted(real), stub.name)
        defaults = dict(zip([word.arg for word in words.args][::-1], words.defaults[::-1]))
        defaults |= {word.arg: value for word, value in zip(words.kwonlyargs, words.kw_defaults) if value}
        self.assertEqual({name: ast.literal_eval(value) for name, value in defaults.items()},
                         {name: word.default for name, word in real.items() if word.default is not word.empty},
                         stub.name)

    def compare(self, tree, thing):
        named = {}
        for item in tree.body:
            if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
                named[item.name] = item
            elif isinstance(item, ast.AnnAssign):
                named[item.target.id] = item
        special = {"_Array", "__buffer__", "__init__", "__new__", "__doc__", "__module__", "__getattribute__",
                   "__weakref__", "__dict__"}
        own = {name for name in vars(thing) if not name.startswith("__")}
        self.assertEqual(own, set(named) - special)
        for name, item in named.items():
            if isinstance(item, ast.ClassDef) and name in own and not issubclass(getattr(thing, name), Exception):
                self.compare(item, getattr(thing, name))

    def test_one_symbol(self):
        """The module exports only its initialisation, so it cannot conflict with another copy of the library."""
        run = subprocess.run(["nm", "-D", "--defined-only", fovea._fovea.__file__], capture_output=True, text=True,
                             check=False)
        if run.returncode:
            self.skipTest("nm is not installed (Debian: binutils)")
        self.assertEqual([line.split()[-1] for line in run.stdout.splitlines()], ["PyInit__fovea"])

    def test_command(self):
        """python -m fovea runs the command and returns its exit code."""
        path = {"PATH": os.path.dirname(clips.FOVEA) + ":" + os.environ["PATH"]}
        run = python("-m", "fovea", "--version", env={**os.environ, **path})
        self.assertEqual(run.stdout.encode(), clips.command("--version"))
        self.assertEqual(python("-m", "fovea", "nothing", env={**os.environ, **path}).returncode, 2)

    def test_metrics_and_devices(self):
        listed = [metric["name"] for metric in json.loads(clips.command("metrics", "--json"))]
        for metric in fovea.metrics():
            self.assertIn(metric.name, listed)
        self.assertEqual(fovea.devices()[0].name, "cpu")


clips.run()
