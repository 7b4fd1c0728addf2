"""Checks that installed files are where distributions expect them, and that each has an install tag: installed.py
BUILD_ROOT MESON. Installs into an empty folder as a package does."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, MESON = os.path.realpath(sys.argv[1]), sys.argv[2]
# Each place: a path below the prefix, its tag, and whether it is optional. Every installed file must match a place,
# and every place that is not optional a file.
PLACES = [
    (r"bin/fovea(-bench)?", "bin", True),
    (r"lib(/[\w-]+|64)?/libfovea\.so\.\d+\.\d+\.\d+", "runtime", False),
    (r"lib(/[\w-]+|64)?/libfovea\.so\.\d+", "runtime", False),
    (r"lib(/[\w-]+|64)?/libfovea\.(so|a)", "devel", True),
    (r"lib(/[\w-]+|64)?/libvmaf\.so\.3(\.\d+\.\d+)?", "runtime", False),
    (r"lib(/[\w-]+|64)?/libvmaf\.(so|a)", "devel", False),
    (r"lib(/[\w-]+|64)?/vapoursynth/fovea-vapoursynth\.so", "runtime", False),
    (r"lib(/[\w-]+|64)?/pkgconfig/fovea\.pc", "devel", True),
    (r"lib(/[\w-]+|64)?/pkgconfig/libvmaf\.pc", "devel", False),
    (r"lib(/[\w-]+|64)?/cmake/fovea/foveaConfig(Version)?\.cmake", "devel", True),
    (r"include/fovea/\w+\.h", "devel", True),
    (r"include/libvmaf/\w+\.h", "devel", False),
    (r"share/man/man1/fovea(-bench)?\.1", "man", True),
    (r"share/bash-completion/completions/fovea", "bin", True),
    (r"share/zsh/site-functions/_fovea", "bin", True),
    (r"share/fish/vendor_completions\.d/fovea\.fish", "bin", True),
    (r"share/fovea/report\.schema\.json", "bin", True),
    (r"share/doc/fovea/(LICENSE|LICENSE\.models|NEWS\.md|README\.md|SECURITY\.md)", "doc", True),
    (r"lib(64)?/python3[\w.]*/\w+-packages/fovea/[\w.]+", "python-runtime", False),
    (r"share/doc/fovea/docs", "doc", False),
    (r"share/doc/fovea/examples", "doc", False),
    (r"share/doc/fovea/docs/.+\.(md|json|c|png|svg)", "doc", False),
]
number = failures = 0


def check(good, what):
    global number, failures
    number += 1
    failures += not good
    print(f"{'ok' if good else 'not ok'} {number} - {what}")


def tag_of(path):
    return next((tag for pattern, tag, _ in PLACES if re.fullmatch(pattern, path)), None)


def planned():
    """Yields (path below the prefix, tag) for each file of Meson's plan."""
    with open(os.path.join(BUILD, "meson-info/intro-buildoptions.json"), encoding="utf-8") as file:
        options = {option["name"]: option["value"] for option in json.load(file)}
    with open(os.path.join(BUILD, "meson-info/intro-install_plan.json"), encoding="utf-8") as file:
        plan = json.load(file)
    for entries in plan.values():
        for entry in entries.values():
            path = entry["destination"].replace("{libdir_shared}", "{libdir}").replace("{libdir_static}", "{libdir}")
            path = path.replace("{py_platlib}", "lib/python3/dist-packages")
            path = re.sub(r"\{(\w+)\}", lambda found: options.get(found.group(1), ""), path)
            yield path.lstrip("/"), entry["tag"]


def install(folder, *options):
    """Installs into the folder. Returns the root of the installed files, and their paths below the prefix."""
    subprocess.run([MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder, *options],
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(BUILD, "meson-info/intro-buildoptions.json"), encoding="utf-8") as file:
        prefix = next(option["value"] for option in json.load(file) if option["name"] == "prefix")
    root = folder + prefix
    return root, sorted(os.path.relpath(os.path.join(place, name), root) for place, folders, names in os.walk(root)
                        for name in names + [name for name in folders if os.path.islink(os.path.join(place, name))])


