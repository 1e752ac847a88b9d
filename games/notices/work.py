"""The delivery work: threads of their own beside the sweep of matches, so that a mail server that hangs stops nothing.

``look`` is called by the background work again and again and returns at once; ``once`` does all that is due and waits.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial

from django.db import connection
from django.utils import timezone

from . import delivery, pruning, reminders
from .carriers import CARRIERS
from .spread import spread

log = logging.getLogger(__name__)

LOOK = 2.0
"""Seconds between two looks for notices that are due."""
MINUTE = 60.0
REST = 30.0
"""Seconds that a channel is left alone after a fault of ours."""

_running: dict[str, threading.Thread] = {}
_next: dict[str, float] = {}


def jobs() -> dict[str, tuple[float, Callable[[], object]]]:
    """By name: seconds between two runs, and what is done."""
    return {
        "spread": (LOOK, _spread_all),
        "reminders": (MINUTE, lambda: reminders.remind(timezone.now())),
        "pruning": (10 * MINUTE, lambda: pruning.prune_daily(timezone.now())),
        **{channel: (LOOK, partial(delivery.deliver, channel)) for channel in CARRIERS},
    }


def _spread_all() -> None:
    while spread(timezone.now()):
        pass


def look() -> None:
    """Start each job whose time has come, in a thread of its own, unless it is still at work."""
    now = time.monotonic()
    for name, (period, job) in jobs().items():
        before = _running.get(name)
        if now < _next.get(name, 0.0) or (before is not None and before.is_alive()):
            continue
        _next[name] = now + period
        _running[name] = threading.Thread(target=_done, args=(name, job), daemon=True, name=f"notices-{name}")
        _running[name].start()


def finish(seconds: float = 5.0) -> None:
    """Called when the process ends: what is being sent gets a moment to be written down as sent."""
    until = time.monotonic() + seconds
    for thread in _running.values():
        thread.join(max(0.0, until - time.monotonic()))


def once() -> None:
    """Do every job now, one after the other, in this thread."""
    for name, (_period, job) in jobs().items():
        _try(name, job)


def _done(name: str, job: Callable[[], object]) -> None:
    try:
        _try(name, job)
    finally:
        connection.close()


def _try(name: str, job: Callable[[], object]) -> None:
    try:
        job()
    except Exception:
        log.exception("notices: %s failed; it is tried again", name)
        _next[name] = time.monotonic() + REST
