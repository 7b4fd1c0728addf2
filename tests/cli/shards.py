"""Tests shards: merged, they give the report of one run, byte for byte; shards that are incomplete or of another plan
are refused."""

import fcntl
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

import command
from command import (DEVICE, FOVEA, GATE, INPUT, OK, OUTPUT, PARTIAL, USAGE, Skipped, case, check, fovea, read, run,
                     usable_gpus, write)

import clip

FULL = os.environ.get("FOVEA_FULL") == "1"


def similar(name, frames, seed, width=48, height=32):
    """Writes a clip whose frames change a little."""
    first = clip.planes(width, height, "420", 8, seed)
    parts = [clip.header(width, height)]
    for i in range(frames):
        shift = 7 * i * i % 97
        parts += [b"FRAME\n", first[shift:] + first[:shift]]
    return write(name, b"".join(parts))


def plan(shards, *args, ref="ref.y4m", dis="dis.y4m", name="plan.json", **more):
    return fovea("plan", "-r", ref, "-d", dis, "--shards", str(shards), "-o", name, *args, **more)


def whole(*args, ref="ref.y4m", dis="dis.y4m", device="cpu"):
    fovea("score", "-r", ref, "-d", dis, "--device", device, "-o", "whole.json", *args)
    return read("whole.json")


def compute(shards, folder="shards", device="cpu", order=None, **more):
    """Computes each shard in a pass of its own, in the given or in a mixed order."""
    order = order or [*range(0, shards, 2), *range(1, shards, 2)]
    fovea("run", "--shard", ",".join(str(i) for i in order), "-o", folder, "--device", device, **more)


def merged(*args, status=OK, **more):
    fovea("merge", "-o", "merged.json", *args, "shards", status=status, **more)
    return read("merged.json")


def shard(number, folder="shards"):
    return f"{folder}/{number:06}.shard"


METRICS = "psnr=enable_apsnr=true:enable_mse=true,psnr_hvs"
TEMPORAL = "motion=motion_five_frame_window=true,motion,xpsnr,speed_temporal,vmaf,vif,adm"


def check_counts(metrics, counts, frames, size, device="cpu"):
    similar("ref.y4m", frames, 1, *size)
    similar("dis.y4m", frames, 2, *size)
    expected = whole("--metric", metrics, device=device)
    for count in counts:
        shutil.rmtree("shards", ignore_errors=True)
        plan(count, "--metric", metrics)
        compute(count, device=device)
        check(merged() == expected, f"{count} shards of {metrics} on {device} are another report than one run")


