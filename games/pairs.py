"""Two people and their matches with each other: who has won how often, with how many points, and who wins just now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal

from . import counting, disclosure
from .models import Match, Seat

MOST = 1000
"""So many of their last matches are counted."""
RECENT = 10

Who = Literal["one", "other", "shared", "neither", "uncounted"]


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

    def add(self, met: Met) -> None:
        setattr(self, met.who, getattr(self, met.who) + 1)
        self.points = [had + more for had, more in zip(self.points, met.points, strict=True)]


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
    both = Match.objects.filter(seats__user=one, status=Match.Status.OVER).filter(seats__user=other)
    found = list(both.order_by("-ended_at", "-pk").prefetch_related("seats")[: MOST + 1])
    met = list(_met(found[:MOST], one.pk, other.pk))
    total, presets = Score(), dict[str, Score]()
    counted = [each for each in met if each.who != "uncounted"]
    for each in counted:
        total.add(each)
        presets.setdefault(each.match.preset, Score()).add(each)
    leader = counted[0].who if counted else "neither"
    streak = len(list(takewhile(lambda each: each.who == leader, counted))) if leader in ("one", "other") else 0
    since = counted[-1].match if counted else None
    return Pair(total, presets, met[:RECENT], leader, streak, len(found) <= MOST, since)


def _met(matches: Sequence[Match], one: int, other: int) -> Iterator[Met]:
    for match in matches:
        seats = list(match.seats.all())
        how = {standing.user_id: standing for standing in counting.standings(match, seats)}
        points = _points(match, seats, one), _points(match, seats, other)
        yield Met(match, _who(how.get(one), how.get(other)), points)


def _who(one: counting.Standing | None, other: counting.Standing | None) -> Who:
    if one is None or other is None:
        return "uncounted"
    if one.lost and other.lost:
        return "neither"
    if one.lost or other.lost:
        return "other" if one.lost else "one"
    return "shared"


def _points(match: Match, seats: Sequence[Seat], user: int) -> int:
    """What a user's side had at the end."""
    seat = next(seat.index for seat in seats if seat.user_id == user)
    side = next(side for side, at in enumerate(match.game().sides()) if seat in at)
    return int(match.totals[side]) if side < len(match.totals) else 0
