"""Tests what programs read about the end of a command: the last line of --progress json, answers of --batch, JUnit,
annotations."""

import json
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

import clip
from command import (DEVICE, FOVEA, GATE, INPUT, OK, OUTPUT, PARTIAL, PATIENCE, ROOT, USAGE, case, check, fovea,
                     read, run, score, write)

MEMBERS = ["event", "status", "code", "file", "frame", "message", "remedy"]


def codes():
    with open(os.path.join(ROOT, "common/failure_rows-inl.h"), encoding="utf-8") as file:
        return dict(re.findall(r'^FAILURE\(\w+, "([a-z-]+)", ([1-7]),', file.read(), re.M))


def end_of(errors, status, foreign=False):
    """Returns the last JSON object of standard error. Checks that every line is one, and that its code is in the
    table. `foreign`: exit codes are libvmaf's."""
    lines = [json.loads(line) for line in errors.splitlines()]
    for line in lines:
        if line["event"] in ("error", "end"):
            check(list(line) == MEMBERS, f"{line}")
            check(line["code"] == "done" if not line["status"] else codes().get(line["code"]) ==
                  str(line["status"]) or foreign, f"{line}")
    check([line["event"] for line in lines].count("end") == 1 and lines[-1]["event"] == "end",
          f"the end is {lines[-1:]}")
    check(lines[-1]["status"] == status, f"{lines[-1]} after {status}")
    return lines[-1]


def ends(args, status, code, file=None, frame=None, remedy=None, **more):
    end = end_of(fovea(*args, "--progress", "json", status=status, **more)[1], status, args[0] == "vmaf")
    check((end["code"], end["file"], end["frame"]) == (code, file, frame), f"{args}: {end}")
    check((remedy or "") in (end["remedy"] or ""), f"{args}: the remedy is {end['remedy']}")
    check(bool(end["message"]) == (status != OK), f"{args}: {end}")
    return end


@case
def every_command():
    """Each command accepts --progress json, reports an unknown option as JSON, and ends with one object."""
    names = re.findall(r"^  (\w+) ", fovea("--help")[0].split("Commands:")[1].split("Exit codes:")[0], re.M)
    names = [name for name in names if name != "fovea"]
    check({"score", "vmaf", "bd", "diff", "correlate", "metrics"} <= set(names), f"{names}")
    for name in [*names, "generate"]:
        ends([name, "--no-such-option"], 1 if name == "vmaf" else USAGE, "unknown-option")
        fovea(name, "--help", "--progress=json")
    ends(["scoer"], USAGE, "unknown-command", remedy="did you mean 'score'?")
    ends(["vmaf", "-r", "nowhere.y4m", "-d", "dis.y4m", "-o", "x.xml"], 255, "not-found", "nowhere.y4m")
    ends(["metrics"], OK, "done")


@case
def every_kind_of_failure():
    pair = ["score", "ref.y4m", "dis.y4m", "-m", "psnr"]
    write("cut.y4m", read("dis.y4m")[:-100])
    write("small.y4m", clip.y4m(width=32, height=32))
    write("fast.y4m", clip.y4m(rate="50:1"))
    write("text.y4m", b"words\n" * 100)
    os.makedirs("folder")
    write("folder/a; b: c.y4m", read("cut.y4m"))
    ends(pair, OK, "done")
    ends([*pair, "--fail-below", "psnr_y=99"], GATE, "gate-failed")
    ends([*pair, "--threads", "x"], USAGE, "bad-value")
    ends([*pair, "--fail-below", "psnr_x=9"], USAGE, "unknown-score")
    ends([*pair, "-o", "ref.y4m", "--format", "json"], USAGE, "overwrites-input", "ref.y4m",
         remedy="name another file")
    ends(["score", "ref.y4m", "dis.y4m", "-m", "psnrr"], USAGE, "unknown-metric", remedy="did you mean 'psnr'?")
    ends(["score", "-d", "dis.y4m", "-m", "psnr"], USAGE, "missing-video", remedy="add -r FILE")
    ends(["score", "nowhere.y4m", "dis.y4m"], INPUT, "not-found", "nowhere.y4m")
    ends(["score", "-rref.y4m", "--distorted=nowhere.y4m"], INPUT, "not-found", "nowhere.y4m")
    ends(["score", "ref.y4m", "small.y4m"], INPUT, "size-mismatch", remedy="--scale dis")
    ends(["score", "ref.y4m", "fast.y4m", "-m", "psnr"], INPUT, "rate-mismatch", remedy="--ignore-rate")
    ends([*pair[:2], "cut.y4m", "-m", "psnr"], PARTIAL, "partial", "cut.y4m", 2)
    ends([*pair, "--device", "cuda:99"], DEVICE, "no-device")
    ends([*pair, "-o", "nowhere/x.json"], OUTPUT, "output", "nowhere/x.json")
    ends(["diff", "ref.y4m", "nowhere.json"], INPUT, "input", "ref.y4m")
    ends(["decode", "folder/a; b: c.y4m", "-o", "x.y4m"], INPUT, "cut-short", "folder/a; b: c.y4m", 2)
    with open("/dev/full", "wb") as device:
        ends(["metrics"], OUTPUT, "no-space", stdout=device)


