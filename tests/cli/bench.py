"""Tests fovea bench: what it measures and what it refuses. The figures that it prints are not checked, since no test
depends on time."""

import csv
import io
import json
import os

from command import (DEVICE, GATE, INPUT, OUTPUT, Skipped, USAGE, case, check, fovea, prores, report, run,
                     usable_gpus, write)

SHORT = ("--depth", "8", "--milliseconds", "1")
SMALL = ("--size", "48x32", *SHORT)


@case
def metrics_share_a_session():
    args = ("bench", "--metrics", "--metric", "psnr=enable_chroma=false,psnr_hvs", "--metric", "psnr_hvs",
            "--scaling", "--threads", "1", *SMALL)
    want = ["plain copy", "psnr=enable_chroma=false,psnr_hvs", "psnr_hvs", "scaling from 2/3"]
    rows = list(csv.DictReader(io.StringIO(fovea(*args, "--csv")[0])))
    check([row["metric"] for row in rows] == want, f"the rows are {rows}")
    check(all(float(row["frames_per_second"]) > 0 for row in rows), f"a rate is missing: {rows}")
    value = json.loads(fovea(*args, "--json")[0])
    check([row["metric"] for row in value["metrics"]] == want and not value["kernels"], f"the object is {value}")
    text = fovea(*args)[0]
    check(all(name in text for name in want), f"the table is {text}")


@case
def one_processor_is_one_thread():
    def pin():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows = list(csv.DictReader(io.StringIO(fovea("bench", "--metrics", "--metric", "psnr", *SMALL,
                                                 "--csv", limit=pin)[0])))
    check({row["threads"] for row in rows} == {"1"}, f"the rows are {rows}")


@case
def no_metric_is_left_out():
    seventeen = ("--metric", "psnr") * 17
    rows = list(csv.DictReader(io.StringIO(
        fovea("bench", "--metrics", *seventeen, "--threads", "1", *SMALL, "--csv")[0])))
    check([row["metric"] for row in rows].count("psnr") == 17, f"the rows are {rows}")


@case
def records():
    """--against reports a figure if its record is much faster, but not if its record is slower."""
    args = ("bench", "--metric", "psnr", "--threads", "1", *SMALL)
    check("butteraugli" not in fovea(*args, "--record", "new.txt")[0], "one metric is named, and others are measured")
    lines = [line.split("\t") for line in open("new.txt", encoding="utf-8")]
    check([name.split(",")[0] for _, name in lines] == ["plain copy", "psnr"] and
          all(float(speed) > 0 for speed, _ in lines), lines)
    write("slow.txt", "".join(f"{float(speed) / 100}\t{name}" for speed, name in lines).encode())
    write("fast.txt", "".join(f"{float(speed) * 100}\t{name}" for speed, name in lines).encode())
    write("other.txt", "".join(f"{speed}\tanother {name}" for speed, name in lines).encode())
    check("0 of 2 figures" in fovea(*args, "--against", "slow.txt")[1], "a slower record")
    fovea(*args, "--against", "fast.txt", status=GATE, says=["psnr, 48x32 8-bit", "2 of 2 figures", "% less"])
    fovea(*args, "--against", "other.txt", status=GATE, says="none of these figures")
    write("junk.txt", b"psnr 12\n")
    for name, says in (("missing.txt", "cannot be opened"), ("junk.txt", "not a record")):
        fovea(*args, "--against", name, status=INPUT, says=says)
    fovea(*args, "--record", "slow.txt", "--against", "slow.txt", status=USAGE, says="slow.txt")
    fovea("bench", "--kernels", "--record", "x.txt", status=USAGE, says="--kernels")


