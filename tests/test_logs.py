"""No token in any line of a log: not of an invitation, not of a link to come back, not of a letter."""

import io
import logging
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts import back, guests
from rummysite import limits
from rummysite.limits import Limit
from rummysite.logs import blanked
from tests.accounts.test_setting_up import answers, free_port

ROOT = Path(__file__).parent.parent
TOKEN = "sEcReT-0123456789_abcdef"


@pytest.fixture
def said(db: None) -> Iterator[io.StringIO]:
    """What the site's own handler writes."""
    handler = logging.getHandlerByName("console")
    assert isinstance(handler, logging.StreamHandler)
    text = io.StringIO()
    was = handler.setStream(text)
    yield text
    handler.setStream(was)


@pytest.mark.parametrize(
    "place",
    [
        "/back/{}/",
        "/join/{}/",
        "/accounts/confirm-email/{}/x",
        "/join/{}/nowhere/",
        "/calendar/{}/rummysite.ics",
        "/feed/{}/",
    ],
)
def test_a_page_that_is_not_there(said: io.StringIO, place: str) -> None:
    assert Client().get(place.format(TOKEN)).status_code == 404
    assert f"Not Found: {place.format('***')}" in said.getvalue()
    assert TOKEN not in said.getvalue()


def test_a_fault_with_its_traceback(said: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(token: str) -> None:
        raise ValueError(f"what is /back/{token}/ or ?token={token}&more=1")

    monkeypatch.setattr(back, "guest_of", broken)
    assert Client(raise_request_exception=False).get(f"/back/{TOKEN}/").status_code == 500
    text = said.getvalue()
    assert "Internal Server Error: /back/***/" in text
    assert "ValueError: what is /back/***/ or ?token=***&more=1" in text
    assert TOKEN not in text


def test_haste(said: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMITS", limits.LIMITS | {"come_back": Limit(0, 0, 3600)})
    token = back.make_link(guests.make_guest("", "UTC"))
    assert Client().post(f"/back/{token}/").status_code == 429
    assert "Too Many Requests: /back/***/" in said.getvalue()
    assert token not in said.getvalue()


@pytest.mark.parametrize("name", ["django.server", "uvicorn.access", "uvicorn.error", "games.play"])
def test_lines_of_access(said: io.StringIO, name: str) -> None:
    line = '%s - "%s %s HTTP/%s" %d'
    logging.getLogger(name).error(line, "192.0.2.7:1", "GET", f"/accounts/login/?next=%2Fjoin%2F{TOKEN}%2F", "1.1", 200)
    logging.getLogger(name).error(line, "192.0.2.7:1", "GET", f"/ws/match/7/?token={TOKEN}", "1.1", 200)
    assert said.getvalue().count("***") == 2
    assert "/accounts/login/?next=%2Fjoin%2F***%2F" in said.getvalue()
    assert TOKEN not in said.getvalue()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            "GET /accounts/password/reset/key/3-cabc12-0123456789abcdef/ HTTP",
            "GET /accounts/password/reset/key/***/ HTTP",
        ),
        ("/accounts/confirm-email/MQ:1abc:x-y_z/", "/accounts/confirm-email/***/"),
        ("/accounts/confirm-email/MQ%3A1abc%3Ax-y_z/", "/accounts/confirm-email/***/"),
        ("POST /matches/7/join/ HTTP/1.1", "POST /matches/7/join/ HTTP/1.1"),
        ("/matches/7/?token=abc&log=all", "/matches/7/?token=***&log=all"),
        ("?next=%2Fmatches%2F7%2F%3Ftoken%3Dabc%26log%3Dall", "?next=%2Fmatches%2F7%2F%3Ftoken%3D***%26log%3Dall"),
        ("the stock is back / and 100 % sure", "the stock is back / and 100 % sure"),
    ],
)
def test_only_tokens_are_blanked(line: str, shown: str) -> None:
    assert blanked(line) == shown


@pytest.mark.parametrize("how", ["uvicorn", "play"])
def test_a_server_that_logs_each_request(tmp_path: Path, how: str) -> None:
    """The real start, in a process of its own: uvicorn brings handlers, and ours have to stand in their place."""
    port = free_port()
    kept = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "REDIS_URL", "HOST")}
    env = kept | {"VAR_DIR": str(tmp_path), "PORT": str(port), "EMBEDDED_WORKER": "0"}
    command = {
        "uvicorn": ["-m", "uvicorn", "rummysite.asgi:application", "--port", str(port), "--ws", "websockets-sansio"],
        "play": ["manage.py", "play"],
    }[how]
    if how == "uvicorn":
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
    with subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            until = time.monotonic() + 120
            while not answers(port) and time.monotonic() < until:
                time.sleep(0.2)
            for place in (f"/back/{TOKEN}/", f"/join/{TOKEN}/", f"/accounts/login/?next=/join/{TOKEN}/"):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}{place}", timeout=30).read()
                except urllib.error.HTTPError as error:
                    error.close()
        finally:
            server.terminate()
        text = server.communicate(timeout=60)[0]
    assert TOKEN not in text
    assert "Not Found: /back/***/" in text
    if how == "play":
        assert "INFO" not in text  # what is printed at the start is for people
    else:
        assert '"GET /accounts/login/?next=/join/***/ HTTP/1.1" 200' in text


def test_the_filter_says_nothing_wrong_of_what_has_no_token(said: io.StringIO) -> None:
    logging.getLogger("games.play").warning("match %s could not be driven: %d %%", 7, 3)
    assert "match 7 could not be driven: 3 %" in said.getvalue()


def test_what_is_logged_with_one_thing_only(said: io.StringIO) -> None:
    logging.getLogger("games.play").warning({"token": 1})
    given: Any = {"match": 7}
    logging.getLogger("games.play").warning("%(match)s", given)
    assert "7" in said.getvalue()
