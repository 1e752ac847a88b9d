"""The matches of one user that are over, each as a few plain values: two queries, however long the past is.

Streaks, opponents and what was played with one of them follow from it. What a match counts says counting.py.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Q

from . import counting
from .counting import How
from .models import Match, Seat

WEEK = timedelta(days=7)


class Place(NamedTuple):
    """Another seat of a match."""

    seat_id: int
    number: int
    user_id: int | None


class Played(NamedTuple):
    """A match that is over. ``how``: None where it counts for nobody. ``seat_id``, ``number``: the user's seat."""

    match_id: int
    preset: str
    ended_at: datetime
    private: bool
    how: How | None
    seat_id: int
    number: int
    others: Sequence[Place]

    @property
    def with_bots(self) -> bool:
        return any(one.user_id is None for one in self.others)


@dataclass(slots=True)
class Tally:
    """How some matches came out for a user. ``left`` are among the lost."""

    won: int = 0
    shared: int = 0
    lost: int = 0
    left: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.shared + self.lost

    def add(self, how: How) -> None:
        """One match more."""
        self.won += how == "won"
        self.shared += how == "shared"
        self.lost += how not in ("won", "shared")
        self.left += how in ("resigned", "given_up")


@dataclass(frozen=True, slots=True)
class Streak:
    """The longest row of something, and the one that lasts; 0 if none does."""

    longest: int = 0
    now: int = 0


def of(
    user: Any, *, preset: str = "", since: datetime | None = None, until: datetime | None = None, other: Any = None
) -> list[Played]:
    """A user's matches of one preset, that ended from ``since`` to before ``until``, with one other; oldest first."""
    wanted = Q(user=user, match__status=Match.Status.OVER)
    if preset:
        wanted &= Q(match__preset=preset)
    if since and until:
        wanted &= Q(match__ended_at__gte=since, match__ended_at__lt=until)
    mine = Seat.objects.filter(wanted)
    if other is not None:
        mine = mine.filter(match__in=Seat.objects.filter(user=other).values("match"))
    columns = ("match_id", "match__preset", "match__ended_at", "match__private", "match__edition", "match__ending")
    rows = mine.order_by("match__ended_at", "match_id").values_list(*columns, "match__winners", "pk", "index", "gone")
    others = Seat.objects.filter(match__in=mine.values("match")).exclude(user=user)
    at = defaultdict[int, list[Place]](list)
    for match, *place in others.order_by().values_list("match_id", "pk", "index", "user_id"):
        at[match].append(Place(*place))
    return [_played(row, at[row[0]]) for row in rows]


def _played(row: Sequence[Any], others: Sequence[Place]) -> Played:
    match, preset, ended_at, private, edition, ending, winners, seat_id, index, gone = row
    how = None
    if ending not in counting.FOR_NOBODY:
        how = counting.how(index, gone, winners, counting.sides_of(preset, edition, len(others) + 1))
    return Played(match, preset, ended_at, private, how, seat_id, index, others)


def tallies[K](some: Iterable[Played], key: Callable[[Played], K]) -> dict[K, Tally]:
    """How those that count came out, by something."""
    found = defaultdict[K, Tally](Tally)
    for one in some:
        if one.how is not None:
            found[key(one)].add(one.how)
    return dict(found)


def by_opponent(some: Iterable[Played]) -> dict[int, Tally]:
    """How matches with each other person came out, the one met most often first."""
    found = defaultdict[int, Tally](Tally)
    for one in some:
        for other in one.others:
            if one.how is not None and other.user_id is not None:
                found[other.user_id].add(one.how)
    return dict(sorted(found.items(), key=lambda told: -told[1].matches))


def won_in_a_row(some: Sequence[Played]) -> Streak:
    """Matches won one after the other; a shared win ends a row, what counts for nobody does not."""
    rows = [(won, len(list(part))) for won, part in groupby(one.how == "won" for one in some if one.how is not None)]
    return Streak(max((n for won, n in rows if won), default=0), rows[-1][1] if rows and rows[-1][0] else 0)


def weeks_in_a_row(some: Iterable[Played], today: date) -> Streak:
    """Weeks (of UTC, from Monday) in which a match ended, one after the other. The last may be the week before this."""
    weeks = sorted({_monday(one.ended_at.astimezone(UTC).date()) for one in some})
    longest = length = 0
    before: date | None = None
    for week in weeks:
        length = length + 1 if before is not None and week - before == WEEK else 1
        longest, before = max(longest, length), week
    lasts = before is not None and _monday(today) - before <= WEEK
    return Streak(longest, length if lasts else 0)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
