"""Reminders before a deadline, at the times that a user chose. They move with the deadline: each belongs to one.

Looked for once a minute. A reminder is told once for each deadline and time; of several that are due at once (the site
was down) only the last.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F

from games.models import Match, Notice, Seat
from games.paces import PACES
from games.writing import writing

from .outbox import tell

HALF = "half"
CHOICES: list[str] = [HALF, "1440", "720", "240", "60"]
"""When half of the time for a turn is left, or so many minutes before the deadline."""
USUAL = ["240"]
CORRESPONDENCE = [name for name, pace in PACES.items() if pace.kind == "correspondence"]
AT_ONCE = 100


def remind(now: datetime) -> int:
    """Tell all reminders that are due; how many."""
    due = list(_due(now))
    told = set(Notice.objects.filter(kind="reminder", match__in={m for m, *_ in due}).values_list("user", "key"))
    missing = [one for one in due if (one[1], f"{one[0]}:{one[3]}") not in told]
    matches = Match.objects.in_bulk({one[0] for one in missing})
    for start in range(0, len(missing), AT_ONCE):
        with writing():
            for match_id, user_id, deadline, key in missing[start : start + AT_ONCE]:
                tell("reminder", [user_id], matches[match_id], {"due": deadline.isoformat()}, key=key)
    return len(missing)


def _due(now: datetime) -> Iterator[tuple[int, int, datetime, str]]:
    """Match, user, deadline and key of each reminder whose time has come."""
    longest = max(PACES[name].allowance for name in CORRESPONDENCE)
    turns = Seat.objects.filter(
        match__status=Match.Status.RUNNING,
        match__pace__in=CORRESPONDENCE,
        match__live_at=None,
        match__due_at__gt=now,
        match__due_at__lt=now + timedelta(seconds=longest),
        match__turn=F("index"),
        driver=Seat.Driver.USER,
    )
    columns = ("match", "driven_by", "match__due_at", "match__pace", "driven_by__notice_settings__reminders")
    # in order, so that two workers at once write the same rows in the same order
    for match_id, user_id, deadline, pace, chosen in turns.order_by("match").values_list(*columns):
        choice = _last(now, deadline, PACES[pace].allowance, USUAL if chosen is None else chosen)
        if choice:
            yield match_id, user_id, deadline, f"{deadline.timestamp():.0f}.{choice}"


def _last(now: datetime, deadline: datetime, allowance: int, chosen: Sequence[Any]) -> str:
    """The nearest to the deadline of the chosen times that have come; empty if none has. One that lies before the
    turn began is none.
    """
    left = (deadline - now).total_seconds()
    seconds = {choice: allowance / 2 if choice == HALF else int(choice) * 60 for choice in CHOICES if choice in chosen}
    come = [(before, choice) for choice, before in seconds.items() if left <= before < allowance]
    return min(come)[1] if come else ""
