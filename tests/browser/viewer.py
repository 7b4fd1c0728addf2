"""Functions that the viewer's tests in a browser share: videos, addresses, and queries of a page."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

# pylint: disable=wrong-import-position
import browser
import clip
import pixels
from command import Skipped, check, write

MISSING = browser.missing()
WIDTH, HEIGHT, FRAMES = 160, 96, 12
SHOWN = "return canvas.dataset.frame === '%d' && canvas.dataset.mode === '%s'"
MAP = "return canvas.dataset.frame === '%d' && (canvas.dataset.map || '').startsWith('%d,%s')"
SCORED = "return typeof scored !== 'undefined' && scored && rows.size > 0"
PIXELS = """const [name, second] = arguments, from = document.getElementById(name), {left, top} = place(),
    of = sideOf(1);
const copy = new OffscreenCanvas(from.width, from.height).getContext("2d");
copy.drawImage(from, 0, 0);
return Array.from(copy.getImageData(left + (second ? paneWidth() + 2 : 0), top, of.width, of.height).data)"""
LEFT, RIGHT, END, HOME, TAB, ESCAPE = "\ue012", "\ue014", "\ue010", "\ue011", "\ue004", "\ue00c"


def needs_browser():
    if MISSING:
        raise Skipped(MISSING)


def is_content(page):
    complaints = page.complaints()
    check(not complaints, f"the console says {complaints}")


def note(text):
    print(f"# {text}", flush=True)


def videos(depth=8, hold=0, frames=FRAMES, width=WIDTH, height=HEIGHT):
    """Writes a pair whose frames have different noise. With `hold`, pictures stay the same for `hold` frames."""
    write("r.y4m", clip.y4m(frames, width=width, height=height, depth=depth, seed=3, hold=hold))
    write("d.y4m", clip.y4m(frames, width=width, height=height, depth=depth, seed=4 + frames, hold=hold))
    return "-r", "r.y4m", "-d", "d.y4m"


def address(server, **state):
    fragment = "&".join(f"{k}={v}" for k, v in state.items())
    return f"http://127.0.0.1:{server.port}/{server.token}/#{fragment}"


def expected_rgb(number, depth=8, name="d.y4m"):
    return pixels.expected_rgb(number, depth, WIDTH, HEIGHT, name)


def seen(page, second=False, name="picture"):
    """Returns red, green and blue of the picture that a canvas shows one to one. In side-by-side mode, `second`
    chooses the second picture."""
    return bytes(v for i, v in enumerate(page.run(PIXELS, name, second)) if i % 4 < 3)


def opened(server, width=1280, height=720, **state):
    """Opens the page and returns it once the picture and the scores are there."""
    page = browser.Browser.get()
    page.look(width, height)
    page.open(address(server, **state))
    page.wait(SCORED, "the scores")
    page.wait("return canvas.dataset.frame", "the picture")
    return page


def cut(left, right, column):
    """Returns a picture with the first columns of `left` and the other columns of `right`."""
    row = 3 * WIDTH
    return b"".join(left[at:at + 3 * column] + right[at + 3 * column:at + row] for at in range(0, len(left), row))


def bad_part(frames=100, first=25, count=13):
    """Writes a pair whose encode is bad for half a second: its mean is good, and that part is two grades lower."""
    size = 96 * 64 * 3 // 2
    header, *pictures = clip.y4m(frames, width=96, height=64, seed=3, hold=frames).split(b"FRAME\n")
    shifted = [bytes(min(255, v + (40 if i % 7 == 0 else 0)) for i, v in enumerate(p[:size]))
               if first <= n < first + count else
               bytes([p[0] ^ 1]) + p[1:] for n, p in enumerate(pictures)]
    write("r.y4m", b"FRAME\n".join([header, *pictures]))
    write("d.y4m", b"FRAME\n".join([header, *shifted]))
    return "-r", "r.y4m", "-d", "d.y4m", "-m", "psnr"
