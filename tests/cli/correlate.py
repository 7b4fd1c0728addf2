"""Tests fovea correlate: numbers that are defined to the bit, tables in every format, and refusals."""

import json
import os
import re

import clip
from command import INPUT, ROOT, USAGE, case, check, fovea, read, run, write

TABLES = os.path.join(ROOT, "tests/golden/votes")


def correlate(scores, votes, *args, **how):
    return fovea("correlate", scores, votes, *args, **how)


def answer(scores, votes, *args, **how):
    return json.loads(correlate(scores, votes, *args, "--json", **how)[0])


def differences(expected, found, path=""):
    """Yields each place where the expected result and the found one differ."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            yield from differences(value, found.get(key, "missing"), f"{path}/{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, (one, other) in enumerate(zip(expected, found)):
            yield from differences(one, other, f"{path}/{i}")
    elif isinstance(expected, str) and re.match(r"-?0x", expected):
        if not isinstance(found, (int, float)) or float(found).hex() != expected:
            yield f"{path}: {found} is not {float.fromhex(expected)!r}"
    elif expected != found:
        yield f"{path}: {found} is not {expected}"


@case
def the_defined_numbers():
    with open(os.path.join(TABLES, "expected.json"), encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    check(len(cases) == 9, f"there are {len(cases)} cases")
    for one in cases:
        args = []
        for name, value in one["options"].items():
            for word in value.split(",") if name in ("score", "lower", "where") else [value]:
                args += ["--" + name, word]
        found = answer(os.path.join(TABLES, one["scores"]), os.path.join(TABLES, one["votes"]), *args)
        wrong = list(differences(one["result"], found))
        check(not wrong, f"{one['name']}: {len(wrong)} differ: {wrong[:3]}")
        sets = [(set(value), set(found["metrics"][name])) for name, value in one["result"]["metrics"].items()]
        check(all(more - less <= {"better", "direction"} for less, more in sets), f"{one['name']}: {sets}")


VOTES = "video,mos,ci,src\n" + "".join(f"d{i}.mp4,{1 + i * 0.5},{0.2},{i % 2}\n" for i in range(8))
SCORES = "encode,a,b\n" + "".join(f"runs/d{i}.y4m,{10 * i * i},{7 - i}\n" for i in range(8))


def tables(scores=SCORES, votes=VOTES):
    write("scores.csv", scores.encode())
    write("votes.csv", votes.encode())
    return "scores.csv", "votes.csv"


@case
def joining():
    found = answer(*tables())
    check((found["joined_by"], found["stimuli"], found["unmatched_scores"]) == ("stem", 8, 0), f"{found}")
    check(found["metrics"]["a"]["srocc"] == 1 and found["metrics"]["b"]["srocc"] == -1, "the order")
    check(found["metrics"]["a"]["contents"] == 2, "the contents")
    for key, how in (("d{}.mp4", "exact"), ("C:\\clips\\d{}.mp4", "base name"), ("x/d{}.265", "stem")):
        scores = "encode,a\n" + "".join(key.format(i) + f",{i}\n" for i in range(7)) + "other,5\n"
        found = answer(*tables(scores))
        check((found["joined_by"], found["unmatched_scores"], found["unmatched_votes"]) == (how, 1, 1),
              f"{key}: {found}")
    found = answer(*tables(SCORES.replace("40,5", "inf,5").replace("90,4", ",4"))) # two rows lack a score
    check((found["stimuli"], found["left_out"]) == (6, 2), f"{found}")
    dotted = "video,mos\n" + "".join(f"v_59.94fps_h{i},{i}\n" for i in range(6))
    found = answer(*tables("encode,a\n" + "".join(f"a/v_59.94fps_h{i}.mkv,{i}\n" for i in range(6)), dotted))
    check(found["stimuli"] == 6, "a dot within a name begins no ending")
    twice = VOTES.replace("video,mos",
                          "far,video,mos").replace("\nd", "\nyes,d") + VOTES.split("\n", 1)[1].replace("d", "no,d")
    correlate(*tables(votes=twice), status=INPUT, says=["duplicate key", "votes.csv", "far", "--where"])
    found = answer("scores.csv", "votes.csv", "--where", "far=yes")
    check(found["stimuli"] == 8, "--where")
    correlate(*tables(SCORES + "runs/d1.y4m,1,1\n"), status=INPUT, says=["duplicate key", "scores.csv", "a, b"])


@case
def tables_of_every_shape():
    plain = answer(*tables())
    text = VOTES.replace("d3.mp4", '"d3.mp4"').replace("\n", "\r\n")
    write("odd.csv", b"\xef\xbb\xbfname: of a dataset\n\n" + text.encode())
    found = answer("scores.csv", "odd.csv")
    check(found["metrics"] == plain["metrics"], "marks, quotes, line ends and a preamble")
    write("votes.tsv", VOTES.replace(",", "\t").encode())
    check(answer("scores.csv", "votes.tsv")["metrics"] == plain["metrics"], "tabs")
    for old, new in (("mos", "JOD"), ("mos,ci", "Quality,CI95"), ("src", "scene"), ("video", "filename")):
        check(answer("scores.csv", write("v.csv", VOTES.replace(old, new, 1).encode()))["metrics"] ==
              plain["metrics"], new)
    limits = ("video,jod,jod_low,jod_high,src\n" +
              "".join(f"d{i}.mp4,{1 + i * 0.5},{0.75 + i * 0.5},{1.25 + i * 0.5},{i % 2}\n"
                    for i in range(8)))
    found = answer("scores.csv", write("limits.csv", limits.encode()))
    check("rmse_star" in found["metrics"]["a"] and not found["warnings"], f"{found['warnings']}")
    found = answer("scores.csv", write("offsets.csv", limits.replace("0.75,1.25", "-0.2,0.3").encode()),
                   says="enclose")
    check(found["warnings"] == ["limits"], f"{found['warnings']}")
    found = answer("scores.csv", write("gap.csv", VOTES.replace("0.2,1\n", ",1\n", 1).encode()),
                   says="lacks the interval")
    check(found["warnings"] == ["ci"] and "pairs" not in found["metrics"]["a"], f"{found['warnings']}")
    correlate("scores.csv", write("dmos.csv", VOTES.replace("mos", "dmos").encode()), status=USAGE,
              says=["dmos", "--vote dmos"])
    check(answer("scores.csv", "dmos.csv", "--vote", "dmos")["metrics"] == plain["metrics"], "--vote dmos")
    other = VOTES.replace("video,mos,ci,src", "id,points,half,what")
    found = answer("scores.csv", write("own.csv", other.encode()), "--key", "id", "--vote", "points", "--ci", "half",
                   "--content", "what")
    check(found["metrics"] == plain["metrics"], "own names of columns")
    scores = SCORES.replace("encode", "which", 1)
    check(answer(write("own_scores.csv", scores.encode()), "votes.csv", "--score-key", "which")["metrics"] ==
          plain["metrics"], "--score-key")


@case
def reports():
    names = [f"d{i}.y4m" for i in range(7)]
    for i, name in enumerate(names):
        write(name, clip.y4m(seed=10 + i))
    votes = write("votes.csv",
                  ("video,mos\n" + "".join(f"{name},{(5 * i) % 7}\n" for i, name in enumerate(names))).encode())
    fovea("score", "ref.y4m", *names, "-m", "psnr,motion", "-o", "reports/")
    fovea("score", "ref.y4m", *names, "-m", "psnr,motion", "-o", "all.json", "-o", "all.csv")
    found = answer("reports", votes)
    # The amount of motion judges no video.
    check({name[:5] for name in found["metrics"]} == {"psnr_"}, f"{list(found['metrics'])}")
    check(found["metrics"]["psnr_y"]["direction"] == "known" and found["metrics"]["psnr_y"]["better"] == "higher",
          "psnr")
    check(answer("all.json", votes)["metrics"] == found["metrics"], "the JSON of many encodes")
    listed = answer("all.csv", votes, "--score", "psnr_y")
    check(listed["metrics"]["psnr_y"]["srocc"] == found["metrics"]["psnr_y"]["srocc"], "the CSV of many encodes")
    check("bit_rate" not in answer("all.csv", votes)["metrics"], "a bit rate is no score")
    pool = answer("reports", votes, "--score", "psnr_y:min", "--score", "psnr_y")
    check(list(pool["metrics"]) == ["psnr_y:min", "psnr_y"], f"{list(pool['metrics'])}")
    check(pool["metrics"]["psnr_y:min"]["plcc_raw"] != pool["metrics"]["psnr_y"]["plcc_raw"],
          "a pool is its own score")
    check(answer("all.json", votes, "--score", "psnr_y:min")["metrics"]["psnr_y:min"] ==
          pool["metrics"]["psnr_y:min"], "of encodes")
    os.mkdir("lib")
    for i, name in enumerate(names):
        form = ("json", "xml", "csv")[i % 3]
        fovea("vmaf", "-r", "ref.y4m", "-d", name, "-n", "--feature", "psnr", "--" + form, "-o", f"lib/d{i}.{form}",
              env={"FOVEA_DEVICE": "cpu"})
    theirs = answer("lib", votes, "--score", "psnr_y")
    check(theirs["joined_by"] == "stem" and theirs["stimuli"] == 7, f"{theirs}")
    check(abs(theirs["metrics"]["psnr_y"]["plcc_raw"] - found["metrics"]["psnr_y"]["plcc_raw"]) < 1e-5,
          "reports of libvmaf")
    falling = write("falling.csv",
                    ("video,mos\n" + "".join(f"{name},{-i}\n" for i, name in enumerate(names))).encode())
    rising = write("rising.csv",
                   ("video,psnr_y\n" + "".join(f"{name},{i}\n" for i, name in enumerate(names))).encode())
    answer(rising, falling, says=["psnr_y is better where it is higher", "check the column"])


@case
def options():
    scores, votes = tables()
    plain = answer(scores, votes)
    check(answer(scores, votes) == plain, "two runs differ")
    check(answer(scores, votes, "--seed", "2")["metrics"]["a"]["rmse_bootstrap"] !=
          plain["metrics"]["a"]["rmse_bootstrap"], "--seed")
    none = answer(scores, votes, "--bootstrap", "0")
    check("rmse_bootstrap" not in none["metrics"]["a"] and
          none["metrics"]["a"]["rmse"] == plain["metrics"]["a"]["rmse"], "--bootstrap 0")
    check(none["metrics"]["b"]["better"] == "lower" and none["metrics"]["b"]["direction"] == "from the data",
          "the direction")
    forced = answer(scores, votes, "--lower", "a", "--bootstrap", "0")["metrics"]
    said = [(forced[name]["better"], forced[name]["direction"]) for name in ("a", "b")]
    check(said == [("lower", "known"), ("higher", "known")], f"{said}")
    for fit, count in (("logistic4", 4), ("logistic5", 5), ("linear", 2), ("none", 0)):
        check(len(answer(scores, votes, "--fit", fit)["metrics"]["a"]["parameters"]) == count, fit)
    check(list(answer(scores, votes, "--score", "b")["metrics"]) == ["b"], "--score")
    text = correlate(scores, votes)[0]
    for word in ("8 stimuli, joined by video (stem); curve logistic4; votes with 95 % intervals", "SROCC",
                 "\n  a  ", "1.000"):
        check(word in text, f"'{word}' is missing in {text}")
    check(max(map(len, text.splitlines())) <= 125, "a line is too long")


@case
def files():
    scores, votes = tables(SCORES.replace(",a,", ",<a&b>,"))
    correlate(scores, votes, "-o", "page.html", "-o", "page.json", "-o", "page.csv")
    page = read("page.html").decode()
    check("<script" not in page and not re.search(r"<\w[^>]* style=", page) and "<a&b>" not in page and
          "&#60;a&#38;b&#62;" in page, "markup")
    check(page.count("<svg width=\"360\"") == 2 and page.count("<circle") >= 16 and
          page.count("<polyline") == 2, "scatters")
    for word in ("without its interval is not a result", "Comparisons", "d3.mp4: score", "Order within contents"):
        check(word in page, f"'{word}' is missing")
    check(json.loads(read("page.json")) == answer(scores, votes), "JSON")
    rows = read("page.csv").decode().splitlines()
    check(len(rows) == 3 and rows[1].count(",") == rows[0].count(","), "CSV")
    before = read(votes)
    correlate(scores, votes, "-o", votes, status=USAGE, says=votes)
    correlate(scores, votes, "-o", scores, status=USAGE, says=scores)
    check(read(votes) == before, "an input is lost")
    correlate(scores, votes, "-o", "x.txt", status=USAGE, says=[".json, .csv or .html"])
    correlate(scores, votes, "-o", "none/x.json", status=6, says="none")


@case
def refusals():
    scores, votes = tables()
    few = "video,mos\n" + "".join(f"d{i}.mp4,{i}\n" for i in range(5))
    for what, args, status, words in (
            ("few", ("scores.csv", write("few.csv", few.encode())), INPUT, ["few stimuli", "5 have"]),
            ("no spread", (write("flat.csv", re.sub(r",\d+,(\d)\n", r",7,\1\n", SCORES).encode()), votes), INPUT,
             ["no spread", "'a'"]),
            ("no vote spread", (scores, write("same.csv", re.sub(r",[\d.]+,0", ",3,0", VOTES).encode())), INPUT,
             ["no spread"]),
            ("no key", (write("other.csv", SCORES.replace("/d", "/x").encode()), votes), INPUT,
             ["no key", "--score-key"]),
            ("no column", (scores, votes, "--vote", "jod"), USAGE, ["'jod'", "--vote"]),
            ("no votes", (scores, write("nv.csv", VOTES.replace("mos", "points").encode())), INPUT,
             ["votes", "--vote"]),
            ("no names", (scores, write("nn.csv", VOTES.replace("video", "id").encode())), INPUT,
             ["names of the videos", "--key"]),
            ("score", (scores, votes, "--score", "c"), USAGE, ["'c'"]),
            ("lower", (scores, votes, "--lower", "c"), USAGE, ["c"]),
            ("where", (scores, votes, "--where", "x=1"), USAGE, ["'x'"]),
            ("where", (scores, votes, "--where", "x"), USAGE, ["COLUMN=VALUE"]),
            ("draws", (scores, votes, "--bootstrap", "-1"), USAGE, ["--bootstrap"]),
            ("seed", (scores, votes, "--seed", "x"), USAGE, ["--seed"]),
            ("fit", (scores, votes, "--fit", "cubic"), USAGE, ["cubic"]),
            ("missing", (scores, "missing.csv"), INPUT, ["missing.csv"]),
            ("two columns", (write("twice.csv", SCORES.replace(",b", ",a", 1).encode()), votes), INPUT,
             ["two columns", "'a'"]),
            ("long row", (write("long.csv", SCORES.replace(",7\n", ",7,9\n", 1).encode()), votes), INPUT,
             ["line 2", "more than the 3"]),
            ("no table", (scores, write("text.csv", b"nothing\n")), INPUT, ["text.csv", "comma"]),
            ("header", (scores, write("head.csv", b"video,mos\n")), INPUT, ["head.csv", "no row"]),
            ("empty", (scores, write("empty.csv", b"")), INPUT, ["empty.csv"]),
            ("nul", (scores, write("nul.csv", b"a,b\0\n")), INPUT, ["NUL"]),
            ("dataset", (scores, write("x.py", b"dis_videos = []\n")), INPUT, ["dis_videos"]),
            ("dataset", (scores, write("y.py", b"dis_videos = [{'mos': 1, 'path': 'a'")), INPUT, ["no end"]),
            ("dataset", (scores, write("z.py", b"dis_videos = [{'mos': 1}]")), INPUT, ["no path"]),
            ("words", (scores,), USAGE, ["scores.csv votes.csv"]),
            ("one json", (write("one.json", b'{"frames": []}'), votes), INPUT, ["encodes"])):
        fovea("correlate", *args, status=status, says=words)
    os.mkdir("folder")
    correlate("folder", votes, status=INPUT, says="no report")
    write("folder/a.json", b"{")
    correlate("folder", votes, status=INPUT, says="a.json")


run()
