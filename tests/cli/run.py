"""Runs the command as a user does. Usage: run.py FOVEA SOURCE_ROOT [WORD]; WORD picks the cases whose name has it."""

import csv
import io
import json
import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import clip
import schema

FOVEA, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SANITIZED = os.environ.get("FOVEA_SANITIZED") == "1"
CASES = []

OK, GATE, USAGE, INPUT, DEVICE, PARTIAL, OUTPUT, MEMORY = range(8)


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def check(condition, text):
    if not condition:
        raise Failed(text)


def case(function):
    CASES.append(function)
    return function


def without_leak_check(env):
    """GPU drivers and the C library's locales leak, fovea does not."""
    return dict(env, ASAN_OPTIONS=env.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def fovea(*args, status=OK, says=(), stdin=None, env=None, limit=None, stdout=subprocess.PIPE):
    """Runs it; checks the exit code and what standard error names. Returns (stdout, stderr)."""
    merged = dict(os.environ, **(env or {}))
    if env or "devices" in args or "--device" in args:
        merged = without_leak_check(merged)
    run = subprocess.run([FOVEA, *args], input=stdin, stdout=stdout, stderr=subprocess.PIPE, env=merged,
                         preexec_fn=limit, timeout=60, check=False)
    out, err = (run.stdout or b"").decode(), run.stderr.decode()
    shown = " ".join(args)
    check(run.returncode == status, f"'{shown}' exits with {run.returncode}, not {status}: {err.strip()}")
    for word in [says] if isinstance(says, str) else says:
        check(word in err, f"'{shown}' does not say '{word}' but: {err.strip()}")
    if status not in (OK, GATE, PARTIAL):
        check(not out, f"'{shown}' fails and prints: {out[:80]}")
    if status == OK:
        check("error" not in err, f"'{shown}' succeeds and complains: {err.strip()}")
    return out, err


def score(*args, **more):
    return fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "--metric", "psnr", *args, **more)


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)
    return name


def read(name):
    with open(name, "rb") as file:
        return file.read()


def report(name="report.json"):
    """The report, which must fit the schema."""
    value = json.loads(read(name))
    with open(os.path.join(ROOT, "docs", "report.schema.json"), encoding="utf-8") as file:
        rules = json.load(file)
    wrong = schema.errors(value, rules, rules)
    check(not wrong, "; ".join(wrong[:3]))
    return value


# ---- The schema checker itself


@case
def schema_checker_refuses():
    rules = {"type": "object", "additionalProperties": False, "required": ["a"], "properties": {
        "a": {"type": "integer", "minimum": 1}, "b": {"enum": ["x"]},
        "c": {"type": "array", "items": {"type": "null"}}}}
    check(not schema.errors({"a": 1, "b": "x", "c": [None]}, rules, rules), "a right value is refused")
    for wrong in ({}, {"a": 0}, {"a": True}, {"a": "1"}, {"a": 1, "b": "y"}, {"a": 1, "c": [1]}, {"a": 1, "d": 1},
                  []):
        check(schema.errors(wrong, rules, rules), f"{wrong} is accepted")


# ---- Help, lists, generated files


@case
def overview_without_command():
    out, err = fovea(status=USAGE, says="Usage:")
    check("fovea score" in err, "no example")


@case
def help_of_everything():
    for word in ("--help", "-h", "help"):
        check("Exit codes" in fovea(word)[0], f"'{word}' shows no overview")
    for command in ("score", "metrics", "devices", "demo"):
        text = fovea(command, "--help")[0]
        check(text.startswith(f"Usage: fovea {command}"), f"{command}: no usage line")
        check(text == fovea("help", command)[0], f"help {command} and {command} --help differ")
        check(all(len(line) <= 110 for line in text.splitlines() if "fovea " not in line), f"{command}: wide lines")


@case
def version():
    for word in ("--version", "-v"):
        check(fovea(word)[0].startswith("fovea 0."), "no version")


