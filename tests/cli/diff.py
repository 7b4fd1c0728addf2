"""Tests what scripts that search encoder settings use: fovea diff, --print and --batch."""

import json
import os
import re
import subprocess

import clip
from command import FOVEA, GATE, INPUT, OK, OUTPUT, PARTIAL, USAGE, case, check, fovea, read, run, score, write


def reports():
    score("-o", "old.json")
    fovea("score", "ref.y4m", "ref.y4m", "-m", "psnr=enable_mse=true", "--frames", "2", "-o", "new.json")
    return json.loads(read("old.json")), json.loads(read("new.json"))


def compared(*args, **how):
    return json.loads(fovea("diff", *args, "--format", "json", **how)[0])


@case
def numbers():
    old, new = reports()
    found = compared("old.json", "new.json")
    check((found["frames"], found["frames_only_old"], found["frames_only_new"]) == (2, old["frame_count"] - 2, 0),
          found)
    luma = found["scores"][0]
    check(luma["score"] == "psnr_y" and luma["better"] == "higher", luma)
    for side, report in (("old", old), ("new", new)):
        check(luma[side] == report["pooled"]["psnr_y"],
              f"the pools of {side} are not those of its report: {luma[side]}")
    check((luma["worse_frames"], luma["better_frames"]) == (0, 2) and "greatest_loss" not in luma, luma)
    back = compared("new.json", "old.json")["scores"][0]
    values = [(n["metrics"]["psnr_y"] - o["metrics"]["psnr_y"], n["frame"]) for o,
              n in zip(old["frames"], new["frames"])]
    check((back["worse_frames"], back["better_frames"]) == (2, 0), back)
    check(back["greatest_loss"]["frame"] == max(values)[1], f"{back['greatest_loss']} against {values}")
    same = compared("old.json", "old.json")
    check(not same["settings"] and not any(s["worse_frames"] + s["better_frames"] for s in same["scores"]), same)


@case
def settings():
    reports()
    told = {(s["what"], s["old"], s["new"]) for s in compared("old.json", "new.json")["settings"]}
    check(("metric", "psnr", None) in told and ("metric", None, "psnr=enable_mse=true") in told, told)
    check(("distorted video", "dis.y4m", "ref.y4m") in told, told)
    text = fovea("diff", "old.json", "new.json")[0]
    for word in ("2 frames in both", "only in old.json", "mse_y", "Distorted video: ref.y4m, was dis.y4m"):
        check(word in text, f"'{word}' is missing in {text}")
    check("PSNR, Cb" not in text and "PSNR, Cb" in fovea("diff", "old.json", "new.json", "--details")[0],
          "parts and --details")
    check("Nothing changed." in fovea("diff", "old.json", "old.json")[0], "two equal reports")
    check(max(map(len, text.splitlines())) <= 100, f"a line is longer than 100 columns: {text}")


@case
def first_line():
    """One sentence answers before all numbers, for each way in which scores can change."""
    for metrics in ("psnr", "psnr,ssimulacra2"):
        for name in ("dis.y4m", "ref.y4m"):
            fovea("score", "ref.y4m", name, "-m", metrics, "-o", f"{name}.{metrics}.json")
    old, new, both = "dis.y4m.psnr.json", "ref.y4m.psnr.json", "dis.y4m.psnr,ssimulacra2.json"
    mixed = json.loads(read(both))
    for frame in mixed["frames"]:
        frame["metrics"]["psnr_y"] -= 1
        frame["metrics"]["ssimulacra2"] += 1
    write("mixed.json", json.dumps(mixed).encode())
    for paths, begins, ends in (
            ((old, new), "Better: 60.00 instead of ", " dB by PSNR, luma"),
            ((new, old), "Worse: ", " instead of 60.00 dB by PSNR, luma"),
            ((old, old), "Equal: ", " dB in both by PSNR, luma"),
            ((both, "ref.y4m.psnr,ssimulacra2.json"), "Better: 100", "; 2 of 2 scores better and 0 worse"),
            ((both, "mixed.json"), "Mixed: ", " by SSIMULACRA 2; 1 of 2 scores better and 1 worse")):
        line = fovea("diff", *paths)[0].splitlines()[0]
        check(line.startswith(begins) and line.endswith(ends), f"{paths}: {line}")


