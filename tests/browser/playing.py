"""Tests in a real browser how the viewer plays: both videos in step, with and without a GPU, by keyboard, at every
size, on slow and broken connections, and after the server has ended. Usage: playing.py FOVEA SOURCE_ROOT [WORD], as
for tests/cli/command.py."""

import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

# pylint: disable=wrong-import-position
import browser
import clip
from command import case, check, ffmpeg, fovea, read, report, run, write
from server import Server
from viewer import (END, ESCAPE, FRAMES, HEIGHT, HOME, LEFT, MAP, PIXELS, RIGHT, SCORED, SHOWN, TAB, WIDTH, address,
                    bad_part, cut, expected_rgb, is_content, needs_browser, note, opened, seen, videos)


def state_of(page):
    return page.run("return {frame: state.frame, shown: shownFrame, count: player.count, dropped: player.dropped, "
                    "playing: player.playing}")


@case
def plays_both_videos_in_step():
    needs_browser()
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, zoom=1, mode="both", gl=1)
        page.keys(" ")
        page.wait("return player.count > 2 * 12", "more frames than the clip has") # plays the clip repeatedly
        check(not page.run("return moving.hidden"), "the browser has no WebGL 2")
        for _ in range(3): # both videos must show one frame, whichever it is now
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
        page.keys("R") # ends the repetition
        page.run("goTo(8)")
        page.keys(" ")
        page.wait(f"return !player.playing && state.frame === {FRAMES - 1}", "the end")
        page.wait(SHOWN % (FRAMES - 1, "both"), "the last frame")
        is_content(page)


def coded_videos(**codecs):
    """Writes a reference, r.mp4, and encodes of it, each named by its arguments for ffmpeg; skips codecs that this
    ffmpeg lacks. Returns the names of the encodes."""
    write("r.y4m", clip.y4m(CODED, width=WIDTH, height=HEIGHT, seed=3))
    ffmpeg("-i", "r.y4m", *H264, "-g", "12", "-bf", "3", "r.mp4")
    for name, args in codecs.items():
        ffmpeg(*args, name.replace("_", "."))
    return [name.replace("_", ".") for name in codecs]


CODED = 40 # frames of coded videos
H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")

# Decodes a side by the browser from two frames on, and compares each frame with the server's samples. Returns what
# differs, and how many were compared.
COMPARE = """const [encode, side, begins, done] = arguments; (async () => {
  takeEncode(encode);
  const config = await codingOf(side), wrong = [], last = lastFrame();
  if (!config) return done([[undecoded.get(`${encode},${side}`).why], 0]);
  const feed = new Feed(side, config);
  let count = 0;
  for (const begin of begins) {
    const all = [];
    for (let frame = begin; frame <= last; frame++) all.push(feed.get(frame, () => true));
    for (let i = 0; i < all.length; i++, count++) {
      const {planes} = await all[i], exact = await loadPicture(side, begin + i, encode);
      if (planes.some((plane, p) => plane.some((v, at) => v !== exact.planes[p][at]))) wrong.push(begin + i);
    }
  }
  feed.close();
  done([wrong, count]);
})().catch(error => done([[String(error)], 0]))"""


@case
def the_browsers_frames_have_the_numbers_of_the_scores():
    """Frames that are shown in another order than they are coded, that an edit list or an open group of pictures
    leaves out, of variable rate, without times of decoding, and of every codec that browsers have."""
    needs_browser()
    b = ("-g", "12", "-bf", "3")
    same = coded_videos(
        b_mp4=("-i", "r.y4m", *H264, *b, "-crf", "40"), b_mkv=("-i", "r.y4m", *H264, *b, "-crf", "40"),
        open_mp4=("-i", "r.y4m", *H264, *b, "-x264-params", "open-gop=1:scenecut=0", "-crf", "40"),
        b_ts=("-i", "r.y4m", *H264, *b, "-crf", "40"), vp9_webm=("-i", "r.y4m", "-c:v", "libvpx-vp9", "-deadline",
                                                                   "realtime", "-g", "12", "-auto-alt-ref", "1"),
        vp8_webm=("-i", "r.y4m", "-c:v", "libvpx", "-g", "12", "-auto-alt-ref", "1", "-lag-in-frames", "16"),
        av1_mp4=("-i", "r.y4m", "-c:v", "libsvtav1", "-preset", "12", "-g", "12"))
    shorter = coded_videos(
        cut_mp4=("-ss", "0.36", "-i", "b.mp4", "-c", "copy"),
        rate_mkv=("-i", "r.y4m", *H264, *b, "-vf", "select='not(eq(mod(n,5),3))'", "-vsync", "vfr"))
    for encodes, args in ((same, ()), (shorter, ("--shortest", "--ignore-rate"))):
        with Server("r.mp4", *encodes, "-m", "psnr", *args) as server:
            page = opened(server)
            page.driver.set_script_timeout(90)
            for number, name in enumerate(["r.mp4", *encodes]):
                wrong, count = page.driver.execute_async_script(COMPARE, max(1, number), int(number > 0), [0, 17, 26])
                check(not wrong and count >= 3 * 28 - 43, f"{name}: of {count} frames these differ: {wrong}")
                note(f"{name}: {count} frames")
            is_content(page)


