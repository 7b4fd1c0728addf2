"""Checks that calls with an easily forgotten duty are made in one file only, on behalf of all others: owners.py
SOURCE_ROOT."""

import os
import re
import sys

from tree import answer, tracked

ROOT = os.path.abspath(sys.argv[1])
FOLDERS = ("src/", "common/", "tools/", "compat/", "python/", "web/")

# Each rule: what is checked, the call as a regular expression, the files that may contain it, and why no others may.
RULES = (
    ("texts in memory are closed by one function", r"\bopen_memstream\b", ("common/text.", "common/windows/"),
     "its close may lose the text without a word: take fv_text_open() and fv_text_close()"),
    ("markup is written by one function",
     r"\b(?:fputs|puts|f?printf|fwrite)\([^;]*?\"(?:[^\"\\\n]|\\.)*<(?:[/?]?[a-z]|!)", ("common/markup.c",),
     "a text beside it could be markup: take fv_markup()"),
    ("files of pages are written by one function", r"\b(?:markup|page|xml|svg)->file\b|\.in_html = true",
     ("common/markup.c",), "what is written past fv_markup() could be markup"),
    ("the numbers of PQ and HLG stand once",
     r"0\.1788327|0\.284668|18\.85156|0\.835937|78\.84375|0\.1593017|2610 */ *16384",
     ("common/curves.h", "web/view_tone.js"), "take them from common/curves.h"),
    ("files are told apart by one function", r"\bst_ino\b", ("common/file_facts.c",),
     "stat() of Windows gives every file the number 0: take fv_file_facts()"),
    ("paths are divided by one function", r"strrchr\([^;]*?, '/'\)", ("common/path_names.h", "src/os/posix/"),
     "Windows divides them by backslashes, too: take fv_last_slash() or fv_base_name()"),
    ("code for AMD's GPUs alone stands in the backend and below the dialect",
     r"(?m)^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b.*(?:HIP|AMD)",
     ("src/gpu/", "src/kernel/dialect.h", "src/kernel/clang/"),
     "take what differs from CUDA to src/gpu/cuda/ or src/kernel/clang/"),
)

# Calls and names that Linux has and macOS lacks.
OF_LINUX = re.compile(
    r"\b(?:accept4|dup3|epoll_\w+|eventfd\w*|fopencookie|get_nprocs\w*|getrandom|inotify_\w+|madvise|memfd_create"
    r"|mempcpy|mremap|pipe2|posix_fadvise|posix_fallocate|prctl|program_invocation_\w+|pthread_condattr_setclock"
    r"|pthread_setaffinity_np|pthread_timedjoin_np|pthread_tryjoin_np|qsort_r|renameat2|sched_[gs]etaffinity"
    r"|secure_getenv|sendfile|signalfd|splice|strchrnul|syscall(?=\()|sysinfo|timerfd_\w+|F_SETPIPE_SZ|O_TMPFILE"
    r"|SIGRTM\w+|SOCK_CLOEXEC|SOCK_NONBLOCK|st_[acm]tim)\b|/proc/self/exe")


def of_linux(texts):
    """Returns the names of Linux that no header of common/macos declares. Code for some systems alone is left out."""
    declared = " ".join(text for file, text in texts.items() if file.startswith("common/macos/"))
    found = []
    for file, text in sorted(texts.items()):
        if file.startswith(("common/windows/", "common/wasm/", "common/macos/")) or not file.endswith((".c", ".h")):
            continue
        text = re.sub(r"(?ms)^#if defined\((?:__linux__|SYS_\w+)\)$.*?^#(?:else|endif)$|/\*.*?\*/",
                      lambda part: "\n" * part[0].count("\n"), text)
        found += [f"{file}:{text.count(chr(10), 0, use.start()) + 1}: macOS has no {use[0]}; common/macos must"
                  for use in OF_LINUX.finditer(text) if use[0] not in declared]
    return found


def sources():
    return [file for file in tracked(ROOT) if file.startswith(FOLDERS) and file.endswith((".c", ".h", ".fv", ".js"))]


def read(file):
    with open(os.path.join(ROOT, file), encoding="utf-8") as source:
        return source.read()


def main():
    texts = {}
    for file in sources():
        texts[file] = read(file)
    checks = {f"{len(texts)} sources were read": [] if len(texts) >= 300 else ["too few: is this the root?"]}
    for name, call, owners, why in RULES:
        checks[name] = [f"{file}:{text.count(chr(10), 0, found.start()) + 1}: {why}"
                        for file, text in sorted(texts.items()) if not file.startswith(owners)
                        for found in re.finditer(call, text)]
        if not any(file.startswith(owners) for file in texts):
            checks[name].append(f"none of {', '.join(owners)} exists")
    checks["macOS has each call of Linux, or common/macos has"] = of_linux(texts)
    usual = " ".join(re.findall(r'"([^"\n]*)"', read("common/usual.h"))).replace("  ", " ")
    added = re.findall(r'"(\w+)", reference|allow_hdr=true" : "(\w+)"|add\(session, "(\w+)"',
                       read("src/session/default_metrics.c"))
    missing = [name for names in added for name in names if name and name not in re.findall(r"\w+", usual)]
    checks["texts that name the default metrics say the same"] = [f"common/usual.h lacks {n}" for n in missing] + [
        f"{file} does not say: {usual}" for file in ("compat/wasm/package/cli.mjs", "python/fovea/_scores.py")
        if usual not in " ".join(read(file).split())] + ([] if len(added) > 4 else ["too few metrics were found"])
    lines = (("common/curves.h", r"^#define .*"), ("web/view_tone.js", r"^const \[\w+, \w+, .*"))
    curves = [re.findall(r"(?<![\w.])\d+\.\d+", "\n".join(re.findall(pattern, read(file), flags=re.M)))
              for file, pattern in lines]
    same = len(curves[0]) == 8 and curves[0] == curves[1]
    checks["the viewer's curves have the numbers of common/curves.h"] = [] if same else [f"{curves}"]
    sys.exit(answer(checks))


main()
