"""When a seat is due. Deadlines are columns of the match; who acts on them stands in play.py and background.py."""

from datetime import datetime, timedelta

from .models import Match, Seat
from .paces import PACES, Pace
from .rules.table import DEALER, Table

MISSES = 2
"""Overdue turns in a row after which a seat is given up."""
LIVE_ABSENCE = timedelta(minutes=3)
"""In live play a seat is given up only when it has also been missing for so long."""


def pace_of(match: Match) -> Pace:
    """The pace at which a match is played."""
    return PACES[match.pace]


def set_alarm(match: Match, table: Table, seats: list[Seat], now: datetime, *, new_turn: bool) -> None:
    """Write who is to move, until when, and when the site itself has to act next. Adds time in UTC."""
    pace = pace_of(match)
    if table.actor == DEALER:
        match.turn, match.due_at = None, None
        match.wake_at = now + timedelta(seconds=pace.pause if table.outcome else 0)
        return
    match.turn = table.actor
    if seats[table.actor].driver != Seat.Driver.USER:
        match.due_at, match.wake_at = None, now
    elif pace.kind == "none":
        match.due_at = match.wake_at = None
    elif new_turn or match.due_at is None:
        match.due_at = now + timedelta(seconds=pace.allowance)
    match.wake_at = judged_at(match) or match.wake_at


def judged_at(match: Match) -> datetime | None:
    """When the clock plays for the person to move: the deadline and the grace of the pace; None without one."""
    return match.due_at + timedelta(seconds=pace_of(match).grace) if match.due_at else None


def stop(match: Match) -> None:
    """No deadline any more: the match has ended."""
    match.turn = match.due_at = match.wake_at = None


def is_late(match: Match, now: datetime) -> bool:
    """Whether the person to move has missed the deadline by more than the grace of the pace."""
    return match.due_at is not None and now > match.due_at + timedelta(seconds=pace_of(match).grace)


def has_given_up(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether a seat that has just missed a turn has missed enough of them."""
    if seat.missed < MISSES:
        return False
    return pace_of(match).kind != "live" or (seat.missed_since is not None and now - seat.missed_since >= LIVE_ABSENCE)
