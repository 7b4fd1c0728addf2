"""Tests what each metric does with each colour description of a file. The metric must give the score of equivalent
options, with a decision that names the assumption, or refuse the file and name an option that works."""

import json
import math
import os
import re
import struct
import subprocess

import clip
from command import (FOVEA, INPUT, PARTIAL, ROOT, USAGE, case, check, ffmpeg, fovea, in_shards, read, report, run,
                     write)

SIDES = ("-r", "a.y4m", "-d", "b.y4m")


def scores(metric, *args, sides=SIDES):
    """Returns the pooled scores of the only metric, and the whole report."""
    fovea("score", *sides, "-m", metric, *args, "-o", "x.json", "-q")
    value = report("x.json")
    pooled = {name: pool.get("mean", pool.get("value")) for name, pool in value["pooled"].items()}
    return {name: v for name, v in pooled.items() if isinstance(v, (int, float)) and not math.isnan(v)}, value


def make(width=64, height=64, chroma="420"):
    """Writes two videos whose headers state no chroma siting, unlike "420jpeg"."""
    for name, seed in (("a", 1), ("b", 9)):
        data = clip.y4m(frames=2, width=width, height=height, chroma=chroma, depth=10, seed=seed)
        write(name + ".y4m", data)


def tags(**given):
    return [word for name, value in given.items() for side in ("ref", "dis") for word in (f"--{name}-{side}", value)]


# Tags, options of a metric that mean the same, and words of the decision. Options that begin with "!" are instead
# what the refusal of these tags names.
LIGHT = (
    ({}, "", "no tag tells: matrix coefficients, transfer characteristics, primaries, range, chroma location"),
    ({"transfer": "bt709", "matrix": "bt709", "primaries": "bt709", "range": "limited", "siting": "left"}, "",
     "transfer of bt709"),
    ({"matrix": "bt601"}, "matrix=bt601", "matrix of bt601"),
    ({"matrix": "bt470bg"}, "matrix=bt601", "matrix of bt601"),
    ({"matrix": "bt601", "transfer": "bt601", "primaries": "bt601"}, "matrix=bt601", "smpte170m are near enough"),
    ({"primaries": "bt470bg"}, "", "bt470bg are near enough"),
    ({"primaries": "smpte240m"}, "", "smpte240m are near enough"),
    ({"matrix": "smpte240m"}, "!matrix=bt709, bt601 or bt2020", "matrix=bt709"),
    ({"matrix": "bt2020"}, "matrix=bt2020", "matrix of bt2020"),
    ({"matrix": "bt2020-constant"}, "!matrix=bt709, bt601 or bt2020", "matrix=bt2020"),
    ({"matrix": "ictcp"}, "!ictcp, which the metric has no model for", "matrix=bt2020"),
    ({"primaries": "bt2020"}, "primaries=bt2020", "primaries of bt2020"),
    ({"primaries": "display-p3"}, "primaries=p3", "primaries of p3"),
    ({"primaries": "dci-p3"}, "!primaries=bt709, bt2020 or p3", "primaries=bt2020"),
    ({"transfer": "bt2020-10"}, "", "transfer of bt709"),
    ({"transfer": "srgb"}, "transfer=srgb", "transfer of srgb"),
    ({"transfer": "linear"}, "transfer=linear", "transfer of linear"),
    ({"transfer": "gamma22"}, "transfer=gamma22", "transfer of gamma22"),
    ({"transfer": "gamma28"}, "transfer=gamma28", "transfer of gamma28"),
    ({"transfer": "9"}, "!code point 9, which the metric has no model for", "transfer=bt709"),
    ({"transfer": "dci"}, "!dci, which the metric has no model for", "transfer=bt709"),
    ({"transfer": "pq", "matrix": "bt2020", "primaries": "bt2020"},
     "transfer=pq:matrix=bt2020:primaries=bt2020", "transfer of pq"),
    ({"transfer": "hlg", "matrix": "bt2020", "primaries": "bt2020"},
     "transfer=hlg:matrix=bt2020:primaries=bt2020", "transfer of hlg"),
    ({"range": "full"}, "range=full", "full range"),
    ({"siting": "center"}, "chroma_location=center", "chroma center"),
    ({"siting": "topleft"}, "chroma_location=topleft", "chroma topleft"),
    ({"siting": "bottom"}, "!chroma_location=left, center or topleft", "chroma_location=left"),
)