def with_cmake(root, files, work):
    """Builds an example with find_package(fovea) and each target that was installed."""
    libraries = [path for path in files if re.search(r"/libfovea\.(so|a)$", path)]
    if not shutil.which("cmake") or not libraries:
        return
    example = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/examples/score.c")
    targets = ["fovea"] + ["static"] * any(path.endswith(".a") for path in libraries)
    for target in targets:
        folder = os.path.join(work, "cmake", target)
        os.makedirs(folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.13)\nproject(example C)\nfind_package(fovea 1.0 REQUIRED)\n"
                       f"add_executable(score {example})\ntarget_link_libraries(score fovea::{target})\n")
        good = all(subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0 for words in (
            ["cmake", "-S", folder, "-B", folder + "/build", f"-DCMAKE_PREFIX_PATH={root}"],
            ["cmake", "--build", folder + "/build"]))
        check(good, f"an example is built with CMake and fovea::{target}")


def main():
    for path, tag in planned():
        if tag_of(path) is None or tag_of(path) != tag:
            check(False, f"{path} has the tag {tag}, and PLACES in tests/tree/installed.py says {tag_of(path)}")
    check(True, "the plan of the installation was read")

    with tempfile.TemporaryDirectory() as work:
        root, files = install(os.path.join(work, "all"))
        for path in files:
            if not tag_of(path):
                check(False, f"{path} is installed where no file is expected")
        for pattern, _, needed in PLACES:
            if needed:
                check(any(re.fullmatch(pattern, path) for path in files), f"{pattern} is installed")
        for path in files:
            if os.path.islink(os.path.join(root, path)):
                check(os.path.exists(os.path.join(root, path)), f"the link {path} leads to a file")
        if os.path.isdir(os.path.join(root, "share/doc/fovea/docs")):
            check(os.path.exists(os.path.join(root, "share/doc/fovea/examples/score.c")), "examples are found")
        for tags in ("bin", "runtime", "devel", "man", "doc", "python-runtime"):
            _, tagged = install(os.path.join(work, tags), "--tags", tags)
            wrong = [path for path in tagged if tag_of(path) != tags]
            check(tagged or tags in ("runtime", "python-runtime"), f"--tags {tags} installs {len(tagged)} files")
            for path in wrong:
                check(False, f"--tags {tags} installs {path}")

        for path in files:
            if path.endswith(".a") and shutil.which("nm"):
                listed = subprocess.run(["nm", "-g", "--defined-only", os.path.join(root, path)],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
                names = {line.split()[2] for line in listed.splitlines() if len(line.split()) == 3}
                foreign = sorted(name for name in names if not name.startswith(("fv_", "vmaf_")))
                check(names and not foreign,
                      f"{path} defines names of its own only, and not {foreign[:5]} of {len(foreign)}")
        with_cmake(root, files, work)

        folder = next(os.path.dirname(path) for path in files if path.endswith("fovea.pc"))
        with open(os.path.join(root, folder, "fovea.pc"), encoding="utf-8") as file:
            needs = re.findall(r"^Requires[.\w]*:(.*)$", file.read(), flags=re.M)
        check(not needs, f"fovea.pc needs {needs}")
        if shutil.which("pkg-config") and os.path.exists(os.path.join(root, folder, "../libfovea.so")):
            environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(root, folder),
                               PKG_CONFIG_SYSROOT_DIR=os.path.join(work, "all"))
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fovea"], env=environment,
                                   stdout=subprocess.PIPE, check=True).stdout.decode().split()
            program = os.path.join(work, "score")
            example = os.path.join(os.path.dirname(__file__), "../../docs/examples/score.c")
            done = subprocess.run(["cc", "-o", program, example, *flags], check=False)
            check(done.returncode == 0, "an example is built with pkg-config against what is installed")
    print(f"1..{number}")
    return failures > 0


sys.exit(main())