@case
def stops():
    for args in (["score", "-", "dis.y4m"], ["decode", "-", "-o", "x.y4m"], ["bd", "/dev/stdin", "x.csv"]):
        process = subprocess.Popen([FOVEA, *args, "--progress", "json"], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        caught = 0
        while not caught >> signal.SIGTERM - 1 & 1 and process.poll() is None:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                caught = int(re.search("SigCgt:\t([0-9a-f]+)", file.read())[1], 16)
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=PATIENCE)[1].decode()
        check(process.returncode in (PARTIAL, INPUT), f"{args}: {process.returncode} {errors}")
        end = end_of(errors, process.returncode)
        check(end["code"] == "stopped" or process.returncode == INPUT, f"{args}: {end}")


@case
def a_stop_behind_the_end():
    """A signal after the last line adds no second line and changes no exit code. This tests commands that handle no
    stop; sanitizers prolong their end."""
    for args, status in ((["bd", "nowhere.csv", "x.csv"], INPUT), (["metrics"], OK)):
        for _ in range(8):
            with subprocess.Popen([FOVEA, *args, "--progress", "json"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE) as process:
                lines = [process.stderr.readline()]
                while lines[-1] and b'"end"' not in lines[-1]:
                    lines.append(process.stderr.readline())
                process.send_signal(signal.SIGTERM)
                lines.append(process.communicate(timeout=PATIENCE)[1])
            end = end_of(b"".join(lines).decode(), status)
            check(process.returncode == status, f"{args}: {process.returncode} after {end}")


@case
def answers():
    write("jobs", b'\n["ref.y4m", "nowhere.y4m"]\n\n["ref.y4m", "dis.y4m"]\n["ref.y4m"\n["ref.y4m", "dis.y4m", '
          b'"--threads", "x"]\n')
    out = fovea("score", "--batch", "jobs", "-m", "psnr", status=PARTIAL)[0]
    jobs = [json.loads(line) for line in out.splitlines()]
    check([(job["job"], job["line"], job["status"], job.get("code"), job.get("file")) for job in jobs] ==
          [(1, 2, INPUT, "not-found", "nowhere.y4m"), (2, 4, OK, None, None), (3, 5, USAGE, "usage", None),
           (4, 6, USAGE, "bad-value", None)], f"{jobs}")
    check("line 5" in jobs[2]["error"] and "line 6" in jobs[3]["error"], f"{jobs}")


@case
def junit():
    gates = ["--fail-below", "psnr_y=1", "--fail-below", "psnr_cb=99:p5", "--fail-below", "psnr_cr=2"]
    score(*gates, "-o", "gates.xml", status=GATE)
    suite = xml.etree.ElementTree.parse("gates.xml").getroot()[0]
    check((suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0"), f"{suite.attrib}")
    cases = list(suite)
    check([item.get("name") for item in cases] == ["--fail-below psnr_y=1", "--fail-below psnr_cb=99:p5",
                                                   "--fail-below psnr_cr=2"], "names")
    check([item.find("failure") is not None for item in cases] == [False, True, False], "outcomes")
    check("99" in cases[1][0].get("message"), "the message of a failure")
    check(score(*gates, "--format", "junit", status=GATE)[0].encode() == read("gates.xml"), "on standard output")
    score("-o", "none.xml", status=USAGE, says="--fail-below")
    check(not os.path.exists("none.xml"), "a file without a case")
    write("cut.y4m", read("dis.y4m")[:-100])
    fovea("score", "ref.y4m", "cut.y4m", "-m", "psnr", *gates, "-o", "cut.xml", status=PARTIAL)
    suite = xml.etree.ElementTree.parse("cut.xml").getroot()[0]
    check((suite.get("failures"), suite.get("errors")) == ("0", "3"), f"{suite.attrib}")


@case
def annotations():
    farm = {"GITHUB_ACTIONS": "true"}
    errors = score("--fail-below", "psnr_y=99", status=GATE, env=farm)[1]
    check(errors.startswith("::error title=fovea::quality gate failed"), errors)
    errors = fovea("score", "100%0A.y4m", "dis.y4m", status=INPUT, env=farm)[1]
    check("::error title=fovea::100%250A.y4m" in errors, errors)
    check(score("--fail-below", "psnr_y=99", status=GATE, env={"GITHUB_ACTIONS": "false"})[1].startswith("fovea: "),
          "no farm")
    end_of(score("--fail-below", "psnr_y=99", "--progress", "json", status=GATE, env=farm)[1], GATE)


run()
