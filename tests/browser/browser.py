"""Drives Debian's chromium, through its chromedriver and python3-selenium, for the tests of pages."""

import atexit
import base64
import os
import re
import sys
import time

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
DEBIAN_PYTHON = "/usr/bin/python3"

SIZES = ((1280, 720), (1920, 1080), (390, 844))

# Scripts that list controls without a name, and texts with too little contrast.
NAMES = """
const hidden = e => !e.offsetParent && getComputedStyle(e).position !== 'fixed';
return [...document.querySelectorAll('button, input, select, a, [role=slider], [role=img], img')]
  .filter(e => !(e.closest('.print')) && !hidden(e) &&
  !(e.getAttribute('aria-label') || e.tagName !== 'SELECT' && e.textContent.trim() || e.alt !== undefined &&
    e.hasAttribute('alt') || (e.labels && e.labels.length && [...e.labels].some(l => l.textContent.trim()))))
  .map(e => e.outerHTML.slice(0, 120))"""

CONTRAST = """
const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const parse = t => (t.match(/[0-9.]+/g) || []).map(Number);
const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
const wrong = [];
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('#look, script, .print, noscript') || !e.getClientRects().length) continue;
  const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own) continue;
  const style = getComputedStyle(e), text = parse(e instanceof SVGElement ? style.fill : style.color);
  let back = null;
  for (let a = e; a && !back; a = a.parentElement) {
    const c = parse(getComputedStyle(a).backgroundColor);
    if (c.length === 3 || c[3] > 0.9) back = c;
  }
  const [x, y] = [light(text), light(back || [255, 255, 255])],
    ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  if (ratio < 4.5) wrong.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 30)}`);
}
return wrong"""


# Lists what WAI-ARIA and HTML forbid: broken references, roles without their children or states, jumps of the tab
# order.
ROLES = """
const wrong = [], all = q => [...document.querySelectorAll(q)], tell = (why, e) =>
  wrong.push(`${why}: ${e.outerHTML.slice(0, 100)}`);
const shown = e => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden';
if (!document.documentElement.lang) wrong.push('no lang');
if (!document.title.trim()) wrong.push('no title');
if (all('main').length !== 1) wrong.push(`${all('main').length} main`);
if (all('h1').filter(shown).length > 1) wrong.push('several h1');
const ids = all('[id]').map(e => e.id);
for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) wrong.push(`the id ${id} twice`);
for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls'])
  for (const e of all(`[${name}]`))
    if (!e.getAttribute(name).split(/\\s+/).every(id => document.getElementById(id)))
      tell(`${name} leads nowhere`, e);
for (const e of all('label[for]')) if (!document.getElementById(e.htmlFor)) tell('a label of nothing', e);
for (const e of all('[tabindex]')) if (e.tabIndex > 0) tell('an order of its own', e);
const CHILD = { radiogroup: '[role=radio], input[type=radio]', list: '[role=listitem]', listbox: '[role=option]',
  tablist: '[role=tab]', menu: '[role^=menuitem]' };
const OWNER = { radio: 'radiogroup', option: 'listbox', tab: 'tablist', listitem: 'list' };
const STATE = { radio: 'aria-checked', checkbox: 'aria-checked', switch: 'aria-checked', tab: 'aria-selected',
  option: 'aria-selected', slider: 'aria-valuenow' };
for (const e of all('[role]').filter(shown)) {
  const role = e.getAttribute('role');
  if (CHILD[role] && !e.querySelector(CHILD[role])) tell(`${role} without a child`, e);
  if (OWNER[role] && !e.closest(`[role=${OWNER[role]}]`)) tell(`${role} outside of ${OWNER[role]}`, e);
  if (STATE[role] && !e.hasAttribute(STATE[role]) && !('checked' in e)) tell(`${role} without ${STATE[role]}`, e);
  if (role === 'group' && !e.hasAttribute('aria-label') && !e.hasAttribute('aria-labelledby'))
    tell('a group without a name', e);
}
for (const e of all('button, a[href], [role=button], summary'))
  if (e.querySelector('button, a[href], input, select, textarea, [tabindex]:not([tabindex="-1"])'))
    tell('a control in a control', e);
for (const e of all('[aria-hidden=true]'))
  if (e.querySelector('button, a[href], input, select, textarea') && shown(e)) tell('a hidden control', e);
for (const e of all('ul, ol'))
  if ([...e.children].some(c => !['LI', 'SCRIPT', 'TEMPLATE'].includes(c.tagName)) && !e.hasAttribute('role'))
    tell('a list of something else', e);
for (const e of all('svg').filter(shown))
  if (!e.closest('[aria-hidden=true]') && !e.hasAttribute('role') && !e.querySelector('title'))
    tell('a drawing without a role', e);
for (const e of all('table').filter(shown))
  if (e.rows.length && !e.querySelector('th')) tell('a table without headings', e);
for (const e of all('button, [role=button], [role=radio], a[href], input, select').filter(shown)) {
  const r = e.getBoundingClientRect();
  if (r.width < 24 && r.height < 24 && e.type !== 'checkbox' && e.type !== 'radio')
    tell('a target below 24 by 24', e);
}
return wrong"""


