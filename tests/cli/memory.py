"""Runs the command with one failing allocation, in its code or in a library: one allocation of four in turn. The
command must work as usual or report the failure; it must print no output that looks complete, and leave older files
unchanged."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess

import clip
from command import (DEVICE, FOVEA, INPUT, MEMORY, OK, OUTPUT, PARTIAL, PATIENCE, Skipped, case, check, ffmpeg, read,
                     report, run, write)

# Every STEP-th allocation fails, from a random one on, so that further runs fail other ones.
STEP = int(os.environ.get("FOVEA_STARVE_STEP", "4"))
STARVE = os.environ.get("FOVEA_STARVE", "")


def starve(args, at, count="count", **more):
    if not STARVE:
        raise Skipped("nothing can be loaded in front of this build")
    env = dict(os.environ, LD_PRELOAD=STARVE, STARVE_AT=str(at), STARVE_COUNT=count, **more)
    return subprocess.run([FOVEA, *args], env=env, capture_output=True, timeout=PATIENCE, check=False)


def turns(total, step=1, first=1):
    """Returns the numbers of the allocations that fail, each in a run of its own."""
    return range(first + random.randrange(step * STEP), total + 1, step * STEP)


TOLD = (OK, DEVICE, MEMORY, OUTPUT, PARTIAL)


def every_allocation(args, output=None, partial=None, early=False):
    """Fails each allocation of the command in turn. partial(where) checks the output after exit code 5. `early`: the
    complete output can appear before the command fails."""
    whole = starve(args, 0)
    check(whole.returncode == OK, f"{args}: {whole}")
    want, total = output and read(output), int(read("count"))
    check(total > 0, "no allocation was counted")
    for n in turns(total):
        if output:
            write(output, b"the old one")
        got = starve(args, n)
        where = f"{args}, allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in TOLD, where)
        if got.returncode == OK:
            check(got.stdout == whole.stdout, f"{where}: other words")
            check(not output or read(output) == want, f"{where}: another file")
            continue
        check(not got.stdout or got.stdout.startswith(b"Partial: "), where)
        check(b"fovea: " in got.stderr, where)
        if b"is marked partial" in got.stderr:
            check(report(output)["partial"], f"{where}: the report is whole")
        if (got.returncode == PARTIAL and partial or got.returncode == MEMORY and partial and
                is_new(output, want, early)):
            partial(where)
        elif output:
            check(read(output) in (b"the old one", want if early else None), f"{where}: the old file is gone")
    check(not [name for name in os.listdir(".") if name.endswith(".tmp")], "a temporary file is left")


def is_new(output, want, early):
    return read(output) not in (b"the old one", want if early else None)


def partial_report(where):
    check(report()["partial"], f"{where}: not marked as partial")


def every_stop(args, output, whole_enough, step=3):
    """Sends SIGTERM at every `step`th allocation. The file must then be the old one, the complete new one, or one
    that whole_enough(found, want) accepts."""
    whole = starve(args, 0)
    check(whole.returncode == OK, f"{args}: {whole}")
    want, total, ends = read(output), int(read("count")), {}
    for n in turns(total, step):
        write(output, b"the old one")
        got = starve(args, n, STARVE_STOP=str(int(signal.SIGTERM)))
        where = f"{args}, stop at allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in (OK, PARTIAL, -signal.SIGTERM), where)
        ends[got.returncode] = ends.get(got.returncode, 0) + 1
        found = read(output)
        if got.returncode == OK:
            check(found == want, f"{where}: another file")
        elif got.returncode == PARTIAL:
            check(b"stopped on request" in got.stderr, where)
            check(found in (b"the old one", want) or whole_enough(found, want), f"{where}: the old file is gone")
        else:
            check(found == b"the old one", f"{where}: the old file is gone")
        check(not [name for name in os.listdir(".") if name.endswith(".tmp")], f"{where}: a temporary file is left")
    check(ends.get(PARTIAL, 0) > 0, f"never stopped: {ends}")


@case
def stopped_with_a_report():
    every_stop(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json",
                "--threads", "1", "--device", "cpu"], "report.json", lambda found, want: json.loads(found)["partial"])


def good_page(found, want):
    return b'"partial": true' in found or want.startswith(found.partition(b'"pictures": [')[0])


@case
def stopped_with_a_page():
    """The command reads the page's pictures after the last frame. A stop then leaves complete scores, and shows in
    the exit code."""
    every_stop(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "page.html",
                "--threads", "1", "--device", "cpu"], "page.html", good_page)


@case
def stopped_with_a_report_of_libvmaf():
    """A report in libvmaf's format cannot state that it is partial, so none may be written."""
    every_stop(["vmaf", "-r", "ref.y4m", "-d", "dis.y4m", "-n", "--feature", "psnr", "-o", "report.csv", "--csv"],
               "report.csv", lambda found, want: False)


