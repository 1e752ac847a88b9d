"""When a seat is due. Deadlines are columns of the match; who acts on them stands in play.py and background.py.

By correspondence a deadline is the time for a turn and what is left of the seat's bank, in working time (worktime.py).
Whatever stops the clock, starts it again or gives time settles the turn first: what of the bank is gone, is gone.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from . import worktime
from .models import Match, Seat, Vacation
from .paces import PACES, Pace
from .rules.table import DEALER, Table
from .terms import MOST_AWAY, WEEKENDS
from .worktime import NEVER, Off

MISSES = 2
"""Overdue turns in a row after which a seat is given up."""
LIVE_ABSENCE = timedelta(minutes=3)
"""In live play a seat is given up only when it has also been missing for so long."""
WENT_LIVE = PACES["60s"]
"""How fast a correspondence match goes while all are at its table and want to."""


def pace_of(match: Match) -> Pace:
    """The pace at which a match is played now."""
    return WENT_LIVE if match.live_at is not None else PACES[match.pace]


def set_alarm(match: Match, table: Table, seats: list[Seat], now: datetime, *, new_turn: bool) -> None:
    """Write who is to move, until when, and when the site itself has to act next. Adds time in UTC."""
    pace = pace_of(match)
    if match.paused_at is not None:
        match.turn = None if table.actor == DEALER else table.actor
        return
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
        match.turn_at = now
        _run(match, seats, seats[table.actor], pace.allowance, now)
    match.wake_at = judged_at(match) or match.wake_at


def judged_at(match: Match) -> datetime | None:
    """When the clock plays for the person to move: the deadline and the grace of the pace; None without one."""
    return match.due_at + timedelta(seconds=pace_of(match).grace) if match.due_at else None


def _run(match: Match, seats: Sequence[Seat], seat: Seat, seconds: int, now: datetime) -> None:
    """The clock of a seat runs from now on. Its bank comes on top, except where the match is played live."""
    if by_correspondence(match):
        seconds += seat.bank
    run_on(match, seats, seat, seconds, now)


def run_on(match: Match, seats: Sequence[Seat], seat: Seat, seconds: float, now: datetime) -> None:
    """The clock of a seat runs from now on, and these seconds are all that it has."""
    match.counted_at = now
    ring_at(match, worktime.later(now, seconds, off_of(match, seats, seat, now)))


def ring_at(match: Match, due: datetime) -> None:
    """Set the deadline, and the clock to act when its grace has passed too."""
    match.due_at, match.wake_at = due, due + timedelta(seconds=pace_of(match).grace)


def by_correspondence(match: Match) -> bool:
    """Whether bank and days off count now."""
    return pace_of(match).kind == "correspondence"


def off_of(match: Match, seats: Sequence[Seat], seat: Seat, now: datetime) -> Off:
    """When the time of a seat does not count. At larger tables nobody's vacations last longer than MOST_AWAY."""
    if not by_correspondence(match):
        return NEVER
    away: tuple[worktime.Span, ...] = ()
    if match.vacations and seat.driven_by_id is not None:
        since = match.counted_at or now
        away = tuple(_vacations(match, seats, seat.driven_by_id, since))
        if len(seats) > 2:
            away = worktime.trimmed(away, since, MOST_AWAY - seat.away)
    return Off(seat.zone or "UTC", WEEKENDS[match.weekend][1], away)


def _vacations(match: Match, seats: Sequence[Seat], driver: int, since: datetime) -> list[worktime.Span]:
    """The vacations of a driver that had not ended by ``since``, in order. Those of all drivers are read at once, and
    kept while the row of the match is in hand; whoever changes a vacation lets go of them (``forget``).
    """
    known: dict[int, list[worktime.Span]] = match.vacations_read
    if driver not in known:
        fresh: dict[int, list[worktime.Span]] = {s.driven_by_id: [] for s in seats if s.driven_by_id is not None}
        known |= fresh
        rows = Vacation.objects.filter(user__in=fresh, ends_at__gt=since).order_by("starts_at")
        for user, starts, ends in rows.values_list("user_id", "starts_at", "ends_at"):
            known[user].append((starts, ends))
    return [span for span in known[driver] if span[1] > since]


def forget(match: Match) -> None:
    """The vacations of those who play have changed."""
    match.vacations_read.clear()


def settle(match: Match, seats: Sequence[Seat], now: datetime) -> float:
    """Count the turn up to now: what of bank and vacation is used is written down. Seconds left of the turn."""
    if match.turn is None or match.due_at is None:
        return 0
    seat = seats[match.turn]
    off = off_of(match, seats, seat, now)
    left = worktime.working(now, match.due_at, off)
    if not by_correspondence(match):
        return left
    away = seat.away + round(worktime.covered(off.away, match.counted_at or now, now))
    bank = min(seat.bank, int(left))
    match.counted_at = now
    if (bank, away) != (seat.bank, seat.away):
        seat.bank, seat.away = bank, away
        seat.save(update_fields=["bank", "away"])
    return left


def freeze(match: Match, seats: Sequence[Seat], key: str, now: datetime) -> None:
    """The time of this turn stands still; nothing is due."""
    left = settle(match, seats, now)
    match.frozen, match.frozen_turn = (int(left), key) if match.due_at is not None else (None, "")
    match.due_at = match.wake_at = None


def thaw(match: Match, seats: Sequence[Seat], key: str, now: datetime) -> None:
    """What was left of this turn is left again, and not more. Of another turn nothing was kept."""
    if match.turn is not None and match.frozen is not None and match.frozen_turn == key:
        run_on(match, seats, seats[match.turn], match.frozen, now)
    else:
        match.due_at = None
    match.frozen, match.frozen_turn = None, ""


def stop(match: Match) -> None:
    """No deadline any more: the match has ended."""
    match.turn = match.due_at = match.wake_at = match.turn_at = match.counted_at = None
    match.paused_at = match.live_at = match.frozen = match.proposal = None
    match.frozen_turn = ""


def is_late(match: Match, now: datetime) -> bool:
    """Whether the person to move has missed the deadline by more than the grace of the pace."""
    return match.due_at is not None and now > match.due_at + timedelta(seconds=pace_of(match).grace)


def waiting_since(match: Match) -> datetime | None:
    """Since when the person to move has been awaited, where there is a deadline."""
    if match.due_at is None:
        return None
    return match.turn_at or match.due_at - timedelta(seconds=pace_of(match).allowance)


def has_given_up(match: Match, seat: Seat, now: datetime) -> bool:
    """Whether a seat that has just missed a turn has missed enough of them."""
    if seat.missed < MISSES:
        return False
    return pace_of(match).kind != "live" or (seat.missed_since is not None and now - seat.missed_since >= LIVE_ABSENCE)
