#!/usr/bin/env python3
"""Tests fovea devices --verify --report: what a report contains, what it must not contain, its files, its exit codes,
and the page that is made from reports. Usage: devices.py FOVEA SOURCE_ROOT."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOVEA, ROOT = (os.path.abspath(path) for path in sys.argv[1:3])
count = failed = 0


def check(good, name, why=""):
    global count, failed
    count, failed = count + 1, failed + (not good)
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    if not good:
        print("#", str(why)[-1500:].replace("\n", "\n# "))


def fovea(*args, folder):
    return subprocess.run([FOVEA, "devices", *args], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, env=dict(os.environ, XDG_CACHE_HOME=folder), check=False)


def report(folder):
    done = fovea("--verify", "--report", "cpu.json", "--device", "cpu", "--brief", "--credit", "A \"stranger\"",
                 folder=folder)
    check(done.returncode == 0 and "cpu.json is written" in done.stderr, "a report of the CPU", done.stderr)
    with open(os.path.join(folder, "cpu.json"), encoding="utf-8") as file:
        text = file.read()
    found = json.loads(text)
    check(found["report"] == "fovea-device" and found["list"] == "brief" and found["credit"] == "A \"stranger\"",
          "its head", text)
    metrics = {entry["metric"]: entry for entry in found["metrics"]}
    listed = [m["name"] for m in json.loads(subprocess.run([FOVEA, "metrics", "--json"], stdout=subprocess.PIPE,
                                                           check=True).stdout)]
    check(sorted(metrics) == sorted(listed), "it has every metric", sorted(metrics))
    wrong = [entry for entry in metrics.values() if entry["differ"] or (entry["verdict"] == "same" and
             not (entry["cases"] and re.fullmatch("[0-9a-f]{16}", entry["hash"] or "") and entry["isas"]))]
    check(not wrong and metrics["psnr"]["verdict"] == "same", "verdicts with cases, a hash and instruction sets",
          wrong)
    hashes = [entry["hash"] for entry in metrics.values()]
    check(len(set(hashes)) == len(hashes), "metrics differ in their hashes", hashes)
    private = [word for word in (os.uname().nodename, os.path.expanduser("~"), folder, ROOT) if len(word) > 3 and
               word in text]
    check(not private, "nothing personal", private)
    again = fovea("--verify", "--report", "again.json", "--device", "cpu", "--brief", folder=folder)
    with open(os.path.join(folder, "again.json"), encoding="utf-8") as file:
        same = [entry["hash"] for entry in json.load(file)["metrics"]] == hashes
    check(again.returncode == 0 and same, "the same hashes the next time", again.stderr)
    kept = [name for _, _, names in os.walk(folder) for name in names if name == "selftest"]
    check(not kept, "no verdict is kept", kept)
    return found


def refusals(folder):
    for name, args, code, words in (
            ("--report without --verify", ["--report", "x.json"], 2, "--verify"),
            ("--credit without --report", ["--credit", "me"], 2, "--report"),
            ("--device without --report", ["--verify", "--device", "cpu"], 2, "--report"),
            ("a device that is not here", ["--verify", "--report", "x.json", "--device", "vulkan:77"], 4,
             "vulkan:77"),
            ("a file that cannot be made",
             ["--verify", "--report", "no/such/folder/x.json", "--device", "cpu", "--brief"], 6, "no/such")):
        done = fovea(*args, folder=folder)
        check(done.returncode == code and words in done.stderr, f"{name} ends with {code}",
              f"{done.returncode} {done.stderr}")
    check(not os.path.exists(os.path.join(folder, "x.json")), "no file after a refusal")


def page(folder, found):
    """The page says where hashes differ, names the newest report, and refuses a brief report."""
    shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(folder, "scripts"))
    reports = os.path.join(folder, "docs/devices")
    os.makedirs(reports)

    def make(**changes):
        with open(os.path.join(reports, changes.pop("file")), "w", encoding="utf-8") as file:
            json.dump({**found, "list": "full", **changes}, file)

    def run(*args):
        return subprocess.run([sys.executable, os.path.join(folder, "scripts/devices-page"), *args],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)

    make(file="a.json")
    check(run().returncode == 0 and run("--check").returncode == 0, "a page is made, and is not stale")
    other = [dict(entry, hash="0" * 16) if entry["metric"] == "psnr" else entry for entry in found["metrics"]]
    make(file="b.json", metrics=other, device=dict(found["device"], title="another"))
    stale = run("--check")
    check(stale.returncode == 1 and "stale" in stale.stderr, "a new report makes it stale", stale)
    run()
    with open(os.path.join(folder, "docs/devices.md"), encoding="utf-8") as file:
        text = file.read()
    check("`psnr`: 1 and 2 all say" in text and "`ssimulacra2`: 1" not in text, "it says where hashes differ", text)
    make(file="c.json", list="brief")
    check(run().returncode == 1 and "brief" in run().stderr, "a brief report is refused")


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = report(folder)
        refusals(folder)
        page(folder, found)
    print(f"1..{count}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
