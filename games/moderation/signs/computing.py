"""Looking for signs, once a day, and writing them: one row for a kind and whom it is about.

Reading holds no transaction; rows are written a few at a time, each batch in a transaction of its own, so no player
waits. In the server it is done in a thread of its own, so due matches do not wait either. Computed again for the same
moment it writes the same.
"""

import logging
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import batched

from django.db import connection
from django.utils import timezone

from accounts.models import Chore
from games.models import Sign
from games.writing import writing

from . import abandoning, helping, sandbagging, sharing, sources, timing, trading
from .finding import Finding

log = logging.getLogger(__name__)

DAY = timedelta(days=1)
PERIOD = timedelta(days=180)
"""What ended so long ago, or longer, is in no number."""
SETTLED = timedelta(minutes=10)
"""What ended so long ago is in the database, however slowly it was written."""
BATCH = 50
"""Rows written in one transaction."""
GROWN = 1.5
"""A sign that was dismissed or acted on comes back when its cases are so many times what they were."""
REST = 0.1
"""Seconds between two batches of Records in the server, where players come first."""
LOOK = 600.0
"""Seconds between two looks whether a day has passed."""

_looked = time.monotonic()


def compute(now: datetime, signed: Sequence[sharing.Signed] | None = None, rest: float = 0.0) -> list[Finding]:
    """All that is to be found now. Changes nothing. ``signed``: the sessions, if they have been read already."""
    since, until = now - PERIOD, now - SETTLED
    signed = sources.signed() if signed is None else signed
    played = list(sources.played(since, until))
    told = sources.told(since, until, rest)
    found = [
        *helping.find(told.discards),
        *sharing.find(signed, played),
        *trading.find(played),
        *sandbagging.find(played, sources.falls(since, until)),
        *timing.find(told.answers),
        *abandoning.find(played),
    ]
    return sorted(found, key=lambda one: (one.kind, one.user, one.other or 0))


def write(found: Sequence[Finding], now: datetime) -> None:
    """Bring the rows up to date. One that is not found any more stays as it was last."""
    for some in batched(found, BATCH):
        with writing():
            users = {one.user for one in some}
            rows = Sign.objects.select_for_update(of=("self",)).filter(user__in=users).order_by("pk")
            known = {(row.kind, row.user_id, row.other_id): row for row in rows}
            for one in some:
                _write(known.get((one.kind, one.user, one.other)), one, now)


def _write(row: Sign | None, one: Finding, now: datetime) -> None:
    numbers = one.numbers() | {"since": (now - PERIOD).isoformat(), "until": (now - SETTLED).isoformat()}
    if row is None:  # another count may be writing it just now
        first = {"observed": one.observed, "numbers": numbers, "first_seen": now, "last_seen": now}
        row, made = Sign.objects.get_or_create(kind=one.kind, user_id=one.user, other_id=one.other, defaults=first)
        if made:
            return
    row.observed, row.numbers, row.last_seen = one.observed, numbers, max(now, row.first_seen)
    if row.settled_at_observed is not None and row.observed >= GROWN * row.settled_at_observed:
        row.state, row.settled_at_observed = Sign.State.NEW, None
    row.save()


def count(now: datetime) -> int:
    """Look for signs and write them; how many were found."""
    found = compute(now)
    write(found, now)
    return len(found)


def is_due(now: datetime) -> bool:
    """Whether the last count was a day ago and no other worker was quicker. The next is due in a day."""
    chore, made = Chore.objects.get_or_create(name="signs", defaults={"due_at": now + DAY})
    due = Chore.objects.filter(pk=chore.pk, due_at=chore.due_at, due_at__lte=now)
    return bool(made or due.update(due_at=now + DAY))


def look() -> threading.Thread | None:
    """Called by the background work each second or so; looks at the row of the chore much less often.

    Sessions are read at once: those that have ended are let go by the next of the daily chores.
    """
    global _looked
    if time.monotonic() - _looked < LOOK:
        return None
    _looked = time.monotonic()
    now = timezone.now()
    try:
        signed = sources.signed() if is_due(now) else None
    finally:
        connection.close()
    if signed is None:
        return None
    thread = threading.Thread(target=_in_thread, args=(now, signed), name="signs", daemon=True)
    thread.start()
    return thread


def _in_thread(now: datetime, signed: Sequence[sharing.Signed]) -> None:
    try:
        write(compute(now, signed, REST), now)
    except Exception:
        log.exception("signs for moderators could not be counted")
    finally:
        connection.close()
