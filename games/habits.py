"""The badge from facts: how soon and when somebody answers by correspondence. Counted once a day, never for a page.

An answer is the first act of a person in a turn; it took as long as the move before it is old. What the clock, bots and
the site did is no answer. It counts for whoever drove the seat then, also for a substitute.
"""

import statistics
import time
import zoneinfo
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Chore

from .models import Habit, Move, Seat, Tenure
from .paces import DAY, HOUR, PACES
from .tape import SEAT_ACTS, TIME_ACTS
from .writing import writing

User = get_user_model()

DAYS = 60
"""Turns of so many days count."""
FEWEST = 10
"""With fewer answers nothing is told."""
MOST = 1000
"""So many of a user's last answers are looked at."""
LOOK = 600.0
"""Seconds between two looks whether a day has passed."""
MINUTE = 60

PARTS = ((5, Habit.Part.NIGHT), (12, Habit.Part.MORNING), (17, Habit.Part.AFTERNOON), (22, Habit.Part.EVENING))
"""Until which hour each part of the day lasts; the rest is night."""

RESTARTS = frozenset({"went_on", "pause_ended"})
"""From then on an answer is awaited again."""

_looked = time.monotonic()


@dataclass(frozen=True, slots=True)
class Known:
    """``seconds``: half of the answers came sooner. ``part``: where most of them fell; empty if in no part many."""

    seconds: int
    part: str


def known_of(answers: Sequence[tuple[datetime, float]], zone: tzinfo) -> Known | None:
    """What answers (moment, seconds that they took) say of somebody who lives in that zone; None: too few."""
    if len(answers) < FEWEST:
        return None
    parts = Counter(part_of(at.astimezone(zone).hour) for at, _took in answers)
    part, most = parts.most_common(1)[0]
    seconds = int(statistics.median(took for _at, took in answers))
    return Known(seconds, part.value if most * 5 >= len(answers) * 2 else "")


def part_of(hour: int) -> Habit.Part:
    """The part of the day to which an hour belongs."""
    return next((part for until, part in PARTS if hour < until), Habit.Part.NIGHT)


def told(habit: Habit | None) -> list[str]:
    """The badge in words, coarsely: how soon, and when. Empty if nothing is known."""
    if habit is None:
        return []
    return [_soon(habit.seconds), *([str(habit.get_part_display())] if habit.part else [])]


def _soon(seconds: int) -> str:
    if seconds < 10 * MINUTE:
        return _("answers within minutes")
    if seconds < HOUR:
        n = round(seconds / MINUTE / 10) * 10
        return ngettext("answers in about %(n)d minute", "answers in about %(n)d minutes", n) % {"n": n}
    if seconds < 2 * DAY:
        n = round(seconds / HOUR)
        return ngettext("answers in about %(n)d h", "answers in about %(n)d h", n) % {"n": n}
    n = round(seconds / DAY)
    return ngettext("answers in about %(n)d day", "answers in about %(n)d days", n) % {"n": n}


# --- the daily count


def count(now: datetime) -> int:
    """Write what is known of everybody; how many that are. Who has too few turns by now has no row any more."""
    answers = _answers(now - timedelta(days=DAYS))
    zones = dict(User.objects.filter(pk__in=list(answers), is_active=True).values_list("pk", "time_zone"))
    found = {pk: known_of(answers[pk], zoneinfo.ZoneInfo(zone)) for pk, zone in zones.items()}
    rows = [Habit(user_id=pk, seconds=k.seconds, part=k.part) for pk, k in found.items() if k is not None]
    with writing():
        Habit.objects.exclude(user__in=[row.user_id for row in rows]).delete()
        Habit.objects.bulk_create(
            rows, batch_size=500, update_conflicts=True, unique_fields=["user"], update_fields=["seconds", "part"]
        )
    return len(rows)


def _answers(since: datetime) -> dict[int, list[tuple[datetime, float]]]:
    """By user: when each answer was given, and after how long. One pass over the tapes of that time."""
    slow = [name for name, pace in PACES.items() if pace.kind == "correspondence"]
    moves = Move.objects.filter(match__pace__in=slow, at__gte=since).order_by("match_id", "number")
    moves = moves.exclude(action__type__in=sorted((SEAT_ACTS | TIME_ACTS) - RESTARTS))
    drivers = _drivers(slow, since)
    found: dict[int, list[tuple[datetime, float]]] = defaultdict(list)
    rows = moves.values_list("match_id", "number", "seat", "by", "at", "action__type").iterator(chunk_size=2000)
    for match, seat, number, at, took in _firsts(rows):
        for user, first, last in drivers.get((match, seat), ()):
            if first <= number <= (last or number):
                found[user].append((at, took))
    return {user: sorted(some)[-MOST:] for user, some in found.items()}


def _drivers(slow: list[str], since: datetime) -> dict[tuple[int, int], list[tuple[int, int, int | None]]]:
    """By match and seat: who drove it, from which move on, and to which. A guest who moved to an account is that
    account from his first move.
    """
    played = Move.objects.filter(match__pace__in=slow, at__gte=since).values("match")
    driven = Tenure.objects.filter(seat__match__in=played, driver=Seat.Driver.USER, user__isnull=False)
    columns = ("seat__match_id", "seat__index", "user", "from_move", "to_move", "why")
    found: dict[tuple[int, int], list[tuple[int, int, int | None]]] = defaultdict(list)
    for match, seat, user, first, last, why in driven.order_by("seat", "pk").values_list(*columns):
        before = found[match, seat]
        if why == "moved" and before and before[-1][2] == first - 1:
            first = before.pop()[1]
        before.append((user, first, last))
    return found


def _firsts(
    rows: Iterable[tuple[int, int, int | None, str, datetime, str]],
) -> Iterable[tuple[int, int, int, datetime, float]]:
    """The first move of each turn that a person made: (match, seat, number, when, seconds after the move before).

    A nudge, a proposal or what else is no move is neither an answer nor something to be answered.
    """
    before: tuple[int, int | None, datetime] | None = None
    for match, number, seat, by, at, what in rows:
        same = before is not None and before[0] == match and what not in RESTARTS
        if same and seat is not None and before is not None and before[1] != seat and by == Move.By.USER:
            yield match, seat, number, at, (at - before[2]).total_seconds()
        before = (match, seat, at)


def count_daily(now: datetime) -> int | None:
    """Count if the last time was a day ago and no other worker was quicker; None if there is nothing to do."""
    day = timedelta(days=1)
    chore, made = Chore.objects.get_or_create(name="habits", defaults={"due_at": now + day})
    if not made and chore.due_at > now:
        return None
    if not made and not Chore.objects.filter(pk=chore.pk, due_at=chore.due_at).update(due_at=now + day):
        return None
    return count(now)


def look() -> None:
    """Called by the background work each second or so; looks at the row of the chore much less often."""
    global _looked
    if time.monotonic() - _looked < LOOK:
        return
    _looked = time.monotonic()
    try:
        count_daily(timezone.now())
    finally:
        connection.close()
