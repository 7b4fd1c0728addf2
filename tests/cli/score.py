"""Tests fovea score: options, inputs, devices, the table, progress."""

import fcntl
import json
import math
import operator
import os
import pty
import re
import struct
import termios
import threading

import clip
from command import (DEVICE, GATE, INPUT, Skipped, USAGE, case, check, fovea, read, report, run, score, usable_gpus,
                     write)


@case
def table():
    out, err = score()
    check(out == """\
Poor
dis.y4m against ref.y4m                                              48x32, 25 fps, 3 frames, 0.12 s

                      mean   worst 5 %   worst   at                  verdict
PSNR, luma       dB  22.62       22.33   22.30   0:00.040  frame 1   poor
Verdicts by: rule of thumb (PSNR, luma)
""", out)
    check(not err, f"stderr holds {err}")


PLAIN = ("score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnr", "--progress", "none")


def on_terminal(columns=100, words=PLAIN, **env):
    """Returns what the command writes to a terminal of this width."""
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    text = []

    def take():
        try:
            while part := os.read(ours, 4096):
                text.append(part)
        except OSError: # the terminal was closed
            pass

    taker = threading.Thread(target=take)
    taker.start()
    fovea(*words, stdout=terminal, env={"TERM": "xterm", "NO_COLOR": "", **env})
    os.close(terminal)
    taker.join()
    os.close(ours)
    return b"".join(text).decode().replace("\r\n", "\n")


@case
def colour_on_terminals_only():
    plain, _ = score()
    shown = on_terminal()
    check("\033[1m" in shown and "\033[2m" in shown, f"no colour on a terminal: {shown!r}")
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        check(on_terminal(**env) == plain, f"{env}: {on_terminal(**env)!r}")
    narrow = on_terminal(60, NO_COLOR="1")
    check(max(map(len, narrow.splitlines())) <= 60 and "PSNR, luma" in narrow, narrow)


@case
def every_text_fits():
    """Help, metrics and details wrap at blanks, and numbers are aligned in columns."""
    write("a.y4m", clip.y4m(3, width=384, height=216))
    details = ("score", "a.y4m", "a.y4m", "-m", "vmaf,psnr,cambi", "--details", "-q")
    for columns in (80, 100):
        for words in (("score", "--help"), ("view", "--help"), ("help", "score", "all"), ("metrics",), details):
            text = on_terminal(columns, words, NO_COLOR="1")
            longest = max((line for line in text.splitlines() if "fovea " not in line and "://" not in line), key=len)
            check(len(longest) <= columns, f"{words} at {columns} columns: {longest!r}")
    rows = [line for line in text.splitlines() if "integer_adm_scale" in line]
    check(len({len(row) for row in rows}) == 1 and len({row.split()[3] for row in rows}) == 4,
          f"scales of ADM: {rows}")


@case
def identical_and_converted():
    out, _ = fovea("score", "ref.y4m", "ref.y4m", "-m", "psnr")
    check(out.startswith("Identical\nref.y4m against ref.y4m") and "Every sample of all 3 frames is equal" in out and
          "worst" not in out, out)
    out, _ = fovea("score", "ref.y4m", "ref.y4m", "-m", "psnr,psnr_hvs,xpsnr,vdm")
    check(max(map(len, out.splitlines())) <= 100 and "PSNR-HVS: infinite; " in out, out)
    out, _ = score("--transfer-ref", "pq", "--transfer-dis", "pq")
    check("poor" not in out and "Verdicts" not in out, f"PSNR of PQ has a verdict: {out}")
    write("wide.y4m", clip.y4m(3, width=48, height=32, chroma="444", depth=10, seed=4))
    fovea("score", "ref.y4m", "wide.y4m", "-m", "psnr", status=INPUT, says="--convert")
    fovea("score", "ref.y4m", "wide.y4m", "-m", "psnr", "--convert", "all")
    for side, name in (("ref", "ref.y4m"), ("dis", "dis.y4m")):
        fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", f"--reader-{side}", "icpf", status=INPUT, says=name)


