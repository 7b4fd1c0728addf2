"""Runs the recipes of docs/many-machines.md unchanged, with stand-ins for the job engines: each makes the report of a
single run. Paths in /data become those of a folder of the test. tests/cli/engines.py runs the installed engines."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys

import clip
from command import FOVEA, ROOT, check, case, fovea, read, run, write

SHARDS = 64


def blocks():
    """Returns the code blocks of each recipe, by the recipe's first bold word."""
    with open(os.path.join(ROOT, "docs", "many-machines.md"), encoding="utf-8") as page:
        recipes = page.read().split("## Recipes")[1].split("\n## ")[0].replace("/data", os.getcwd())
    return {name: re.findall(r"```\w*\n(.*?)```", text, re.S)
            for name, text in re.findall(r"\*\*(\w+).*?\*\*(.*?)(?=\n\*\*|\Z)", recipes, re.S)}


def prepare():
    """Writes both videos, a plan and the report of a single run, and puts `fovea` in the search path."""
    # The names are misleading on purpose: fovea reads the content.
    for name, seed in (("reference.mov", 1), ("distorted.mp4", 5)):
        write(name, clip.y4m(frames=SHARDS, seed=seed))
    videos = ["-r", os.path.abspath("reference.mov"), "-d", os.path.abspath("distorted.mp4"), "--metric", "psnr"]
    fovea("score", *videos, "-o", "whole.json")
    fovea("plan", *videos, "--shards", str(SHARDS), "-o", "plan.json")
    os.makedirs("bin", exist_ok=True)
    stand_in("fovea", f'exec {FOVEA} "$@"')
    os.environ["PATH"] = os.path.abspath("bin") + ":" + os.environ["PATH"]


def stand_in(name, script):
    write(f"bin/{name}", f"#!/bin/sh\n{script}\n".encode())
    os.chmod(f"bin/{name}", stat.S_IRWXU)


def shell(script, **env):
    done = subprocess.run(["sh", "-ec", script], env=dict(os.environ, **env), capture_output=True, timeout=120,
                          check=False)
    check(not done.returncode, f"'{script[:60]}' fails: {done.stderr.decode()[-300:]}")


def check_merged():
    fovea("merge", "--plan", "plan.json", "-o", "merged.json", "shards")
    check(read("merged.json") == read("whole.json"), "the merged report is not that of one run")


@case
def slurm():
    """The stand-in for sbatch runs the command of --wrap for each number of --array. The recipe makes the plan."""
    prepare()
    stand_in("sbatch", 'for word; do case $word in --array=*) last=${word##*-};; esac; job=$word; done\n'
                       'for i in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$i sh -ec "$job"; done')
    lines = blocks()["Slurm"][0]
    check("fovea plan" in lines and "sbatch" in lines and "fovea merge" in lines, "the recipe has other commands")
    shell(lines.replace("--shards 64", "--shards 64 --metric psnr"))
    check(read("report.json") == read("whole.json"), "the recipe makes another report than one run")


@case
def parallel():
    """Each slot gets a device name of its own. The stand-in for fovea writes the names to `calls` and ignores
    them."""
    prepare()
    if not shutil.which("parallel"):
        stand_in("parallel", 'job=$3; while read -r i; do slot=$((i % 4 + 1))\n'
                             'sh -ec "$(printf %s "$job" | sed "s/{%}/$slot/g; s/{}/$i/g")"; done')
    stand_in("fovea", f'echo "$9" >>{os.getcwd()}/calls\nexec {FOVEA} "$1" "$2" "$3" "$4" "$5" "$6" "$7"')
    shell(blocks()["GNU"][0])
    devices = set(read("calls").decode().split())
    check(devices <= {f"cuda:{i}" for i in range(4)} and devices, f"the devices are {devices}")
    check_merged()


@case
def kubernetes():
    prepare()
    text = blocks()["Kubernetes"][0]
    check("completionMode: Indexed" in text and f"completions: {SHARDS}" in text, "it is no Indexed Job of 64 tasks")
    command = json.loads(re.search(r"command: (\[.*\])", text)[1])
    for i in range(SHARDS):
        shell('exec "$@"'.replace('"$@"', " ".join(command)), JOB_COMPLETION_INDEX=str(i))
    check_merged()


@case
def aws():
    """The stand-in runs the command of --container-overrides for each task of --array-properties."""
    prepare()
    write("aws.py", b"""import json, os, subprocess, sys
words = dict(zip(sys.argv[3::2], sys.argv[4::2]))
assert sys.argv[1:3] == ["batch", "submit-job"] and words["--job-name"], sys.argv
for i in range(int(words["--array-properties"].split("size=")[1])):
    subprocess.run(json.loads(words["--container-overrides"])["command"], check=True,
                   env=dict(os.environ, AWS_BATCH_JOB_ARRAY_INDEX=str(i)))
""")
    stand_in("aws", f'exec {sys.executable} {os.path.abspath("aws.py")} "$@"')
    shell(blocks()["AWS"][0])
    check_merged()


if __name__ == "__main__":
    run()
