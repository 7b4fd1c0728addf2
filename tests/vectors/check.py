#!/usr/bin/env python3
"""Tests the vectors and their checker: check.py SYNTH FOVEA SOURCE_ROOT [SECOND].

The command gives the values of small cases, the checker's exit codes distinguish wrong programs and files, and the
folder stays within its limits. SECOND is an independent implementation in vectors/second; with it, only the vectors
of the metrics that follow it are tested. The environment's SAMPLES leaves out larger clips."""
import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

SYNTH, FOVEA, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
VECTORS = os.path.join(ROOT, "vectors")
FILES = sorted(glob.glob(os.path.join(VECTORS, "*.vec")))
ADAPTER = os.path.join(VECTORS, "programs/fovea")
LIMIT = 2_000_000  # maximum size of the folder in bytes
SPEC_LIMIT = 300_000  # maximum size of the specifications in bytes

count = failed = 0


def report(good, name, why=""):
    global count, failed
    count, failed = count + 1, failed + (not good)
    print(f"{'ok' if good else 'not ok'} {count} - {name}")
    for line in (why.strip().splitlines()[-12:] if not good else []):
        print("#", line)


def run(tool, *args, **environment):
    """Returns (exit code, what it printed)."""
    done = subprocess.run([sys.executable, os.path.join(VECTORS, tool), *args], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=dict(os.environ, FOVEA=FOVEA, **environment), check=False)
    return done.returncode, done.stdout.decode()


def metric_of(path):
    return os.path.basename(path)[:-4]


HEAD = "fovea-vectors 1\nnumerics 3\nmetric psnr\ntolerance 0\n"
CASE = HEAD + "case one\nref 64 48 420 8 1 1 ref\ndis 64 48 420 8 1 1 mix\n"


