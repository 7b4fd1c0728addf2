"""Tests exit codes, and the messages that come with them."""

import glob
import json
import os
import platform
import resource
import signal
import subprocess

import clip
from command import (DEVICE, FOVEA, GATE, INPUT, MEMORY, OK, OUTPUT, PARTIAL, PATIENCE, SANITIZED, Skipped, USAGE,
                     case, check, fovea, read, report, run, score, usable_gpus, write)


@case
def exit_1_gate():
    score("-o", "y.json")
    y = report("y.json")["pooled"]["psnr_y"]["mean"]
    for gate, status in ((f"psnr_y={y - 1}", OK), (f"psnr_y={y + 1}", GATE), (f"psnr_y={y + 1}:max", GATE),
                         ("psnr_y=0:p5", OK), ("psnr_cb=99:harmonic_mean", GATE)):
        out = score("--fail-below", gate, status=status)[0]
        check("PSNR, luma" in out and ("failed" if status else "passed") in out, "no table, or no gate in it")
    score("--fail-below", "psnr_y=0", "--fail-below", "psnr_y=99:min", status=GATE, says=["psnr_y", "min", "99"])
    errors = ("score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr=enable_mse=1", "--fail-above")
    fovea(*errors, "mse_y=1", status=GATE, says="mse_y")
    fovea(*errors, "mse_y=1e9")


USAGES = [
    (["scoer"], "did you mean 'score'"),
    (["help", "scoer"], "unknown command"),
    (["-r", "ref.y4m"], "needs a command"),
    (["map", "ref.y4m", "dis.y4m", "more.y4m"], ["more.y4m", "REFERENCE VIDEO"]),
    (["map", "-r", "ref.y4m", "dis.y4m", "more.y4m"], ["more.y4m", "REFERENCE VIDEO"]),
    (["score", "--", "-r"], "the reference is missing"),
    (["score"], "REFERENCE DISTORTED"),
    (["score", "-d"], "needs a value"),
    (["score", "-d", "dis.y4m", "-m", "psnr"], "-r FILE"),
    (["score", "-d", "dis.y4m", "--distored", "x"], "did you mean '--distorted'"),
    (["score", "--zzzzzzzzzzzzzzzzzzz"], "--help"),
    (["score", "-z"], "unknown option '-z'"),
    (["score", "--output"], "needs a value"),
    (["score", "--shortest=1"], "takes no value"),
    (["score", "--threads", "x"], ["--threads", "x"]),
    (["score", "--threads", "1025"], "1024"),
    (["score", "--threads", "-1"], "-1"),
    (["score", "--threads", ""], "--threads"),
    (["score", "--threads", " 1"], "--threads"),
    (["score", "--subsample", "0"], "--subsample"),
    (["score", "--frame-cnt", "99999999999999999999"], "--frames"),
    (["score", "--format", "jsn"], ["jsn", "did you mean 'json'"]),
    (["score", "--isa", "avx"], "avx2"),
    (["score", "--progress", "dots"], "dots"),
    (["demo", "x"], "-r REFERENCE"),
    (["devices", "x"], "takes options only"),
    (["generate", "elvish"], "bash"),
]

