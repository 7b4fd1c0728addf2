"""Tests the viewer in a real browser: pixels that are read back equal what fovea decode and fovea map write; playing,
keys, sizes, contrast, and what the page shows after the server has ended. Usage: view.py FOVEA SOURCE_ROOT [WORD], as
for tests/cli/command.py."""

import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

import browser # pylint: disable=wrong-import-position

MISSING = browser.missing()

import clip # pylint: disable=wrong-import-position
import pixels # pylint: disable=wrong-import-position
# pylint: disable=wrong-import-position
from command import GATE, ROOT, Skipped, case, check, ffmpeg, fovea, read, report, run, write
from png import png # pylint: disable=wrong-import-position
from server import Server # pylint: disable=wrong-import-position

WIDTH, HEIGHT, FRAMES = 160, 96, 12
SIZE = WIDTH * HEIGHT * 3 // 2
SHOWN = "return canvas.dataset.frame === '%d' && canvas.dataset.mode === '%s'"
MAP = "return canvas.dataset.frame === '%d' && (canvas.dataset.map || '').startsWith('%d,%s')"
SCORED = "return typeof scored !== 'undefined' && scored && rows.size > 0"
PIXELS = """const [name, second] = arguments, from = document.getElementById(name), {left, top} = place(),
    of = sideOf(1);
const copy = new OffscreenCanvas(from.width, from.height).getContext("2d");
copy.drawImage(from, 0, 0);
return Array.from(copy.getImageData(left + (second ? paneWidth() + 2 : 0), top, of.width, of.height).data)"""
LEFT, RIGHT, END, HOME, TAB, ESCAPE = "\ue012", "\ue014", "\ue010", "\ue011", "\ue004", "\ue00c"
HIDDEN = "return [...arguments].every(id => !document.getElementById(id).getClientRects().length)"


def needs_browser():
    if MISSING:
        raise Skipped(MISSING)


def is_content(page):
    complaints = page.complaints()
    check(not complaints, f"the console says {complaints}")


def note(text):
    print(f"# {text}", flush=True)


def videos(depth=8, hold=0, frames=FRAMES, width=WIDTH, height=HEIGHT):
    """Pictures with other noise in each frame, or still ones of `hold` frames."""
    write("r.y4m", clip.y4m(frames, width=width, height=height, depth=depth, seed=3, hold=hold))
    write("d.y4m", clip.y4m(frames, width=width, height=height, depth=depth, seed=4 + frames, hold=hold))
    return "-r", "r.y4m", "-d", "d.y4m"


def address(server, **state):
    fragment = "&".join(f"{k}={v}" for k, v in state.items())
    return f"http://127.0.0.1:{server.port}/{server.token}/#{fragment}"


def expected_rgb(number, depth=8, name="d.y4m"):
    return pixels.expected_rgb(number, depth, WIDTH, HEIGHT, name)


def seen(page, second=False, name="picture"):
    """Red, green and blue of the picture that a canvas shows one to one; side by side, of the first or the second
    one."""
    return bytes(v for i, v in enumerate(page.run(PIXELS, name, second)) if i % 4 < 3)


def state_of(page):
    return page.run("return {frame: state.frame, shown: shownFrame, count: player.count, dropped: player.dropped, "
                    "playing: player.playing}")


def opened(server, width=1280, height=720, **state):
    """The page, once its picture and the scores are there."""
    page = browser.Browser.get()
    page.look(width, height)
    page.open(address(server, **state))
    page.wait(SCORED, "the scores")
    page.wait("return canvas.dataset.frame", "the picture")
    return page


@case
def frames_have_the_samples_of_decode():
    needs_browser()
    for depth in (8, 10):
        args = videos(depth)
        page = browser.Browser.get()
        with Server(*args, "-m", "psnr") as server:
            begun = time.monotonic()
            page.open(address(server, frame=5, zoom=1, mode="distorted"))
            page.wait(SHOWN % (5, "distorted"), "the picture")
            note(f"{time.monotonic() - begun:.2f} s from the address to the first picture, {depth} bits")
            check(seen(page) == expected_rgb(5, depth), f"other pixels, {depth} bits")
            page.keys("r")
            page.wait(SHOWN % (5, "reference"), "the reference")
            check(seen(page) == expected_rgb(5, depth, "r.y4m"), f"other pixels of the reference, {depth} bits")
            page.keys("d", RIGHT)
            page.wait(SHOWN % (6, "distorted"), "the next frame")
            check(seen(page) == expected_rgb(6, depth), f"other pixels after a step, {depth} bits")
            is_content(page)


def cut(left, right, column):
    """The first columns of one picture, the others of another one."""
    row = 3 * WIDTH
    return b"".join(left[at:at + 3 * column] + right[at + 3 * column:at + row] for at in range(0, len(left), row))


@case
def each_mode_has_its_pixels():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=4, zoom=1, mode="both", gain=2, flicks=0)
        reference, distorted = expected_rgb(4, name="r.y4m"), expected_rgb(4)
        page.wait(SHOWN % (4, "both"), "both")
        check(seen(page) == reference and seen(page, True) == distorted, "side by side has other pixels")
        page.keys("s")
        page.wait(SHOWN % (4, "split"), "the split")
        check(seen(page) == cut(reference, distorted, WIDTH // 2), "the split has other pixels")
        page.keys("v")
        page.wait(SHOWN % (4, "difference"), "the difference")
        check(seen(page) == bytes(max(0, min(255, 128 + 2 * (b - a))) for a, b in zip(reference, distorted)),
              "the difference has other pixels")
        page.keys("t")
        page.wait(SHOWN % (4, "flicker"), "flicker")
        check(seen(page) == distorted, "flicker that stands has other pixels")
        page.run("input('flicks').value = 8; input('flicks').dispatchEvent(new Event('input'))")
        for want in (reference, distorted, reference):
            end = time.monotonic() + 90
            while seen(page) != want and time.monotonic() < end:
                pass
            check(seen(page) == want or time.monotonic() < end, "flicker does not come to the other picture")
        page.keys("d")
        page.wait(SHOWN % (4, "distorted"), "the encode")
        page.run("hold(true)")
        page.wait("return !waiting", "the other video")
        check(seen(page) == reference, "the key held shows something else")
        page.run("hold(false)")
        page.wait("return !waiting", "the encode")
        check(seen(page) == distorted, "the key let go leaves something else")
        is_content(page)


@case
def maps_are_those_of_the_command():
    needs_browser()
    args = videos()
    with Server(*args, "-m", "psnr") as server:
        page = opened(server, frame=3, zoom=1, mode="overlay", metric="vdm", map="jnd", top=2)
        page.wait(MAP % (3, 3, "vdm,jnd"), "the map")
        fovea("map", *args, "-m", "vdm", "--map", "jnd", "--frame", "3", "--maximum", "2", "-o", "maps")
        want = png("maps/frame_3/overlay.png")[4][:3 * WIDTH * HEIGHT]
        check(seen(page) == want, "another map over the picture")
        legend = page.text("#legend")
        check("Visible difference, JND" in legend and "1 just seen" in legend and "2" in legend, legend)
        page.element("#top").send_keys(RIGHT * 8)
        page.wait("return state.top > 2 && !waiting", "another top of the scale")
        check(seen(page) != want and page.text("#topnow") == f"{page.run('return state.top'):g} JND",
              page.text("#topnow"))
        page.run("state.top = 2")
        slider = page.element("[data-option='distance_h']")
        slider.send_keys(LEFT * 20)
        value = page.run("return changed.distance_h")
        page.wait(MAP % (3, 3, f"vdm=distance_h={value},jnd"), f"the map from {value} heights")
        fovea("map", *args, "-m", f"vdm=distance_h={value}", "--map", "jnd", "--frame", "3", "--maximum", "2",
              "--overwrite", "-o", "near")
        want = png("near/frame_3/overlay.png")[4][:3 * WIDTH * HEIGHT]
        check(seen(page) == want, f"another map from {value} heights")
        check(f"o.distance_h={value}" in page.wait("return location.hash.includes('o.distance_h') && location.hash",
                                                   "the address"), "the address")
        is_content(page)


@case
def plays_both_videos_in_step():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, zoom=1, mode="both", gl=1)
        page.keys(" ")
        page.wait("return player.count > 2 * 12", "more frames than the clip has") # it repeats
        check(not page.run("return moving.hidden"), "the browser has no WebGL 2")
        for _ in range(3): # the same frame of both, whatever it is by now
            frame, left, right = page.run(f"const one = function () {{ {PIXELS} }}; return "
                                          "[Number(moving.dataset.frame), one('moving', false), one('moving', true)]")
            for data, name in ((left, "r.y4m"), (right, "d.y4m")):
                got = bytes(v for i, v in enumerate(data) if i % 4 < 3)
                most = max(abs(a - b) for a, b in zip(got, expected_rgb(frame, name=name)))
                check(most <= 1, f"frame {frame} of {name} differs by {most} while it plays")
        page.keys(" ")
        page.wait("return !player.playing && moving.hidden && shownFrame === state.frame", "the pause")
        at = state_of(page)
        check(str(at["frame"]) == page.run("return input('frame').value") == page.run("return canvas.dataset.frame"),
              f"{at}")
        check(seen(page) == expected_rgb(at["frame"], name="r.y4m") and seen(page, True) == expected_rgb(at["frame"]),
              "the pause has other pixels")
        page.run("setSpeed(0); window.steps = []; const draw = drawMoving; drawMoving = () => { "
                 "steps.push(state.frame); return draw(); }")
        page.keys("l")
        page.wait("return steps.length > 15", "every frame")
        page.keys("k")
        steps = page.run("return steps.filter((f, i) => !i || f !== steps[i - 1])")
        check(all((b - a) % FRAMES == 1 for a, b in zip(steps, steps[1:])), f"not every frame is shown: {steps}")
        page.run("steps.length = 0")
        page.keys("j")
        page.wait("return steps.length > 6", "playing backward")
        page.keys("k")
        steps = page.run("return steps.filter((f, i) => !i || f !== steps[i - 1])")
        check(all((a - b) % FRAMES == 1 for a, b in zip(steps, steps[1:])), f"not backward: {steps}")
        page.run("setRange(3, 5); goTo(4)")
        page.wait(SHOWN % (4, "both"), "the range")
        page.run("player.direction = 1; steps.length = 0")
        page.keys(" ")
        page.wait("return steps.length > 12", "the range over and over")
        page.keys(" ")
        check(set(page.run("return steps")) == {3, 4, 5}, f"not the range: {page.run('return steps')}")
        page.run("setRange(-1, -1)")
        page.keys("R") # no more repeating
        page.run("goTo(8)")
        page.keys(" ")
        page.wait(f"return !player.playing && state.frame === {FRAMES - 1}", "the end")
        page.wait(SHOWN % (FRAMES - 1, "both"), "the last frame")
        is_content(page)


@case
def plays_on_when_the_browsers_gpu_is_lost():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, zoom=1, mode="distorted", gl=1)
        page.keys(" ")
        page.wait("return !moving.hidden", "a picture that moves")
        page.run("window.lose = mover.gl.getExtension('WEBGL_lose_context'); lose.loseContext()")
        page.wait("return moving.hidden", "the picture of the processor")
        before = page.run("return player.count")
        page.wait(f"return player.count > {before} + 2 && moving.hidden", "more frames")
        page.run("lose.restoreContext()")
        page.wait("return !moving.hidden", "the picture of the GPU again")


