"""Checks that the folders of the sources keep their order: layers.py SOURCE_ROOT. In src/, a file may include files
of its own folder and of folders earlier in FLOORS; a state.h is for the files of its folder alone. The
command, the Python package and the stand-in for libvmaf may include only the public headers. No files may include
each other in a circle, where X.c and X.h count as one, and so do an -inl.h and the one file that includes it. Nor may
the functions of files of src/ call each other in a circle: layers.py SOURCE_ROOT ARCHIVE... reads that from the
archives of the build. Only src/os/ may include the headers by which a program speaks to the operating system.
docs/architecture.md has the same list of floors."""

import os
import re
import subprocess
import sys

from tree import answer, tracked

ROOT = os.path.abspath(sys.argv[1])
FLOORS = ("base", "os", "arith", "bd", "correlate", "option", "cpu", "picture", "codec", "device", "kernel", "gpu",
          "feature", "launch", "device_select", "input", "model", "metric", "check", "verdict", "ladder", "align",
          "doubt", "still", "session", "score", "pairs", "shard", "report")
# Paths that each of the other folders may include besides its own; bench/ and tests/ may include everything.
PUBLIC = ("include/", "compat/libvmaf/include/", "common/", "web/")
OTHERS = {"include": (), "common": PUBLIC, "web": PUBLIC + ("src/base/",), "tools": PUBLIC,
          "compat": PUBLIC + ("tools/page/worst_pictures.h",), "python": ("include/", "common/")}
BUILD = ("src/meson.build",)
GENERATED = ("config.h", "family_list.h", "metric_list.h", "parity_list.h")
SYSTEM = re.compile(r"(arpa|linux|net|netinet|sys)/|(dirent|dlfcn|fcntl|ftw|glob|libgen|locale|poll|pthread|pwd|"
                    r"sched|semaphore|"
                    r"signal|spawn|termios|threads|unistd)\.h$")


def includes(sources):
    """Returns for each source the files of this tree that it includes. Also returns names that none of its folders
    has, and headers of the operating system that a file of src/ outside src/os/ includes."""
    known, found, lost, system = set(sources), {}, [], []
    for file in sources:
        with open(os.path.join(ROOT, file), encoding="utf-8", errors="replace") as source:
            names = re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', source.read(), flags=re.M)
        folders = [os.path.dirname(file), "src", "include", "common", "web", "compat/libvmaf/include"]
        if file.endswith(".fv"):
            folders.insert(0, "src/kernel")
        if file.startswith(("tools/", "compat/wasm/")):
            folders.append("tools")
        if file.startswith(("bench/", "tests/")):
            folders += ["bench", "tools", "tests", "tests/parity", "compat/libvmaf"]
        found[file] = []
        if file.startswith("src/") and not file.startswith("src/os/"):
            system += [f"{file} includes <{name}>" for mark, name in names if mark == "<" and SYSTEM.match(name)]
        for mark, name in names:
            paths = [os.path.normpath(os.path.join(folder, name)) for folder in folders]
            hit = next((path for path in paths if path in known), None)
            if hit:
                found[file].append(hit)
            elif mark == '"' and name not in GENERATED and not file.startswith(("tests/", "bench/")):
                lost.append(f"{file} includes {name}, which does not exist")
    return found, lost, system


def noun(file):
    return re.sub(r"\.\w+$", "", file)


def floor(file):
    return FLOORS.index(file.split("/")[1])


def wrong_places(files):
    for file in files:
        parts = file.split("/")
        if parts[0] != "src" or file in BUILD:
            continue
        if len(parts) == 2:
            yield f"{file} lies in src/ itself"
        elif parts[1] not in FLOORS:
            yield f"{file} lies in a folder that is not on the list of floors"


def allowed(file, other):
    top = file.split("/")[0]
    if top == "src":
        if other.split("/")[0] != "src":
            return other.startswith(("include/", "common/", "web/", "vectors/spec/"))
        private = os.path.basename(other) == "state.h" and os.path.dirname(other) != os.path.dirname(file)
        return floor(other) <= floor(file) and not private
    return top not in OTHERS or other.split("/")[0] == top or other.startswith(OTHERS[top])


