"""Tests the viewer's drawing in a real browser. Pixels that are read back equal what fovea decode and fovea map
write, in every mode, for stills and HDR, magnified and on paper. Usage: maps.py FOVEA SOURCE_ROOT [WORD], as for
tests/cli/command.py."""

import contextlib
import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

# pylint: disable=wrong-import-position
import browser
import clip
import pixels
from command import case, check, fovea, read, report, run, write
from png import png
from server import Server
from viewer import (ESCAPE, FRAMES, HEIGHT, LEFT, MAP, RIGHT, SHOWN, WIDTH, address, cut, expected_rgb, is_content,
                    needs_browser, note, opened, seen, videos)

SIZE = WIDTH * HEIGHT * 3 // 2


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
    """Returns the worst frame of a distorted video that is bad in one place only."""
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


@contextlib.contextmanager
def split_view():
    """Yields the page at frame 2 of a pair, in split view."""
    with Server(*videos(), "-m", "psnr") as server:
        page = opened(server, frame=2, mode="split")
        page.wait(SHOWN % (2, "split"), "the split")
        yield page


@case
def pointer_and_split():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    with split_view() as page:
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
    """Returns a sample of BT.2020's PQ as sRGB: BT.2390's curve on the greatest component, with white at 203
    cd/m²."""
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
def magnifier_hover_and_a_split_that_follows():
    needs_browser()
    from selenium.webdriver.common.action_chains import ActionChains
    with split_view() as page:
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
def paper():
    """The viewer prints on one page, without controls."""
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


run(browser.Browser.again)
