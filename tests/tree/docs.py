"""Checks that the documentation names only what exists: docs.py SOURCE_ROOT. Relative links must resolve, with their
headings. Paths in backticks, and paths in comments, must be those of files, except build outputs and placeholders.
The version must be the same in every place. Pages must be short enough to be read."""

import glob
import os
import re
import sys

from tree import answer, tracked

ROOT = os.path.abspath(sys.argv[1])
FOLDERS = ("src", "bench", "web", "docs", "tests", "tools", "python", "scripts", "include", "compat", "common",
           "cross", "vectors", ".ci")
# Greatest number of words of a page and of all pages, without those that scripts make.
PAGE, PAGES, MADE = 1700, 29660, ("docs/devices.md", "docs/parameters.md")
NAMED = r"[\w./*-]+\.(?:c|h|fv|py|txt|md|json|vec|options|comp\.in)"


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def placeholder(path):
    """Returns whether a path has a placeholder: NAME, X, <noun> or N."""
    usual = r"\.md$|README|NEWS|CONTRIBUTING|SECURITY"
    return "<" in path or re.search(r"(^|[/_.])[A-Z]+([/_.]|$)", re.sub(usual, "", path))


def exists(path, files):
    """Returns whether there is a file of this path from the root, src/, tests/ or vectors/, or of this name."""
    pattern = path.rstrip("/")
    if "/" not in path:
        return any(os.path.basename(file) == pattern for file in files)
    return any(glob.glob(os.path.join(ROOT, folder, pattern)) for folder in ("", "src", "tests", "vectors"))


def heading(line):
    """Returns the anchor that a Markdown renderer makes from a heading."""
    words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
    return words.replace(" ", "-")


def wrong_links(page):
    content = re.sub(r"```.*?```", "", text(page), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", content):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(ROOT, full)):
            yield f"{page} links to {target}, which does not exist"
        elif anchor and anchor not in [heading(line) for line in text(full).splitlines() if line.startswith("#")]:
            yield f"{page} links to {target}, which has no such heading"


def wrong_names(page, files):
    content = re.sub(r"```.*?```", "", text(page), flags=re.S)
    for name in re.findall(r"`([^`\n]+)`", content):
        path = name.split(":")[0]
        in_tree = path.split("/")[0] in FOLDERS and "/" in path and " " not in path
        if not in_tree and not re.fullmatch(NAMED, path):
            continue
        if not placeholder(path) and not path.startswith(("build", "../")) and not exists(path, files):
            yield f"{page} names {path}, which does not exist"


def wrong_comments(source, files):
    for path in re.findall(r"\b((?:docs|src|tests|tools|scripts)/" + NAMED + r")\b", text(source)):
        if not placeholder(path) and not exists(path, files):
            yield f"{source} names {path}, which does not exist"


def half_merged(path):
    """Returns whether a file contains marks of a merge."""
    return re.search(r"^(<{7}|>{7}) ", text(path), flags=re.M)


def first(path, pattern):
    return ".".join(re.search(pattern, text(path), re.M | re.S).groups())


def wrong_versions():
    """Every copy of the version equals the one in meson.build; Debian's adds its own number."""
    version = first("meson.build", r"^project\([^)]*?\bversion: '([\d.]+)'")
    parts = "".join(rf"#define FV_VERSION_{part} (\d+)\s+" for part in ("MAJOR", "MINOR", "PATCH"))
    for path, pattern in (("include/fovea/version.h", parts),
                          ("include/fovea/version.h", r'loaded library: "([\d.]+)"'),
                          ("compat/libvmaf/include/libvmaf/libvmaf.h", r'-fovea-([\d.]+)"'),
                          ("debian/changelog", r"\Afovea \(([\d.]+)-"), ("NEWS.md", r"^## (\S+) \((?!unreleased)"),
                          ("README.md", r"fovea_([\d.]+)-1_amd64"), ("README.md", r"fovea-([\d.]+)-linux"),
                          ("README.md", r"fovea-([\d.]+)-windows"),
                          ("docs/report.md", r'"fovea_version": "([\d.]+)"')):
        if first(path, pattern) != version:
            yield f"{path} says {first(path, pattern)}, and meson.build says {version}"


def unargued_waves(files):
    """docs/hip.md argues for each kernel that names waves or divides a workgroup as some GPU does, and says that no
    kernel has an operation of a subgroup."""
    page = text("docs/hip.md").partition("## Waves of 64")[2]
    named = set(re.findall(r"`(src/kernel/\w+\.\w+)`", page))
    for file in files:
        if not re.match(r"src/kernel/.*\.(fv|h)$", file):
            continue
        code = text(file)
        for word in re.findall(r"(?i)subgroup\w*|__(?:shfl|ballot|any|all|activemask|syncwarp|reduce)\w*", code):
            yield f"{file} has {word}, an operation of a subgroup"
        if file == "src/kernel/dialect.h" or file.startswith("src/kernel/clang/"):
            continue
        split = r"\bthread\)? *[/%] *(?:16|32|64)\b"
        speaks = re.search(r"(?i)\b(?:warps?|waves?|(?:own_)?lanes?)\b|" + split, code)
        if bool(speaks) != (file in named):
            yield f"{file} {'names' if speaks else 'does not name'} waves, and docs/hip.md does otherwise"
        named.discard(file)
    yield from (f"docs/hip.md argues for {file}, which does not exist" for file in named)


def too_long(pages):
    """Pages that people read from the first line to the last: those of the root, and docs/ without its folders."""
    counts = {page: len(text(page).split()) for page in pages if page not in MADE and
              re.fullmatch(r"(README|CONTRIBUTING|SECURITY|docs/[\w-]+)\.md", page)}
    yield from (f"{page} has {count} words, and {PAGE} is the most" for page, count in counts.items() if count > PAGE)
    if sum(counts.values()) > PAGES:
        yield f"all pages have {sum(counts.values())} words, and {PAGES} is the most: cut what no reader acts on"


def main():
    files = tracked(ROOT)
    pages = [file for file in files if file.endswith(".md")]
    endings = (".c", ".h", ".fv", ".py", ".build")
    sources = [file for file in files if file.endswith(endings) and file != "tests/tree/docs.py"]
    checks = {
        "pages are found": [] if pages else ["no file ends in .md"],
        "links": [wrong for page in pages for wrong in wrong_links(page)],
        # vectors/spec/ names files of other projects
        "files in backticks": [wrong for page in pages if not page.startswith("vectors/spec/")
                               for wrong in wrong_names(page, files)],
        "whole files": [f"{file} has marks of a merge" for file in pages + sources if half_merged(file)],
        "lengths": list(too_long(pages)),
        "versions": list(wrong_versions()),
        "waves of 64": list(unargued_waves(files)),
        "files in comments": [wrong for source in sources for wrong in wrong_comments(source, files)],
    }
    sys.exit(answer(checks))


main()
