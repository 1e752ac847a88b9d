"""Sockets: who may open one, what it is told, when it is closed. Frames name a match and a version, never a card."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from accounts.closing import close as close_account
from games import consumers, lobby, nudge, play
from games.models import Match
from rummysite.asgi import application
from tests.conftest import PASSWORD

from .playing import CUT, mover, opened, seat_of, take_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

OWN = b"http://testserver"
SILENCE = 0.3 if settings.REDIS_URL else 0.05
"""Seconds without a frame after which none is on its way."""


def cookie_of(user: Any) -> bytes:
    """A session of this user, signed in as by the form."""
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}".encode()


class Socket(ApplicationCommunicator):
    """A socket of the real server application. (The one of Channels wants daphne to be installed.)"""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        path, _mark, query = path.partition("?")
        scope = {"type": "websocket", "path": path, "query_string": query.encode(), "headers": headers}
        super().__init__(application, scope | {"subprotocols": []})

    async def connect(self) -> int | None:
        """None when let in, else the close code."""
        await self.send_input({"type": "websocket.connect"})
        answer = await self.receive_output(5)
        return None if answer["type"] == "websocket.accept" else answer.get("code", 1000)

    async def disconnect(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wait(5)


def socket(path: str, user: Any = None, origin: bytes | None = OWN, cookie: bytes = b"") -> Socket:
    """A browser's socket: its session, its origin."""
    cookie = cookie or (cookie_of(user) if user is not None else b"")
    headers = [(b"origin", origin)] if origin is not None else []
    return Socket(path, headers + ([(b"cookie", cookie)] if cookie else []))


def story(told: Callable[[], Awaitable[Any]]) -> Any:
    """Run a story of sockets; what it does to the database happens in this thread."""
    return async_to_sync(told)()


async def frames(opened_socket: Socket) -> list[str]:
    """All frames that have come so far."""
    got = []
    while not await opened_socket.receive_nothing(SILENCE):
        message = await opened_socket.receive_output()
        got.append(message["text"] if message["type"] == "websocket.send" else f"closed {message.get('code')}")
    return got


async def shut(opened_socket: Socket) -> str:
    """Wait until the server closes a socket, whatever it tells before; how it was closed."""
    while (message := await opened_socket.receive_output(5))["type"] != "websocket.close":
        pass
    return f"closed {message.get('code')}"


async def closing(opened_socket: Socket) -> Any:
    """Wait until the server closes a socket; the code."""
    message = await opened_socket.receive_output(5)
    assert message["type"] == "websocket.close"
    return message["code"]


def knock(path: str, **how: Any) -> bool:
    """Whether a socket is let in."""
    knocking = socket(path, **how)

    async def told() -> bool:
        refused = await knocking.connect()
        await knocking.disconnect()
        return refused is None

    return bool(story(told))


def groups() -> list[str]:
    """Groups of the in-memory layer that have members; none is known of Redis."""
    return [name for name, members in getattr(get_channel_layer(), "groups", {}).items() if members]


@pytest.mark.parametrize("origin", [b"http://[", b"http://[::1", b"http://testserver:many", b"http://testserver:99999"])
def test_an_origin_that_is_no_address_is_refused_without_a_word_in_the_log(ann, origin, caplog):
    assert not knock("/ws/", user=ann, origin=origin)
    assert caplog.records == []


@pytest.mark.parametrize("path", ["/ws/", "/ws/match/{}/"])
def test_a_socket_opens_from_the_own_origin_only(ann, bob, path):
    path = path.format(opened(ann, bob).pk)

    assert knock(path, user=ann)
    assert not knock(path, user=ann, origin=b"https://evil.example")
    assert not knock(path, user=ann, origin=b"https://testserver.evil.example")
    assert not knock(path, user=ann, origin=b"null")
    assert not knock(path, user=ann, origin=None)