@case
def several_encodes():
    """Each encode has a plan in one folder. The merged table, reports and files about all encodes equal those of one
    run."""
    for name, seed, frames in (("ref.y4m", 1, 12), ("a.y4m", 2, 12), ("b.y4m", 3, 12), ("c.y4m", 4, 5)):
        write(name, clip.y4m(seed=seed, frames=frames))
    names, common = ["a.y4m", "b.y4m", "c.y4m"], ["-m", "psnr,xpsnr", "--shortest"]
    fovea("plan", "ref.y4m", *names, *common, "--frames-per-shard", "4", "-o", "plans")
    check(sorted(os.listdir("plans")) == [name + ".json" for name in names], f"{os.listdir('plans')}")
    for shard in ("0,2", "1"):
        fovea("run", "--plan", "plans", "--shard", shard, "-o", "shards", "-q")
    fovea("run", "--plan", "plans", "--shard", "3", "-o", "shards", status=USAGE, says="has 3 shards")
    check(sorted(os.listdir("shards/c.y4m")) == ["000000.run.json", "000000.shard", "000001.run.json",
                                                 "000001.shard"],
          f"{os.listdir('shards/c.y4m')}")
    outputs = ["-o", "{}/", "-o", "{}.json", "-o", "{}.csv", "--fail-below", "psnr_y=1", "--details"]
    merge, once = ([word.replace("{}", name) for word in outputs] for name in ("merged", "once"))
    table = fovea("merge", "--plan", "plans", "shards", *merge)[0]
    check(table == fovea("score", "ref.y4m", *names, *common, *once)[0], f"another table:\n{table}")
    for name in ("json", "csv"):
        check(read(f"merged.{name}") == read(f"once.{name}"), f"another file for all: {name}")
    for name in names:
        check(read(f"merged/{name}.json") == read(f"once/{name}.json"), f"{name}: another report")
    fovea("merge", "--plan", "plans", "shards", "-o", "merged/", "--format", "html")
    fovea("merge", "--plan", "plans", "shards", "--fail-below", "psnr_y=99", status=GATE, says="a.y4m")
    fovea("merge", "--plan", "plans", "shards", "--fail-below", "vmaf=1", status=USAGE, says="vmaf")
    for output in ("a.y4m", "plans/a.y4m.json", "shards/b.y4m/000001.shard", "ref.y4m"):
        before = read(output)
        fovea("merge", "--plan", "plans", "shards", "-o", output, "--format", "json", status=USAGE, says=output)
        check(read(output) == before, f"{output} was replaced")
    os.remove("shards/b.y4m/000001.shard")
    out, _ = fovea("merge", "--plan", "plans", "shards", "-o", "rest.json", status=INPUT, says="b.y4m")
    check("not scored" in out and json.loads(read("rest.json"))["encodes"][2]["status"] == OK, out)
    fovea("merge", "--plan", "plans", "shards", "--allow-missing", "-o", "rest/", status=PARTIAL, says="b.y4m")
    fovea("merge", "--plan", "plans", "shards/a.y4m/000000.shard", status=USAGE, says="name the folder")
    fovea("merge", "--plan", "shards", "shards", status=INPUT, says="no plans")
    write("bad.y4m", b"YUV4MPEG2 W16")
    fovea("plan", "ref.y4m", "a.y4m", "bad.y4m", *common, "--shards", "2", "-o", "some/", status=INPUT,
          says="bad.y4m")
    check(os.listdir("some") == ["a.y4m.json"], f"{os.listdir('some')}")
    fovea("plan", "ref.y4m", "a.y4m", "b.y4m", *common, "--shards", "2", "-o", "plan.json", status=USAGE,
          says="-o FOLDER/")
    os.mkdir("sub")
    write("sub/a.y4m", read("b.y4m"))
    fovea("plan", "ref.y4m", "a.y4m", "sub/a.y4m", *common, "--shards", "2", "-o", "two", status=USAGE,
          says="two/a.y4m.json")


@case
def merged_shards_are_one_run():
    check_counts(METRICS, (1, 2, 7, 11), 11, (48, 32))
    check_counts("cvvdp=fps=8", (2, 7), 11, (48, 32))
    check(json.loads(read("plan.json"))["lead"] == 2,
          "cvvdp reads more or fewer frames in front than its filters cover")
    check_counts("cvvdp=fps=20", (3,), 1 + 8, (48, 32))
    check_counts("cvvdp", (1,), 1, (48, 32))


@case
def equal_videos_are_identical():
    """The merged verdict is that of one run, for equal videos and for one sample that differs in a single shard. A
    metric that looks back reads frames before its shard without scoring them."""
    similar("ref.y4m", 11, 1)
    same = read("ref.y4m")
    for content, sentence in ((same, "Identical"), (same[:-1] + bytes([same[-1] ^ 1]), None)):
        write("dis.y4m", content)
        expected = whole("--metric", "psnr,motion")
        shutil.rmtree("shards", ignore_errors=True)
        plan(3, "--metric", "psnr,motion")
        compute(3)
        check(merged() == expected, f"another report of shards, {sentence}")
        told = json.loads(expected)["verdict"]["sentence"]
        check(told == sentence if sentence else told != "Identical", told)
    write("dis.y4m", same)
    whole("--metric", "psnr")
    check(fovea("report", "whole.json")[0].startswith("Identical\n"), "the verdict of a report that is read")