@case
def gates():
    reports()
    fovea("diff", "old.json", "new.json", "--fail-if-worse", "psnr_y=0", "--fail-if-worse", "mse=1",
          status=USAGE, says="mse")
    fovea("diff", "old.json", "new.json", "--fail-if-worse", "psnr_y=0")
    fovea("diff", "old.json", "old.json", "--fail-if-worse", "psnr_y=0")
    fovea("diff", "new.json", "old.json", "--fail-if-worse", "psnr_y=1:p5", status=GATE,
          says=["p5", "psnr_y", "more than 1 worse"])
    fovea("diff", "new.json", "old.json", "--fail-if-worse", "psnr_y=1000")
    fovea("diff", "old.json", "old.json", "--fail-if-worse", "psnr_y=-1", status=USAGE, says="0 or more")
    fovea("diff", "old.json", "old.json", "--fail-if-worse", "psnr_y=1:p6", status=USAGE, says="p6")
    fovea("score", "ref.y4m", "dis.y4m", "-m", "motion", "-o", "motion.json")
    name = next(iter(json.loads(read("motion.json"))["pooled"]))
    fovea("diff", "motion.json", "motion.json", "--fail-if-worse", f"{name}=1", status=USAGE,
          says="neither higher nor lower is better")


@case
def settings_of_the_scoring():
    score("-o", "all.json")
    score("--every", "2", "-o", "some.json")
    said = fovea("diff", "all.json", "some.json")[0]
    check("Subsample: 2, was 1" in said, said)
    settings = json.loads(fovea("diff", "all.json", "some.json", "--format", "json")[0])["settings"]
    check([one for one in settings if one["what"] == "subsample"] == [{"what": "subsample", "old": "1", "new": "2"}],
          f"{settings}")
    check("ubsample" not in fovea("diff", "all.json", "all.json")[0], "a setting that did not change")
    write("older.json", read("all.json").replace(b'"numerics_version": ', b'"numerics_version": 90', 1))
    said = fovea("diff", "older.json", "all.json")[0]
    check(re.search(r"Numerics version: (\d+), was 90\1\n", said), said)


@case
def ladders():
    """Encodes match by their names, and each has to pass the gates; a report of one encode is no ladder."""
    os.makedirs("new", exist_ok=True)
    for name, seed in (("a", 2), ("b", 3), ("c", 4)):
        write(f"{name}.y4m", clip.y4m(seed=seed))
    write("new/a.y4m", clip.y4m(seed=2))
    write("new/b.y4m", clip.y4m(seed=1))
    write("new/d.y4m", clip.y4m(seed=4))
    fovea("score", "ref.y4m", "a.y4m", "b.y4m", "c.y4m", "-m", "psnr", "-o", "old.json")
    fovea("score", "ref.y4m", "new/a.y4m", "new/b.y4m", "new/d.y4m", "-m", "psnr,float_ssim", "-o", "new.json")
    old, new = ({os.path.basename(e["path"]): e for e in json.loads(read(name))["encodes"]}
                for name in ("old.json", "new.json"))
    found = compared("old.json", "new.json")
    check((found["only_old"], found["only_new"]) == (["c.y4m"], ["new/d.y4m"]), found)
    check(sorted(e["name"] for e in found["encodes"]) == ["a.y4m", "b.y4m"], found)
    for encode in found["encodes"]:
        luma = encode["scores"][0]
        check(luma["score"] == "psnr_y" and luma["better"] == "higher", luma)
        for side, report in (("old", old), ("new", new)):
            own = report[encode["name"]]
            check(luma[side] == own["scores"]["psnr_y"] and encode["path"][side] == own["path"] and
                  encode["verdict"][side] == own["verdict"]["sentence"], f"{encode} against {own}")
    text = fovea("diff", "old.json", "new.json")[0]
    for word in ("Better: by PSNR, luma, 1 of 2 encodes better and 0 worse", "c.y4m only in old.json",
                 "d.y4m only in new.json", "float_ssim only in new.json", "b.y4m: Identical (was: "):
        check(word in text, f"'{word}' is missing in {text}")
    check(max(map(len, text.splitlines())) <= 100, f"a line is longer than 100 columns: {text}")
    check("PSNR, Cb" in fovea("diff", "old.json", "new.json", "--details")[0], "--details")
    check("Nothing changed." in fovea("diff", "old.json", "old.json")[0], "two equal reports")
    check(fovea("diff", "new.json", "old.json")[0].startswith("Worse"), "the other way")
    fovea("diff", "old.json", "new.json", "--fail-if-worse", "psnr_y=0")
    err = fovea("diff", "new.json", "old.json", "--fail-if-worse", "psnr_y=0:p5", status=GATE,
                says="b.y4m: p5 psnr_y was 60")[1]
    check("a.y4m" not in err, err)
    fovea("diff", "old.json", "new.json", "--fail-if-worse", "float_ssim=1", status=USAGE, says="float_ssim")
    fovea("diff", "old.json", "new.json", "--fail-if-worse", "psnr_y=-1", status=USAGE, says="0 or more")
    fovea("score", "ref.y4m", "c.y4m", "new/d.y4m", "-m", "psnr", "-o", "others.json")
    fovea("diff", "others.json", "new.json")
    write("others.json", read("others.json").replace(b"c.y4m", b"x.y4m").replace(b"new/d.y4m", b"y.y4m"))
    fovea("diff", "others.json", "new.json", status=INPUT, says="no encode of one name")
    score("-o", "one.json")
    fovea("diff", "one.json", "new.json", status=INPUT, says="-o FOLDER")
    fovea("diff", "new.json", "one.json", status=INPUT, says="-o FOLDER")


