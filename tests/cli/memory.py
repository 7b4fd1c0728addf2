"""The command with one failed allocation, for every one it makes, in its own code or in a library's: it does what it
does otherwise, or says why not, prints nothing that looks whole, and leaves older files as they were."""

import os
import subprocess

import clip
from command import DEVICE, FOVEA, MEMORY, OK, OUTPUT, PARTIAL, PATIENCE, Skipped, case, check, read, report, run, write

STARVE = os.environ.get("FOVEA_STARVE", "")


def starve(args, at, count="count"):
    env = dict(os.environ, LD_PRELOAD=STARVE, STARVE_AT=str(at), STARVE_COUNT=count)
    return subprocess.run([FOVEA, *args], env=env, capture_output=True, timeout=PATIENCE, check=False)


def every_allocation(args, output=None, partial=None, early=False):
    """`partial` looks at what exit code 5 leaves. early: the output appears before the command has done the rest."""
    if not STARVE:
        raise Skipped("nothing can be loaded in front of this build")
    whole = starve(args, 0)
    check(whole.returncode == OK, f"{args}: {whole}")
    want, total = output and read(output), int(read("count"))
    check(total > 0, "no allocation was counted")
    for n in range(1, total + 1):
        if output:
            write(output, b"the old one")
        got = starve(args, n)
        where = f"{args}, allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in (OK, DEVICE, MEMORY, OUTPUT, PARTIAL), where)
        if got.returncode == OK:
            check(got.stdout == whole.stdout, f"{where}: other words")
            check(not output or read(output) == want, f"{where}: another file")
            continue
        check(not got.stdout and b"fovea: " in got.stderr, where)
        if got.returncode == PARTIAL and partial:
            partial(where)
        elif output:
            check(read(output) in (b"the old one", want if early else None), f"{where}: the old file is gone")
    check(not [name for name in os.listdir(".") if name.endswith(".tmp")], "a temporary file is left")


def partial_report(where):
    check(report()["partial"], f"{where}: not marked as partial")


@case
def score_with_a_report():
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr=min_sse=0.5", "-o", "report.json",
                      "--threads", "1", "--device", "cpu", "--fail-below", "psnr_y=1"], "report.json", partial_report,
                     early=True)


@case
def score_with_a_page():
    """A page that lacks pictures is whole in its scores, and the exit code tells."""
    args = ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "page.html", "--threads", "1", "--device", "cpu"]
    check(starve(args, 0).returncode == OK, "does not score")
    want = read("page.html")
    for n in range(1, int(read("count")) + 1):
        write("page.html", b"the old one")
        got = starve(args, n)
        page, where = read("page.html"), f"allocation {n}: {got.returncode} {got.stderr.decode()}"
        if got.returncode == OK:
            check(page == want, f"{where}: another page")
        else:
            check(got.returncode in (DEVICE, MEMORY, OUTPUT, PARTIAL) and b"fovea: " in got.stderr, where)
            scores, mark, _ = page.partition(b'"pictures": [')
            check(page in (b"the old one", want) or b'"partial": true' in page or
                  mark and want.startswith(scores), f"{where}: a page that looks whole")
    check(not [name for name in os.listdir(".") if name.endswith(".tmp")], "a temporary file is left")


@case
def score_with_threads():
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json", "--threads", "2",
                      "--device", "cpu"], "report.json", partial_report, early=True)


@case
def score_with_a_table():
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "--threads", "1", "--device", "cpu"])


@case
def decode():
    every_allocation(["decode", "ref.y4m", "-o", "out.y4m"], "out.y4m", lambda where: None)
    every_allocation(["decode", "ref.y4m", "-o", "-"])


@case
def heat_maps():
    def forget(_):
        for name in os.listdir("hm"):
            if "partial" in name:
                os.remove(f"hm/{name}")
    write("flat.y4m", clip.y4m(1, width=216, height=12, chroma="400"))
    every_allocation(["score", "-d", "flat.y4m", "-m", "cambi=heatmaps_path=hm", "--threads", "1", "--device", "cpu"],
                     "hm/cambi_heatmap_scale_4_14x1_16b.gray", forget, early=True)


@case
def lists():
    for args in (["metrics"], ["metrics", "--json"], ["metrics", "cambi"], ["--help"], ["score", "--help"],
                 ["generate", "man"], ["generate", "bash"]):
        every_allocation(args)


run()
