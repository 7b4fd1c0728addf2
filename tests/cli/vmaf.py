"""Tests fovea vmaf: it accepts the options of libvmaf's command and writes its reports."""

import json
import os
import re

import clip
from command import OUTPUT, PARTIAL, case, check, fovea, read, run, write

SIZE = dict(width=96, height=80)
HERE = {"FOVEA_DEVICE": "cpu"}
WRONG, REFUSED, PICTURES_REFUSED = 1, 255, 234 # exit codes of libvmaf's command


def vmaf(*args, env=None, **how):
    return fovea("vmaf", "-r", "big.y4m", "-d", "worse.y4m", *args, env=env or HERE, **how)


def prepare(frames=3, size=SIZE):
    write("big.y4m", clip.y4m(frames, seed=1, **size))
    write("worse.y4m", clip.y4m(frames, seed=2, **size))


def columns(name="report.csv"):
    return read(name).decode().splitlines()[0].strip(",").split(",")


@case
def four_forms_of_one_report():
    prepare()
    vmaf("-o", "report.xml")
    vmaf("-o", "report.json", "--json", "--threads", "2")
    vmaf("-o", "report.csv", "--csv")
    vmaf("--output", "report.sub", "--sub")
    values = [frame["metrics"]["vmaf"] for frame in json.loads(read("report.json"))["frames"]]
    check(len(values) == 3 and columns()[0] == "Frame" and columns()[-1] == "vmaf", f"the columns are {columns()}")
    for name, pattern in (("xml", r'vmaf="([\d.]+)"'), ("csv", r",([\d.]+),$"), ("sub", r"vmaf: ([\d.]+)\|$")):
        found = re.findall(pattern, read(f"report.{name}").decode(), re.M)
        check([float(value) for value in found[:3]] == values, f"{name} has {found}, JSON {values}")
    fovea("score", "-r", "big.y4m", "-d", "worse.y4m", "--model", "version=vmaf_v0.6.1", "-o", "own.json")
    own = [frame["metrics"]["vmaf"] for frame in json.loads(read("own.json"))["frames"]]
    check([f"{value:.6f}" for value in own] == [f"{value:.6f}" for value in values],
          "fovea score says something else")


@case
def a_model_names_no_folder():
    prepare(size=dict(width=240, height=216))
    model = {"model_dict": {"model_type": "LIBSVMNUSVR", "norm_type": "none",
                            "feature_names": ["Cambi_feature_cambi_score"],
                            "feature_opts_dicts": [{"heatmaps_path": "maps"}],
                            "model": "svm_type nu_svr\nkernel_type rbf\ngamma 1\ntotal_sv 1\nrho -2\nSV\n1 1:0\n"}}
    write("model.json", json.dumps(model).encode())
    vmaf("-m", "path=model.json", "-o", "report.xml", status=REFUSED,
         says=["model.json", "heatmaps_path", "remove it from the file"])
    fovea("score", "-r", "big.y4m", "-d", "worse.y4m", "--model", "path=model.json", status=3,
          says=["model.json", "heatmaps_path", "remove it from the file"])
    check(not os.path.exists("maps") and not os.path.exists("report.xml"), "the model made a folder")
    model["model_dict"]["feature_opts_dicts"] = [{"eotf": "pq"}]
    write("model.json", json.dumps(model).encode())
    vmaf("-m", "path=model.json:cambi.heatmaps_path=maps", "-o", "report.xml")
    check(os.listdir("maps") and read("report.xml"), "the user's own folder is missing")


