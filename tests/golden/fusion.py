#!/usr/bin/env python3
"""Turns the golden file of VMAF into the lines that fusion.c reads: values of features, and the scores that a model
computes from them.

    golden/fusion.py vmaf.json FOLDER_WITH_MODELS fusion.txt

    fusion CASE MODEL [disable_clip] [enable_transform]
    members INDEX ...                        a collection made of these members of the model
    frame FEATURE ... = SCORE ...            C99 hexadecimal, in the order of the model's features and outputs
"""
import json
import pathlib
import re
import sys

SHORT = {"cambi_high_res_speedup": "hrs", "cambi_vis_lum_threshold": "vlt", "cambi_max_val": "cmxv",
         "speed_nn_floor": "nnf", "speed_sigma_nn": "snn", "speed_weight_var_mode": "wvm", "speed_max_val": "mxv",
         "speed_prescale": "ps", "speed_prescale_method": "psm", "adm_dlm_weight": "dlmw",
         "adm_enhn_gain_limit": "egl", "adm_noise_weight": "nw", "adm_norm_view_dist": "nvd",
         "adm_ref_display_height": "rdh", "adm_min_val": "min", "adm_csf_mode": "csf", "motion_max_val": "mmxv",
         "motion_five_frame_window": "mffw", "motion_moving_average": "mma", "motion_force_zero": "force_0",
         "vif_enhn_gain_limit": "egl"}
DEFAULT = {"speed_kernelscale": 1, "adm_norm_view_dist": 3, "adm_ref_display_height": 1080}
EXTRACTOR = {"integer_adm": "adm", "integer_motion": "motion", "integer_vif": "vif", "cambi": "cambi",
             "speed_chroma": "speed_chroma"}


def base_name(name):
    name = re.sub("^VMAF_integer_feature_", "integer_", name)
    return re.sub("^(Cambi|Speed_chroma)_feature_", "", name).removesuffix("_score")


def published(name, options):
    for key, value in sorted(options.items()):
        if DEFAULT.get(key) == value:
            continue
        name += f"_{SHORT[key]}" + ("" if value is True else f"_{value if isinstance(value, str) else '%g' % value}")
    return name


def overloads(words):
    found = {}
    for word in words:
        if "." in word and "=" in word:
            place, value = word.split("=")
            extractor, option = place.split(".", 1)
            if option in SHORT:
                found.setdefault(extractor, {})[option] = True if value == "true" else float(value)
    return found


def feature_names(model, words):
    names = model["feature_names"]
    lists = (model.get("feature_opts_dicts") or []) + [{}] * len(names)
    changes = overloads(words)
    result = []
    for name, options in zip(names, lists):
        base = base_name(name)
        extractor = next(value for key, value in EXTRACTOR.items() if base.startswith(key))
        result.append(published(base, dict(options) | changes.get(extractor, {})))
    return result


def frames(values, columns):
    for row in zip(*[values[name] for name in columns]):
        yield [number[1] for number in row]


def case_lines(case, label, columns, models, extra):
    version, _, words = label.partition(" ")
    words = [w.strip() for w in words.strip("()").replace("transform enabled", "enable_transform")
             .replace("clipping disabled", "disable_clip").replace(", ", ":").split(":") if w]
    document = models[version]
    model = document.get("model_dict") or document["0"]["model_dict"]
    names = feature_names(model, words)
    flags = [w for w in words if "=" not in w]
    yield " ".join(["fusion", case["id"], version] + flags)
    yield from extra
    scores = [[number[1] for number in case["scores"][column]["frames"]] for column in columns]
    for features, row in zip(frames(case["features"], names), zip(*scores)):
        yield "frame " + " ".join(features) + " = " + " ".join(row)
    yield ""


def columns_of(case, label, collection):
    """Returns the columns of a collection in order: its label, its members, and its statistics."""
    version, space, words = label.partition(" ")
    ends = ["_bagging", "_stddev", "_ci_p95_lo", "_ci_p95_hi"]
    name = re.compile(re.escape(version) + r"_\d{4}" + re.escape(space + words))
    members = sorted(column for column in case["scores"] if name.fullmatch(column))
    return [label] + members + [version + end + space + words for end in ends] if collection else [label]


def main(source, folder, target):
    golden = json.loads(pathlib.Path(source).read_text())
    models = {path.stem: json.loads(path.read_text()) for path in pathlib.Path(folder).glob("*.json")}
    lines = ["# made by fusion.py, which explains the format, from values of libvmaf at commit f85a8536", ""]
    for case in golden["cases"] + golden["fusion_only"]:
        extra = ["members " + " ".join(map(str, case["collection"]["members"]))] if "collection" in case else []
        for label in case["scores"]:
            if label.partition(" ")[0] in models:
                columns = columns_of(case, label, "0" in models[label.partition(" ")[0]])
                lines += case_lines(case, label, columns, models, extra)
    pathlib.Path(target).write_text("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