PAIR_USAGES = [
    (["--metric", "psnrr"], "did you mean 'psnr'"),
    (["--metric", "psnr=enable_chrma=true"], "enable_chroma"),
    (["--metric", "psnr=zzzzzzzzz=1"], "'zzzzzzzzz'; 'fovea metrics psnr'"),
    (["--metric", "psnr=min_sse=nan"], "min_sse"),
    (["--metric", "psnr=min_sse=inf"], "min_sse"),
    (["--metric", "psnr=min_sse=-1"], "min_sse"),
    (["--metric", "psnr=min_sse=1,5"], "5"),
    (["--metric", "psnr=enable_mse=maybe"], "enable_mse"),
    (["--metric", "psnr=enable_mse"], "enable_mse"),
    (["--metric", ""], "name is missing"),
    (["--feature", "psnr"], "unknown option '--feature'"),
    (["--format", "libvmaf-json"], "json, csv, ndjson, html"),
    (["--metric", "x" * 5000], "too long"),
    (["--device", "abacus"], "fovea devices"),
    (["--fail-below", "psnr_y"], "SCORE=VALUE"),
    (["--fail-below", "psnr_y=x"], "not a decimal number"),
    (["--fail-below", "psnr_y=nan"], "not a decimal number"),
    (["--fail-below", "psnr_y=30:p6"], ["p6", "did you mean"]),
    (["--metric", "ssim"], "did you mean 'float_ssim'"),
    (["--metric", "nothinglikeit"], "'nothinglikeit'; 'fovea metrics'"),
    (["--json", "--csv"], "contradict"),
    (["-d", "dis.y4m"], "dis.y4m is given twice"),
    (["--range-ref", "wide"], "limited"),
    (["--matrix-dis", "bt3"], "H.273"),
    (["--crop-ref", "1:2:3"], "WIDTH:HEIGHT:X:Y"),
    (["--crop-dis", "automatic"], "WIDTH:HEIGHT:X:Y or auto"),
    (["--intervals", "0"], "--intervals"),
    (["--intervals", "1:2:3:4"], "MINUTES"),
    (["--scale", "big"], "display"),
    (["--scale-filter", "bicubic:2:0", "--scale", "dis"], "bicubic:B:C"),
    (["--convert", "range,gamma"], "gamma"),
    (["--start", "1:2:3:4"], "MINUTES"),
    (["--duration", "0"], "--duration"),
    (["--width", "48"], ["raw", "--height is missing"]),
    (["-w", "48", "-h", "32", "-b", "8"], "--pixel-format is missing"),
    (["-w", "48", "-h", "32", "-p", "420"], "--bitdepth is missing"),
    (["-w", "0"], "--width"),
    (["-h", "x"], "--height"),
    (["-b", "7"], "--bitdepth"),
    (["-w", "48", "-h", "32", "-p", "421", "-b", "8"], "421"),
    (["-w", "48", "-h", "32", "-p", "yuv420p10be", "-b", "10"], "yuv420p10be"),
    (["-w", "48", "-h", "32", "-p", "yuv420p10le", "-b", "8"], ["10", "8"]),
]


# Mistakes that show only when the videos are open, or when they are scored.
LATE_USAGES = [
    (["--fail-below", "psnr_yy=30"], ["psnr_yy", "psnr_cb"]),
    (["--fail-above", "psnr_y=30"], "--fail-below psnr_y=30"),
    (["--crop-dis", "48:33:0:0"], "does not fit a picture of 48x32"),
]


DRIVERS = {"libvulkan.so": "vulkan", "libcuda.so": "cuda"}


def drivers_of(*args, **more):
    """Returns the GPU drivers that the dynamic linker looked for during a run, and the run's messages."""
    errors = fovea(*args, env={"LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": os.path.abspath("libraries")}, **more)[1]
    told = b"".join(read(name) for name in glob.glob("libraries.*")).decode()
    for name in glob.glob("libraries.*"):
        os.remove(name)
    # musl's dynamic linker never reports libraries.
    check("libc.so" in told or b"/ld-musl" in read(FOVEA)[:4096], "the dynamic linker tells nothing")
    return {device for library, device in DRIVERS.items() if library in told}, errors


@case
def exit_2_usage():
    for args, says in USAGES:
        drivers, errors = drivers_of(*args, status=USAGE, says=says)
        check("  " not in errors, f"{args}: two spaces in the message")
        check(not drivers, f"{args}: looks for {drivers}")


@case
def exit_2_usage_with_videos():
    """A usage error is reported before any GPU driver is loaded, even if --device names its device."""
    devices = drivers_of("devices")[0]
    for args, says in PAIR_USAGES:
        device = ["--device", min(devices)] if devices and "--device" not in args else []
        drivers, errors = drivers_of("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "-o",
                                     "never.json", *args, *device, status=USAGE, says=says)
        check("  " not in errors, f"{args}: two spaces in {errors}")
        check(not drivers, f"{args}: looks for {drivers}")
    for args, says in LATE_USAGES:
        errors = score("-o", "never.json", *args, status=USAGE, says=says)[1]
        check("  " not in errors, f"{args}: two spaces in {errors}")


