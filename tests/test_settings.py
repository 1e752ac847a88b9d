"""The settings under the environments that docs/operations.md names; each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PRODUCTION = {
    "HTTPS": "1",
    "SECRET_KEY": "a-key-that-is-long-enough-and-has-many-different-signs-0123456789-abcdefgh",
    "ALLOWED_HOSTS": "rummy.example",
    "CONTACT": "help@rummy.example",
}


def manage(var: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """manage.py with nothing of our own environment but what is named."""
    left_out = ("DATABASE_URL", "REDIS_URL", "DEBUG", "HOST", "PORT", "DJANGO_ALLOW_ASYNC_UNSAFE")
    kept = {key: value for key, value in os.environ.items() if key not in left_out}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=kept | {"VAR_DIR": str(var)} | more,
        capture_output=True,
        text=True,
        timeout=180,
    )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"SMTP_HOST": "mail.example", "COLLECTED_STATIC": "1", "PROXY_HEADERS": "1"},
        {"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1", "OPERATOR": "The Card Club"},
    ],
)
def test_a_deployment_is_clean(tmp_path: Path, more: dict[str, str]) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION, **more)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout + done.stderr


def test_a_deployment_without_a_contact_is_warned(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", **PRODUCTION | {"CONTACT": ""})
    assert "name no address" in done.stderr


@pytest.mark.parametrize(
    ("more", "header"),
    [
        ({}, "max-age=31536000"),
        ({"HSTS_SECONDS": "3600"}, "max-age=3600"),
        ({"HSTS_SECONDS": "0"}, "None"),
        ({"HSTS_SUBDOMAINS": "1"}, "max-age=31536000; includeSubDomains"),
        ({"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_https_binds_no_subdomain_and_no_list_by_itself(tmp_path: Path, more: dict[str, str], header: str) -> None:
    asked = "from django.test import Client; "
    asked += (
        "print(Client(SERVER_NAME='rummy.example').get('/robots.txt', secure=True).get('Strict-Transport-Security'))"
    )
    done = manage(tmp_path, "shell", "-v0", "-c", asked, **PRODUCTION, **more)
    assert done.stdout.strip() == header, done.stderr


def test_a_deployment_with_demo_players_fails(tmp_path: Path) -> None:
    assert manage(tmp_path, "migrate", "-v0").returncode == 0
    made = f"from pathlib import Path; from accounts.demo import open_demo; open_demo(Path('{tmp_path}'))"
    assert manage(tmp_path, "shell", "-v0", "-c", made).returncode == 0
    assert (tmp_path / "demo-players.json").stat().st_mode & 0o777 == 0o600
    done = manage(tmp_path, "check", "--deploy", **PRODUCTION)
    assert done.returncode == 1
    assert "There are demo players in the database: ann, bob, cat." in done.stderr


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"DEBUG": "yes"}, "DEBUG has to be 1 or 0"),
        ({"HSTS_SECONDS": "a year"}, "HSTS_SECONDS has to be a whole number"),
        ({"VAPID_PRIVATE_KEY": "AAAA"}, "VAPID_PRIVATE_KEY has to be a private key of P-256"),
        ({"VAPID_CONTACT": "somebody"}, "VAPID_CONTACT has to be an e-mail address"),
        ({"CONTACT": "somebody"}, "CONTACT has to be an e-mail address"),
        ({"HTTPS": "1", "HSTS_PRELOAD": "1"}, "HSTS_PRELOAD=1 needs HSTS_SUBDOMAINS=1"),
        ({"DATABASE_URL": "mysql://x/y"}, "DATABASE_URL has to begin with postgresql://"),
    ],
)
def test_a_wrong_variable_stops_the_start(tmp_path: Path, wrong: dict[str, str], sentence: str) -> None:
    done = manage(tmp_path, "check", **wrong)
    assert done.returncode != 0
    assert sentence in done.stderr


def test_the_secret_key_is_made_once_and_kept_close(tmp_path: Path) -> None:
    from rummysite.secret_key import secret_key

    path = tmp_path / "key"
    first = secret_key(path)
    assert len(first) > 50
    assert secret_key(path) == first
    assert path.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["key"]


def test_the_key_of_push_is_made_once_kept_close_and_is_a_key(tmp_path: Path) -> None:
    from py_vapid import Vapid02

    from rummysite.secret_key import is_push_key, push_key

    path = tmp_path / "push_key"
    first = push_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert push_key(path) == first
    assert is_push_key(first) and Vapid02.from_raw(first.encode()).public_key
    for wrong in ("", "x", "A" * 43, "_" * 43, first[:-2], f"{first}AA", "ключ"):
        assert not is_push_key(wrong)


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = manage(tmp_path, "play", PORT=str(port))
    assert done.returncode == 1
    assert done.stderr.strip().startswith(f"Port {port} cannot be used")
    assert len(done.stderr.strip().splitlines()) == 1


def test_pages_carry_the_strict_policy(client: Any, db: None) -> None:
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize(("page", "words"), [("400", "Nothing was changed"), ("403_csrf", "too old"), ("500", "broke")])
def test_pages_of_faults_need_nothing(page: str, words: str) -> None:
    from django.template.loader import render_to_string

    assert words in render_to_string(f"{page}.html")


def test_the_site_says_that_it_lives(client: Any, db: None) -> None:
    assert client.get("/healthz").content == b"ok"
    robots = client.get("/robots.txt").content.decode()
    assert "Disallow: /matches/\n" in robots
    assert "join" not in robots, "an address that crawlers may not read can still be listed, and here it holds a token"
    assert client.get("/favicon.ico")["Location"].endswith("icon.svg")
