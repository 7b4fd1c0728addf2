"""Checks every reader of numbers with texts that are no decimal numbers: each is refused with the text, its place and
what would be right, and none is read as another number."""

from command import INPUT, USAGE, case, check, fovea, run, write

WRONG = ("inf", "-inf", "nan", "1e999", "0x10", "1,5", "", " 3", "+-1", "3x", "--1")


@case
def options_take_decimal_numbers():
    count = 0
    metrics = ("cvvdp=ppd=", "float_ssim=scale=", "cambi=tvi_threshold=", "pu_psnr=peak=", "vdm=ppd=")
    table = [(["--fail-below"], "psnr_y={}"), (["--fail-above"], "psnr_y={}:min"), (["--start"], "{}"),
             (["--duration"], "0:{}"), (["--rate"], "{}"), (["--rate"], "25/{}"), (["--intervals"], "{}"),
             (["--subsample"], "{}"), (["--scale", "48x32", "--scale-filter"], "bicubic:{}:0.5"),
             (["--scale", "48x32", "--scale-filter"], "bicubic:0.5:{}"), (["--frames"], "{}"),
             (["--crop-ref"], "48:32:0:{}"), (["--scale"], "48x{}"), *((["-m"], name + "{}") for name in metrics)]
    for (*more, option), text in table:
        for wrong in WRONG if option != "-m" else [text for text in WRONG if text != "1,5"]:
            value = text.format(wrong)
            says = fovea("score", "ref.y4m", "dis.y4m", "-m", "psnr", "-q", *more, option, value, status=USAGE)[1]
            check(says.count("\n") == 1 and (wrong.strip() in says or not wrong), f"{option} {value}: {says}")
            count += 1
    for wrong in WRONG:
        fovea("map", "ref.y4m", "dis.y4m", "-m", "xpsnr", "-o", "maps", "--maximum", wrong, status=USAGE,
              says=["--maximum", "number", f"'{wrong}'"])
    print(f"# {count + len(WRONG)} texts are refused")


def curve(name, line=None, value=None):
    """Writes a table of five encodes, with another value in a line and column."""
    rows = [["bitrate", "vmaf"], *([str(100 * 2**i), str(30 + 3 * i)] for i in range(5))]
    if line:
        rows[line[0] - 1][line[1]] = value
    return write(name, "\n".join(",".join(row) for row in rows).encode() + b"\n")


@case
def tables_of_curves_take_decimal_numbers():
    """A quality may be inf, as the PSNR of equal frames is: the encode is left out by its line."""
    curve("b.csv")
    for line, column in ((2, 0), (2, 1), (4, 0), (4, 1), (6, 0), (6, 1)):
        for wrong in (*WRONG, "0", "-5"):
            curve("a.csv", (line, column), wrong)
            if wrong == " 3" or (column and wrong in ("inf", "0", "-5")):  # blanks around a field are no part of it
                continue
            says = fovea("bd", "a.csv", "b.csv", status=INPUT)[1]
            check(says.startswith(f"fovea: a.csv, line {line}") and says.count("\n") == 1, f"{wrong}: {says}")
            check("decimal point" in says if wrong == "1,5" else f"'{wrong}'" in says and "correct it" in says,
                  f"{wrong}: {says}")
    curve("a.csv", (6, 1), "inf")
    fovea("bd", "a.csv", "b.csv", "--allow-little-overlap", says=["a.csv, line 6, leaves out", "quality of inf"])
    write("a.csv", read_lines("b.csv", 3) + b"400,inf\n")
    fovea("bd", "a.csv", "b.csv", status=INPUT,
          says=["a.csv, line 4, leaves out", "a rate of 400", "quality of inf", "few points"])


def read_lines(name, count):
    with open(name, "rb") as file:
        return b"".join(file.readlines()[:count])


@case
def tables_of_votes_take_decimal_numbers():
    for wrong in ("inf", "nan", "1e999", "0x10", "3x", "+-1", ""):
        for place in ("vmaf", "mos"):
            rows = [f"v{i}.mkv,{30 + i * i}" for i in range(8)]
            votes = [f"v{i}.mkv,{1 + i / 2}" for i in range(8)]
            (rows if place == "vmaf" else votes)[3] = "v3.mkv," + wrong
            write("scores.csv", ("file,vmaf\n" + "\n".join(rows) + "\n").encode())
            write("votes.csv", ("file,mos\n" + "\n".join(votes) + "\n").encode())
            name = "scores.csv" if place == "vmaf" else "votes.csv"
            fovea("correlate", "scores.csv", "votes.csv", "--score", "vmaf",
                  says=f"{name}: the {place} of v3.mkv is '{wrong}', which is not a finite number")


@case
def files_in_json_take_numbers_of_json():
    for wrong in ("1e999", "-1e999", "NaN", "Infinity", "0x10", "+1", ".5", "1.", "01"):
        write("profile.json", b'{"fail_below": %s}' % wrong.encode())
        write("plan.json", b'{"format": %s}' % wrong.encode())
        write("model.json", b'{"model_dict": {"intercept": %s}}' % wrong.encode())
        for args in (("check", "ref.y4m", "--profile", "profile.json"),
                     ("run", "--plan", "plan.json", "--shard", "0"),
                     ("score", "ref.y4m", "dis.y4m", "-q", "--model", "path=model.json")):
            out = fovea(*args, status=INPUT)[1]
            check(".json" in out and out.count("\n") == 1, f"{args} {wrong}: {out}")


if __name__ == "__main__":
    run()
