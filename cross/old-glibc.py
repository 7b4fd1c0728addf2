#!/usr/bin/env python3
"""old-glibc.py FOLDER VERSION COMPILER...: makes libraries to link with in FOLDER, so that programs need glibc
VERSION or later, whatever this machine has. They hold the names of this machine's glibc with the version that each
had by then, and no code; old-glibc.c has the functions that were no symbols then. Link with -LFOLDER."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
# glibc 2.34 took the functions of these libraries into libc; programs for older ones must name them.
APART = {"libpthread.so.0": re.compile("pthread_|sem_"), "libdl.so.2": re.compile("dl[a-z]+$")}


def number(version):
    return [int(part) for part in version.split(".")]


def names(path, newest):
    """{name: (version, type, size)} of a library: the newest version of each that is not above `newest`."""
    text = subprocess.run(["readelf", "-W", "--dyn-syms", path], stdout=subprocess.PIPE, check=True).stdout.decode()
    found = {}
    for size, kind, name, version in re.findall(
            r": \w+ +(\w+) +(FUNC|IFUNC|OBJECT) +\w+ +DEFAULT +\d+ (\w+)@@?GLIBC_([\d.]+)$", text, flags=re.M):
        if number(version) <= number(newest) and (name not in found or number(found[name][0]) < number(version)):
            found[name] = version, "object" if kind == "OBJECT" else "function", int(size, 0)
    return found


def make(folder, compiler, soname, symbols):
    path = os.path.join(folder, soname)
    with open(path + ".s", "w", encoding="utf-8") as file:
        for index, (name, (version, kind, size)) in enumerate(sorted(symbols.items())):
            file.write(f".globl s{index}\n.type s{index}, %{kind}\n.size s{index}, {size}\n"
                       f".symver s{index}, {name}@@GLIBC_{version}, "
                       f"remove\n.{'data' if kind == 'object' else 'text'}\n"
                       f"s{index}: .skip {max(size, 1) if kind == 'object' else 1}\n")
        file.write('.section .note.GNU-stack,"",%progbits\n')
    with open(path + ".map", "w", encoding="utf-8") as file:
        for version in sorted({version for version, _, _ in symbols.values()}, key=number):
            file.write(f"GLIBC_{version} {{ }};\n")
    subprocess.run([*compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}",
                    f"-Wl,--version-script={path}.map", "-o", path, path + ".s"], check=True)
    return path


def main():
    folder, version, compiler = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)

    def real(name):
        done = subprocess.run([*compiler, "-print-file-name=" + name], stdout=subprocess.PIPE, check=True)
        return os.path.realpath(done.stdout.decode().strip())

    libc = names(real("libc.so.6"), version)
    made = []
    for soname, pattern in APART.items():
        part = {name: libc.pop(name) for name in list(libc) if pattern.match(name)}
        made.append(make(folder, compiler, soname, part))
    made.insert(0, make(folder, compiler, "libc.so.6", libc))
    libm = make(folder, compiler, "libm.so.6", names(real("libm.so.6"), version))

    objects = []
    for part in ("START", "STAT"):
        objects.append(os.path.join(folder, part + ".o"))
        subprocess.run([*compiler, "-O2", "-fPIC", "-D" + part, "-c", "-o", objects[-1],
                        os.path.join(HERE, "old-glibc.c")],
                       check=True)
    archive = os.path.join(folder, "libold.a")
    subprocess.run(["ar", "rcs", archive, *objects], check=True)
    loader = next(real(name) for name in ("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1")
                  if os.path.exists(real(name)))
    with open(os.path.join(folder, "libc.so"), "w", encoding="utf-8") as file:
        file.write(f"GROUP ( {made[0]} {archive} {real('libc_nonshared.a')} AS_NEEDED ( {' '.join(made[1:])} "
                   f"{loader} ) )\n")
    with open(os.path.join(folder, "libm.so"), "w", encoding="utf-8") as file:
        file.write(f"GROUP ( {libm} )\n")


main()
