"""Debian's Chromium without a window, over its own DevTools protocol."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def find() -> str | None:
    """The browser's program, if there is one."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


PATIENCE = 300
"""Seconds to wait for an answer: axe takes most of a minute on a large page, more on a busy machine."""


class Browser:
    """A browser that runs until it is closed."""

    def __init__(self, program: str) -> None:
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--remote-debugging-port=0", f"--user-data-dir={self.folder.name}", "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": self.folder.name},
        )  # fmt: skip
        port = Path(self.folder.name, "DevToolsActivePort")
        wait(lambda: port.exists() and len(port.read_text().split()) == 2, "the browser to start")
        number, path = port.read_text().split()
        self.stack = ExitStack()
        self.connection = self.stack.enter_context(
            connect(f"ws://127.0.0.1:{number}{path}", max_size=None)
        )
        self.number = itertools.count(1)

    def page(self, **window: Any) -> "Page":
        """A page of its own, in a context of its own."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, target, session, **window)

    def call(self, method: str, session: str | None = None, **params: Any) -> Any:
        """What a command answers; what happens meanwhile is noted by the page it happens to."""
        number = next(self.number)
        message = {"id": number, "method": method, "params": params}
        self.connection.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer = self.receive(PATIENCE)
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def receive(self, timeout: float) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.connection.recv(timeout=timeout))
        if "method" in answer and answer.get("sessionId") in PAGES:
            PAGES[answer["sessionId"]].events.append(answer)
        return answer

    def close(self) -> None:
        self.stack.close()
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()


PAGES: dict[str, "Page"] = {}


class Page:
    """A tab: what is asked of it, and what it complains of."""

    def __init__(
        self,
        browser: Browser,
        target: str,
        session: str,
        *,
        width: int = 1400,
        height: int = 1000,
        dark: bool = False,
    ) -> None:
        self.browser, self.target, self.session = browser, target, session
        self.events: list[dict[str, Any]] = []
        PAGES[session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width=width, height=height)
        self.emulate(dark=dark)

    def call(self, method: str, **params: Any) -> Any:
        return self.browser.call(method, self.session, **params)

    def resize(self, *, width: int = 1400, height: int = 1000) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip

    def emulate(self, *, dark: bool = False, media: str = "") -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def open(self, file: Path, at: str = "") -> float:
        """Open a file and wait until its first charts are drawn; gives the seconds that took."""
        begin = time.monotonic()
        self.call("Page.navigate", url=file.as_uri() + at)
        wait(lambda: self.evaluate("document.readyState") == "complete", "the page to load")
        wait(
            lambda: self.evaluate(
                "!document.querySelector('[data-chart]')"
                " || !!document.querySelector('[data-chart][data-drawn]')"
            ),
            "the first chart",
        )
        return time.monotonic() - begin

    def draw_all(self) -> None:
        """Wait until every chart is drawn."""
        wait(lambda: self.evaluate("'drawn' in document.documentElement.dataset"), "all charts")
        self.lay_out()

    def lay_out(self) -> None:
        """Have all pages of the report shown at once."""
        self.evaluate("document.documentElement.classList.remove('paged')")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, or of what it promises."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def complaints(self) -> list[str]:
        """Errors and warnings in the console, and whatever was blocked or thrown."""
        self.evaluate("1")
        found = []
        for event in self.events:
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif event["method"] == "Log.entryAdded" and params["entry"]["level"] != "verbose":
                found.append(params["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and params["type"] in (
                "error", "warning", "assert",
            ):  # fmt: skip
                found.append(str(params["args"]))
        return found

    def requests(self) -> list[str]:
        """The addresses of everything that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def screenshot(self, file: Path, *, whole: bool = False, at: str | None = None) -> None:
        """A picture of the window, of the whole page, or of an element."""
        more: dict[str, Any] = {}
        if at:
            box = self.evaluate(
                f"(() => {{ const box = document.querySelector({json.dumps(at)})"
                ".getBoundingClientRect(); return [box.x + scrollX, box.y + scrollY, box.width, "
                "box.height]; })()"
            )
            more["clip"] = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
        found = self.call("Page.captureScreenshot", captureBeyondViewport=whole or bool(at), **more)
        file.write_bytes(base64.b64decode(found["data"]))

    def print(self) -> bytes:
        found = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        return base64.b64decode(found["data"])

    def press(self, key: str, *, text: str = "") -> None:
        """Press and release a key, for whatever has the focus; `text` is what it types."""
        codes = {
            "Tab": 9,
            "Enter": 13,
            "Escape": 27,
            "ArrowUp": 38,
            "ArrowDown": 40,
            "Home": 36,
            "End": 35,
        }
        code = {"windowsVirtualKeyCode": codes.get(key, 0), "key": key, "code": key}
        typed = {"text": text or ("\r" if key == "Enter" else "")}
        self.call("Input.dispatchKeyEvent", type="keyDown", **code, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    def close(self) -> None:
        self.browser.call("Target.closeTarget", targetId=self.target)
        del PAGES[self.session]


def violations(page: Page, axe: str, context: str) -> list[object]:
    """What axe-core finds in a part of the page, and text whose contrast it cannot decide.

    It never decides text in a chart; `FAINT` in test_browser.py does. Nor does it decide text that lies
    under something else where the page is scrolled to, such as a bar that stays: that is left out.
    """
    page.evaluate(axe)
    found: list[object] = page.evaluate(
        f"axe.run({context}, {{resultTypes: ['violations', 'incomplete']}}).then(result => [...result.violations, "
        "...result.incomplete.filter(({ id }) => id === 'color-contrast').map(each => ({ ...each, "
        "nodes: each.nodes.filter(({ html, failureSummary }) => !/^<(text|tspan)/.test(html) && !/overlap|obscured/.test(failureSummary)) })).filter(({ nodes }) => nodes.length)].map("
        "each => [each.id, each.help, each.nodes.length, each.nodes.slice(0, 8).map(node => [node.html.slice(0, 200), node.failureSummary])]))"
    )
    return found


def wait(condition: Callable[[], Any], what: str, seconds: float = 60) -> None:
    """Wait until something is the case."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds:g} s for {what}"
        time.sleep(0.05)
