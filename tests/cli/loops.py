"""Tests docs/loops.md: its search script runs unchanged, with a real encoder. Also a ladder of real encodes, and the
memory that many jobs take."""

import json
import os
import re
import subprocess

from command import FOVEA, ROOT, case, check, ffmpeg, fovea, read, run


def worst(crf):
    ffmpeg("-i", "source.mkv", "-c:v", "libx264", "-preset", "veryfast", "-crf", str(crf), "check.mkv")
    return float(fovea("score", "source.mkv", "check.mkv", "--print", "vmaf:p5")[0])


@case
def search():
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x240:r=25,noise=alls=9", "-frames:v", "8", "-pix_fmt", "yuv420p",
           "-c:v", "ffv1", "source.mkv")
    with open(os.path.join(ROOT, "docs", "loops.md"), encoding="utf-8") as page:
        script = re.search(r"```sh\n(.*?)```", page.read(), re.S)[1]
    os.mkdir("bin")
    os.symlink(os.path.abspath(FOVEA), "bin/fovea")
    done = subprocess.run(["sh", "-ec", script], capture_output=True, timeout=200, check=False,
                          env=dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"]))
    found = re.fullmatch(r"--crf (\d+)\n", done.stdout.decode())
    check(not done.returncode and found,
          f"the search ends with {done.returncode}: {done.stdout} {done.stderr[-200:]}")
    crf = int(found[1])
    check(10 < crf < 50, f"the clip decides nothing: {crf}")
    check(worst(crf) >= 90 > worst(crf + 1), f"{crf} is not the highest: {worst(crf)}, {worst(crf + 1)}")


@case
def ladder():
    """Five encodes scored together have the reports, byte for byte, of five single runs."""
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=224x160:r=25,noise=alls=9", "-frames:v", "3", "-pix_fmt", "yuv420p",
           "-c:v", "libx264", "-qp", "4", "source.mp4")
    names = [f"crf{crf}.mp4" for crf in (18, 25, 32, 39, 46)]
    for name in names:
        ffmpeg("-i", "source.mp4", "-c:v", "libx264", "-preset", "veryfast", "-crf", name[3:5], name)
    fovea("score", "source.mp4", *names, "-m", "vmaf,ssimulacra2", "-o", "all/")
    for name in names:
        fovea("score", "source.mp4", name, "-m", "vmaf,ssimulacra2", "-o", "one.json")
        check(read("one.json") == read(f"all/{name}.json"), f"the report of {name} differs")


def resident(process):
    """Returns the bytes of memory that a process occupies."""
    with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@case
def a_thousand_jobs():
    jobs, early = [["ref.y4m", "dis.y4m", "--threads", "1"], ["ref.y4m", "missing.y4m"]], 0
    with subprocess.Popen([FOVEA, "score", "--batch", "-", "-m", "psnr"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        for number in range(1, 1001):
            process.stdin.write(json.dumps(jobs[number % 10 == 0]).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            check(answer["job"] == number and bool(answer["status"]) == (number % 10 == 0), f"{answer}")
            if number == 100:
                early = resident(process)
        grown = resident(process) - early
        process.stdin.close()
    check(grown < 1 << 20, f"900 jobs take {grown} bytes")


if __name__ == "__main__":
    run()