@case
def metrics_as_text_and_json():
    text, value = fovea("metrics")[0], json.loads(fovea("metrics", "--json")[0])
    check(value, "no metrics")
    for metric in value:
        check(metric["name"] in text, f"{metric['name']} is missing in the text")
        for option in metric["options"]:
            check(option["name"] in text, f"{metric['name']}: {option['name']} is missing in the text")
            check("default" in option and option["help"], f"{option['name']}: incomplete")
        for output in metric["outputs"]:
            check(output["better"] in ("higher", "lower"), f"{output['name']}: no direction")
    check([m["name"] for m in value] == sorted(m["name"] for m in value), "not alphabetical")


@case
def metrics_of_one_name():
    check([m["name"] for m in json.loads(fovea("metrics", "psnr", "--json")[0])] == ["psnr"], "not the one")
    fovea("metrics", "psnrr", status=USAGE, says="did you mean 'psnr'")


@case
def devices_as_text_and_json():
    value = json.loads(fovea("devices", "--json")[0])
    check("cpu" in [d["name"] for d in value], "no cpu")
    check("cpu" in fovea("devices")[0], "no cpu in the text")


@case
def demo_scores_every_metric():
    out = fovea("demo", "-o", "demo.json")[0]
    value = report("demo.json")
    names = [m["name"] for m in json.loads(fovea("metrics", "--json")[0])]
    check([m["name"] for m in value["metrics"]] == names, "not every metric")
    check("harmonic mean" in out and "psnr_y" in out, "no table")
    check(value["inputs"]["distorted"]["path"] is None, "a path for pushed frames")


@case
def readme_shows_what_the_demo_prints():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        check(fovea("demo")[0] in file.read(), "put the output of 'fovea demo' into README.md")


@case
def demo_is_the_same_on_every_isa():
    fovea("demo", "-o", "best.json")
    fovea("demo", "-o", "scalar.json", "--isa", "scalar", "--threads", "3")
    best, scalar = report("best.json"), report("scalar.json")
    check(best["frames"] == scalar["frames"] and best["pooled"] == scalar["pooled"], "scores differ")


def shell_accepts(shell, what, *check_only):
    if not shutil.which(shell):
        return
    write(f"completion.{what}", fovea("generate", what)[0].encode())
    run = subprocess.run([shell, *check_only, f"completion.{what}"], stderr=subprocess.PIPE, check=False)
    check(run.returncode == 0 and not run.stderr, f"{shell}: {run.stderr.decode()}")


@case
def completions_are_valid():
    shell_accepts("bash", "bash", "-n")
    shell_accepts("zsh", "zsh", "-n")
    shell_accepts("fish", "fish", "-n")
    for what in ("bash", "zsh", "fish"):
        text = fovea("generate", what)[0]
        for word in ("fail-below", "ignore-rate", "avx512", "libvmaf-json", "psnr"):
            check(word in text, f"{what}: {word} is missing")


@case
def bash_completes():
    if not shutil.which("bash"):
        return
    write("completion.bash", fovea("generate", "bash")[0].encode())
    for line, want in ((["fovea", "sc"], "score"), (["fovea", "score", "--fail-b"], "--fail-below"),
                       (["fovea", "score", "--isa", "avx51"], "avx512"),
                       (["fovea", "score", "--metric", "psn"], "psnr"),
                       (["fovea", "score", "-r", "ref"], "ref.y4m")):
        words = " ".join(f"'{w}'" for w in line)
        script = (f". ./completion.bash; COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _fovea; "
                  "echo ${COMPREPLY[@]}")
        got = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, check=True).stdout.decode().split()
        check(want in got, f"{line} completes to {got}")


@case
def man_page_is_clean():
    text = fovea("generate", "man")[0]
    for word in (".SH EXIT STATUS", "fail\\-below", "psnr_y"):
        check(word in text, f"{word} is missing")
    if shutil.which("groff"):
        run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=text.encode(), stderr=subprocess.PIPE,
                             check=False)
        check(not run.stderr, run.stderr.decode())


# ---- Scoring and the table


@case
def table():
    out, err = score()
    lines = out.splitlines()
    check(lines[0].split() == ["metric", "mean", "min", "max", "p5", "harmonic", "mean"], lines[0])
    check([l.split()[0] for l in lines[1:4]] == ["psnr_y", "psnr_cb", "psnr_cr"], out)
    check(lines[-1] == "3 frames", lines[-1])
    check(not err, f"stderr holds {err}")


