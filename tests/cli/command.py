"""Runs the command as a user does; the files of cases import it. Call a file of cases as FILE.py FOVEA SOURCE_ROOT
[WORD]; with WORD, only the cases run whose name contains it."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import clip
import schema
import without

FOVEA, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SANITIZED = os.environ.get("FOVEA_SANITIZED") == "1"
CASES = []
PATIENCE = 240  # seconds after which a run counts as hanging, on the busiest machine

OK, GATE, USAGE, INPUT, DEVICE, PARTIAL, OUTPUT, MEMORY = range(8)


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Failed(text)


def case(function):
    CASES.append(function)
    return function


def without_leak_check(env):
    """Returns `env` with the leak check off: GPU drivers and the C library's locales leak, fovea does not."""
    return dict(env, ASAN_OPTIONS=env.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def fovea(*args, status=OK, says=(), stdin=None, env=None, limit=None, stdout=subprocess.PIPE):
    """Runs fovea; checks its exit code, and that standard error contains all of `says`. Returns (stdout, stderr)."""
    merged = dict(os.environ, **(env or {}))
    if env or {"devices", "--device", "--map-device"} & set(args):
        merged = without_leak_check(merged)
    run = subprocess.run([FOVEA, *args], input=stdin, stdout=stdout, stderr=subprocess.PIPE, env=merged,
                         preexec_fn=limit, timeout=PATIENCE, check=False)
    out, err = (run.stdout or b"").decode(), run.stderr.decode()
    shown = " ".join(args)
    words = [says] if isinstance(says, str) else says
    if run.returncode == INPUT and "this build of fovea" in err and (status != INPUT or
                                                                     any(word not in err for word in words)):
        raise Skipped("this build has no libav")
    check(run.returncode == status, f"'{shown}' exits with {run.returncode}, not {status}: {err.strip()}")
    for word in words:
        check(word in err, f"'{shown}' does not say '{word}' but: {err.strip()}")
    # With any other exit code, the output has results only of frames that were scored before the failure.
    if status not in (OK, GATE, PARTIAL):
        answers = ("Partial: ", "nothing was compared")
        told = " numbers differ" in out.split("\n")[0] or re.search("^[0-9]+ (encode|pair)s? ", out, re.M)
        check(not out or out.startswith(answers) or told, f"'{shown}' fails and prints: {out[:80]}")
    if status == OK:
        check("error" not in err, f"'{shown}' succeeds and complains: {err.strip()}")
    return out, err


def ffmpeg(*args):
    if not shutil.which("ffmpeg"):
        raise Skipped("ffmpeg is missing")
    done = subprocess.run(["ffmpeg", "-v", "error", "-y", *args], stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise Skipped("this ffmpeg cannot: " + done.stderr.decode().strip().split("\n")[0])


def score(*args, **more):
    return fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", *args, **more)


def in_shards(count, *args, device="cpu"):
    """Plans a run, computes its shards and merges them into merged.json. Returns what the merge prints."""
    shutil.rmtree("shards", ignore_errors=True)
    fovea("plan", *args, "--shards", str(count), "-o", "plan.json")
    fovea("run", "--plan", "plan.json", "--shard", "all", "-o", "shards", "--device", device, "-q")
    return fovea("merge", "--plan", "plan.json", "shards", "-o", "merged.json", "-q")[0]


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def read(name):
    with open(name, "rb") as file:
        return file.read()


def prores(name):
    """Returns a stored ProRes packet."""
    return read(os.path.join(ROOT, "tests/prores/clips", name + ".icpf"))


def usable_gpus():
    return [d["name"] for d in json.loads(fovea("devices", "--json")[0]) if d["usable"] and d["name"] != "cpu"]


def needs_png():
    write("one.y4m", clip.y4m(1))
    if "this build has no libpng" in fovea("map", "one.y4m", "one.y4m", "-m", "xpsnr", "-o", "maps")[1]:
        raise Skipped("this build has no libpng")


def report(name="report.json"):
    """Returns the report, and checks that it fits the schema."""
    value = json.loads(read(name))
    with open(os.path.join(ROOT, "docs", "report.schema.json"), encoding="utf-8") as file:
        rules = json.load(file)
    wrong = schema.errors(value, rules, rules)
    check(not wrong, "; ".join(wrong[:3]))
    return value


def prepare():
    write("ref.y4m", clip.y4m(seed=1))
    write("dis.y4m", clip.y4m(seed=2))
    for name, seed in (("ref", 1), ("dis", 2)):
        write(f"{name}10.yuv", clip.raw(depth=10, seed=seed))
        write(f"{name}10.y4m", clip.y4m(depth=10, seed=seed))


def attempt(function):
    """Runs a case in a folder of its own. Returns the exception that stopped it, or None."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        try:
            function()
            return None
        except Exception as error: # pylint: disable=broad-exception-caught # the other cases run
            return error
        finally:
            os.chdir("/")


def run(again=lambda error: False):
    """Runs the chosen cases. again(error) decides whether a case that an error stopped is tried once more."""
    chosen = [c for c in CASES if len(sys.argv) < 4 or sys.argv[3] in c.__name__]
    print(f"1..{len(chosen)}")
    failures = 0
    left_out = without.left_out()
    strangers = sorted(set(left_out) - {c.__name__ for c in CASES})
    if strangers:
        raise SystemExit(f"the list of cases to leave out names {', '.join(strangers)}, which do not exist")
    # Sanitizers slow each start of the command, so a run with them takes every second case of a long list, from a
    # random one on. The next run may take the others.
    half = random.randrange(2) if SANITIZED and len(chosen) > 6 and "FOVEA_FULL" not in os.environ else None
    for number, function in enumerate(chosen, 1):
        reason = left_out.get(function.__name__)
        if number % 2 == half:
            reason = "left to another run"
        error = Skipped(reason) if reason else attempt(function)
        if error and not isinstance(error, (Failed, Skipped)) and again(error):
            print(f"# again {function.__name__}: {error!s}".replace("\n", " "), flush=True)
            error = attempt(function)
        if isinstance(error, Skipped):
            print(f"ok {number} {function.__name__} # SKIP {error}", flush=True)
        elif error:
            failures += 1
            print(f"not ok {number} {function.__name__}: {type(error).__name__}: {error!s}".replace("\n", " "),
                  flush=True)
        else:
            print(f"ok {number} {function.__name__}", flush=True)
    sys.exit(failures > 0)
