"""Tests VMAF's models: how they are chosen, named and refused, and what the report states about them."""

import json
import os

import clip
from command import INPUT, USAGE, case, check, fovea, read, report, run, write

SIZE = dict(width=288, height=216)
MODEL = {"model_dict": {"model_type": "LIBSVMNUSVR", "norm_type": "none",
                        "feature_names": ["VMAF_integer_feature_motion3_score"],
                        "model": "svm_type nu_svr\nkernel_type rbf\ngamma 1\ntotal_sv 1\nrho -2\nSV\n1 1:0\n"}}


def vmaf(*args, **how):
    return fovea("score", "-r", "big.y4m", "-d", "worse.y4m", "-o", "report.json", *args, **how)


def prepare():
    write("big.y4m", clip.y4m(3, seed=1, **SIZE))
    write("worse.y4m", clip.y4m(3, seed=2, **SIZE))


def names():
    return [output["name"] for metric in report()["metrics"] for output in metric["outputs"]]


def scores():
    """Returns the names of the models' scores, without names of features."""
    return [name for name in names() if not name.startswith(("integer_", "cambi", "speed_"))]


@case
def the_usual_metrics_begin_with_vmaf():
    prepare()
    vmaf()
    check(names()[0] == "vmaf" and names()[-1] == "psnr_hvs", f"the outputs are {names()}")
    check(any("vmaf_v1.0.16_3d0h, chosen for 288x216" in text for text in report()["decisions"]), "nothing says why")
    fovea("score", "-r", "ref.y4m", "-d", "dis.y4m", "-o", "report.json", says="vmaf is left out")
    check(names()[0] == "psnr_y", f"the outputs are {names()}")


@case
def several_models():
    prepare()
    vmaf("--model", "version=vmaf_v0.6.1", "--model", "version=vmaf_v0.6.1neg:name=neg", "--model",
         "version=vmaf_v0.6.1:name=same:adm.adm_enhn_gain_limit=1.0:vif.vif_enhn_gain_limit=1")
    check(scores() == ["vmaf", "neg", "same"], f"the outputs are {names()}")
    for feature in ("integer_adm2", "integer_adm2_egl_1", "integer_motion3", "integer_vif_scale3_egl_1"):
        check(names().count(feature) == 1, f"{feature} stands {names().count(feature)} times")
    one = [[frame["metrics"][name] for frame in report()["frames"]]
           for name in ("integer_adm2", "integer_adm2_egl_1")]
    for frame in report()["frames"]:
        check(frame["metrics"]["neg"] == frame["metrics"]["same"], "overloads do not make a NEG model")
    vmaf("--metric", "adm=adm_enhn_gain_limit=1", "--model", "version=vmaf_v0.6.1", "--metric", "motion")
    check(names().count("integer_motion2") == 1, f"the outputs are {names()}")
    two = [[frame["metrics"][name] for frame in report()["frames"]] for name in ("integer_adm2_2", "integer_adm2")]
    check(one == two, "the feature with another option is another column")
    vmaf("--model", "version=vmaf_b_v0.6.3:name=b")
    check(len(scores()) == 25 and names()[1] == "b_0001" and names()[24] == "b_ci_p95_hi",
          f"the outputs are {names()}")
    vmaf("--model", "auto", "--model", "version=vmaf_v0.6.1", status=USAGE, says="'vmaf'")


@case
def wrong_words():
    prepare()
    for words, says in (("version=vmaf_v0.6.0", "version"), ("adm=1", "METRIC.OPTION=VALUE"), ("", "auto"),
                        ("version=vmaf_v0.6.1:", "last colon"), ("version=vmaf_v0.6.1:cambi.x=1", "does not use"),
                        ("version=vmaf_v0.6.1:adm.x=1", "no option 'x'"), ("version=vmaf_v0.6.1:name=", "name"),
                        ("version=vmaf_v0.6.1:vif.vif_enhn_gain_limit=2x", "'2x'"),
                        ("version=vmaf_v1.0.16_3d0h:cambi.heatmaps_path=maps", "writes no maps"),
                        ("version=vmaf_v0.6.1:path=model.json", "one of them")):
        write("model.json", json.dumps(MODEL).encode())
        vmaf("--model", words, status=USAGE, says=says)
    check(not os.path.exists("maps"), "a folder for maps is made")


@case
def a_report_never_replaces_the_model():
    prepare()
    text = json.dumps(MODEL).encode()
    write("model.json", text)
    os.link("model.json", "other.json")
    for name in ("model.json", "./model.json", "other.json"):
        _, err = fovea("score", "-r", "big.y4m", "-d", "worse.y4m", "--model", "path=model.json", "-o", name,
                       "--progress", "json", status=USAGE, says="would overwrite the input model.json")
        check('"progress"' not in err, "it is said after the work")
    fovea("plan", "-r", "big.y4m", "-d", "worse.y4m", "-m", "vmaf=path=model.json", "--shards", "1",
          "-o", "other.json", status=USAGE, says="other.json would overwrite the input model.json")
    videos = ["-r", "big.y4m", "-d", "worse.y4m", "-m", "path=model.json"]
    fovea("vmaf", *videos, "-o", "other.json", status=1, says="other.json would overwrite the input model.json")
    fovea("vmaf", *videos, "-o", "report.xml")
    check(read("model.json") == text and read("report.xml"), "the model changed")


@case
def files():
    prepare()
    write("model.json", json.dumps(MODEL).encode())
    vmaf("--model", "path=model.json:name=mine")
    check(scores() == ["mine"] and "integer_motion3" in names(), f"the outputs are {names()}")
    check(2 < report()["frames"][1]["metrics"]["mine"] < 3, "the score is not the model's")
    write("bad.json", json.dumps(MODEL).replace("rbf", "linear").encode())
    vmaf("--model", "path=bad.json", status=INPUT, says=["bad.json", "linear"])
    write("bad.json", json.dumps(MODEL).replace("integer_", "").encode())
    vmaf("--model", "path=bad.json", status=INPUT, says=["bad.json", "VMAF_feature_motion3_score"])
    vmaf("--model", "path=none.json", status=INPUT, says="none.json")


@case
def eight_bits_are_scored_as_ten():
    prepare()
    for name in ("big", "worse"):
        head, _, frames = read(f"{name}.y4m").partition(b"\n")
        parts = frames.split(b"FRAME\n")[1:]
        ten = b"".join(b"FRAME\n" + b"".join((4 * v).to_bytes(2, "little") for v in part) for part in parts)
        write(f"{name}10.y4m", b" ".join(w if w[:1] != b"C" else b"C420p10" for w in head.split()) + b"\n" + ten)
    vmaf("--model", "auto")
    eight = [list(frame["metrics"].values()) for frame in report()["frames"]]
    fovea("score", "-r", "big10.y4m", "-d", "worse10.y4m", "-o", "report.json", "--model", "auto")
    check(eight == [list(frame["metrics"].values()) for frame in report()["frames"]],
          "8 bits and the same as 10 bits differ")


run()
