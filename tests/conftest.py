"""Fixtures of all tests: personas, and the switches of the command line.

ann and bob play, cat is a stranger, mod moderates.
"""

import asyncio
import os
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # the browser's loop runs in the test thread


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-browser", action="store_true", help="leave out the tests that need Chromium")
    parser.addoption("--no-engines", action="store_true", help="leave out the tests that need OpenSpiel or RLCard")
    parser.addoption("--full", action="store_true", help="the sizes that a release is tested with")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--full"):
        os.environ["RUMMY_FULL"] = "1"
    from accounts.translations import compile_catalogues

    compile_catalogues()
    _own_redis()
    _quick_passwords()
    _known_host()
    _rows_of_migrations_stay()


def _rows_of_migrations_stay() -> None:
    """A test with real transactions leaves empty tables, and Django then says that it has migrated: the roles, words
    and limits that migrations have written are written again, so that no test depends on those before it.
    """
    from django.db.models.signals import post_migrate

    post_migrate.connect(_write_again, dispatch_uid="rows of migrations", weak=False)


def _write_again(sender: Any, **_about: Any) -> None:
    from django.apps import apps
    from django.contrib.auth.models import Group

    if (
        sender.label != "games" or Group.objects.exists()
    ):  # games comes after accounts, whose permissions are there then
        return
    for name, written in MIGRATED:
        getattr(import_module(f"accounts.migrations.{name}"), written)(apps, None)


MIGRATED = (
    ("0007_roles_of_the_staff", "make_roles"),
    ("0010_words_and_limits_at_first", "fill"),
    ("0011_addresses_for_seniors_and_linked_accounts", "give"),
)
"""Migrations that write rows, and by which function."""


def _own_redis() -> None:
    """Each worker of the tests has a Redis database of its own: no messages and no counts of the others."""
    from django.conf import settings

    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if settings.REDIS_URL and worker:
        url = f"{settings.REDIS_URL.rsplit('/', 1)[0]}/{int(worker.removeprefix('gw')) + 1}"
        settings.CACHES["default"]["LOCATION"] = url
        settings.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"] = [url]


def _known_host() -> None:
    """The server application keeps the hosts that it knew when it was imported, before Django adds the tests' own."""
    from django.conf import settings

    settings.ALLOWED_HOSTS.append("testserver")


def _quick_passwords() -> None:
    """A hasher that takes its time would take most of the tests' time."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def chromium() -> str | None:
    """Where a Chromium is installed, or None."""
    names = [os.environ.get("CHROMIUM", ""), "/usr/bin/chromium", "/usr/bin/google-chrome"]
    names.append("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    return next((name for name in names if name and Path(name).exists()), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--no-browser"):
        left = [item for item in items if item.get_closest_marker("e2e")]
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if not item.get_closest_marker("e2e")]
    elif chromium() is None and any(item.get_closest_marker("e2e") for item in items):
        raise pytest.UsageError(
            "The browser tests need Chromium: install it (Debian: apt-get install chromium), "
            "set CHROMIUM to its path, or leave them out with --no-browser."
        )


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the sizes of a release are asked for."""
    return bool(request.config.getoption("--full"))


PASSWORD = "correct horse"


@cache
def _hashed() -> str:
    """The password of all personas, hashed once: a real hasher takes its time."""
    from django.contrib.auth.hashers import make_password

    return make_password(PASSWORD)


def _user(name: str, **more: Any) -> Any:
    from accounts.models import User

    return User.objects.create(username=name, password=_hashed(), **more)


@pytest.fixture
def ann(db: None) -> Any:
    """Plays."""
    return _user("ann", email="ann@example.org")


@pytest.fixture
def bob(db: None) -> Any:
    """Plays."""
    return _user("bob")


@pytest.fixture
def cat(db: None) -> Any:
    """A stranger at the tables of others."""
    return _user("cat")


@pytest.fixture
def mod(db: None) -> Any:
    """Works in the admin."""
    return _user("mod", is_staff=True, is_superuser=True)


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The secrets and cuts of a test are the same in every run: what failed once can be looked at again."""
    from games import fairness

    chance = Random(request.node.nodeid)
    seeded = SimpleNamespace(token_bytes=chance.randbytes, token_hex=lambda size: chance.randbytes(size).hex())
    monkeypatch.setattr(fairness, "secrets", seeded)


@pytest.fixture(scope="session", autouse=True)
def tests_may_be_swept() -> Iterator[None]:
    """After a test with real transactions all rows go, by DELETE on SQLite: the audit log lets it this once."""
    from django.db.backends.sqlite3.base import DatabaseOperations

    from accounts.append_only import triggers, without

    sweep, table = DatabaseOperations.sql_flush, "accounts_auditentry"

    def sql_flush(self: Any, style: Any, tables: Any, **more: Any) -> list[str]:
        statements = sweep(self, style, tables, **more)
        return [*without("sqlite", table), *statements, *triggers("sqlite", table)] if table in tables else statements

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        yield


@pytest.fixture(autouse=True)
def second_step_is_done(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The staff of tests have signed in by two steps, but for tests of just that (mark ``second_step``)."""
    from accounts import factors

    if request.node.get_closest_marker("second_step") is None:
        monkeypatch.setattr(factors, "shown", lambda request: True)


@pytest.fixture(autouse=True)
def words_and_limits_at_first() -> None:
    """What operators can change is as it was installed, and costs no query. Tests of it load it (``forget``)."""
    from accounts import words
    from rummysite import limits

    words.ENTRIES.keep(_words_at_first(), 3600)
    limits.ROWS.keep({}, 3600)


@cache
def _words_at_first() -> Any:
    from importlib import import_module

    from accounts.models import WordEntry
    from accounts.words import entry_of

    rows = import_module("accounts.migrations.0010_words_and_limits_at_first").words()
    return [entry_of(WordEntry(**columns)) for columns in rows]


@pytest.fixture(autouse=True)
def plain_english() -> None:
    """The language of the last page of another test is not that of this one."""
    from django.utils import translation

    translation.deactivate()


@pytest.fixture(autouse=True)
def fresh_channels() -> None:
    """No message of one test reaches another, and no count of failed sign-ins."""
    from channels.layers import channel_layers
    from django.core.cache import cache

    channel_layers.backends.clear()
    cache.clear()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """The browser's loop stays in this thread once a browser test has run; it is hidden from all other tests.

    From before the first fixture to after the last: a connection belongs to the loop in which it was opened.
    """
    loop = None if item.get_closest_marker("e2e") else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        if loop is not None:
            asyncio._set_running_loop(loop)
