"""Chromium, driven by chromedriver over the WebDriver protocol: what a person does with a page."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
             "--window-size=1280,900", "--disable-background-networking"]


class Browser:
    """A browser with one window. Errors of the page's script are kept by `errors`."""

    def __init__(self):
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver") or "/usr/bin/chromedriver", "--port=0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.port = found.group(1)
                break
        options = {"args": ARGUMENTS}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": options}}})
        self.base = f"/session/{session['sessionId']}"

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data,
                                         method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()[:500]}") from None

    def open(self, page, address=""):
        """Opens the page anew at the address, and waits until it is drawn."""
        self.call("POST", self.base + "/url", {"url": "about:blank"})
        self.call("POST", self.base + "/url", {"url": pathlib.Path(page).as_uri() + address})
        self.wait("return document.body.dataset.ready")

    def go(self, address):
        """Follows an address inside the open page."""
        self.run("document.body.dataset.view = ''; location.hash = arguments[0]", address)
        self.wait("return document.body.dataset.view")

    def run(self, script, *arguments):
        return self.call("POST", self.base + "/execute/sync",
                         {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"never came true: {script}; errors: {self.errors()}")

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)",
                        selector)

    def text(self, selector):
        return self.texts(selector)[0]

    def click(self, selector, index=0):
        """A click of the mouse at the element, where a person would have to click."""
        elements = self.call("POST", self.base + "/elements",
                             {"using": "css selector", "value": selector})
        self.call("POST", f"{self.base}/element/{elements[index][ELEMENT]}/click", {})

    def type(self, keys):
        """Keys pressed on the keyboard, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", self.base + "/actions",
                  {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def resize(self, width, height):
        self.call("POST", self.base + "/window/rect", {"width": width, "height": height})

    def errors(self):
        """What the console has said since it was last asked."""
        return [entry["message"] for entry in
                self.call("POST", self.base + "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def close(self):
        try:
            self.call("DELETE", self.base)
        finally:
            self.driver.kill()
            self.driver.wait()
            self.driver.stdout.close()


def data_of(page, block):
    """A block of a page's data, read without the page's script."""
    import base64
    import gzip
    text = pathlib.Path(page).read_text(encoding="utf-8")
    found = re.search(rf'<script type="application/gzip" id="{block}">([A-Za-z0-9+/=]*)</script>', text)
    return json.loads(gzip.decompress(base64.b64decode(found.group(1))))


def is_there():
    return bool(shutil.which("chromedriver") or os.path.exists("/usr/bin/chromedriver"))