@case
def spellings_of_libvmaf():
    score("-o", "a.json", "--frame-cnt", "2", "--frame-skip-ref", "1", "--frame-skip-dist", "1", "--metric",
          "psnr=enable_mse=true")
    fovea("score", "--reference", "ref.y4m", "--distorted=dis.y4m", "--feature", "psnr", "--feature",
          "name=psnr:enable_mse=true", "--frame_cnt", "2", "--frame_skip_ref=1", "--frame_skip_dist", "1", "-q", "-n",
          "--json", "--output", "b.json", "--threads", "2")
    check(report("a.json") == report("b.json"), "the reports differ")
    check(len(report("a.json")["frames"]) == 2, "not two frames")


@case
def words_of_options_join_by_either():
    score("--ignore_rate", "--fail_below", "psnr_y=1")
    score("--ignore-rate", "--fail-below", "psnr_y=1")


@case
def options_may_be_shortened():
    score("--short", "--sub=2")
    score("--frame=1", status=USAGE, says="ambiguous")


@case
def letters_may_be_joined():
    fovea("score", "-qnr", "ref.y4m", "-ddis.y4m", "-mpsnr")


@case
def metric_lists():
    score("--metric", "psnr=enable_chroma=false:enable_mse=true,psnr=enable_apsnr=1", "-o", "report.json")
    value = report()
    check([m["options"]["enable_apsnr"] for m in value["metrics"]] == [False, False, True], "wrong metrics")
    names = [o["name"] for m in value["metrics"] for o in m["outputs"]]
    check(len(names) == len(set(names)), f"names repeat: {names}")
    score("--metric", "psnr,,psnr", status=USAGE, says="name is missing")


@case
def raw_video():
    args = ["-w", "48", "-h", "32", "-p", "420", "-b", "10"]
    fovea("score", "-r", "ref10.yuv", "-d", "dis10.yuv", *args, "-m", "psnr", "-o", "a.json")
    fovea("score", "-r", "ref10.yuv", "-d", "dis10.yuv", "--width", "48", "--height=32", "--pixel_format",
          "yuv420p10le", "-m", "psnr", "-o", "b.json")
    check(read("a.json") == read("b.json"), "two ways to say the same geometry differ")
    fovea("score", "-r", "ref10.y4m", "-d", "dis10.y4m", "-m", "psnr", "-o", "c.json")
    check(report("a.json")["frames"] == report("c.json")["frames"], "raw and Y4M differ")


@case
def standard_input():
    score("-o", "a.json")
    fovea("score", "-r", "ref.y4m", "-d", "-", "-m", "psnr", "-o", "b.json", stdin=read("dis.y4m"))
    check(report("a.json")["frames"] == report("b.json")["frames"], "scores differ")
    fovea("score", "-r", "ref10.yuv", "-d", "-", "-w48", "-h32", "-pyuv420p10le", "-mpsnr", "-o", "a.json",
          stdin=read("dis10.yuv"))
    fovea("score", "-r", "ref10.y4m", "-d", "dis10.y4m", "-m", "psnr", "-o", "b.json")
    check(report("a.json")["frames"] == report("b.json")["frames"], "scores of raw video differ")
    fovea("score", "-r", "-", "-d", "-", "-m", "psnr", status=USAGE, says="only one")


@case
def every_chroma_format():
    for chroma in ("400", "420", "422", "444"):
        for depth in (8, 10, 12):
            write("r.y4m", clip.y4m(2, 37, 23, chroma, depth, 1))
            write("d.y4m", clip.y4m(2, 37, 23, chroma, depth, 5))
            fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "-o", "report.json")
            value = report()
            check(value["inputs"]["distorted"]["depth"] == depth, f"{chroma} {depth}: wrong depth")
            check(len(value["frames"][0]["metrics"]) == (1 if chroma == "400" else 3), f"{chroma}: wrong planes")


# ---- Reports


