"""What a profile tells of a user to one reader: all the queries of that page, of any length of past the same number.

Only what the reader may see is asked for at all. Numbers rest on deals and matches that are over.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from . import disclosure, past, people, ratings, summaries
from .models import Match, RatingChange, Seat, Summary
from .past import Played, Streak, Tally
from .profile_filters import Filters
from .ratings import Shown
from .rules.catalog import find

User = get_user_model()

RECENT = 10
OPPONENTS = 12
LOOKED_AT = 200
"""Among so many of the most frequent opponents those are looked for whom the reader may see."""
DEALS_WITH_ONE = 100
"""So many of the last deals with one opponent are read from their Records."""

PEOPLE, BOTS = Summary.Opponents.PEOPLE.value, Summary.Opponents.BOTS.value


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating, and how it came about: (match, when, rating, uncertainty, gain), the oldest first, in the period."""

    family: str
    kind: str
    now: Shown
    steps: list[tuple[int, datetime, int, int, int]]


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody met, and how matches with him came out."""

    user: Any
    tally: Tally


@dataclass(frozen=True, slots=True)
class Recent:
    """A match that ended of late, what it was for the user, and what it gained him in rating, if that may be told."""

    played: Played
    seats: list[Seat]
    gain: int | None

    @property
    def match(self) -> Match:
        return self.seats[0].match


@dataclass(frozen=True, slots=True)
class Deals:
    """What deals came to: ``total``, and ``months`` by first day. ``most``: no more than so many were looked at."""

    total: Summary
    months: dict[date, Summary]
    most: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """``open``: the sections that the reader sees; each is empty where there is nothing.

    ``against``: whether people or bots are told of. ``results`` are by preset, with people and with bots apart.
    ``matches`` is on how many the rows rest.
    ``other``: the one opponent asked for, if the reader may see the two.
    """

    open: frozenset[str]
    against: str
    other: Any = None
    strengths: list[Strength] = field(default_factory=list)
    results: dict[str, dict[str, Tally]] = field(default_factory=dict)
    since: date | None = None
    matches: int = 0
    won_in_a_row: Streak = Streak()
    weeks_in_a_row: Streak = Streak()
    opponents: list[Opponent] = field(default_factory=list)
    recent: list[Recent] = field(default_factory=list)
    deals: Deals | None = None

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.strengths or self.results or self.opponents or self.recent or self.deals)


def profile(whom: Any, reader: Any, filters: Filters, friends: Collection[int] = disclosure.ANYBODY) -> Profile:
    """What a reader with these friends sees. At most ten queries; none for what is hidden from him."""
    seen = disclosure.sections(whom, reader, friends)
    if filters.name:
        other = people.player(filters.name)
        if other is None or other.pk == whom.pk or not disclosure.may_see_pair(whom, other, reader, friends):
            return Profile(seen, PEOPLE)
        return _with_one(whom, reader, filters, seen, other)
    return _with_all(whom, reader, filters, seen, friends)


def _with_all(whom: Any, reader: Any, filters: Filters, seen: frozenset[str], friends: Collection[int]) -> Profile:
    """From the summaries, the matches and the ratings."""
    rows = _narrowed(whom, filters) if seen & {"results", "deals", "answers"} else []
    played = _played(whom, filters) if seen & {"results", "opponents", "matches"} else []
    against = filters.against or _against(rows, played)
    results = {
        kind: {preset: _tally(row) for preset, row in summaries.by("preset", part).items() if summaries.matches(row)}
        for kind, part in summaries.by_kind(rows).items()
        if not filters.against or kind == filters.against
    }
    part = [row for row in rows if row.opponents == against]
    found = Profile(seen, against, strengths=_strengths(whom, filters) if "ratings" in seen else [])
    found = replace(found, deals=_deals(seen, part))
    if "results" in seen:
        found = replace(found, results={kind: told for kind, told in results.items() if told}, since=_since(rows))
    return _of_matches(found, whom, reader, [one for one in played if one.with_bots == (against == BOTS)], friends)


def _with_one(whom: Any, reader: Any, filters: Filters, seen: frozenset[str], other: Any) -> Profile:
    """From the matches of the two, and from the Records of their last deals."""
    played = _played(whom, filters, other)
    found = Profile(seen, PEOPLE, other, strengths=_strengths(whom, filters) if "ratings" in seen else [])
    if seen & {"deals", "answers"}:
        last = past.last_deals(whom, played, DEALS_WITH_ONE)
        rows = [row for some in last for row in some]
        found = replace(found, deals=_deals(seen, rows, DEALS_WITH_ONE if len(last) == DEALS_WITH_ONE else 0))
    if "results" in seen:
        kinds = {PEOPLE: [one for one in played if not one.with_bots], BOTS: [one for one in played if one.with_bots]}
        told = {kind: past.tallies(some, lambda one: one.preset) for kind, some in kinds.items()}
        first = played[0].day if played else None
        found = replace(found, results={kind: tallies for kind, tallies in told.items() if tallies}, since=first)
    return _of_matches(found, whom, reader, played, disclosure.ANYBODY)


def _narrowed(whom: Any, filters: Filters) -> list[Summary]:
    first, after = filters.months or (None, None)
    rows = summaries.rows(whom, preset=filters.preset, since=first)
    return [row for row in rows if after is None or row.month < after]


def _played(whom: Any, filters: Filters, other: Any = None) -> list[Played]:
    since, until = filters.times
    return past.of(whom, preset=filters.preset, since=since, until=until, other=other)


def _against(rows: Sequence[Summary], played: Sequence[Played]) -> str:
    """People, or bots where there was nobody else."""
    met = any(row.opponents == PEOPLE for row in rows) or any(not one.with_bots for one in played)
    return PEOPLE if met or not (rows or played) else BOTS


def _tally(row: Summary) -> Tally:
    return Tally(row.won, row.shared, row.lost, row.left)


def _since(rows: Sequence[Summary]) -> date | None:
    return min((row.month for row in rows if summaries.matches(row)), default=None)


def _strengths(whom: Any, filters: Filters) -> list[Strength]:
    """The ratings of a user and their changes; in a period only what changed in it. Two queries."""
    family = find(filters.preset).family if filters.preset else ""
    since, until = filters.times
    changes = RatingChange.objects.filter(user=whom)
    if family:
        changes = changes.filter(family=family)
    if since and until:
        changes = changes.filter(at__gte=since, at__lt=until)
    steps = defaultdict[tuple[str, str], list[tuple[int, datetime, int, int, int]]](list)
    columns = ("match_id", past.as_text("at"), "mu_before", "mu_after", "sigma_after")
    for name, kind, match, at, *told in changes.order_by("at", "pk").values_list("family", "kind", *columns):
        before, value, about = ratings.on_scale(told[0]), ratings.on_scale(told[1]), round(ratings.SCALE * told[2])
        steps[name, kind].append((match, past.moment(at), value, about, value - before))
    rows = [row for row in ratings.of(whom) if family in ("", row.family)]
    found = [Strength(row.family, row.kind, ratings.shown(row), steps.get((row.family, row.kind), [])) for row in rows]
    return [one for one in found if one.steps or not filters.period]


def _of_matches(found: Profile, whom: Any, reader: Any, played: Sequence[Played], friends: Collection[int]) -> Profile:
    """Add what follows from the matches: streaks, opponents, the last ones."""
    if "results" in found.open:
        weeks = past.weeks_in_a_row(played, timezone.now().date())
        counted = sum(one.how is not None for one in played)
        found = replace(found, matches=counted, won_in_a_row=past.won_in_a_row(played), weeks_in_a_row=weeks)
    if "opponents" in found.open and found.other is None:
        found = replace(found, opponents=_opponents(whom, reader, played, friends))
    if "matches" in found.open:
        gains = {match: gain for one in found.strengths for match, _at, _value, _about, gain in one.steps}
        found = replace(found, recent=_recent(whom, reader, played, gains))
    return found


def _opponents(whom: Any, reader: Any, played: Sequence[Played], friends: Collection[int]) -> list[Opponent]:
    """Whom the user met most often, of those whom the reader may see with him. Two queries."""
    met = past.by_opponent(played)
    known = User.objects.filter(pk__in=list(met)[:LOOKED_AT], is_active=True, closed_at__isnull=True)
    seen = set(disclosure.seen_with(whom, reader, friends, known.values_list("pk", "disclosure__opponents")))
    first = [pk for pk in met if pk in seen][:OPPONENTS]
    users = User.objects.in_bulk(first)
    return [Opponent(users[pk], met[pk]) for pk in first]


def _recent(whom: Any, reader: Any, played: Sequence[Played], gains: dict[int, int]) -> list[Recent]:
    """The last matches that the reader may look at. One query."""
    mine = reader.pk == whom.pk
    may_look = [
        one
        for one in reversed(played)
        if mine or not one.private or (reader.pk is not None and reader.pk in one.others)
    ][:RECENT]
    seats = defaultdict[int, list[Seat]](list)
    rows = Seat.objects.filter(match__in=[one.match_id for one in may_look]).select_related("match", "user")
    for seat in rows.order_by("match_id", "index"):
        seats[seat.match_id].append(seat)
    return [Recent(one, seats[one.match_id], gains.get(one.match_id)) for one in may_look]


def _deals(seen: frozenset[str], rows: Sequence[Summary], most: int = 0) -> Deals | None:
    """What rows say of deals, if it is something that the reader sees."""
    total = summaries.total(rows)
    if not ("deals" in seen and total.deals) and not ("answers" in seen and total.answers):
        return None
    return Deals(total, summaries.by("month", rows), most)
