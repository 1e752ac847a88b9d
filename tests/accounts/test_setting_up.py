"""Starting the site: several first starts at once on one folder, and the demo players of later starts."""

import gzip
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import get_finder

from accounts.demo import open_demo
from accounts.models import User
from accounts.setting_up import collect_static

ROOT = Path(__file__).parent.parent.parent


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as answer:
            return bool(answer.read() == b"ok")
    except (urllib.error.URLError, OSError):
        return False


def test_first_starts_at_once_all_serve_with_the_same_demo_players(tmp_path: Path) -> None:
    left_out = ("DATABASE_URL", "REDIS_URL", "HOST")
    kept = {key: value for key, value in os.environ.items() if key not in left_out}
    ports = [free_port() for _ in range(3)]
    starts = [
        subprocess.Popen(
            [sys.executable, "manage.py", "play"],
            cwd=ROOT,
            env=kept | {"VAR_DIR": str(tmp_path), "PORT": str(port)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for port in ports
    ]
    try:
        until = time.monotonic() + 120
        while not all(map(answers, ports)) and time.monotonic() < until:
            assert all(start.poll() is None for start in starts), "a start gave up"
            time.sleep(0.2)
        assert all(map(answers, ports))
    finally:
        for start in starts:
            start.terminate()
        said = [start.communicate(timeout=30) for start in starts]
    players = json.loads((tmp_path / "demo-players.json").read_text())
    assert set(players) == {"ann", "bob", "cat"}
    for out, err in said:
        assert "Traceback" not in err
        for name, kept in players.items():
            assert f"demo player {name}, password {kept['password']}" in out


def test_a_later_start_knows_its_demo_players_without_setting_a_password_again(db, tmp_path, monkeypatch):
    first = open_demo(tmp_path)
    monkeypatch.setattr(User, "set_password", None)
    monkeypatch.setattr(User, "check_password", None)

    assert open_demo(tmp_path) == first
    monkeypatch.undo()
    assert User.objects.get(username="ann").check_password(first["ann"])


def test_a_demo_player_with_another_password_gets_the_printed_one_back(db, tmp_path):
    first = open_demo(tmp_path)
    User.objects.filter(username="ann").update(password="", is_active=False)

    assert open_demo(tmp_path) == first
    user = User.objects.get(username="ann")
    assert user.is_active and user.check_password(first["ann"])


def test_files_are_collected_once_and_again_when_one_has_changed(tmp_path, settings):
    source, place = tmp_path / "ours", tmp_path / "static"
    source.mkdir()
    (source / "a.css").write_text("a { color: red }")
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], place
    place.mkdir()
    get_finder.cache_clear()
    try:
        assert collect_static(place)
        assert not collect_static(place)
        (source / "a.css").write_text("a { color: green }")
        assert collect_static(place)
        assert (place / "a.css").read_text() == "a { color: green }"
    finally:
        get_finder.cache_clear()


def test_a_served_site_sends_files_that_are_small_and_kept(tmp_path: Path) -> None:
    port, kept = free_port(), {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "HOST")}
    own = {"VAR_DIR": str(tmp_path), "PORT": str(port), "COLLECTED_STATIC": "1"}
    site = f"http://127.0.0.1:{port}"

    def get(path: str) -> tuple[str, bytes, Any]:
        with urllib.request.urlopen(urllib.request.Request(site + path, headers={"Accept-Encoding": "gzip"})) as answer:
            body = answer.read()
            return gzip.decompress(body).decode(), body, answer.headers

    with subprocess.Popen(
        [sys.executable, "manage.py", "play"], cwd=ROOT, env=kept | own, stdout=subprocess.DEVNULL
    ) as server:
        try:
            until = time.monotonic() + 60
            while not answers(port) and time.monotonic() < until:
                time.sleep(0.1)
            page, _body, headers = get("/")
            assert headers["Content-Encoding"] == "gzip"
            sheet = re.search(r'href="(/static/site/base\.[0-9a-f]{12}\.css)"', page)
            assert sheet
            text, body, headers = get(sheet[1])
            assert "immutable" in headers["Cache-Control"]
            assert len(body) < len(text) / 2
        finally:
            server.terminate()
