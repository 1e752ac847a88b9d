"""Vacations: days off of a user, so many a calendar year, and what they do to the deadlines of his matches.

Planning one, ending one early and taking one back each rewrite the user's due rows in one transaction, his row locked
first, then his matches in the order of their ids. The sweep only tells the tables that one has begun or is over: the
deadlines know it from the day on which it was planned. Live play is never stopped by it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from . import clock, halts
from .models import Match, Move, Seat, Vacation
from .pen import Pen, Stale, running
from .seats import Refusal
from .writing import writing

YEARLY = 28
"""Days of vacation in a calendar year."""
AHEAD = 366
"""How many days ahead a vacation may begin."""

User = get_user_model()


@dataclass(frozen=True, slots=True)
class Balance:
    """What a user has used of the days of a year, and what is left."""

    year: int
    used: int

    @property
    def left(self) -> int:
        return max(0, YEARLY - self.used)


def current(user: Any) -> Vacation | None:
    """The vacation that is planned or running."""
    return Vacation.objects.filter(user=user).exclude(state=Vacation.State.OVER).first()


def balance(user: Any, year: int) -> Balance:
    """The days of a year. A day is used as soon as any part of it is."""
    rows = Vacation.objects.filter(user=user, first_day__year__lte=year, last_day__year__gte=year)
    days = {day for row in rows for day in days_of(row.first_day, row.last_day) if day.year == year}
    return Balance(year, len(days))


def days_of(first: date, last: date) -> list[date]:
    """Every day from the first to the last."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def today_of(user: Any) -> date:
    """Which day it is where the user is."""
    return timezone.now().astimezone(_zone(user)).date()


def plan(user: Any, first: date, last: date) -> Vacation:
    """A vacation of whole days; one that begins today begins now. Raises Refusal."""
    now, today = timezone.now(), today_of(user)
    with writing():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _may_be_planned(user, first, last, today)
        starts = now if first == today else _midnight(user, first)
        state = Vacation.State.RUNNING if first == today else Vacation.State.PLANNED
        ends = _midnight(user, last + timedelta(days=1))
        rows = {"first_day": first, "last_day": last, "starts_at": starts, "ends_at": ends, "state": state}
        return _rewriting(user, now, lambda: Vacation.objects.create(user=user, **rows), "vacation_began", starts)


def _may_be_planned(user: Any, first: date, last: date, today: date) -> None:
    if current(user) is not None:
        raise Refusal(_("You have a vacation already. End it before you plan another."))
    if first < today:
        raise Refusal(_("A vacation begins today or later."))
    if last < first:
        raise Refusal(_("The last day comes before the first."))
    if (first - today).days > AHEAD or (last - first).days >= 2 * YEARLY:
        raise Refusal(_("That is too far away, or too long."))
    for year in range(first.year, last.year + 1):
        wanted = sum(day.year == year for day in days_of(first, last))
        left = balance(user, year).left
        if wanted > left:
            text = ngettext(
                "That is more than you have: %(left)d day is left in %(year)d.",
                "That is more than you have: %(left)d days are left in %(year)d.",
                left,
            )
            raise Refusal(text % {"left": left, "year": year})


def end(user: Any) -> None:
    """End the vacation now; one that has not begun is taken back. Without one nothing happens."""
    now = timezone.now()
    with writing():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        row = current(user)
        if row is None:
            return
        if row.starts_at > now:
            _rewriting(user, now, row.delete, "", None)
            return
        row.ends_at = max(row.starts_at, min(row.ends_at, now))
        row.last_day = max(row.first_day, min(row.last_day, today_of(user)))
        row.state = Vacation.State.OVER
        _rewriting(user, now, row.save, "vacation_ended", now)


def tell_tables() -> int:
    """Begin and end what is due, each once: the tables hear of it. Returns how many vacations that were."""
    now, done = timezone.now(), 0
    begins = Q(state=Vacation.State.PLANNED, starts_at__lte=now)
    ends = Q(state=Vacation.State.RUNNING, ends_at__lte=now)
    due = Vacation.objects.exclude(state=Vacation.State.OVER).filter(begins | ends)  # said anew, for the index
    for pk, user_id in list(due.values_list("pk", "user_id")):
        done += _turn(pk, user_id, now)
    return done


def _turn(pk: int, user_id: int, now: datetime) -> bool:
    """Begin or end one vacation, unless somebody else has done so meanwhile."""
    with writing():
        user = User.objects.select_for_update(no_key=True).get(pk=user_id)
        row = Vacation.objects.filter(pk=pk).exclude(state=Vacation.State.OVER).first()
        if row is None:
            return False
        if row.ends_at <= now:
            row.state, what, at = Vacation.State.OVER, "vacation_ended", row.ends_at
        elif row.state == Vacation.State.PLANNED and row.starts_at <= now:
            row.state, what, at = Vacation.State.RUNNING, "vacation_began", row.starts_at
        else:
            return False
        row.save(update_fields=["state"])
        for pen, seat in _pens(user, now):
            _tell(pen, seat, what, at)
            pen.close()
        return True


def _rewriting[T](user: Any, now: datetime, change: Callable[[], T], what: str, at: datetime | None) -> T:
    """Make a change of the vacations; what was left of each turn of the user is left after it, and not more."""
    pens = _pens(user, now)
    left = [clock.settle(pen.match, pen.seats, now) if _runs(pen, seat) else 0 for pen, seat in pens]
    result = change()
    for (pen, seat), seconds in zip(pens, left, strict=True):
        clock.forget(pen.match)
        if seconds and _runs(pen, seat):
            clock.run_on(pen.match, pen.seats, seat, seconds, now)
        if at is not None and at <= now:
            _tell(pen, seat, what, at)
        pen.close()
    return result


def _tell(pen: Pen, seat: Seat, what: str, at: datetime) -> None:
    pen.note(seat.index, {"type": what, "at": at.isoformat()}, Move.By.SITE)


def _runs(pen: Pen, seat: Seat) -> bool:
    """Whether the clock of this seat runs by correspondence."""
    match = pen.match
    return match.turn == seat.index and match.due_at is not None and clock.by_correspondence(match)


def _pens(user: Any, now: datetime) -> list[tuple[Pen, Seat]]:
    """The matches in which vacations count and the user plays, locked in order; where it was late the clock acts."""
    mine = Seat.objects.filter(
        driven_by=user, driver=Seat.Driver.USER, match__status=Match.Status.RUNNING, match__vacations=True
    )
    pens = []
    for match_id in mine.order_by("match_id").values_list("match_id", flat=True):
        try:
            pen = running(match_id, now)
            seat = pen.seats[pen.driven_by(user)]
        except (Stale, Seat.DoesNotExist):  # it ended, or the seat was lost, a moment ago
            continue
        if clock.is_late(pen.match, now):
            halts.overdue(pen)
        if pen.match.status == Match.Status.RUNNING and seat.driver == Seat.Driver.USER:
            pens.append((pen, seat))
        else:
            pen.close()
    return pens


def _zone(user: Any) -> ZoneInfo:
    return ZoneInfo(user.time_zone or "UTC")


def _midnight(user: Any, day: date) -> datetime:
    return datetime.combine(day, time(), _zone(user))


def forget(user: Any) -> None:
    """Before an account is closed: nobody is away any more (ACCOUNT_BEFORE_CLOSE)."""
    Vacation.objects.filter(user=user).delete()
