"""Tests help, lists, and the generated man page and completions."""

import json
import os
import pty
import re
import select
import shutil
import subprocess

from command import FOVEA, ROOT, USAGE, case, check, fovea, run, write


@case
def overview_without_command():
    out, err = fovea(status=USAGE, says="Usage:")
    check("fovea score" in err, "no example")


@case
def help_of_everything():
    for word in ("--help", "-h", "help"):
        check("Exit codes" in fovea(word)[0], f"'{word}' shows no overview")
    for command in ("score", "metrics", "devices", "demo"):
        text = fovea(command, "--help")[0]
        check(text.startswith(f"Usage: fovea {command}"), f"{command}: no usage line")
        check(text == fovea("help", command)[0], f"help {command} and {command} --help differ")
        check(all(len(line) <= 110 for line in text.splitlines() if "fovea " not in line), f"{command}: wide lines")


@case
def version():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as file:
        number = re.search(r"version: '([\d.]+)'", file.read()).group(1)
    for word in ("--version", "-v"):
        lines = fovea(word)[0].splitlines()
        check(lines[0].startswith(f"fovea {number} (numerics "), "another version")
        check(len(lines) == 2 and ("libavformat " in lines[1] or " libav " in lines[1] or "no libav" in lines[1]),
              f"what reads files is not told: {lines[1:]}")


@case
def metrics_as_text_and_json():
    text, value = fovea("metrics")[0], json.loads(fovea("metrics", "--json")[0])
    check(value, "no metrics")
    listed = re.findall(r"^  (\w+) +\S", text, re.M)
    check(sorted(listed) == [m["name"] for m in value], f"the list has {listed}")
    check(len(text.splitlines()) < 50, "the list is longer than a screen")
    text = fovea("metrics", *listed)[0]
    for metric in value:
        check(metric["name"] in text, f"{metric['name']} is missing in the text")
        for option in metric["options"]:
            check(option["name"] in text, f"{metric['name']}: {option['name']} is missing in the text")
            check("default" in option and option["help"], f"{option['name']}: incomplete")
        for output in metric["outputs"]:
            check(output["better"] in ("higher", "lower", "neither"), f"{output['name']}: no direction")
    check([m["name"] for m in value] == sorted(m["name"] for m in value), "not alphabetical")


@case
def metrics_of_one_name():
    check([m["name"] for m in json.loads(fovea("metrics", "psnr", "--json")[0])] == ["psnr"], "not the one")
    fovea("metrics", "psnrr", status=USAGE, says="did you mean 'psnr'")


@case
def devices_as_text_and_json():
    value = json.loads(fovea("devices", "--json")[0])
    check("cpu" in [d["name"] for d in value], "no cpu")
    check("cpu" in fovea("devices")[0], "no cpu in the text")


def shell_accepts(shell, what, *check_only):
    if not shutil.which(shell):
        return
    write(f"completion.{what}", fovea("generate", what)[0].encode())
    run = subprocess.run([shell, *check_only, f"completion.{what}"], stderr=subprocess.PIPE, check=False)
    check(run.returncode == 0 and not run.stderr, f"{shell}: {run.stderr.decode()}")


@case
def completions_are_valid():
    shell_accepts("bash", "bash", "-n")
    shell_accepts("zsh", "zsh", "-n")
    shell_accepts("fish", "fish", "-n")
    for what in ("bash", "zsh", "fish"):
        text = fovea("generate", what)[0]
        for word in ("fail-below", "ignore-rate", "avx512", "ndjson", "psnr"):
            check(word in text, f"{what}: {word} is missing")


@case
def bash_completes():
    if not shutil.which("bash"):
        return
    write("completion.bash", fovea("generate", "bash")[0].encode())
    write("a:rest", b"")
    write("a b.y4m", b"")
    env = {**os.environ, "PATH": f"{os.path.dirname(FOVEA)}:{os.environ['PATH']}"}
    for line, want in ((["fovea", "sc"], "score"), (["fovea", "score", "--fail-b"], "--fail-below"),
                       (["fovea", "score", "--isa", "avx51"], "avx512"),
                       (["fovea", "score", "--metric", "psn"], "psnr"),
                       (["fovea", "score", "-r", "ref"], "ref.y4m"),
                       (["fovea", "score", "--isa", "=", "sca"], "scalar"),
                       (["fovea", "score", "--device", "cp"], "cpu"), (["fovea", "score", "--device", "="], "auto"),
                       (["fovea", "score", "--model", "version", "=", "vmaf_v1"], "vmaf_v1.0.16_3d0h"),
                       (["fovea", "score", "--fail-below", "psnr_"], "psnr_y="),
                       (["fovea", "score", "--print", "psnr_"], "psnr_y"),
                       (["fovea", "bd", "--score", "psnr_"], "psnr_y"), (["fovea", "bd", "re"], "ref.y4m"),
                       (["fovea", "score", "ref.y4m", "a b"], "b.y4m"),
                       (["fovea", "view", "--convert", "ran"], "range"),
                       (["fovea", "view", "--convert", "range,dep"], "range,depth"),
                       (["fovea", "score", "--metric", "vmaf,psn"], "vmaf,psnr"),
                       (["fovea", "score", "--device", "cpu,cp"], "cpu,cpu"),
                       (["fovea", "score", "--metric", "=", "vmaf,psn"], "vmaf,psnr"),
                       (["fovea", "score", "--scale", "dis"], "display"), (["fovea", "metrics", "cam"], "cambi"),
                       (["fovea", "help", "sco"], "score"), (["fovea", "score", "-r", "a", ":", "r"], "rest")):
        words = " ".join(f"'{w}'" for w in line)
        script = (f". ./completion.bash; COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _fovea; "
                  "echo ${COMPREPLY[@]}")
        got = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, check=True,
                             env=env).stdout.decode().split()
        check(want in got, f"{line} completes to {got}")
    devices = fovea("generate", "devices")[0].split()
    check(devices[:3] == ["auto", "all", "cpu"], f"devices: {devices}")
    check(devices[2:] == [d["name"] for d in json.loads(fovea("devices", "--json")[0]) if d["usable"]],
          f"devices: {devices}")


