"""Limits: generous for people, and who meets one is told when to come back."""

import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.test import Client, RequestFactory

from games import consumers, lobby, play, seats, tables
from games.models import Match
from rummysite import limits
from rummysite.limits import Limit, Places, TooMany, spend
from tests.games.playing import mover, opened
from tests.games.wires import socket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def five_past_ten(time_machine: Any) -> None:
    time_machine.move_to("2026-12-01T10:05:00Z", tick=False)


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small limits, so that a test is quick."""
    few = {name: Limit(2, 3, limit.seconds) for name, limit in limits.LIMITS.items()}
    monkeypatch.setattr(limits, "LIMITS", few)


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_user_and_an_address_are_counted_apart(ann: Any, bob: Any, cat: Any, tight: None) -> None:
    here = RequestFactory().post("/")
    spend("open", here, ann)
    spend("open", here, ann)
    with pytest.raises(TooMany) as why:
        spend("open", here, ann)
    assert str(why.value) == "That was very often in a short time. Try again in 55 minutes."
    spend("open", here, bob)
    with pytest.raises(TooMany):
        spend("open", here, bob)
    spend("open", RequestFactory().post("/", REMOTE_ADDR="192.0.2.7"), cat)
    spend("sit", here, ann)


def test_after_the_window_all_is_as_before(ann: Any, tight: None, time_machine: Any) -> None:
    here = RequestFactory().post("/")
    for _ in range(2):
        spend("act", here, ann)
    with pytest.raises(TooMany) as why:
        spend("act", here, ann)
    assert why.value.seconds == 300
    time_machine.move_to("2026-12-01T10:10:00Z", tick=False)
    spend("act", here, ann)


def test_limits_can_be_switched_off_for_measuring(ann: Any, tight: None, settings: Any) -> None:
    settings.LIMITED = False
    for _ in range(9):
        spend("open", RequestFactory().post("/"), ann)


def test_opening_too_many_matches_is_answered_with_a_page(ann: Any, tight: None) -> None:
    client = client_of(ann)
    form = {"preset": "basic-rummy", "seats": "2", "seat_1": "open", "pace": "1d", "who": "lobby"}
    for _ in range(2):
        assert client.post("/matches/new/", form).status_code == 302
    answer = client.post("/matches/new/", form)
    assert (answer.status_code, answer["Retry-After"]) == (429, "3300")
    page = answer.content.decode()
    assert "Try again in 55 minutes." in page
    assert "Nothing was changed." in page
    assert Match.objects.count() == 2


def test_a_rematch_is_a_match_that_is_opened(ann: Any, tight: None) -> None:
    client = client_of(ann)
    match = opened(ann, bots=1)
    codes = []
    for _ in range(3):
        play.resign(match.pk, 0)
        codes.append(client.post(f"/matches/{match.pk}/rematch/").status_code)
        match = Match.objects.latest("pk")
    assert codes == [302, 302, 429]


def test_no_way_leads_to_more_matches_with_bots_than_allowed(ann: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_WITH_BOTS", 1)
    over = opened(ann, bots=1)
    play.resign(over.pk, 0)
    room = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    opened(ann, bots=1)
    for path in (f"{over.pk}/rematch/", f"{room.pk}/start/"):
        assert client_of(ann).post(f"/matches/{path}").status_code == 409


def test_joining_too_often_is_refused(ann: Any, bob: Any, tight: None) -> None:
    from games import lobby

    client = client_of(bob)
    for wanted in (302, 302, 429):
        match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
        assert client.post(f"/matches/{match.pk}/join/").status_code == wanted
    assert bob.seats.count() == 2


def test_inviting_too_often_is_refused(ann: Any, bob: Any, tight: None) -> None:
    from games import lobby

    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    answers = [client_of(ann).post(f"/matches/{match.pk}/invite/", {"name": "nobody"}).status_code for _ in range(3)]
    assert answers[2] == 429 not in answers[:2]


@pytest.fixture
def awaited(ann: Any, bob: Any) -> tuple[Client, Match, Any]:
    match = opened(ann, bob)
    user = mover(match)
    return client_of(user), match, user


def test_at_the_table_the_sentence_stands_where_refusals_stand(awaited: Any, tight: None) -> None:
    client, match, user = awaited
    for way in ("rank", "suit"):
        client.post(f"/matches/{match.pk}/hand/", {"sort": way})
    seen = tables.board(match, user).seen
    answer = client.post(f"/matches/{match.pk}/act/", {"do": "draw_stock", "seen": seen})
    assert answer.status_code == 429
    assert "Try again in 5 minutes." in answer.content.decode()
    assert "<html" in answer.content.decode()
    match.refresh_from_db()
    assert tables.board(match, user).seen == seen


def test_with_htmx_the_fresh_parts_carry_the_sentence(awaited: Any, tight: None) -> None:
    client, match, user = awaited
    for way in ("rank", "suit"):
        client.post(f"/matches/{match.pk}/hand/", {"sort": way})
    board = tables.board(match, user)
    told = {"do": "draw_stock", "seen": board.seen, "card": str(board.hand[0])}
    answer = client.post(f"/matches/{match.pk}/act/", told, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Try again in 5 minutes." in page
    assert "<html" not in page
    assert re.search(rf'value="{board.hand[0]}"[^>]*checked', page), "what was selected stays so"


def test_no_person_at_play_meets_a_limit() -> None:
    acts = limits.LIMITS["act"]
    assert acts.user / acts.seconds >= 1  # one each second, for ten minutes


def test_a_user_has_so_many_sockets_and_one_that_closes_makes_room(ann: Any, bob: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "SOCKETS", {"user": 2, "address": 100})
    monkeypatch.setattr(consumers, "PLACES", Places())
    first, second, third, his = (socket("/ws/", user) for user in (ann, ann, ann, bob))
    again = socket("/ws/", ann)

    async def told() -> None:
        assert await first.connect() is None
        assert await second.connect() is None
        assert await third.connect() == 4429
        assert await his.connect() is None
        await third.disconnect()
        await first.disconnect()
        assert await again.connect() is None
        for one in (second, his, again):
            await one.disconnect()

    async_to_sync(told)()
    assert not consumers.PLACES.held


def test_so_has_an_address() -> None:
    places = Places()
    taken = [places.take(user, "192.0.2.7") for user in range(101)]
    assert taken == [True] * 100 + [False]
    assert places.take(101, "192.0.2.8")
    places.give_back(0, "192.0.2.7")
    assert places.take(102, "192.0.2.7")


def test_behind_a_proxy_the_address_is_the_clients() -> None:
    """uvicorn's own middleware, which the server uses when PROXY_HEADERS is set, before our application."""
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from rummysite.asgi import application

    told: list[dict[str, Any]] = []

    async def call(trusted: str, client: str) -> None:
        headers = [(b"host", b"testserver"), (b"x-forwarded-for", b"198.51.100.7"), (b"x-forwarded-proto", b"http")]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": "/robots.txt",
            "raw_path": b"/robots.txt",
        }
        scope |= {"query_string": b"", "root_path": "", "scheme": "http", "headers": headers, "client": (client, 1)}
        scope |= {"server": ("testserver", 80), "extensions": {}}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None: ...

        async def noted(inner: dict[str, Any], receive: Any, send: Any) -> None:
            told.append(inner)
            await application(inner, receive, send)

        await ProxyHeadersMiddleware(noted, trusted_hosts=trusted)(scope, receive, send)

    async_to_sync(call)("127.0.0.1", "127.0.0.1")
    async_to_sync(call)("127.0.0.1", "203.0.113.9")
    assert [scope["client"][0] for scope in told] == ["198.51.100.7", "203.0.113.9"]


def test_counts_leave_no_address_longer_than_their_window(ann: Any, monkeypatch: Any) -> None:
    kept: list[tuple[str, int]] = []
    monkeypatch.setattr(cache, "add", lambda key, value, timeout: kept.append((key, timeout)))
    spend("guest", RequestFactory().post("/"))
    assert [timeout for _key, timeout in kept] == [3600]