@case
def ended_by_a_library():
    """Some libraries abort when memory runs out. The command must still end with its exit code, and keep the older
    file."""
    args = ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json", "--threads", "1",
            "--device", "cpu"]
    check(starve(args, 0).returncode == OK, "does not score")
    total = int(read("count"))
    for number in (signal.SIGABRT, signal.SIGTRAP):
        for n in turns(total, 5):
            write("report.json", b"the old one")
            got = starve(args, n, STARVE_STOP=str(int(number)))
            where = f"{number} at allocation {n} of {total}: {got}"
            # Before main(), the loader allocates, and no handler of fovea catches the signal yet.
            check(got.returncode == MEMORY and b"a library ended the process" in got.stderr or
                  got.returncode == -number and n < 10, where)
            check(read("report.json") == b"the old one" or json.loads(read("report.json")), where)


@case
def stopped_while_packets_are_listed():
    """A stop must end with status 5, never with 3, which schedulers record as a damaged file."""
    write("in.mkv", clip.matroska())
    if starve(["decode", "in.mkv", "--md5"], 0).returncode == INPUT:
        raise Skipped("this build has no libav")
    videos = ["-r", "in.mkv", "-d", "in.mkv", "-m", "psnr", "--threads", "1", "--device", "cpu"]
    plan = ["plan", *videos[:6], "--shards", "2", "-o", "plan.json"]
    count = int(starve(plan, 0) and read("count"))
    every_stop(plan, "plan.json", lambda found, want: False, count // 60)
    check(starve(plan, 0).returncode == OK, "there is no plan")

    def kept(args, *folders):
        total, ends = int(starve(args, 0) and read("count")), {}
        for n in turns(total, total // 120):
            clear(*folders)
            got = starve(args, n, STARVE_STOP=str(int(signal.SIGTERM)))
            ends[got.returncode] = ends.get(got.returncode, 0) + 1
            check(got.returncode in (OK, PARTIAL, -signal.SIGTERM),
                  f"{args}, stop at allocation {n} of {total}: {got}")
            check(got.returncode != PARTIAL or b"stopped on request" in got.stderr, f"{args}, {n} of {total}: {got}")
        check(ends.get(PARTIAL, 0) > 0, f"never stopped: {ends}")

    kept(["run", "--shard", "all", "--threads", "1", "--device", "cpu"], "shards")
    kept(["score", *videos, "-o", "report.json", "--resume"], "report.json.shards")
    kept(["score", *videos, "-o", "report.json"])
    kept(["decode", "in.mkv", "-o", "out.y4m"])


@case
def stopped_with_a_page_of_several_encodes():
    """The command reads the page's pictures after the last frame. A stop then leaves all scores, without pictures,
    and shows in the exit code."""
    write("third.y4m", clip.y4m(seed=3))
    every_stop(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-d", "third.y4m", "-m", "psnr", "-o", "page.html",
                "--threads", "1", "--device", "cpu"], "page.html", lambda found, want: found.endswith(b"</html>\n"))


@case
def score_with_a_report():
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr=min_sse=0.5", "-o", "report.json",
                      "--threads", "1", "--device", "cpu", "--fail-below", "psnr_y=1"], "report.json", partial_report,
                     early=True)


@case
def score_by_a_mask():
    frames = read("ref.y4m").count(b"FRAME\n")
    write("mask.y4m", clip.y4m(frames, chroma="400", seed=8))
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr,float_ssim", "--roi", "mask.y4m", "-o",
                      "report.json", "--threads", "1", "--device", "cpu"], "report.json", partial_report, early=True)


