"""The loop in the server that looks for due matches, and the wake-up call that makes it quick.

The rows say what is due (sweep.py looks at them). Nothing is lost when a call is missed: the next look finds it.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable

from asgiref.sync import sync_to_async

log = logging.getLogger(__name__)

PERIOD = 1.0
"""Seconds between two looks for due rows when nothing wakes the loop."""

_loop: asyncio.AbstractEventLoop | None = None
_event: asyncio.Event | None = None
_task: "asyncio.Task[None] | None" = None


def server_loop() -> asyncio.AbstractEventLoop | None:
    """The loop of the server that this process runs, or None in commands and plain requests."""
    return _loop if _loop is not None and _loop.is_running() else None


def start(work: Callable[[], object]) -> None:
    """Called in the server's loop when it starts; ``work`` is done in a thread each time something may be due.

    EMBEDDED_WORKER=0 leaves the work to ``manage.py sweep --loop``.
    """
    global _loop, _event, _task
    _loop, _event = asyncio.get_running_loop(), asyncio.Event()
    if os.environ.get("EMBEDDED_WORKER", "1") != "0":
        _task = _loop.create_task(_forever(_event, work))


async def stop() -> None:
    """Called when the server shuts down; a submission under way is finished first."""
    global _loop, _task
    if _task is not None:
        _task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await _task
    _loop = _task = None


def wake() -> None:
    """Look for due matches now. Cheap, callable from any thread, does nothing outside the server."""
    loop = server_loop()
    if loop is not None and _event is not None:
        loop.call_soon_threadsafe(_event.set)


async def _forever(event: asyncio.Event, work: Callable[[], object]) -> None:
    while True:
        try:
            await sync_to_async(work, thread_sensitive=False)()
        except Exception:
            log.exception("the background work failed; it goes on")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), PERIOD)
        event.clear()
