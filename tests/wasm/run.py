#!/usr/bin/env python3
"""Checks that the npm package in Node gives the results of the command: run.py FOVEA SYNTH SOURCE_ROOT [PART...].

Reports of all metrics equal the command's to the byte, except for the device, in plain C and with simd128. Both give
every golden value of small cases ("small") and of the others ("large"). The package's calls score, refuse and stop as
docs/javascript.md says. The types pass tsc --strict if tsc is installed. The page scores Y4M, MP4, WebM and PNG in
Debian's chromium to the bit. The test needs node and a folder build-wasm, which it brings up to date:
docs/packaging.md. Runs wait for each other."""

import fcntl
import functools
import glob
import http.server
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading

FOVEA, SYNTH, ROOT = (os.path.abspath(path) for path in sys.argv[1:4])
PARTS = sys.argv[4:] or ["calls", "types", "page", "small", "reports", "large"]
DATA = os.path.join(ROOT, "../shared/data") # folder of test video, which may be absent
SMALL = 60000 # maximum of luma samples per case in the short test
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
loader = importlib.machinery.SourceFileLoader("check", os.path.join(ROOT, "vectors/check"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
sys.dont_write_bytecode = True
loader.exec_module(check)
NO_BROWSER = browser.missing() if "page" in PARTS else None # may start this program again in another Python

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
    videos = [os.path.join(folder, name) for made in pairs(folder) for name in made[1:]
              if name.endswith((".mp4", ".webm"))]
    done = subprocess.run(["node", os.path.join(ROOT, "tests/wasm/package.mjs"), PACKAGE, *pair, native, *videos],
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          timeout=900)
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
    path = os.path.join(folder, "use.mts") # a module, as the package is
    shutil.copy(os.path.join(ROOT, "tests/wasm/use.ts"), path)
    os.makedirs(os.path.join(folder, "node_modules"))
    os.symlink(PACKAGE, os.path.join(folder, "node_modules/fovea"))
    done = subprocess.run([tsc, "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext",
                           "--lib", "es2022,dom", path],
                          check=False, stdout=subprocess.PIPE, universal_newlines=True)
    report(done.returncode == 0, "tsc --strict", done.stdout)


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript",
                      ".wasm": "application/wasm"}

    def log_message(self, *args): # pylint: disable=arguments-differ
        pass


CODERS = {"h264.mp4": ["-c:v", "libx264", "-g", "4", "-bf", "2", "-colorspace", "bt709", "-color_primaries", "bt709",
                       "-color_trc", "bt709"],
          "vp9.webm": ["-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "40"],
          "vp9_10.webm": ["-pix_fmt", "yuv420p10le", "-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "40"],
          "av1.mp4": ["-c:v", "libaom-av1", "-cpu-used", "8", "-b:v", "0", "-crf", "40"],
          "av1_10.webm": ["-pix_fmt", "yuv420p10le", "-c:v", "libaom-av1", "-cpu-used", "8", "-b:v", "0",
                          "-crf", "40"], "vp8.webm": ["-c:v", "libvpx", "-crf", "40"],
          "png.png": ["-frames:v", "1", "-pix_fmt", "rgb24"], "png16.png": ["-frames:v", "1", "-pix_fmt", "rgb48be"]}


@functools.lru_cache
def pairs(folder):
    """Returns pairs that the page scores: Y4M files, and what ffmpeg makes from them."""
    found = [("ref.y4m", "dis.y4m")]
    if not shutil.which("ffmpeg"):
        print("# MP4, WebM and PNG are not tried: ffmpeg is missing")
        return found
    for name, coder in CODERS.items():
        made = []
        for side in ("ref", "dis"):
            made.append(f"{side}_{name}")
            done = subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", f"{side}.y4m", *coder, made[-1]], cwd=folder,
                                  check=False, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            print(f"# {name} is not tried: this ffmpeg does not make it")
        else:
            found.append(tuple(made))
            if name == "h264.mp4":
                found.append(("ref.y4m", made[1]))
    return found


def values_of(text):
    """Returns the values of a report by their places."""
    found = json.loads(text, parse_float=str, parse_int=str)
    values = {("frame", frame["frame"], name): value for frame in found["frames"] for name,
              value in frame["metrics"].items()}
    values.update({(name, pool): value for name, pools in found["pooled"].items() for pool, value in pools.items()})
    return {**values, **(found["sequence"] or {})}


def frames_of_webcodecs(one, folder):
    """VideoFrames of the Y4M pair, planar and with interleaved chroma, get the command's scores, in score() and in a
    session."""
    for name in ("reference", "distorted"):
        one.element(f"[name={name}]").send_keys(os.path.join(folder, name[:3] + ".y4m"))
    with open(os.path.join(ROOT, "tests/wasm/frames.js"), encoding="utf-8") as file:
        found = one.driver.execute_async_script(file.read())
    with open(os.path.join(folder, "dis.y4m.json"), encoding="utf-8") as file:
        native = json.load(file)
    expected = [{name: str(float(value)) for name, value in frame["metrics"].items()
                 if name.startswith(("vmaf", "psnr_hvs"))}
                for frame in native["frames"]]
    for way, outcome in found.items():
        if isinstance(outcome, list):
            outcome = [{name: str(float(frame[name])) for name in expected[0]} for frame in outcome]
            report(outcome == expected, f"{way} have the scores of the command", f"{outcome}, not {expected}")
        else:
            report(outcome == "input", f"{way} are refused in words", str(outcome))


DECODERS = {"exact samples": "const copy = VideoFrame.prototype.copyTo; VideoFrame.prototype.copyTo = async function "
            "(to, ...rest) {"
                             "const planes = await copy.call(this, to, ...rest); to[5] ^= 1; return planes; }",
            "format null": "Object.defineProperty(VideoFrame.prototype, 'format', {get: () => null})",
            "format I444": "Object.defineProperty(VideoFrame.prototype, 'format', {get: () => 'I444'})",
            "no decoder": "VideoDecoder.isConfigSupported = async () => ({supported: false})"}


def refused_decoders(one, folder):
    """A decoder that changes a bit, or delivers another format, is refused."""
    paths = [os.path.join(folder, f"{side}_vp9.webm") for side in ("ref", "dis")]
    for words, change in DECODERS.items() if all(map(os.path.exists, paths)) else ():
        one.open(one.run("return location.href"))
        one.run(change)
        for name, path in zip(("reference", "distorted"), paths):
            one.element(f"[name={name}]").send_keys(path)
        one.element("button").click()
        said = one.wait("return !document.querySelector('#save').hidden && 'a report' || "
                        "document.querySelector('#problem').textContent", "the refusal")
        report(words in said and "ffmpeg -i" in said, f"the page refuses a decoder: {words}", said)


def maps_of(one, chosen=()):
    """The report inside the page shows each metric's map, if it has one, for each of its frames. Chosen frames are
    among them."""
    one.wait("const d = document.querySelector('iframe').contentDocument; "
             "return d && d.body && d.body.dataset.ready === 'yes'", "the report page")
    shown = one.run("""const d = document.querySelector('iframe').contentDocument, which = d.querySelector('#which');
        const picture = d.querySelector('#picture');
        const colours = () => new Set(new Uint32Array(picture.getContext('2d').getImageData(0, 0, picture.width,
            picture.height).data.buffer)).size;
        d.querySelector('[data-mode=map]').click();
        return [...which.options].map((option, i) => [...d.querySelectorAll('#moments button')].map(button => {
            which.value = i;
            which.dispatchEvent(new Event('change'));
            button.click();
            return [option.text, colours()];
        })).flat()""")
    frames = one.run("""const d = document.querySelector('iframe').contentDocument;
        return JSON.parse(d.querySelector('#data').textContent).pictures.map(picture => picture.frame)""")
    report(shown and all(colours > 2 for _, colours in shown) and set(chosen) <= set(frames),
           "the page shows maps of its frames", f"{shown}, frames {frames}")


def no_complaints(one, name):
    said = one.complaints() # this empties the log
    report(not said, name, str(said))


def chosen_frames(one, folder):
    """The field of frames adds their maps, and a frame that was not scored is named."""
    one.run("document.querySelector('#save').hidden = true; const e = document.querySelector('form').elements;"
            "[e.metrics.value, e.workers.value, e.frames.value] = ['ssimulacra2', 1, '1, 99']")
    for name in ("reference", "distorted"):
        one.element(f"[name={name}]").send_keys(os.path.join(folder, name[:3] + ".y4m"))
    one.element("button").click()
    one.wait("return !document.querySelector('#save').hidden", "the report")
    said = one.run("return document.querySelector('#problem').textContent")
    report("frame 99" in said and "frame 1," not in said, "the page names a chosen frame that was not scored", said)
    maps_of(one, [1])
    one.run("document.querySelector('form').elements.frames.value = ''")


def saved(one):
    """The JSON report that the page offers to save."""
    return one.driver.execute_async_script("fetch(document.querySelector('#save [download$=json]').href).then(r => "
                                           "r.text()).then(arguments[0], arguments[0])")


def embedded(folder):
    """A report page that embeds the package scores two files from a disk. The report equals the command's to the
    byte."""
    package = glob.glob(os.path.join(BUILD, "fovea-*.tgz"))[0]
    pair, other = ["ref.y4m", "dis.y4m"], ["dis.y4m", "ref.y4m"]
    words = ["-m", "vmaf,psnr_hvs", "--device", "cpu", "--quiet"]

    def command(*more):
        return subprocess.run([FOVEA, "score", *more, *words], cwd=folder, check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, universal_newlines=True)

    for code, said, more in ((2, "-o FILE.html", ["-o", "x.json", "--embed", package]),
                             (3, "npm pack fovea@", ["-o", "x.html", "--embed", "ref.y4m"]),
                             (3, "none.tgz cannot be opened", ["-o", "x.html", "--embed", "none.tgz"]),
                             (2, "one encode", ["dis10.y4m", "-o", "x.html", "--embed", package])):
        done = command(*pair, *more)
        report(done.returncode == code and said in done.stderr, f"--embed is refused: {said}", done.stderr)
    made = [command(*pair, "-o", "plain.html"), command(*pair, "-o", "embed.html", "--embed", package),
            command(*other, "-o", "other.json")]
    report(not any(done.returncode for done in made), "a page with the package is written",
           "".join(done.stderr for done in made))
    sizes = [os.path.getsize(os.path.join(folder, name)) for name in ("plain.html", "embed.html")]
    report(700000 < sizes[1] - sizes[0] < 850000, "the package takes 0.8 MB of a page", str(sizes))
    if NO_BROWSER:
        print(f"# a page with the package is not tried: {NO_BROWSER}")
        return
    try:
        one = browser.Browser.get()
        one.open(f"file://{folder}/embed.html")
        one.wait("return document.querySelector('#compare').dataset.ready", "the scorer")
        for workers in (1, 2):
            one.run("document.querySelector('#save').hidden = true;"
                    "const e = document.querySelector('#compare form').elements;"
                    "[e.metrics.value, e.workers.value] = ['vmaf,psnr_hvs', arguments[0]]", workers)
            for name, path in zip(("reference", "distorted"), other):
                one.element(f"[name={name}]").send_keys(os.path.join(folder, path))
            one.element("#compare form button").click()
            one.wait("return !document.querySelector('#save').hidden || "
                     "document.querySelector('#problem').textContent", "the report")
            said = one.run("return document.querySelector('#problem').textContent")
            one.wait("const d = document.querySelector('#compare iframe').contentDocument;"
                     "return d && d.body && d.body.dataset.ready === 'yes'", "the report's page")
            made = "" if said else saved(one)
            with open(os.path.join(folder, "other.json"), "rb") as file:
                expected = HOST.sub(b"", file.read())
            report(HOST.sub(b"", made.encode()) == expected,
                   f"the page with the package, {workers} workers: the bytes of the command, all frames included",
                   said or made[:200])
        no_complaints(one, "the page with the package complains of nothing")
    finally:
        browser.Browser.end()


def page(folder):
    """Puts two files into the page's fields. The page must show scores, curves and a verdict, and save the same
    report as the command. Also scores frames of WebCodecs through the interface."""
    if NO_BROWSER:
        print(f"# the page is not tried: {NO_BROWSER}")
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=PACKAGE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        one = browser.Browser.get()
        one.open(f"http://127.0.0.1:{server.server_port}/page/index.html")
        for reference, distorted in pairs(folder):
            native = os.path.join(folder, distorted + ".json")
            metrics = "ssimulacra2,butteraugli" if distorted.endswith(".png") else "vmaf,psnr_hvs,ssimulacra2"
            subprocess.run([FOVEA, "score", reference, distorted, "-m", metrics, "--device", "cpu", "-o", native,
                            "--quiet"], check=True,
                           cwd=folder, stdout=subprocess.DEVNULL)
            with open(native, encoding="utf-8") as file:
                expected = file.read()
            for workers in (1, 2) if distorted == "dis.y4m" else (2,):
                one.run("document.querySelector('#save').hidden = true; const e = "
                        "document.querySelector('form').elements;"
                        "[e.metrics.value, e.workers.value] = arguments", metrics, workers)
                for name, path in (("reference", reference), ("distorted", distorted)):
                    one.element(f"[name={name}]").send_keys(os.path.join(folder, path))
                one.element("button").click()
                one.wait("return !document.querySelector('#save').hidden || "
                         "document.querySelector('#problem').textContent", "the report")
                said = one.run("return document.querySelector('#problem').textContent")
                made = "" if said else saved(one)
                if distorted.endswith(".png") and not said:
                    maps_of(one)
                if distorted == "dis.y4m":
                    report(HOST.sub(b"", made.encode()) == HOST.sub(b"", expected.encode()),
                           f"the page, {workers} workers: the bytes of the command", said)
                    maps_of(one)
                else:
                    ours, theirs = values_of(expected), values_of(made) if made else {}
                    wrong = [f"{key}: {theirs.get(key)}, not {value}" for key,
                             value in ours.items() if theirs.get(key) != value]
                    report(not wrong, f"the page: {reference} and {distorted} have the scores of the command",
                           said or "\n".join(wrong))
        chosen_frames(one, folder)
        frames_of_webcodecs(one, folder)
        shown = one.wait("const d = document.querySelector('iframe').contentDocument; return d && d.body && "
                         "d.body.dataset.ready === 'yes' && "
                         "[d.querySelector('.word').textContent.trim(), d.querySelectorAll('svg, canvas').length]",
                         "the report page")
        report(shown[0] and shown[1] > 0, "the page shows the report with its verdict and curves", str(shown))
        no_complaints(one, "the page complains of nothing")
        refused_decoders(one, folder)
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
            report(code == b"0" and ours and not wrong, f"{isa}: {' '.join(args)[:100]}",
                   f"{said}\n{' '.join(wrong)} differ")


class Package:
    """The package in one Node process, which scores pairs one after another, as vectors/check runs a program."""

    def __init__(self):
        # pylint: disable=consider-using-with
        self.node = subprocess.Popen(["node", os.path.join(ROOT, "tests/wasm/serve.mjs"), PACKAGE],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True)

    def score(self, metric, paths, options):
        """Returns (exit code, scores by the keys of vectors/check)."""
        request = {"reference": paths.get("ref"), "distorted": paths["dis"],
                   "options": {"metrics": metric, **options}}
        self.node.stdin.write(json.dumps(request) + "\n")
        self.node.stdin.flush()
        found = json.loads(self.node.stdout.readline())
        if "code" in found:
            if found["code"] not in ("usage", "input"):
                raise check.Failure(f"{found['code']}: {found['message']}")
            return check.REFUSES, {}
        got = {}
        for name, values in found["scores"].items():
            if isinstance(values, str):
                got["clip", name] = float(values)
            else:
                got.update({("frame", str(int(number)), name): float(value) for number,
                            value in zip(found["frames"], values)})
        return 0, got

    def close(self):
        self.node.stdin.close()
        self.node.wait()


def clips_of(case, folder):
    """Returns (paths by side, parameters) of a case, or None if its clip is test video that is missing or changed."""
    paths, options = {}, {}
    for side, words in case["clips"].items():
        if words[0] != "file":
            paths[side] = os.path.join(folder, side + ".y4m")
            with open(paths[side], "wb") as file:
                subprocess.run([SYNTH, *words], stdout=file, check=True)
            continue
        paths[side] = os.path.join(DATA, words[1])
        if not os.path.exists(paths[side]) or not all(word.isdigit() for word in words[2:]):
            return None
        options["frames"] = words[2]
        if len(words) == 7:
            options.update(width=words[3], height=words[4], pixel_format=words[5], bitdepth=words[6])
    return paths, options


def add_short_names(got, want):
    """Adds values under their short names, if their names have a suffix of options and the short names are
    unambiguous."""
    for key in want:
        longer = [other for other in got if other[:-1] == key[:-1] and other[-1].startswith(key[-1] + "_")]
        if key not in got and len(longer) == 1:
            got[key] = got[longer[0]]


def is_small(case):
    words = case["clips"]["dis"]
    return words[0] != "file" and int(words[0]) * int(words[1]) * int(words[4]) <= SMALL


def goldens(small):
    """Checks every golden value of small cases or of the others: with simd128, and in plain C a random half of the
    small ones."""
    turn = random.randrange(2)
    package, paths = Package(), sorted(glob.glob(os.path.join(ROOT, "vectors/*.vec")))
    if not small:
        paths += sorted(glob.glob(os.path.join(ROOT, "tests/golden/*.vec")))
    try:
        for path in paths:
            metric, cases = check.read(path)
            count, wrong = 0, []
            with tempfile.TemporaryDirectory() as folder:
                for number, case in enumerate(cases):
                    found = small == is_small(case) and clips_of(case, folder)
                    if not found:
                        continue
                    options = ":".join(option.replace(":", r"\:") for option in case["options"])
                    for isa in ISAS[1:] if small and number % 2 == turn else ISAS:
                        code, got = package.score(f"{metric}={options}" if options else metric, found[0],
                                                  {**found[1], "isa": isa})
                        add_short_names(got, case["values"])
                        compared, sentences = check.judge(case, code, got, None)
                        count += compared
                        wrong += [f"{isa}: {case['name']}: {sentence}" for sentence in sentences]
            if count:
                report(not wrong, f"{os.path.relpath(path, ROOT)}: {count} values with plain C and simd128",
                       "\n".join(wrong))
    finally:
        package.close()


def main():
    lacks = missing()
    if lacks:
        print(f"1..0 # SKIP {lacks}")
        return 0
    lock = open(os.path.join(BUILD, "test.lock"), "w", encoding="utf-8") # pylint: disable=consider-using-with
    fcntl.flock(lock, fcntl.LOCK_EX)
    made = subprocess.run([os.path.join(ROOT, "scripts/npm"), BUILD], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    report(made.returncode == 0, "the package is built, below its limit", made.stdout)
    if made.returncode == 0:
        with tempfile.TemporaryDirectory() as folder:
            reports.prepare(folder)
            for part, run in (("calls", calls), ("types", types), ("page", page), ("page", embedded)):
                if part in PARTS:
                    run(folder)
        if "reports" in PARTS:
            same_reports()
        for part, small in (("small", True), ("large", False)):
            if part in PARTS:
                goldens(small)
    print(f"1..{count}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