@case
def wrong_calls():
    gpu = ("bench", "--device", "vulkan")
    for args, says in (
            (("bench", "--metric", "psnrr"), "did you mean 'psnr'"),
            (("bench", "--metric", "psnr,"), "name is missing"),
            (("bench", *("--metric", "psnr") * 65), "65 times"),
            (("bench", "--device", "auto"), "fovea devices"),
            (("bench", "--device", "cpu", "--device", "vulkan"), "one run"),
            (("bench", "-r", "ref.y4m", "-d", "dis.y4m"), "--device"),
            (("bench", "ref.y4m", "dis.y4m"), "--device"),
            (("bench", "--stills", "--json", "--size", "48x32"), "--stills takes"),
            (("bench", "--files", ".", "--csv"), "--files takes"),
            (("bench", "--frames", "3"), "--files FOLDER"),
            ((*gpu, "--csv"), "--csv"),
            ((*gpu, "--threads", "2"), "--threads"),
            ((*gpu, "--from", "disk"), "pinned"),
            ((*gpu, "-d", "dis.y4m", "--from", "pinned"), "--from"),
            ((*gpu, "-r", "ref.y4m"), "-d FILE"),
            ((*gpu, "-d", "dis.y4m", "--size", "48x32"), "--size"),
            ((*gpu, "-d", "dis.y4m", "--depth", "10", "--depth", "12"), "--depth")):
        fovea(*args, *(() if "--size" in args or "-d" in args else ("--metrics", *SMALL)), status=USAGE, says=says)


@case
def files():
    what = ("bench", "--files", ".", "--frames", "3", "--metric", "psnr", "--size", "48x32", "--depth", "8")
    for where in (("--threads", "1"), *(("--device", name) for name in usable_gpus())):
        lines = fovea(*what, *where)[0].splitlines()
        check(len(lines) == 2 and lines[1].startswith("48x32 8 "), f"the table is {lines}")
        check(not [name for name in os.listdir(".") if name.startswith("fovea-bench-")], "files are left")
    ref, dis = fovea(*what, "--keep", "--threads", "2")[0].splitlines()[-2:]
    fovea("score", "-r", ref, "-d", dis, "-m", "psnr", "-o", "kept.json")
    check(len(report("kept.json")["frames"]) == 3, f"{ref} and {dis} are other files")
    fovea("bench", "--files", "nowhere", "--frames", "3", "--size", "48x32", "--depth", "8", status=OUTPUT,
          says="nowhere")


@case
def stills():
    for device in ("cpu", *usable_gpus()):
        where = ("--device", device) if device != "cpu" else ("--threads", "1")
        lines = fovea("bench", "--stills", *where, *SMALL)[0].splitlines()
        changes = [line.split() for line in lines[1:]]
        check(len(changes) == 5 and all(words.count("ms") == 2 and "48x32" in words for words in changes),
              f"{device}: the table is {lines}")


@case
def gpus():
    names = usable_gpus()
    if not names:
        fovea("bench", "--device", "vulkan", *SMALL, status=DEVICE)
        raise Skipped("no GPU")
    devices = [word for name in names for word in ("--device", name)]
    lines = fovea("bench", *devices, "--metric", "psnr", "--in-flight", "3", *SMALL)[0].splitlines()
    for name in names:
        rows = [line.split() for line in lines if line.startswith("psnr ") and name in line.split()]
        check([row[5] for row in rows] == ["resident", "pinned", "pageable"], f"{name}: the rows are {rows}")
    kernels = [line for line in lines if "psnr_sse8" in line]
    check(len(kernels) == len(names) and not any(" 0.0 us" in line for line in kernels), f"the kernels are {kernels}")


@case
def scaling_on_gpus():
    for name in usable_gpus()[:1]:
        lines = fovea("bench", "--device", name, "--metric", "psnr", "--scaling", "--from", "pinned",
                      *SMALL)[0].splitlines()
        rows = [line.split() for line in lines if line.startswith("scaling from 2/3 ")]
        check([row[7] for row in rows] == ["pinned"], f"{name}: the rows are {rows}")
        kernels = [line for line in lines if "scale_across8" in line or "scale_down8" in line]
        check(len(kernels) == 2 and not any(" 0.0 us" in line for line in kernels), f"the kernels are {kernels}")


@case
def packets_on_gpus():
    names = usable_gpus()
    if not names:
        raise Skipped("no GPU")
    clip = write("a.icpf", prores("cr_tiny_1x1") * 3)
    out = fovea("bench", "--device", names[0], "--metric", "psnr,psnr=enable_mse=true", "-r", clip, "-d", clip,
                "--in-flight", "3", "--milliseconds", "1")[0]
    for word in ("psnr,psnr=enable_mse=true ", " packets ", "prores_entropy", "psnr_sse16"):
        check(word in out, f"no '{word}' in {out}")
    alone = ("bench", "--device", names[0], "-d")
    fovea(*alone, "dis.y4m", "--metric", "cambi", status=USAGE, says="is not ProRes")
    fovea(*alone, "missing.icpf", "--metric", "cambi", status=INPUT, says="missing.icpf")


run()