@case
def report_holds_what_was_done():
    score("--metric", "psnr=min_sse=0.5", "--subsample", "2", "--isa", "scalar", "-o", "report.json")
    value = report()
    check(not value["partial"] and value["partial_reason"] is None, "partial")
    check([f["frame"] for f in value["frames"]] == [0, 2] and value["frame_count"] == 2, "wrong frames")
    check(value["scoring"]["subsample"] == 2, "subsample is missing")
    check(value["metrics"][1]["options"]["min_sse"] == 0.5, "option is missing")
    check(value["device"]["isa"] == "scalar", "isa is missing")
    source = value["inputs"]["reference"]
    check((source["path"], source["reader"], source["width"], source["chroma"], source["rate"]) ==
          ("ref.y4m", "y4m", 48, "4:2:0", "25/1"), f"wrong input {source}")


@case
def pooled_values_follow_from_the_frames():
    write("r.y4m", clip.y4m(7))
    write("d.y4m", b"".join([clip.header()] + [b"FRAME\n" + clip.planes(48, 32, "420", 8, 3 * i) for i in range(7)]))
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "-o", "report.json")
    value = report()
    for name, pooled in value["pooled"].items():
        x = [f["metrics"][name] for f in value["frames"]]
        mean, ordered = sum(x) / len(x), sorted(x)
        want = {"mean": mean, "min": min(x), "max": max(x), "median": ordered[3],
                "harmonic_mean": len(x) / sum(1 / (1 + v) for v in x) - 1,
                "stddev": math.sqrt(sum((v - mean) ** 2 for v in x) / len(x)),
                "p25": ordered[1] + 0.5 * (ordered[2] - ordered[1]),
                "p5": ordered[0] + 0.3 * (ordered[1] - ordered[0])}
        for pool, v in want.items():
            check(math.isclose(pooled[pool], v, rel_tol=1e-12), f"{name} {pool} is {pooled[pool]}, not {v}")


@case
def every_format_has_the_same_values():
    more = ["--metric", "psnr=enable_mse=true:enable_apsnr=true:enable_chroma=false"]
    for name in ("a.json", "a.csv", "a.xml", "a.ndjson"):
        score("-o", name, *more)
    score("-o", "b.json", "--format", "libvmaf-json", *more)
    value = report("a.json")
    frames = [f["metrics"] for f in value["frames"]]
    rows = list(csv.DictReader(io.StringIO(read("a.csv").decode())))
    check([r.pop("Frame") for r in rows] == ["0", "1", "2"], "csv: wrong frames")
    check([{k: float(v) for k, v in r.items()} for r in rows] == frames, "csv: other values")
    lines = [json.loads(l) for l in read("a.ndjson").splitlines()]
    check([l["metrics"] for l in lines[:-1]] == frames, "ndjson: other frames")
    check(lines[-1] == {k: v for k, v in value.items() if k != "frames"}, "ndjson: other head")
    theirs = json.loads(read("b.json"))
    check([f["metrics"] for f in theirs["frames"]] == frames, "libvmaf-json: other frames")
    check([f["frameNum"] for f in theirs["frames"]] == [0, 1, 2], "libvmaf-json: other numbers")
    four = ("min", "max", "mean", "harmonic_mean")
    check(theirs["pooled_metrics"] == {n: {p: v[p] for p in four} for n, v in value["pooled"].items()},
          "libvmaf-json: other pooled values")
    check(theirs["aggregate_metrics"] == value["sequence"], "libvmaf-json: other sequence values")
    tree = xml.fromstring(read("a.xml"))
    check(tree.tag == "VMAF", "xml: wrong root")
    found = [{k: float(v) for k, v in f.attrib.items() if k != "frameNum"} for f in tree.find("frames")]
    check(found == frames, "xml: other frames")
    found = {m.attrib["name"]: {p: float(m.attrib[p]) for p in four} for m in tree.find("pooled_metrics")}
    check(found == theirs["pooled_metrics"], "xml: other pooled values")
    found = {k: float(v) for k, v in tree.find("aggregate_metrics").attrib.items()}
    check(found == value["sequence"], "xml: other sequence values")
    check(tree.find("params").attrib == {"qualityWidth": "48", "qualityHeight": "32"}, "xml: other params")


@case
def reports_on_standard_output_stand_alone():
    score("-o", "report.json")
    for args in (["--json"], ["-o", "-"], ["--format=json", "--output=-"]):
        check(score(*args)[0].encode() == read("report.json"), f"{args} prints something else")