def nouns(found):
    """Returns which nouns each noun includes."""
    users = {}
    for file, others in found.items():
        for other in others:
            users.setdefault(other, set()).add(noun(file))
    inside = {}

    def owner(name):
        while name in inside:
            name = inside[name]
        return name

    parts = [file for file in found if file.endswith("-inl.h")]
    for _ in parts:
        for file in parts:
            owners = {owner(name) for name in users.get(file, ())} - {noun(file)}
            if len(owners) == 1 and noun(file) not in inside:
                inside[noun(file)] = owners.pop()

    arrows = {}
    for file, others in found.items():
        name = owner(noun(file))
        arrows.setdefault(name, set()).update(owner(noun(other)) for other in others)
        arrows[name].discard(name)
    return arrows


def reached(arrows, start):
    seen, waiting = set(), [start]
    while waiting:
        for name in arrows.get(waiting.pop(), ()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def circles(arrows):
    """Yields each circle as the list of its nouns."""
    ahead = {name: reached(arrows, name) for name in arrows}
    done = set()
    for name in sorted(arrows):
        if name in ahead[name] and name not in done:
            circle = [other for other in sorted(ahead[name]) if name in ahead.get(other, ())]
            done.update(circle)
            yield circle


def shortest(arrows, circle):
    """Returns the shortest way round a circle, as text."""
    rounds = []
    for start in circle:
        ways, seen = [[start]], set()
        while start not in seen:
            ways = [way + [other] for way in ways for other in sorted(arrows[way[-1]]) if other in circle]
            ways = list({way[-1]: way for way in ways if way[-1] not in seen}.values())
            seen |= {way[-1] for way in ways}
        rounds.append(next(way for way in ways if way[-1] == start))
    return " includes ".join(min(rounds, key=len))


def sources_by_object(files):
    """Returns the noun of each object of src/. Meson names an object after its source's path, with _ for /."""
    return {file[len("src/"):].replace("/", "_"): noun(file) for file in files if re.match(r"src/.*\.c$", file)}


def calls(archives, objects):
    """Returns which nouns call functions of which others, and these functions. Naming another file's table of
    functions is no call."""
    owners, wanted = {}, {}
    for archive in archives:
        lines = subprocess.run(["nm", "-A", "--format=posix", archive], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, check=False).stdout.decode(errors="replace").splitlines()
        for line in lines:
            found = re.match(r"(.*): (\w+) ([TWU])\b", line)
            member = re.search(r"([^/\[\]]+)\.(?:o|obj)\]?$", found[1]) if found else None
            user = objects.get(member[1]) if member else None
            if user and found[3] == "U":
                wanted.setdefault(user, set()).add(found[2])
            elif user:
                owners.setdefault(found[2], set()).add(user)
    arrows, reasons = {}, {}
    for user, names in wanted.items():
        arrows[user] = set()
        for name in names:
            for owner in owners.get(name, set()) - {user}:
                arrows[user].add(owner)
                reasons.setdefault((user, owner), set()).add(name)
    return arrows, reasons


def circle_of_calls(arrows, reasons, circle):
    way = shortest(arrows, circle).split(" includes ")
    return ", and ".join(f"{user} calls {min(reasons[user, owner])} of {owner}" for user, owner in zip(way, way[1:]))


def listed():
    """Returns the rooms that the page lists, in its order."""
    with open(os.path.join(ROOT, "docs/architecture.md"), encoding="utf-8") as page:
        return [room for row in re.findall(r"^- `src/.*", page.read(), flags=re.M)
                for room in re.findall(r"`src/(\w+)/`", row)]


def main():
    files = tracked(ROOT)
    found, lost, system = includes([file for file in files if file.endswith((".c", ".h", ".fv", ".cpp"))])
    places = list(wrong_places(files))
    if places:
        print("1..1")
        print("\n".join(f"# {line}" for line in places))
        print("not ok 1 every source lies on a floor")
        sys.exit(1)

    arrows = nouns(found)
    checks = {
        f"{len(found)} sources were read": [] if len(found) >= 500 else ["too few: is this the root?"],
        "docs/architecture.md lists the floors": [f"it has {listed()}"] if listed() != list(FLOORS) else [],
        "every include exists": lost,
        "no include runs up": [f"{file} includes {other}" for file, others in sorted(found.items())
                               for other in sorted(others) if not allowed(file, other)],
        "only src/os/ speaks to the operating system": system,
        "files include each other in no circle": [shortest(arrows, circle) for circle in circles(arrows)],
    }
    called, reasons = calls(sys.argv[2:], sources_by_object(files))
    if len(called) > 200:  # with fewer, nm is missing or cannot read this compiler's objects
        checks["files of src/ call each other in no circle"] = [circle_of_calls(called, reasons, circle)
                                                                for circle in circles(called)]
    sys.exit(answer(checks))


main()
