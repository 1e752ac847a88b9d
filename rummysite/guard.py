"""Between the server and the pages: a request reaches a thread only when it is whole.

The pages are plain WSGI (one hop a request, connections kept). A WSGI bridge alone would act on half a body, let slow
bodies hold its threads, and turn X_Real_User into X-Real-User; this guard reads the body on the loop first.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST = 64 * 1024
"""Bytes of a request's body."""
PATIENCE = 10.0
"""Seconds in which the whole body has to arrive."""


class TooLarge(Exception):
    """The body is longer than MOST."""


class Gone(Exception):
    """The client hung up before the body was whole."""


def guarded(app: App, most: int = MOST, patience: float = PATIENCE) -> App:
    """``app`` behind the guard: 413 for a long body, 408 for a slow one, nothing at all for a client that is gone."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(_whole(receive, most), patience)
        except TooLarge:
            return await _refuse(send, 413, b"The request is too large.")
        except TimeoutError:
            return await _refuse(send, 408, b"The request took too long.")
        except Gone:
            return None
        told = False

        async def again() -> Message:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": body, "more_body": False}

        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        return await app({**scope, "headers": headers}, again, send)

    return guard


async def _whole(receive: Receive, most: int) -> bytes:
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += bytes(message.get("body", b""))
        if len(body) > most:
            raise TooLarge
        if not message.get("more_body", False):
            return body


async def _refuse(send: Send, status: int, sentence: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(sentence)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence})
