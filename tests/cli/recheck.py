"""Tests --check of fovea vmaf and fovea score, which compares a stored report with the scores of today."""

import json
import os
import re

import clip
from command import GATE, INPUT, USAGE, case, check, fovea, read, run, write

HERE = {"FOVEA_DEVICE": "cpu"}
SIZE = dict(width=240, height=216)


def prepare(frames=4):
    write("big.y4m", clip.y4m(frames, seed=1, **SIZE))
    write("worse.y4m", clip.y4m(frames, seed=2, **SIZE))


def vmaf(*args, **how):
    return fovea("vmaf", "-r", "big.y4m", "-d", "worse.y4m", *args, env=HERE, **how)


def again(old, *args, **how):
    """Returns the answer of fovea vmaf --check."""
    return vmaf("--check", old, *args, **how)[0]


def count(answer):
    """Returns how many numbers differ, and how many were compared."""
    found = re.match(r"([\d,]+) of ([\d,]+) numbers differ\n", answer)
    check(found, f"no answer begins: {answer[:80]}")
    return tuple(int(text.replace(",", "")) for text in found.groups())


def numbers(name):
    """Counts the numbers of a report of the drop-in command, except fps."""
    text = read(name).decode()
    if name.endswith("csv"):
        return sum(line.strip(",").count(",") for line in text.splitlines()[1:])
    if name.endswith("xml"):
        return len(re.findall(r'="-?[\d.]+"', text.split("<frames>")[1])) - text.count("frameNum")
    value = json.loads(text)
    return (sum(len(frame["metrics"]) for frame in value["frames"]) + len(value["aggregate_metrics"]) +
            sum(len(pools) for pools in value["pooled_metrics"].values()))


@case
def what_columns_say():
    prepare()
    ssim = "float_ssim=enable_db=true"
    for args, words in (([], ["vmaf by vmaf_v0.6.1\n"]),
                        (["-m", "version=vmaf_4k_v0.6.1:name=x"], ["x by vmaf_4k_v0.6.1\n"]),
                        (["-m", "version=vmaf_v0.6.1:enable_transform"], ["vmaf by vmaf_v0.6.1_transform"]),
                        (["-m", "version=vmaf_v0.6.1neg"], ["vmaf by vmaf_v0.6.1neg"]),
                        (["-m", "version=vmaf_4k_v0.6.1neg"], ["vmaf by vmaf_4k_v0.6.1neg"]),
                        (["-m", "version=vmaf_b_v0.6.3"], ["vmaf by vmaf_b_v0.6.3"]),
                        (["-m", "version=vmaf_v1.0.16_3d0h"], ["vmaf by vmaf_v1.0.16_3d0h\n"]),
                        (["-m", "version=vmaf_v1.0.16_hfr_3d0h:name=y"], ["y by vmaf_v1.0.16_hfr_3d0h\n"]),
                        (["--aom_ctc", "v7.0"],
                         ["vmaf by vmaf_v0.6.1,", "vmaf_neg by vmaf_v0.6.1neg", "psnr=enable_apsnr=true"]),
                        (["-n", "--feature", "psnr=enable_chroma=false:enable_mse=true"],
                         ["psnr=enable_chroma=false:enable_mse=true"]),
                        (["-n", "--feature", ssim, "--feature", "float_ms_ssim"], [ssim, "float_ms_ssim"]),
                        (["-n", "--feature", "float_ssim=enable_lcs=true", "--feature", "ciede",
                          "--feature", "psnr_hvs"],
                         ["float_ssim=enable_lcs=true", "ciede", "psnr_hvs"]),
                        (["-n", "--feature", "adm=debug=true:adm_enhn_gain_limit=1.5",
                          "--feature", "vif=vif_enhn_gain_limit=1"],
                         ["adm=adm_enhn_gain_limit=1.5:debug=true", "vif=vif_enhn_gain_limit=1"]),
                        (["-n", "--feature", "motion=debug=true", "--feature", "cambi=full_ref=true:window_size=33"],
                         ["motion=debug=true", "cambi=window_size=33:full_ref=true"]),
                        (["-n", "--feature", "adm=adm_norm_view_dist=1.5:adm_ref_display_height=2160"],
                         ["adm=adm_norm_view_dist=1.5:adm_ref_display_height=2160"]),
                        (["--feature", "psnr", "--subsample", "2"], ["vmaf by vmaf_v0.6.1, psnr"]),
                        (["--frame_cnt", "3"], ["the videos go on behind frame 2"])):
        for form in ("json", "xml", "csv") if len(args) < 4 or args[0] == "--aom_ctc" else ("json",):
            vmaf(*args, "--" + form, "-o", "old." + form)
            answer = again("old." + form)
            all_numbers = count(answer)
            check(all_numbers == (0, numbers("old." + form)), f"{args}, {form}: {answer}")
            flat = " ".join(answer.split())
            for word in words:
                gone = form == "csv" and "apsnr" in word
                check(gone or word.strip() in flat, f"{args}, {form}: '{word}' is missing in {answer}")
            left = re.search(r"not compared\n((?:  .*\n)*)", answer)
            check((left and left[1].split()[0]) == (None if form == "csv" else "fps"), f"{args}, {form}: {answer}")