@case
def plays_without_a_gpu():
    """This browser emulates one, which takes longer than to draw without."""
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, zoom=1, mode="both", gain=2)
        page.run("window.kept = []; const draw = drawSoft; drawSoft = context => { const drawn = draw(context); "
                 "kept.push([state.frame, shownFrame, drawn]); return drawn; }")
        page.keys(" ")
        page.wait("return kept.length > 3", "a picture that moves")
        check(page.run("return mover === null && moving.hidden"), "the emulated GPU is used")
        page.keys(" ")
        page.wait("return !player.playing && !waiting && canvas.dataset.frame === String(state.frame)", "the pause")
        check(all(a == b and drawn for a, b, drawn in page.run("return kept")), f"{page.run('return kept')}")
        page.run("goTo(4)")
        page.wait(SHOWN % (4, "both"), "a frame")
        reference, distorted = expected_rgb(4, name="r.y4m"), expected_rgb(4)
        for key, mode, second, want in (("b", "both", False, reference), ("b", "both", True, distorted),
                                        ("s", "split", False, cut(reference, distorted, WIDTH // 2)),
                                        ("r", "reference", False, reference),
                                        ("v", "difference", False, bytes(max(0, min(255, 128 + 2 * (b - a))) for a,
                                                                         b in zip(reference, distorted)))):
            page.keys(key)
            page.wait(SHOWN % (4, mode), mode)
            page.run("const context = canvas.getContext('2d'); context.clearRect(0, 0, canvas.width, canvas.height); "
                     "drawSoft(context)")
            most = max(abs(a - b) for a, b in zip(seen(page, second), want))
            check(most <= (4 if mode == "difference" else 1), f"{mode} differs by {most}")
        page.keys("m")
        page.wait(SHOWN % (4, "map"), "the map")
        check(not page.run("return drawSoft(canvas.getContext('2d'))"), "a map is drawn as a video")
        is_content(page)


@case
def several_encodes():
    needs_browser()
    videos()
    write("e.y4m", clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, seed=9))
    write("f.y4m", clip.y4m(FRAMES, width=WIDTH - 8, height=HEIGHT, seed=6))
    means = {}
    for name in ("d.y4m", "e.y4m"):
        fovea("score", "r.y4m", name, "-m", "psnr", "-o", "report.json")
        means[name] = f"{report()['pooled']['psnr_y']['mean']:.2f}"
    with Server("r.y4m", "d.y4m", "f.y4m", "e.y4m", "-m", "psnr") as server:
        page = opened(server, frame=4, zoom=1, mode="distorted")
        page.wait("return tracks[0].scored && tracks[2].scored && element('pools').textContent === 'means'",
                  "the scores of all")
        rows = page.run("return [...document.querySelectorAll('#ladder tbody tr')].map(r => [r.cells[0].textContent, "
                        "r.cells[2]?.textContent ?? '', r.className, r.querySelector('button').disabled])")
        check(rows[0] == ["1d", means["d.y4m"], "on", False] and rows[1] == ["3e", means["e.y4m"], "", False],
              f"{rows}")
        check(rows[2][0].startswith("2f") and "--scale" in rows[2][0] and rows[2][1:] == ["", "", True], f"{rows[2]}")
        check(page.run("const p = document.querySelector('.panel'); return p.scrollWidth <= p.clientWidth"),
              "the side panel is wider than its room")
        check("1 encode refused" in page.text("#progress") and "--scale" in page.text("#gates"),
              page.text("#progress"))
        check(page.run("return timeline.others.map(o => [o.label, [...o.curve.values].slice(0, 3).join() === "
                       "[...tracks[2].curves[0].values].slice(0, 3).join(), o.at(5), o.at(12)])") ==
              [["3", True, 5, 12]], "other curves")
        page.keys("3")
        page.wait("return state.encode === 3 && canvas.dataset.frame === '4' && shownFrame === 4", "the third encode")
        page.wait("return !waiting", "its picture")
        check(seen(page) == expected_rgb(4, name="e.y4m"), "it has other pixels")
        check(page.text("#left").startswith("Encode 3  e.y4m") and
              page.run("return document.title").startswith("e.y4m against"), page.text("#left"))
        check(page.run("return [...rows.values()][0].clip.textContent") == means["e.y4m"] and
              page.run("return document.querySelector('#ladder .on').dataset.encode") == "3",
              "scores of another encode")
        page.wait("return location.hash.includes('encode=e.y4m')", "the address")
        page.keys("2")
        page.keys("o")
        page.wait(MAP % (4, 4, "vdm,jnd"), "the map")
        fovea("map", "-r", "r.y4m", "-d", "e.y4m", "-m", "vdm", "--map", "jnd", "--frame", "4", "--format", "pfm",
              "-o", "maps")
        greatest = max(struct.unpack(f"<{WIDTH * HEIGHT}f", read("maps/frame_4/jnd.pfm").split(b"\n", 3)[3]))
        check(page.run("return [state.encode, Math.max(...map.data)]") == [3, greatest], "the map of another encode")
        page.keys("N")
        page.wait("return state.encode === 1 && mapShown()", "the map of the encode before")
        check(page.run("return Math.max(...map.data)") != greatest, "the map of another encode stays")
        page.keys("d")
        page.element("[data-encode='3'] button").click()
        page.wait("return state.encode === 3 && shownFrame === 4 && location.hash.includes('encode=e.y4m') && "
                  "location.hash.includes('mode=distorted')", "a click")
        page.driver.refresh()
        page.wait(SHOWN % (4, "distorted"), "the same view again")
        check(seen(page) == expected_rgb(4, name="e.y4m"), "another encode after loading")
        page.wait(SCORED, "the scores")
        page.keys(" ")
        page.wait("return player.count > 2", "playing")
        page.run("select('encode').value = '1'; select('encode').dispatchEvent(new Event('change'))")
        page.wait("return state.encode === 1 && player.playing && player.step > 2", "the other encode plays")
        page.keys(" ")
        page.wait("return !player.playing && !waiting && canvas.dataset.frame === String(state.frame)", "the pause")
        check(seen(page) == expected_rgb(page.run("return shownFrame")), "another encode after playing")
        page.run("location.hash = '#frame=2&encode=2&mode=distorted&zoom=1'")
        page.wait(SHOWN % (2, "distorted"), "the first one in place of a refused one")
        check(page.run("return state.encode") == 1, "a refused encode is shown")
        is_content(page)


@case
def several_encodes_on_a_phone():
    """The switch is above the picture, wide and high enough for a finger, and no picture is blank while it plays."""
    needs_browser()
    videos()
    name = "an_encode_with_a_name_that_is_longer_than_a_phone_is_wide.y4m"
    write(name, clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, seed=9))
    with Server("r.y4m", "d.y4m", name, "-m", "psnr") as server:
        page = opened(server, frame=4, mode="split")
        page.look(390, 844)
        page.wait("return innerWidth === 390", "the phone")
        page.run("select('encode').value = '2'; select('encode').dispatchEvent(new Event('change'))")
        page.wait("return state.encode === 2 && shownFrame === 4 && !waiting", "the second encode")
        box = page.run("""const e = select('encode'), b = e.getBoundingClientRect(),
            stage = element('stage').getBoundingClientRect();
            return [b.left >= 0, b.right <= innerWidth, b.width >= 300, b.height >= 40, b.bottom <= stage.top,
              document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2) === e,
                document.documentElement.scrollWidth <= innerWidth]""")
        check(all(box), f"the switch lies {box}")
        left, right = page.run("return ['left', 'right'].map(id => element(id).getBoundingClientRect()).map(b => "
                               "[b.left, b.right])")
        check(left[1] <= right[0] and right[1] <= 390, f"labels lie over each other: {left}, {right}")
        page.wait(SCORED, "the scores")
        page.run("""const before = ask;
            ask = async (what, cache) => {
              if (what.startsWith('frame')) await new Promise(go => setTimeout(go, 150));
              return before(what, cache);
            };
            window.blank = 0;
            const look = () => { window.blank += Number(shownFrame < 0); requestAnimationFrame(look); };
            look();""")
        page.keys(" ")
        page.wait("return player.playing && player.step > 1", "playing")
        for number in (1, 2):
            page.run(f"select('encode').value = '{number}'; select('encode').dispatchEvent(new Event('change'))")
            page.wait(f"return state.encode === {number} && player.playing && player.step > 1",
                      f"encode {number} plays")
        check(page.run("return window.blank") == 0, f"{page.run('return window.blank')} pictures are blank")
        is_content(page)


