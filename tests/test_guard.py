"""What the guard keeps from the pages."""

import asyncio
from typing import Any

import pytest

from rummysite.guard import guarded

pytestmark = pytest.mark.asyncio


class Pages:
    """Stands for the pages: notes what reached them."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.headers: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        message = await receive()
        assert message["more_body"] is False
        self.bodies.append(message["body"])
        self.headers = scope["headers"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})


async def ask(pages: Pages, messages: list[Any], headers: Any = (), **limits: Any) -> list[Any]:
    """What is sent to a client that sends ``messages`` and then nothing."""
    sent: list[Any] = []
    left = list(messages)

    async def receive() -> Any:
        if left:
            return left.pop(0)
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        sent.append(message)

    await guarded(pages, **limits)({"type": "http", "headers": list(headers)}, receive, send)
    return sent


def part(body: bytes, more: bool) -> Any:
    return {"type": "http.request", "body": body, "more_body": more}


async def test_a_body_in_parts_arrives_whole() -> None:
    pages = Pages()
    sent = await ask(pages, [part(b"cards=7H,", True), part(b"8H,", True), part(b"9H", False)])
    assert pages.bodies == [b"cards=7H,8H,9H"]
    assert sent[0]["status"] == 200


async def test_a_body_that_was_cut_off_runs_nothing() -> None:
    pages = Pages()
    sent = await ask(pages, [part(b"cards=7H,8H,9H", True), {"type": "http.disconnect"}])
    assert pages.bodies == []
    assert sent == []


async def test_a_slow_body_is_refused() -> None:
    pages = Pages()
    sent = await ask(pages, [part(b"cards=", True)], patience=0.05)
    assert pages.bodies == []
    assert sent[0]["status"] == 408


async def test_a_long_body_is_refused() -> None:
    pages = Pages()
    sent = await ask(pages, [part(b"x" * 60, True), part(b"x" * 60, True)], most=100)
    assert pages.bodies == []
    assert sent[0]["status"] == 413


async def test_a_body_of_just_the_limit_passes() -> None:
    pages = Pages()
    sent = await ask(pages, [part(b"x" * 100, False)], most=100)
    assert pages.bodies == [b"x" * 100]
    assert sent[0]["status"] == 200


async def test_headers_with_underscores_are_dropped() -> None:
    pages = Pages()
    headers = [(b"x_real_user", b"admin"), (b"x-asked-by", b"ann"), (b"x_forwarded-for", b"10.0.0.1")]
    await ask(pages, [part(b"", False)], headers)
    assert pages.headers == [(b"x-asked-by", b"ann")]