@case
def a_planted_difference():
    prepare()
    for form, old, new in (("json", r'(?s)("frameNum": 3,.*?"integer_adm2": 0\.\d{5})(\d)', "integer_adm2"),
                           ("xml", r'(frameNum="3" integer_adm2="0\.\d{5})(\d)', "integer_adm2"),
                           ("csv", r"(?m)(^3,0\.\d{5})(\d)", "integer_adm2")):
        vmaf("--" + form, "-o", "old")
        text = read("old").decode()
        for step, said in ((1, "1 by one unit of the last printed digit"), (3, "integer_adm2")):
            moved = re.sub(old, lambda found, step=step: found[1] + str((int(found[2]) + step) % 10), text, count=1)
            check(moved != text, f"{form}: nothing is planted")
            write("planted", moved.encode())
            units = abs(int(re.search(old, moved)[2]) - int(re.search(old, text)[2]))
            answer = again("planted", status=GATE)
            check(count(answer)[0] == 1 and new in answer and "frame 3: was 0." in answer, answer)
            check((units == 1) == ("one unit" in answer) and (units != 1 or said in answer), answer)
            check("--cpumask 63" in answer, f"the vector code of libvmaf is not named: {answer}")
            check(count(again("planted", "--tolerance", str(units)))[0] == 0, "the tolerance counts")
            again("planted", "--tolerance", str(units - 1), status=GATE)
    vmaf("--json", "-o", "old.json")
    value = json.loads(read("old.json"))
    value["pooled_metrics"]["vmaf"]["mean"] += 0.5
    write("old.json", json.dumps(value).encode())
    answer = again("old.json", status=GATE)
    check(count(answer)[0] == 1 and re.search(r"vmaf .*mean: was ", answer), answer)
    check(count(again("old.json", "-m", "version=vmaf_v0.6.1", status=GATE))[0] == 1, "with the model named")
    # The model is recognised although one of the frames by which it is recognised has a wrong score.
    for frame, version in ((1, "vmaf_v0.6.1"), (2, "vmaf_4k_v0.6.1neg"), (3, "vmaf_b_v0.6.3")):
        vmaf("-m", "version=" + version, "--json", "-o", "old.json")
        value = json.loads(read("old.json"))
        value["frames"][frame]["metrics"]["vmaf"] -= 20
        write("old.json", json.dumps(value).encode())
        answer = again("old.json", status=GATE)
        check(count(answer)[0] == 1 and f"vmaf by {version}" in answer and f"frame {frame}: was" in answer, answer)


