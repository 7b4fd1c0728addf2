"""Tests the report page in a real browser: pixels, keys, sizes, contrast, names of controls, printing on paper, and a
long clip."""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

import browser # pylint: disable=wrong-import-position
import clip # pylint: disable=wrong-import-position
import pixels # pylint: disable=wrong-import-position
# pylint: disable=wrong-import-position
from command import GATE, INPUT, Skipped, case, check, ffmpeg, fovea, read, report, run, write

WHY = browser.missing()
WIDTH, HEIGHT = 224, 128


def open_page(name, width=1280, height=720, dark=False, has_script=True):
    if WHY:
        raise Skipped(WHY)
    page = browser.Browser.get()
    page.look(width, height, dark)
    page.open(f"file://{os.getcwd()}/{name}")
    if has_script:
        page.wait("return document.body.dataset.ready === 'yes'", "the page")
    return page


def videos(frames=12):
    write("r.y4m", clip.y4m(frames, width=WIDTH, height=HEIGHT))
    write("d.y4m", clip.y4m(frames, width=WIDTH, height=HEIGHT, seed=5))


def full_page():
    videos()
    fovea("score", "r.y4m", "d.y4m", "-m", "psnr,vdm,cambi,ssimulacra2,butteraugli,psnr_hvs,xpsnr",
          "--intervals", "0.2", "--scenes", "--fail-below", "psnr_y=99", "--fail-below", "psnr_hvs=1:p5",
          "-o", "page.html", "-o", "page.json", status=GATE)


@case
def pixels_modes_and_keys():
    if WHY:
        raise Skipped(WHY)
    name = "<img src=x onerror=document.title='broken'>.y4m"
    videos()
    write(name, read("d.y4m"))
    fovea("score", "r.y4m", name, "-m", "psnr,vdm", "-o", "report.html")
    page = open_page("report.html")
    check(page.text("h1") == f"{name} against r.y4m", f"heading {page.text('h1')}")
    check(page.driver.title == f"{name} against r.y4m · fovea report", f"title {page.driver.title}")
    fovea("score", "r.y4m", name, "-m", "psnr,vdm", "-o", "report.json")
    sentence = report("report.json")["verdict"]["sentence"]
    check(sentence.startswith(page.text(".word").strip().rstrip(".")),
          f"the headline is {page.text('.word')}, the verdict {sentence}")
    check(len(page.run("return [...document.querySelectorAll('.tile')]")) == 2, "not two tiles")
    if page.run("return document.querySelector('#worst').hidden"):
        raise Skipped("this build has no libpng")
    frame = page.run("return +document.querySelector('#moments [aria-pressed=true]').dataset.frame")
    shown = page.run("""document.querySelector('[data-mode=distorted]').click();
        const c = document.querySelector('#moments [aria-pressed=true] img'),
          w = new OffscreenCanvas(c.naturalWidth, c.naturalHeight);
        w.getContext('2d').drawImage(c, 0, 0);
        return Array.from(w.getContext('2d').getImageData(0, 0, w.width, w.height).data)""")
    check(bytes(v for i, v in enumerate(shown) if i % 4 < 3) == pixels.expected_rgb(frame, 8, WIDTH, HEIGHT),
          f"other pixels of frame {frame}")
    before = page.run("return document.querySelector('#picture').toDataURL()")
    page.element("[data-mode=distorted]").send_keys("\ue014")
    check(page.run("return document.querySelector('[data-mode=reference]').getAttribute('aria-checked')") == "true",
          "an arrow key does not choose the next mode")
    check(page.run("return document.querySelector('#picture').toDataURL()") != before,
          "the same picture in another mode")
    for mode in ("split", "difference", "map", "overlay"):
        page.run(f"document.querySelector('[data-mode={mode}]').click()")
    page.element("#plot").send_keys("\ue011")
    check("frame 0" in page.text("#readout"), page.text("#readout"))
    page.element("#plot").send_keys("\ue014")
    check("frame 1" in page.text("#readout"), page.text("#readout"))
    page.element("#plot").send_keys("w")
    check(page.run("return document.querySelector('#plot').getAttribute('aria-valuetext')").count(","),
          "no spoken value")
    check(not page.complaints(), "the page complains")


CUT = """
return [...document.querySelectorAll('h1, h2, p, li, td, th, .tile, .value, .grade, .name, summary, button')]
  .filter(e => e.getClientRects().length &&
  !e.closest('.chips, .wide, .print') && e.scrollWidth > e.clientWidth + 1 &&
    getComputedStyle(e).display !== 'inline').map(e => e.outerHTML.slice(0, 120))"""


