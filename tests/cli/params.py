"""Tests each parameter of a run, from the library's table as the command prints it. Every option accepts the values
at its bounds and refuses values outside. Shards of a plan made with a parameter give the report of one run with
it. Each remedy in a message of the library is an option, with a valid value, of every command that can print the
message."""

import glob
import json
import os
import re
import subprocess

from command import FOVEA, ROOT, USAGE, Skipped, case, check, fovea, run, write
import clip

PARAMS = json.loads(fovea("generate", "params")[0])
PLAN = 4
ANY = ("roi", "model", "device", "frames")  # values that only the run can check, or that have no upper bound


def inside(param):
    """Returns valid values: the bounds of a number, the first and the last word, or examples of the form."""
    if param["type"] == "bool":
        return [None]
    if param["type"] == "int":
        return [f"{param['minimum']:.0f}", f"{min(param['maximum'], 2 ** 63 - 1):.0f}" if param["maximum"] < 2 ** 63
                else str(2 ** 63 - 1)]
    return param["examples"] or [word for word in (param["choices"][0], param["choices"][-1])
                                 if ":FORMAT" not in word]


def outside(param):
    if param["type"] == "bool":
        return []
    if param["type"] == "int":
        return [f"{param['minimum'] - 1:.0f}", f"{param['maximum'] + 1:.0f}" if param["maximum"] < 2 ** 63
                else str(2 ** 63), "1.5", ""]
    return [] if param["name"] in ANY else ["?", ""]


def words(option, value):
    return [f"--{option}"] if value is None else [f"--{option}={value}"]


def answer(command, *given):
    """Runs the command with files that do not exist. It checks options before it opens files."""
    files = {"run": ["--plan", "absent.json"], "merge": ["--plan", "absent.json", "absent"],
             "demo": ["--isa", "none"], "decode": ["absent.y4m", "--md5"], "map": ["absent.y4m", "absent.y4m"]}
    words_of = files.get(command, ["absent.y4m", "absent.y4m"])
    if command == "demo" and any(word.startswith("--isa") for word in given):
        words_of = ["--threads", "none"]
    done = subprocess.run([FOVEA, command, *given, *words_of], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, timeout=60)
    return done.returncode, done.stderr.decode()


@case
def options_take_what_lies_inside():
    for param in PARAMS:
        check(param["options"], f"no command has {param['name']}")
        for command, options in param["options"].items():
            for option in options:
                for value in inside(param):
                    code, err = answer(command, *words(option, value))
                    check(f"--{option} takes" not in err and f"unknown option '--{option}" not in err,
                          f"{command} {words(option, value)}: {code}, {err.strip()}")


@case
def options_refuse_what_lies_outside():
    tried = 0
    for param in PARAMS:
        for command, options in param["options"].items():
            for option in options:
                for value in outside(param):
                    code, err = answer(command, *words(option, value))
                    check(code == USAGE and f"fovea: --{option} takes " in err and f"not '{value}'" in err,
                          f"{command} {words(option, value)}: {code}, {err.strip()}")
                    tried += 1
    check(tried > 300, f"only {tried} values were tried")


@case
def refusals_of_too_large_numbers_name_the_limit():
    tried = 0
    for param in PARAMS:
        # The values of these parameters are names, hexadecimal digits, or a file.
        examples = [] if param["name"] in ("pixel_format", "model", "background", "roi") else param["examples"]
        for text in examples:
            found = re.search(r"\b[0-9]+", text)
            if not found:
                continue
            value = text[:found.start()] + "9" * 12 + text[found.end():]
            command, options = next(iter(param["options"].items()))
            given = words(next(iter(options)), value)
            code, err = answer(command, *given)
            check(code == USAGE and re.search(r"(up to|below|from \d+ to) \d+", err),
                  f"{command} {given}: {code}, {err.strip()}")
            tried += 1
    check(tried > 12, f"only {tried} values were tried")


@case
def help_names_every_option():
    for param in PARAMS:
        for command, options in param["options"].items():
            text = fovea("help", command, "all")[0]
            for option in options:
                check(re.search(rf"^ +(-\w, )?--{option}( |$)", text, flags=re.M),
                      f"fovea help {command} lacks --{option}")