@case
def metrics_that_look_back():
    if not FULL:
        raise Skipped("in the full suite")
    check_counts(TEMPORAL, (1, 2, 7, 9), 9, (224, 216))


@case
def every_metric():
    if not FULL:
        raise Skipped("in the full suite")
    names = [m["name"] for m in json.loads(fovea("metrics", "--json")[0])]
    check_counts(",".join(names), (7,), 7, (256, 224))
    check_counts("vdm=temporal=true,psnr", (3,), 5, (256, 224))


@case
def every_device():
    gpus = usable_gpus() if FULL else []
    if not gpus:
        raise Skipped("in the full suite, with a GPU")
    check_counts("psnr,motion,xpsnr,speed_temporal", (3,), 7, (256, 224), device=gpus[0])
    expected = whole("--metric", "psnr,motion", device="cpu")
    shutil.rmtree("shards", ignore_errors=True)
    plan(3, "--metric", "psnr,motion")
    compute(3, order=[1])
    one = read(shard(1))
    shutil.rmtree("shards")
    compute(3, order=[1], device=gpus[0])
    check(read(shard(1)) == one, "a shard of a GPU has other bytes than one of the CPU")
    compute(3, order=[0, 2])
    check(json.loads(merged())["frames"] == json.loads(expected)["frames"], "shards of several devices differ")


@case
def frames_that_are_chosen():
    similar("ref.y4m", 20, 1)
    similar("dis.y4m", 17, 2)
    for options in (["--shortest"], ["--frame-cnt", "11"], ["--shortest", "--subsample", "3"],
                    ["--frame-skip-ref", "3"], ["--start", "0.2", "--duration", "0.3"]):
        options += ["--metric", "psnr,psnr_hvs"]
        shutil.rmtree("shards", ignore_errors=True)
        expected = whole(*options)
        plan(4, *options)
        compute(4)
        check(merged() == expected, f"shards with {options} are another report")
    plan(4, status=INPUT, says="unequal lengths")