def test_nobody_without_a_session_gets_a_socket(ann, bob, caplog):
    match = opened(ann, bob)

    assert not knock("/ws/")
    assert not knock(f"/ws/match/{match.pk}/")
    assert not knock("/ws/", cookie=b"sessionid=made-up")
    assert quiet(caplog)


def quiet(caplog: pytest.LogCaptureFixture) -> bool:
    return [r for r in caplog.records if r.levelno >= logging.WARNING or r.exc_info] == []


def test_a_stranger_to_a_private_match_is_refused_and_in_no_group(ann, bob, cat, caplog):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)
    lobby.join(match.pk, bob, CUT, match.token)
    watching = socket(f"/ws/match/{match.pk}/", cat)

    async def told() -> None:
        assert await watching.connect() == 4404
        assert groups() == []
        await watching.disconnect()

    story(told)
    assert knock(f"/ws/match/{match.pk}/", user=bob)
    assert quiet(caplog)


def test_a_public_match_may_be_watched(ann, bob, cat):
    assert knock(f"/ws/match/{opened(ann, bob).pk}/", user=cat)


@pytest.mark.parametrize(
    "path",
    ["/ws/match/999999/", f"/ws/match/{2**70}/", "/ws/match/abc/", "/ws/match/-1/", "/ws/match/", "/ws", "/", "/ws/x/"],
)
def test_a_wrong_address_is_refused_without_a_trace(ann, path, caplog):
    assert not knock(path, user=ann)
    assert quiet(caplog)
    assert groups() == []


def test_leaving_after_a_refusal_or_at_once_logs_nothing(ann, bob, cat, caplog):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)
    refused, hasty = socket(f"/ws/match/{match.pk}/", cat), socket("/ws/", ann)

    async def told() -> None:
        await refused.connect()
        await refused.disconnect()
        await refused.wait()
        await hasty.send_input({"type": "websocket.connect"})
        await hasty.send_input({"type": "websocket.disconnect", "code": 1001})
        await hasty.wait()

    story(told)
    assert quiet(caplog)
    assert groups() == []


def test_a_socket_that_closes_leaves_its_groups(ann, bob):
    match = opened(ann, bob)
    hers = socket(f"/ws/match/{match.pk}/", ann)

    async def told() -> None:
        await hers.connect()
        both = [nudge.match_group(match.pk), nudge.user_group(ann.pk)]
        assert settings.REDIS_URL or sorted(groups()) == sorted(both)  # those of Redis cannot be listed
        await hers.disconnect()
        assert groups() == []

    story(told)


def test_a_turn_reaches_those_who_look_and_those_who_play_and_carries_no_card(ann, bob, cat, mod):
    match, other_match = opened(ann, bob), opened(cat, mod)
    user = mover(match)
    other = bob if user == ann else ann
    on_its_page = socket(f"/ws/match/{match.pk}/", user)
    elsewhere, watcher = socket("/ws/", other), socket(f"/ws/match/{match.pk}/", cat)
    stranger, other_table = socket("/ws/", cat), socket(f"/ws/match/{other_match.pk}/", mod)
    all_of_them = [on_its_page, elsewhere, watcher, stranger, other_table]
    start = match.version

    async def told() -> list[list[str]]:
        for one in all_of_them:
            assert await one.connect() is None
        await sync_to_async(take_turn)(match, user)
        heard = [await frames(one) for one in all_of_them]
        for one in all_of_them:
            await one.disconnect()
        return heard

    heard = story(told)

    news = [{"match": match.pk, "version": start + 1}, {"match": match.pk, "version": start + 2}]
    assert [[json.loads(frame) for frame in one] for one in heard] == [news, news, news, [], []]


def test_what_a_browser_sends_is_ignored(ann, bob, caplog):
    hers = socket("/ws/", ann)

    async def told() -> None:
        await hers.connect()
        await hers.send_input({"type": "websocket.receive", "text": "{not json"})
        await hers.send_input({"type": "websocket.receive", "bytes": b"\xff\x00"})
        assert await frames(hers) == []
        await hers.disconnect()

    story(told)
    assert quiet(caplog)