def programs(folder):
    """Writes stand-ins for programs, which answer in the checker's format."""
    bodies = {"equal": "print('frame 0 psnr_y 0x1.8p+5')", "last bit": "print('frame 0 psnr_y 0x1.8000000000001p+5')",
              "silent": "pass", "digits": "print('digits 2'); print('frame 0 psnr_y 48.00')",
              "other digits": "print('digits 2'); print('frame 0 psnr_y 48.01')", "crash": "raise SystemExit(1)",
              "refuses": "raise SystemExit(3)",
              "refuses aloud": "print('frame 0 psnr_y 0x1.8p+5'); raise SystemExit(3)",
              "second half": "import sys; print('frame 0 psnr_y 0x1.8p+5') if 'b=2' in sys.argv else sys.exit(1)",
              "map": "print('frame 0 psnr_y 0x1.8p+5'); print('map 0 error 0123456789abcdef')"}
    for name, body in bodies.items():
        path = os.path.join(folder, name.replace(" ", "_") + ".py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(body + "\n")
        yield name, f"{sys.executable} {path}"


def checker(folder):
    stand_in = dict(programs(folder))
    value = "frame 0 psnr_y 0x1.8p+5\n"
    cases = [("a value that agrees", "equal", CASE + value + "end\n", 0),
             ("a value that differs in the last bit", "last bit", CASE + value + "end\n", 1),
             ("a difference within the tolerance", "last bit", CASE.replace("ce 0", "ce 1e-12") + value + "end\n", 0),
             ("a tolerance of one case", "last bit", CASE + "tolerance 1e-12\n" + value + "end\n", 0),
             ("a missing value", "silent", CASE + value + "end\n", 1),
             ("rounded digits", "digits", CASE + value + "end\n", 0),
             ("wrong rounded digits", "other digits", CASE + value + "end\n", 1),
             ("a program that fails", "crash", CASE + value + "end\n", 2),
             ("a program that refuses a good case", "refuses", CASE + value + "end\n", 1),
             ("a refusal", "refuses", CASE + "refuse\nend\n", 0),
             ("a refusal with a value", "refuses aloud", CASE + "refuse\nend\n", 1),
             ("a case that must be refused and is scored", "equal", CASE + "refuse\nend\n", 1),
             ("a crash in place of a refusal", "crash", CASE + "refuse\nend\n", 2),
             ("a map that differs", "map", CASE + value + "map 0 error 0123456789abcdee\nend\n", 1),
             ("a map that agrees", "map", CASE + value + "map 0 error 0123456789abcdef\nend\n", 0),
             ("a map that the program lacks", "equal", CASE + value + "map 0 error 0123456789abcdee\nend\n", 0),
             ("a file of another version", "equal", CASE.replace("vectors 1", "vectors 2") + value + "end\n", 3),
             ("an unknown line", "equal", CASE + value + "colour red\nend\n", 3),
             ("a clip that synth refuses", "equal", CASE.replace("mix", "no_such") + value + "end\n", 3)]
    for name, program, text, want in cases:
        path = os.path.join(folder, "one.vec")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        code, output = run("check", SYNTH, stand_in[program], path)
        report(code == want, f"exit code {want}: {name}", f"{code}\n{output}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CASE + value + "end\n" + CASE[len(HEAD):].replace("one", "two") + "option b=2\n" + value + "end\n")
    code, output = run("check", SYNTH, stand_in["second half"], path)
    report(code == 2 and "psnr: one: " in output and
           "1 of 1 values agree; the program fails in 1 of 2 cases" in output,
           "the other cases are compared where the program fails in one", output)
    report(run("check", SYNTH, stand_in["equal"], "/nonexistent.vec")[0] == 3,
           "exit code 3: a file that does not exist")
    return stand_in


def maker(folder, stand_in):
    """make restores values that were taken out of a file, and writes nothing if programs differ."""
    path = os.path.join(folder, "made.vec")
    with open(os.path.join(VECTORS, "pu_psnr.vec"), encoding="utf-8") as file:
        head, *cases = file.read().split("\ncase ")
    whole = "\ncase ".join([head] + [case for case in cases if "64 48" in case or "refuse_1x1" in case])
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(line for line in whole.splitlines() if not line.startswith(("frame", "clip"))) + "\n")
    code, output = run("make", SYNTH, path, ADAPTER, ADAPTER, FOVEA_OPTIONS="--device cpu")
    with open(path, encoding="utf-8") as file:
        made = file.read()
    report(code == 0 and made.split() == whole.split(), "make writes the values that were there",
           output + made[:3000])
    with open(path, "w", encoding="utf-8") as file:
        file.write(CASE + "end\n")
    code, output = run("make", SYNTH, path, stand_in["equal"], stand_in["last bit"])
    with open(path, encoding="utf-8") as file:
        report(code == 1 and file.read() == CASE + "end\n" and "0x1.8" in output,
               "make writes nothing where programs differ", output)


def limits():
    bytes_of = {path: os.path.getsize(path) for path in glob.glob(os.path.join(VECTORS, "**/*"), recursive=True)
                if os.path.isfile(path)}
    total = sum(bytes_of.values())
    specifications = sum(size for path, size in bytes_of.items() if "/spec/" in path)
    report(total <= LIMIT, f"the folder has at most {LIMIT} bytes", f"{total}")
    report(specifications <= SPEC_LIMIT, f"the specifications have at most {SPEC_LIMIT} bytes", f"{specifications}")
    for path in FILES:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names = re.findall(r"^case (.*)$", text, flags=re.M)
        refused = len(re.findall(r"^refuse$", text, flags=re.M))
        why = [f"{len(names)} names, {len(set(names))} of them differ"] if len(set(names)) != len(names) else []
        why += [f"{refused} cases to refuse"] if refused < 5 else []
        page, version = (re.findall(r"^spec (\S+) (\d+)$", text, flags=re.M) or [("none", "0")])[0]
        page = os.path.join(VECTORS, "spec", page)
        stated = os.path.exists(page) and f"\nVersion {version}.\n" in open(page, encoding="utf-8").read()
        why += [] if stated else ["no specification of its version"]
        why += ["clips that are files"] if re.search(r"^(ref|dis) file", text, flags=re.M) else []
        report(not why, f"{metric_of(path)}: specification, names of cases, five to refuse, generated clips",
               "\n".join(why))


def values(program, files, **environment):
    program = f"{sys.executable} {program}" if program.endswith(".py") else program
    for path in files:
        code, output = run("check", SYNTH, program, path, **environment)
        report(code == 0, f"{metric_of(path)}: {output.strip().splitlines()[-1] if output.strip() else 'nothing'}",
               output)


def main():
    if len(sys.argv) > 4 and sys.argv[5] == "vdm" and not importlib.util.find_spec("numpy"):
        print("1..0 # SKIP NumPy is not installed")
        return 0
    if len(sys.argv) > 4:
        values(sys.argv[4], [os.path.join(VECTORS, metric + ".vec") for metric in sys.argv[5:]])
    else:
        with tempfile.TemporaryDirectory() as folder:
            maker(folder, checker(folder))
        limits()
        values(ADAPTER, FILES, SAMPLES="5000")
    print(f"1..{count}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