@case
def values_that_are_not_finite():
    args = ("score", "-r", "ref.y4m", "-d", "ref.y4m", "-m", "psnr=enable_mse=true:enable_apsnr=true")
    names = [m["name"] for m in json.loads(fovea("metrics", "--json")[0])]
    if "psnr_hvs" in names:
        args = ("score", "-r", "ref.y4m", "-d", "ref.y4m", "-m", "psnr_hvs")
        fovea(*args, "-o", "report.json")
        check(report()["frames"][0]["metrics"]["psnr_hvs"] == "inf", "not inf")
        fovea(*args, "-o", "b.json", "--format", "libvmaf-json")
        check(json.loads(read("b.json"))["frames"][0]["metrics"]["psnr_hvs"] is None, "not null")
        fovea(*args, "-o", "b.csv")
        check(",inf" in read("b.csv").decode(), "csv: not inf")
    fovea(*args, "-o", "report.json")
    report()


@case
def reports_are_equal_byte_for_byte():
    write("r.y4m", clip.y4m(12))
    write("d.y4m", clip.y4m(12, seed=4))
    names = ["psnr=enable_mse=true:enable_apsnr=true"]
    for form in ("json", "csv", "xml", "ndjson", "libvmaf-json"):
        first = None
        for threads, flight in (("1", "1"), ("1", "0"), ("2", "0"), ("3", "1"), ("7", "20"), ("0", "0")):
            out = fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", names[0], "--format", form, "--threads", threads,
                        "--in-flight", flight)[0]
            first = first or out
            check(out == first, f"{form}: {threads} threads and {flight} in flight write another report")


