"""Guests: playing at once, without a name or a password."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import translation

from accounts import guests
from accounts.models import User
from accounts.names import not_reserved
from rummysite import limits

pytestmark = pytest.mark.django_db


def signed_in_as(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def test_a_guest_plays_at_once_with_a_name_made_by_the_site(client: Client) -> None:
    answer = client.post(
        "/accounts/guest/", {"next": "/lobby/", "time_zone": "Europe/Prague"}, HTTP_ACCEPT_LANGUAGE="cs"
    )
    assert (answer.status_code, answer["Location"]) == (303, "/lobby/")
    guest = signed_in_as(client)
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert (guest.language, guest.time_zone) == ("cs", "Europe/Prague")
    number = guest.username.removeprefix("guest-")
    assert number.isdecimal() and len(number) == 4
    with translation.override("en"):
        assert guest.shown_name == f"Guest {number}"
    assert client.session.get_expiry_age() > timedelta(days=360).total_seconds()


def test_the_session_of_a_guest_is_listed_as_any_other(client: Client) -> None:
    client.post("/accounts/guest/")
    assert signed_in_as(client).usersession_set.count() == 1


def test_only_a_post_makes_a_guest(client: Client) -> None:
    assert client.get("/accounts/guest/").status_code == 405
    assert client.head("/accounts/guest/").status_code == 405
    assert not User.objects.exists()


def test_the_session_gets_a_new_key(client: Client) -> None:
    session = client.session
    session["before"] = 1
    session.save()
    client.post("/accounts/guest/")
    assert client.session.session_key != session.session_key


def test_who_is_signed_in_already_stays_who_one_is(client: Client, ann: User) -> None:
    client.force_login(ann)
    assert client.post("/accounts/guest/").status_code == 303
    assert signed_in_as(client) == ann
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "", "/\\evil.example"]
)
def test_the_way_on_leads_nowhere_else(client: Client, place: str) -> None:
    assert client.post("/accounts/guest/", {"next": place})["Location"] == "/tables/"


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "x" * 500])
def test_an_unknown_time_zone_is_no_reason_to_refuse_a_guest(client: Client, zone: str) -> None:
    client.post("/accounts/guest/", {"time_zone": zone})
    assert User.objects.get().time_zone == "UTC"


def test_an_address_makes_so_many_guests_and_is_then_told_when_to_come_back(time_machine: Any) -> None:
    time_machine.move_to("2026-12-01T10:05:00Z", tick=False)
    for _ in range(10):
        assert Client().post("/accounts/guest/").status_code == 303
    answer = Client().post("/accounts/guest/")
    assert answer.status_code == 429
    assert answer["Retry-After"] == "3300"
    assert "Try again in 55 minutes." in answer.content.decode()
    assert User.objects.count() == 10
    assert Client().post("/accounts/guest/", REMOTE_ADDR="192.0.2.7").status_code == 303


def test_a_taken_name_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter([7, 7, 8])
    monkeypatch.setattr(guests.secrets, "randbelow", lambda _: next(numbers))
    names = [guests.make_guest("en", "UTC").username for _ in range(2)]
    assert names == ["guest-1007", "guest-1008"]


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_guests_made_at_once_have_different_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests.secrets, "randbelow", _few())

    def make(_: int) -> str:
        try:
            return guests.make_guest("", "UTC").username
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        names = list(pool.map(make, range(4)))
    assert len(set(names)) == 4


def _few() -> Any:
    """The same numbers for everybody, so that they meet."""
    import threading

    mine = threading.local()

    def below(_: int) -> int:
        mine.n = getattr(mine, "n", 0) + 1
        return mine.n

    return below


@pytest.mark.parametrize("name", ["guest", "Guest 4821", "guest-1", "GUEST_99", "guest 4 8"])
def test_nobody_can_pass_for_a_guest(name: str) -> None:
    with pytest.raises(Exception, match="kept for the site"):
        not_reserved(name)


@pytest.mark.parametrize("name", ["guestling", "Guest of Ann", "aguest1"])
def test_names_that_only_begin_like_a_guest_are_free(name: str) -> None:
    not_reserved(name)


@pytest.mark.parametrize(
    ("address", "counted"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("", "unknown"), ("x", "unknown")],
)
def test_addresses_of_one_household_are_counted_together(address: str, counted: str) -> None:
    assert limits.shortened(address) == counted


def test_a_cache_that_is_away_stops_nobody(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any, **_more: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(limits.cache, "add", broken)
    assert client.post("/accounts/guest/").status_code == 303