# For each line, the last word after completion by fish and zsh.
LINES = {
    "fovea score --metric ssimu": "ssimulacra2",
    "fovea score --metric vmaf,ssimu": "vmaf,ssimulacra2",
    "fovea score --metric=vmaf,ssimu": "vmaf,ssimulacra2",
    "fovea score -m vmaf,psnr,ssimu": "vmaf,psnr,ssimulacra2",
    "fovea score --device cpu,al": "cpu,all",
    "fovea view --convert range,dep": "range,depth",
    "fovea score --isa avx51": "avx512",
    "fovea score --scale disp": "display",
    "fovea metrics cam": "cambi",
    "fovea help sco": "score",
    "fovea he": "help",
}


@case
def fish_completes():
    if not shutil.which("fish"):
        return
    write("completion.fish", fovea("generate", "fish")[0].encode())
    script = ". ./completion.fish" + "".join(f"; echo '>{line}'; complete -C '{line}'" for line in LINES)
    env = {**os.environ, "PATH": f"{os.path.dirname(FOVEA)}:{os.environ['PATH']}", "HOME": os.getcwd()}
    text = subprocess.run(["fish", "--no-config", "-c", script], stdout=subprocess.PIPE, check=True, env=env)
    told = dict(part.split("\n", 1) for part in text.stdout.decode().split(">fovea")[1:])
    for line, want in LINES.items():
        got = [word.split("\t")[0].split("=", 1)[-1] for word in told[line.removeprefix("fovea")].splitlines()]
        check(got == [want], f"fish: {line} completes to {got}")


@case
def zsh_completes():
    """zsh completes only at a terminal. The test binds a key that prints the command line."""
    if not shutil.which("zsh"):
        return
    os.makedirs("zsh", exist_ok=True)
    write("zsh/_fovea", fovea("generate", "zsh")[0].encode())
    child, terminal = pty.fork()
    if not child:
        os.environ.update(PATH=f"{os.path.dirname(FOVEA)}:{os.environ['PATH']}", TERM="dumb", ZDOTDIR="zsh")
        os.execvp("zsh", ["zsh", "-f", "-i"])
    told = ""

    def show(typed):
        """Types a text and returns the command line after it; "": zsh is not ready."""
        nonlocal told
        os.write(terminal, typed.encode() + b"\x18")
        while not (found := re.search(r"<<(.*?)>>", told)):
            if not select.select([terminal], [], [], 1)[0]:
                return ""
            told += os.read(terminal, 4096).decode(errors="replace")
        told = told[found.end():]
        return found[1]

    os.write(terminal, b"fpath=($PWD/zsh $fpath); autoload -U compinit; compinit -u -D; bindkey '^I' complete-word\n"
                       b"show() { print -r -- \"<\"\"<$BUFFER>\"\">\"; BUFFER=x; zle -I }; zle -N show\n"
                       b"bindkey '^X' show\n")
    for _ in range(60):
        if show("") == "x":
            break
    for line, want in LINES.items():
        got = show(f"\x15{line}\t").rstrip(", ")
        check(got == f"{line[:max(line.rfind(' '), line.rfind('=')) + 1]}{want}", f"zsh: {line} completes to {got}")
    os.close(terminal)
    os.waitpid(child, 0)


@case
def man_page_is_clean():
    text = fovea("generate", "man")[0]
    for word in (".SH EXIT STATUS", "fail\\-below", "psnr_y"):
        check(word in text, f"{word} is missing")
    if shutil.which("groff"):
        run = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=text.encode(), stderr=subprocess.PIPE,
                             check=False)
        check(not run.stderr, run.stderr.decode())


run()
