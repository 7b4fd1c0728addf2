#!/usr/bin/env python3
"""The npm package in Node gives what the command gives: run.py FOVEA SYNTH SOURCE_ROOT [PART...].

Reports of all metrics equal the command's to the byte but for the device, in plain C and with simd128; every vector has its
value to the bit with both; the package's calls score, refuse and stop as docs/javascript.md says; the types pass tsc --strict
where tsc is; the page scores a pair in Debian's chromium to the bit. It needs node and a folder build-wasm, which this brings up to date: docs/packaging.md."""

import functools
import glob
import http.server
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

FOVEA, SYNTH, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
PARTS = sys.argv[4:] or ["calls", "types", "page", "reports", "vectors"]
BUILD = os.path.join(ROOT, "build-wasm")
PACKAGE = os.path.join(BUILD, "npm")
ISAS = "scalar", "simd128"
HOST = re.compile(rb'"device": ?\{[^}]*\}')

sys.path.insert(0, os.path.join(ROOT, "tests/golden"))
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
sys.path.insert(0, os.path.join(ROOT, "tests/browser"))
COMMAND = ["node", os.path.join(PACKAGE, "cli.mjs")]
given, sys.argv[1:] = sys.argv[1:], [FOVEA, ROOT, *COMMAND]
import browser # pylint: disable=wrong-import-position
import reports # pylint: disable=wrong-import-position

sys.argv[1:] = given
NO_BROWSER = browser.missing() if "page" in PARTS else None # it may start this program again

count = failed = 0


def report(good, name, why=""):
    global count, failed
    count, failed = count + 1, failed + (not good)
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    for line in (why.strip().splitlines()[-12:] if not good else []):
        print("#", line[:300])


def missing():
    if not shutil.which("node"):
        return "node is missing"
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        return "build-wasm is missing: meson setup build-wasm --cross-file cross/wasm.ini (docs/packaging.md)"
    return None


def calls(folder):
    pair = [os.path.join(folder, name) for name in ("ref.y4m", "dis.y4m")]
    native = os.path.join(folder, "native.json")
    metrics = "psnr,psnr_hvs,vmaf,cambi,xpsnr,motion"
    subprocess.run([FOVEA, "score", *pair, "-m", metrics, "--device", "cpu", "-o", native, "--quiet"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run(["node", os.path.join(ROOT, "tests/wasm/package.mjs"), PACKAGE, *pair, native], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, timeout=900)
    for line in done.stdout.splitlines():
        if re.match("(not )?ok ", line):
            report(line.startswith("ok"), line.split(" - ", 1)[1])
        elif line.startswith("#") or not re.match(r"1\.\.", line):
            print("#", line[:300])
    report(done.returncode == 0 and "1.." in done.stdout, "the calls end", done.stdout)


def types(folder):
    tsc = shutil.which("tsc")
    if not tsc:
        print("# the types are not checked: tsc is missing")
        return
    path = os.path.join(folder, "use.ts")
    shutil.copy(os.path.join(ROOT, "tests/wasm/use.ts"), path)
    os.makedirs(os.path.join(folder, "node_modules"))
    os.symlink(PACKAGE, os.path.join(folder, "node_modules/fovea"))
    done = subprocess.run([tsc, "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", path],
                          check=False, stdout=subprocess.PIPE, universal_newlines=True)
    report(done.returncode == 0, "tsc --strict", done.stdout)


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *args): # pylint: disable=arguments-differ
        pass


def page(folder):
    """Two files in the page's fields: scores, curves and a verdict, and the command's report."""
    if NO_BROWSER:
        print(f"# the page is not tried: {NO_BROWSER}")
        return
    pair = [os.path.join(folder, name) for name in ("ref.y4m", "dis.y4m")]
    native = os.path.join(folder, "page.json")
    subprocess.run([FOVEA, "score", "ref.y4m", "dis.y4m", "-m", "vmaf,psnr_hvs,ssimulacra2", "--device", "cpu", "-o", native, "--quiet"],
                   check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=PACKAGE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        one = browser.Browser.get()
        one.open(f"http://127.0.0.1:{server.server_port}/page/index.html")
        for workers in (1, 2):
            one.run("document.querySelector('#save').hidden = true")
            for name, path in zip(("reference", "distorted"), pair):
                one.element(f"[name={name}]").send_keys(path)
            one.run("const e = document.querySelector('form').elements; e.metrics.value = 'vmaf,psnr_hvs,ssimulacra2'; e.workers.value = arguments[0]", workers)
            one.element("button").click()
            one.wait("return !document.querySelector('#save').hidden || document.querySelector('#problem').textContent", "the report")
            said = one.run("return document.querySelector('#problem').textContent")
            made = one.driver.execute_async_script(
                "fetch(document.querySelector('#save [download$=json]').href).then(r => r.text()).then(arguments[0], arguments[0])")
            with open(native, "rb") as file:
                report(HOST.sub(b"", made.encode()) == HOST.sub(b"", file.read()), f"the page, {workers} workers: the bytes of the command", said)
        shown = one.wait("const d = document.querySelector('iframe').contentDocument; return d && d.body && d.body.dataset.ready === 'yes' && "
                         "[d.querySelector('.word').textContent.trim(), d.querySelectorAll('svg, canvas').length]", "the report page")
        report(shown[0] and shown[1] > 0, "the page shows the report with its verdict and curves", str(shown))
        report(not one.complaints(), "the page complains of nothing", str(one.complaints()))
    finally:
        server.shutdown()
        browser.Browser.end()


def files_of(command, args):
    reports.COMMAND = command
    found = reports.outcome(command, args)
    code, said = found.pop("exit code"), found.pop("standard error", b"")
    found.pop("standard output")
    return code, said.decode(errors="replace"), {name: HOST.sub(b"", content) for name, content in found.items()}


def same_reports():
    for args in reports.cases():
        if args[0] != "score":
            continue
        _, _, ours = files_of([FOVEA], args)
        for isa in ISAS:
            code, said, theirs = files_of(COMMAND, [isa if word == "scalar" else word for word in args])
            wrong = [name for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)]
            report(code == b"0" and ours and not wrong, f"{isa}: {' '.join(args)[:100]}", f"{said}\n{' '.join(wrong)} differ")


def vectors():
    for path in sorted(glob.glob(os.path.join(ROOT, "vectors/*.vec"))):
        for isa in ISAS:
            done = subprocess.run([os.path.join(ROOT, "vectors/check"), SYNTH, os.path.join(ROOT, "vectors/programs/fovea"), path],
                                  env=dict(os.environ, FOVEA=" ".join(COMMAND), FOVEA_OPTIONS=f"--isa {isa}", SAMPLES="600000"),
                                  check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
            said = done.stdout.strip().splitlines()
            report(done.returncode == 0, f"{isa}: {said[-1] if said else path}", done.stdout)


def main():
    lacks = missing()
    if lacks:
        print(f"1..0 # SKIP {lacks}")
        return 0
    made = subprocess.run([os.path.join(ROOT, "scripts/npm"), BUILD], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    report(made.returncode == 0, "the package is built, below its limit", made.stdout)
    if made.returncode == 0:
        with tempfile.TemporaryDirectory() as folder:
            reports.prepare(folder)
            for part, run in (("calls", calls), ("types", types), ("page", page)):
                if part in PARTS:
                    run(folder)
        if "reports" in PARTS:
            same_reports()
        if "vectors" in PARTS:
            vectors()
    print(f"1..{count}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