@case
def exit_0_without_drivers():
    for args in (["--version"], ["--help"], ["score", "--help"], ["metrics"], ["generate", "bash"]):
        drivers = drivers_of(*args)[0]
        check(not drivers, f"{args}: looks for {drivers}")
        check(not os.path.exists("never.json"), f"{args}: a report is written")


@case
def lone_h_is_help():
    check(fovea("score", "-h")[0].startswith("Usage"), "no help")


def refused(name, data, says):
    write(name, data)
    fovea("score", "-r", "ref.y4m", "-d", name, "-m", "psnr", "-o", "never.json", status=INPUT, says=says)
    check(not os.path.exists("never.json"), f"{name}: a report is written")


@case
def exit_3_files():
    fovea("score", "-r", "ref.y4m", "-d", "missing.y4m", "-m", "psnr", status=INPUT,
          says=["missing.y4m", "No such file"])
    os.makedirs("folder.y4m", exist_ok=True)
    fovea("score", "-r", "ref.y4m", "-d", "folder.y4m", "-m", "psnr", status=INPUT, says=["folder.y4m", "directory"])
    refused("empty.y4m", b"", "empty.y4m")
    refused("noise.bin", bytes(range(256)) * 8, "noise.bin")
    refused("header.y4m", b"YUV4MPEG2 W48 H32", "header.y4m")
    refused("frameless.y4m", clip.header(), "frameless.y4m")
    for size in ("W0 H32", "W48 H0", "W-1 H32", "W99999999999 H32", "W48", "W48 H1000000", "Wx H32"):
        refused("size.y4m", f"YUV4MPEG2 {size} F25:1 C420jpeg\nFRAME\n".encode(), "size.y4m")
    refused("cut.y4m", read("dis.y4m")[:1000], "cut.y4m")
    refused("noframe.y4m", clip.header() + b"FRAMX\n" + bytes(3000), "noframe.y4m")


@case
def exit_3_raw_geometry():
    for size in ("480", "320"), ("47", "32"):
        args = ["-w", size[0], "-h", size[1], "-p", "420", "-b", "8"]
        fovea("score", "-r", "ref10.yuv", "-d", "dis10.yuv", "-m", "psnr", *args, status=INPUT, says="ref10.yuv")
    fovea("score", "-r", "ref10.yuv", "-d", "dis10.yuv", "-m", "psnr", status=USAGE, says=["ref10.yuv", "width"])


@case
def exit_3_pairs_that_do_not_fit():
    for name, data, says in (("size.y4m", clip.y4m(width=50), ["48x32", "50x32"]),
                             ("chroma.y4m", clip.y4m(chroma="444"), ["4:2:0", "4:4:4"]),
                             ("length.y4m", clip.y4m(4), ["3", "4", "--shortest"]),
                             ("rate.y4m", clip.y4m(rate="30:1"), ["25/1", "30/1", "--align time", "--ignore-rate"])):
        refused(name, data, says)


@case
def exit_4_device():
    other = "avx2" if platform.machine() == "aarch64" else "neon"
    score("--isa", other, status=DEVICE, says=other)


@case
def exit_5_partial():
    write("cut.y4m", read("dis.y4m")[:-100])
    for form in ("json", "csv", "ndjson"):
        out = fovea("score", "-r", "ref.y4m", "-d", "cut.y4m", "-m", "psnr", "-o", f"report.{form}", "--format", form,
                    status=PARTIAL, says="cut.y4m")[0]
        check(out.startswith("Partial: 2") and " frames, then: cut.y4m" in out,
              f"no table, or it is not marked: {out}")
        check("partial" in read(f"report.{form}").decode(), f"{form} does not say that it is partial")
    value = report()
    check(value["partial"] and "cut.y4m" in value["partial_reason"], "not marked")
    check([f["frame"] for f in value["frames"]] == [0, 1], f"frames are {value['frames']}")
    score("-o", "whole.json")
    check(value["frames"] == report("whole.json")["frames"][:2], "other scores than those of the whole video")
    out = fovea("score", "-r", "ref.y4m", "-d", "cut.y4m", "-m", "psnr", status=PARTIAL, says="-o FILE")[0]
    check(out.startswith("Partial: 2 frames, then: cut.y4m"), f"no table, or it is not marked: {out}")