@case
def refusals():
    reports()
    fovea("score", "ref.y4m", "dis.y4m", "-m", "float_ssim", "-o", "other.json")
    fovea("diff", "old.json", status=USAGE, says="two JSON reports")
    fovea("diff", "old.json", "other.json", status=INPUT, says="no score in common")
    fovea("diff", "old.json", "ref.y4m", status=INPUT, says="ref.y4m")
    fovea("diff", "missing.json", "old.json", status=INPUT, says="missing.json")
    fovea("diff", "old.json", "-", status=USAGE, says="standard input")
    write("third.y4m", read("dis.y4m"))
    fovea("score", "ref.y4m", "dis.y4m", "third.y4m", "-m", "psnr", "-o", "all.json")
    fovea("diff", "old.json", "all.json", status=INPUT, says="-o FOLDER")


@case
def print_numbers():
    score("-o", "old.json")
    pooled = json.loads(read("old.json"))["pooled"]["psnr_y"]
    out = score("--print", "psnr_y", "--print", "psnr_y:p5", "-o", "again.json")[0].split("\n")
    check([float(n) for n in out[:2]] == [pooled["mean"], pooled["p5"]] and out[2:] == [""], f"{out}")
    check(read("again.json") == read("old.json"), "--print changes the report")
    check(score("--print", "psnr_y", "--fail-below", "psnr_y=99", status=GATE)[0] == f"{pooled['mean']:.17g}\n",
          "a gate fails")
    check(score("--print", "psnr_y", "--device", "cpu,cpu")[0] == f"{pooled['mean']:.17g}\n", "two shards")
    for wrong, says in (("psnr_x", "psnr_cb"), ("psnr_y:p6", "unknown pooling"), (":p5", "SCORE:POOL"),
                        ("psnr_y:", "unknown")):
        check(score("--print", wrong, status=USAGE, says=says)[0] == "", f"--print {wrong} prints")
    score("--print", "psnr_y", "--json", status=USAGE, says="standard output")
    score("--print", "psnr_y", "-o", "-", status=USAGE, says="standard output")
    write("cut.y4m", read("dis.y4m")[:-100])
    out = fovea("score", "-r", "ref.y4m", "-d", "cut.y4m", "-m", "psnr", "--print", "psnr_y", status=PARTIAL)[0]
    check(out == "", f"a partial run prints {out}")


