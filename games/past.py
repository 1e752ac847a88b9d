"""The matches of one user that are over, each as a few plain values: two queries, however long the past is.

Streaks, opponents and what was played with one of them follow from it. What a match counts says counting.py.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import IntegerField, Q, TextField
from django.db.models.functions import Cast, Substr

from . import counting, summaries
from .counting import How
from .models import Deal, Match, Seat, Summary

WEEK = timedelta(days=7)
OF_DEALS = ("outcome", "record", "ended_at", "match__preset", "match__pace")


def as_text(name: str) -> Cast:
    """A column as a text: Django takes longer to make a value of each than the database to find it."""
    return Cast(name, TextField())


def moment(told: str) -> datetime:
    """The time that such a text tells. SQLite leaves out that it is of UTC."""
    return datetime.fromisoformat(told).replace(tzinfo=UTC)


class Played(NamedTuple):
    """A match that is over. ``on`` is the day (of UTC), as ``2026-11-30``; ``how``: None where it counts for nobody.

    ``seat_id`` and ``number`` are the user's seat, ``others`` the users of the other seats; None for a bot.
    """

    match_id: int
    on: str
    private: int
    preset: str
    how: How | None
    seat_id: int
    number: int
    others: Sequence[int | None]

    @property
    def with_bots(self) -> bool:
        return None in self.others

    @property
    def day(self) -> date:
        """When it ended."""
        return date.fromisoformat(self.on)


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
    if other is not None:
        wanted &= Q(match__in=Seat.objects.filter(user=other).values("match"))
    at = _others(user, other)
    rows = Seat.objects.filter(wanted).order_by("match__ended_at", "match_id")
    day = Substr(as_text("match__ended_at"), 1, 10)
    how = ("match__edition", "match__ending", as_text("match__winners"), "gone")
    private = Cast("match__private", IntegerField())
    found = rows.values_list("match_id", day, private, "pk", "index", "match__preset", *how)
    return [
        Played(match, on, private, game, _how(game, *told, index, len(at[match])), seat, index, at[match])
        for match, on, private, seat, index, game, *told in found
    ]


def _others(user: Any, other: Any) -> dict[int, list[int | None]]:
    """The users of the other seats of each match of a user, or of two."""
    mine = Seat.objects.filter(user=user)
    if other is not None:
        mine = mine.filter(match__in=Seat.objects.filter(user=other).values("match"))
    at = defaultdict[int, list[int | None]](list)
    others = Seat.objects.filter(match__in=mine.values("match")).exclude(user=user)
    for match, who in others.order_by().values_list("match_id", "user_id"):
        at[match].append(who)
    return at


@lru_cache(maxsize=4096)
def _how(preset: str, edition: int, ending: str, winners: str, gone: str, index: int, others: int) -> How | None:
    """What a match was for the user of a seat; many matches of a long past are alike in all of this."""
    if ending in counting.FOR_NOBODY:
        return None
    return counting.how(index, gone, json.loads(winners), counting.sides_of(preset, edition, others + 1))


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
            if one.how is not None and other is not None:
                found[other].add(one.how)
    return dict(sorted(found.items(), key=lambda told: -told[1].matches))


def won_in_a_row(some: Sequence[Played]) -> Streak:
    """Matches won one after the other; a shared win ends a row, what counts for nobody does not."""
    rows = [(won, len(list(part))) for won, part in groupby(one.how == "won" for one in some if one.how is not None)]
    return Streak(max((n for won, n in rows if won), default=0), rows[-1][1] if rows and rows[-1][0] else 0)


def weeks_in_a_row(some: Iterable[Played], today: date) -> Streak:
    """Weeks (of UTC, from Monday) in which a match ended, one after the other. The last may be the week before this."""
    weeks = sorted({_monday(date.fromisoformat(day)) for day in {one.on for one in some}})
    longest = length = 0
    before: date | None = None
    for week in weeks:
        length = length + 1 if before is not None and week - before == WEEK else 1
        longest, before = max(longest, length), week
    lasts = before is not None and _monday(today) - before <= WEEK
    return Streak(longest, length if lasts else 0)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def last_deals(user: Any, played: Sequence[Played], most: int) -> list[list[Summary]]:
    """What each of the last deals of these matches adds for the user, read from its Record, the oldest first.

    Two queries.
    """
    places = {one.match_id: one for one in played}
    ended = Deal.objects.filter(match__in=list(places), outcome__isnull=False).order_by("-ended_at", "-pk")
    last = Deal.objects.filter(pk__in=ended.values("pk")[:most]).select_related("match").only(*OF_DEALS)
    deals = list(last.order_by("ended_at", "pk"))
    others = summaries.others_at({deal.match_id for deal in deals})
    return [summaries.of_deal(deal.match, _seats(user, places[deal.match_id]), deal, others, user.pk) for deal in deals]


def _seats(user: Any, one: Played) -> list[Seat]:
    """The seats of a match, as far as it matters for what a deal was for the user."""
    mine = Seat(pk=one.seat_id, index=one.number, user_id=user.pk)
    return [mine, *(Seat(user_id=who) for who in one.others)]