def follows(metric, stated, options, words):
    """Checks that the tags give the score that the options give on untagged videos, and that a decision has these
    words."""
    if options.startswith("!"):
        fovea("score", *SIDES, "-m", metric, *tags(**stated), status=USAGE, says=options[1:])
        scores(f"{metric}={words}", *tags(**stated))  # the remedy that the refusal names
        return
    plain = scores(metric + ("=" + options if options else ""))[0]
    tagged, value = scores(metric, *tags(**stated))
    check(tagged == plain, f"{metric}, {stated}: {tagged}, and {plain} with {options}")
    told = [text for text in value["decisions"] if text.startswith(metric + ":") and words in text]
    check(len(told) == 1, f"{metric}, {stated}: {value['decisions']}")
    if options:
        check(tagged != scores(metric)[0], f"{metric}, {stated}: the score of videos without tags")


@case
def ssimulacra2_follows_the_tags():
    make()
    for row in LIGHT:
        follows("ssimulacra2", *row)


@case
def butteraugli_follows_the_tags():
    make()
    for row in LIGHT:
        follows("butteraugli", *row)


PU = (
    ({"transfer": "pq"}, "transfer=pq", "0 to 10000 cd/m2"),
    ({"transfer": "hlg"}, "transfer=hlg:primaries=bt2020", "0 to 1000 cd/m2; no tag tells the primaries"),
    ({"transfer": "bt2020-10"}, "", "0.1 to 100 cd/m2"),
    ({"transfer": "srgb"}, "transfer=srgb", "transfer of srgb"),
    ({"primaries": "display-p3"}, "primaries=p3", "primaries of p3"),
    ({"matrix": "bt601"}, "matrix=bt601", "no tag tells transfer and primaries"),
    ({"range": "full"}, "range=full", "full range"),
    ({"transfer": "gamma22"}, "!transfer=pq, hlg, bt1886 or srgb", "transfer=bt1886"),
    ({"transfer": "hlg", "primaries": "bt709"}, "!primaries=bt2020", "primaries=bt2020"),
    ({"primaries": "dci-p3"}, "!primaries=bt709, bt2020 or p3", "primaries=p3"),
)


@case
def displays_follow_the_tags():
    make()
    for row in PU:
        follows("pu_psnr", *row)
        follows("delta_e_itp", *row)
    for option, words in (("transfer=hlg:peak=300", "from 400 to 2000"), ("peak=0.5", "from 1 to 10000"),
                          ("black=51", "half of peak=100"), ("transfer=hlg:primaries=p3", "primaries=bt2020")):
        fovea("score", *SIDES, "-m", "pu_ssim=" + option, status=USAGE, says=words)
    write("nine.y4m", clip.y4m(frames=1, width=16, height=12, chroma="444", depth=9))
    check(scores("pu_ssim", sides=("-r", "nine.y4m", "-d", "nine.y4m"))[0] == {"pu_ssim": 1}, "9 bits")
    one = tags(transfer="pq")
    fovea("score", *SIDES, "-m", "pu_psnr,pu_ssim", *one, "-o", "both.json", "-q")
    for metric in ("pu_psnr", "pu_ssim"):
        alone = scores(metric, *one)[0]
        both = [frame["metrics"][metric] for frame in report("both.json")["frames"]]
        check(both == [frame["metrics"][metric] for frame in report("x.json")["frames"]],
              f"{metric}, {alone}: {both}")