@case
def a_slow_server_costs_frames_and_says_so():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, mode="split")
        page.run("""const before = ask;
            ask = async (what, cache) => {
              if (what.startsWith('frame')) await new Promise(go => setTimeout(go, 250));
              return before(what, cache);
            }""")
        page.keys(" ")
        told = page.wait("return !document.getElementById('rate').hidden && "
                         "document.getElementById('rate').textContent", "the rate")
        check(told.endswith(" of 25 frames a second") and int(told.split()[0]) < 25, told)
        page.wait("return player.dropped > 20 && player.count > 5", "dropped frames")
        step, told = page.run("return [player.step, player.count + player.dropped]")
        check(step == told, f"{told} frames are shown or dropped in {step}")
        page.keys(" ")
        page.wait("return !player.playing && !waiting && canvas.dataset.frame === String(state.frame)", "the pause")
        check(page.run("return document.getElementById('rate').hidden"), "a rate while it stands")


@case
def maps_play():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, mode="overlay", zoom=1, top=2)
        page.wait(MAP % (0, 0, "vdm,jnd"), "the map")
        page.run("window.steps = []; const draw = drawNow; drawNow = () => { steps.push([state.frame, shownFrame, "
                 "map.frame]); draw(); }")
        page.keys(" ")
        page.wait("return steps.length > 3", "maps")
        page.keys(" ")
        check(all(a == b == c for a, b, c in page.run("return steps")),
              f"a map of another frame: {page.run('return steps')}")
        page.wait("return !player.playing && map && map.frame === state.frame && canvas.dataset.frame === "
                  "String(state.frame)", "the pause")
        is_content(page)


@case
def everything_by_keyboard():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server)
        page.wait(SHOWN % (0, "split"), "the picture")
        page.wait("return moments.length > 2", "the worst frames")
        page.keys(END)
        page.wait(f"return location.hash.includes('frame={FRAMES - 1}')", "the address")
        page.driver.refresh()
        page.wait(SCORED, "the scores")
        page.wait(f"return document.querySelector('#timeline').getAttribute('aria-valuenow') === '{FRAMES - 1}'",
                  "the place in the scores")
        page.keys(HOME)
        page.wait(SHOWN % (0, "split"), "the first frame")
        for key, mode in (("r", "reference"), ("b", "both"), ("s", "split"), ("t", "flicker"), ("v", "difference"),
                          ("m", "map"), ("o", "overlay"), ("d", "distorted")):
            page.keys(key)
            page.wait(SHOWN % (0, mode), f"the mode of '{key}'")
            check(page.run("return document.querySelector('[data-mode][aria-checked=true]').dataset.mode") == mode,
                  f"the button of {mode}")
        page.wait("return moments.length > 2", "the worst frames")
        page.keys("w")
        worst = page.run("return document.querySelector('#ranks button').dataset.frame")
        page.wait(f"return canvas.dataset.frame === '{worst}'", "the worst frame")
        page.keys("o")
        page.wait(MAP % (int(worst), int(worst), "vdm"), "its map")
        page.keys(HOME)
        page.wait("return canvas.dataset.frame === '0'", "the first frame")
        page.keys(END)
        page.wait(f"return canvas.dataset.frame === '{FRAMES - 1}'", "the last frame")
        page.keys("g")
        page.wait("return document.querySelector('#zoomed').textContent === '100 %'", "one to one")
        page.keys("+")
        page.wait("return document.querySelector('#zoomed').textContent === '150 %'", "larger")
        page.keys("f")
        page.wait("return state.zoom === 0", "all of it")
        page.keys("p")
        page.wait("return !document.querySelector('#panel').getClientRects().length", "no panel")
        page.keys("p", "?")
        page.wait("return document.querySelector('#keys').open", "the sheet of keys")
        listed = page.text("#keylist")
        for text in page.run("return Object.entries(ACTIONS).filter(([name]) => !name.includes('encode')).map(([, "
                             "a]) => a.text)"):
            check(text in listed, f"the sheet of keys lacks '{text}'")
        page.keys(ESCAPE)
        page.wait("return !document.querySelector('#keys').open", "the end of the sheet")
        page.run("document.activeElement.blur()")
        reached = set()
        for _ in range(120):
            page.keys(TAB)
            reached.add(page.run("const e = document.activeElement; return e.id || e.dataset.act || e.dataset.mode "
                                 "|| e.dataset.frame || e.dataset.option || e.textContent"))
        wanted = page.run("return [...document.querySelectorAll('button, select, input, summary, "
                          "canvas[tabindex]')].filter(e => e.checkVisibility() && !e.closest('dialog') && "
                          "e.tabIndex >= 0)"
                          ".map(e => e.id || e.dataset.act || e.dataset.mode || e.dataset.frame || e.dataset.option "
                          "|| e.textContent)")
        check(set(wanted) <= reached, f"Tab does not reach {set(wanted) - reached}")
        outline = page.run("document.querySelector('[data-act=first]').focus({focusVisible: true}); return "
                           "getComputedStyle(document.activeElement).outlineStyle")
        check(outline == "solid", f"the focus is not seen: {outline}")
        is_content(page)


@case
def every_size_light_and_dark():
    """Nothing scrolls but the panel, nothing is wider than the screen, controls have names, and text the contrast of
    AA."""
    needs_browser()
    videos(hold=3, width=384, height=216)
    write("small.y4m", clip.y4m(1, width=64, height=64))
    write("an-encode-with-a-long-name.y4m", read("d.y4m"))
    args = ("r.y4m", "d.y4m", "small.y4m", "an-encode-with-a-long-name.y4m", "-m", "vmaf,psnr,vdm", "--scenes",
            "--fail-below", "psnr_y=1:p5", "--fail-below", "psnr_cb=99")
    with Server(*args) as server:
        page = opened(server, mode="overlay", **{"from": 2, "to": 5})
        for width, height in (*browser.SIZES, (1024, 700), (800, 600), (3840, 2160)):
            for dark in (False, True):
                what = f"{width}x{height}{' dark' if dark else ''}"
                page.look(width, height, dark)
                page.run("for (const d of document.querySelectorAll('details')) d.open = true")
                page.wait(f"return innerWidth === {width} && canvas.width === element('stage').clientWidth && "
                          "canvas.height === element('stage').clientHeight && !waiting", what)
                wide, high = page.run("const r = document.documentElement; return [r.scrollWidth, r.scrollHeight]")
                check(wide <= width, f"{what}: {wide} wide")
                check(width < 760 or high <= height, f"{what}: {high} high")
                over = page.run("""const inside = e => { for (let a = e.parentElement; a;
                    a = a.parentElement) if (a.id === 'ranks' || a.id === 'hover') return true; return false; };
                    return [...document.querySelectorAll('body *')].filter(e => !inside(e) && !e.closest('.unseen') &&
                      e.getClientRects().length && (e.getBoundingClientRect().right > innerWidth + 0.5 ||
                    e.getBoundingClientRect().left < -0.5)).map(e => e.outerHTML.slice(0, 90))""")
                check(not over, f"{what}: beyond the screen: {over}")
                lost = page.run("""const bar = document.querySelector('.transport');
                    return [...bar.querySelectorAll('button, input, select')]
                      .filter(e => e.getClientRects().length &&
                      (e.getBoundingClientRect().right > bar.getBoundingClientRect().right + 0.5 ||
                    e.getBoundingClientRect().bottom > bar.getBoundingClientRect().bottom + 0.5))
                      .map(e => e.outerHTML.slice(0, 90))""")
                check(not lost, f"{what}: cut off in the transport: {lost}")
                small = page.run("return innerWidth < 500 ? [...document.querySelectorAll('.icon, .text, .transport "
                                 "select')].filter(e => e.getClientRects().length && !e.closest('dialog') &&"
                                 " Math.min(e.offsetWidth, e.offsetHeight) < 32).map(e => "
                                 "e.outerHTML.slice(0, 90)) : []")
                check(not small, f"{what}: too small for a finger: {small}")
                check(not page.run(browser.NAMES), f"{what}: controls without a name: {page.run(browser.NAMES)}")
                check(not page.run(browser.CONTRAST), f"{what}: low contrast: {page.run(browser.CONTRAST)}")
                for name in ("keys", "notes", "repeat"):
                    page.run(f"dialog('{name}').showModal()")
                    check(not page.run(browser.CONTRAST), f"{what}: low contrast: {page.run(browser.CONTRAST)}")
                    page.run(f"dialog('{name}').close()")
        share = page.run("return canvas.clientHeight / innerHeight")
        page.look(1280, 720)
        check(share > 0.6, f"the picture has {share:.2f} of the height")
        is_content(page)


