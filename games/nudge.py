"""Tells browsers that something changed; never what. Never raises and never waits: a lost message heals by polling."""

import asyncio
import logging
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from . import background

log = logging.getLogger(__name__)

WAIT = 1.0
"""Seconds that a process without the server's loop (a command) gives the channel layer."""
SERVER_WAIT = 10.0
"""Seconds after which the server gives up a message that a broken layer does not take; nobody waits for it."""

LOBBY = "lobby"
"""The group of all sockets that show the lobby."""


def match_group(match_id: int) -> str:
    """The group of all sockets that watch a match."""
    return f"match-{match_id}"


def user_group(user_id: int) -> str:
    """The group of all sockets of a user."""
    return f"user-{user_id}"


def changed(match_id: int, version: int, users: Iterable[int] = ()) -> None:
    """A match is at ``version``; the lists and badges of ``users`` may have changed with it."""
    message = {"type": "nudge", "match": match_id, "version": version}
    groups = [match_group(match_id), *(user_group(user) for user in sorted(users))]
    _send(groups, message)


def told(users: Iterable[int]) -> None:
    """Users have been told something that changed no match."""
    _send([user_group(user) for user in users], {"type": "notices"})


def talk(match_id: int, users: Iterable[int]) -> None:
    """Something was said at a match; these users may read it."""
    _send([user_group(user) for user in sorted(users)], {"type": "talk", "match": match_id})


def lobby() -> None:
    """The list of matches with a free seat may have changed."""
    _send([LOBBY], {"type": "lobby"})


def seat_lost(match_id: int, user_id: int) -> None:
    """A user no longer has a seat: sockets of his that watch the match have to ask again whether they may."""
    _send([user_group(user_id)], {"type": "seat.lost", "match": match_id})


def user_gone(user_id: int) -> None:
    """A session of a user has ended, or all have: his sockets ask again whether theirs is valid."""
    _send([user_group(user_id)], {"type": "user.gone"})


def _send(groups: list[str], message: dict[str, Any]) -> None:
    try:
        layer = get_channel_layer()
        if layer is None:
            log.warning("no channel layer: browsers will poll")
            return
        loop = background.server_loop()
        if loop is not None:
            sending = send(layer, groups, message, SERVER_WAIT)
            asyncio.run_coroutine_threadsafe(sending, loop).add_done_callback(_log_failure)
        else:
            async_to_sync(send)(layer, groups, message, WAIT)
    except Exception as error:  # whatever a broker can raise: the move stands, browsers poll
        log.warning("nudge failed: %s", type(error).__name__)


async def send(layer: Any, groups: list[str], message: dict[str, Any], limit: float) -> None:
    """Send to each group. Raises what the layer raises, and TimeoutError after ``limit`` seconds."""
    async with asyncio.timeout(limit):
        for group in groups:
            await layer.group_send(group, message)


def _log_failure(sent: "Future[None]") -> None:
    if not sent.cancelled() and sent.exception() is not None:
        log.warning("nudge failed: %s", type(sent.exception()).__name__)