@case
def score_with_a_page():
    """A page without its pictures has complete scores, and the exit code reports the failure."""
    args = ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "page.html", "--threads", "1",
            "--device", "cpu"]
    check(starve(args, 0).returncode == OK, "does not score")
    want = read("page.html")
    for n in turns(int(read("count"))):
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


def same_or_failed(where):
    """Checks that each encode has the scores of a run with enough memory, or an error. Its rank may differ."""
    def alone(encode):
        return {key: value for key, value in encode.items() if key not in ("rank", "on_hull", "dominated_by")}
    for encode, whole in zip(*(json.loads(read(name))["encodes"] for name in ("all.json", "whole.json"))):
        check(alone(encode) == alone(whole) or encode["status"] in TOLD[1:] and encode["error"], f"{where}: {encode}")


@case
def score_of_several_encodes():
    args = ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-d", "third.y4m", "-m", "psnr", "--threads", "1",
            "--device", "cpu"]
    write("third.y4m", clip.y4m(seed=3))
    whole = starve(args, 0)
    for n in turns(int(read("count"))):
        got = starve(args, n)
        where = f"allocation {n}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in TOLD and (got.returncode == OK) == (b"fovea: " not in got.stderr), where)
        check(got.stdout == whole.stdout or got.returncode != OK and (not got.stdout or b"not scored" in got.stdout or
              b"partial" in got.stdout.lower()), f"{where}: {got.stdout}")
    check(starve([*args, "-o", "whole.json"], 0).returncode == OK, "does not score")
    # A page contains its command, so the undisturbed run needs the same arguments as the starved runs.
    check(starve([*args, "-o", "all.json", "-o", "all.html"], 0).returncode == OK, "makes no page")
    total, page = int(read("count")), read("all.html")
    for n in turns(total, 3):
        write("all.json", b"the old one")
        got = starve([*args, "-o", "all.json", "-o", "all.html"], n)
        where = f"allocation {n}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in TOLD and (got.returncode == OK) == (b"fovea: " not in got.stderr), where)
        check(got.returncode != OK or read("all.html") == page, f"{where}: another page")
        if read("all.json") != b"the old one":
            same_or_failed(where)


@case
def score_with_threads():
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json", "--threads", "2",
                      "--device", "cpu"], "report.json", partial_report, early=True)


@case
def score_with_a_table():
    every_allocation(["score", "-r", "ref.y4m", "-d", "dis.y4m", "--threads", "1", "--device", "cpu"])


@case
def score_by_a_model_from_a_file():
    """No score comes from a model that was read in part."""
    vectors = "".join(f"{i - 9.5} 1:0.{i}{i}5 2:0.{i}3{i} \n" for i in range(20))
    write("model.json", json.dumps({"model_dict": {
        "model_type": "LIBSVMNUSVR", "norm_type": "linear_rescale", "slopes": [0.01, 1.5, 0.05],
        "score_clip": [0, 100],
        "feature_names": ["VMAF_integer_feature_adm2_score", "VMAF_integer_feature_motion2_score"],
        "intercepts": [-0.3, -0.5, 0], "model": "svm_type nu_svr\nkernel_type rbf\ngamma 0.04\nnr_class 2\n"
        f"total_sv 20\nrho -1.3\nSV\n{vectors}"}}).encode())
    write("a.y4m", clip.y4m(2, width=48, height=40, seed=1))
    write("b.y4m", clip.y4m(2, width=48, height=40, seed=2))
    every_allocation(["score", "-r", "a.y4m", "-d", "b.y4m", "--model", "path=model.json", "-o", "report.json",
                      "--threads", "1", "--device", "cpu"], "report.json", partial_report, early=True)


@case
def decode():
    every_allocation(["decode", "ref.y4m", "-o", "out.y4m"], "out.y4m", lambda where: None)
    every_allocation(["decode", "ref.y4m", "-o", "-"])