@case
def numbers_know_no_locale():
    """Debian's base system has no locale but C, so one with a decimal comma is made."""
    if not shutil.which("localedef"):
        raise Skipped("no localedef")
    write("source", b'LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    subprocess.run(["localedef", "-c", "-i", "source", "-f", "ANSI_X3.4-1968", "./commas"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)
    commas = {"LC_ALL": "commas", "LOCPATH": os.getcwd()}
    gate = ["--fail-below", "psnr_y=1.5", "--metric", "psnr=min_sse=0.5"]
    for args in (["--json"], ["--csv"], gate):
        check(score(*args)[0] == score(*args, env=commas)[0], f"{args}: another locale, another output")


@case
def strange_paths_stay_json():
    name = b'a"\\\n\xff\xc3\xa9.y4m'
    write(name, read("dis.y4m"))
    run = subprocess.run([FOVEA, "score", "-r", "ref.y4m", "-d", name, "-m", "psnr", "-o", "report.json"],
                         stdout=subprocess.DEVNULL, check=False)
    check(run.returncode == 0, "cannot be opened")
    check(report()["inputs"]["distorted"]["path"] == 'a"\\\n\ufffd\u00e9.y4m', "the path is another one")


@case
def format_follows_the_name():
    score("-o", "x.csv")
    check(read("x.csv").startswith(b"Frame,"), "no csv")
    score("-o", "x.csv", "--json")
    report("x.csv")
    score("-o", "x.dat")
    report("x.dat")


# ---- Progress


@case
def progress_as_json():
    err = score("--progress", "json")[1]
    lines = [json.loads(line) for line in err.splitlines()]
    check(lines and lines[-1]["event"] == "progress", "no lines")
    check((lines[-1]["frames"], lines[-1]["total"]) == (3, 3), f"ends with {lines[-1]}")
    err = fovea("score", "-d", "none.y4m", "-r", "ref.y4m", "-m", "psnr", "--progress=json", status=INPUT)[1]
    line = json.loads(err)
    check((line["event"], line["status"]) == ("error", 3) and "none.y4m" in line["message"], f"says {err}")


@case
def progress_bar_only_on_a_terminal():
    check(score("--progress", "auto")[1] == "", "a bar without a terminal")
    check("3/3 frames" in score("--progress", "bar")[1], "no bar when asked for")
    check(score("--progress", "bar", "-q")[1] == "", "a bar although quiet")


# ---- Exit codes


@case
def exit_1_gate():
    value = {l.split()[0]: float(l.split()[1]) for l in score("--metric", "psnr=enable_mse=1")[0].splitlines()[1:4]}
    y = value["psnr_y"]
    for gate, status in ((f"psnr_y={y - 1}", OK), (f"psnr_y={y + 1}", GATE), (f"psnr_y={y + 1}:max", GATE),
                         ("psnr_y=0:p5", OK), ("psnr_cb=99:harmonic_mean", GATE)):
        out = score("--fail-below", gate, status=status)[0]
        check("psnr_y" in out, "no table")
    score("--fail-below", "psnr_y=0", "--fail-below", "psnr_y=99:min", status=GATE, says=["psnr_y", "min", "99"])
    errors = ("score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr=enable_mse=1", "--fail-above")
    fovea(*errors, "mse_y=1", status=GATE, says="mse_y")
    fovea(*errors, "mse_y=1e9")


USAGES = [
    (["scoer"], "did you mean 'score'"),
    (["help", "scoer"], "unknown command"),
    (["-r", "ref.y4m"], "needs a command"),
    (["score", "ref.y4m", "dis.y4m"], ["ref.y4m", "-r REFERENCE -d DISTORTED"]),
    (["score", "-r", "ref.y4m", "dis.y4m"], ["dis.y4m", "-r REFERENCE -d DISTORTED"]),
    (["score", "--", "-r"], "-r REFERENCE"),
    (["score"], "-r REFERENCE -d DISTORTED"),
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
    (["score", "--frame-cnt", "99999999999999999999"], "--frame-cnt"),
    (["score", "--format", "jsn"], ["jsn", "did you mean 'json'"]),
    (["score", "--isa", "avx"], "avx2"),
    (["score", "--progress", "dots"], "dots"),
    (["demo", "x"], "-r REFERENCE"),
    (["devices", "x"], "takes no names"),
    (["generate", "elvish"], "bash"),
]

PAIR_USAGES = [
    (["--metric", "psnrr"], "did you mean 'psnr'"),
    (["--metric", "psnr=enable_chrma=true"], "enable_chroma"),
    (["--metric", "psnr=min_sse=nan"], "min_sse"),
    (["--metric", "psnr=min_sse=inf"], "min_sse"),
    (["--metric", "psnr=min_sse=-1"], "min_sse"),
    (["--metric", "psnr=min_sse=1,5"], "5"),
    (["--metric", "psnr=enable_mse=maybe"], "enable_mse"),
    (["--metric", "psnr=enable_mse"], "enable_mse"),
    (["--metric", ""], "name is missing"),
    (["--feature", "name=psnrr"], "did you mean 'psnr'"),
    (["--feature", "x" * 5000], "too long"),
    (["--metric", "x" * 5000], "too long"),
    (["--device", "abacus"], "fovea devices"),
    (["--fail-below", "psnr_y"], "METRIC=VALUE"),
    (["--fail-below", "psnr_y=x"], "not a number"),
    (["--fail-below", "psnr_y=nan"], "not a number"),
    (["--fail-below", "psnr_y=30:p6"], ["p6", "did you mean"]),
    (["--fail-below", "psnr_yy=30"], ["psnr_yy", "psnr_cb"]),
    (["--fail-above", "psnr_y=30"], "--fail-below psnr_y=30"),
    (["-o", "dis.y4m"], ["overwrite", "dis.y4m"]),
    (["--width", "48"], ["raw", "--height is missing"]),
    (["-w", "48", "-h", "32", "-b", "8"], "--pixel-format is missing"),
    (["-w", "48", "-h", "32", "-p", "420"], "--bitdepth is missing"),
    (["-w", "0"], "--width"),
    (["-h", "x"], "--height"),
    (["-b", "7"], "--bitdepth"),
    (["-w", "48", "-h", "32", "-p", "411", "-b", "8"], "411"),
    (["-w", "48", "-h", "32", "-p", "yuv420p10be", "-b", "10"], "yuv420p10be"),
    (["-w", "48", "-h", "32", "-p", "yuv420p10le", "-b", "8"], ["10", "8"]),
]


@case
def exit_2_usage():
    for args, says in USAGES:
        fovea(*args, status=USAGE, says=says)


@case
def exit_2_usage_with_videos():
    for args, says in PAIR_USAGES:
        score("-o", "never.json", *args, status=USAGE, says=says)
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
                             ("rate.y4m", clip.y4m(rate="30:1"), ["25/1", "30/1", "--ignore-rate"])):
        refused(name, data, says)


