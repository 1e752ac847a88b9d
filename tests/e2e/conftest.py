"""A real server in a thread, and real browsers: what the browser tests stand on."""

import asyncio
import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from games.bench.client import session_of
from tests.conftest import PASSWORD, chromium

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
SHOTS = Path(os.environ.get("SHOTS_DIR", Path(__file__).resolve().parents[2] / "var" / "shots"))


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The address of the site, served by the real application with its background work."""
    from rummysite.asgi import application

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    config = uvicorn.Config(application, log_level="warning", ws="websockets-sansio", lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    assert not thread.is_alive(), "the server did not stop"
    _close_connections()


def _close_connections() -> None:
    """Threads of the server are gone; their connections must not keep the test database busy."""
    from django.db import connections

    connections.close_all()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this worker."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        loop = asyncio._get_running_loop()
        yield launched
        asyncio._set_running_loop(loop)  # it may be hidden, if the last test of all needs no browser
        launched.close()


@pytest.fixture
def console() -> Iterator[list[str]]:
    """What browsers complained of; a test ends with none of it."""
    said: list[str] = []
    yield said
    assert said == [], "the console of a browser is not empty"


@pytest.fixture
def visit(browser: Browser, site: str, console: list[str]) -> Iterator[Callable[..., Page]]:
    """Open a browser of its own for a user: signed in by a cookie (which spares two pages) or ``by_form``."""
    contexts = contextlib.ExitStack()

    def open_page(
        user: Any, width: int = 1280, height: int = 800, *, scripts: bool = True, by_form: bool = False
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, base_url=site
        )
        contexts.callback(context.close)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: console.append(str(error)))
        if by_form:
            page.goto("/accounts/login/")
            page.fill("input[name=login]", user.username)
            page.fill("input[name=password]", PASSWORD)
            page.press("input[name=password]", "Enter")
            page.wait_for_url("**/tables/")
        else:
            context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site}])
        return page

    yield open_page
    contexts.close()


def still(user: Any) -> None:
    """No card travels for this user: drawn by software, the motion of a whole match takes minutes."""
    user.animation = "off"
    user.save(update_fields=["animation"])


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Keep a picture of a page for people to look at."""
    SHOTS.mkdir(parents=True, exist_ok=True)

    def take(page: Page, name: str) -> None:
        page.screenshot(path=SHOTS / f"{name}.png")

    return take
