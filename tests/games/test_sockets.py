"""Sockets: who may open one, what it is told, when it is closed. Frames name a match and a version, never a card."""

import asyncio
import json
import time

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings

from games import consumers, lobby, nudge, play
from games.models import Match

from .playing import CUT, mover, opened, seat_of, take_turn
from .wires import frames, knock, quiet, shut, socket, story

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


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
