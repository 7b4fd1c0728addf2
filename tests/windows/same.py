#!/usr/bin/env python3
"""Checks that fovea.exe under wine prints and writes the bytes of this machine's command, and names in one line what
its build or the system lacks: same.py FOVEA BUILD_FOLDER/tests/windows/fovea SOURCE_ROOT [ISA]... Without ISA, it
tests every instruction set of this CPU."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOVEA, UNDER_WINE, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
import clip # pylint: disable=wrong-import-position
from outputs import first_difference # pylint: disable=wrong-import-position

with open("/proc/cpuinfo", encoding="ascii") as file:
    ISAS = sys.argv[4:] or ["scalar", "sse2", "avx2"] + ["avx512"] * ("avx512_vnni" in file.read())
PATIENCE = 600
PROGRAMS = {"here": [FOVEA], "wine": [UNDER_WINE]}
ENVIRONMENT = dict(os.environ, WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=",
                   WINEPREFIX=os.path.join(os.path.dirname(UNDER_WINE), "../../wine"), LC_ALL="C.UTF-8")


def files(folder):
    """Returns name and bytes of every file, in order."""
    found = {}
    for where, _, names in os.walk(folder):
        # A build without libpng writes no PNG files.
        for name in (name for name in names if not name.endswith(".png")):
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = re.sub(rb'"fps": [0-9.]+', b'', file.read())
    return found


SIZE = {"frames": 2, "width": 224, "height": 176}
CONTENTS = {"ref.y4m": clip.y4m(seed=1, **SIZE), "dis.y4m": clip.y4m(seed=7, **SIZE),
            "ref10.y4m": clip.y4m(seed=1, depth=10, **SIZE), "dis10.y4m": clip.y4m(seed=7, depth=10, **SIZE),
            "ref.yuv": clip.raw(seed=1, **SIZE), "dis.yuv": clip.raw(seed=7, **SIZE),
            "spaced name.y4m": clip.y4m(seed=1), "\u00fcber \u6f22.y4m": clip.y4m(seed=2), "old.json": b"old",
            "jobs": b'["ref.y4m","dis.y4m","-o","old.json","--overwrite"]\n["ref.y4m","dis10.y4m","-o","j.json"]\n',
            "twice": b'["ref.y4m","dis.y4m","-o","j.json"]\n["ref.y4m","dis.y4m","-o","./j.json"]\n',
            "onto": b'["ref.y4m","dis.y4m","-o","./old.y4m"]\n["ref.y4m","dis.y4m","-o","dis.y4m"]\n',
            "a.csv": b"bitrate,vmaf\n100,70\n200,80\n400,90\n800,95\n",
            "b.csv": b"bitrate,vmaf\n90,70\n190,80\n370,90\n780,95\n"}


def prepare(folder):
    for name, content in CONTENTS.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    shutil.copy(os.path.join(ROOT, "tests/prores/clips/cr_422_12bit.icpf"), os.path.join(folder, "p.icpf"))


def run(program, folder, args):
    done = subprocess.run(PROGRAMS[program] + args, cwd=folder, env=ENVIRONMENT, timeout=PATIENCE, check=False,
                          input=CONTENTS["dis.y4m"] if "-" in args else b"", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


def difference(args):
    fails = "./dis.y4m" in args or "absent" in " ".join(args) or args[-1] in ("twice", "onto")
    results = {}
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder)
            code, out, err = run(program, folder, args)
            if bool(code) != fails:
                return f"{program} exits with {code}: {err.decode(errors='replace').strip()}"
            results[program] = dict(files(folder), **{"exit code": str(code).encode(), "standard output": out,
                                                      "standard error": err})
    return first_difference(results["here"], results["wine"])


def closed_pipe(args):
    """Compares what the programs say when the reader of their standard output has gone."""
    said = {}
    for program, words in PROGRAMS.items():
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder)
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run(words + args, cwd=folder, env=ENVIRONMENT, timeout=PATIENCE, check=False,
                                  stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE)
            os.close(writer)
            said[program] = done.returncode, re.sub(rb'"(fps|seconds)": [0-9.]+', b"", done.stderr).splitlines()[-1:]
    return None if said["here"] == said["wine"] and said["here"][0] == 6 else str(said)


def cases():
    metrics = [m["name"] for m in json.loads(subprocess.run([FOVEA, "metrics", "--json"], stdout=subprocess.PIPE,
                                                            check=True).stdout)]
    psnr = ["--metric", "psnr", "--isa", ISAS[-1]]
    pair = ["-r", "ref.y4m", "-d", "dis.y4m", *psnr]
    for isa in ISAS:
        for deep in ("", "10"):
            yield ["score", "-r", f"ref{deep}.y4m", "-d", f"dis{deep}.y4m", "-m", ",".join(metrics), "--isa", isa,
                   "--device", "cpu", "--threads", "3", "-o", "all.json"]
    yield ["metrics", "--json"]
    for jobs in ("jobs", "twice", "onto"):
        yield ["score", *psnr, "--batch", jobs]
    yield ["score", *pair, "-o", "old.json", "-o", "new.csv"]
    yield ["score", *pair, "-o", "./dis.y4m"]
    yield ["score", *pair, "--resume", "-o", "resumed.json"]
    yield ["score", *psnr, "-r", "spaced name.y4m", "-d", "\u00fcber \u6f22.y4m", "-o", "\u00e9.json"]
    yield ["score", *psnr, "-r", "ref.y4m", "-d", "-", "--json"]
    yield ["score", *psnr, "ref.y4m", "dis.?4m"]
    yield ["score", "-r", "absent.y4m", "-d", "dis.y4m"]
    yield ["vmaf", "-r", "ref.y4m", "-d", "dis.y4m", "-o", "vmaf.json", "--json"]
    yield ["decode", "p.icpf", "-o", "p.y4m"]
    yield ["score", *psnr, "-r", "ref.yuv", "-d", "dis.yuv", "-w", "224", "-h", "176", "-p", "420", "-b", "8",
           "-o", "raw.csv"]
    yield ["map", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "xpsnr", "--isa", ISAS[-1], "--frame", "1",
           "--format", "pfm", "-o", "maps"]
    yield ["bd", "a.csv", "b.csv"]
    yield ["diff", "old.json", "absent.json"]


# Commands that need parts which the build for Windows or wine lacks, each with a pattern of its error message.
PAIR = ["-r", "ref.y4m", "-d", "dis.y4m"]
LACKS = ((["view", *PAIR], "libmicrohttpd"), (["bench"], "Linux"), (["decode", "p.icpf", "--md5"], "Nettle"),
         (["score", *PAIR, "-m", "psnr", "--device", "cuda"], "CUDA|cuda"),
         (["score", *PAIR, "-m", "psnr", "--device", "vulkan"], "Vulkan|vulkan"))


CLOSED = (["metrics", "--json"], ["metrics", "--json", "--progress", "json"], ["decode", "p.icpf", "-o", "-"],
          ["score", *PAIR, "-m", "psnr", "--json", "--progress", "json"], ["score", *PAIR, "-m", "psnr", "-o", "-"])


# Commands with files in the folder sub. Windows divides paths by backslashes, too.
FOLDERS = (["score", "sub/ref.y4m", "sub/a.y4m", "sub/b.y4m", "-m", "psnr", "-o", "sub/deep.d/", "--format", "csv"],
           ["score", "sub/ref.y4m", "sub/a.y4m", "-m", "psnr", "-o", "sub/report.html"],
           ["bd", "sub/a.csv", "sub/b.csv"], ["check", "sub/a.y4m", "--only", "black", "--fail-on", "black"],
           ["plan", "-r", "sub/ref.y4m", "-d", "sub/a.y4m", "-m", "psnr", "--shards", "2", "-o", "sub/plan.json"])


def backslashes(args):
    """Compares a command with slashes here with the same one with backslashes under wine."""
    said = {}
    for program in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            prepare(folder)
            os.mkdir(os.path.join(folder, "sub"))
            for name, source in (("ref.y4m", "ref.y4m"), ("a.y4m", "dis.y4m"), ("b.y4m", "ref.y4m"),
                                 ("a.csv", "a.csv"), ("b.csv", "b.csv")):
                shutil.copy(os.path.join(folder, source), os.path.join(folder, "sub", name))
            words = args if program == "here" else [word.replace("/", "\\") for word in args]
            code, out, err = run(program, folder, words)
            said[program] = code, *(text.replace(b"\\", b"/") for text in (out, err)), sorted(files(folder))
    return None if said["here"] == said["wine"] else str(said)


def one_file(args):
    """Checks that a batch whose jobs write a file under both names of its path is refused."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        os.mkdir(os.path.join(folder, "sub"))
        with open(os.path.join(folder, "mixed"), "w", encoding="ascii") as jobs:
            for name in ("sub/j.json", "sub\\j.json"):
                jobs.write(json.dumps(["ref.y4m", "dis.y4m", "-o", name]) + "\n")
        code, _, err = run("wine", folder, args)
        return None if code == 2 and b"by line 1 and by line 2" in err else f"exit code {code}: {err}"


def lack(args, word):
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        code, _, err = run("wine", folder, args)
        text = err.decode(errors="replace").strip()
        return None if code and re.search(word, text) and "\n" not in text else f"exit code {code}: {text}"


def main():
    ENVIRONMENT.pop("DISPLAY", None)
    failed = number = 0
    checks = [(args, difference, ()) for args in cases()] + [(args, lack, (word,)) for args, word in LACKS]
    checks += [(args, closed_pipe, ()) for args in CLOSED] + [(args, backslashes, ()) for args in FOLDERS]
    checks.append((["score", "-m", "psnr", "--batch", "mixed"], one_file, ()))
    for number, (args, check, more) in enumerate(checks, 1):
        found = check(args, *more)
        failed += found is not None
        print(f"{'not ' if found else ''}ok {number} {' '.join(args)}{': ' + found if found else ''}", flush=True)
    print(f"1..{number}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
