"""Sockets: join the groups of a user and a match, pass on that something changed. No rules, no cards, no secrets.

A browser is told ``{"match": 7, "version": 42}``, or ``{"match": 7, "talk": true}``, and fetches what it may see with
its own session. What it sends is ignored. Close codes: 4401 the session has ended or its user is shut out,
4404 the match may not be watched (any longer), 4429 the user or the address has too many sockets, 1013 try later. A
socket that is not let in at all comes back each time later.
"""

import asyncio
import json
import logging
import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from rummysite.limits import UNKNOWN, Places, shortened

from . import nudge, presence, tables
from .models import Match

log = logging.getLogger(__name__)

RECHECK = 180.0
"""Seconds after which a socket asks again whether its session is valid and its match may be watched."""
LOBBY_PAUSE = 1.0
"""Seconds between two messages that the lobby has changed."""
PATIENCE = 5.0
"""Seconds that a broken channel layer may hold up a socket."""

SIGNED_OUT, NOT_HERE, TOO_MANY, LATER = 4401, 4404, 4429, 1013
PLACES = Places()


def _layer_errors() -> tuple[type[Exception], ...]:
    """What a channel layer raises when its broker is away. Redis is installed only where it is used."""
    try:
        from redis.exceptions import RedisError
    except ImportError:
        return (OSError,)
    return (OSError, RedisError)


_LAYER_ERRORS = _layer_errors()