@case
def other_versions_of_libvmaf():
    prepare()
    vmaf("--feature", "psnr", "--feature", "float_ssim", "--feature", "float_ms_ssim", "--json", "-o", "new.json")
    new = json.loads(read("new.json"))
    keep = ["integer_adm2", "integer_adm_scale0", "integer_motion2", "integer_vif_scale0", "integer_vif_scale1",
            "integer_vif_scale2", "integer_vif_scale3", "vmaf"]
    two = {"version": "2.3.1", "fps": 7.5, "pooled_metrics": {name: new["pooled_metrics"][name] for name in keep},
           "aggregate_metrics": {},
           "frames": [dict(f, metrics={name: f["metrics"][name] for name in keep}) for f in new["frames"]]}
    write("two.json", json.dumps(two).encode())
    answer = again("two.json")
    check(count(answer) == (0, 8 * 8) and "libvmaf 2.3.1, JSON" in answer and "vmaf by vmaf_v0.6.1" in answer, answer)

    def shortest(value):
        """Returns a number as libvmaf 1 printed it: rounded, sometimes with a tail of binary64 digits."""
        return float(f"{value:.5f}") + 1.4e-14
    old = {"psnr": "psnr_y", "ssim": "float_ssim", "ms_ssim": "float_ms_ssim"}
    mean = new["pooled_metrics"]["psnr_y"]["mean"]
    metrics = [dict({ours: shortest(f["metrics"][theirs]) for ours, theirs in old.items()}, adm2=0.9,
                    motion2=1.5, vmaf=71.25)
               for f in new["frames"]]
    one = {"version": "1.3.15", "params": {"model": "vmaf_v0.6.1.pkl", "scaledWidth": 240, "scaledHeight": 216,
                                           "subsample": 1},
           "metrics": list(metrics[0]), "frames": [{"frameNum": i, "metrics": m} for i, m in enumerate(metrics)],
           "VMAF score": 71.25, "PSNR score": shortest(mean), "ExecFps": 12.5}
    write("one.json", json.dumps(one).encode())
    answer = again("one.json")
    check(count(answer) == (0, 3 * 4 + 1), answer)
    for name, number in (("adm2", 4), ("motion2", 4), ("vmaf", 5), ("ExecFps", 1)):
        check(re.search(rf"\n  {name} +{number} number", answer), f"{name} is not listed: {answer}")
    check("float features" in answer and "float extractor" in answer, answer)
    one["frames"][2]["metrics"]["ssim"] -= 1e-4
    write("moved.json", json.dumps(one).encode())
    check("ssim and ms_ssim of libvmaf 1 differ" in again("moved.json", status=GATE),
          "the older arithmetic is not named")
    one["frames"][2]["metrics"]["ssim"] += 1e-4
    rows = "".join(f"{i},240,216,0.9,{m['psnr']:.4f},71.25\n" for i, m in enumerate(metrics))
    write("one.csv", ("Frame,Width,Height,adm2,psnr,vmaf\n" + rows).encode())
    answer = again("one.csv")
    check(count(answer) == (0, 4) and re.search(r"\n  Width +4 numbers: it is the size", answer), answer)
    frames = "".join(f'<frame frameno="{i}" adm2="0.9" ms_ssim="{m["ms_ssim"]!r}" psnr="{m["psnr"]!r}" '
                     'vmaf="71.25" />\n'
                     for i, m in enumerate(metrics))
    xml = ('<?xml version="1.0"?>\n<!-- by hand -->\n<VMAF version="1.3.11">\n<params model="vmaf_v0.6.1.pkl" '
           'scaledWidth="{}"'
           ' scaledHeight="216" subsample="1" />\n<fyi numOfFrames="4" aggregateVMAF="71.25" aggregatePSNR="' +
           repr(shortest(mean)) +
           f'" execFps="3" />\n<frames>\n{frames}</frames>\n</VMAF>\n')
    write("one.xml", xml.format(240).encode())
    answer = again("one.xml")
    check(count(answer) == (0, 2 * 4 + 1) and "libvmaf 1.3.11, XML" in answer, answer)
    write("scaled.xml", xml.format(480).encode())
    again("scaled.xml", status=USAGE, says=["480x216", "240x216", "scaler"])
    write("float.csv", b"Frame,adm2,vif_scale0,vmaf,\n0,0.9,0.5,80,\n1,0.9,0.5,81,\n")
    answer = again("float.csv", status=USAGE)
    check(answer.startswith("nothing was compared") and re.search(r"vif_scale0 +2 numbers: ", answer), answer)
    write("bare.json",
          b'{"version": "2.0", "frames": [{"frameNum": 0, "metrics": {"psnr_y": inf, "psnr_cb": -nan}}]}')
    answer = again("bare.json", status=GATE)
    check(count(answer) == (2, 2) and "was inf" in answer and "was -nan" in answer, answer)


@case
def a_model_that_is_not_known():
    prepare()
    write("worse.y4m", read("big.y4m"))
    vmaf("-m", "version=vmaf_v0.6.1:disable_clip", "--json", "-o", "old.json")
    value = json.loads(read("old.json"))
    for frame in value["frames"]:
        frame["metrics"]["vmaf"] = 12.5
    write("old.json", json.dumps(value).encode())
    again("old.json", status=USAGE,
          says=["'vmaf'", "vmaf_v0.6.1 gives", "vmaf_4k_v0.6.1 gives", "for 12.5", "--model"])
    answer = again("old.json", "-m", "version=vmaf_v0.6.1:disable_clip", status=GATE)
    check(count(answer)[0] == 4, answer)
    vmaf("-m", "version=vmaf_v0.6.1", "--json", "-o", "old.json")
    again("old.json", "-m", "version=vmaf_v0.6.1")