@case
def colour_differences_of_every_format():
    """Colour differences are equal on each instruction set, and 0 for equal pictures. The widths include rows that
    kernels process in several pieces."""
    displays = ("transfer=pq:primaries=bt2020", "transfer=hlg:primaries=bt2020:peak=600",
                "transfer=bt1886:primaries=p3:range=full",
                "transfer=srgb:primaries=bt709:matrix=bt601:chroma_location=topleft",
                "transfer=pq:peak=1000:black=0.01:chroma_location=center")
    metrics = ",".join("delta_e_itp=" + display for display in displays)
    for chroma in ("420", "422", "444"):
        for depth in (8, 9, 10, 12, 16):
            for width, height in ((1, 1), (3, 2), (37, 23), (1041, 3)):
                for name, seed in (("a", 1), ("b", 9)):
                    write(name + ".y4m",
                          clip.y4m(frames=2, width=width, height=height, chroma=chroma, depth=depth, seed=seed))
                what = f"{chroma}, {depth} bits, {width}x{height}"
                plain = scores(metrics, "--isa", "scalar", "--device", "cpu")[1]["frames"]
                check(len(plain[0]["metrics"]) == 2 * len(displays), f"{what}: {plain}")
                check(width < 37 or all(0 < v < 1024 for v in plain[0]["metrics"].values()), f"{what}: {plain}")
                check(plain == scores(metrics, "--device", "cpu")[1]["frames"], f"{what}: vectors differ")
                equal = scores(metrics, "--device", "cpu", sides=("-r", "a.y4m", "-d", "a.y4m"))[1]["frames"]
                check(not any(v for frame in equal for v in frame["metrics"].values()), f"{what}: {equal}")
    make(chroma="400")
    fovea("score", *SIDES, "-m", "delta_e_itp", status=INPUT, says=["delta_e_itp: the metric needs chroma", "4:2:0"])
    make()
    fovea("score", *SIDES, "-m", "delta_e_itp=matrix=rgb", status=INPUT, says="matrix=rgb needs 4:4:4")


@case
def light_of_other_chroma_formats():
    """The siting counts only horizontally for 4:2:2, and not at all for 4:4:4 and gray."""
    make(chroma="422")
    follows("ssimulacra2", {"siting": "top"}, "chroma_location=center", "chroma center")
    follows("ssimulacra2", {"siting": "bottomleft"}, "", "chroma left")
    for chroma in ("444", "400"):
        make(chroma=chroma)
        check("chroma" not in scores("ssimulacra2", *tags(siting="bottom"))[1]["decisions"][-1], "a siting was told")
        follows("ssimulacra2", {"siting": "bottom"}, "", "transfer of bt709")


@case
def cvvdp_follows_the_tags():
    make()
    for stated, options, words in (
            ({}, "display=standard_4k:matrix=bt709:chroma_location=left", "standard_4k"),
            ({"matrix": "bt601"}, "matrix=bt601", "matrix bt601"),
            ({"primaries": "bt2020"}, "primaries=bt2020", "bt2020"),
            ({"primaries": "bt601"}, "primaries=bt709", "bt709"),
            ({"primaries": "display-p3"}, "primaries=p3", "p3"),
            ({"transfer": "pq", "primaries": "bt2020"}, "display=standard_hdr_pq", "standard_hdr_pq"),
            ({"transfer": "hlg", "primaries": "bt2020"}, "display=standard_hdr_hlg", "standard_hdr_hlg"),
            ({"range": "full"}, "range=full", "standard_4k"),
            ({"siting": "center"}, "chroma_location=center", "standard_4k")):
        tagged, value = scores("cvvdp", *tags(**stated))
        check(tagged == scores("cvvdp=" + options)[0], f"{stated}: not {options}")
        check(any(words in text for text in value["decisions"]), f"{stated}: {value['decisions']}")
    for stated, words, remedy in (({"primaries": "dci-p3"}, "primaries=bt709, bt2020 or p3", "primaries=p3"),
                                  ({"matrix": "ycgco"}, "matrix=bt709", "matrix=bt709"),
                                  ({"transfer": "linear"}, "transfer=srgb", "transfer=srgb"),
                                  ({"transfer": "dci"}, "transfer=srgb", "transfer=gamma24"),
                                  ({"siting": "bottom"}, "chroma_location=left", "chroma_location=center")):
        fovea("score", *SIDES, "-m", "cvvdp", *tags(**stated), status=USAGE, says=words)
        scores("cvvdp=" + remedy, *tags(**stated))