def fits(page, width, what):
    check(page.run("return document.documentElement.scrollWidth") <= width, f"{what}: wider than the screen")
    check(not page.run(browser.NAMES), f"{what}: controls without a name: {page.run(browser.NAMES)}")
    check(not page.run(browser.ROLES), f"{what}: {page.run(browser.ROLES)}")
    check(not page.run(CUT), f"{what}: text is cut: {page.run(CUT)}")
    check(not page.run(browser.CONTRAST), f"{what}: low contrast: {page.run(browser.CONTRAST)}")
    levels = page.run("return [...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    check(levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:])), f"headings {levels}")
    check(not page.complaints(), f"{what}: the page complains")


@case
def pages_that_have_less_to_say():
    """A page leaves out times for one picture, worst moments for identical videos, and a word for PSNR with HDR,
    whose pictures it converts for this screen."""
    videos(1)
    fovea("score", "r.y4m", "d.y4m", "-m", "psnr,cambi,ssimulacra2", "-o", "still.html")
    page = open_page("still.html")
    text = page.run("return document.querySelector('header').innerText + document.querySelector('main').innerText")
    for word in ("a second", "worst 5 %", "0:00", "Worst moments", "Over time"):
        check(word not in text, f"a still has '{word}': {text}")
    fits(page, 1280, "a still")
    videos()
    fovea("score", "r.y4m", "r.y4m", "-m", "psnr,psnr_hvs", "-o", "same.html")
    page = open_page("same.html")
    check("Every sample of all frames is equal." in page.text(".says") and "twenty" not in page.text(".says"),
          page.text(".says"))
    check(page.run("return document.querySelector('#worst').hidden && !document.querySelectorAll('.mark').length"),
          "a worst moment")
    room = page.run("const w = e => e.getBoundingClientRect().width; return w(document.querySelector('#tiles')) - "
                    "[...document.querySelectorAll('.tile')].reduce((s, e) => s + w(e), 0)")
    check(room < 8, f"{room} px next to two tiles are empty")
    tags = [f"--{tag}-{side}={value}" for side in ("ref", "dis") for tag,
            value in (("transfer", "pq"), ("primaries", "bt2020"), ("matrix", "bt2020"))]
    fovea("score", "r.y4m", "d.y4m", "-m", "psnr", *tags, "-o", "hdr.html")
    page = open_page("hdr.html")
    check(page.run("return !document.querySelector('.word .meter') && !document.querySelector('.tile .meter')"),
          "PSNR of PQ has a word")
    if not page.run("return document.querySelector('#worst').hidden"):
        check("PQ, tone-mapped for this screen: BT.2390" in page.text("#worst"), page.text("#worst"))
    fits(page, 1280, "HDR")


@case
def begins_with_a_picture():
    """Also where the worst frames of two scores are so near that the page has a picture of one of them only."""
    if WHY:
        raise Skipped(WHY)
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=640x360:r=25,noise=alls=5:allf=t", "-frames:v", "150", "-pix_fmt",
           "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "14", "r.mp4")
    ffmpeg("-i", "r.mp4", "-vf", "boxblur=4:1:enable='between(t,2,4)'", "-c:v", "libx264", "-preset", "veryfast",
           "-crf", "22", "d.mp4")
    fovea("score", "r.mp4", "d.mp4", "-m", "psnr,ssimulacra2,xpsnr", "-o", "page.html")
    page = open_page("page.html")
    check(page.run("return document.querySelector('#none').hidden"), page.text("#about"))


# Labels of the chart that lie on each other, or leave the chart.
OVERLAPS = """
const boxes = [...document.querySelectorAll('#chart text')].map(e => [e.textContent, e.getBoundingClientRect()])
  .filter(([, b]) => b.width), all = document.querySelector('#chart').getBoundingClientRect();
return boxes.flatMap(([a, x], i) => boxes.slice(i + 1)
  .filter(([, y]) => x.left < y.right - 0.5 && y.left < x.right - 0.5 && x.top < y.bottom - 2 && y.top < x.bottom - 2)
  .map(([b]) => `${a} / ${b}`)).concat(boxes
  .filter(([, b]) => b.left < all.left - 1 || b.right > all.right + 1 || b.top < all.top - 2 ||
    b.bottom > all.bottom + 2).map(([a]) => `${a} / the edge`))"""


def ladder_page(*options):
    """Makes the page of twelve encodes in two groups, and of a truncated encode that fovea refuses."""
    write("r.y4m", clip.y4m(12, width=WIDTH, height=WIDTH))
    names = []
    for group, codec in (("a", "mpeg2video"), ("b", "mpeg4")):
        for scale in (2, 4, 7, 12, 20, 31):
            names.append(f"{group}_rather_long_name_of_{'an' if scale < 10 else 'another'}_encode_{scale}.mkv")
            ffmpeg("-i", "r.y4m", "-c:v", codec, "-q:v", str(scale), names[-1])
    write("cut.mkv", read(names[0])[:200])
    fovea("score", "r.y4m", *names, "cut.mkv", "-m", "psnr,ssimulacra2,xpsnr", *options, "-o", "all.html",
          "-o", "all.json", status=INPUT, says="cut.mkv")
    return names


@case
def many_encodes():
    """The page of all encodes begins with the pick, which follows the gate. Nothing is cut, too wide, or covered."""
    if WHY:
        raise Skipped(WHY)
    ladder_page("--fail-below", "psnr_y=33:p5")
    data = json.loads(read("all.json"))
    for width, height, dark in ((390, 844, True), (768, 900, False), (1024, 768, True), (1440, 900, False)):
        page, what = open_page("all.html", width, height, dark), f"{width}x{height}"
        page.run("for (const d of document.querySelectorAll('details')) d.open = true")
        fits(page, width, what)
        check(data["pick"]["path"] == page.text("#word").replace("Ship ", ""),
              f"{what}: {page.text('#word')} is not {data['pick']}")
        check(not page.run(OVERLAPS), f"{what}: labels lie on each other: {page.run(OVERLAPS)}")
        check(page.run("return document.querySelectorAll('#rungs tbody tr').length") == 13, "not a row for each")
    cheapest = min(data["encodes"][:12], key=lambda e: e["bit_rate"])["path"]
    page.run("const l = document.querySelector('#limit'); l.value = l.min; l.dispatchEvent(new Event('input'))")
    check(page.text("#word") == f"Ship {cheapest}" and "Changed on this page" in page.text("#says"),
          page.text(".verdict"))
    check("limit=" in page.run("return location.hash"), "the address forgets the gate")
    page.run("location.reload()")
    page.wait("return document.body.dataset.ready === 'yes'", "the page")
    check(page.text("#word") == f"Ship {cheapest}", "another gate after a reload")
    page.run("document.querySelector('#poolof').value = 'none'; document.querySelector('#poolof').dispatchEvent(new "
             "Event('change'))")
    check(page.text("#word").startswith("Best value: "), page.text("#word"))
    page.run("document.querySelector('#rungs tbody tr:nth-child(3) button').focus()")
    page.keys("\ue007")
    check(page.run("return document.querySelector('#rungs tbody tr:nth-child(3) button') === document.activeElement"),
          "the focus is gone")
    check(page.run("return document.querySelector('#rungs tbody tr:nth-child(3) "
                   "button').getAttribute('aria-pressed') === 'true'"), "Enter chooses no picture")
    page.element("[data-mode=split]").send_keys("\ue014")
    check(page.run("return document.activeElement.dataset.mode") == "encode",
          "an arrow key does not choose the next mode")
    pages = page.print()[0]
    check(pages == 2, f"{pages} pages of paper")
    check(not page.complaints(), "the page complains")


def chart_is_legible(page, what):
    page.run("dispatchEvent(new Event('resize'))")
    count = page.run("return document.querySelectorAll('#chart .codec, #chart .name').length")
    check(count and not page.run(OVERLAPS), f"{what}: {count} labels, lying on each other: {page.run(OVERLAPS)}")


@case
def labels_of_any_number_of_encodes():
    """No label of the chart lies on another one, however many encodes it has, wherever the gate is."""
    if WHY:
        raise Skipped(WHY)
    write("r.y4m", clip.y4m(6, width=WIDTH, height=96, hold=6))
    names = []
    for scale in (2, 3, 4, 6, 8, 11, 15, 20, 26, 31):
        for group, codec in (("a", "mpeg2video"), ("b", "mpeg4"), ("old_group", "mpeg1video"), ("c", "mjpeg")):
            names.append(f"{group}_96p_q{scale}.mkv")
            ffmpeg("-i", "r.y4m", "-pix_fmt", "yuvj420p" if group == "c" else "yuv420p", "-c:v", codec, "-q:v",
                   str(scale), names[-1])
    for count in (1, 2, 6, 8, 20, 40):
        fovea("score", "r.y4m", *names[:count], "-m", "psnr", "--ignore-range", "-o", "all.html")
        if count == 1:
            check(not open_page("all.html").run("return document.querySelector('#chart')"), "a chart of one encode")
            continue
        for width, height in ((1440, 900), (1024, 768), (390, 844)):
            page = open_page("all.html", width, height)
            chart_is_legible(page, f"{count} encodes, {width} px, no gate")
            page.run("const gate = document.querySelector('#poolof'); gate.value = '0';"
                     "gate.dispatchEvent(new Event('change'))")
            for part in (0, 0.35, 0.7, 1):
                page.run("const l = document.querySelector('#limit'); "
                         "l.value = +l.min + arguments[0] * (l.max - l.min); "
                         "l.dispatchEvent(new Event('input'))", part)
                chart_is_legible(page, f"{count} encodes, {width} px, gate at {part}")
            fits(page, width, f"{count} encodes")
        page = open_page("all.html")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": 688, "height": 972, "deviceScaleFactor": 1, "mobile": False})
        page.run("dispatchEvent(new Event('beforeprint'))")
        check(not page.run(OVERLAPS), f"{count} encodes on paper: {page.run(OVERLAPS)}")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@case
def encodes_without_rates():
    """Without rates there is no pick and no chart. Any number of scores fits, and remedies use the command's
    words."""
    write("r.y4m", clip.y4m(2, width=WIDTH, height=160))
    names = [f"a_rather_long_name_of_an_encode_{i}.y4m" for i in range(3)]
    for seed, name in enumerate(names, 5):
        write(name, clip.y4m(2, width=WIDTH, height=160, seed=seed))
    fovea("score", "r.y4m", *names, "-m", "vmaf,psnr,cambi,ssimulacra2,butteraugli,xpsnr,vdm,cvvdp",
          "--fail-below", "psnr_y=99", "-o", "all.html", status=GATE)
    body = re.sub(r"<script>.*?</script>", "", read("all.html").decode(), flags=re.S)
    check("`" not in body and "Add --scale" in body, "a remedy is not an option")
    for width, dark in ((390, True), (1280, False)):
        page = open_page("all.html", width, 844, dark)
        fits(page, width, str(width))
        check(page.text("#word") == "No encode passes" and page.run("return document.querySelector('#rate').hidden"),
              page.text("#word"))


@case
def every_size_light_and_dark():
    """Nothing is wider than the screen, no text is cut, every control has a name, and text has the contrast that
    WCAG's level AA requires."""
    if WHY:
        raise Skipped(WHY)
    full_page()
    for width, height in browser.SIZES:
        for dark in (False, True):
            page, what = open_page("page.html", width, height, dark), f"{width}x{height}{' dark' if dark else ''}"
            page.run("for (const d of document.querySelectorAll('details')) d.open = true")
            fits(page, width, what)


@case
def paper():
    """The report prints on a few A4 pages, without columns so narrow that they hold single letters."""
    if WHY:
        raise Skipped(WHY)
    full_page()
    page = open_page("page.html")
    pages, pdf = page.print()
    check(2 <= pages <= 6, f"{pages} pages")
    check(re.search(rb"/MediaBox\s*\[\s*0 0 59[45]\.?\d* 84[12]", pdf), "not A4")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                {"width": 688, "height": 972, "deviceScaleFactor": 1, "mobile": False})
    page.run("for (const d of document.querySelectorAll('details')) d.open = true")
    narrow = page.run("""return [...document.querySelectorAll('td, th, p, li')]
        .filter(e => e.getClientRects().length && e.textContent.trim().length > 12 &&
        e.clientHeight > 6 * 12 && e.clientWidth < 60).map(e => e.textContent)""")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    check(not narrow, f"columns of letters: {narrow}")