@case
def models_and_features():
    prepare()
    vmaf("-m", "version=vmaf_v0.6.1neg:name=neg:disable_clip",
         "-m", "version=vmaf_b_v0.6.3:name=many:adm.adm_min_val=0.1", "--feature", "psnr=enable_mse=true",
         "--feature", "float_ssim", "--csv", "-o", "report.csv")
    for name in ("neg", "many", "many_0020", "many_ci_p95_hi", "mse_cr", "float_ssim", "integer_adm2_egl_1",
                 "integer_adm2_min_0.1"):
        check(name in columns(), f"{name} is not among {columns()}")
    vmaf("--no_prediction", "--feature", "psnr", "--csv", "-o", "report.csv")
    check(columns() == ["Frame", "psnr_y", "psnr_cb", "psnr_cr"], f"the columns are {columns()}")
    prepare(size=dict(width=216, height=64))
    vmaf("--nflx_ctc", "v1.0", "--csv", "-o", "report.csv", "--subsample", "2", "--frame_cnt", "3")
    check({"vmaf", "vmaf_neg", "float_ssim", "cambi"} < set(columns()), f"the columns are {columns()}")
    check([line[:2] for line in read("report.csv").decode().splitlines()[1:]] == ["0,", "2,"],
          "other frames are scored")


@case
def other_videos():
    prepare()
    vmaf("--frame_skip_dist", "1", says='"worse.y4m" ended before "big.y4m".')
    raw = dict(width=64, height=64, depth=10)
    write("ref.yuv", clip.raw(2, seed=1, **raw))
    write("dis.yuv", clip.raw(2, seed=2, **raw))
    geometry = ["-w", "64", "-h", "64", "-p", "420", "-b", "10"]
    fovea("vmaf", "-r", "ref.yuv", "-d", "dis.yuv", *geometry, "-o", "report.xml", env=HERE)
    check(read("report.xml").count(b"frameNum") == 2, "not every frame is there")
    fovea("vmaf", "-r", "ref.yuv", "-d", "dis.yuv", *geometry[:6], status=WRONG, says="bitdepth", env=HERE)
    fovea("vmaf", "-r", "ref.yuv", "-d", "dis.yuv", *geometry[:6], "-b", "11", status=WRONG, says="not 11", env=HERE)
    fovea("vmaf", "-r", "ref.y4m", "-d", "big.y4m", status=REFUSED, says="dimensions", env=HERE)
    fovea("vmaf", "-r", "ref10.y4m", "-d", "dis.y4m", status=REFUSED, says="bitdepths", env=HERE)
    large = dict(width=216, height=176)
    write("deep.y4m", clip.y4m(1, seed=1, depth=10, **large))
    write("flat.y4m", clip.y4m(1, seed=2, **large))
    fovea("vmaf", "-r", "deep.y4m", "-d", "flat.y4m", "--aom_ctc", "v7.0", "--csv", "-o", "report.csv", env=HERE)
    check({"vmaf_neg", "ciede2000", "psnr_hvs", "cambi"} < set(columns()), f"the columns are {columns()}")


def rows(name):
    lines = read(name).decode().splitlines()
    return [dict(zip(lines[0].strip(",").split(","), line.strip(",").split(","))) for line in lines[1:]]


@case
def metrics_that_libvmaf_lacks():
    prepare()
    for metric, option in (("ssimulacra2", "chroma_location=center"), ("butteraugli", "chroma_location=center"),
                           ("pu_psnr", "peak=400:chroma_location=center"),
                           ("pu_ssim", "peak=400:chroma_location=center"),
                           ("delta_e_itp", "peak=400:chroma_location=center"), ("xpsnr", "rate=25"),
                           ("vdm", "lw=200"), ("cvvdp", "fps=25:chroma_location=center")):
        name = f"{metric}={option}"
        log, _ = vmaf("--no_prediction", "--feature", name, "--feature", name, "--csv", "-o", "report.csv")
        fovea("score", "-r", "big.y4m", "-d", "worse.y4m", "-m", name, "-o", "own.csv")
        fovea("score", "-r", "big.y4m", "-d", "worse.y4m", "-m", name, "-o", "own.json")
        theirs, ours = rows("report.csv"), rows("own.csv")
        for row in ours:
            del row["Time"]
            row.pop("Low", None)  # rows() leaves out an empty last column
        check(len(theirs) == 3 and len(theirs[0]) == len(ours[0]), f"{metric}: {theirs[0]} and {ours[0]}")
        for one, other in zip(theirs, ours):
            check(list(one.values())[1:] == [f"{float(value):.6f}" for value in list(other.values())[1:]],
                  f"{metric}: {one} is not {other}")
        clip_scores = json.loads(read("own.json")).get("sequence", {})
        vmaf("--no_prediction", "--feature", name, "--json", "-o", "report.json")
        aggregate = json.loads(read("report.json"))["aggregate_metrics"]
        check([round(value, 6) for value in clip_scores.values()] == list(aggregate.values()),
              f"{metric}: {aggregate} is not {clip_scores}")
    vmaf("--no_prediction", "--feature", "ssimulacra2", "--feature", "ssimulacra2=white=200", "--csv",
         "-o", "report.csv")
    check(columns() == ["Frame", "ssimulacra2", "ssimulacra2_wht_200"], f"the columns are {columns()}")
    vmaf("--feature", "ssimulacra2=nosuch=1", status=REFUSED, says=["nosuch", "fovea metrics ssimulacra2"])
    vmaf("--feature", "ssimulacra2=matrix=nosuch", status=REFUSED, says=["nosuch", "bt709"])
    vmaf("--feature", "cvvdp", status=PICTURES_REFUSED, says="fps=")