# Counts what is played: the numbers of the frames that are shown, whether as previews, and requests for the server's.
WATCHED = """window.seenFrames = []; window.exactRequests = 0;
  const show = setShown, before = ask;
  setShown = (pair, frame) => {
    if (player.playing && pair[1]) seenFrames.push([frame, pair.map(p => p.preview)]);
    show(pair, frame);
  };
  ask = (what, cache) => {
    exactRequests += what.startsWith("frame?") && player.playing;
    return before(what, cache);
  };"""


def plays_in_order(page, label):
    """Plays the clip several times, with a label that begins so, and returns what was shown."""
    page.run(WATCHED)
    page.keys(" ")
    page.wait(f"return player.count > {CODED} && document.getElementById('state').textContent.startsWith("
              f"{json.dumps(label)})", f"the label '{label}'")
    shown, step, told, requests = page.run("const all = [seenFrames, player.step, player.count + player.dropped, "
                                           "exactRequests]; pause(); return all")
    check(step == told, f"{told} frames are shown or dropped in {step}")
    frames = [frame for frame, _ in shown]
    turns = sum(b < a for a, b in zip(frames, frames[1:]))
    check(turns <= step // CODED + 1, f"not in order: {frames}")
    page.wait("return shownFrame === state.frame && !isPreview() && document.getElementById('state').textContent === "
              "`exact samples, frame ${state.frame}`", "exact samples")
    exact = page.run("return shown.map(p => Array.from(p.planes[0].subarray(0, 500)))")
    wanted = page.driver.execute_async_script("""const done = arguments[0];
        Promise.all([0, 1].map(side => fetch(frameRequest(side, state.frame)).then(r => r.arrayBuffer())))
          .then(all => done(all.map(b => Array.from(new Uint8Array(b).subarray(0, 500)))))""")
    check(exact == wanted, "other samples at rest")
    is_content(page)
    return [previews for _, previews in shown], requests


@case
def plays_as_the_browser_decodes():
    needs_browser()
    coded_videos(d_mp4=("-i", "r.y4m", *H264, "-crf", "40"))
    with Server("r.mp4", "d.mp4", "-m", "psnr") as server:
        page = opened(server, mode="split")
        previews, requests = plays_in_order(page, "preview, as the browser decodes it")
        check(all(pair == [True, True] for pair in previews), f"other frames are shown: {previews}")
        check(requests == 0, f"the server decodes {requests} frames")
        page.run("setSpeed(0)")
        page.keys("l")
        page.wait("return player.playing && shown.every(p => p && !p.preview)", "exact samples of every frame")
        page.keys("k")


@case
def plays_on_without_the_browsers_decoder():
    """The server decodes where the browser does not, or fails, or where the samples of a side are others; and the
    page says so."""
    needs_browser()
    coded_videos(d_mp4=("-i", "r.y4m", *H264, "-crf", "40"), small_mp4=("-i", "r.y4m", *H264, "-s", "80x48"))
    lacking = "; decoded by fovea: this browser has no WebCodecs"
    failing = ", reference as the browser decodes it; the other by fovea: the browser cannot decode d.mp4: damage"
    unknown = "; decoded by fovea: this browser does not decode r.mp4's avc1."
    for change, label, previews in (
            ("delete window.VideoDecoder", lacking, {(False, False)}),
            ("VideoDecoder.isConfigSupported = async () => ({supported: false})", unknown, {(False, False)}),
            ("""const decode = Feed.prototype.decode; Feed.prototype.decode = function () {
              if (this.side === 1 && this.packets[0].number === 9) this.fail(new Error('damage'));
              else decode.call(this); }""", failing, {(True, True), (True, False)})):
        with Server("r.mp4", "d.mp4", "-m", "psnr") as server:
            page = opened(server, mode="split")
            page.run(change)
            got, _ = plays_in_order(page, "preview" + label)
            check({tuple(pair) for pair in got} <= previews, f"{label}: {got}")
    with Server("r.mp4", "small.mp4", "-m", "psnr", "--scale", "dis") as server:
        page = opened(server, mode="split")
        got, _ = plays_in_order(page, "preview, reference as the browser decodes it")
        check("; " not in page.text("#state"), "a reason that is not the browser's")
        check({tuple(pair) for pair in got} == {(True, False)}, f"scaled: {got}")


@case
def draws_the_score_of_the_verdict():
    needs_browser()
    with Server(*videos(), "-m", "psnr,ssimulacra2") as server:
        page = opened(server)
        check(page.run("return state.score") == "ssimulacra2", "the curve is of another score than the verdict")


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
    """If a browser emulates its GPU, the page draws without it, which is faster."""
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
    """Only the panel scrolls, nothing is wider than the screen, controls have names, and text has the contrast that
    WCAG's level AA requires."""
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
                check(not page.run(browser.ROLES), f"{what}: {page.run(browser.ROLES)}")
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
def videos_that_state_no_frame_count():
    """Pages opened at a frame and opened again show the scores, and the plot has the length of the scored clip."""
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
        for length in (0, 1, 2): # lengths of a plot that lacks the frame
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
    with Server(*videos(), "-m", "psnr", "--port", str(port)): # another server at the same port has another token
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


run(browser.Browser.again)
