#!/usr/bin/env python3
"""Turns golden JSON files into the line format that golden.c reads.

    golden/import.py FOLDER_WITH_JSON FOLDER_FOR_TXT

The format, one case after the other:

    case NAME
    metric NAME                     option NAME VALUE
    ref CLIP, dis CLIP              CLIP: synth WIDTH HEIGHT CHROMA DEPTH SEED KIND
                                          file NAME [WIDTH HEIGHT CHROMA DEPTH]    (raw; Y4M without the numbers)
    fill CLIP PLANE VALUE           every sample of that plane of ref or dis has this value
    hold CLIP, skip CLIP COUNT      every frame is the first one; so many frames are dropped at the start
    quant CLIP STEP                 every sample of 8 bits becomes the nearest multiple of STEP
    chroma CLIP CLIP                its Cb and Cr are those of another clip
    slow                            too large for the quick suite
    reject                          must be refused
    tolerance RELATIVE              the sums of this case depend on their order in the reference program
    map NAME HASH [HASH]            a map of the first frame and of the last: FNV-1a of its samples (golden.h)
    frame OUTPUT=VALUE ...          one line a frame; values are C99 hexadecimal
    clip OUTPUT=VALUE ...           sequence values

Values that the reference emits for planes it was told not to score (-inf) are left out.
"""
import json
import pathlib
import re
import struct
import sys

NOT_SCORES = ("wsse", "sse_luma", "weights")
SLOW_SAMPLES = 1000000  # of luma, in all frames
SLOW_BUTTERAUGLI = 100000  # thousands of operations a sample
# Decibels of reference programs, made with glibc 2.36's log10, and the ones that the nearest logarithm gives.
NEAREST = {"0x1.1d086e8c35636p+5": "0x1.1d086e8c35637p+5", "0x1.1f0df40ca2f3p+5": "0x1.1f0df40ca2f31p+5",
           "0x1.015b1b26bbc96p+5": "0x1.015b1b26bbc97p+5", "0x1.9da7dda9d5ee6p+4": "0x1.9da7dda9d5ee8p+4",
           "0x1.6f402d1b38cf2p+4": "0x1.6f402d1b38cf3p+4", "0x1.99dfef4fb947cp+4": "0x1.99dfef4fb947dp+4",
           "0x1.34b4ffcb6436fp+5": "0x1.34b4ffcb6436ep+5"}


def synth_line(words, expand, chroma=None):
    width, height, stored, depth, _, seed, kind = words
    return f"synth {width} {height} {chroma or stored} {16 if expand else depth} {seed} {kind}"


def clip_line(clip, case):
    if "synth" in clip:
        words = clip["synth"].split() if isinstance(clip["synth"], str) else clip["synth"]
        gray = "luma" in clip or case.get("modify") == "gray"
        return synth_line(words, "expand" in clip or "expand" in case, 400 if gray else None)
    if isinstance(clip.get("raw"), str):
        return f"file {clip['file']} {clip['raw'].replace('x', ' ')}"
    raw = case.get("raw") or (clip if "width" in clip else case if clip["file"].endswith(".yuv") else None)
    geometry = f" {raw['width']} {raw['height']} {raw['chroma']} {raw['depth']}" if raw else ""
    return f"file {clip['file']}{geometry}"


def values_line(word, values):
    values = {name: value for name, value in values.items() if name not in NOT_SCORES}
    texts = {name: value["hex"] if isinstance(value, dict) else value[1] if isinstance(value, list) else value
             for name, value in values.items()}
    return " ".join([word] + [f"{name}={NEAREST.get(text, text)}" for name, text in texts.items() if text != "-inf"])


def frames_of(case):
    if "scores" in case:
        return [dict(zip(case["scores"], row)) for row in zip(*case["scores"].values())]
    return case.get("frames", [])


def order_matters(case):
    scales = [scale for side in case.get("frame0", {}).values() for scale in side.get("scales", [])]
    return any(scale["pooled"] * scale["k"] >= 2 ** 29 for scale in scales)