@case
def vdm_takes_the_light_of_the_signal():
    make()
    for stated, options, words in (({}, "eotf=bt1886:lw=100", "100 cd/m2;"),
                                   ({"transfer": "bt601"}, "eotf=bt1886:lw=100", "bt1886"),
                                   ({"transfer": "7"}, "eotf=bt1886:lw=100", "bt1886"),
                                   ({"transfer": "srgb"}, "eotf=srgb:lw=100", "srgb"),
                                   ({"transfer": "linear"}, "eotf=linear:lw=100", "linear"),
                                   ({"transfer": "pq"}, "eotf=pq:lw=1000", "no mastering display is stated"),
                                   ({"transfer": "hlg"}, "eotf=hlg:lw=1000", "1000 cd/m2 (nominal)"),
                                   ({"range": "full"}, "full_range=1", "full range (as tagged)")):
        tagged, value = scores("vdm", *tags(**stated))
        check(tagged == scores("vdm=" + options)[0], f"{stated}: not {options}")
        check(any(words in text for text in value["decisions"]), f"{stated}: {value['decisions']}")
    for transfer in ("dci", "gamma28"):
        fovea("score", *SIDES, "-m", "vdm", *tags(transfer=transfer), status=USAGE,
              says="eotf=bt1886, srgb, pq, linear or hlg")
        scores("vdm=eotf=bt1886", *tags(transfer=transfer))
    fovea("score", *SIDES, "-m", "vdm=lb=60", status=USAGE, says="lb=60 is more than half of lw=100")
    scores("vdm=lb=60", *tags(transfer="pq"))