def test_who_gives_back_a_seat_of_a_private_match_watches_no_longer(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", private=True)
    lobby.join(match.pk, bob, CUT, match.token)
    his, hers = socket(f"/ws/match/{match.pk}/", bob), socket(f"/ws/match/{match.pk}/", ann)

    async def told() -> None:
        await his.connect()
        await hers.connect()
        await sync_to_async(lobby.leave)(match.pk, bob)
        assert await shut(his) == "closed 4404"
        assert "closed" not in str(await frames(hers))
        await his.disconnect()
        assert nudge.user_group(bob.pk) not in groups()
        await hers.disconnect()

    story(told)


def test_who_gives_up_a_seat_of_a_public_match_may_go_on_watching(ann, bob, cat):
    match = opened(ann, bob, cat)
    hers, seat = socket(f"/ws/match/{match.pk}/", ann), seat_of(match, ann).index

    async def told() -> None:
        await hers.connect()
        await sync_to_async(play.resign)(match.pk, seat)
        assert [json.loads(frame)["match"] for frame in await frames(hers)] == [match.pk]
        await hers.disconnect()

    story(told)


def test_signing_out_closes_the_sockets_of_this_session_only(ann, client):
    client.force_login(ann)
    here, there = client.cookies[settings.SESSION_COOKIE_NAME].value, cookie_of(ann)
    laptop = socket("/ws/", cookie=f"{settings.SESSION_COOKIE_NAME}={here}".encode())
    phone = socket("/ws/", cookie=there)

    async def told() -> None:
        await laptop.connect()
        await phone.connect()
        await sync_to_async(client.post)(reverse("account_logout"))
        assert await closing(laptop) == 4401
        assert await frames(phone) == []
        await laptop.disconnect()
        await phone.disconnect()

    story(told)


@pytest.mark.parametrize("how", ["all others", "one", "new password"])
def test_signing_out_elsewhere_closes_the_sockets_there_at_once(ann, client, how):
    tablet = Client()
    for device in (client, tablet):
        device.post("/accounts/login/", {"login": "ann", "password": PASSWORD})
    name = settings.SESSION_COOKIE_NAME
    there = socket("/ws/", cookie=f"{name}={tablet.cookies[name].value}".encode())
    here = socket("/ws/", cookie=f"{name}={client.cookies[name].value}".encode())

    def end() -> None:
        if how == "all others":
            client.post("/accounts/sessions/")
        elif how == "one":
            row = ann.usersession_set.get(session_key=tablet.session.session_key)
            client.post(f"/accounts/sessions/{row.pk}/end/")
        else:
            new = {"password1": "another long word", "password2": "another long word"}
            client.post("/accounts/password/change/", {"oldpassword": PASSWORD, **new})

    async def told() -> None:
        await there.connect()
        await here.connect()
        await sync_to_async(end)()
        assert await closing(there) == 4401
        if how != "new password":  # that gives this session a new key: its page comes back with it
            assert await frames(here) == []
        await there.disconnect()
        await here.disconnect()

    story(told)


def test_closing_the_account_closes_all_its_sockets(ann, bob):
    match = opened(ann, bob)
    laptop, phone = socket("/ws/", ann), socket(f"/ws/match/{match.pk}/", ann)

    async def told() -> None:
        await laptop.connect()
        await phone.connect()
        await sync_to_async(close_account)(ann)
        assert await shut(laptop) == await shut(phone) == "closed 4401"
        await laptop.disconnect()
        await phone.disconnect()

    story(told)


@pytest.mark.parametrize("how", ["shut out", "new password", "signed out"])
def test_a_socket_finds_out_by_itself_that_its_session_has_ended(ann, bob, monkeypatch, how):
    monkeypatch.setattr(consumers, "RECHECK", 0.02)
    match = opened(ann, bob)
    hers = socket(f"/ws/match/{match.pk}/", ann)

    def end() -> None:
        if how == "shut out":
            ann.is_active = False
        elif how == "new password":
            ann.set_password("another")
        else:
            Session.objects.all().delete()
        ann.save()

    async def told() -> None:
        await hers.connect()
        assert await frames(hers) == []
        await sync_to_async(end)()
        await asyncio.sleep(0.1)
        assert await frames(hers) == ["closed 4401"]
        await sync_to_async(nudge.changed)(match.pk, 99, [ann.pk])
        assert await frames(hers) == []
        await hers.disconnect()

    story(told)


def test_without_a_channel_layer_a_socket_is_refused_and_pages_poll(ann, monkeypatch, caplog):
    monkeypatch.setattr("channels.consumer.get_channel_layer", lambda alias: None)

    assert not knock("/ws/", user=ann)
    assert quiet(caplog)


@pytest.mark.parametrize("act", ["group_add", "group_discard", "receive"])
def test_a_dead_broker_ends_a_socket_with_one_line_and_no_trace(ann, monkeypatch, caplog, act):
    layer, hers = get_channel_layer(), socket("/ws/", ann)

    async def dead(*args: Any) -> None:
        raise ConnectionError("broker is away")

    monkeypatch.setattr(layer, act, dead)

    async def told() -> None:
        if await hers.connect() is None:
            await hers.disconnect()
        else:
            await hers.wait()

    story(told)
    assert [r for r in caplog.records if r.exc_info] == []
    assert "broker is away" not in caplog.text


def test_the_version_in_the_page_and_in_the_frame_are_the_same_number(ann, bob):
    match = opened(ann, bob)
    hers = socket("/ws/", ann)

    async def told() -> str:
        await hers.connect()
        await sync_to_async(take_turn)(match, await sync_to_async(mover)(match))
        last = (await frames(hers))[-1]
        await hers.disconnect()
        return last

    assert json.loads(story(told)) == {"match": match.pk, "version": Match.objects.get(pk=match.pk).version}


# --- the lobby -------------------------------------------------------------------------------------------------------


def test_who_shows_the_lobby_is_told_at_most_once_a_second_and_never_of_whom(ann, bob, cat, monkeypatch):
    monkeypatch.setattr(consumers, "LOBBY_PAUSE", 0.5)
    hers, elsewhere = socket("/ws/lobby/", cat), socket("/ws/", ann)

    async def told() -> None:
        await hers.connect()
        await elsewhere.connect()
        began = time.monotonic()
        for _ in range(10):
            await sync_to_async(lobby.open_match)(bob, "basic-rummy", seats=["open"], pace="1d")
        passed = time.monotonic() - began
        await asyncio.sleep(0.7)
        heard = await frames(hers)
        assert {*map(json.dumps, map(json.loads, heard))} == {json.dumps({"lobby": True})}
        assert len(heard) <= 2 + passed / 0.5
        await asyncio.sleep(0.7)
        assert await frames(hers) == []
        assert await frames(elsewhere) == []
        await hers.disconnect()
        await elsewhere.disconnect()
        assert groups() == []

    story(told)


def test_a_private_match_is_not_told_in_the_lobby(ann, bob, cat):
    hers = socket("/ws/lobby/", cat)

    async def told() -> None:
        await hers.connect()
        await sync_to_async(lobby.open_match)(bob, "basic-rummy", seats=["open"], pace="1d", private=True)
        assert await frames(hers) == []
        await hers.disconnect()

    story(told)


def test_the_lobby_has_no_socket_for_a_stranger(db):
    assert not knock("/ws/lobby/")


def test_who_is_removed_from_a_private_match_watches_no_longer(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", private=True)
    lobby.join(match.pk, bob, CUT, match.token)
    his = socket(f"/ws/match/{match.pk}/", bob)

    async def told() -> None:
        await his.connect()
        await sync_to_async(lobby.remove)(match.pk, ann, 1)
        assert await shut(his) == "closed 4404"
        await his.disconnect()

    story(told)