@case
def numbers_as_the_c_library_reads_them():
    prepare()
    vmaf("--subsample", "0x2", "--frame_cnt", "-1", "--thread", "+1", "--csv", "-o", "report.csv")
    check([row["Frame"] for row in rows("report.csv")] == ["0", "2"], "0x2 is not 2, or -1 not all")
    vmaf("--subsample", "-1", "--csv", "-o", "report.csv")
    check([row["Frame"] for row in rows("report.csv")] == ["0"], "-1 is not the greatest number")
    prepare(size=dict(width=240, height=216))
    vmaf("--no_prediction", "--feature", "cambi=eotf=nosuch:cambi_eotf=pq",
         "--feature", "cambi=cambi_eotf=pq", "--csv", "-o", "report.csv")
    check(all(row["cambi_ceot_pq"] == row["cambi_ceot_pq_eotf_nosuch"] for row in rows("report.csv")), "eotf counts")


@case
def refusals():
    prepare()
    for args, words in ((["-m", "version=nosuch"], "nosuch"), (["-m", "path=none.json"], "none.json"),
                        (["--feature", "nosuch"], "nosuch"), (["--feature", "psnr=enable_mse=7"], "psnr")):
        vmaf(*args, status=REFUSED, says=words)
    for args, words in ((["-m", "name=x"], "version"), (["-m", "version=vmaf_v0.6.1:pooling"], "pooling"),
                        (["-m", "version=vmaf_v0.6.1", "-m", "version=vmaf_v0.6.1neg"], "another name"),
                        (["--feature", "psnr=x"], "'x'"), (["--cpumask", "all"], "all"), (["--threads", "2x"], "2x"),
                        (["--aom_ctc", "v9.9"], "v9.9"), (["--frame-count", "3"], "frame-cnt")):
        vmaf(*args, status=WRONG, says=words)
    vmaf("-o", "big.y4m", status=WRONG, says="overwrite")
    vmaf("-o", "none/report.xml", status=OUTPUT, says="none")
    check(read("big.y4m").startswith(b"YUV4MPEG2"), "an input is lost")
    fovea("vmaf", "-r", "big.y4m", status=WRONG, says="--distorted", env=HERE)
    _, version = fovea("vmaf", "-v")
    check(version.startswith("3.2.0-fovea-"), f"the version is {version}")
    vmaf(status=PICTURES_REFUSED, says="FOVEA_THREADS", env={"FOVEA_THREADS": "many"})
    vmaf(status=PICTURES_REFUSED, says="abacus", env={"FOVEA_DEVICE": "abacus"})


@case
def what_was_scored_is_kept():
    prepare()
    write("worse.y4m", read("worse.y4m")[:-100])
    vmaf("--csv", "-o", "report.csv", status=PARTIAL, says="worse.y4m")
    check(len(read("report.csv").decode().splitlines()) == 3, "the report lacks frames, or has too many")


run()