def of_libvmaf_3(name, shift, version="3.0.0"):
    """Turns today's report into one of libvmaf before 3.2: without aim, adm3 and motion3, with integer_motion, and
    with motion values shifted."""
    value = json.loads(read(name))
    for frame in value["frames"]:
        old = frame["metrics"]
        moved = shift if frame["frameNum"] else 0
        old["integer_motion"] = round(old.pop("VMAF_integer_feature_motion_sad_score") + moved, 6)
        old["integer_motion2"] = round(old["integer_motion2"] + moved, 6)
        old["vmaf"] = round(old["vmaf"] + moved, 6)
        for gone in [name for name in old if re.match("integer_(aim|adm3|motion3)", name)]:
            del old[gone]
    value.update(version=version, pooled_metrics={})
    write("old.json", json.dumps(value).encode())
    columns = list(value["frames"][0]["metrics"])
    rows = [f"{f['frameNum']}," + ",".join(f"{f['metrics'][c]:.6f}" for c in columns) + ",\n"
            for f in value["frames"]]
    write("old.csv", ("Frame," + ",".join(columns) + ",\n" + "".join(rows)).encode())


@case
def motion_of_libvmaf_before_3_2():
    prepare()
    border = "mirrored pictures differently"
    for model in ("vmaf_v0.6.1", "vmaf_4k_v0.6.1", "vmaf_v0.6.1neg"):
        vmaf("-m", "version=" + model, "--json", "-o", "new.json")
        of_libvmaf_3("new.json", 0)
        for form in ("json", "csv"):
            answer = again("old." + form)
            check(count(answer) == (0, 4 * 12) and border not in answer, f"{model}: {answer}")
        of_libvmaf_3("new.json", 0.0006)
        for form in ("json", "csv"):
            answer = again("old." + form, status=GATE)
            check(count(answer) == (9, 4 * 12) and f"vmaf by {model}" in answer and border in answer,
                  f"{model}: {answer}")
        of_libvmaf_3("new.json", 0.0006, "3.2.0")
        check(border not in again("old.json", status=GATE), "libvmaf 3.2 has today's borders")
        of_libvmaf_3("new.json", 0.5) # the difference is too large for any model to match
        again("old.json", status=USAGE, says=["'vmaf'", "--model"])


@case
def float_features_beside_integers():
    prepare()
    vmaf("--json", "-o", "old.json")
    value = json.loads(read("old.json"))
    total = numbers("old.json")
    for frame in value["frames"]:
        frame["metrics"].update(adm2=0.9, aim=0.1, vif_scale0=0.5, f=70.5)
    write("old.json", json.dumps(value).encode())
    answer = again("old.json")
    check(count(answer) == (0, total) and "vmaf by vmaf_v0.6.1\n" in answer, answer)
    for name in ("adm2", "aim", "vif_scale0", "f"):
        check(re.search(rf"\n  {name} +4 numbers: .*float", answer), f"{name} is not listed: {answer}")


@case
def peaks_of_deep_video():
    for depth in (8, 10):
        for name, seed in (("big.y4m", 1), ("worse.y4m", 2)):
            write(name, clip.y4m(2, depth=depth, seed=seed, **SIZE))
        vmaf("-n", "--feature", "psnr=reduced_hbd_peak=true", "--json", "-o", "old.json")
        answer = again("old.json", status=GATE if depth > 8 else 0)
        check(("reduced_hbd_peak" in answer) == (depth > 8), answer)
        check(count(again("old.json", "-n", "--feature", "psnr=reduced_hbd_peak=true"))[0] == 0, "with the option")


@case
def rows_that_lack_values():
    prepare()
    vmaf("--csv", "-o", "old.csv")
    lines = read("old.csv").decode().splitlines()
    lines[2] = ",".join(lines[2].split(",")[:4]) + ","
    write("old.csv", "\n".join(lines).encode())
    answer = again("old.csv")
    check(count(answer) == (0, numbers("old.csv") - 3) and "rows of CSV                         3 numbers" in answer,
          answer)
    for args in ([], ["-n", "--feature", "psnr"]):
        prepare(4)
        vmaf("--xml", *args, "-o", "old.xml")
        prepare(3)
        # The motion of a video's last frame depends on the next frame.
        answer = again("old.xml", status=GATE if not args else 0)
        check("the videos end before the report does" in answer, answer)
        check(count(answer) == (0, 3 * 3) if args else 0 < count(answer)[0] < 5, answer)


