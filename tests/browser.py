"""A page in headless Chromium, driven over its pipe (DevTools protocol, JSON texts that end with a NUL byte): no package, no port."""
from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """One page. `trouble` collects what it logged, threw, or asked in a dialog; `asked` the addresses that it wanted. Use it in a `with`."""

    def __init__(self, folder: Path, width: int = 1280, height: int = 800) -> None:
        self.trouble: list[str] = []
        self.asked: list[str] = []
        self._numbers, self._left = itertools.count(1), b""
        reads, self._write = os.pipe()
        self._read, writes = os.pipe()
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (reads, writes)]  # out of the way of 3 and 4, where Chromium looks
        self._process = subprocess.Popen(
            [PROGRAM, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}", "--no-first-run", "--disable-gpu",
             "--disable-dev-shm-usage", "--disable-background-networking", f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3, 4), preexec_fn=lambda: [os.dup2(end, at) for at, end in enumerate(theirs, 3)])
        for end in (reads, writes, *theirs):
            os.close(end)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for room in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{room}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        self.size(width, height)

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)

    def call(self, method: str, **values: object) -> dict:
        """The result of one command; what happens meanwhile is noted."""
        number = next(self._numbers)
        os.write(self._write, json.dumps({"id": number, "method": method, "params": values, **({"sessionId": self._session} if self._session else {})}).encode() + b"\0")
        while (said := self._next()).get("id") != number:
            self._note(said)
        assert "error" not in said, said
        return said["result"]

    def _next(self) -> dict:
        end = time.monotonic() + 60
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            piece = os.read(self._read, 1 << 20) if ready else b""
            assert piece, "the browser is gone or says nothing"
            self._left += piece
        text, _, self._left = self._left.partition(b"\0")
        return json.loads(text)

    def _note(self, said: dict) -> None:
        what, values = said.get("method"), said.get("params", {})
        if what == "Network.requestWillBeSent":
            self.asked.append(values["request"]["url"])
        elif what == "Page.javascriptDialogOpening":
            self.trouble.append(f"dialog {values['message']}")
            os.write(self._write, json.dumps({"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}, "sessionId": self._session}).encode() + b"\0")
        elif what in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.trouble.append(json.dumps(values)[:500])

    def open(self, file: Path) -> None:
        self.call("Page.navigate", url=file.as_uri())
        while self.js("document.readyState + location.protocol") != "completefile:":
            time.sleep(0.02)

    def size(self, width: int, height: int) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, kind: str = "screen", scheme: str = "light") -> None:
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def js(self, expression: str) -> object:
        """The value of a JavaScript expression in the page."""
        said = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of the first piece of the element, scrolled into view."""
        at = self.js(f"(() => {{ const it = document.querySelector({selector!r}); it.scrollIntoView({{ block: 'center' }});"
                     "const box = it.getClientRects()[0]; return [box.x + Math.min(box.width / 2, 40), box.y + box.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def press(self, key: str) -> None:
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key if len(key) > 1 else f"Key{key.upper()}", windowsVirtualKeyCode={"Enter": 13, "Tab": 9, " ": 32}.get(key, 0),
                      **({"text": text} if text and kind == "keyDown" else {}))

    def pdf(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False, paperWidth=8.27, paperHeight=11.69)["data"])

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))