@case
def options_that_decide_otherwise():
    write("length.y4m", clip.y4m(5))
    write("rate.y4m", clip.y4m(rate="30:1"))
    write("full.y4m", clip.y4m(extra=" XCOLORRANGE=FULL"))
    write("limited.y4m", clip.y4m(extra=" XCOLORRANGE=LIMITED"))
    fovea("score", "-r", "limited.y4m", "-d", "full.y4m", "-m", "psnr", status=INPUT,
          says=["limited", "full", "--ignore-range"])
    for ref, dis, option in (("ref.y4m", "length.y4m", "--shortest"), ("ref.y4m", "rate.y4m", "--ignore-rate"),
                             ("limited.y4m", "full.y4m", "--ignore-range")):
        out = fovea("score", "-r", ref, "-d", dis, "-m", "psnr", option, "-o", "report.json")[0]
        value = report()
        check(len(value["decisions"]) == 1, f"{option}: decisions are {value['decisions']}")
        check(value["decisions"][0] in out, f"{option}: the table does not tell")
        check(value["scoring"][option[2:].replace("-", "_")], f"{option}: the report does not say it")
        check(value["frame_count"] == 3, f"{option}: not three frames")


@case
def exit_4_device():
    import platform
    other = "avx2" if platform.machine() == "aarch64" else "neon"
    score("--isa", other, status=DEVICE, says=other)


def prores(name):
    return read(os.path.join(ROOT, "tests/prores/clips", name + ".icpf"))


def first_field(packet):
    """The frame without what comes behind its first picture."""
    start = 8 + int.from_bytes(packet[8:10], "big")
    end = start + int.from_bytes(packet[start + 1:start + 5], "big")
    return end.to_bytes(4, "big") + packet[4:end]


def damaged(packet):
    """Ones in the last slice, which make codewords that are too long or leave no end."""
    return packet[:-40] + bytes(20) + packet[-20:]