@case
def the_sentence_is_one():
    """For a clip with a ruined second, the terminal, --print, JSON, the page and a report that is read have the same
    sentence."""
    size, rate = 64 * 48, 25
    flat = [bytes([100 + n % 3]) * size + bytes([128]) * (size // 2) for n in range(75)]
    ruined = [frame if n // rate != 1 else bytes([160]) * size + frame[size:] for n, frame in enumerate(flat)]
    head = b"YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg\n"
    for name, frames in (("flat.y4m", flat),
                         ("ruined.y4m", [bytes(v + n % 2 for n, v in enumerate(b)) for b in ruined])):
        write(name, head + b"".join(b"FRAME\n" + frame for frame in frames))
    pair = ("score", "flat.y4m", "ruined.y4m", "-m", "psnr")
    sentence = "Excellent, but bad from 0:01.0 to 0:02.0"
    out, _ = fovea(*pair, "-o", "ruined.json", "-o", "ruined.html", "-o", "ruined.csv")
    check(out.startswith(sentence + "\nruined.y4m against flat.y4m"), out)
    check("segment   bad, 0:01.00 to 0:02.00. PSNR, luma " in out, out)
    check(fovea(*pair, "-q") == (sentence + "\n", ""), "-q")
    check('"progress"' in fovea(*pair, "-q", "--progress", "json")[1], "-q --progress json")
    check(fovea(*pair, "-q", "--print", "psnr_y")[0].count("\n") == 1, "-q --print")
    check(fovea(*pair, "-q", "--fail-below", "psnr_y=99", status=GATE)[0].startswith("Gate failed: "), "-q, gate")
    check(fovea(*pair, "--print", "verdict", "--print", "psnr_y")[0].startswith(sentence + "\n"), "--print verdict")
    verdict = report("ruined.json")["verdict"]
    check(verdict["sentence"] == sentence and verdict["kind"] == "but" and verdict["low_seconds"] == 1, f"{verdict}")
    check([(s["first"], s["last"], s["word"]) for s in verdict["segments"]] == [(25, 49, "bad")], f"{verdict}")
    check(f"<span>{sentence}</span>".encode() in read("ruined.html"), "the page's headline")
    check(fovea("report", "ruined.json")[0].startswith(sentence + "\n"), "a report that is read")
    low = [line.rsplit(b",", 1)[1] for line in read("ruined.csv").splitlines()]
    check(low == [b"Low"] + [b"4" if n // rate == 1 else b"0" for n in range(75)], f"{low}")
    moving = [bytes((x * 7 + y * 3 + 13 * n * (1 + x // 16)) % 200 + 20 for y in range(48) for x in range(64)) +
              frame[size:]
              for n, frame in enumerate(flat)]
    for name, frames in (("moving.y4m", moving), ("late.y4m", moving[:1] * 2 + moving[:-2])):
        write(name, head + b"".join(b"FRAME\n" + frame for frame in frames))
    out, _ = fovea("score", "moving.y4m", "late.y4m", "-m", "psnr", "--print", "verdict")
    check(out == "Not comparable: the encode is 2 frames late\n", out)
    gated = ("--fail-above", "low_seconds=0.5", "-o", "low.json")
    out, _ = fovea(*pair, *gated, "-o", "low.xml", "-o", "low.html", status=1)
    check(out.startswith(f"Gate failed: Low seconds, 1.00 is above 0.5. {sentence}\n"), out)
    check("failed   Low seconds, of the clip: 1.00 is above 0.5\n" in out, out)
    gate = {"score": "low_seconds", "pool": None, "fails": "above", "limit": 0.5, "value": 1, "outcome": "failed"}
    check(report("low.json")["gates"] == [gate], f"{report('low.json')['gates']}")
    check(b"Low seconds, of the clip<br><span class=\"faint\">1.00, must not be above 0.5<" in read("low.html"),
          "the page's gate")
    check(b'<failure message="Low seconds, of the clip: 1.00 is above 0.5"/>' in read("low.xml"), "the test case")
    check(fovea("report", "low.json")[0].startswith("Gate failed: Low seconds"), "a gate that is read")
    check(fovea(*pair, "--fail-above", "low_seconds=1", "--print", "low_seconds")[0] == "1\n", "low for 1 s")
    write("copy.y4m", read("flat.y4m"))
    out, _ = fovea("score", "flat.y4m", "ruined.y4m", "copy.y4m", "-m", "psnr", *gated, status=1)
    check("Low seconds, at most 0.5: 1 of 2 pass\n" in out, out)
    check([e["passes"] for e in json.loads(read("low.json"))["encodes"]] == [False, True], "which encode passes")
    check("Low seconds, at most 0.5: 1 of 2 pass\n" in fovea("report", "low.json")[0], "the gate of encodes")
    fovea(*pair, "--fail-below", "low_seconds=1", status=USAGE, says="write --fail-above low_seconds=1")
    fovea(*pair, "--fail-above", "low_seconds=1:p5", status=USAGE, says="is one value for the whole clip")
    fovea(*pair, "--fail-above", "low_second=1", status=USAGE, says="did you mean 'low_seconds'?")
    fovea(*pair[:-1], "psnr_hvs", "--fail-above", "low_seconds=1", status=USAGE,
          says="needs a score that has words for these videos, and the run has none; add the metric 'ssimulacra2'")
    out, _ = fovea(*pair, "--fail-below", "psnr_y=30:p5", status=1)
    check(out.startswith("Gate failed: PSNR, luma, worst 5 %, 12") and f"is below 30. {sentence}\n" in out, out)


@case
def what_judges_nothing():
    """The amount of motion has no worst frame and takes gates in both directions."""
    out, _ = score("-m", "motion,psnr", "-o", "motion.json", "--fail-below", "integer_motion2=0", "--fail-above",
                   "integer_motion2=1000")
    check("Motion                1.23           -       -                       -" in out, out)
    outputs = {o["name"]: o["better"] for m in report("motion.json")["metrics"] for o in m["outputs"]}
    check(outputs["integer_motion2"] == "neither" and outputs["psnr_y"] == "higher", f"{outputs}")


@case
def short_and_joined_spellings():
    score("-o", "a.json", "--frames", "2", "--frame-skip-ref", "1", "--frame-skip-dist", "1", "--metric",
          "psnr=enable_mse=true")
    fovea("score", "--reference", "ref.y4m", "--distorted=dis.y4m", "-m", "psnr,psnr=enable_mse=true",
          "--frame_cnt", "2", "--frame_skip_ref=1", "--frame_skip_dist", "1", "-q", "--json", "--output", "b.json",
          "--threads", "2")
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
    fovea("score", "-qr", "ref.y4m", "-ddis.y4m", "-mpsnr")


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
    check(report("a.json")["pooled"] == report("c.json")["pooled"], "raw and Y4M differ")
    check(report("a.json")["frames"][1]["time"] is None, "a time without a rate")


@case
def standard_input():
    score("-o", "a.json")
    fovea("score", "-r", "ref.y4m", "-d", "-", "-m", "psnr", "-o", "b.json", stdin=read("dis.y4m"))
    check(report("a.json")["frames"] == report("b.json")["frames"], "scores differ")
    fovea("score", "-r", "ref10.yuv", "-d", "-", "-w48", "-h32", "-pyuv420p10le", "-mpsnr", "-o", "a.json",
          stdin=read("dis10.yuv"))
    fovea("score", "-r", "ref10.y4m", "-d", "dis10.y4m", "-m", "psnr", "-o", "b.json")
    check(report("a.json")["pooled"] == report("b.json")["pooled"], "scores of raw video differ")
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
            check(len(value["frames"][0]["metrics"]) == (1 if chroma == "400" else 4), f"{chroma}: wrong planes")


@case
def one_psnr_of_three_planes():
    """psnr_yuv and apsnr_yuv follow from the errors of the planes. Both are missing if a plane is missing or has no
    sample."""
    table = {"aom": {"420": ((14, 1, 1), (4, 1, 1)), "422": ((8, 1, 1), (8, 1, 1)), "444": ((4, 1, 1), (4, 1, 1))},
             "jvet": {"420": ((6, 1, 1), (4, 1, 1)), "422": ((6, 1, 1), (4, 2, 2)), "444": ((6, 1, 1), (4, 4, 4))}}
    runs = [(ctc, given, planes) for ctc in table for given in ((), ((2, 0, 3), (0, 1, 1000))) for planes in (3, 1)]
    text = ",".join(f"psnr=enable_mse=1:enable_apsnr=1:reduced_hbd_peak=1:ctc={ctc}:enable_chroma={planes // 3}" +
                    "".join(f":{name}=" + r"\:".join(map(str, weights)) for name,
                            weights in zip(("weights", "clip_weights"), given))
                    for ctc, given, planes in runs)
    for chroma in ("400", "420", "422", "444"):
        for depth in (8, 10, 12, 16):
            for width, height in ((37, 23), (1, 1)):
                write("r.y4m", clip.y4m(2, width, height, chroma, depth, 1))
                write("d.y4m", clip.y4m(2, width, height, chroma, depth, 5))
                fovea("score", "r.y4m", "d.y4m", "-m", text, "-o", "report.json")
                value = report()
                for (ctc, given, planes), metric in zip(runs, value["metrics"]):
                    names = {name: output["name"] for output in metric["outputs"]
                             for name in ("psnr_yuv", "apsnr_yuv", "mse_y", "mse_cb", "mse_cr")
                             if output["name"].startswith(name)}
                    what = f"{chroma}, {depth} bits, {width}x{height}, {ctc}, {given}, {planes}: {names}"
                    exist = planes == 3 and (chroma == "444" or chroma != "400" and width > 1)
                    check(("psnr_yuv" in names, "apsnr_yuv" in names) == (exist, exist), what)
                    if not exist:
                        continue
                    frame_weights, clip_weights = given or table[ctc][chroma]
                    peak = 255 << depth - 8 if ctc == "jvet" else (1 << depth) - 1
                    sums = [0, 0, 0]
                    for frame in value["frames"]:
                        errors = [frame["metrics"][names[f"mse_{plane}"]] for plane in ("y", "cb", "cr")]
                        decibels = [10 * math.log10(peak ** 2 / error) if error else 6 * depth + 12
                                    for error in errors]
                        sums = [old + error / len(value["frames"]) for old, error in zip(sums, errors)]
                        want = sum(map(operator.mul, frame_weights, decibels)) / sum(frame_weights)
                        check(abs(frame["metrics"][names["psnr_yuv"]] - want) < 1e-9,
                              f"{what}: psnr_yuv is not {want}")
                    want = 10 * math.log10(peak ** 2 * sum(clip_weights) / sum(map(operator.mul, clip_weights, sums)))
                    check(abs(value["sequence"][names["apsnr_yuv"]] - want) < 1e-9,
                          f"{what}: apsnr_yuv is not {want}")


@case
def weights_of_planes_that_are_none():
    for name in ("weights", "clip_weights"):
        for weights in ("", "6", "6:1", "6:1:1:1", "6:1:", "0:0:0", "1001:1:1", "-1:1:1", "6:1:x", "6.5:1:1",
                        "99999999:1:1"):
            score("--metric", f"psnr={name}=" + weights.replace(":", r"\:"), status=USAGE,
                  says=[f"psnr: option {name} takes", "6:1:1"])
    score("--metric", "psnr=ctc=jct", status=USAGE, says="aom, jvet")


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
        out = fovea("score", ref, dis, "-m", "psnr", option, "--details", "-o", "report.json", "--device", "cpu")[0]
        value = report()
        told = [text for text in value["decisions"] if not text.startswith("neither video states its range")]
        check(len(told) == 1, f"{option}: decisions are {value['decisions']}")
        check(told[0] in " ".join(out.split()), f"{option}: the details do not tell")
        check(value["scoring"][option[2:].replace("-", "_")], f"{option}: the report does not say it")
        check(value["frame_count"] == 3, f"{option}: not three frames")


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
def metrics_are_checked_before_a_device_is_opened():
    for device in ("cuda:1000", "vulkan:1000"):
        score("--device", device, status=DEVICE)
        fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "-m", "psnrr", "--device", device, status=USAGE,
              says="did you mean 'psnr'")


@case
def the_first_use_of_a_gpu_is_told():
    """The message about a GPU's first use comes once, before the first frame. Names of scores are checked after
    it."""
    names = usable_gpus()
    if not names:
        raise Skipped("no GPU")
    for first in (True, False):
        err = score("--progress", "json", "--device", names[0], "--print", "psnr_y",
                    env={"XDG_CACHE_HOME": os.getcwd()})[1]
        lines = [json.loads(line) for line in err.splitlines()]
        tells = {"frames": 0, "total": 3, "pace": {"limited_by": f"the first test of 1 feature on {names[0]}"}}
        check(({name: lines[0][name] for name in tells} == tells) == first, f"begins with {lines[0]}")
        check(lines[-2]["frames"] == 3 and lines[-1]["code"] == "done", f"ends with {lines[-2:]}")


@case
def progress_as_json():
    err = score("--progress", "json")[1]
    lines = [json.loads(line) for line in err.splitlines()]
    check([line["event"] for line in lines[-2:]] == ["progress", "end"], "no lines")
    lines.pop()
    check((lines[-1]["frames"], lines[-1]["total"]) == (3, 3), f"ends with {lines[-1]}")
    pace = lines[-1]["pace"]
    check(pace["limited_by"] in ("reading ref.y4m", "reading dis.y4m")
          or pace["limited_by"].startswith(("scoring on ", "transfer to ")), f"says {pace}")
    check(all(pace["reading"][side] > 0 for side in ("reference", "distorted")), f"says {pace}")
    check("decoding" not in pace and "preparing" not in pace, f"says {pace}")
    score("-o", "plain.json")
    check("pace" not in report("plain.json"), "a report says how fast it went without being asked")
    for name in "pace.json", "pace.ndjson":
        score("--timing", "-o", name)
        told = json.loads(read(name).splitlines()[-1])["pace"] if name == "pace.ndjson" else report(name)["pace"]
        check(told["limited_by"] and told["reading"]["distorted"] > 0, f"{name} says {told}")
    for args in ["--resume"], ["--device", "cpu,cpu"]:
        score("--timing", *args, "-o", "pace.json", status=USAGE, says="shards are several runs: leave it out")
    for args in [], ["-o", "pace.csv"], ["--csv"]:
        score("--timing", *args, status=USAGE, says="-o FILE.json")
    err = fovea("score", "-d", "none.y4m", "-r", "ref.y4m", "-m", "psnr", "--progress=json", status=INPUT)[1]
    line = json.loads(err.splitlines()[0])
    check((line["event"], line["status"]) == ("error", 3) and "none.y4m" in line["message"], f"says {err}")


@case
def progress_bar_only_on_a_terminal():
    check(score("--progress", "auto")[1] == "", "a bar without a terminal")
    check("3/3 frames" in score("--progress", "bar")[1], "no bar when asked for")
    check("3/3 frames" in score("--progress", "bar", "-q")[1], "-q takes a bar that is asked for")


@case
def addresses_and_pipes():
    address = "https://example.org/a.mp4"
    fovea("score", "ref.y4m", address, "-m", "psnr", status=USAGE, says=[address, "download", "yuv4mpegpipe"])
    write("a.y4m", clip.moving(range(12)))
    fovea("score", "a.y4m", "-", "-m", "psnr", "--align", "auto", stdin=read("a.y4m"), status=INPUT,
          says=["standard input can be read only once", "--align time"])
    fovea("score", "a.y4m", "-", "-m", "psnr", "--align", "time", stdin=read("a.y4m"))
    for name in ("PSNR", "Psnr", "psrn"):
        fovea("score", "ref.y4m", "dis.y4m", "-m", name, status=USAGE, says="did you mean 'psnr'?")
    fovea("score", "ref.y4m", "dis.y4m", "-m", "SSIM", status=USAGE, says="did you mean 'float_ssim'?")
    for name, meant in (("PSNR", "psnr_y"), ("VMAF", "vmaf"), ("psnr", "psnr_y")):
        text = fovea("score", "a.y4m", "a.y4m", "--fail-below", f"{name}=30", status=USAGE,
                     says=f"did you mean '{meant}'?")[1]
        check("integer_adm" not in text, f"parts of VMAF in {text}")
    fovea("decode", "dis.y4m", "-o", "x.mp4", status=USAGE, says=["x.mp4", ".y4m"])
    fovea("map", "dis.y4m", "-o", "x.png", status=USAGE, says=["x.png", ".y4m"])


@case
def aligned_by_content():
    """The scores are those of a pair that was prepared by hand."""
    def aligned(how, **more):
        return fovea("score", "a.y4m", "b.y4m", "--align", how, "--metric", "psnr", "--details",
                     "-o", "x.json", **more)

    write("a.y4m", clip.moving(range(40)))
    write("b.y4m", clip.moving(range(4, 40), seed=1))
    fovea("score", "-r", "a.y4m", "-d", "b.y4m", "--frame-skip-ref", "4", "--metric", "psnr", "-o", "hand.json")
    for how in ("auto", "map"):
        out, _ = aligned(how)
        value, hand = report("x.json"), report("hand.json")
        check(value["frames"] == hand["frames"], f"{how}: other scores than by hand")
        check("shows reference frame 4" in " ".join(out.split()) and value["scoring"]["align"] == how, out)
    kept = [n for n in range(40) if n not in (20, 21)]
    write("b.y4m", clip.moving(kept, seed=1))
    aligned("auto", status=INPUT, says="--align map")
    aligned("map")
    value = report("x.json")
    check(len(value["frames"]) == 38, "not 38 pairs")
    check(any("2 dropped at 20" in text for text in value["decisions"]), f"{value['decisions']}")
    check(value["pooled"]["psnr_y"]["min"] > 40, "a wrong pair is scored")
    write("b.y4m", clip.moving([0] * 40))
    aligned("map", status=INPUT, says="cannot be aligned")
    write("b.y4m", clip.moving(range(5)))
    aligned("auto", status=INPUT, says="fewer than 8 frames")
    fovea("score", "-r", "a.y4m", "-d", "b.y4m", "--align", "auto", "--frame-skip-ref", "1", status=USAGE,
          says="index")


@case
def what_alignment_leaves_out():
    """Dropped and repeated frames, which no score shows, get a line in the table and on the page. A freeze at any
    place is in the verdict."""
    frozen = "Excellent, but frozen"
    table = [  # frames of the distorted video; what the line says; how the verdict begins
        ([*range(30), *range(34, 60)], "drops 4 frames of the reference and repeats 0", "Excellent"),
        ([*range(30), *range(31, 60)], "drops 1 frame of the reference and repeats 0", "Excellent"),
        ([*range(30), *[29] * 3, *range(30, 60)], "repeats 3, which these scores do not show: 3 repeated at 30 to 32",
         "Excellent"),
        ([*range(20), *[19] * 12, *range(20, 60)], "stands still in frames 20 to 31", frozen),
        ([*range(9), *[8] * 20, *range(9, 60)], "stands still in frames 9 to 28", frozen),
        ([*range(48), *[47] * 20, *range(48, 60)], "stands still in frames 48 to 67", frozen),
        (list(range(5, 60)), "the first 5 frames of the reference have no pair", "Excellent"),
        (list(range(50)), "the last 10 frames of the reference have no pair", "Excellent"),
        (list(range(60)), None, "Excellent"),
    ]
    write("a.y4m", clip.moving(range(60)))
    for frames, told, verdict in table:
        write("b.y4m", clip.moving(frames, seed=1))
        out, _ = fovea("score", "a.y4m", "b.y4m", "--align", "map", "--metric", "psnr", "-o", "x.json",
                       "-o", "x.html", "--overwrite")
        text = " ".join(out.split())
        sentence = report("x.json")["verdict"]["sentence"]
        check(sentence.startswith(verdict) and ("frozen" in sentence) == (verdict == frozen), f"{told}: {sentence}")
        check(sentence in text, f"the table has another verdict: {text}")
        if told is None:
            check("Pairing:" not in text and "Warning:" not in text, text)
        else:
            check(told in text, f"{told}: {text}")
            check(told in read("x.html").decode(), f"{told}: not on the page")


@case
def equal_frames_are_counted():
    """Table and page say how many frames each score in decibels finds equal, and nothing if there are none."""
    def noted(kept):
        moved = [n if n < kept else n + 1 for n in range(12)]
        write("b.y4m", clip.moving(moved))
        out, _ = fovea("score", "a.y4m", "b.y4m", "--metric", "psnr,xpsnr", "-o", "x.html", "-o",
                       "x.json", "--overwrite")
        return " ".join(out.split()), read("x.html").decode(), report("x.json")["equal_frames"]

    write("a.y4m", clip.moving(range(12)))
    for kept in (0, 1, 7):
        text, page, counts = noted(kept)
        check(set(counts.values()) == {kept}, f"{kept}: {counts}")
        for title in ("PSNR, luma", "XPSNR"):
            for face, where in ((text, "table"), (page, "page")):
                told = re.search(title + r"[^.]{0,8} finds (\d+) of 12 frames equal", face)
                check(int(told[1]) == kept if told else not kept, f"{where}, {title}, {kept}: {told}")


@case
def depths_that_metrics_lack_have_a_remedy():
    """`--convert depth` multiplies the samples, so the scores are those of videos of that depth."""
    def both(depth, *args, **more):
        return fovea("score", f"r{depth}.y4m", f"d{depth}.y4m", "--device", "cpu", "-o", "x.json", *args, **more)

    for depth in range(9, 17):
        for name, seed in (("r", 1), ("d", 2)):
            write(f"{name}{depth}.y4m", clip.y4m(frames=2, width=64, height=64, depth=depth, seed=seed))
    for depth, usual in ((9, 10), (11, 12), (13, 16), (14, 16), (15, 16)):
        for metric in ("psnr", "ciede", "float_ssim", "speed_temporal=speed_prescale=2"):
            err = both(depth, "-m", metric, status=INPUT, says=f"not defined for {depth} bits per sample")[1]
            found = re.search("with (--convert depth)$", err, re.M)
            check(found, err)
            both(depth, "-m", metric, *found[1].split())
            frames = report("x.json")["frames"]
            both(usual, "-m", metric)
            check(report("x.json")["frames"] == frames, f"{metric} of {depth} bits differs from {usual}")
    for metric in ("siti", "levels"):
        err = fovea("check", "r14.y4m", "-m", metric, "--device", "cpu", status=INPUT)[1]
        check("bits with --convert depth" in err, err)
        fovea("check", "r14.y4m", "-m", metric, "--device", "cpu", "--convert", "depth")


@case
def an_equal_frame_raises_no_pool_beyond_the_error_of_the_clip():
    """Every score in decibels counts an equal frame as the best other frame or as the error of the clip."""
    brighter = bytes(min(235, value + 6) for value in range(256))
    data = bytearray(clip.y4m(frames=6, width=176, height=176))
    write("a.y4m", bytes(data))
    second = data.index(b"FRAME", data.index(b"FRAME") + 1)
    for at in range(second, len(data), 176 * 176 * 3 // 2 + 6):
        data[at + 6:at + 176 * 176 * 3 // 2 + 6:2] = data[at + 6:at + 176 * 176 * 3 // 2 + 6:2].translate(brighter)
    write("b.y4m", bytes(data))
    metrics = "psnr,psnr_hvs,xpsnr,ciede,pu_psnr,float_ssim=enable_db=true,float_ms_ssim=enable_db=true"
    fovea("score", "a.y4m", "b.y4m", "--metric", metrics, "-o", "x.json")
    value, tried = report("x.json"), 0
    for name, pools in value["pooled"].items():
        first, *others = [frame["metrics"][name] for frame in value["frames"]]
        if first != "inf" and first < 60:
            continue
        tried += 1
        most = max(others) + 10 * math.log10(6 / 5) + 1e-9
        check(all(isinstance(pool, (int, float)) for pool in pools.values()) and pools["max"] <= most,
              f"{name}: {pools}, most {most}")
        fovea("score", "a.y4m", "b.y4m", "--metric", metrics, "--fail-below", f"{name}={most}", status=GATE)
    check(tried == 15, f"{tried} scores in decibels")


@case
def aligned_by_time():
    """Against half the frame rate, every other frame is scored; with equal rates, the result is that of pairing by
    index."""
    write("a.y4m", clip.moving(range(12)))
    write("b.y4m", clip.moving(range(0, 12, 2), seed=1))
    data = read("b.y4m").replace(b"F25:1", b"F25:2", 1)
    write("b.y4m", data)
    fovea("score", "-r", "a.y4m", "-d", "b.y4m", "--metric", "psnr", "-o", "x.json", status=INPUT, says="25/2")
    out, _ = fovea("score", "-r", "a.y4m", "-d", "b.y4m", "--align", "time", "--metric", "psnr", "--details", "-o",
                   "x.json")
    check("6 pairs, 0 distorted frames without a pair" in " ".join(out.split()), out)
    check(report("x.json")["pooled"]["psnr_y"]["min"] > 40, "a wrong pair is scored")


@case
def limits_of_vif_in_one_run():
    """Two instances of vif that differ in the limit share a computation: every mixture gives the scores of each
    alone."""
    for depth in (8, 10):
        size = dict(width=96, height=70, depth=depth)
        write("a.y4m", clip.y4m(4, seed=1, **size))
        write("b.y4m", clip.y4m(4, seed=2, **size))

        def scores(*metrics, threads="1"):
            words = [word for metric in metrics for word in ("-m", metric)]
            fovea("score", "-r", "a.y4m", "-d", "b.y4m", *words, "--threads", threads, "--device", "cpu", "-o",
                  "x.json")
            return [list(frame["metrics"].values()) for frame in report("x.json")["frames"]]

        limit = "vif=vif_enhn_gain_limit="
        kinds = ("vif", limit + "1", limit + "1.5", limit + "2:vif_skip_scale0=true", "vif=vif_skip_scale0=true")
        alone = {kind: scores(kind) for kind in kinds}
        check(alone["vif"] != alone[limit + "1"], "the clip has nothing to limit")
        for chosen in (kinds[:2], kinds[1::-1], kinds[:3], kinds, kinds[::-1], (kinds[0], kinds[3], kinds[4])):
            for threads in ("1", "3"):
                both = scores(*chosen, threads=threads)
                for i, frame in enumerate(both):
                    expected = [value for kind in chosen for value in alone[kind][i]]
                    check(frame == expected, f"{chosen} with {threads} threads: {frame} instead of {expected}")


run()
