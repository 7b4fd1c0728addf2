"""The viewer and the report page in a real browser: pixels that are read back equal what fovea decode and fovea map
write. Usage: pages.py FOVEA SOURCE_ROOT [WORD], as tests/cli/command.py."""

import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

import browser # pylint: disable=wrong-import-position

MISSING = browser.missing()

import clip # pylint: disable=wrong-import-position
import pixels # pylint: disable=wrong-import-position
from command import GATE, ROOT, Skipped, case, check, fovea, read, report, run, write # pylint: disable=wrong-import-position
from png import png # pylint: disable=wrong-import-position
from server import Server # pylint: disable=wrong-import-position

WIDTH, HEIGHT, FRAMES = 160, 96, 12
FRAME = "return document.querySelector('#picture').dataset.frame"
SHOWN = """const c = document.querySelector('#picture');
return c.dataset.frame === '%d' && c.dataset.mode === '%s'"""
MAP = """const c = document.querySelector('#picture');
return c.dataset.frame === '%d' && (c.dataset.map || '').startsWith('%d,%s')"""


def needs_browser():
    if MISSING:
        raise Skipped(MISSING)


def is_content(page):
    complaints = page.complaints()
    check(not complaints, f"the console says {complaints}")


def note(text):
    print(f"# {text}", flush=True)


def videos(depth=8, hold=0):
    """Pictures with other noise in each frame, or still ones of `hold` frames."""
    write("r.y4m", clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, depth=depth, seed=3, hold=hold))
    write("d.y4m", clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, depth=depth, seed=4, hold=hold))
    return "-r", "r.y4m", "-d", "d.y4m"


def address(server, **state):
    fragment = "&".join(f"{k}={v}" for k, v in state.items())
    return f"http://127.0.0.1:{server.port}/{server.token}/#{fragment}"


def expected_rgb(number, depth, name="d.y4m"):
    return pixels.expected_rgb(number, depth, WIDTH, HEIGHT, name)


@case
def frames_have_the_samples_of_decode():
    needs_browser()
    for depth in (8, 10):
        args = videos(depth)
        page = browser.Browser.get()
        with Server(*args, "-m", "psnr") as server:
            begun = time.monotonic()
            page.open(address(server, frame=5, zoom=1))
            page.wait(SHOWN % (5, "distorted"), "the picture")
            note(f"{time.monotonic() - begun:.2f} s from the address to the first picture, {depth} bits")
            check(page.pixels("#picture", WIDTH, HEIGHT) == expected_rgb(5, depth), f"other pixels, {depth} bits")
            page.keys("r")
            page.wait(SHOWN % (5, "reference"), "the reference")
            check(page.pixels("#picture", WIDTH, HEIGHT) == expected_rgb(5, depth, "r.y4m"), f"other pixels of the reference, {depth} bits")
            page.keys("d", "\ue014") # arrow right
            page.wait(SHOWN % (6, "distorted"), "the next frame")
            check(page.pixels("#picture", WIDTH, HEIGHT) == expected_rgb(6, depth), f"other pixels after a step, {depth} bits")
            is_content(page)


@case
def maps_are_those_of_the_command():
    needs_browser()
    args = videos()
    page = browser.Browser.get()
    with Server(*args, "-m", "psnr") as server:
        page.open(address(server, frame=3, zoom=1, mode="overlay", metric="vdm", map="jnd"))
        page.wait(MAP % (3, 3, "vdm,jnd"), "the map")
        fovea("map", *args, "-m", "vdm", "--map", "jnd", "--frame", "3", "-o", "maps")
        want = png("maps/frame_3/overlay.png")[4][:3 * WIDTH * HEIGHT]
        check(page.pixels("#picture", WIDTH, HEIGHT) == want, "another map over the picture")
        slider = page.element("[data-option='distance_h']")
        slider.send_keys("\ue012" * 20) # arrow left
        value = page.run("return document.querySelector('[data-option=distance_h]').parentElement.querySelector('[type=number]').value")
        page.wait(MAP % (3, 3, f"vdm=distance_h={value},jnd"), f"the map from {value} heights")
        fovea("map", *args, "-m", f"vdm=distance_h={value}", "--map", "jnd", "--frame", "3", "--overwrite", "-o", "near")
        want = png("near/frame_3/overlay.png")[4][:3 * WIDTH * HEIGHT]
        check(page.pixels("#picture", WIDTH, HEIGHT) == want, f"another map from {value} heights")
        note(page.text("#took"))
        check(f"o.distance_h={value}" in page.wait("return location.hash.includes('o.distance_h') && location.hash", "the address"), "the address")
        is_content(page)