@case
def wheel_zooms_what_is_under_it():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    with Server(*videos(frames=60), "-m", "psnr") as server:
        page = opened(server)
        for name, before in (("#picture", "return place().scale"), ("#timeline", "return -timeline.shown")):
            first = page.run(before)
            ActionChains(page.driver).scroll_from_origin(ScrollOrigin.from_element(page.element(name)), 0,
                                                         -100).perform()
            page.wait(f"return (() => {{ {before} }})() > {first}", f"the wheel over {name}")
        page.look(390, 844)
        page.wait("return innerWidth === 390", "the phone")
        scale = page.run("return place().scale")
        ActionChains(page.driver).scroll_from_origin(ScrollOrigin.from_element(page.element("#picture")), 0,
                                                     200).perform()
        page.wait("return scrollY > 0", "the page that scrolls")
        check(page.run("return place().scale") == scale, "the picture is zoomed while the page scrolls")


def worst_frame(better="psnr_y"):
    """The worst one, of a distorted video that is bad in one place only."""
    fovea("score", "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "-o", "report.json")
    return min(report()["frames"], key=lambda f: f["metrics"][better])["frame"]


@case
def worst_frame_and_its_map_in_two_clicks():
    needs_browser()
    videos()
    data = bytearray(read("d.y4m"))
    at = data.index(b"\n") + 1 + 7 * (SIZE + 6) + 6
    data[at:at + WIDTH * HEIGHT] = bytes(235 - v // 2 for v in data[at:at + WIDTH * HEIGHT])
    write("d.y4m", bytes(data))
    worst = worst_frame()
    check(worst == 7, f"frame {worst} is the worst")
    with Server("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr") as server:
        page = opened(server)
        page.wait("return moments.length > 0", "the worst frames")
        page.element("[data-act='worst']").click()
        page.wait(SHOWN % (worst, "split"), "the worst frame")
        page.element("[data-mode='map']").click()
        page.wait(MAP % (worst, worst, "vdm,jnd"), "its map")
        fovea("map", "-r", "r.y4m", "-d", "d.y4m", "-m", "vdm", "--map", "jnd", "--frame", str(worst),
              "--format", "pfm", "-o", "maps")
        header = read(f"maps/frame_{worst}/jnd.pfm").split(b"\n", 3)
        values = struct.unpack(f"<{WIDTH * HEIGHT}f", header[3])
        check(max(values) == max(page.run("return Array.from(map.data)")),
              "the greatest value of the map is another one")
        is_content(page)


@case
def scores_of_the_frame_and_of_the_clip():
    needs_browser()
    args = (*videos(), "-m", "psnr=enable_apsnr=true")
    fovea("score", *args, "-o", "report.json")
    with Server(*args) as server:
        page = opened(server, frame=5)
        page.wait("return means.every(Number.isFinite) && !Number.isNaN(means[0])", "the means")
        page.element("#more").click()
        rows = page.run("return [...rows].map(([i, r]) => [outputs[i].name, r.row.cells[0].textContent, "
                        "r.now.textContent, r.clip.textContent])")
        for name, title, now, whole in rows:
            if name in report()["sequence"]:
                check((now, whole) == ("", f"{report()['sequence'][name]:.2f}"), f"{name}: {now}, {whole}")
            else:
                want = (f"{report()['frames'][5]['metrics'][name]:.2f}", f"{report()['pooled'][name]['mean']:.2f}")
                check((now, whole) == want, f"{name}: {now}, {whole}, not {want}")
            check(title.endswith(", dB") and title.startswith("PSNR"), title)
        check(len(rows) == 8, f"{len(rows)} scores")
        check(page.text("#clock") == "0:00.20", page.text("#clock"))
        page.run("document.querySelector('[data-score=psnr_cr]').click()")
        check(page.run("return [state.score, timeline.curve.name, select('by').value]") == ["psnr_cr"] * 3,
              "a click draws another score")
        page.run("location.hash = '#frame=5&score=apsnr_y'")
        page.wait("return state.score === 'psnr_y'", "a score that has a curve")
        is_content(page)
    with Server(*args, "--start", "0.2") as server:
        page = opened(server, frame=1)
        check(page.text("#clock") == "0:00.24", f"{page.text('#clock')} is not the report's time")


@case
def ranges_scenes_and_gates_by_keyboard():
    needs_browser()
    args = (*videos(hold=3), "-m", "psnr", "--scenes", "--fail-below", "psnr_y=1:p5", "--fail-below", "psnr_cb=99")
    fovea("score", *args, "--intervals", "0.16", "-o", "report.json", status=GATE)
    part = report()["intervals"][1]
    with Server(*args) as server:
        page = opened(server, frame=part["frame"])
        page.keys("(")
        page.wait("return location.hash.includes('from=')", "the beginning of the range")
        page.keys(*[RIGHT] * (part["frame_count"] - 1), ")")
        key = f"{part['frame']},{part['frame'] + part['frame_count'] - 1}"
        page.wait(f"return document.querySelector('#pooled').dataset.range === '{key}'", "the values of the range")
        rows = page.run("return [...document.querySelectorAll('#pooled tbody tr')].map(r => "
                        "[r.cells[0].dataset.score, ...[...r.cells].slice(1).map(c => [c.dataset.pool, "
                        "c.dataset.value])])")
        check(rows, "no values of the range")
        for name, *values in rows:
            for pool, value in values:
                check(float(value) == float(part["pooled"][name][pool]), f"{name}, {pool}: {value}")
        check("Gate passed: PSNR, luma, p5 is" in page.text("#gates") and
              "Gate failed: PSNR, Cb, mean is" in page.text("#gates"), page.text("#gates"))
        check(page.text("#progress").startswith("1 gate failed"), page.text("#progress"))
        page.element("#status").click()
        page.wait("return dialog('notes').open", "the notes")
        page.keys(ESCAPE)
        page.keys("C")
        page.wait("return !location.hash.includes('from=') && document.querySelector('#range').hidden", "no range")
        scenes = [s["frame"] for s in report()["scenes"]]
        check(page.run("return timeline.scenes") == scenes[1:] and len(scenes) > 2, "other scenes")
        page.keys(HOME)
        for scene in scenes[1:3]:
            page.keys(".")
            page.wait(SHOWN % (scene, "split"), "the next scene")
        page.keys("c")
        page.wait(f"return location.hash.includes('from={page.run('return state.frame')}&')", "the scene as a range")
        is_content(page)


@case
def small_pictures_are_of_their_frames():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, 1280, 1000)
        number = page.wait("return slots().length > 3 && Number(strip.dataset.pictures) === slots().length && "
                           "slots().length", "the strip")
        slot = page.run("return slots()[1]")
        middle = page.element("#strip").size["width"] / 2
        ActionChains(page.driver).move_to_element_with_offset(page.element("#strip"), int(slot["x"] + 5 - middle),
                                                              0).click().perform()
        page.wait(SHOWN % (slot["frame"], "split"), f"the frame of the second of {number} pictures")
        numbers = page.wait("const c = [...document.querySelectorAll('#ranks canvas')]; return c.length && c.every(c "
                            "=> c.dataset.number) && c.map(c => c.dataset.number)", "pictures of the worst frames")
        check(numbers == page.run("return [...document.querySelectorAll('#ranks button')].map(b => b.dataset.frame)"),
              f"other pictures: {numbers}")
        check(page.run("return slots().every(s => thumbs.get(s.frame).number === s.frame)"),
              "a picture of another frame in the strip")
        is_content(page)


@case
def pointer_and_split():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, mode="split")
        page.wait(SHOWN % (2, "split"), "the split")
        width = page.element("#picture").size["width"]
        ActionChains(page.driver).move_to_element(page.element("#handle")).click_and_hold().move_by_offset(
            width // 4, 0).release().perform()
        page.wait("return Number(new URLSearchParams(location.hash.slice(1)).get('split')) > 0.7", "the handle")
        ActionChains(page.driver).move_to_element(page.element("#picture")).perform()
        sample = page.wait("return document.querySelector('#sample').textContent", "the read-out")
        column, row = int(sample.split()[1]), int(sample.split()[3])
        lumas = []
        for name in ("r.y4m", "d.y4m"):
            data = read(name)
            lumas.append(data[data.index(b"\n") + 1 + 2 * (SIZE + 6) + 6 + row * WIDTH + column])
        check(f"Y′ {lumas[0]} → {lumas[1]}" in sample, f"'{sample}', not {lumas}")
        page.element("#handle").send_keys(LEFT)
        split = page.run("return state.split")
        page.wait("return Math.abs(Number(new URLSearchParams(location.hash.slice(1)).get('split')) - "
                  f"{split}) < 1e-5", "the address")
        page.driver.refresh()
        page.wait(SHOWN % (2, "split"), "the same view again")
        check(abs(page.run("return state.split") - split) < 1e-5, "another split")


@case
def addresses_frames_and_what_has_none():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, mode="distorted", zoom=1)
        page.run("location.hash = '#frame=9&mode=reference&zoom=1'")
        page.wait(SHOWN % (9, "reference"), "the frame of another address")
        check(seen(page) == expected_rgb(9, name="r.y4m"), "other pixels")
        page.run("location.hash = '#frame=4000'")
        page.wait(SHOWN % (FRAMES - 1, "split"), "the last frame")
        page.run("location.hash = '#frame=x&mode=nix&split=a&gain=NaN&from=3'")
        page.wait(SHOWN % (0, "split"), "the first frame")
        box = page.element("#frame")
        box.clear()
        box.send_keys("6\n")
        page.wait(SHOWN % (6, "split"), "the frame that is typed")
    write("d.y4m", read("d.y4m")[:-9])
    with Server("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr", "--shortest") as server:
        page = browser.Browser.get()
        page.open(address(server, frame=FRAMES - 1, mode="distorted"))
        page.wait("return !element('trouble').hidden && element('trouble').textContent.includes('d.y4m')",
                  "the reason why there is no picture")
        page.wait(f"return element('progress').textContent.startsWith('{FRAMES - 1} of {FRAMES} frames, then: ')",
                  "the end of the scores")
        check(page.run("return element('status').className") == "status bad", "an early end looks well")
        check(page.run("return document.documentElement.scrollWidth <= innerWidth"),
              "a long message makes the page wider")
        time.sleep(0.3)
        check(page.run("return element('waiting').hidden"), "a frame that is not there is still waited for")
        check(page.run("return shownFrame") == -1, "a picture of another frame")
        page.keys(LEFT)
        page.wait(SHOWN % (FRAMES - 2, "distorted"), "the frame before")
        page.wait("return element('trouble').hidden", "no more trouble")


