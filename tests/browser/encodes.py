"""Tests the viewer's scores in a real browser: several encodes, curves and their axes, ranges, gates, segments and
worst moments. Usage: encodes.py FOVEA SOURCE_ROOT [WORD], as for tests/cli/command.py."""

import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

# pylint: disable=wrong-import-position
import browser
import clip
from command import GATE, ROOT, case, check, fovea, read, report, run, write
from server import Server
from viewer import (END, ESCAPE, FRAMES, HEIGHT, HOME, MAP, RIGHT, SCORED, SHOWN, WIDTH, bad_part, expected_rgb,
                    is_content, needs_browser, note, opened, seen, videos)


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
    """On a phone, the switch of encodes is above the picture and large enough for a finger, and the picture is never
    blank while it plays."""
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
def the_sentence_and_its_segments():
    """The page shows the report's sentence. A click on a segment's block, its row, or the button above the picture
    loops the segment, and another click stops the loop."""
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
        # The loop is a quarter of a second longer at each end.
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
def addresses_hold_everything():
    """An address restores everything that keys and clicks changed, in another window."""
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
    """An encode is refused when it is read. The refusal counts once, and the other encodes keep their means, also
    after the user chooses the refused encode and another one."""
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
    """Prints how long drawing takes, and does not judge it, since it depends on the machine."""
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
    with open(os.path.join(ROOT, "web", name), encoding="utf-8") as file:
        return file.read()


run(browser.Browser.again)