@case
def videos_that_look_shifted():
    generator = random.Random(3)
    pictures = []
    for _ in range(46):
        blocks = [generator.randrange(20, 230) for _ in range(6 * 4)]
        rows = [bytes(blocks[y // 16 * 6 + x // 16] for x in range(96)) for y in range(64)]
        pictures.append(b"FRAME\n" + b"".join(rows) + bytes([128]) * (96 * 64 // 2))
    header = clip.header(96, 64)
    write("ref.y4m", header + b"".join(pictures[2:]))
    write("dis.y4m", header + b"".join(pictures[:-2]))
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--device", "cpu", "--metric", "psnr", "-o", "whole.json",
          says="shifted by 2")
    for shards in (1, 3, 44):
        shutil.rmtree("shards", ignore_errors=True)
        plan(shards, "--metric", "psnr")
        compute(shards)
        check(merged() == read("whole.json"), f"{shards} shards of shifted videos are another report")
    expected = json.loads(whole("--metric", "psnr", "--intervals", "0.5"))
    check(json.loads(merged("--intervals", "0.5")) == expected, "intervals of merged shards are not those of one run")
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--scenes", "--device", "cpu,cpu", status=USAGE, says="scenes")


@case
def numbers_from_the_environment():
    plan(3, "--metric", "psnr")
    for number, name in enumerate(("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX")):
        fovea("run", "--device", "cpu", env={name: str(number)})
        check(os.path.exists(shard(number)), f"{name} is not the number of the shard")
    check(merged() == whole("--metric", "psnr"), "shards by variables are another report")
    fovea("run", env={"SLURM_ARRAY_TASK_ID": "3"}, status=USAGE, says="no shard 3")
    fovea("run", env={"SLURM_ARRAY_TASK_ID": "x"}, status=USAGE, says="SLURM_ARRAY_TASK_ID")
    fovea("run", env={"SLURM_ARRAY_TASK_ID": "1", "JOB_COMPLETION_INDEX": "1"}, status=USAGE, says="both set")
    fovea("run", status=USAGE, says="the shard is missing")
    fovea("run", "--shard", "2-9", status=USAGE, says="no shard 9")
    fovea("run", "--shard", "-1", status=USAGE, says="numbers from 0")


@case
def whole_shards_stay():
    plan(2, "--metric", "psnr")
    compute(2)
    before = os.stat(shard(0)).st_ino
    compute(2)
    check(os.stat(shard(0)).st_ino == before, "a whole shard was computed again")
    write(shard(0), read(shard(0))[:-9])
    compute(2)
    check(merged() == whole("--metric", "psnr"), "a damaged shard was not computed again")
    write(shard(1), b"a letter of mine")
    fovea("run", "--shard", "1", status=INPUT, says="is not a shard of fovea")
    check(read(shard(1)) == b"a letter of mine", "a file that is no shard was replaced")


@case
def what_merge_refuses():
    plan(3, "--metric", "psnr")
    compute(3)
    good = read(shard(1))
    step = 23 if FULL else 61
    for length in range(0, len(good), step):
        write(shard(1), good[:length])
        fovea("merge", "-o", "out.json", "shards", status=INPUT, says="000001.shard")
    for place in range(0, len(good), step):
        write(shard(1), good[:place] + bytes([good[place] ^ 4]) + good[place + 1:])
        fovea("merge", "-o", "out.json", "shards", status=INPUT, says="000001.shard")
    check(not os.path.exists("out.json"), "damaged shards gave a report")
    os.remove(shard(1))
    fovea("merge", "-o", "out.json", "shards", status=INPUT, says=["1 of 3 shards are missing: 1", "--allow-missing"])
    write(shard(1), good)
    shutil.copytree("shards", "again")
    fovea("merge", "-o", "out.json", "shards", "again")
    check(read("out.json") == whole("--metric", "psnr"), "equal doubles spoil the report")
    plan(2, "--metric", "psnr", name="other.json")
    fovea("run", "--plan", "other.json", "--shard", "all", "-o", "others")
    fovea("merge", "-o", "out.json", "shards", "others", status=INPUT, says="another plan")
    fovea("run", "--shard", "0", "-o", "others", status=INPUT, says="another plan")
    record = read("shards/000001.run.json")
    write("shards/000001.run.json", record.replace(b'"cpu"', b'"cpv"'))
    fovea("merge", "-o", "out.json", "shards", status=INPUT, says=["000001.run.json", "its hash does not match"])
    os.remove("shards/000001.run.json")
    fovea("merge", "-o", "out.json", "shards", status=INPUT, says="000001.run.json")


@case
def doubles_that_differ():
    import hashlib
    plan(2, "--metric", "psnr")
    compute(2)
    shutil.copytree("shards", "again")
    body = read(shard(1))[:-72]
    body = body[:-1] + bytes([body[-1] ^ 1])
    write(shard(1, "again"), body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n")
    fovea("merge", "-o", "out.json", "shards", "again", status=INPUT, says="different terms")
    old = re.sub(rb"numerics \d+ ", b"numerics 0 ", read(shard(1)))[:-72]
    write(shard(1), old + b"sha256 " + hashlib.sha256(old).hexdigest().encode() + b"\n")
    fovea("merge", "-o", "out.json", "shards", status=INPUT, says="numerics version 0")


@case
def missing_shards_make_a_partial_report():
    similar("ref.y4m", 12, 1)
    similar("dis.y4m", 12, 2)
    expected = json.loads(whole("--metric", "psnr"))
    plan(4, "--metric", "psnr")
    compute(4, order=[0, 1, 3])
    report = json.loads(merged("--allow-missing", status=PARTIAL, says="1 of 4 shards are missing: 2"))
    check(report["partial"] and "missing: 2" in report["partial_reason"],
          "the report does not say that it is partial")
    kept = [f for f in expected["frames"] if f["frame"] not in (6, 7, 8)]
    check(report["frames"] == kept, "the frames of a partial report are not those of one run")
    fovea("merge", "shards/000007.shard", status=INPUT, says="cannot be opened")


@case
def what_a_plan_pins():
    plan(2, "--metric", "psnr")
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "--shards", "2", "-o", "ref.y4m", status=USAGE, says="ref.y4m")
    text = read("plan.json")
    write("plan.json", text.replace(b'"bytes": ', b'"bytes": 1'))
    fovea("run", "--shard", "0", status=INPUT, says="its hash does not match")
    write("plan.json", text.replace(b'"numerics_version": ', b'"numerics_version": 9'))
    fovea("run", "--shard", "0", status=INPUT, says="numerics version 9")
    write("plan.json", b"{}")
    fovea("merge", "shards", status=INPUT, says="is not a plan of fovea")
    for length in range(0, len(text), 97 if FULL else 301):
        write("plan.json", text[:length])
        fovea("run", "--shard", "0", status=INPUT, says="plan.json")
    write("plan.json", text)
    fovea("run", "--plan", "ref.y4m", "--shard", "0", status=INPUT, says="ref.y4m")
    write("dis.y4m", read("dis.y4m"))
    os.utime("dis.y4m", (1, 1))
    fovea("run", "--shard", "0", status=INPUT, says=["dis.y4m", "modified", "--ignore-modified"])
    fovea("run", "--shard", "0", "--ignore-modified")
    data = read("dis.y4m")
    write("dis.y4m", data[:-1] + bytes([data[-1] ^ 1]))
    fovea("run", "--shard", "1", "--ignore-modified", status=INPUT, says=["dis.y4m", "its content has changed"])
    write("dis.y4m", data + data[-1542:])
    fovea("run", "--shard", "1", "--ignore-modified", status=INPUT, says=["dis.y4m", "it has changed"])


@case
def hash_of_a_video():
    import hashlib
    for size in (1, 2, 3, 50, 700):
        data = read(similar("ref.y4m", size, size, 46, 38))
        plan(1, "--metric", "psnr", dis="ref.y4m")
        last, pieces = max(0, len(data) - 4096), hashlib.sha256()
        for i in range(16):
            pieces.update(data[last * i // 15:][:4096])
        found = json.loads(read("plan.json"))["reference"]["sha256_of_pieces"]
        check(found == pieces.hexdigest(), f"the hash of {len(data)} bytes is not SHA-256 of 16 pieces")


@case
def plans_that_are_refused():
    plan(9, status=USAGE, says="more than the 3 frames")
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", status=USAGE, says="--frames-per-shard")
    fovea("plan", "-d", "dis.y4m", "--shards", "2", status=USAGE, says="-r FILE")
    plan(2, "--metric", "cambi=heatmaps_path=maps", status=USAGE, says="maps")
    fovea("plan", "-r", "ref.y4m", "-d", "-", "--shards", "2", "--metric", "psnr", stdin=read("dis.y4m"),
          status=USAGE, says="not a file with a name")
    fovea("merge", status=USAGE, says="shards are missing")


@case
def gates_of_shards():
    plan(2, "--metric", "psnr")
    compute(2)
    fovea("merge", "--fail-below", "psnr_y=99", "shards", status=command.GATE)
    fovea("merge", "--fail-below", "psnr_x=99", "shards", status=USAGE, says="psnr_x")
    expected = whole("--metric", "psnr", "--fail-below", "psnr_y=1")
    check(merged("--fail-below", "psnr_y=1") == expected, "gates of merged shards are not those of one run")


@case
def many_devices_on_one_machine():
    similar("ref.y4m", 11, 1)
    similar("dis.y4m", 11, 2)
    expected = json.loads(whole("--metric", METRICS))
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", METRICS, "--device", "cpu,cpu", "-o", "two.json")
    two = json.loads(read("two.json"))
    check(two["device"].pop("requested") == "cpu,cpu", "the report does not say what was asked for")
    expected["device"].pop("requested")
    check(two == expected, "two devices make another report than one")
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--device", "cpu,", status=USAGE, says="list of device names")
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--device", "cpu,cpu", "--fail-below",
          "psnr_y=99", status=command.GATE)
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--device", "cpu,cuda:77", status=DEVICE,
          says="cuda")
    for gpu in usable_gpus()[:1] if FULL else []:
        fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", METRICS, "--device", f"{gpu},{gpu}", "-o",
              "gpu.json")
        check(json.loads(read("gpu.json"))["frames"] == expected["frames"], f"{gpu} twice makes other scores")


@case
def a_device_of_a_list_that_cannot_be_used():
    """No frame is scored if one device of a list cannot be opened."""
    similar("ref.y4m", 11, 1)
    similar("dis.y4m", 11, 2)
    plan(4, "--metric", "psnr")
    for devices, status in (("cpu,moon", USAGE), ("moon,cpu", USAGE), ("cpu,cpu,moon", USAGE),
                            ("cuda:77,cpu", DEVICE)):
        says = "cuda" if status == DEVICE else "moon"
        fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--device", devices, "-o", "no.json",
              status=status, says=says)
        check(not os.path.exists("no.json"), f"{devices}: some frames were scored")
        fovea("run", "--shard", "all", "-o", "none", "--device", devices, status=status, says=says)
        check(not glob.glob("none/*.shard"), f"{devices}: some shards were computed")


@case
def damage_in_the_middle():
    similar("ref.y4m", 11, 1)
    data = read(similar("dis.y4m", 11, 2))
    size = 48 * 32 * 3 // 2 + 6
    place = len(data) - 4 * size
    write("dis.y4m", data[:place] + b"X" + data[place + 1:])
    plan(4, "--metric", "psnr")
    fovea("run", "--shard", "all", status=INPUT, says="frame 7")
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "-o", "whole.json", status=PARTIAL)
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "-o", "kept.json",
          "--resume", status=PARTIAL)
    kept, expected = json.loads(read("kept.json")), json.loads(read("whole.json"))
    check(kept["frames"] == expected["frames"] and kept["partial"], "a damaged video leaves other scores")