@case
def damaged_files():
    prepare()
    vmaf("--json", "-o", "old.json")
    vmaf("--xml", "-o", "old.xml")
    vmaf("--csv", "-o", "old.csv")
    plain, xml, csv = (read("old." + form) for form in ("json", "xml", "csv"))
    frame = b'<frame frameNum="1" '
    for what, content in (("cut", plain[:400]), ("cut", xml[:-40]), ("cut", xml[:600]), ("empty", b""),
                          ("no report", b"a,b\n1,2\n"), ("no frame", b'{"frames": []}'),
                          ("no frames", b'{"version": "3.0"}'), ("no frame", csv.split(b"\n")[0]),
                          ("no metrics", b'{"frames": [{"frameNum": 0}]}'),
                          ("nul", plain[:100] + b"\0" + plain[100:]),
                          ("order", xml.replace(frame, b'<frame frameNum="9" ')),
                          ("no number", xml.replace(frame, b"<frame ")),
                          ("many", csv.replace(b"\n1,", b"\n1,1,2,3,")), ("twice", csv.replace(b"\n2,", b"\n1,")),
                          ("quotes", xml.replace(b'frameNum="2"', b"frameNum=2")), ("video", read("big.y4m")),
                          ("name", b"<VMAF><pooled_metrics><metric min='1'/></pooled_metrics></VMAF>")):
        write("old", content)
        again("old", status=INPUT, says="old")
        fovea("score", "--check", "old", "big.y4m", "worse.y4m", status=INPUT, says="old")
    again("missing.json", status=INPUT, says="missing.json")


@case
def the_users_files_stay():
    prepare()
    vmaf("--json", "-o", "old.json")
    before = read("old.json")
    again("old.json", "--json", "-o", "old.json", status=USAGE, says="old.json")
    again("old.json", "--json", "-o", "big.y4m", status=USAGE, says="big.y4m")
    check(read("old.json") == before and read("big.y4m").startswith(b"YUV4MPEG2"), "a file is lost")
    again("old.json", "--json", "-o", "new.json", status=USAGE, says="--model")
    model = ["-m", "version=vmaf_v0.6.1"]
    again("old.json", *model, "--json", "-o", "old.json", status=USAGE, says="old.json")
    again("old.json", *model, "--json", "-o", "big.y4m", status=USAGE, says="big.y4m")
    check(count(again("old.json", *model, "--json", "-o", "new.json"))[0] == 0, "with a report")
    check(read("new.json").split(b"frames", 1)[1] == before.split(b"frames", 1)[1], "the new report is another")
    for args, words in ((["--nosuch"], "nosuch"), (["--tolerance", "x"], "x"), (["-m", "name=x"], "version")):
        again("old.json", *args, status=USAGE, says=words)
    vmaf("--nosuch", status=1)
    again("old.json", "-m", "version=nosuch", status=INPUT, says="nosuch")
    fovea("score", "--check", "old.json", "big.y4m", "worse.y4m", status=USAGE, says="fovea vmaf --check")


# ---- Reports of fovea score ----------------------------------------------------------------------------------------


def stored(*args, **how):
    return fovea("score", "--check", *args, **how)[0]


@case
def reports_of_fovea():
    clips = ["ref.y4m", "dis.y4m"]
    raw = ["-w", "48", "-h", "32", "-p", "yuv420p10le"]
    prepare()
    for videos, args in ((clips, ["-m", "psnr"]), (clips, ["-m", "psnr=enable_mse=true,ssimulacra2,motion"]),
                         (clips, ["-m", "xpsnr", "--subsample", "2"]), (clips, ["-m", "psnr", "--frames", "2"]),
                         (clips, ["-m", "psnr", "--frame-skip-ref", "1", "--shortest"]),
                         (clips, ["-m", "psnr", "--start", "0.04"]),
                         (clips, ["-m", "float_ssim", "--scale", "64x40", "--scale-filter", "lanczos"]),
                         (clips, ["-m", "psnr", "--crop-ref", "32:16:2:4", "--scale", "ref", "--stretch"]),
                         (clips, ["-m", "psnr,psnr=roi=16\\:16\\:0\\:0"]), (clips, ["-m", "psnr", "--align", "time"]),
                         (["ref10.yuv", "dis10.yuv"], ["-m", "psnr", *raw]),
                         (["ref10.yuv", "dis10.y4m"], ["-m", "psnr", *raw]),
                         (["ref10.y4m", "dis.y4m"], ["-m", "psnr", "--convert", "depth"]),
                         (["dis.y4m"], ["-m", "siti"]),
                         (["big.y4m", "worse.y4m"],
                          ["--model", "version=vmaf_v0.6.1:name=a:disable_clip", "-m", "psnr"])):
        fovea("score", *(videos if len(videos) > 1 else ["-d", videos[0]]), *args, "-o", "old.json")
        value = json.loads(read("old.json"))
        total = (sum(len(f["metrics"]) for f in value["frames"]) + len(value["sequence"]) +
                 sum(len(pools) for pools in value["pooled"].values()))
        answer = stored("old.json")
        check(count(answer) == (0, total) and "not compared" not in answer, f"{args}: {answer}")
        if len(videos) > 1 and videos[0].endswith("y4m"):
            check(count(stored("old.json", *videos)) == (0, total), f"{args} with the videos")


