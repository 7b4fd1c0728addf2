#!/usr/bin/env python3
"""Makes the wheel of the package. Used as the backend of `pip wheel`, and as a program: make_wheel.py BUILD_FOLDER
FOLDER [LICENCE...].

A wheel contains the package, the command and their licences. The extension module contains the library. The files are
stripped, and the system libraries that they need decide the wheel's tag. One commit and compiler give equal
wheels."""

import base64
import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = ("python/fovea/_fovea_wheel.abi3.so", "tools/fovea")
VOLK = "/usr/share/doc/libvulkan-volk-dev/copyright"  # licence of the only third-party header that is compiled in
# The libraries of glibc, on which PEP 600 allows a wheel to depend.
OF_GLIBC = re.compile(r"(lib(c|m|dl|rt)\.so\.\d|libpthread\.so\.0|ld-linux[\w-]*\.so\.\d)$")


def run(*words, **keywords):
    # pip's PYTHONPATH hides Debian's packages from Meson.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(words, check=True, env=environment, **keywords)


def output(*words):
    return run(*words, stdout=subprocess.PIPE).stdout.decode()


# ---- The libraries that a file needs

def machine_of(path):
    """Returns the processor of an ELF file, as `uname -m` names it."""
    with open(path, "rb") as file:
        number = int.from_bytes(file.read(20)[18:], "little")
    return {62: "x86_64", 183: "aarch64"}.get(number, platform.machine())


def needs(path):
    """Returns (libraries outside glibc, oldest sufficient version of glibc) of an ELF file. The version is None if a
    symbol version names no release of glibc."""
    text = output("objdump", "-p", path)
    libraries = re.findall(r"^ *NEEDED +(\S+)$", text, flags=re.M)
    names = set(re.findall(r"^ +0x[0-9a-f]+ 0x[0-9a-f]+ \d+ (\S+)$", text, flags=re.M))
    releases = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", name) for name in names]
    oldest = max((int(found[1]), int(found[2])) for found in releases) if names and all(releases) else None
    return [name for name in libraries if not OF_GLIBC.match(name)], oldest


def platform_of(paths):
    """Returns the platform tag: that of PEP 600 if the files need only glibc, else the tag of this system."""
    newest = (2, 5)  # the oldest glibc of PEP 600
    for path in paths:
        libraries, oldest = needs(path)
        if libraries or not oldest:
            print(f"{os.path.basename(path)} needs {' '.join(libraries) or 'an unknown C library'}: the wheel is for "
                  "systems that have it", file=sys.stderr)
            return "linux_" + machine_of(path)
        newest = max(newest, oldest)
    return f"manylinux_{newest[0]}_{newest[1]}_{machine_of(paths[0])}"


# ---- Content

def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def readme(path):
    """Returns a page without its links to files of this repository, which the package index does not have."""
    text = re.sub(r"^!\[[^]]*\]\((?!https:)[^)]*\)\n\n?", "", read(path).decode(), flags=re.M)
    return re.sub(r"\[([^]]*)\]\((?!https:)[^)]*\)", r"\1", text)


def metadata(project, version, licences):
    # Debian 12's pip does not show License-Expression, which metadata 2.4 introduced.
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"License: {project['license']}"]
    lines += [f"License-File: {name}" for name in licences]
    lines += [f"Classifier: {name}" for name in project["classifiers"]]
    lines += [f"Requires-Python: {project['requires-python']}", "Description-Content-Type: text/markdown", ""]
    return "\n".join(lines) + "\n" + readme(project["readme"])


def stripped(path, folder):
    target = os.path.join(folder, os.path.basename(path))
    own = f"{machine_of(path)}-linux-gnu-strip"  # Debian's name, also for other processors
    run(own if shutil.which(own) else "strip", "--strip-unneeded", "-o", target, path)
    return target


def commit_time():
    """Returns the time of the last commit; without Git, the earliest time that a zip can store."""
    try:
        seconds = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", ROOT, "log", "-1", "--format=%ct")
        return time.gmtime(int(seconds))[:6]
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 1980, 1, 1, 0, 0, 0


def pack(path, files):
    """Writes {name: content} to a zip, with a RECORD of the files, which installers check."""
    info = next(name for name in files if name.endswith("/WHEEL")).removesuffix("WHEEL")

    def line(name):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(files[name])}\n"

    record = "".join(map(line, sorted(files))) + f"{info}RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in sorted(files.items()) + [(info + "RECORD", record.encode())]:
            entry = zipfile.ZipInfo(name, commit_time())
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if ".data/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, content, compresslevel=9)


def make(build, folder, licences=()):
    """Makes the wheel from a build folder in which the targets are built. Returns the name of the file."""
    project = tomllib.loads(read("pyproject.toml").decode())["project"]
    version = json.loads(output("meson", "introspect", "--projectinfo", build))["version"]
    stem = f"{project['name']}-{version}"
    with tempfile.TemporaryDirectory() as work:
        module, command = (stripped(os.path.join(build, target), work) for target in TARGETS)
        tag = "cp311-abi3-" + platform_of((module, command))
        texts = {os.path.basename(path): read(path) for path in licences}
        texts |= {"LICENSE": read("LICENSE"), "LICENSE.models": read("src/model/LICENSE")}
        if b"vkGetInstanceProcAddr" in read(module) and os.path.exists(VOLK):
            texts["LICENSE.volk"] = read(VOLK)
        files = {f"fovea/{name}": read(f"python/fovea/{name}") for name in os.listdir(f"{ROOT}/python/fovea")
                 if name.endswith((".py", ".pyi", ".typed"))}
        files |= {"fovea/_fovea.abi3.so": read(module), f"{stem}.data/scripts/fovea": read(command)}
        files |= {f"{stem}.dist-info/licenses/{name}": text for name, text in texts.items()}
        files[f"{stem}.dist-info/METADATA"] = metadata(project, version, sorted(texts)).encode()
        files[f"{stem}.dist-info/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: make_wheel {version}\n"
                                            f"Root-Is-Purelib: false\nTag: {tag}\n").encode()
        name = f"{stem}-{tag}.whl"
        pack(os.path.join(folder, name), files)
    return name


# ---- The backend: PEP 517

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Configures build-wheel, unless it exists, with the options in the setting `setup`, and makes its wheel."""
    build = os.path.join(ROOT, "build-wheel")
    if not os.path.exists(os.path.join(build, "build.ninja")):
        run("meson", "setup", build, "-Dpython=enabled", "-Dtests=false", "-Ddocs=false",
            *shlex.split((config_settings or {}).get("setup", "")), cwd=ROOT)
    run("ninja", "-C", build, *TARGETS)
    return make(build, wheel_directory)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: make_wheel.py BUILD_FOLDER FOLDER [LICENCE...]")
    run("ninja", "-C", sys.argv[1], *TARGETS, stdout=subprocess.DEVNULL)
    os.makedirs(sys.argv[2], exist_ok=True)
    print(os.path.join(sys.argv[2], make(sys.argv[1], sys.argv[2], [os.path.abspath(path) for path in sys.argv[3:]])))
