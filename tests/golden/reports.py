#!/usr/bin/env python3
"""Checks that another build of the command, or the same build in another environment, writes the same bytes. Usage:
reports.py FOVEA SOURCE_ROOT COMMAND... It compares what FOVEA and COMMAND write and print: reports of all metrics and
options that end in a logarithm or a power, lists, maps, decoded frames and BD-rates. Reports may differ in the names
of the processor and of the instruction set, and in the speed. COMMAND may begin with NAME=VALUE, which sets an
environment variable."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOVEA, ROOT = (os.path.abspath(path) for path in sys.argv[1:3])
COMMAND = sys.argv[3:]
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8")
while COMMAND and re.match(r"[A-Z_]+=", COMMAND[0]):
    ENVIRONMENT.update([COMMAND.pop(0).split("=", 1)])
COMMAND = [os.path.abspath(word) if os.path.exists(word) else word for word in COMMAND]
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
import clip # pylint: disable=wrong-import-position
from outputs import first_difference # pylint: disable=wrong-import-position

SIZE = {"frames": 3, "width": 224, "height": 176}
HOST = re.compile(rb'"(title|isa)": "[^"]*"|fps="[^"]*"')
POINTS = "a.csv", "b.csv"


def prepare(folder):
    contents = {"ref.y4m": clip.y4m(seed=1, **SIZE), "dis.y4m": clip.y4m(seed=7, **SIZE),
                "ref10.y4m": clip.y4m(seed=1, depth=10, **SIZE), "dis10.y4m": clip.y4m(seed=7, depth=10, **SIZE),
                "ref.yuv": clip.raw(seed=1, depth=10, **SIZE), "dis.yuv": clip.raw(seed=7, depth=10, **SIZE),
                "a.csv": b"bitrate,vmaf\n100.3,70.1\n200,80.7\n401.9,90.2\n800,95\n",
                "b.csv": b"bitrate,vmaf\n90.2,70\n190,80.1\n373.7,90\n780,95.3\n"}
    for name, content in contents.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    shutil.copy(os.path.join(ROOT, "tests/prores/clips/cr_422_12bit.icpf"), os.path.join(folder, "p.icpf"))


def cases():
    listed = subprocess.run([FOVEA, "metrics", "--json"], stdout=subprocess.PIPE, check=True).stdout
    metrics = ",".join(metric["name"] for metric in json.loads(listed))
    plain = ["--isa", "scalar", "--device", "cpu"]
    raw = ["-w", "224", "-h", "176", "-p", "420", "-b", "10"]
    options = ("psnr=enable_apsnr=true:min_sse=0.5,float_ssim=enable_db=true,"
               "float_ms_ssim=enable_db=true:enable_lcs=true,"
               "speed_temporal=speed_prescale=0.6:speed_prescale_method=lanczos4,cambi=eotf=pq,"
               "vmaf=version=vmaf_v0.6.1,"
               "vmaf=version=vmaf_b_v0.6.3")
    for deep in ("", "10"):
        pair = [f"ref{deep}.y4m", f"dis{deep}.y4m", *plain]
        yield ["score", *pair, "-m", metrics, "--threads", "1", "-o", "all.json", "-o", "all.csv"]
        yield ["score", *pair, "-m", metrics, "--threads", "3", "--intervals", "0.08", "-o", "all.ndjson"]
    yield ["score", "ref.y4m", "dis.y4m", *plain, "-m", options, "-o", "options.json"]
    yield ["score", "ref.yuv", "dis.yuv", *raw, *plain,
           "-m", "psnr,xpsnr,psnr_hvs,pu_psnr=transfer=pq:primaries=bt2020:matrix=bt2020:"
           "range=limited,cvvdp=fps=25", "-o", "raw.json"]
    yield ["score", "ref.y4m", "dis10.y4m", *plain, "--scale", "360x240", "--convert", "all", "-m", "psnr,vmaf",
           "-o", "scaled.json"]
    yield ["vmaf", "-r", "ref.y4m", "-d", "dis.y4m", "--feature", "psnr", "--feature", "float_ms_ssim",
           "-o", "vmaf.xml"]
    yield ["map", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "butteraugli", *plain[:2], "--frame", "1",
           "--format", "pfm", "-o", "maps"]
    yield ["decode", "p.icpf", "-o", "p.y4m"]
    for method in ("pchip", "pchip-aom", "akima", "cubic"):
        yield ["bd", *POINTS, "--method", method, "--format", "json"]


def outcome(command, args):
    """Returns what a command prints and the files that it writes, by name."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        before = set(os.listdir(folder))
        done = subprocess.run(command + args, cwd=folder, env=ENVIRONMENT if command is COMMAND else None,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=3600)
        found = {"exit code": str(done.returncode).encode(), "standard output": done.stdout}
        if done.returncode:
            found["standard error"] = done.stderr
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                # A build without libpng writes no PNG files.
                if os.path.relpath(path, folder) not in before and not name.endswith(".png"):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, folder)] = file.read()
    return {name: HOST.sub(b"", content) for name, content in found.items()}


def difference(args):
    ours, theirs = outcome([FOVEA], args), outcome(COMMAND, args)
    if ours["exit code"] != b"0":
        return ours["standard error"].decode(errors="replace").strip()
    return first_difference(ours, theirs)


def main():
    failed = number = 0
    for number, args in enumerate(cases(), 1):
        found = difference(args)
        failed += found is not None
        print(f"{'not ' if found else ''}ok {number} - "
              f"{' '.join(args)[:100]}{chr(10) + '# ' + found if found else ''}", flush=True)
    print(f"1..{number}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
