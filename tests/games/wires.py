"""How tests open sockets of the real application and read what they say."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import Client

from rummysite.asgi import application

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


def knock(path: str, **how: Any) -> bool:
    """Whether a socket is let in."""
    knocking = socket(path, **how)

    async def told() -> bool:
        refused = await knocking.connect()
        await knocking.disconnect()
        return refused is None

    return bool(story(told))


def quiet(caplog: pytest.LogCaptureFixture) -> bool:
    return [r for r in caplog.records if r.levelno >= logging.WARNING or r.exc_info] == []