def flat(name, codes):
    """Writes a frame of ten bits: a checkerboard of two codes."""
    luma = [codes[(x // 8 + y // 8) % 2] for y in range(64) for x in range(64)]
    data = b"".join(v.to_bytes(2, "little") for v in luma + [512] * (2 * 32 * 32))
    write(name, clip.header(64, 64, depth=10) + b"FRAME\n" + data)


@case
def damage_above_100_cd_m2_is_seen():
    """The frames differ only where one has PQ codes of 200 cd/m2 and the other of 250; the other half of both has 600
    cd/m2."""
    flat("a.y4m", (594, 698))
    flat("b.y4m", (613, 698))
    check(scores("vdm", *tags(transfer="pq"))[0]["vdm_max"] > 0.5, "nothing is seen")
    check(scores("vdm=lw=100", *tags(transfer="pq"))[0]["vdm_max"] == 0, "a display of 100 cd/m2 shows more")


@case
def maps_follow_the_tags():
    make()
    for metric, options in (("vdm", "eotf=pq:lw=1000"), ("ssimulacra2", "transfer=pq"),
                            ("butteraugli", "transfer=pq")):
        maps = []
        for i, args in enumerate((("-m", metric, *tags(transfer="pq")), ("-m", f"{metric}={options}"),
                                  ("-m", metric))):
            fovea("map", *SIDES, *args, "--frame", "1", "--format", "pfm", "-o", f"{metric}{i}")
            folder = os.path.join(f"{metric}{i}", os.listdir(f"{metric}{i}")[0])
            maps.append([read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
                         if name.endswith(".pfm")])
        check(maps[0] and maps[0] == maps[1] != maps[2], f"{metric}: the map has another colour")


@case
def metrics_with_one_colour_refuse_others():
    make(320, 240)
    for metric, refused, taken in (
            ("cambi", {"hlg": "eotf=bt1886", "dci": "eotf=bt1886", "linear": "eotf=pq"},
             ("bt709", "bt601", "gamma28", "srgb", "bt2020-10")),
            ("ciede", {"hlg": "any_transfer=true", "dci": "any_transfer=true", "pq": "any_transfer=true"},
             ("bt709", "bt601", "gamma28", "srgb", "bt2020-10")),
            ("vmaf", {"hlg": "allow_hdr=true", "dci": "allow_hdr=true", "pq": "allow_hdr=true"},
             ("bt709", "bt601", "gamma28", "srgb", "bt2020-10"))):
        plain = scores(metric)[0]
        for transfer, remedy in refused.items():
            said = "--allow-hdr" if metric == "vmaf" else remedy.split("=")[0]
            fovea("score", *SIDES, "-m", metric, *tags(transfer=transfer), says=said,
                  status=INPUT if metric == "vmaf" else USAGE)
            scores(f"{metric}={remedy}", *tags(transfer=transfer))
        for transfer in taken:
            tagged = scores(metric, *tags(transfer=transfer))[0]
            check(tagged == plain, f"{metric}, {transfer}: {tagged}, and {plain}")
    for stated in ({"matrix": "bt601"}, {"primaries": "bt2020"}, {"range": "full"}, {"transfer": "srgb"}):
        told = scores("ciede", *tags(**stated))[1]["decisions"]
        check(any("count as BT.709 of limited range" in text for text in told), f"ciede, {stated}: {told}")


@case
def metrics_of_code_values_take_every_colour():
    make()
    for metric in ("psnr", "psnr_hvs", "float_ssim", "xpsnr", "vif", "adm", "motion"):
        plain = scores(metric)[0]
        for stated in ({"transfer": "pq", "primaries": "bt2020", "matrix": "bt2020"}, {"transfer": "hlg"},
                       {"transfer": "dci", "primaries": "dci-p3"}, {"matrix": "bt470bg"}, {"range": "full"}):
            check(scores(metric, *tags(**stated))[0] == plain, f"{metric}, {stated}: other scores")


@case
def hdr_is_allowed_however_vmaf_is_named():
    make(320, 240)
    pq = tags(transfer="pq")
    for named in ((), ("-m", "vmaf"), ("-m", "psnr,vmaf"), ("-m", "vmaf=disable_clip=true,psnr"), ("--model", "auto"),
                  ("-m", "vmaf=name='a,b'")):
        fovea("score", *SIDES, *named, *pq, "--allow-hdr", "-o", "x.json", "-q")
        value = report("x.json")
        check(any("vmaf" in metric["name"] for metric in value["metrics"]), f"{named}: no vmaf")
    _, said = fovea("score", *SIDES, *pq, "-o", "x.json", "-q")
    check(not said, said)
    check([metric["name"] for metric in report("x.json")["metrics"]] == ["cvvdp", "pu_psnr", "psnr", "psnr_hvs"],
          "the default metrics of PQ")
    fovea("score", *SIDES, "-m", "vmaf", *pq, status=INPUT, says="--allow-hdr")


@case
def tags_that_contradict_are_refused():
    make()
    for name, ref, dis, option in (("transfer", "bt709", "pq", "transfer=pq"),
                                   ("matrix", "bt709", "bt601", "matrix=bt601"),
                                   ("primaries", "bt709", "bt2020", "primaries=bt2020")):
        args = (f"--{name}-ref", ref, f"--{name}-dis", dis, "--ignore-colour")
        for metric in ("ssimulacra2", "butteraugli"):
            fovea("score", *SIDES, "-m", metric, *args, status=USAGE, says=f"{name}=")
            scores(f"{metric}={option}", *args)
    args = ("--range-ref", "limited", "--range-dis", "full", "--ignore-range")
    fovea("score", *SIDES, "-m", "ssimulacra2", *args, status=USAGE, says="range=limited or full")
    scores("ssimulacra2=range=full", *args)
    one = ("--transfer-dis", "pq")  # the other video has no tag
    check(scores("ssimulacra2", *one)[0] == scores("ssimulacra2=transfer=pq")[0], "the only tag does not count")


@case
def chroma_goes_to_the_siting_of_the_reference():
    """Chroma moves to the reference's siting if it is scaled or with --convert chroma. Otherwise it stays, and the
    report says so."""
    write("a.y4m", clip.y4m(frames=2, width=64, height=64, seed=1))
    write("b.y4m", clip.y4m(frames=2, width=32, height=32, seed=1))
    for siting in ("left", "topleft", "top", "bottomleft", "bottom"):
        args = ("-r", "a.y4m", "-d", "b.y4m", "--siting-ref", "center", "--siting-dis", siting)
        told = scores("psnr", *args, "--scale", "dis", sides=())[1]["decisions"]
        check(any(text.endswith(f"siting {siting} to center") for text in told), f"{siting}: {told}")
        told = scores("psnr", *args, "--scale", "ref", sides=())[1]["decisions"]
        check(any(f"the distorted video was moved from {siting} to center" in text for text in told), f"{told}")
    same = ("-r", "a.y4m", "-d", "a.y4m")
    moved = ("--siting-ref", "left", "--siting-dis", "topleft")
    value = scores("psnr", *moved, sides=same)
    check(value[0]["psnr_cb"] == 60 and "as it is stored" in value[1]["decisions"][0], f"{value[1]['decisions']}")
    check(scores("psnr", *moved, "--scale", "dis", sides=same)[0]["psnr_cb"] < 60, "chroma stays")
    check(scores("psnr", "--siting-dis", "left", "--siting-ref", "left", "--scale", "dis",
                 sides=same)[0]["psnr_cb"] == 60,
          "equal sitings move")


@case
def tags_of_files_count():
    """Tags of the stream and of its side data count."""
    hdr = ("-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-color_range", "tv")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=128x96:r=25,format=yuv420p10le", "-frames:v", "3", "-c:v", "ffv1",
           *hdr, "a.mkv")
    ffmpeg("-i", "a.mkv", "-vf", "boxblur=1", "-c:v", "ffv1", *hdr, "b.mkv")
    files = ("-r", "a.mkv", "-d", "b.mkv")
    want = scores("ssimulacra2=transfer=pq:matrix=bt2020:primaries=bt2020:range=limited", sides=files)[0]
    check(scores("ssimulacra2", sides=files)[0] == want, "not PQ of BT.2020")
    check(scores("ssimulacra2=transfer=bt709:matrix=bt709:primaries=bt709", sides=files)[0] != want,
          "any colour does")
    master = ("-c:v", "libx265",
              "-x265-params", "log-level=none:master-display=G(8500,39850)B(6550,2300)R(35400,14600)"
              "WP(15635,16450)L(6000000,50):max-cll=600,200")
    ffmpeg("-i", "b.mkv", *master, "-tag:v", "hvc1", *hdr, "c.mp4")
    tagged, value = scores("vdm", sides=("-r", "a.mkv", "-d", "c.mp4"))
    check(any("600 cd/m2 (the mastering display's)" in text for text in value["decisions"]), f"{value['decisions']}")
    check(tagged == scores("vdm=lw=600", sides=("-r", "a.mkv", "-d", "c.mp4"))[0], "another peak")


COLUMNS = (("untagged", {}), ("BT.601", {"matrix": "bt601", "transfer": "bt601", "primaries": "bt601"}),
           ("BT.2020", {"matrix": "bt2020", "transfer": "bt2020-10", "primaries": "bt2020"}),
           ("PQ", {"matrix": "bt2020", "transfer": "pq", "primaries": "bt2020"}),
           ("HLG", {"matrix": "bt2020", "transfer": "hlg", "primaries": "bt2020"}),
           ("full range", {"range": "full"}))
SILENT = {"cambi": "bt1886", "ciede": "BT.709", "black": "its range", "levels": "its range and matrix",
          "flash": "its colour", "light": "its colour", "siti": "its range and transfer"}
TOLD = ((r"matrix of (\S+), the transfer of (\S+), the primaries of (\S+), (full)?", "{0}, {1}, {2} {3}"),
        (r"display is (\w+) \(.*with (full)?.* (\d+ cd/m2)", "{0}, {2} {1}"),
        (r"display is (standard_\w+).*matrix (\w+)", "`{0}`, {1}"), (r"display is (pq)", "{0}"),
        (r"count as (BT.709)", "as {0}, said"))


def cell(metric, stated):
    """Returns a cell of the documentation's table: the assumption that a run reports, or the option that a refusal
    names."""
    done = subprocess.run([FOVEA, "score", *SIDES, "-m", metric, *tags(**stated), "-o", "x.json", "-q"], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        option = re.search(r"(--allow-hdr|\w+=)", done.stderr.decode()).group(1)
        return f"refused: `{option}`"
    for text in report("x.json")["decisions"]:
        for pattern, shown in TOLD:
            found = re.search(pattern, text) if text.startswith(metric + ": ") else None
            if found:
                return shown.format(*(group or "" for group in found.groups())).strip()
    return SILENT.get(metric, "code values")


@case
def the_table_of_the_documentation_is_what_runs_say():
    make(320, 240)
    rows = ["| metric | " + " | ".join(name for name, _ in COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for metric in json.loads(fovea("metrics", "--json")[0]):
        cells = [cell(metric["name"], stated) for _, stated in COLUMNS]
        if set(cells) == {"code values"}:
            continue
        rows.append(f"| `{metric['name']}` | " + " | ".join(cells) + " |")
    with open(os.path.join(ROOT, "docs/colour.md"), encoding="utf-8") as file:
        written = [line.rstrip() for line in file if line.startswith("|")]
    missing = [row for row in rows if row not in written]
    check(not missing and len(written) == len(rows), "the table is " + " @ ".join(rows))


@case
def a_container_that_contradicts_its_stream():
    """The stream's tags count, and one warning per video names the contradiction. A tag that the caller states ends
    the warning."""
    for name, level in (("a", "4"), ("b", "30")):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-frames:v", "3", "-pix_fmt", "yuv420p10le",
               "-c:v", "libx264", "-qp", level, "-colorspace", "bt709", "-color_trc", "bt709",
               "-color_primaries", "bt709", "-color_range", "tv", name + ".mp4")
        ffmpeg("-i", name + ".mp4", "-c", "copy",
               "-bsf:v", "h264_metadata=transfer_characteristics=16:colour_primaries=9:"
               "matrix_coefficients=9", name + "-pq.mp4")
    whole = scores("ssimulacra2", *tags(transfer="pq", matrix="bt2020", primaries="bt2020"),
                   sides=("-r", "a.mp4", "-d", "b.mp4"))[0]
    got, value = scores("ssimulacra2", sides=("-r", "a-pq.mp4", "-d", "b-pq.mp4"))
    check(got == whole, f"{got}, and {whole} with the stream's tags")
    warned = [text for text in value["decisions"] if text.startswith("warning: ") and "container" in text]
    want = ("warning: the {} follows the tags of its stream against those of its container: primaries bt2020 and not "
            "bt709, transfer "
            "pq and not bt709, matrix bt2020 and not bt709; if the container is right, add `{}.primaries=bt709` and "
            "`{}.transfer=bt709` and `{}.matrix=bt709`")
    for side, title in (("reference", "reference"), ("distorted", "distorted video")):
        check(want.format(title, side, side, side) in warned, f"{warned}")
    check(len(warned) == 2, f"{warned}")
    table = fovea("score", "-r", "a-pq.mp4", "-d", "b-pq.mp4", "-m", "psnr")[0]
    check("add --primaries-dis bt709" in " ".join(table.split()), table)
    fovea("score", "-r", "a-pq.mp4", "-d", "b-pq.mp4", "-m", "psnr", "--strict", status=INPUT,
          says="against those of its container")
    in_shards(1, "-r", "a-pq.mp4", "-d", "b-pq.mp4", "-m", "ssimulacra2")
    check([text for text in report("merged.json")["decisions"] if text in warned] == warned,
          "another warning in shards")
    settled = tags(transfer="bt709", matrix="bt709", primaries="bt709")
    got, value = scores("ssimulacra2", *settled, sides=("-r", "a-pq.mp4", "-d", "b-pq.mp4"))
    check(got != whole and not any("container" in text for text in value["decisions"]), f"{value['decisions']}")
    for sides in (("-r", "a.mp4", "-d", "b.mp4"), ("-r", "a.mp4", "-d", "a.mp4")):
        check(not any("container" in text for text in scores("psnr", sides=sides)[1]["decisions"]),
              "a warning without a reason")


def dolby_vision(name, made, profile, compatible):
    """Writes a copy of the file with a Dolby Vision box in its video's sample entry. The file must have its index at
    the end."""
    data = bytearray(read(name))
    at = data.index(b"hvcC") - 4
    at += int.from_bytes(data[at:at + 4], "big")
    box = struct.pack(">I4sBBBBB19x", 32, b"dvcC", 1, 0, profile << 1, 13, compatible << 4)
    for outer in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"hvc1"):
        start = data.index(outer) - 4
        data[start:start + 4] = (int.from_bytes(data[start:start + 4], "big") + len(box)).to_bytes(4, "big")
    return write(made, bytes(data[:at] + box + data[at:]))


@case
def dolby_vision_of_its_own_colour():
    """Profile 5 has a colour space of its own, which its tags do not state. Profile 8.1 has the colour that its tags
    state, since other players show its base layer."""
    colour = ("-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc",
              "-color_range", "tv")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-frames:v", "3", "-pix_fmt", "yuv420p10le",
           "-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", *colour, "a.mp4")
    for profile, compatible, own in ((5, 0, True), (8, 1, False)):
        dolby_vision("a.mp4", "b.mp4", profile, compatible)
        for metric in ("psnr", "ssimulacra2"):
            args = ("score", "-r", "a.mp4", "-d", "b.mp4", "-m", metric, "-q", "-o", "x.json")
            fovea(*args, **{"status": INPUT, "says": "the distorted video has ipt-c2"} if own else {})
            fovea(*args, "--matrix-dis", "bt2020")
        args = ("score", "-r", "b.mp4", "-d", "b.mp4", "-q", "-o", "x.json")
        fovea(*args, "-m", "psnr")
        check(report("x.json")["inputs"]["reference"]["matrix"] == ("ipt-c2" if own else "bt2020"),
              f"profile {profile}")
        fovea(*args, "-m", "ssimulacra2", **{"status": USAGE, "says": ("ipt-c2", "matrix=")} if own else {})


@case
def colour_that_changes_is_refused():
    """A frame is refused where the stated colour changes, as after a joined advertisement, unless the caller states
    the colour."""
    def part(name, *colour, frames=6):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25", "-frames:v", str(frames), "-pix_fmt", "yuv420p",
               "-c:v", "libx264", "-qp", "8",
               *(word for option, value in zip(("-color_primaries", "-color_trc", "-colorspace"), colour) if value
                 for word in (option, value)), name)
        return read(name)
    first, end = part("a.ts", "bt709", "bt709", "bt709"), {}
    for name, colour in (("pq", ("bt2020", "smpte2084", "bt2020nc")), ("matrix", ("bt709", "bt709", "bt470bg")),
                         ("bt601", ("smpte170m", "smpte170m", "")), ("nothing", ("", "", ""))):
        end[name] = first + part("b.ts", *colour)
    write("a.ts", first * 2)
    for name, words in (("pq", "frame 6 states the transfer pq and the first one bt709"),
                        ("matrix", "frame 6 states the matrix bt470bg and the first one bt709"), ("bt601", ""),
                        ("nothing", "")):
        write("b.ts", end[name])
        for threads in ("1", "3"):
            fovea("score", "-r", "a.ts", "-d", "b.ts", "-m", "psnr", "--threads", threads, "-q", "-o", "x.json",
                  status=PARTIAL if words else 0,
                  says=("b.ts", words, "--transfer-dis" if name == "pq" else "--matrix-dis") if words else "")
            check(report("x.json")["frame_count"] == (6 if words else 12),
                  f"{name}: {report('x.json')['frame_count']} frames")
    write("b.ts", end["pq"])
    check(len(fovea("decode", "b.ts", "--md5")[0].split()) == 12, "samples are not written as they are")
    settled = ("--transfer-dis", "bt709", "--primaries-dis", "bt709", "--matrix-dis", "bt709")
    value = scores("psnr", *settled, sides=("-r", "a.ts", "-d", "b.ts"))[1]
    check(value["frame_count"] == 12 and not value["partial"], "the caller's tags do not settle it")


@case
def shards_keep_the_colour():
    make()
    one = tags(transfer="pq", matrix="bt2020")
    fovea("score", *SIDES, "-m", "ssimulacra2,vdm", *one, "-o", "whole.json", "-q")
    in_shards(2, *SIDES, "-m", "ssimulacra2,vdm", *one)
    check(report("whole.json")["frames"] == report("merged.json")["frames"], "other scores")


run()