@case
def plans_carry_each():
    """A plan with the parameter gives the report of a single run with it, or both are refused."""
    for name, seed in (("ref.y4m", 1), ("dis.y4m", 2)):
        write(name, clip.y4m(seed=seed))
    compared = 0
    for param in PARAMS:
        options = param["options"].get("plan", {})
        for option in options:
            given = words(option, inside(param)[0])
            metrics = [] if param["name"] == "model" else ["-m", "psnr"]
            common = ["ref.y4m", "dis.y4m", *metrics, *given]
            once = subprocess.run([FOVEA, "score", *common, "-o", "once.json", "-q"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
            made = subprocess.run([FOVEA, "plan", *common, "--shards", "2", "-o", "plan.json"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            if made.returncode or once.returncode:
                check(once.returncode, f"{given}: score works, and plan says: {made.stderr.decode()}")
                continue
            fovea("run", "--plan", "plan.json", "--shard", "all", "-o", "shards", "-q")
            fovea("merge", "--plan", "plan.json", "shards", "-o", "merged.json")
            with open("once.json", "rb") as one, open("merged.json", "rb") as other:
                check(one.read() == other.read(), f"the shards of {given} give another report")
            for path in glob.glob("shards/*"):
                os.remove(path)
            compared += 1
    check(compared > 25, f"only {compared} plans were compared")


# ---- Remedies -----------------------------------------------------------------------------------------------------

# Remedies of plans and shards whose options are not in the table of parameters.
BESIDE = {"allow_missing": ["merge"], "ignore_modified": ["run"]}
# Parameters whose remedy names another command on purpose, with the reason.
ELSEWHERE = {("plan", "align"): "shards pair frames by index", ("plan", "fields"): "shards score whole frames",
             ("plan", "device"): "a plan computes nothing", ("plan", "threads"): "as device",
             ("plan", "strict"): "'fovea merge' has what shards saw", ("map", "model"): "VMAF has no map",
             ("map", "fields"): "a field has no map", ("view", "fields"): "the viewer shows frames",
             ("map", "strict"): "maps are looked at", ("view", "strict"): "the viewer shows frames",
             ("plan", "overwrite"): "shards write no heat maps",
             ("view", "overwrite"): "the viewer draws maps itself"}


def strings(text):
    """Yields the string literals of C source, adjacent ones joined, without comments."""
    code = re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/|//[^\n]*', lambda match: match[1] or " ", text, flags=re.S)
    for found in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', code):
        yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found))


def remedies():
    """Yields (folder, whether it is of a video, name, value or "") for each remedy in a message, from string literals
    and from rows of the table."""
    ids = dict(re.findall(r'PARAM\(\s*(\w+),\s*"(\w+)"',
                          open(os.path.join(ROOT, "src/option/param_rows-inl.h"), encoding="utf-8").read()))
    for path in sorted(glob.glob(os.path.join(ROOT, "src/**/*.c"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        room = os.path.relpath(path, os.path.join(ROOT, "src")).split("/")[0]
        if room == "option":
            continue
        for message in strings(text):
            for side, name, value in re.findall(r"`(?:(reference|distorted|%s)\.)?([a-z_]+)(?:=([^` ]+))?`", message):
                yield room, bool(side), name, value
        for sided, row, value in re.findall(r'fv_remedy(_of|_of_either)?\([^()]*?FV_PARAM_(\w+),\s*(?:"([^"]*)"|\w+)',
                                            text):
            yield room, bool(sided), ids[row], value


@case
def remedies_work_where_they_are_printed():
    table = {}
    for param in PARAMS:
        table.setdefault(param["name"], []).append(param)
    rooms = {"shard": ["plan"], "input": ["score", "view", "map", "plan", "decode"],
             "picture": ["score", "view", "map", "plan", "decode"]}
    found = 0
    for room, sided, name, value in remedies():
        found += 1
        if name in ("reference", "metrics", "allow_missing", "ignore_modified"):
            continue
        check(name in table, f"src/{room} names `{name}`, which is no parameter")
        value = "" if "%" in value or value == "WxH" else value
        for command in rooms.get(room, ["score", "view", "map", "plan"]):
            having = [param for param in table[name] if command in param["options"] and
                      (param["sides"] != "run" if sided else
                       param["sides"] != "each")]
            if not having and (command, name) in ELSEWHERE:
                continue
            check(having, f"src/{room} recommends `{name}`, and fovea {command} has no such option")
            for param in having:
                for option in param["options"][command]:
                    right = [value] if value else inside(param)[:1]
                    code, err = answer(command, *words(option, right[0]))
                    check("--" + option + " takes" not in err and "unknown option" not in err,
                          f"`{name}={value}`: {err}")
    check(found > 60, f"only {found} remedies were found")


@case
def pages_and_stubs_are_written():
    done = subprocess.run([os.path.join(ROOT, "scripts/params"), FOVEA, "--check"], stdout=subprocess.PIPE,
                          check=False)
    check(not done.returncode, f"run scripts/params {FOVEA}: {done.stdout.decode()}")


run()