@case
def everything_by_keyboard():
    needs_browser()
    page = browser.Browser.get(1280, 720)
    with Server(*videos(), "-m", "psnr") as server:
        page.open(address(server))
        page.wait(SHOWN % (0, "distorted"), "the picture")
        page.wait("return document.querySelector('#progress').textContent.includes('are scored')", "the scores")
        page.wait("return document.querySelectorAll('#ranks button').length > 2", "the worst frames")
        page.keys("\ue010") # end
        page.wait(f"return location.hash.includes('frame={FRAMES - 1}&')", "the address")
        page.driver.refresh()
        page.wait(f"return document.querySelector('#timeline').getAttribute('aria-valuenow') === '{FRAMES - 1}'", "the place in the scores")
        page.keys("\ue011") # home
        page.wait(SHOWN % (0, "distorted"), "the first frame")
        page.wait("return document.querySelectorAll('#ranks button').length > 2", "the worst frames")
        for key, mode in (("r", "reference"), ("b", "both"), ("s", "split"), (" ", "flicker"), ("v", "difference"), ("d", "distorted")):
            page.keys(key)
            page.wait(SHOWN % (0, mode), f"the mode of '{key}'")
        page.keys("w")
        worst = page.run("return document.querySelector('#ranks button').textContent.split(':')[0]")
        page.wait(f"return document.querySelector('#picture').dataset.frame === '{worst}'", "the worst frame")
        page.keys("o")
        page.wait(MAP % (int(worst), int(worst), "vdm"), "its map")
        page.keys("\ue011") # home
        page.wait("return document.querySelector('#picture').dataset.frame === '0'", "the first frame")
        page.keys("\ue010") # end
        page.wait(f"return document.querySelector('#picture').dataset.frame === '{FRAMES - 1}'", "the last frame")
        page.keys("?")
        page.wait("return document.querySelector('#keys').open", "the sheet of keys")
        page.keys("\ue00c") # escape
        page.wait("return !document.querySelector('#keys').open", "the end of the sheet")
        for width, height in ((1280, 720), (3840, 2160), (700, 900)):
            page.size(width, height)
            wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(wide <= 0, f"at {width}x{height} the page is {wide} too wide")
        names = page.run("return [...document.querySelectorAll('button, input, select, canvas[tabindex]')].filter(e =>"
                         "!(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length || e.title)).map(e => e.outerHTML)")
        check(not names, f"without a name: {names}")
        is_content(page)


def worst_frame(better="psnr_y"):
    """The worst one, of a distorted video that is bad in one place only."""
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "-o", "report.json")
    return min(report()["frames"], key=lambda f: f["metrics"][better])["frame"]


