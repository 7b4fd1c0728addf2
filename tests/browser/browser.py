"""Debian's chromium, driven by its chromedriver and python3-selenium, for pages.py."""

import atexit
import os
import sys
import time

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
DEBIAN_PYTHON = "/usr/bin/python3"


def missing():
    """What keeps these tests from running, or None. Starts Debian's Python when another one runs this."""
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
    """One for all cases, each of which begins with an empty page."""

    one = None

    @classmethod
    def get(cls, width=1280, height=900):
        if not cls.one:
            cls.one = cls()
            atexit.register(cls.one.driver.quit)
        cls.one.size(width, height)
        cls.one.driver.get("about:blank")
        cls.one.complaints()
        return cls.one

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader", "--no-first-run",
                     "--force-device-scale-factor=1", "--force-color-profile=srgb", "--window-size=1280,900"):
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

    def wait(self, script, what, seconds=40):
        """Until the script returns something true, which it returns."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script)
            if value:
                return value
            if time.monotonic() > end:
                trouble = self.run("return document.body ? document.body.innerText.slice(0, 400) : ''")
                raise TimeoutError(f"{what} does not come: {trouble!r}")
            time.sleep(0.01)

    def keys(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def element(self, name):
        return self.driver.find_element("css selector", name)

    def text(self, name):
        return self.run("return document.querySelector(arguments[0]).textContent", name)

    def pixels(self, name, width, height):
        """Rows of (red, green, blue) of the left upper part of a canvas."""
        data = self.run("const c = document.querySelector(arguments[0]);"
                        "return Array.from(c.getContext('2d').getImageData(0, 0, arguments[1], arguments[2]).data)", name, width, height)
        return bytes(v for i, v in enumerate(data) if i % 4 < 3)

    def complaints(self):
        """What the page wrote to the console that is a warning or worse."""
        return [e["message"] for e in self.driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING") and "favicon" not in e["message"] and "willReadFrequently" not in e["message"]]

    def size(self, width, height):
        self.driver.set_window_size(width, height)

    def picture(self, path):
        self.driver.save_screenshot(path)