@case
def stills_have_no_time_line():
    needs_browser()
    with Server(*videos(frames=1), "-m", "psnr") as server:
        page = opened(server, mode="split")
        gone = page.run("return [...document.querySelectorAll('[data-act=play], [data-act=first], #timeline, #frame, "
                        "#ranks, [data-act=from]')].filter(e => e.getClientRects().length).map(e => e.outerHTML)")
        check(not gone, f"a still has {gone}")
        check(page.run("return canvas.clientHeight") > 580, "the room of the time line is empty")
        page.keys(" ")
        check(not page.run("return player.playing"), "a still plays")
        check("fps" not in page.text("#pair") and not page.text("#clock") and
              "0:00" not in " ".join(page.run("return caption()")), f"a still has a time: {page.text('#pair')}")
        page.look(390, 844)
        check(page.run("return document.querySelector('.modes select').getClientRects().length"),
              "a still has no modes on a phone")
        is_content(page)


@case
def one_video_has_banding():
    needs_browser()
    videos(width=384, height=216)
    with Server("-d", "d.y4m") as server:
        page = opened(server, frame=1, zoom=1)
        check(page.run("return [...document.querySelectorAll('#modes [data-mode]')].map(b => b.dataset.mode)") ==
              ["distorted", "map", "overlay"], "other modes")
        page.wait(SHOWN % (1, "distorted"), "the picture")
        check(seen(page) == pixels.expected_rgb(1, 8, 384, 216), "other pixels")
        page.keys("m")
        page.wait(MAP % (1, 1, "cambi"), "the map of banding")
        check(page.text("#legend").startswith("Banding"), page.text("#legend"))
        page.keys(" ")
        page.wait("return player.count > 2", "playing")
        is_content(page)


