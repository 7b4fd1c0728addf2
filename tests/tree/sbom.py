"""Checks that scripts/sbom lists the parts of the zip for Windows: sbom.py SOURCE_ROOT. A folder like that of
scripts/zip stands for the zip, and a function for Meson."""

import gzip
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile

from tree import answer

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("sbom", os.path.join(os.path.abspath(sys.argv[1]), "scripts/sbom"))
SBOM = importlib.util.module_from_spec(importlib.util.spec_from_loader("sbom", LOADER))
LOADER.exec_module(SBOM)
WANTED = [("ffmpeg", "7:5.1.6-0+deb12u1"), ("dav1d", "1.0.0-2+deb12u1"), ("libz-mingw-w64", "1.2.13+dfsg-1")]


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def found(options):
    SBOM.output = lambda *words: json.dumps([{"name": "libav_headers", "value": options}])
    try:
        return SBOM.zipped("build")
    except SystemExit as error:
        return str(error)


def faults():
    with tempfile.TemporaryDirectory() as parts:
        headers = [os.path.join(parts, "libav/include")]
        if found([]) or found(headers):
            yield "a build for no zip has parts of one"
        for name, version in WANTED[:2]:
            write(os.path.join(parts, f"sources/{name}.dsc"),
                  f"-----BEGIN-----\n\nFormat: 3.0 (quilt)\nSource: {name}\nVersion: {version}\n".encode())
        if "ffmpeg" not in found(headers) or not isinstance(found(headers), str):
            yield f"a part without its version is left out: {found(headers)}"
        write(os.path.join(parts, "zlib/usr/share/doc/libz-mingw-w64-dev/changelog.Debian.gz"),
              gzip.compress(f"{WANTED[2][0]} ({WANTED[2][1]}) unstable; urgency=low\n\n  * Import.\n".encode()))
        if found(headers) != WANTED:
            yield f"{found(headers)} instead of {WANTED}"


sys.exit(answer({"the parts of the zip for Windows": list(faults())}))