@case
def resumed_after_a_kill():
    frames = 700
    similar("ref.y4m", frames, 1)
    similar("dis.y4m", frames, 2)
    options = ["-r", "ref.y4m", "-d", "dis.y4m", "--device", "cpu", "--metric", "psnr_hvs,psnr", "--threads", "1"]
    fovea("score", *options, "-o", "whole.json")
    generator = random.Random(5)
    for _ in range(6 if FULL else 2):
        shutil.rmtree("kept.json.shards", ignore_errors=True)
        for _ in range(3):
            killed = subprocess.Popen([FOVEA, "score", *options, "-o", "kept.json", "--resume"],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(generator.uniform(0, 0.15))
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        fovea("score", *options, "-o", "kept.json", "--resume")
        check(read("kept.json") == read("whole.json"), "what was resumed is another report")
        check(not os.path.exists("kept.json.shards"), "the folder of shards was left behind")
        os.remove("kept.json")


def leftovers(folder="shards"):
    return [name for name in os.listdir(folder) if ".tmp" in name] if os.path.isdir(folder) else []


def start(*args):
    return subprocess.Popen([FOVEA, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@case
def runs_beside_each_other():
    similar("ref.y4m", 60, 1)
    similar("dis.y4m", 60, 2)
    expected = whole("--metric", METRICS)
    plan(20, "--metric", METRICS)
    for _ in range(4 if FULL else 1):
        shutil.rmtree("shards", ignore_errors=True)
        runs = [start("run", "--shard", "all", "--device", "cpu", "--threads", "1") for _ in range(3)]
        for run_ in runs:
            said = run_.communicate(timeout=command.PATIENCE)[1].decode()
            check(not run_.returncode, f"a run beside others exits with {run_.returncode}: {said}")
        check(merged() == expected, "runs beside each other make another report")
        check(not leftovers(), "runs beside each other leave temporary files")


@case
def runs_that_are_stopped():
    similar("ref.y4m", 60, 1)
    similar("dis.y4m", 60, 2)
    expected = whole("--metric", METRICS)
    plan(60, "--metric", METRICS)
    generator = random.Random(7)
    for i in range(24 if FULL else 4):
        stopped = start("run", "--shard", "all", "--device", "cpu", "--threads", "1")
        time.sleep(generator.uniform(0, 0.08))
        stopped.send_signal((signal.SIGTERM, signal.SIGINT)[i % 2])
        said = stopped.communicate(timeout=command.PATIENCE)[1].decode()
        # A signal before the command's handlers are set, or after its end, has its default effect.
        early = stopped.returncode in (-signal.SIGTERM, -signal.SIGINT)
        check(early or stopped.returncode in (OK, PARTIAL), f"a stopped run exits with {stopped.returncode}: {said}")
        check(early or stopped.returncode == OK or "fovea: " in said, "a stopped run does not say so")
        check(not leftovers(), "a stopped run leaves temporary files")
    compute(60)
    check(merged() == expected, "what stopped runs left makes another report")


@case
def full_disks():
    import resource

    def small_files(most):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    expected = whole("--metric", "psnr")
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--shards", "3", "-o", "new.json",
          status=OUTPUT, says=["new.json", "too large"], limit=small_files(1000))
    check(not os.path.exists("new.json"), "half of a plan is left")
    plan(3, "--metric", "psnr")
    for most in (0, 100, 200):  # limits below the size of a shard's record
        fovea("run", "--shard", "0", "--device", "cpu", status=OUTPUT, says=["shards/000000.run.json", "too large"],
              limit=small_files(most))
        check(not os.listdir("shards"), "a full disk leaves something")
    compute(3)
    write("merged.json", b"the old one")
    fovea("merge", "-o", "merged.json", "shards", status=OUTPUT, says="merged.json", limit=small_files(1000))
    check(read("merged.json") == b"the old one", "the old report is gone")
    check(merged() == expected, "shards after a full disk are another report")


@case
def what_resume_refuses():
    options = ["-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--resume"]
    fovea("score", *options, status=USAGE, says="-o FILE")
    os.mkdir("kept.json.shards")
    plan(1, "--metric", "psnr_hvs", name="kept.json.shards/plan.json")
    write("kept.json.shards/mine", b"mine")
    fovea("score", *options, "-o", "kept.json", status=USAGE, says="other options")
    os.remove("kept.json.shards/plan.json")
    fovea("score", *options, "-o", "kept.json", says="it contains other files")
    check(read("kept.json.shards/mine") == b"mine", "a file of the user's was removed")


@case
def scores_are_named_right_before_shards_are_computed():
    """A run of hours must not end with the message that a gate names no score."""
    options = ["-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--progress", "json", "-o", "named.json"]
    for shards in ["--resume"], ["--device", "cpu,cpu"]:
        for name in ["--fail-below", "nosuch=3"], ["--print", "nosuch"]:
            told = fovea("score", *options, *shards, *name, status=USAGE, says="unknown-score")[1]
            check('"progress"' not in told, f"{shards} {name}: frames were scored first")
            check(not os.path.exists("named.json.shards"), f"{shards} {name}: shards are left")


@case
def resume_past_a_damaged_plan():
    """The refusal of a damaged folder names a remedy, and the remedy works."""
    options = ["score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--resume", "-o", "kept.json"]
    os.mkdir("kept.json.shards")
    for damage in (b"", b"{", b"[]", b"\0" * 100, b'{"fovea_version": 1}'):
        write("kept.json.shards/plan.json", damage)
        fovea(*options, status=INPUT, says=["plan.json", "remove the folder kept.json.shards to start over"])
    shutil.rmtree("kept.json.shards")
    fovea(*options)


@case
def one_resume_at_a_time():
    """While one run holds the folder, others are refused and change neither its shards nor its report."""
    options = ["-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--resume", "-o", "kept.json"]
    os.mkdir("kept.json.shards")
    write("kept.json.shards/mine", b"mine")
    folder = os.open("kept.json.shards", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    fovea("score", *options, status=OUTPUT, says=["kept.json.shards", "another process", "wait for it"])
    check(os.listdir("kept.json.shards") == ["mine"], "a part was written")
    os.close(folder)
    os.remove("kept.json.shards/mine")
    fovea("score", *options)
    want = read("kept.json")
    os.remove("kept.json")
    at_once = [subprocess.Popen([FOVEA, "score", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
               for _ in range(3)]
    ended = [(process.communicate(timeout=command.PATIENCE)[1], process.returncode) for process in at_once]
    check(any(code == OK for _, code in ended) and all(code in (OK, OUTPUT) for _, code in ended),
          f"they end with {ended}")
    check(all(code == OK or b"another process" in error for error, code in ended), f"they say {ended}")
    check(read("kept.json") == want and not os.path.exists("kept.json.shards"), "the report is another one")


@case
def resume_deletes_what_it_wrote():
    options = ["-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--resume"]
    folder = "kept.json.shards"
    plan(2, "--metric", "psnr")
    compute(2, folder="other")
    os.mkdir(folder)
    mine = {f"{folder}/{name}": text for name, text in {
        "000007.shard": b"a film of mine", "000008.shard": read(shard(1, "other")), "000009.run.json": b"{}",
        "000000.shard.12.3.tmp": b"a draft", "plan.json.12.3.tmp": b"{ }", "000000.run.json.9.0.tmp": b"{}"}.items()}
    for name, text in mine.items():
        write(name, text)
    os.symlink("../ref.y4m", f"{folder}/000000.shard.7.0.tmp")
    write(f"{folder}/000000.run.json.7.0.tmp", b"")
    fovea("score", *options, "-o", "kept.json", says=[folder, "it contains other files"])
    check({f"{folder}/{name}" for name in os.listdir(folder)} == {*mine, f"{folder}/000000.shard.7.0.tmp"},
          f"left: {sorted(os.listdir(folder))}")
    check(all(read(name) == text for name, text in mine.items()), "a file of the user's changed")


# ---- Never an input ------------------------------------------------------------------------------------------------


@case
def never_an_input():
    plan(2, "--metric", "psnr")
    compute(2)
    names = ["plan.json", "ref.y4m", "dis.y4m", shard(0), "shards/000001.run.json"]
    before = {name: read(name) for name in names}
    os.symlink("plan.json", "link.json")
    for name in [*names, "link.json"]:
        fovea("merge", "-o", name, "--format", "json", "shards", status=USAGE,
              says=[name, "would overwrite the input", "name another file"])
    for name in ("ref.y4m", shard(0), "plan.json"):
        with open(name, "ab") as output:
            fovea("merge", "shards", stdout=output, status=USAGE, says=["standard output", name])
    fovea("plan", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", "--shards", "2", "-o", "dis.y4m",
          status=USAGE, says="would overwrite the input dis.y4m")
    for number, ending in ((0, "run.json"), (1, "shard")):
        os.mkdir(f"folder{number}")
        place = f"folder{number}/{number:06}.{ending}"
        shutil.copy("plan.json" if ending == "run.json" else "dis.y4m", place)
        if ending == "run.json":
            fovea("run", "--plan", place, "--shard", "all", "-o", "folder0", status=USAGE,
                  says=[place, "would overwrite the input"])
            check(os.listdir("folder0") == ["000000.run.json"], "a shard was computed")
            check(read(place) == before["plan.json"], "the plan is gone")
    check(all(read(name) == data for name, data in before.items()), "an input changed")


if __name__ == "__main__":
    run()
