#!/usr/bin/env python3
"""Checks without a compiler for Windows that the code for all systems calls no function that Windows lacks: ports.py
SOURCE_ROOT BUILD_ROOT NM. Reads the undefined symbols of the library's and the command's objects. A function must be
one of OF_WINDOWS or be declared in common/windows. Code in a folder named posix and the viewer's server are left
out, since Windows builds neither; so is NVDEC, since NVIDIA's header names another loader for Windows."""

import os
import re
import subprocess
import sys

from tree import answer, tracked

ROOT, BUILD, NM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
TARGETS = re.compile(r"/(libfovea_internal|libsample_wise|libplain_readers|libcpu_\w+|libfovea_common|libvmaf_inside|"
                     r"fovea)\.(a|so[.\d]*)?\.?p$")
LEFT_OUT = re.compile(r"os_posix_|view_server|hwdec_nvdec")
# Functions and objects of the C library that mingw-w64 has, as far as fovea's code uses them.
OF_WINDOWS = frozenset("""
access asprintf atexit calloc clock clock_gettime close closedir dirname dup execv fclose fdopen feof ferror fflush
fgets fileno fmax fmin fmod fopen fprintf fputc fputs fread free frexp fscanf fseek ftell fwrite getenv getpid isatty
ldexp ldexpf longjmp lseek malloc memchr memcmp memcpy memmove memset modf nanosleep opendir perror pow printf
pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_timedwait
pthread_cond_wait pthread_create pthread_join pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock
pthread_mutex_unlock pthread_once putc putchar puts qsort read readdir realloc rename rewind rmdir sched_yield setjmp
setvbuf signal sincos snprintf sprintf sscanf stat fstat stderr stdin stdout strcasecmp strchr strcmp strcpy strcspn
strdup strerror strlen strncasecmp strncat strncmp strnlen strpbrk strrchr strspn strstr strtod strtof strtok_r strtol
strtoll strtoul strtoull time unlink vasprintf vfprintf vsnprintf write open mkdir fputs exp log10
_exit _setjmp mkstemp
""".split())
# What compilers call by themselves, and libraries that a build for Windows leaves out or brings.
OF_OTHERS = re.compile(r"__\w*[dst][if]\d?|__cpu_\w+|__stack_chk_fail|__tls_get_addr|_GLOBAL_OFFSET_TABLE_"
                       r"|__ctype_\w+|__errno_location|png_\w+|nettle_\w+|MHD_\w+|fv_\w+|vmaf_\w+")


def plain(symbol):
    """Returns the name that the source has: fortified functions and those of large files have others."""
    name = re.sub(r"^__(isoc\d+_)?(\w+?)(_chk|_2)?$", r"\2", symbol.split("@")[0]) if re.match(
        r"__(isoc|\w+_chk|\w+_2)", symbol) else symbol.split("@")[0]
    return re.sub(r"^(fopen|open|lseek|stat|fstat|lstat|readdir|scandir|mkstemp|fcntl|glob|globfree)64$", r"\1", name)


def main():
    objects = sorted(os.path.join(where, name) for where, _, names in os.walk(BUILD) if TARGETS.search(where)
                     for name in names if name.endswith(".o"))
    shims = set()
    for file in tracked(ROOT):
        if file.startswith("common/windows/"):
            with open(os.path.join(ROOT, file), encoding="utf-8") as source:
                shims |= set(re.findall(r"\b[a-z]\w+(?=\()", source.read()))
    defined, wanted = set(), {}
    for start in range(0, len(objects), 100):
        listed = subprocess.run([NM, "-A", *objects[start:start + 100]], stdout=subprocess.PIPE, check=True)
        for line in listed.stdout.decode(errors="replace").splitlines():
            path, _, symbol = line.rpartition(":")
            kind, name = symbol.split()[-2:]
            if kind != "U":
                defined.add(name)
            elif not LEFT_OUT.search(path):
                wanted.setdefault(name, os.path.relpath(path, BUILD))
    absent = [f"{path} calls {plain(name)}, which Windows lacks: common/windows must have it, or a folder os/posix"
              for name, path in sorted(wanted.items())
              if name not in defined and not OF_OTHERS.fullmatch(name) and plain(name) not in OF_WINDOWS | shims]
    checks = {f"{len(objects)} objects were read": [] if len(objects) > 400 else ["too few: is the build complete?"],
              f"common/windows declares {len(shims)} functions":
                  [f"{name} was not found there" for name in ("poll", "dlopen", "setenv") if name not in shims],
              "every call is one that Windows has": absent}
    return answer(checks)


sys.exit(main())