class Live(AsyncWebsocketConsumer):
    """The socket of a page: of any page for its user, of a match's page also for that match, of the lobby's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user_id: int | None = None
        self.match_id: int | None = None
        self.in_lobby = False
        self.lobby_at = 0.0
        self.lobby_soon: asyncio.Task[None] | None = None
        self.token = ""
        self.address = UNKNOWN
        self.placed = False
        self.joined: list[str] = []
        self.told: tuple[int, int] | None = None
        self.closing = False
        self.watching: asyncio.Task[None] | None = None
        self.beating: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """A channel layer that breaks down ends the socket with one line; the browser polls and comes back."""
        try:
            await super().__call__(scope, receive, send)
        except _LAYER_ERRORS as error:
            log.warning("socket lost its channel layer: %s", type(error).__name__)
            await self._leave()
            await self._end(LATER)
        finally:
            if self.placed and self.user_id is not None:
                PLACES.give_back(self.user_id, self.address)

    async def connect(self) -> None:
        """Ask first, join then, accept last: whoever is refused has been in no group."""
        user = self.scope["user"]
        if not user.is_authenticated or user.is_barred:
            return await self._end(SIGNED_OUT)
        self.user_id = user.pk
        self.match_id = self.scope["url_route"]["kwargs"].get("match_id")
        self.in_lobby = self.scope["url_route"]["kwargs"].get("lobby", False)
        self.address = shortened((self.scope.get("client") or ("",))[0])
        self.token = parse_qs(self.scope.get("query_string", b"").decode("latin1")).get("token", [""])[0]
        if not await self._may_look(user):
            return await self._end(NOT_HERE)
        if self.channel_layer is None:
            return await self._end(LATER)
        if not PLACES.take(user.pk, self.address):
            return await self._end(TOO_MANY)
        self.placed = True
        await self._join()
        await self.accept()
        self.watching = asyncio.create_task(self._watch())
        if self.match_id is not None:
            self.beating = asyncio.create_task(self._beat(self.match_id, user.pk))

    async def disconnect(self, code: int) -> None:
        """Also called after a refused connect."""
        self.closing = True
        if self.beating is not None and self.match_id is not None and self.user_id is not None:
            await _quietly(presence.left, self.match_id, self.user_id)
        await self._leave()

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """Leaves the groups by itself: a dead channel layer must not keep a socket from ending."""
        await self.disconnect(message.get("code", 1005))
        raise StopConsumer

    # What the groups are told (nudge.py)

    async def nudge(self, message: dict[str, Any]) -> None:
        """A match has a new version. It comes by both groups, and is passed on once."""
        news = (message["match"], message["version"])
        if news != self.told and not self.closing:
            self.told = news
            await self.send(text_data=json.dumps({"match": news[0], "version": news[1]}))

    async def notices(self, message: dict[str, Any]) -> None:
        """This user has been told something."""
        if not self.closing:
            await self.send(text_data=json.dumps({"notices": True}))

    async def talk(self, message: dict[str, Any]) -> None:
        """Something was said at a match: which, and no word of it."""
        if not self.closing:
            await self.send(text_data=json.dumps({"match": message["match"], "talk": True}))

    async def lobby(self, message: dict[str, Any]) -> None:
        """The list has changed; told at most once in LOBBY_PAUSE seconds, and the last change is never left out."""
        if self.lobby_soon is None and not self.closing:
            self.lobby_soon = asyncio.create_task(self._tell_lobby())

    async def _tell_lobby(self) -> None:
        await asyncio.sleep(self.lobby_at + LOBBY_PAUSE - time.monotonic())
        self.lobby_soon, self.lobby_at = None, time.monotonic()
        if not self.closing:
            await self.send(text_data=json.dumps({"lobby": True}))

    async def seat_lost(self, message: dict[str, Any]) -> None:
        """This user has given back a seat: may the match still be watched?"""
        if message["match"] == self.match_id:
            await self.look_again()

    async def user_gone(self, message: dict[str, Any]) -> None:
        """This user has signed out somewhere, or was shut out: is it this session?"""
        await self.look_again()

    async def look_again(self) -> None:
        """Close the socket if it would be refused today."""
        if self.closing:
            return
        user = await _user_of(self.scope["session"].session_key)
        if user.pk != self.user_id or user.is_barred:
            await self._end(SIGNED_OUT)
        elif not await self._may_look(user):
            await self._end(NOT_HERE)

    # Inner works

    @database_sync_to_async
    def _may_look(self, user: Any) -> bool:
        if self.match_id is None:
            return True
        match = Match.objects.filter(pk=self.match_id).first()
        return match is not None and tables.may_look(match, user, self.token)

    async def _join(self) -> None:
        assert self.user_id is not None
        groups = [nudge.user_group(self.user_id)]
        if self.match_id is not None:
            groups.append(nudge.match_group(self.match_id))
        if self.in_lobby:
            groups.append(nudge.LOBBY)
        for group in groups:
            await asyncio.wait_for(self.channel_layer.group_add(group, self.channel_name), PATIENCE)
            self.joined.append(group)

    async def _leave(self) -> None:
        for task in (self.watching, self.lobby_soon, self.beating):
            if task is not None:
                task.cancel()
        try:
            while self.joined:
                group = self.joined.pop()
                await asyncio.wait_for(self.channel_layer.group_discard(group, self.channel_name), PATIENCE)
        except Exception as error:  # membership expires by itself
            log.warning("socket could not leave its groups: %s", type(error).__name__)

    async def _end(self, code: int) -> None:
        if not self.closing:
            self.closing = True
            await self.close(code)

    async def _beat(self, match_id: int, user_id: int) -> None:
        """Say that this user has the page of the match open, again and again. No query."""
        while not self.closing:
            await _quietly(presence.came, match_id, user_id)
            await asyncio.sleep(presence.BEAT)

    async def _watch(self) -> None:
        while not self.closing:
            await asyncio.sleep(RECHECK * random.uniform(0.8, 1.2))
            try:
                await self.look_again()
            except Exception as error:  # the database is away: ask again later
                log.warning("socket could not look again: %s", type(error).__name__)


async def _quietly(act: Callable[[int, int], None], match_id: int, user_id: int) -> None:
    """Presence is a courtesy: a cache that is away ends no socket."""
    try:
        await asyncio.to_thread(act, match_id, user_id)
    except Exception as error:
        log.warning("presence is not kept: %s", type(error).__name__)


async def _user_of(session_key: str | None) -> Any:
    """Who a session belongs to now; the anonymous user when it has ended or its account is closed."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    return await get_user({"session": store(session_key)})