@case
def worst_frame_and_its_map_in_three_clicks():
    needs_browser()
    videos()
    data, size = bytearray(read("d.y4m")), WIDTH * HEIGHT * 3 // 2
    at = data.index(b"\n") + 1 + 7 * (size + 6) + 6
    data[at:at + WIDTH * HEIGHT] = bytes(235 - v // 2 for v in data[at:at + WIDTH * HEIGHT])
    write("d.y4m", bytes(data))
    worst = worst_frame()
    check(worst == 7, f"frame {worst} is the worst")
    page = browser.Browser.get()
    with Server("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr") as server:
        page.open(address(server))
        page.wait("return document.querySelector('#progress').textContent.includes('are scored')", "the scores")
        page.element("#worst").click()
        page.wait(SHOWN % (worst, "distorted"), "the worst frame")
        page.element("[data-mode='map']").click()
        page.wait(MAP % (worst, worst, "vdm,jnd"), "its map")
        page.element("#one").click() # so that its pixels can be told
        fovea("map", "-r", "r.y4m", "-d", "d.y4m", "-m", "vdm", "--map", "jnd", "--frame", str(worst), "--format", "pfm", "-o", "maps")
        header = read(f"maps/frame_{worst}/jnd.pfm").split(b"\n", 3)
        values = struct.unpack(f"<{WIDTH * HEIGHT}f", header[3])
        check(max(values) == max(page.run("return Array.from(map.data)")), "the greatest value of the map is another one")
        page.wait("return document.querySelector('#zoomed').textContent === '100 %'", "one to one")
        is_content(page)


@case
def ranges_scenes_and_gates_by_keyboard():
    needs_browser()
    page = browser.Browser.get()
    args = (*videos(hold=3), "-m", "psnr", "--scenes", "--fail-below", "psnr_y=1:p5", "--fail-below", "psnr_cb=99")
    fovea("score", *args, "--intervals", "0.16", "-o", "report.json", status=GATE)
    part = report()["intervals"][1]
    with Server(*args) as server:
        page.open(address(server, frame=part["frame"]))
        page.wait(SHOWN % (part["frame"], "distorted"), "the picture")
        page.wait("return document.querySelector('#progress').textContent.includes('are scored')", "the scores")
        page.keys("(")
        page.wait("return location.hash.includes('from=')", "the beginning of the range")
        page.keys(*["\ue014"] * (part["frame_count"] - 1), ")") # arrows right
        key = f"{part['frame']},{part['frame'] + part['frame_count'] - 1}"
        page.wait(f"return document.querySelector('#pooled').dataset.range === '{key}'", "the values of the range")
        rows = page.run("return [...document.querySelectorAll('#pooled tr')].map(r => [...r.cells].map(c => c.dataset.value || c.textContent))")
        for row in rows[1:]:
            want = part["pooled"][row[0]]
            check([float(v) for v in row[1:]] == [float(want[p]) for p in rows[0][1:]], f"{row}, not {want}")
        check(page.text("#gates").startswith("Gate passed: psnr_y (p5) is") and "Gate failed: psnr_cb (mean)" in page.text("#gates"), page.text("#gates"))
        page.keys("C")
        page.wait("return !location.hash.includes('from=') && document.querySelector('#range').hidden", "no range")
        scenes = [s["frame"] for s in report()["scenes"]]
        check(page.run("return timeline.scenes") == scenes[1:] and len(scenes) > 2, "other scenes")
        page.keys("\ue011") # home
        for scene in scenes[1:3]:
            page.keys(".")
            page.wait(SHOWN % (scene, "distorted"), "the next scene")
        page.keys("c")
        page.wait(f"return location.hash.includes('from={page.run('return state.frame')}&')", "the scene as a range")
        is_content(page)


@case
def small_pictures_below_the_curves():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    page = browser.Browser.get()
    with Server(*videos(), "-m", "psnr") as server:
        page.open(address(server))
        page.wait("return document.querySelector('#progress').textContent.includes('are scored')", "the scores")
        number = page.wait("return slots().length > 3 && Number(document.querySelector('#strip').dataset.pictures) === slots().length && slots().length", "the strip")
        slot = page.run("return slots()[1]")
        frame = int(slot["what"].split("=")[1].split("&")[0])
        middle = page.element("#strip").size["width"] / 2
        ActionChains(page.driver).move_to_element_with_offset(page.element("#strip"), int(slot["x"] + 5 - middle), 0).click().perform()
        page.wait(SHOWN % (frame, "distorted"), f"the frame of the second of {number} pictures")
        numbers = page.wait("const c = [...document.querySelectorAll('#ranks canvas')]; return c.length && c.every(c => c.dataset.number) && c.map(c => c.dataset.number)", "pictures of the worst frames")
        check(numbers == page.run("return [...document.querySelectorAll('#ranks button')].map(b => b.textContent.split(':')[0])"), f"other pictures: {numbers}")
        is_content(page)


@case
def pointer_and_split():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    page = browser.Browser.get()
    with Server(*videos(), "-m", "psnr") as server:
        page.open(address(server, frame=2, mode="split"))
        page.wait(SHOWN % (2, "split"), "the split")
        canvas = page.element("#picture")
        width = canvas.size["width"]
        ActionChains(page.driver).move_to_element(canvas).click_and_hold().move_by_offset(width // 4, 0).release().perform()
        page.wait("return Number(new URLSearchParams(location.hash.slice(1)).get('split')) > 0.7", "the handle")
        ActionChains(page.driver).move_to_element(canvas).perform()
        sample = page.wait("return document.querySelector('#sample').textContent", "the read-out")
        column, row = int(sample.split()[1].strip(",")), int(sample.split()[3].strip(":"))
        data = read("d.y4m")
        size = WIDTH * HEIGHT * 3 // 2
        luma = data[data.index(b"\n") + 1 + 2 * (size + 6) + 6 + row * WIDTH + column]
        check(f"distorted {luma} " in sample, f"'{sample}', not {luma}")
        page.driver.refresh()
        page.wait(SHOWN % (2, "split"), "the same view again")


@case
def strangers_and_the_end():
    needs_browser()
    page = browser.Browser.get()
    with Server(*videos(), "-m", "psnr") as server:
        page.open(f"http://127.0.0.1:{server.port}/{'0' * 32}/")
        check("fovea" not in page.run("return document.documentElement.innerText"), "a stranger sees something")
        page.open(address(server))
        page.wait(SHOWN % (0, "distorted"), "the picture")
        server.stop()
        page.keys("\ue014")
        page.wait("return document.querySelector('#trouble').textContent", "the word that the server is gone")


@case
def long_curves_move_at_once():
    """The time of a drawing is printed, and not judged."""
    needs_browser()
    write("long.html", f"""<!DOCTYPE html><style>{read_page('style.css')}</style><canvas id="c" class="timeline"></canvas>
        <script>{read_page('timeline.js')}
        const n = 200000, values = new Float64Array(n).map((_, i) => 40 + 3 * Math.sin(i / 999) + Math.random());
        values[123456] = 20;
        const t = new Timeline(document.getElementById('c'), () => {{}}, b => String(b));
        t.setCount(n, n);
        t.setCurves([0, 1, 2].map(i => ({{name: 'c' + i, unit: '', low: values, high: values, gates: []}})));</script>""".encode())
    page = browser.Browser.get()
    page.open(f"file://{os.getcwd()}/long.html")
    took = page.run("""const times = [];
        t.drawNow();
        for (let i = 0; i < 60; i++) {
          const begun = performance.now();
          t.first = 1000 * i; t.shown = 200000 - 3000 * i;
          t.drawNow();
          times.push(performance.now() - begun);
        }
        return times.sort((a, b) => a - b)[30]""")
    note(f"{took:.1f} ms for a drawing of three curves of 200000 frames (median of 60)")
    low = page.run("return t.extremes(t.curves[0], 100000, 140000)[0]")
    check(low == 20, f"the least value of a range is {low}")
    none = page.run("return t.extremes(t.curves[0], 0, 110000)[0]")
    check(none > 36, f"a range has a value that is far from it: {none}")


def read_page(name):
    with open(os.path.join(ROOT, "page", name), encoding="utf-8") as file:
        return file.read()


run()