@case
def batch():
    score("-o", "old.json")
    pooled = json.loads(read("old.json"))["pooled"]["psnr_y"]
    jobs = [["ref.y4m", "dis.y4m"], ["ref.y4m", "missing.y4m"], ["ref.y4m", "dis.y4m", "-o", "again.json"],
            {"ref": 1}, [], ["ref.y4m", "dis.y4m", "--fail-below", "psnr_y=99"],
            ["ref.y4m", "dis.y4m", "--batch", "x"], ["ref.y4m", "--json", "dis.y4m"],
            ["ref.y4m", "dis.y4m", "-m", "motion", "--frames", "1"], ["ref.y4m", "dis.y4m", "-o", "jobs"],
            ["ref.y4m", "--help"]]
    text = "\n\n".join(map(json.dumps, jobs)).encode()
    write("jobs", text + b"\n[")
    for more in ({}, {"stdin": read("jobs")}):
        out = fovea("score", "--batch", "-" if more else "jobs", "-m", "psnr", status=PARTIAL, **more)[0]
        answers = [json.loads(line) for line in out.splitlines()]
        codes = [answer["status"] for answer in answers]
        check(codes == [0, INPUT, 0, USAGE, USAGE, GATE, USAGE, USAGE, 0, USAGE if not more else 0, USAGE, USAGE],
              f"{codes}")
        check([answer["job"] for answer in answers] == list(range(1, 13)), "the numbers of the jobs")
        check(all(("error" in answer) == (answer["status"] != 0) for answer in answers), f"{answers}")
        check(answers[3]["error"].startswith("line 7: ") and answers[11]["error"].startswith("line 22: "),
              f"{answers}")
        check("missing.y4m" in answers[1]["error"] and "psnr_y" in answers[5]["error"], f"{answers}")
        check(answers[0]["scores"]["psnr_y"] == pooled == answers[5]["scores"]["psnr_y"], f"{answers[0]}")
        check(read("again.json") == read("old.json"), "a report of a job is not that of one run")
        check(answers[8]["frames"] == 1 and len(answers[8]["scores"]) > 3, f"{answers[8]}")
        check(more or read("jobs") == text + b"\n[", "a job replaces the list of jobs")
    # A job must not name standard input as a video when the jobs themselves come from there.
    for wrong in (b'["ref.y4m","-"]', b'["-","dis.y4m"]'):
        out = fovea("score", "--batch", "-", "-m", "psnr", stdin=wrong + b'\n["ref.y4m","dis.y4m"]',
                    status=PARTIAL)[0]
        check([json.loads(line)["status"] for line in out.splitlines()] == [USAGE, 0], out)
    fovea("score", "--batch", "jobs", "-o", "old.json", status=USAGE, says="old.json")
    check(fovea("score", "--batch", "-", "-m", "psnr", stdin=b'["ref.y4m","dis.y4m"]')[0].count("\n") == 1,
          "one job without an end")
    fovea("score", "--batch", "-", "-m", "psnr", "--fail-below", "psnr_y=99", stdin=b'["ref.y4m","dis.y4m"]',
          status=GATE)
    check(fovea("score", "--batch", "-", stdin=b"")[0] == "", "no job")
    fovea("score", "--batch", "missing", status=INPUT, says="missing")
    os.mkfifo("pipe")
    fovea("score", "--batch", "pipe", status=INPUT, says="regular file")
    # The lengths are around the limit of 1 MiB. The job after a longer one must still be read.
    for size in ((1 << 20) - 1, 1 << 20, 5 << 20):
        jobs = [b'["' + b"x" * (size - 4) + b'"]', b'["ref.y4m","dis.y4m"]']
        for end in (b"\n", b""):
            out = fovea("score", "--batch", "-", "-m", "psnr", stdin=b"\n".join(jobs) + end, status=PARTIAL,
                        says="longer")[0]
            answers = [json.loads(line) for line in out.splitlines()]
            check([a["status"] for a in answers] == [USAGE, OK] and answers[1]["frames"] == 3, out[:300])
    fovea("score", "--batch", "-", stdin=jobs[0], status=PARTIAL, says="longer")