def tone_mapped(samples, at, width, height, peak):
    """A sample of BT.2020's PQ as sRGB: the curve of BT.2390 on the greatest light, white at 203 cd/m²."""
    m1, m2, c1, c2, c3 = 0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875
    code = lambda light: ((c1 + c2 * (light / 10000) ** m1) / (1 + c3 * (light / 10000) ** m1)) ** m2
    light = lambda v: 10000 * (max(0, v ** (1 / m2) - c1) / (c2 - c3 * v ** (1 / m2))) ** (1 / m1)
    x, y = at
    chroma = width * height + y // 2 * (width // 2) + x // 2
    luma = (samples[y * width + x] - 64) / 876
    red = luma + 2 * (1 - 0.2627) * (samples[chroma + width * height // 4] - 512) / 896
    blue = luma + 2 * (1 - 0.0593) * (samples[chroma] - 512) / 896
    lights = [light(max(0, min(1, v))) for v in (red, (luma - 0.2627 * red - 0.0593 * blue) / 0.678, blue)]
    top, most = code(peak), code(203) / code(peak)
    greatest, knee = min(1, code(max(lights)) / top), 1.5 * most - 0.5
    to = min(max(lights), 203)
    if greatest > knee:
        t = (greatest - knee) / (1 - knee)
        to = light(top * ((2 * t ** 3 - 3 * t * t + 1) * knee + (t ** 3 - 2 * t * t + t) * (1 - knee) +
                          (3 * t * t - 2 * t ** 3) * most))
    r, g, b = (v * to / max(lights) / 203 for v in lights)
    linear = (1.6605 * r - 0.5876 * g - 0.0728 * b, -0.1246 * r + 1.1329 * g - 0.0083 * b,
              -0.0182 * r - 0.1006 * g + 1.1187 * b)
    return [255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055)
            for v in (max(0, min(1, v)) for v in linear)]


@case
def hdr_is_brought_to_the_screen():
    needs_browser()
    width, height = 384, 216
    videos(10, frames=2, width=width, height=height)
    data = read("d.y4m")
    start = data.index(b"FRAME\n") + 6
    samples = struct.unpack(f"<{width * height * 3 // 2}H", data[start:start + width * height * 3])
    with Server("-d", "d.y4m", "--transfer-dis", "pq", "--primaries-dis", "bt2020", "--matrix-dis", "bt2020",
                "-m", "cambi") as server:
        page = opened(server, zoom=1, gl=1)
        for peak in (1000, 4000):
            page.run(f"state.peak = {peak}; for (const p of pictures.values()) p.rgb = null; "
                     "derived.clear(); drawNow()")
            tone = page.text("#tone")
            check(tone == f"PQ, tone-mapped for this screen: BT.2390, {peak} cd/m² to white at 203", tone)
            still = seen(page)
            for i in range(0, width * height, 997):
                want = tone_mapped(samples, (i % width, i // width), width, height, peak)
                check(max(abs(a - b) for a, b in zip(want, still[3 * i:3 * i + 3])) < 2,
                      f"sample {i}: {list(still[3 * i:3 * i + 3])}, not {want}")
            page.run("drawMoving()")
            most = max(abs(a - b) for a, b in zip(still, seen(page, name="moving")))
            check(most <= 3, f"it differs by {most} while it plays")
            page.run("drawSoft(canvas.getContext('2d'))")
            most = max(abs(a - b) for a, b in zip(still, seen(page)))
            check(most <= 3, f"it differs by {most} while it plays without a GPU")
        is_content(page)


@case
def small_pictures_of_hdr_have_the_colours_of_the_picture():
    needs_browser()
    videos(10, frames=2, width=384, height=216, hold=2)
    with Server("-d", "d.y4m", "--transfer-dis", "pq", "--primaries-dis", "bt2020", "--matrix-dis", "bt2020", "-m",
      "cambi") as server:
        page = opened(server, zoom=1, mode="distorted")
        page.wait("return thumbs.get(0)", "a small picture")
        means = page.run("""const mean = from => {
              const {data} = from.getContext('2d').getImageData(0, 0, from.width, from.height), sums = [0, 0, 0];
              data.forEach((v, i) => { if ((i & 3) !== 3) sums[i & 3] += v; });
              return sums.map(v => 4 * v / data.length);
            };
            return [mean(thumbs.get(0).picture), mean(coloursOf(shown[1]))]""")
        check(all(abs(a - b) < 2 for a, b in zip(*means)), f"{means[0]} instead of {means[1]}")


def bad_part(frames=100, first=25, count=13):
    """A pair whose encode is bad for half a second: a good mean, and two words below it."""
    size = 96 * 64 * 3 // 2
    header, *pictures = clip.y4m(frames, width=96, height=64, seed=3, hold=frames).split(b"FRAME\n")
    shifted = [bytes(min(255, v + (40 if i % 7 == 0 else 0)) for i, v in enumerate(p[:size]))
               if first <= n < first + count else
               bytes([p[0] ^ 1]) + p[1:] for n, p in enumerate(pictures)]
    write("r.y4m", b"FRAME\n".join([header, *pictures]))
    write("d.y4m", b"FRAME\n".join([header, *shifted]))
    return "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr"


@case
def the_sentence_and_its_segments():
    """The report's sentence; one click on a block, a row or the button above the picture loops the segment, another
    one stops it."""
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    args = bad_part()
    fovea("score", *args, "-o", "report.json", "--fail-below", "psnr_y=90", status=GATE)
    verdict = report()["verdict"]
    check(verdict["segments"], f"no segment: {verdict}")
    with Server(*args, "--fail-below", "psnr_y=90") as server:
        page = opened(server, frame=3, mode="split")
        page.wait("return timeline.segments.length", "the segments")
        check(page.text("#sentence") == verdict["sentence"] and page.text("#sentence .bad") == "Gate failed",
              page.text("#sentence"))
        # a quarter of a second more
        first, last = verdict["segments"][0]["first"] - 6, verdict["segments"][0]["last"] + 6
        x = page.run("return timeline.xOf(timeline.segments[0].from + 2) - timeline.canvas.clientWidth / 2")
        y = page.run("return 10 - timeline.canvas.clientHeight / 2")
        clicks = (lambda: ActionChains(page.driver).move_to_element_with_offset(page.element("#timeline"), int(x),
                                                                                int(y)).click().perform(),
                  lambda: page.element("#segments button").click(), lambda: page.element("#loopit").click(),
                  lambda: page.keys("q"))
        for click in clicks:
            page.run("setRange(-1, -1); state.ab = 0; state.loop = 0; fillPlay(); goTo(3)")
            click()
            page.wait("return player.playing && player.step > 1", "the loop")
            check(page.run("return [state.from, state.to, state.loop, state.ab]") == [first, last, 1, 1],
                  f"it loops {page.run('return [state.from, state.to, state.loop, state.ab]')}")
            seen_labels = set()
            end = time.monotonic() + 60
            while len(seen_labels) < 2 and time.monotonic() < end:
                text = page.run("return element('left').textContent")
                if text:
                    seen_labels.add(text.split()[0])
            check(seen_labels == {"A", "B"}, f"labels {seen_labels}")
            check(page.text("#loopit") == "Stop" and
                  page.run("return element('segments').querySelector('button').getAttribute('aria-pressed')") ==
                  "true", "the buttons do not say so")
            click()
            page.wait("return !player.playing", "the stop")
        page.keys("w")
        page.wait(f"return state.frame === {verdict['segments'][0]['worst_frame']}", "the worst frame of the segment")
        is_content(page)


@case
def videos_that_state_no_frame_count():
    """Loaded at a frame, again, and by --show: scores come, and the plot has the length of the scoring."""
    needs_browser()
    bad_part()
    for name in ("r", "d"):
        ffmpeg("-i", f"{name}.y4m", "-c:v", "ffv1", f"{name}.mkv")
    with Server("-r", "r.mkv", "-d", "d.mkv", "-m", "psnr") as server:
        for frame in (0, 20, 99, 5000):
            page = opened(server, frame=frame)
            for again in ("at first", "again"):
                page.wait("return scored && timeline.length === 100 && timeline.chosen === Math.min(99, arguments[0] "
                          "?? state.frame)", f"frame {frame} {again}")
                check(page.run("return element('trouble').hidden"), f"frame {frame} {again}: {page.text('#trouble')}")
                page.driver.refresh()
                page.wait(SCORED, "the scores")
        for length in (0, 1, 2): # shorter than where the frame is
            page.run(f"timeline.setCount(0, {length}); state.frame = 50; movePlayhead(); drawPlayhead()")
        page.run("timeline.setCount(count, 100); timeline.look(60, 10); drawPlayhead()")
        check(page.run("return timeline.first") == 60, "what the user looks at is taken away")


@case
def times_after_a_gap_are_those_of_the_report():
    needs_browser()
    write("r.y4m", clip.y4m(60, width=96, height=64, seed=3, hold=60))
    write("d.y4m", clip.y4m(60, width=96, height=64, seed=4, hold=60))
    for name in ("r", "d"):
        ffmpeg("-i", f"{name}.y4m", "-vf", "select='not(between(n,10,39))'", "-fps_mode", "passthrough",
               "-c:v", "ffv1", f"{name}.mkv")
    fovea("score", "r.mkv", "d.mkv", "-m", "psnr", "-o", "report.json")
    want = [f["time"] for f in report()["frames"]]
    check(want[20] > 1.9, f"no gap: {want}")
    with Server("r.mkv", "d.mkv", "-m", "psnr") as server:
        page = opened(server, frame=20)
        got = page.wait("return tracks[0].times.length && [...tracks[0].times]", "the times")
        check(got == want, f"{got} instead of {want}")
        page.wait(f"return element('clock').textContent === clockText({want[20]})", "the time of the frame")
        at = page.run("return [0.2, 1, 2.2].map(placeAt)")
        check(abs(at[0] - 5) < 0.1 and 9 < at[1] < 10 and abs(at[2] - 25) < 0.1 and
              abs(page.run("return secondsAt(30)") - 2.4) < 0.01, f"the axis has its times at {at}")
        over = page.run("""const context = timeline.canvas.getContext('2d'), draw = context.fillText, ends = [];
            context.fillText = (text, x) => {
              const half = context.measureText(text).width / 2;
              if (context.textAlign === 'center') ends.push([x - half, x + half]);
            };
            timeline.drawNow();
            context.fillText = draw;
            return [ends.length, ends.some((e, i) => i && e[0] < ends[i - 1][1])]""")
        check(over[0] > 2 and not over[1], f"times of the axis lie over each other: {over}")


@case
def no_error_is_swallowed():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server)
        for fault, says in (("tracks[0].scored = false; tracks[0].count = 0; window.real = takeScores; takeScores = "
                             "() => { throw new Error('no scores'); }", "no scores"),
                            ("takeScores = real", None),
                            ("clip.distorted = {...clip.distorted, name: null}; exportPicture()",
                             "The page has a fault: "),
                            ("troubles.clear(); timeline.others = null; timeline.draw()", "The page has a fault: ")):
            page.run(fault)
            page.wait("return element('trouble').hidden" if not says
                      else f"return element('trouble').textContent.includes('{says}') && !element('trouble').hidden",
                      f"'{says}'")


@case
def space_plays_whatever_was_clicked():
    needs_browser()
    with Server(*bad_part()) as server:
        page = opened(server, frame=3)
        page.wait("return moments.length > 1", "the worst frames")
        names = page.run("""return ['[data-act=back]', '[data-act=loop]', '[data-act=ab]', '[data-act=fit]',
            '[data-mode=both]', '#scores button', '#ranks button', '#speed', '#by', '[data-act=panel]']
            .filter(name => document.querySelector(name).checkVisibility())""")
        check(len(names) > 8, f"only {names}")
        for name in names:
            page.element(name).click()
            if name.startswith("#speed") or name == "#by":
                page.run("document.activeElement.blur(); arguments[0].focus()", page.element(name))
            before = page.run("return [player.playing, state.loop, state.ab, state.mode, state.panel]")
            page.driver.switch_to.active_element.send_keys(" ")
            page.wait(f"return player.playing !== {str(before[0]).lower()}", f"Space after a click on {name}")
            check(page.run("return [state.loop, state.ab, state.mode, state.panel]") == before[1:],
                  f"Space presses {name}, too")
            if page.run("return player.playing"):
                page.driver.switch_to.active_element.send_keys(" ")
            page.wait("return !player.playing", "the pause")
        page.run("pause(); document.querySelector('[data-act=first]').focus()")
        page.keys(TAB)
        check(page.run("return document.activeElement.dataset.act") == "back", "Tab goes elsewhere")
        frame = page.run("return state.frame")
        page.keys(" ")
        page.wait(f"return state.frame === {frame} - 1 && !player.playing", "the button that Tab has reached")


@case
def groups_have_one_tab_stop():
    needs_browser()
    videos()
    write("e.y4m", clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, seed=9))
    with Server("r.y4m", "d.y4m", "e.y4m", "-m", "psnr") as server:
        page = opened(server, width=1600, height=900)
        page.wait("return moments.length > 1 && tracks.every(t => t.scored)", "the scores")
        for group, chosen in (("modes", "return state.mode"), ("ladder", "return String(state.encode)"),
                              ("scores", "return state.score"), ("ranks", "return String(state.frame)")):
            stops = f"return [...document.querySelectorAll('#{group} button')].filter(b => b.tabIndex === 0).length"
            check(page.run(stops) == 1, f"{group} has {page.run(stops)} tab stops")
            page.run(f"document.querySelector('#{group} button[tabindex=\"0\"]').focus()")
            for key in (RIGHT, RIGHT, LEFT) if group == "modes" else ("\ue015", "\ue013"):
                page.keys(key)
                page.wait(f"return document.activeElement.dataset.key === (() => {{ {chosen} }})()",
                          f"an arrow in {group}")
                check(page.run(stops) == 1, f"{group} has {page.run(stops)} tab stops after an arrow")
        seen_regions = []
        page.run("document.activeElement.blur()")
        for _ in range(7):
            page.keys("\ue036")
            seen_regions.append(page.run("return REGIONS.find(name => "
                                         "document.querySelector(name).contains(document.activeElement))"))
        check(set(seen_regions) ==
              set(page.run("return REGIONS.filter(name => "
                           "document.querySelector(name).querySelector('button:not([hidden]), canvas[tabindex]'))")),
              f"F6 goes to {seen_regions}")
        page.run("const e = document.activeElement, key = (name, more) => document.dispatchEvent(new "
                 "KeyboardEvent('keydown', {key: name, bubbles: true, ...more})); state.mode = 'split';"
                 "for (const more of [{ctrlKey: true}, {altKey: true}, {metaKey: true}]) for (const name of ['r', "
                 "'b', 'ArrowLeft', 'x']) key(name, more)")
        check(page.run("return [state.mode, state.ab]") == ["split", 0], "a shortcut fires with a modifier")


@case
def addresses_hold_everything():
    """What is changed by keys and clicks is the same after loading the address in another window."""
    needs_browser()
    videos()
    write("e.y4m", clip.y4m(FRAMES, width=WIDTH, height=HEIGHT, seed=9))
    with Server("r.y4m", "d.y4m", "e.y4m", "-m", "psnr") as server:
        page = opened(server)
        page.keys("2")
        page.wait("return state.encode === 2", "the other encode")
        page.run("goTo(4); setRange(3, 7); drawScore('psnr_cb'); setZoom(2); move(5, 6); setMode('split'); "
                 "setSplit(0.25); pinSplit(); state.gain = 8; setSpeed(0.5)")
        page.keys("x", "R", "z", "p")
        want = page.wait("return !addressTimer && location.hash.slice(1) === addressOf() && addressOf()",
                         "the address")
        for word in ("encode=e.y4m", "frame=4", "from=3", "to=7", "score=psnr_cb", "zoom=2", "split=0.25", "pinned=1",
                     "speed=0.5", "ab=1", "loop=0", "lens=4", "panel=0", "gain=8"):
            check(word in want.split("&"), f"the address lacks {word}: {want}")
        state = page.run("return {...state}")
        page.open("about:blank")
        page.open(f"http://127.0.0.1:{server.port}/{server.token}/#{want}")
        page.wait(SCORED, "the scores")
        page.wait("return canvas.dataset.frame === '4'", "the picture")
        again = page.run("return {...state}")
        check(again == state, f"{[(k, state[k], again[k]) for k in state if state[k] != again[k]]}")
        check(page.run("return [element('app').classList.contains('wide'), select('speed').value, "
                       "element('lens').hidden]") == [True, "0.5", False], "the page does not show it")
        page.run("location.hash = '#frame=2&speed=3&lens=5&encode=nix&ab=x'")
        page.wait("return canvas.dataset.frame === '2' && state.encode === 1", "an address with mistakes")
        check(page.run("return [state.speed, state.lens, state.ab]") == [1, 0, 0], "mistakes of an address are taken")


@case
def an_encode_without_scores_leaves_the_others():
    """It is refused only once it is read: it counts once, the others keep their means, and choosing it and another
    one again changes nothing of them."""
    needs_browser()
    videos()
    write("cut.y4m", read("d.y4m")[:len(read("d.y4m")) * 2 // 3])
    write("empty.y4m", read("d.y4m").split(b"FRAME\n")[0])
    with Server("r.y4m", "d.y4m", "cut.y4m", "empty.y4m", "-m", "psnr") as server:
        page = opened(server)
        page.wait("return element('pools').textContent === 'means'", "the means of all")
        table = ("return [...document.querySelectorAll('#ladder tbody tr')].find(r => "
                 "r.textContent.startsWith('1')).cells[2].textContent")
        mean = page.run(table)
        check(mean and page.text("#progress").count("refused") == 1 and "1 encode refused" in page.text("#progress"),
              f"'{mean}', {page.text('#progress')}")
        check(f"of {FRAMES} frames" in page.text("#ladder"), page.text("#ladder"))
        for key in ("2", "3", "1"):
            page.keys(key)
            page.wait("return !working", "the choice")
            check(page.run(table) == mean, f"after {key}: '{page.run(table)}' instead of '{mean}'")
        check(page.text("#gates").count("empty.y4m is refused") == 1, page.text("#gates"))


@case
def portrait_pairs_fit():
    needs_browser()
    for name, seed in (("r.y4m", 3), ("a_portrait_with_a_name_that_is_rather_long.y4m", 4)):
        write(name, clip.y4m(FRAMES, width=64, height=160, seed=seed))
    with Server("r.y4m", "a_portrait_with_a_name_that_is_rather_long.y4m", "-m", "psnr") as server:
        for width, height in browser.SIZES:
            page = opened(server, width=width, height=height, mode="split")
            for mode in ("split", "both"):
                page.run(f"setMode('{mode}'); drawNow()")
                left, right, of = page.run("const box = id => { const b = element(id).getBoundingClientRect(); "
                                           "return [b.left, b.top, b.right, b.bottom]; }; return [box('left'), "
                                           "box('right'), box('stage')]")
                apart = left[2] <= right[0] or left[3] <= right[1]
                inside = all(of[0] <= b[0] and b[2] <= of[2] and b[3] <= of[3] for b in (left, right))
                check(apart and inside, f"{width}x{height}, {mode}: labels {left} and {right} in {of}")


@case
def axes_have_several_numbers():
    needs_browser()
    page = browser.Browser.get()
    write("axes.html", f"""<!DOCTYPE html><style>{read_page('view.css')}</style><canvas id="c"></canvas>
        <script>{read_page('score.js')}{read_page('plot.js')}
        const t = new Plot(document.getElementById('c'), {{choose: () => {{}}, range: () => {{}}, look: () => {{}},
          time: clockText, rate: () => 25, seconds: p => p / 25, placeAt: s => 25 * s, hover: () => {{}},
          segment: () => {{}}}});
        const count = (n, low, high, width, height) => {{
          Object.assign(t.canvas.style, {{width: width + 'px', height: height + 'px'}});
          const values = new Float64Array(n).map((_, i) => low + (high - low) * i / (n - 1));
          t.setCount(n, n);
          t.look(0, n);
          t.curve = {{name: 'c', values, count: n, grades: [], gates: [], least: NaN, most: NaN, decimals: 2,
            factor: 1}};
          const context = t.canvas.getContext('2d'), drawn = {{left: 0, below: 0}}, draw = context.fillText;
          context.fillText = (text, x, y) => {{ drawn[context.textAlign === 'right' ? 'left' : 'below']++; }};
          t.drawNow();
          context.fillText = draw;
          return [drawn.left, drawn.below];
        }};</script>""".encode())
    page.open(f"file://{os.getcwd()}/axes.html")
    for frames in (8, 12, 75, 3000, 100000):
        for low, high in ((38.1, 38.4), (36, 42.5), (0, 100), (99.9, 100), (-13, 85), (0.001, 0.0041)):
            for width, height in ((1000, 148), (350, 152), (1000, 232)):
                left, below = page.run("return count(...arguments)", frames, low, high, width, height)
                check(left > 2 and below > 2,
                      f"{frames} frames from {low} to {high} in {width}x{height}: {left} values and {below} times")


@case
def worst_moments_scroll():
    needs_browser()
    with Server(*videos(frames=60), "-m", "psnr") as server:
        for width, height in ((1280, 720), (390, 844)):
            page = opened(server, width=width, height=height)
            page.wait("return scored && moments.length > 2", "the worst frames")
            number = page.run("return moments.length")
            for _ in range(number):
                page.keys("w")
                page.wait("return [...element('ranks').children].some(b => "
                          "b.getAttribute('aria-current') === 'true')", "the moment")
                inside = page.run("""const list = element('ranks').getBoundingClientRect(),
                      b = [...element('ranks').children].find(b => b.getAttribute('aria-current') === 'true')
                        .getBoundingClientRect();
                    return b.top >= list.top - 1 && b.bottom <= list.bottom + 1 && b.left >= list.left - 1 &&
                      b.right <= list.right + 1""")
                check(inside, "the moment is out of sight")


@case
def magnifier_hover_and_a_split_that_follows():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, mode="split")
        page.wait(SHOWN % (2, "split"), "the split")
        picture, width = page.element("#picture"), page.element("#picture").size["width"]
        at = lambda x, y=0: ActionChains(page.driver).move_to_element_with_offset(picture, int(x), y)
        share = lambda: page.run("return state.split")
        at(-width // 10).perform()
        left = share()
        at(width // 10).perform()
        check(share() > left + 0.1, f"the split does not follow: {left}, {share()}")
        at(width // 10).click().perform()
        pinned = share()
        at(-width // 10).perform()
        check(share() == pinned and page.run("return state.pinned") == 1, "a click does not pin the split")
        at(-width // 10).click().perform()
        at(-width // 12).perform()
        check(share() != pinned, "a second click does not free it")
        page.keys("z")
        page.wait("return !element('lens').hidden", "the magnifier")
        still = share()
        at(width // 14, 20).perform()
        check(share() == still, "the split moves below the magnifier")
        column, row, colours, want = page.run("""const c = Number(lens.dataset.column), r = Number(lens.dataset.row),
              half = lens.width / 2;
            const at = (x, y) => [...lens.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3);
            const of = (side, x) =>
              [...coloursOf(shown[side]).getContext('2d').getImageData(x, r, 1, 1).data].slice(0, 3);
            return [c, r, [at(half - 6, half), at(half + 4, half)], [of(0, c - 1), of(1, c + 1)]]""")
        check(colours == want, f"the magnifier has {colours} at {column}, {row} and not {want}")
        ActionChains(page.driver).scroll_by_amount(0, 0).perform()
        page.keys(ESCAPE)
        check(page.run("return state.lens") == 0, "Escape leaves the magnifier")
        line = page.element("#timeline")
        x = int(page.run("return timeline.xOf(7.5)")) - line.size["width"] // 2
        ActionChains(page.driver).move_to_element_with_offset(line, x, 10).perform()
        page.wait("return !element('hover').hidden && element('hovered').dataset.number === '7'",
                  "the picture under the pointer")
        check("frame 7" in page.text("#hovertext") and "PSNR" in page.text("#hovertext") and
              not page.text("#hovertime"), page.text("#hover"))


@case
def picture_with_caption_and_command():
    needs_browser()
    with Server(*videos(), "-m", "psnr", "--fail-below", "psnr_y=1") as server:
        page = opened(server, frame=3, mode="difference", gain=8)
        page.wait(SHOWN % (3, "difference"), "the difference")
        width, height, data = page.run("""const made = pictureWithCaption();
            return [made.width, made.height, Array.from(made.getContext('2d').getImageData(0, 40, 160, 56).data)]""")
        check(width == WIDTH and height > HEIGHT + 20, f"{width}x{height}")
        want = bytes(max(0, min(255, 128 + 8 * (b - a))) for a,
                     b in zip(expected_rgb(3, name="r.y4m"), expected_rgb(3)))
        check(bytes(v for i, v in enumerate(data) if i % 4 < 3) == want[40 * 3 * WIDTH:], "the file has other pixels")
        caption = " ".join(page.run("return caption()"))
        for words in ("d.y4m against r.y4m", "frame 3, 0:00.12", "Difference", "× 8", "PSNR, luma", " dB", "fovea "):
            check(words in caption, f"the caption lacks '{words}': {caption}")
        page.keys("y")
        page.wait("return dialog('repeat').open", "the command")
        command = page.run("return element('line').value")
        check(command.startswith("fovea view -r r.y4m -d d.y4m -m psnr --fail-below psnr_y=1 --show "
                                 "'frame=3&mode=difference&") and "gain=8" in command, command)
    show = command.split("--show ")[1].strip("'")
    with Server(*videos(), "-m", "psnr", "--show", show) as server:
        check(server.fragment == show, f"the address has {server.fragment}")


@case
def strangers_and_the_end():
    needs_browser()
    page = browser.Browser.get()
    with Server(*videos(), "-m", "psnr") as server:
        page.open(f"http://127.0.0.1:{server.port}/{'0' * 32}/")
        check("fovea" not in page.run("return document.documentElement.innerText"), "a stranger sees something")
        page = opened(server, frame=4, zoom=1)
        page.wait(SHOWN % (4, "split"), "the picture")
        page.keys(" ")
        page.wait("return player.count > 3", "playing")
        port = server.port
        server.stop()
        page.wait("return !element('trouble').hidden && element('trouble').textContent.includes('has ended')",
                  "the word that the server is gone")
        at = state_of(page)
        check(not at["playing"] and at["shown"] in (at["frame"], -1), f"after the end: {at}")
        check(page.run("return element('app').classList.contains('gone') && element('transport').inert"),
              "it looks as if it worked")
        check(float(page.run("return getComputedStyle(canvas).opacity")) < 0.5, "the picture is as bright as before")
        page.keys(RIGHT, END, "w")
        after = state_of(page)
        check(after["frame"] == at["frame"] and after["shown"] == at["shown"],
              f"keys go on without a server: {after}")
    with Server(*videos(), "-m", "psnr", "--port", str(port)): # another one, with another token
        time.sleep(2)
        check(page.run("return gone"), "another server is taken for the same")


@case
def a_broken_connection_heals():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=4, zoom=1, mode="distorted")
        page.run("window.real = fetch; fetch = () => Promise.reject(new TypeError('cut'))")
        page.keys(RIGHT)
        page.wait("return !element('trouble').hidden", "the word that the connection is broken")
        page.run("fetch = real")
        page.wait("return element('trouble').hidden && !gone && !element('transport').inert", "the connection again")
        page.keys(RIGHT)
        frame = page.wait("return canvas.dataset.frame === String(state.frame) && state.frame > 4 && state.frame",
                          "the next frame")
        check(seen(page) == expected_rgb(frame), "other pixels")


@case
def paper():
    """One page, without controls."""
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2)
        page.look(1280, 720, True)
        pages, _ = page.print()
        check(pages == 1, f"{pages} pages")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        back, left = page.run("""return [getComputedStyle(document.body).backgroundColor,
            [...document.querySelectorAll('button, input[type=range], .transport')]
              .filter(e => e.getClientRects().length && !e.closest('.scores, #ranks, .handle'))
              .map(e => e.outerHTML.slice(0, 90))]""")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        check(back == "rgb(255, 255, 255)", f"on {back}")
        check(not left, f"paper has {left}")


@case
def twenty_thousand_frames():
    needs_browser()
    header, frame = clip.y4m(1, width=48, height=32).split(b"FRAME\n")
    other = clip.y4m(1, width=48, height=32, seed=3).split(b"FRAME\n")[1]
    write("r.y4m", header + (b"FRAME\n" + frame) * 20000)
    write("d.y4m", header + b"".join(b"FRAME\n" + (other if i == 12345 else frame) for i in range(20000)))
    with Server("-r", "r.y4m", "-d", "d.y4m", "-m", "psnr") as server:
        page = opened(server, mode="distorted")
        check(page.run("return count") == 20000, "not all of them")
        page.wait("return moments.length > 0", "the worst frames")
        page.keys("w")
        page.wait(SHOWN % (12345, "distorted"), "the worst frame")
        check(page.text("#clock") == "8:13.80", page.text("#clock"))
        page.keys(END)
        page.wait(SHOWN % (19999, "distorted"), "the last frame")
        page.keys(*"iiiiii")
        shown = page.run("return [timeline.first, timeline.shown]")
        check(shown[1] < 400 and shown[0] <= 19999 < shown[0] + shown[1] + 1, f"not around the frame: {shown}")
        page.keys("w")
        page.wait("return timeline.first <= 12345 && 12345 < timeline.first + timeline.shown",
                  "the worst frame in the curve")
        is_content(page)


@case
def long_curves_move_at_once():
    """The time of a drawing is printed, and not judged."""
    needs_browser()
    write("long.html", f"""<!DOCTYPE html><style>{read_page('view.css')}</style>
        <canvas id="c" style="width:1200px;height:140px"></canvas>
        <script>{read_page('score.js')}{read_page('plot.js')}
        const n = 200000, values = new Float64Array(n).map((_, i) => 40 + 3 * Math.sin(i / 999) + Math.random());
        values[123456] = 20;
        const t = new Plot(document.getElementById('c'), {{choose: () => {{}}, range: () => {{}}, look: () => {{}},
          time: clockText, rate: () => 25, seconds: p => p / 25, placeAt: s => 25 * s, hover: () => {{}},
          segment: () => {{}}}});
        t.setCount(n, n);
        t.curve = {{name: 'c', values, count: n, grades: [], gates: [], least: NaN, most: NaN, decimals: 2,
          factor: 1}};</script>""".encode())
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
    note(f"{took:.1f} ms for a drawing of a curve of 200000 frames (median of 60)")
    low = page.run("return t.extremes(t.curve, 100000, 140000)[0]")
    check(low == 20, f"the least value of a range is {low}")
    none = page.run("return t.extremes(t.curve, 0, 110000)[0]")
    check(none > 36, f"a range has a value that is far from it: {none}")


def read_page(name):
    with open(os.path.join(ROOT, "page", name), encoding="utf-8") as file:
        return file.read()


run(browser.Browser.again)
