"""Checks that the exit code and the report of fovea vmaf are those of libvmaf's command in every case of
vmaf_options.txt, or differ for a reason that docs/libvmaf.md states. With FOVEA_LIBVMAF=COMMAND, runs that command
too, which must be of libvmaf built without assembly, and writes the table anew; a difference without a reason gets a
'?'."""

import hashlib
import os
import re
import shlex
import subprocess

import clip
from command import FOVEA, PATIENCE, ROOT, case, check, read, run, write

TABLE = os.path.join(ROOT, "tests/cli/vmaf_options.txt")
SMALL, WIDE = dict(width=96, height=80), dict(width=240, height=216)


def pair(name, ref, dis=None):
    """Writes two clips of different noise. ref: properties of both clips; dis: properties in which the second clip
    differs."""
    write(name + "-r", clip.y4m(**{"frames": 2, "seed": 1, **SMALL, **ref}))
    write(name + "-d", clip.y4m(**{"frames": 2, "seed": 2, **SMALL, **ref, **(dis or {})}))


def make_clips():
    for name, ref, dis in (
            ("small", dict(frames=3), {}), ("long", dict(frames=5), {}), ("wide", WIDE, {}),
            ("same", {}, dict(seed=1)),
            ("deep", dict(depth=10), {}), ("deeper", dict(depth=12), {}), ("full", dict(chroma="444"), {}),
            ("half", dict(chroma="422"), {}), ("grey", dict(chroma="400"), {}),
            ("odd", dict(width=95, height=81), {}),
            ("tiny", dict(width=16, height=16), {}), ("ctc", WIDE, {}),
            ("ctcdeep", dict(frames=1, depth=10, **WIDE), {}),
            ("ctcmixed", dict(frames=1, **WIDE), dict(depth=10)), ("mixed", {}, dict(depth=10)),
            ("chroma", {}, dict(chroma="444")), ("sizes", {}, dict(height=82)), ("uneven", {}, dict(frames=3)),
            ("uneven2", dict(frames=3), dict(frames=2)), ("cut", dict(frames=3), {}), ("empty", {}, {}),
            ("junk", {}, {}),
            ("headonly", {}, dict(frames=0)), ("missing", {}, {}), ("missing2", {}, {}), ("folder", {}, {})):
        pair(name, ref, dis)
    write("cut-d", read("cut-d")[:-100])
    write("empty-d", b"")
    write("junk-d", b"no video at all\n" * 100)
    os.remove("missing-d")
    os.remove("missing2-r")
    os.remove("folder-d")
    os.mkdir("folder-d")
    for side, seed in (("r", 1), ("d", 2)):
        write("raw-" + side, clip.raw(2, seed=seed, **SMALL))


def outcome(command, name, args):
    """Returns the exit code, and a digest of the report without its version and speed."""
    if os.path.exists("R"):
        os.remove("R")
    videos = {"noreference": ["-d", "small-d"], "nodistorted": ["-r", "small-r"]}.get(
        name, ["-r", name + "-r", "-d", name + "-d"])
    done = subprocess.run([*command, *videos, *shlex.split(args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=dict(os.environ, FOVEA_DEVICE="cpu"), timeout=PATIENCE,
                          check=False)
    digest = "-"
    if os.path.exists("R"):
        plain = re.sub(rb'version="[^"]*"|"version": "[^"]*"|fps="[^"]*"|"fps": [^,]*', b"", read("R"))
        digest = hashlib.sha256(plain).hexdigest()[:8]
    return f"{done.returncode}:{digest}"


def reasons():
    """Returns the first cells of the command's table of differences."""
    text = read(os.path.join(ROOT, "docs/libvmaf.md")).decode().split("\n## The command\n")[1].split("\n## ")[0]
    found = re.findall(r"^\| ([a-z ]+) \|", text, re.M)
    return [reason for reason in found if reason != "marks in names"]  # tests/libvmaf/reports tests this reason


@case
def every_case_is_libvmafs_or_has_a_reason():
    make_clips()
    peer, rows, wrong, used = os.environ.get("FOVEA_LIBVMAF"), [], [], set()
    for line in read(TABLE).decode().splitlines():
        if line.startswith("#"):
            rows.append(line)
            continue
        expected, name, args = (part.strip() for part in line.split(" | ", 2))
        own, other, reason = re.fullmatch(r"(\S+)(?: not (\S+): ([a-z ?]+))?", expected).groups()
        found = outcome([FOVEA, "vmaf"], name, args)
        if found != own:
            wrong.append(f"{name} | {args}: {found} instead of {own}")
        if reason:
            used.add(reason)
        if peer:
            # With threads, the order in libvmaf's reports varies from run to run.
            other = other if reason == "order" else outcome([peer], name, args)
            rows.append(f"{found if found == other else f'{found} not {other}: {reason or chr(63)}'} | "
                        f"{name} | {args}")
    if peer:
        write(TABLE, ("\n".join(rows) + "\n").encode())
    check(not wrong, f"{len(wrong)} cases differ: " + "; ".join(wrong[:5]))
    check(used == set(reasons()), f"reasons: {sorted(used ^ set(reasons()))} are not in both the table and the docs")


run()
