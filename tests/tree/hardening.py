"""Checks that the installed ELF files are hardened: hardening.py FILE... Needs readelf."""

import shutil
import subprocess
import sys

WANTED = {
    "full RELRO": lambda text: "GNU_RELRO" in text and ("BIND_NOW" in text or "Flags: NOW" in text),
    "a stack that is not executable": lambda text: any("GNU_STACK" in line and "RWE" not in line
                                                       for line in text.splitlines()),
    "stack protector": lambda text: "__stack_chk_fail" in text,
    "fortified calls": lambda text: "_chk@" in text.replace("__stack_chk_fail@", ""),
    "position independent": lambda text: "Type:                              DYN" in text,
}
MARK = b"\xf3\x0f\x1e\xfa"  # endbr64, where -fcf-protection lets indirect calls land


def is_marked(file, text):
    """Returns whether an x86-64 file has the mark at least as often as a file of fovea has functions. Other files
    need none."""
    with open(file, "rb") as elf:
        return "X86-64" not in text or elf.read().count(MARK) > 500


def main():
    files = sys.argv[1:]
    if not shutil.which("readelf"):
        print("1..0 # SKIP readelf is not installed")
        return 0
    print(f"1..{len(files) * (len(WANTED) + 1)}")
    number = failures = 0
    for file in files:
        text = subprocess.run(["readelf", "-W", "-h", "-l", "-d", "--dyn-syms", file], stdout=subprocess.PIPE,
                              check=True).stdout.decode()
        for name, holds in [*WANTED.items(), ("control-flow marks", lambda text, file=file: is_marked(file, text))]:
            number += 1
            good = holds(text)
            failures += not good
            print(f"{'ok' if good else 'not ok'} {number} {file.rsplit('/', 1)[-1]}: {name}")
    return failures > 0


sys.exit(main())