def decoded(name, threads, step, first=1, told=()):
    """Fails every step-th allocation while a file is decoded: the command must notice frames that libraries lose."""
    args = ["decode", name, "--md5", "--threads", threads]
    whole = starve(args, 0)
    if b"no such reader" in whole.stderr or b"neither Y4M" in whole.stderr:
        raise Skipped("this build has no libav")
    check(whole.returncode == OK and len(whole.stdout.split()) == 6, f"{whole}")
    total = int(read("count"))
    for n in turns(total, step, first):
        got = starve(args, n)
        where = f"{args}, allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        # While libraries are loaded, the loader may end the process with 127, and a library that aborts ends it with
        # 7.
        check(got.returncode in (OK, MEMORY, 127, *told) or got.returncode == -signal.SIGSEGV, where)
        check(got.returncode != OK or got.stdout == whole.stdout, f"{where}: other pictures")
        check(whole.stdout.startswith(got.stdout), f"{where}: other pictures before the failure")
    return total


@case
def decode_a_container():
    write("in.mkv", clip.matroska())
    total = decoded("in.mkv", "1", 13)
    decoded("in.mkv", "1", 1, first=total - 300) # starts after the libraries are loaded


@case
def decode_other_files():
    """VP9 is left out: when memory runs out, libavcodec's VP9 threads wait for each other for ever."""
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "6"]
    ffmpeg(*pictures, "-c:v", "libx264", "-pix_fmt", "yuv420p", "h264.mp4")
    ffmpeg(*pictures, "-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params", "log-level=0", "hevc.mp4")
    ffmpeg(*pictures, "-pix_fmt", "gray", "g%02d.png")
    for name, threads in (("h264.mp4", "1"), ("h264.mp4", "3"), ("hevc.mp4", "3")):
        decoded(name, threads, 41)
    # libavformat silently skips images when memory runs out. The wrong number of images reveals this.
    decoded("g%02d.png", "1", 5, first=1300, told=[INPUT])


@case
def pictures_of_maps():
    """A picture is written complete or not at all when libpng runs out of memory."""
    args = ["map", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "xpsnr", "--frame", "0", "-o", "maps"]
    whole = starve(args, 0)
    check(whole.returncode == OK, f"{whole}")
    total, want = int(read("count")), {path: read(path) for path in everything("maps")}
    check(any(path.endswith(".png") for path in want), f"no picture: {sorted(want)}")
    for n in turns(total):
        clear("maps")
        got = starve(args, n)
        where = f"{args}, allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in TOLD, where)
        made = {path: read(path) for path in everything("maps")}
        check(made == want if got.returncode == OK else made.items() <= want.items(), f"{where}: {sorted(made)}")


def everything(folder):
    return [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names]


@case
def report_of_a_report():
    check(starve(["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr,motion", "-o", "report.json",
                  "--device", "cpu"],
                 0).returncode == OK, "does not score")
    every_allocation(["report", "report.json", "-o", "page.html"], "page.html", early=True)


def limited(args, **limits):
    def limit():
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, name), (most, most))
    return subprocess.run([FOVEA, *args], capture_output=True, timeout=PATIENCE, check=False, preexec_fn=limit)


@case
def file_descriptors_run_out():
    """Running out of descriptors is reported as a lack of memory (7), not as a damaged file."""
    write("in.mkv", clip.matroska())
    for args in (["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json", "--threads", "2"],
                 ["decode", "in.mkv", "--md5"],
                 ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "kept.json", "--resume"]):
        ended = []
        for most in range(3, 20):
            write("report.json", b"the old one")
            got = limited([*args, "--device", "cpu"] if args[0] == "score" else args, RLIMIT_NOFILE=most)
            where = f"{args} with {most} descriptors: {got.returncode} {got.stderr.decode()}"
            if got.returncode == 127: # the loader ran out of descriptors
                continue
            check(got.returncode in (OK, MEMORY), where)
            check(got.returncode == OK or "Too many open files" in where or "descriptor" in where, where)
            if "--resume" in args and os.path.exists("kept.json"):
                check(report("kept.json").get("partial", False) == (got.returncode != OK),
                      f"{where}: not marked as partial")
                os.remove("kept.json")
            check(got.returncode == OK or read("report.json") == b"the old one", f"{where}: the old report is gone")
            ended.append(got.returncode)
        check(MEMORY in ended and ended[-1] == OK, f"{args}: {ended}")


@case
def address_space_runs_out():
    """When memory does not suffice to load a library, no message says that the library is not installed."""
    write("in.mkv", clip.matroska())
    ended = []
    for most in (24, 48, 96, 192, 4096):
        got = limited(["decode", "in.mkv", "--md5"], RLIMIT_AS=most << 20)
        ended.append(got.returncode)
        check(got.returncode in (OK, MEMORY, 127), f"{most} MiB: {got}")
    if b"no such reader" not in got.stderr and b"neither Y4M" not in got.stderr:
        check(MEMORY in ended and ended[-1] == OK, f"{ended}")


