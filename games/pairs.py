"""Two people and their matches with each other: who has won how often, with how many points, and who wins just now."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from . import counting, disclosure, past
from .counting import How
from .models import Match, Seat

MOST = 1000
"""So many of their last matches are counted."""
RECENT = 10

Who = Literal["one", "other", "shared", "neither", "uncounted"]
Sitting = tuple[int | None, int, str]
"""Of a seat: its user, its number, how it was left."""


class Result(NamedTuple):
    """What a match of two people came to for them, without the match itself."""

    match_id: int
    preset: str
    who: Who
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Met:
    """A match of two people. ``who`` won: one, the other, both share it, or somebody else. Points are their sides'."""

    match: Match
    who: Who
    points: tuple[int, int]


@dataclass(slots=True)
class Score:
    """How some of their matches came out."""

    one: int = 0
    other: int = 0
    shared: int = 0
    neither: int = 0
    points: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def matches(self) -> int:
        return self.one + self.other + self.shared + self.neither

    def add(self, result: Result) -> None:
        setattr(self, result.who, getattr(self, result.who) + 1)
        self.points = [had + more for had, more in zip(self.points, result.points, strict=True)]


@dataclass(frozen=True, slots=True)
class Pair:
    """All of it. ``streak``: so many in a row were won by ``leader``, the last ones. ``all``: none were left out."""

    total: Score
    presets: dict[str, Score]
    recent: Sequence[Met]
    leader: Who
    streak: int
    all: bool
    since: Match | None


def may_see(reader: Any, one: Any, other: Any) -> bool:
    """The two themselves; others when both show them their opponents."""
    return disclosure.may_see_pair(one, other, reader, disclosure.friends_of(reader))


def pair(one: Any, other: Any) -> Pair:
    """What two people have played with each other. Three queries."""
    found = _last(one.pk, other.pk)
    results = found[:MOST]
    total, presets = Score(), dict[str, Score]()
    counted = [each for each in results if each.who != "uncounted"]
    for each in counted:
        total.add(each)
        presets.setdefault(each.preset, Score()).add(each)
    leader = counted[0].who if counted else "neither"
    streak = len(list(takewhile(lambda each: each.who == leader, counted))) if leader in ("one", "other") else 0
    told = [*results[:RECENT], *counted[-1:]]
    matches = Match.objects.in_bulk([each.match_id for each in told])
    recent = [Met(matches[each.match_id], each.who, each.points) for each in results[:RECENT]]
    since = matches[counted[-1].match_id] if counted else None
    return Pair(total, presets, recent, leader, streak, len(found) <= MOST, since)


def _last(one: int, other: int) -> list[Result]:
    """Their last matches that are over, the newest first, and one more than are counted. Two queries."""
    both = Match.objects.filter(seats__user=one, status=Match.Status.OVER).filter(seats__user=other)
    last = both.order_by("-ended_at", "-pk")[: MOST + 1]
    seats = defaultdict[int, list[Sitting]](list)
    rows = Seat.objects.filter(match__in=last.values("pk")).order_by().values_list("match_id", "user", "index", "gone")
    for match, user, index, gone in rows:
        seats[match].append((user, index, gone))
    columns = ("preset", "edition", "ending", past.as_text("winners"), past.as_text("totals"))
    found = last.values_list("pk", *columns)
    return [_result(row, seats[row[0]], (one, other)) for row in found if row[0] in seats]  # none that ended just now


def _result(row: Sequence[Any], seats: Sequence[Sitting], both: tuple[int, int]) -> Result:
    """A match from its columns: number, preset, edition, how it ended, winners and totals."""
    match, preset, edition, ending, winners, totals = row
    sides = counting.sides_of(preset, edition, len(seats))
    one, other = ((index, gone) for who in both for user, index, gone in seats if user == who)
    points = json.loads(totals)
    told = _points(one[0], sides, points), _points(other[0], sides, points)
    if ending in counting.FOR_NOBODY:
        return Result(match, preset, "uncounted", told)
    won = json.loads(winners)
    return Result(match, preset, _who(counting.how(*one, won, sides), counting.how(*other, won, sides)), told)


def _who(one: How, other: How) -> Who:
    lost = [how not in ("won", "shared") for how in (one, other)]
    if all(lost):
        return "neither"
    if any(lost):
        return "other" if lost[0] else "one"
    return "shared"


def _points(seat: int, sides: Sequence[Sequence[int]], totals: Sequence[int]) -> int:
    """What the side of a seat had at the end."""
    side = next(side for side, at in enumerate(sides) if seat in at)
    return int(totals[side]) if side < len(totals) else 0