def missing():
    """Returns why these tests cannot run, or None. Restarts the test in Debian's Python if another one runs it."""
    for path in (CHROMIUM, DRIVER):
        if not os.path.exists(path):
            return f"no {path} (Debian: chromium, chromium-driver, python3-selenium)"
    try:
        import selenium # pylint: disable=unused-import
    except ImportError:
        if os.path.exists(DEBIAN_PYTHON) and os.path.realpath(sys.executable) != os.path.realpath(DEBIAN_PYTHON):
            os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])
        return "no selenium (Debian: python3-selenium)"
    return None


class Browser:
    """A browser that all cases share. Each case begins with an empty page."""

    one = None

    @classmethod
    def get(cls, width=1280, height=900):
        if not cls.one:
            cls.one = cls()
            atexit.register(cls.end)
        cls.one.driver.get("about:blank")
        cls.one.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        cls.one.size(width, height)
        cls.one.complaints()
        return cls.one

    @classmethod
    def end(cls):
        if cls.one:
            try:
                cls.one.driver.quit()
            finally:
                cls.one = None

    @classmethod
    def again(cls, error):
        """Returns whether the browser stopped, by an error of its own or by an endless wait. The next case then gets
        a new browser."""
        from selenium.common.exceptions import WebDriverException
        stopped = isinstance(error, (TimeoutError, WebDriverException))
        if stopped:
            cls.end()
        return stopped

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", "--no-first-run", "--force-device-scale-factor=1",
                     "--force-color-profile=srgb", "--window-size=1280,900"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)

    def open(self, address):
        self.driver.get("about:blank")
        self.driver.get(address)

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def wait(self, script, what, seconds=90):
        """Waits until the script returns something true, and returns that."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script)
            if value:
                return value
            if time.monotonic() > end:
                state = self.run("""const of = name => { try { return JSON.stringify(eval(name));
                    } catch (e) { return String(e); } };
                    return ['player', 'state', 'gone', 'document.visibilityState',
                      'document.activeElement.outerHTML.slice(0, 80)'].map(n => n + ' ' + of(n)).join('; ')
                      + '; ' + (document.body ? document.body.innerText.slice(0, 400) : '')""")
                raise TimeoutError(f"{what} does not come: {state!r}, {self.complaints()}")
            time.sleep(0.01)

    def keys(self, *keys):
        """Presses keys. Whatever has the focus gets them, also an element that the page has just replaced."""
        from selenium.webdriver import ActionChains
        for key in keys:
            ActionChains(self.driver, duration=0).send_keys(key).perform()

    def element(self, name):
        return self.driver.find_element("css selector", name)

    def text(self, name):
        return self.run("return document.querySelector(arguments[0]).textContent", name)

    def pixels(self, name, width, height):
        """Returns red, green and blue of each pixel in the top left part of a canvas, row after row."""
        data = self.run("const c = document.querySelector(arguments[0]);"
                        "return Array.from(c.getContext('2d').getImageData(0, 0, arguments[1], arguments[2]).data)",
                        name, width, height)
        return bytes(v for i, v in enumerate(data) if i % 4 < 3)

    def complaints(self):
        """Returns the warnings and errors that the page wrote to the console."""
        return [e["message"] for e in self.driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING") and
                "favicon" not in e["message"] and "willReadFrequently" not in e["message"]]

    def size(self, width, height):
        self.driver.set_window_size(width, height)

    def look(self, width, height, dark=False):
        """Sets the size and the colour scheme of the screen. A narrow screen is a phone's."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def print(self):
        """Returns the number of pages that the page prints on, and the PDF."""
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        pdf = base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
        return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)), pdf

    def picture(self, path):
        self.driver.save_screenshot(path)
