"""Reminders before a deadline, at the times that a user chose. They move with the deadline: each belongs to one.

Hours are those of every clock before the deadline. Half of the time is half of what the user has for this turn: the
time for a turn, his bank and what others gave him. Days off do not count there.

Looked for once a minute. A reminder is told once for each deadline and time; of several that are due at once (the site
was down) only the last.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet, prefetch_related_objects

from games import clock, worktime
from games.models import Match, Notice, Seat
from games.paces import PACES
from games.writing import writing

from .outbox import tell
from .spread import settings_of

HALF = "half"
CHOICES: list[str] = [HALF, "1440", "720", "240", "60"]
"""When half of the time for the turn is left, or so many minutes before the deadline."""
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
    turns = list(_turns(now))
    halves = [seat.match for seat in turns if HALF in (settings_of(seat.driven_by).reminders or ())]
    prefetch_related_objects(halves, "seats")  # only for them all seats matter
    for seat in turns:
        user_id, deadline = seat.driven_by_id, seat.match.due_at
        choice = _last(seat, now)
        if choice and user_id is not None and deadline is not None:
            yield seat.match_id, user_id, deadline, f"{deadline.timestamp():.0f}.{choice}"


def _turns(now: datetime) -> "QuerySet[Seat]":
    """The seats of persons whose time runs by correspondence. Who never chose wants no reminder days before."""
    soon = Q(match__due_at__lt=now + timedelta(days=1)) | Q(driven_by__notice_settings__isnull=False)
    turns = Seat.objects.filter(
        soon,
        match__status=Match.Status.RUNNING,
        match__pace__in=CORRESPONDENCE,
        match__live_at=None,
        match__due_at__gt=now,
        match__turn=F("index"),
        driver=Seat.Driver.USER,
    )
    # in order, so that two workers at once write the same rows in the same order
    return turns.order_by("match").select_related("match", "driven_by__notice_settings")


def _last(seat: Seat, now: datetime) -> str:
    """The nearest to the deadline of the chosen times that have come; empty if none has. One that lies before the
    turn began is none.
    """
    chosen, due = settings_of(seat.driven_by).reminders, seat.match.due_at
    began = clock.waiting_since(seat.match)
    assert due is not None and began is not None
    chosen = USUAL if chosen is None else chosen
    hours = [int(choice) for choice in CHOICES if choice in chosen and choice != HALF]
    come = [(due - timedelta(minutes=n), str(n)) for n in hours]
    come = [(at, choice) for at, choice in come if began < at <= now]
    if HALF in chosen and (half_at := _half_at(seat, now)) is not None and half_at <= now:
        come.append((half_at, HALF))
    return max(come)[1] if come else ""


def _half_at(seat: Seat, now: datetime) -> datetime | None:
    """When half is left of what the seat has for this turn; None if less was left when its clock began to run."""
    match = seat.match
    assert match.due_at is not None
    if match.counted_at is None:
        return None
    off = clock.off_of(match, list(match.seats.all()), seat, now)
    runs = worktime.working(match.counted_at, match.due_at, off)
    # what others gave stands in the deadline and nowhere else
    half = max(PACES[match.pace].allowance + seat.bank, runs) / 2
    return worktime.later(match.counted_at, runs - half, off) if runs > half else None
