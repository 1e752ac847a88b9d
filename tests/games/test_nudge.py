"""Telling is best effort: a channel layer that raises or hangs never costs a move, and says so in the log."""

import asyncio
import threading
import time
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.urls import reverse

from games import background, nudge, play, tables
from games.models import Match, Move
from games.rules.actions import Discard, DrawStock

from .playing import do, legal, mover, opened, seat_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


async def raises(group: str, message: dict[str, Any]) -> None:
    raise ConnectionError("Error 111 connecting to broker 7H KD")


async def hangs(group: str, message: dict[str, Any]) -> None:
    await asyncio.sleep(3600)


@pytest.fixture(params=[raises, hangs], ids=["raising", "hanging"])
def broken(request, monkeypatch):
    """A channel layer that does not work."""
    monkeypatch.setattr(get_channel_layer(), "group_send", request.param)
    monkeypatch.setattr(nudge, "WAIT", 0.2)
    monkeypatch.setattr(nudge, "SERVER_WAIT", 0.2)


@pytest.fixture
def server_loop(monkeypatch):
    """A loop like the server's, in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    monkeypatch.setattr(background, "_loop", loop)
    while not loop.is_running():
        time.sleep(0.001)
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def discard_of(match: Match, user: Any) -> Discard:
    return next(action for action in legal(match, user) if isinstance(action, Discard))


def test_with_a_broken_layer_a_discard_stands_and_its_answer_does_not_wait(ann, bob, client, broken, caplog):
    match = opened(ann, bob)
    user = mover(match)
    do(match, user, DrawStock())
    thrown = discard_of(match, user).card
    seen = tables.board(match, user).seen
    client.force_login(user)
    caplog.clear()

    before = time.monotonic()
    answer = client.post(reverse("games:act", args=[match.pk]), {"seen": seen, "do": "discard", "card": str(thrown)})
    took = time.monotonic() - before

    assert answer.status_code in (302, 303)
    assert took < 2
    assert match.tape.last().action == {"type": "discard", "card": str(thrown)}
    assert "nudge failed" in caplog.text
    assert "7H KD" not in caplog.text
    assert client.get(reverse("games:match", args=[match.pk])).status_code == 200


def test_in_the_server_a_broken_layer_costs_no_time_at_all_and_is_logged(ann, bob, broken, server_loop, caplog):
    match = opened(ann, bob)
    user = mover(match)
    caplog.clear()

    before = time.monotonic()
    play.submit(match.pk, seat_of(match, user).index, [DrawStock()], by=Move.By.USER, seen=match.version)
    took = time.monotonic() - before

    assert took < 0.2
    assert match.tape.last().action == {"type": "draw_stock"}
    for _look in range(100):
        if not asyncio.run_coroutine_threadsafe(_others(), server_loop).result():
            break
        time.sleep(0.02)
    else:
        raise AssertionError("a hanging layer leaves tasks behind")
    assert "nudge failed" in caplog.text


async def _others() -> int:
    """Tasks that a hanging layer has left behind."""
    return len([task for task in asyncio.all_tasks() if task is not asyncio.current_task()])


def test_a_server_that_is_just_going_down_costs_no_move(ann, bob, monkeypatch, caplog):
    class Closed:
        def is_running(self) -> bool:
            return True

        def call_soon_threadsafe(self, *args: Any) -> None:
            raise RuntimeError("Event loop is closed")

    monkeypatch.setattr(background, "_loop", Closed())

    nudge.changed(7, 42, [1])

    assert "nudge failed: RuntimeError" in caplog.text


def test_without_a_layer_nothing_is_sent_and_the_log_says_so(monkeypatch, caplog):
    monkeypatch.setattr(nudge, "get_channel_layer", lambda: None)

    nudge.changed(7, 42, [1])

    assert "no channel layer" in caplog.text


def test_a_message_names_match_and_version_and_goes_to_those_concerned_once(monkeypatch):
    sent = []

    async def keep(group: str, message: dict[str, Any]) -> None:
        sent.append((group, message))

    monkeypatch.setattr(get_channel_layer(), "group_send", keep)

    nudge.changed(7, 42, [3, 1])

    message = {"type": "nudge", "match": 7, "version": 42}
    assert sent == [("match-7", message), ("user-1", message), ("user-3", message)]


def test_a_refused_action_tells_nobody(ann, bob, monkeypatch):
    match = opened(ann, bob)
    user = mover(match)
    other = bob if user == ann else ann
    told = []
    monkeypatch.setattr(nudge, "changed", lambda *args: told.append(args))

    with pytest.raises(Exception, match="not_your_turn"):
        do(match, other, DrawStock())

    assert told == []