def luma_samples(case):
    clip = case.get("dis") or case.get("distorted") or {}
    synth = clip.get("synth", [case.get("width", 0), case.get("height", 0)])
    width, height = (synth.split() if isinstance(synth, str) else synth)[:2]
    return int(width) * int(height) * max(1, len(frames_of(case)))


MAPS = {"butteraugli": "distance", "cvvdp": "difference", "ssimulacra2": "error", "xpsnr": "weight"}


def weights_hash(case):
    """Of the map in which each sample has the weight of its block."""
    weights = [struct.pack("<f", float.fromhex(text)) for text in case["frames"][0]["weights"]]
    side = case["block"]
    across = (case["width"] + side - 1) // side
    value = 0xcbf29ce484222325
    for y in range(case["height"]):
        row = b"".join(weights[y // side * across + x // side] for x in range(case["width"]))
        for byte in row:
            value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return f"{value:016x}"


def map_line(case, metric):
    if metric == "xpsnr" and case.get("frames", [{}])[0].get("weights"):
        return [f"map {MAPS[metric]} {weights_hash(case)}"]
    values = [case[frame]["map"] for frame in ("first_frame", "last_frame") if case.get(frame, {}).get("map")]
    return [" ".join(["map", MAPS[metric]] + values)] if metric in MAPS and values else []


def cvvdp_cases(case, number):
    """With options as fovea has them. Every second picture is also the only frame of a clip, without its map."""
    options = {"chroma_location": "left"} | case["options"]
    if "fps" in options:
        counter, _, denominator = options["fps"].partition("/")
        options["fps"] = repr(int(counter) / int(denominator or 1))
    if "sequence" in case:
        case = case | {"sequence": {"cvvdp": case["sequence"]["cvvdp"]}}
    yield case | {"options": options | ({"still": "true"} if case["count"] == 1 else {})}
    if case["count"] == 1 and number % 2:
        yield case | {"name": f"{case['name']}_clip", "options": options, "first_frame": {}}


def pu21_cases(case):
    """One of each metric, with the options that fovea takes from tags elsewhere."""
    options = {"matrix": "bt2020", "range": "limited", "chroma_location": "left", "transfer": "pq",
               "primaries": "bt2020"} | case["options"]
    for metric, own in (("pu_psnr", "psnr_peak"), ("pu_ssim", "scale")):
        other = {"psnr_peak", "scale"} - {own}
        yield case | {"name": f"{metric[3:]}_{case['name']}", "feature": metric, "first_frame": {},
                      "options": {name: value for name, value in options.items() if name not in other},
                      "frames": [{metric: frame[metric]} for frame in case["frames"]],
                      "sequence": case["sequence"] if metric == "pu_psnr" else {}}


def psnr_yuv_case(case):
    """An output of psnr."""
    options = {"ctc" if name == "preset" else name: value.replace(":", "\\:") for name, value in case["options"].items()}
    return case | {"name": f"yuv_{case['name']}", "options": options | {"enable_apsnr": "true"},
                   "frames": [{"psnr_yuv": frame["psnr_yuv"]} for frame in case["frames"]],
                   "sequence": {"apsnr_yuv": case["sequence"]["apsnr_yuv"]}}


def case_lines(case, metric):
    lines = [f"case {case.get('name') or case['id']}", f"metric {case.get('feature', metric)}"]
    options = case.get("options", {"rate": case.get("rate")})
    lines += [f"option {name} {value}" for name, value in options.items()]
    if case.get("name", "").endswith("_layout"):
        lines.append("option peer_layout true")
    ref = case["ref"] if "ref" in case else case.get("reference")
    dis = case.get("dis") or case.get("distorted")
    if isinstance(ref, dict):
        lines.append("ref " + clip_line(ref, case))
    if dis:
        lines.append("dis " + clip_line(dis, case))
    else:
        words = [case["width"], case["height"], case["chroma"], case["depth"], 1, 1]
        lines += ["ref " + synth_line(words + ["ref"], False), "dis " + synth_line(words + ["noise"], False)]
    for change in case["modify"] if isinstance(case.get("modify"), list) else []:
        numbers = [str(change[key]) for key in ("plane", "value", "frames") if key in change]
        lines.append(" ".join([change["op"], change["clip"]] + numbers))
    if (dis or {}).get("modify", "").startswith("quant "):
        lines.append(f"quant dis {dis['modify'].split()[1]}")
    if luma_samples(case) > (SLOW_SAMPLES if metric != "butteraugli" else SLOW_BUTTERAUGLI):
        lines.append("slow")
    # Pictures smaller than SSIM's window: the reference divides zero by something.
    rejected = "error" in case or case.get("expect") == "reject" or metric == "ssim" and case.get("name", "").startswith("below_")
    # Planes without a block: not a number in the reference.
    rejected = rejected or metric == "psnr_hvs" and any("nan" in values_line("frame", v) for v in frames_of(case))
    if rejected:
        lines.append("reject")
    if order_matters(case):
        lines.append("tolerance 1e-13")
    if metric == "ciede":
        lines.append("tolerance 2.5e-8")  # its elementary functions are our own
    if not rejected:
        lines += map_line(case, metric)
        lines += [values_line("frame", values) for values in frames_of(case)]
    if "aggregate" in case:
        lines.append(values_line("clip", case["aggregate"]))
    if case.get("sequence"):
        values = {name.replace("xpsnr_", "xpsnr_clip_"): value for name, value in case["sequence"].items()}
        lines.append(values_line("clip", values))
    return lines


PATTERNS = {"((x+t)&1)": "columns", "((y+t)&1)": "lines", "((x+y+t)&1)": "checks1",
            "(((x>>1)+(y>>1)+t)&1)": "checks2", "(((x>>3)+(y>>3)+t)&1)": "checks8"}


def feature_clip(text, case):
    words = text.split()
    if words[0] == "synth":
        return synth_line(words[1:], False)
    if words[0] == "pattern":
        return synth_line(words[1:5] + ["2", "0", PATTERNS[words[-1]]], False)
    if text.endswith(".y4m"):
        return f"file {text}"
    return f"file {text} {case['width']} {case['height']} 420 {case['bit_depth']}"


FIRST_OUTPUT = {"adm": "integer_adm2", "motion": "VMAF_integer_feature_motion_sad_score", "vif": "integer_vif_scale0"}


def output_names(names, feature):
    """Without the suffix that libvmaf makes of the options."""
    first = FIRST_OUTPUT.get(feature, names[0])
    plain = [name.removesuffix(names[0].removeprefix(first)) for name in names]
    return ["integer_motion" if name == FIRST_OUTPUT["motion"] else name for name in plain]


def feature_cases(golden):
    """Each clip of these files was scored with several sets of options; scores are lists over frames."""
    for case in golden["cases"]:
        for option_set, scores in case["scores"].items():
            lines = [f"case {case['id']} {option_set}", f"metric {golden['feature']}", "option debug true"]
            lines += [f"option {name} {value}" for name, value in golden["option_sets"][option_set].items()]
            ref, dis = case["reference"], case["distorted"]
            lines += [f"ref {feature_clip(ref, case)}",
                      f"dis {feature_clip(ref if dis == 'the same file' else dis, case)}"]
            share = 6 if golden["feature"] == "adm" else 2
            if case["width"] * case["height"] * case["frames"] > SLOW_SAMPLES // share:
                lines.append("slow")
            names = output_names(list(scores), golden["feature"])
            rows = zip(*([value[1] for value in values] for values in scores.values()))
            yield lines + [values_line("frame", dict(zip(names, row))) for row in rows]


REST = " with the two chroma planes of the reference"


def vmaf_options(version, words, depth):
    """Of the metric, from the rest of libvmaf's --model argument."""
    names = {"transform enabled": "enable_transform", "clipping disabled": "disable_clip"}
    flags = [names.get(word, word) for word in words]
    overloads = [word for word in flags if "=" in word]
    if "v1." in version and depth < 10:
        overloads.append("cambi.enc_bitdepth=8")  # the values are of 8 bits, against the model's advice
    options = [f"option version {version}"] + [f"option {word} true" for word in flags if "=" not in word]
    return options + (["option overload " + r"\:".join(overloads)] if overloads else [])


def vmaf_case(case, label, columns):
    version, _, words = label.partition(" ")
    words = [word for word in re.split(", |:", words.strip("()")) if word]
    lines = [f"case {case['id']} {label}", "metric vmaf"] + vmaf_options(version, words, case["bit_depth"])
    ref, dis = case["reference"], case["distorted"]
    lines.append(f"ref {feature_clip(ref, case)}")
    if dis.endswith(REST):
        lines.append("dis " + feature_clip(dis.removesuffix(REST).removeprefix("luma plane of "), case))
        lines.append("chroma dis " + feature_clip(ref, case))
    else:
        lines.append("dis " + feature_clip(ref if dis == "the same file" else dis, case))
    if case["width"] * case["height"] * case["frames"] > SLOW_SAMPLES * 2 // 3:
        lines.append("slow")
    if not columns or any("no_such" in word for word in words):
        return lines + ["reject"]
    lines.append("tolerance 1e-10")  # the exponential function is not the C library's
    scores = [[value[1] for value in case["scores"][column]["frames"]] for column in columns.values()]
    return lines + [values_line("frame", dict(zip(columns, row))) for row in zip(*scores)]


def vmaf_cases(golden):
    """Every model of each clip; the members of a collection and their spread are columns of one case."""
    for case in golden["cases"]:
        for label in case["scores"]:
            version, space, words = label.partition(" ")
            if version not in golden["models"]:
                continue
            columns = {"vmaf": label}
            if version.startswith("vmaf_b_"):
                ends = [column.partition(" ")[0].removeprefix(version) for column in case["scores"]
                        if column.startswith(version + "_") and column.partition(" ")[2] == words]
                columns |= {"vmaf" + end: version + end + space + words for end in ends}
            yield vmaf_case(case, label, columns)
        for label in case.get("models_refused_by_reference", []):
            yield vmaf_case(case, label, {})


def main(source, target):
    golden = json.loads((pathlib.Path(source) / "vmaf.json").read_text())
    lines = [f"# vmaf: values of {golden['reference_implementation']}",
             "# made by import.py, which explains the format"]
    for case in vmaf_cases(golden):
        lines += [""] + case
    (pathlib.Path(target) / "vmaf.txt").write_text("\n".join(lines) + "\n")
    for name in ("adm", "motion", "vif"):
        golden = json.loads((pathlib.Path(source) / f"{name}.json").read_text())
        lines = [f"# {name}: values of {golden['reference_implementation']}",
                 "# made by import.py, which explains the format"]
        for case in feature_cases(golden):
            lines += [""] + case
        (pathlib.Path(target) / f"{name}.txt").write_text("\n".join(lines) + "\n")
    for name in ("butteraugli", "psnr", "psnr_hvs", "cambi", "speed", "ssim", "ciede", "cvvdp", "pu21", "ssimulacra2",
                 "xpsnr"):
        golden = json.loads((pathlib.Path(source) / f"{name}.json").read_text())
        origin = golden.get("origin") or golden.get("reference") or golden["about"]["reference"]
        lines = [f"# {name}: values of {origin}", "# made by import.py, which explains the format"]
        for number, case in enumerate(golden["cases"]):
            parts = cvvdp_cases(case, number) if name == "cvvdp" else pu21_cases(case) if name == "pu21" else [case]
            for part in parts:
                lines += [""] + case_lines(part, golden.get("metric", name))
        if name == "psnr":
            golden = json.loads((pathlib.Path(source) / "psnr_yuv.json").read_text())
            lines += ["", f"# psnr_yuv and apsnr_yuv: values of {golden['reference']}"]
            for case in golden["cases"]:
                lines += [""] + case_lines(psnr_yuv_case(case), "psnr")
        (pathlib.Path(target) / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