@case
def without_a_script():
    """The verdict, the gates and the tables are text, so they show without the script."""
    full_page()
    text = read("page.html").decode()
    body = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    mean = report("page.json")["pooled"]["psnr_y"]["mean"]
    for words in ("Gate failed:", "Gate passed:", f"{mean:.2f}", "PSNR-HVS", "<h2 id=\"h-all\">Details</h2>",
                  "Intervals"):
        check(words in body, f"the page without its script lacks {words}")


@case
def twenty_thousand_frames():
    if WHY:
        raise Skipped(WHY)
    header, frame = clip.y4m(1, width=48, height=32).split(b"FRAME\n")
    other = clip.y4m(1, width=48, height=32, seed=3).split(b"FRAME\n")[1]
    write("r.y4m", header + (b"FRAME\n" + frame) * 20000)
    write("d.y4m", header + b"".join(b"FRAME\n" + (other if i == 12345 else frame) for i in range(20000)))
    fovea("score", "r.y4m", "d.y4m", "-m", "psnr", "-o", "long.html")
    check(len(read("long.html")) < 1_500_000, "the page is too large")
    page = open_page("long.html")
    check("12345" in page.text("#readout"), page.text("#readout"))
    page.element("#plot").send_keys("\ue010")
    check("19999" in page.text("#readout"), page.text("#readout"))
    page.run("for (let i = 0; i < 9; i++) document.querySelector('[aria-label=\"Zoom in\"]').click()")
    page.element("#plot").send_keys("w")
    check("12345" in page.text("#readout"), page.text("#readout"))
    check(not page.complaints(), "the page complains")


run(browser.Browser.again)