@case
def threads_cannot_be_started():
    """A run that cannot start all of its threads scores the same with fewer threads."""
    args = ["score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "-o", "report.json", "--threads", "4",
            "--device", "cpu"]
    check(starve(args, 0).returncode == OK, "does not score")
    want = json.loads(read("report.json"))
    for n in range(1, 6):
        write("report.json", b"the old one")
        got = starve(args, 0, STARVE_THREAD=str(n))
        where = f"thread {n}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in (OK, MEMORY), where)
        if got.returncode == OK:
            check(json.loads(read("report.json"))["frames"] == want["frames"], f"{where}: other scores")
        else:
            check(b"thread" in got.stderr and read("report.json") == b"the old one", where)


@case
def heat_maps():
    def forget(_):
        for name in os.listdir("hm"):
            if "partial" in name:
                os.remove(f"hm/{name}")
    write("flat.y4m", clip.y4m(1, width=216, height=12, chroma="400"))
    every_allocation(["score", "-d", "flat.y4m", "-m", "cambi=heatmaps_path=hm", "--overwrite", "--threads", "1",
                      "--device", "cpu"],
                     "hm/cambi_heatmap_scale_4_14x1_16b.gray", forget, early=True)


SHARDS = ["-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr,motion", "--threads", "1", "--device", "cpu"]


def clear(*folders):
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


@case
def plans():
    every_allocation(["plan", *SHARDS[:6], "--shards", "2", "-o", "plan.json"], "plan.json")


@case
def shards():
    """A failed run leaves either no shard or a complete one. The same command, repeated, gives the same bytes as the
    others."""
    check(starve(["plan", *SHARDS[:6], "--shards", "2"], 0).returncode == OK, "there is no plan")
    args = ["run", "--shard", "all", "--threads", "1", "--device", "cpu"]
    check(starve(args, 0).returncode == OK, "does not run")
    names = ["shards/000000.shard", "shards/000001.shard"]
    want, total = [read(name) for name in names], int(read("count"))
    for n in turns(total):
        clear("shards")
        got = starve(args, n)
        where = f"run, allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in TOLD, where)
        check(got.returncode == OK or b"fovea: " in got.stderr, where)
        there = [read(name) if os.path.exists(name) else None for name in names]
        check(all(a in (None, b) for a, b in zip(there, want)), f"{where}: a shard that is not whole")
        check(got.returncode != OK or there == want, f"{where}: shards are missing")
        check(not os.path.exists("shards") or not [f for f in os.listdir("shards") if ".tmp" in f],
              f"{where}: litter")


@case
def merged_shards():
    check(starve(["plan", *SHARDS[:6], "--shards", "2"], 0).returncode == OK, "there is no plan")
    check(starve(["run", "--shard", "all", "--device", "cpu"], 0).returncode == OK, "does not run")
    every_allocation(["merge", "-o", "report.json", "shards"], "report.json", early=True)


@case
def resumed():
    """A failed run keeps the frames that it scored, and --resume continues from them."""
    args = ["score", *SHARDS, "-o", "report.json", "--resume"]
    check(starve(args, 0).returncode == OK, "does not score")
    want, total = read("report.json"), int(read("count"))
    for n in turns(total, 3):
        clear("report.json.shards")
        write("report.json", b"the old one")
        got = starve(args, n)
        where = f"resume, allocation {n} of {total}: {got.returncode} {got.stderr.decode()}"
        check(got.returncode in TOLD and b"contains other files" not in got.stderr, where)
        if is_new("report.json", want, True):
            partial_report(where)
        else:
            check(read("report.json") in (b"the old one", want), f"{where}: the old file is gone")
        check(starve(args, 0).returncode == OK and read("report.json") == want, f"{where}: it is not resumed")