@case
def exit_5_interrupt():
    frame = b"FRAME\n" + clip.planes(48, 32, "420", 8, 1)
    write("long.y4m", clip.header() + frame * 20000)
    run = subprocess.Popen([FOVEA, "score", "-r", "long.y4m", "-d", "-", "-m", "psnr", "-o", "report.json",
                            "--progress", "json", "--shortest"],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run.stdin.write(clip.header() + frame * 50)
    run.stdin.flush()
    run.stderr.readline()
    run.send_signal(signal.SIGINT)
    try:
        for _ in range(15000):
            run.stdin.write(frame)
        run.stdin.close()
    except BrokenPipeError:
        pass
    run.stdin = None
    out = run.communicate(timeout=PATIENCE)[0]
    check(run.returncode == PARTIAL, f"exits with {run.returncode}")
    check(out.startswith(b"Partial: " if isinstance(out, bytes) else "Partial: "), "no table, or it is not marked")
    value = report()
    check(value["partial"] and value["frame_count"] < 15000, "not marked as partial")


def old_report():
    return write("report.json", b"the old one")


@case
def exit_6_report():
    for path, says in (("/dev/full", "No space left"), ("no/such/folder/report.json", "No such file"),
                       ("folder", "directory")):
        os.makedirs("folder", exist_ok=True)
        score("-o", path, status=OUTPUT, says=[path, says])


@case
def exit_6_leaves_the_old_report():
    old_report()
    write("r.y4m", clip.y4m(40))

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    before = sorted(os.listdir("."))
    fovea("score", "-r", "r.y4m", "-d", "r.y4m", "-m", "psnr", "-o", "report.json", status=OUTPUT, says="report.json",
          limit=small_files)
    check(read("report.json") == b"the old one", "the old report is gone")
    check(sorted(os.listdir(".")) == before, "a temporary file is left")


@case
def report_replaces_whole_and_keeps_links():
    write("target.json", b"old")
    os.chmod("target.json", 0o600)
    os.symlink("target.json", "link.json")
    before = set(os.listdir("."))
    score("-o", "link.json")
    check(os.path.islink("link.json"), "the link is gone")
    report("target.json")
    check(os.stat("target.json").st_mode & 0o777 == 0o600, "other permissions")
    check(set(os.listdir(".")) == before, "a temporary file is left")
    os.mkfifo("fifo")
    run = subprocess.Popen(["cat", "fifo"], stdout=subprocess.PIPE)
    score("-o", "fifo")
    check(json.loads(run.communicate(timeout=PATIENCE)[0]), "nothing came through the pipe")


@case
def exit_6_standard_output():
    for args in (["--json"], ["-o", "-"], []):
        with open("/dev/full", "wb") as full:
            score(*args, status=OUTPUT, says="standard output", stdout=full)
        end, start = os.pipe()
        os.close(end)
        score(*args, status=OUTPUT, says="standard output", stdout=start)
        os.close(start)
    with open("/dev/full", "wb") as full:
        for command in ("metrics", "devices", "--help", "--version"):
            fovea(command, status=OUTPUT, says="standard output", stdout=full)


@case
def exit_on_a_gpu():
    """All output is written although the process ends before it closes its device."""
    names = usable_gpus()
    if not names:
        raise Skipped("no GPU")
    here = ("--device", names[0])
    out = score(*here, "-o", "gpu.json")[0]
    check(out == score()[0] and len(report("gpu.json")["frames"]) == 3, f"the table is {out}")
    score(*here, "--fail-below", "psnr_y=99", "--progress", "json", status=GATE, says="quality gate failed")
    with open("/dev/full", "wb") as full:
        score(*here, status=OUTPUT, says="standard output", stdout=full)


@case
def exit_7_memory():
    if SANITIZED: # sanitizers need more address space than the limit below
        raise Skipped("sanitizers")
    header = clip.header(16384, 16384)
    with open("huge.y4m", "wb") as file:
        file.write(header + b"FRAME\n")
        file.truncate(len(header) + 6 + 16384 * 16384 * 3 // 2)

    def small_memory():
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

    fovea("score", "-r", "huge.y4m", "-d", "huge.y4m", "-m", "psnr", "--threads", "1", status=MEMORY,
          says="out of memory", limit=small_memory)


run()
