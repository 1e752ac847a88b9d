"""How pages load on a slow phone: a quarter of this machine's speed, 1.6 Mbit/s, 150 ms to the server and back.

Chromium does it; bytes are those on the wire, compressed where they are. Nothing is kept from one page to the next.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

SLOWER, LATENCY, DOWN, UP = 4, 150, 1_600_000 / 8, 750_000 / 8
QUIET = 1.0
"""Seconds without a request or a long task after which a page is taken as ready."""
CHROMIUMS = ("/usr/bin/chromium", "/usr/bin/google-chrome")
WATCH = """
window.seen = { paint: 0, busy: 0, shift: 0 };
const watch = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
watch("paint", (one) => { if (one.name === "first-contentful-paint") seen.paint = one.startTime; });
watch("longtask", (one) => { seen.busy = Math.max(seen.busy, one.startTime + one.duration); });
watch("layout-shift", (one) => { if (!one.hadRecentInput) seen.shift += one.value; });
"""
ASK = """() => ({ ...seen, load: performance.getEntriesByType("navigation")[0].loadEventEnd })"""


@dataclass(frozen=True, slots=True)
class Load:
    """One load of a page: bytes and requests, milliseconds to the first paint and until it answers, layout shift."""

    bytes: int
    requests: int
    paint: int
    interactive: int
    shift: float


@contextmanager
def chromium() -> Iterator[Browser]:
    """A Chromium without a window."""
    found = next((name for name in (os.environ.get("CHROMIUM", ""), *CHROMIUMS) if name and Path(name).exists()), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def load(browser: Browser, address: str, cookies: dict[str, str] | None = None, *, slow: bool = True) -> Load:
    """Load a page in a browser that has never been there; ``slow`` is the phone, else as fast as it goes."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, device_scale_factor=2, is_mobile=True, has_touch=True
    )
    host = urlsplit(address).hostname or ""
    for name, value in (cookies or {}).items():
        context.add_cookies([{"name": name, "value": value, "domain": host, "path": "/"}])
    context.add_init_script(WATCH)
    page = context.new_page()
    sizes = _listen(page, slow=slow)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(QUIET * 1000)
    page.wait_for_function(f"() => performance.now() - Math.max(seen.busy, seen.paint) > {QUIET * 1000}")
    seen: dict[str, Any] = page.evaluate(ASK)
    context.close()
    ready = round(max(seen["load"], seen["busy"]))
    return Load(sum(sizes), len(sizes), round(seen["paint"]), ready, round(seen["shift"], 3))


def _listen(page: Page, *, slow: bool) -> list[int]:
    """The size of each answer that the page gets from now on, headers included."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    if slow:
        way = {"offline": False, "latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP}
        wire.send("Network.emulateNetworkConditions", way)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    sizes: list[int] = []
    wire.on("Network.loadingFinished", lambda told: sizes.append(round(told["encodedDataLength"])))
    return sizes


def shown(loads: dict[str, Load]) -> str:
    """A table for the terminal."""
    head = f"{'page':10} {'kB':>7} {'requests':>9} {'paint ms':>9} {'ready ms':>9} {'shift':>6}"
    lines = [
        f"{name:10} {one.bytes / 1000:7.1f} {one.requests:9} {one.paint:9} {one.interactive:9} {one.shift:6.3f}"
        for name, one in loads.items()
    ]
    return "\n".join([head, *lines])


def places(match: int) -> dict[str, str]:
    """The pages that are measured: name and path. Front page and Learn for a stranger, the others for a player."""
    return {"front": "/", "learn": "/learn/basic-rummy/", "lobby": "/lobby/", "table": f"/matches/{match}/"}


def load_all(base: str, match: int, session: str) -> dict[str, Load]:
    """Each page once, in a browser of its own."""
    with chromium() as browser:
        return {
            name: load(browser, base + path, None if name in ("front", "learn") else {"sessionid": session})
            for name, path in places(match).items()
        }