@case
def a_difference_of_fovea():
    fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "--intervals", "1", "-o", "old.json")
    value = json.loads(read("old.json"))
    value["frames"][1]["metrics"]["psnr_cb"] += 1e-14
    value["pooled"]["psnr_y"]["p5"] = "nan"
    write("planted.json", json.dumps(value).encode())
    answer = stored("planted.json", status=GATE)
    check(count(answer)[0] == 2 and "psnr_cb" in answer and "frame 1: was" in answer and
          "p5: was nan" in answer, answer)
    check(re.search(r"intervals +\d+ numbers: they follow", answer), answer)
    write("third.y4m", read("ref.y4m"))
    answer = stored("old.json", "ref.y4m", "third.y4m", status=GATE)
    check(count(answer)[0] > 10, answer)
    answer = stored("old.json", "ref.y4m", "dis.y4m", "--scale", "32x32", status=GATE)
    check("only today: the reference was scaled" in answer, answer)
    older = read("old.json").replace(b'"numerics_version": ', b'"numerics_version": 90', 1)
    write("older.json", older)
    check(count(fovea("score", "--check", "older.json", says="numerics version 90")[0])[0] == 0, "an older report")
    answer = stored("old.json", "ref.y4m", "dis.y4m", "-m", "siti", status=USAGE)
    check(answer.startswith("nothing was compared") and "psnr_y" in answer, answer)


@case
def a_partial_report():
    write("cut.y4m", read("dis.y4m")[:-100])
    fovea("score", "ref.y4m", "cut.y4m", "-m", "motion,psnr=enable_apsnr=true", "-o", "part.json", status=5)
    total = count(stored("part.json", says="cut short"))
    check(total[0] == 0 and total[1], f"{total}")
    answer = stored("part.json", "ref.y4m", "dis.y4m")
    check(count(answer) == total and "which is partial" in answer, answer)
    check(re.search(r"apsnr_y +1 number: it is of the clip", answer), answer)
    fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "-o", "whole.json")
    fovea("score", "--check", "whole.json", "ref.y4m", "cut.y4m", status=5, says="cut short")


@case
def folders():
    os.mkdir("reports")
    write("third.y4m", clip.y4m(seed=3))
    fovea("score", "ref.y4m", "dis.y4m", "third.y4m", "-m", "psnr", "-o", "reports/")
    answer = stored("reports")
    check(answer.count("0 of ") == 2 and "third.y4m.json" in answer, answer)
    check(stored("reports", "ref.y4m", "third.y4m", "dis.y4m") == answer, "with the videos")
    stored("reports", "ref.y4m", "third.y4m", status=USAGE, says="dis.y4m")
    value = json.loads(read("reports/third.y4m.json"))
    value["frames"][0]["metrics"]["psnr_y"] = 1
    write("reports/third.y4m.json", json.dumps(value).encode())
    stored("reports", status=GATE)
    write("reports/a.json", b"{")
    stored("reports", status=GATE, says="a.json")
    os.remove("reports/third.y4m.json")
    stored("reports", status=INPUT, says="a.json")
    os.mkdir("empty")
    stored("empty", status=INPUT, says="empty")
    fovea("score", "ref.y4m", "dis.y4m", "third.y4m", "-m", "psnr", "-o", "all.json")
    stored("all.json", status=INPUT, says="-o FOLDER")
    for args in (["-o", "x.json"], ["--print", "psnr_y"], ["--fail-below", "psnr_y=1"], ["--json"]):
        stored("reports", "ref.y4m", "dis.y4m", *args, status=USAGE, says="leave out")


run()