@case
def decode_on_every_gpu():
    names = [d["name"] for d in json.loads(fovea("devices", "--json")[0]) if d["usable"] and d["name"] != "cpu"]
    if not names:
        raise Skipped("no GPU")
    if subprocess.run([FOVEA, "decode", "ref.y4m", "--md5"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                      check=False).returncode == USAGE:
        raise Skipped("a build without Nettle")
    wide, fields, alpha = prores("ks_hq_w130_s8"), prores("ks_4444_bff_75x33"), prores("cr_444_a16_10bit_bff")
    clips = {
        "progressive": (wide, "10"),
        "interlaced": (fields, "12"),
        "alpha": (alpha * 9, "10"),
        "4444": (prores("ks_4444_w113_s8"), "12"),
        "pixel": (prores("cr_tiny_1x1"), "10"),
        "batches": (wide * 9 + damaged(wide) + wide * 8, "10"),
        "field": (fields + first_field(fields) + fields, "12"),
        "cut": (wide * 10 + wide[:-1], "10"),
    }
    for clip_name, (data, depth) in clips.items():
        path = write(clip_name + ".icpf", data)
        for more in ([], ["--strict"]):
            args = ["decode", path, "--bitdepth", depth, "--md5", *more]
            want = subprocess.run([FOVEA, *args], capture_output=True, check=False)
            lost = clip_name == "batches" or clip_name == "field"
            check(want.returncode == (INPUT if clip_name == "cut" or (lost and more) else OK), f"{clip_name}: cpu")
            check(not lost or b"frame" in want.stderr, f"{clip_name}: the CPU finds no damage")
            for name in names:
                got = subprocess.run([FOVEA, *args, "--device", name], capture_output=True, check=False,
                                     env=without_leak_check(os.environ))
                check((got.returncode, got.stdout, got.stderr) == (want.returncode, want.stdout, want.stderr),
                      f"{name}: {clip_name} {more} is not what the CPU decodes: {got.stderr.decode()[:200]}")
    fovea("decode", "ref.y4m", "-o", "a.y4m", "--device", names[0], status=USAGE, says=("ref.y4m", "ProRes only"))


@case
def decode_device_names():
    path = write("a.icpf", prores("cr_tiny_1x1"))
    fovea("decode", path, "-o", "a.y4m", "--device", "cpu")
    if len(json.loads(fovea("devices", "--json")[0])) == 1:
        fovea("decode", path, "-o", "a.y4m", "--device", "vulkan", status=DEVICE, says="CPU only")
        return
    fovea("decode", path, "-o", "a.y4m", "--device", "abacus", status=USAGE, says="abacus")
    fovea("decode", path, "-o", "a.y4m", "--device", "vulkan:99", status=DEVICE, says="vulkan")
    fovea("decode", path, "-o", "a.y4m", "--device", "auto", status=USAGE, says="vulkan[:N]")


@case
def every_device():
    score("-o", "cpu.json", "--device", "cpu")
    for device in json.loads(fovea("devices", "--json")[0]):
        name = device["name"]
        if not device["usable"]:
            score("--device", name, status=DEVICE)
            continue
        score("-o", "report.json", "--device", name)
        value = report()
        check(value["frames"] == report("cpu.json")["frames"], f"{name}: other scores")
        check(name.startswith(value["device"]["kind"]), f"{name}: the report names {value['device']}")


@case
def exit_5_partial():
    write("cut.y4m", read("dis.y4m")[:-100])
    for form in ("json", "csv", "xml", "ndjson", "libvmaf-json"):
        out = fovea("score", "-r", "ref.y4m", "-d", "cut.y4m", "-m", "psnr", "-o", f"report.{form}", "--format", form,
                    status=PARTIAL, says="cut.y4m")[0]
        check(not out, f"a table is printed: {out}")
        check("partial" in read(f"report.{form}").decode(), f"{form} does not say that it is partial")
    value = report()
    check(value["partial"] and "cut.y4m" in value["partial_reason"], "not marked")
    check([f["frame"] for f in value["frames"]] == [0, 1], f"frames are {value['frames']}")
    score("-o", "whole.json")
    check(value["frames"] == report("whole.json")["frames"][:2], "other scores than those of the whole video")
    out = fovea("score", "-r", "ref.y4m", "-d", "cut.y4m", "-m", "psnr", status=PARTIAL, says="-o FILE")[0]
    check(not out, f"a table is printed: {out}")


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
    out = run.communicate(timeout=30)[0]
    check(run.returncode == PARTIAL, f"exits with {run.returncode}")
    check(not out, "a table is printed")
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
        fovea("demo", "-o", path, status=OUTPUT, says=[path, says])


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
    check(json.loads(run.communicate(timeout=30)[0]), "nothing came through the pipe")


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
        for command in ("demo", "metrics", "devices", "--help", "--version"):
            fovea(command, status=OUTPUT, says="standard output", stdout=full)


@case
def exit_7_memory():
    if SANITIZED: # which need more address space than the limit below
        raise Skipped("sanitizers")
    header = clip.header(16384, 16384)
    with open("huge.y4m", "wb") as file:
        file.write(header + b"FRAME\n")
        file.truncate(len(header) + 6 + 16384 * 16384 * 3 // 2)

    def small_memory():
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

    fovea("score", "-r", "huge.y4m", "-d", "huge.y4m", "-m", "psnr", "--threads", "1", status=MEMORY,
          says="out of memory", limit=small_memory)


def prepare():
    write("ref.y4m", clip.y4m(seed=1))
    write("dis.y4m", clip.y4m(seed=2))
    for name, seed in (("ref", 1), ("dis", 2)):
        write(f"{name}10.yuv", clip.raw(depth=10, seed=seed))
        write(f"{name}10.y4m", clip.y4m(depth=10, seed=seed))


def main():
    chosen = [c for c in CASES if len(sys.argv) < 4 or sys.argv[3] in c.__name__]
    print(f"1..{len(chosen)}")
    failures = 0
    for number, function in enumerate(chosen, 1):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            prepare()
            try:
                function()
                print(f"ok {number} {function.__name__}")
            except Skipped as reason:
                print(f"ok {number} {function.__name__} # SKIP {reason}")
            except (Failed, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
                failures += 1
                print(f"not ok {number} {function.__name__}: {error!s}".replace("\n", " "))
            os.chdir("/")
    return failures > 0


sys.exit(main())