@case
def charts_of_bd():
    for side, rates in (("anchor", (400, 800, 1600, 3200)), ("test", (390, 700, 1500, 3000))):
        write(f"{side}.csv",
              ("bitrate,psnr_y\n" + "".join(f"{rate},{30 + i * 3}\n" for i, rate in enumerate(rates))).encode())
    for chart in ("chart.svg", "page.html"):
        every_allocation(["bd", "anchor.csv", "test.csv", "--chart", chart], chart, early=True)


@case
def correlations():
    write("scores.csv", ("encode,a,b\n" + "".join(f"d{i}.mp4,{i * i},{9 - i}\n" for i in range(8))).encode())
    write("votes.csv", ("video,mos,ci,src\n" + "".join(f"d{i}.mp4,{i},0.5,{i % 2}\n" for i in range(8))).encode())
    every_allocation(["correlate", "scores.csv", "votes.csv", "--bootstrap", "9", "-o", "page.html"],
                     "page.html", early=True)


def starved_batch(jobs, n, output=None):
    """Runs jobs from standard input. Returns the exit code, standard error, and the answers."""
    env = dict(os.environ, LD_PRELOAD=STARVE, STARVE_AT=str(n), STARVE_COUNT="count")
    lines = "".join(json.dumps(job) + "\n" for job in jobs).encode()
    with open(output or "answers", "wb") as file:
        stdout = file if output else subprocess.PIPE
        got = subprocess.run([FOVEA, "score", "--batch", "-", "-m", "psnr", "-m", "motion",
                              "--threads", "1", "--device", "cpu"], env=env, input=lines, stdout=stdout,
                             stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    return got.returncode, got.stderr.decode(), (read(output) if output else got.stdout).decode().splitlines()


def batches(output):
    """The answer of the job that runs out of memory says so, and the next jobs run."""
    if not STARVE:
        raise Skipped("nothing can be loaded in front of this build")
    jobs = [["ref.y4m", "dis.y4m"], ["dis.y4m", "ref.y4m", "-m", "ciede"], ["ref.y4m", "ref.y4m"]]
    code, _, want = starved_batch(jobs, 0, output)
    check(code == OK and len(want) == len(jobs), f"{code} {want}")
    total, short = int(read("count")), 0
    for n in turns(total):
        code, said, lines = starved_batch(jobs, n, output)
        where = f"allocation {n} of {total}: {code} {said} {lines}"
        if code in (MEMORY, OUTPUT) and not lines: # memory ran out before the first job
            check("fovea: " in said, where)
            continue
        check(code in (OK, PARTIAL) and len(lines) == len(jobs), where)
        for number, (line, whole) in enumerate(zip(lines, want), 1):
            answer = json.loads(line)
            check(answer["job"] == number, where)
            check(line == whole or answer["status"] in (DEVICE, MEMORY, PARTIAL) and answer["error"], where)
        failed = sum(line != whole for line, whole in zip(lines, want))
        check(failed == (code == PARTIAL), f"{where}: {failed} jobs failed")
        short += failed
    check(short > total // (2 * STEP), f"{short} of {total} allocations made a job fail")


@case
def jobs_of_a_batch():
    batches(None)


@case
def jobs_of_a_batch_with_answers_in_a_file():
    batches("answers")


@case
def lanes_beyond_the_end_of_a_row():
    """The padding of rows has defined values at odd widths, so that memory checkers report nothing."""
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed")
    for name, seed in (("a.y4m", 1), ("b.y4m", 2)):
        write(name, clip.y4m(2, width=217, height=177, seed=seed))
    for metric in ("adm", "vif", "ciede", "vdm", "ssimulacra2", "butteraugli", "psnr,psnr_hvs,motion,cambi", "xpsnr",
                   "float_ssim,float_ms_ssim", "cvvdp"):
        got = subprocess.run(["valgrind", "-q", "--error-exitcode=99", FOVEA, "score", "-r", "a.y4m",
                              "-d", "b.y4m", "-m", metric, "-o", "report.json", "--threads", "1", "--device", "cpu"],
                             capture_output=True, timeout=PATIENCE, check=False)
        check(got.returncode == OK, f"{metric}: {got.returncode} {got.stderr.decode()[:400]}")


@case
def lists():
    for args in (["metrics"], ["metrics", "--json"], ["metrics", "cambi"], ["--help"], ["score", "--help"],
                 ["generate", "man"], ["generate", "bash"]):
        every_allocation(args)


if __name__ == "__main__":
    run()