@case
def no_job_writes_onto_the_video_of_another():
    """A job must not write to a file that another job reads, whatever the file is called."""
    write("later.y4m", clip.y4m(seed=9))
    os.link("later.y4m", "same.y4m")
    write("mask.y4m", clip.y4m(3, chroma="400", seed=8))
    before = {name: read(name) for name in ("later.y4m", "ref.y4m", "mask.y4m")}
    for output in ("later.y4m", "same.y4m", "./ref.y4m", "mask.y4m"):
        jobs = [["ref.y4m", "dis.y4m", "--format", "json", "-o", output],
                ["ref.y4m", "later.y4m", "--roi", "mask.y4m"], ["ref.y4m", "dis.y4m", "-o", "x.json"],
                ["ref.y4m", "dis.y4m", "-o", "y.json"]]
        write("jobs", "\n".join(map(json.dumps, jobs)).encode())
        for more in ({}, {"stdin": open("jobs", "rb")}):
            name = "-" if more else "jobs"
            got = subprocess.run([FOVEA, "score", "--batch", name, "-m", "psnr"], capture_output=True,
                                 check=False, **more)
            answers = [json.loads(line) for line in got.stdout.decode().splitlines()]
            check([answer["status"] for answer in answers] == [USAGE, OK, OK, OK], f"{output}: {answers}")
            check(output in answers[0]["error"] and "name another file" in answers[0]["error"], f"{answers[0]}")
            check(all(read(name) == bytes for name, bytes in before.items()), f"{output} was written to")
            for file in more.values():
                file.close()


@case
def no_two_jobs_write_one_file():
    """A batch is refused before its first job if two of its lines write one file, whatever the file is called. Only
    regular files count."""
    os.makedirs("real", exist_ok=True)
    os.symlink("real", "link")
    write("there.json", b"{}")
    os.symlink("there.json", "same.json")
    for names in (("new.json", "new.json"), ("new.json", "./new.json"), ("real/new.json", "link/new.json"),
                  ("there.json", "same.json"), (os.path.abspath("new.json"), "new.json")):
        jobs = [["ref.y4m", "dis.y4m", "-o", "other.json", "-o", names[0], "--overwrite"], ["ref.y4m"],
                ["ref.y4m", "dis.y4m", "-o", names[1], "--overwrite"]]
        write("jobs", "\n\n".join(map(json.dumps, jobs)).encode())
        out, errors = fovea("score", "--batch", "jobs", "-m", "psnr", status=USAGE, says="line 1 and by line 5")[:2]
        check(not out and os.path.basename(names[0]) in errors, f"{names}: {out} {errors}")
        check(not os.path.exists("other.json"), f"{names}: a job ran")
    jobs = [["ref.y4m", "dis.y4m", "--format", "json", "-o", "/dev/null"],
            ["ref.y4m", "dis.y4m", "--format", "json", "-o", "/dev/null"],
            ["ref.y4m", "dis.y4m", "-o", "real/new.json"], ["ref.y4m", "dis.y4m", "-o", "new.json"],
            ["ref.y4m", "dis.y4m", "-o", "nowhere/new.json"]]
    write("jobs", "\n".join(map(json.dumps, jobs)).encode())
    out = fovea("score", "--batch", "jobs", "-m", "psnr", status=PARTIAL)[0]
    check([json.loads(line)["status"] for line in out.splitlines()] == [OK, OK, OK, OK, OUTPUT], out)


@case
def a_batch_lets_folders_of_shards_go():
    """When a job ends, its folder is unlocked, so a failed job can be repeated. A finished job keeps no file open."""
    whole = read("dis.y4m")
    write("bad.y4m", whole[:whole.rindex(b"FRAME\n")] + b"FRAMX\n" + whole[whole.rindex(b"FRAME\n") + 6:])
    bad = b'["ref.y4m","bad.y4m","--resume","-o","bad.json"]\n'
    with subprocess.Popen([FOVEA, "score", "--batch", "-", "-m", "psnr"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        open_files = set()
        for _ in range(3):
            process.stdin.write(bad + b'["ref.y4m","dis.y4m","--resume","-o","good.json"]\n')
            process.stdin.flush()
            answers = [json.loads(process.stdout.readline()) for _ in range(2)]
            check("bad.y4m" in answers[0]["error"] and answers[1]["status"] == OK, f"{answers}")
            open_files.add(len(os.listdir(f"/proc/{process.pid}/fd")))
        process.stdin.close()
    check(os.path.exists("bad.json.shards/plan.json"), "the job failed before it had a folder")
    check(len(open_files) == 1, f"{open_files} files are open")


if __name__ == "__main__":
    run()
