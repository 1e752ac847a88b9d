"""Ratings: how strong somebody seems to be in a family of games at a kind of pace (openskill, Plackett-Luce).

A match is rated when all who sit have agreed to it; whether it then counts, and who stands where, is said in
counting.py. ``settle`` is part of the transaction that ends a match; ``manage.py recompute ratings`` makes all anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from openskill.models import PlackettLuce, PlackettLuceRating

from . import counting
from .models import Match, Rating, RatingChange, Seat
from .paces import PACES

MODEL = PlackettLuce()
TICK = timedelta(microseconds=1)
RECENT = 5
"""Who stands in a leaderboard has played so many matches of late; ``Rating.fifth_at`` says when the first of them
ended."""
PROVISIONAL = 10
"""With fewer matches a rating is provisional."""
MIDDLE, SCALE = 1500, 20
"""How a rating is shown: openskill's middle, 25, as 1500, and one of its points as 20."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as pages tell it. Two times out of three the true strength lies within ``about`` of ``value``."""

    value: int
    about: int
    matches: int
    provisional: bool
    since: datetime
    updated: datetime


def shown(rating: Rating) -> Shown:
    """A rating on the scale of the pages."""
    return Shown(
        value=on_scale(rating.mu),
        about=round(SCALE * rating.sigma),
        matches=rating.matches,
        provisional=rating.matches < PROVISIONAL,
        since=rating.since,
        updated=rating.updated,
    )


def on_scale(mu: float) -> int:
    """A value of openskill as pages show it."""
    return round(MIDDLE + SCALE * (mu - 25))


def of(user: Any) -> list[Rating]:
    """All ratings of a user, the one with most matches first. One query."""
    return list(Rating.objects.filter(user=user).order_by("-matches", "family", "kind"))


def history(user: Any, family: str, kind: str) -> "QuerySet[RatingChange]":
    """How a rating came about, the oldest change first; its points are ``on_scale(change.mu_after)``."""
    return RatingChange.objects.filter(user=user, family=family, kind=kind).order_by("at", "pk")


def of_match(match: Match) -> "list[Any]":
    """What a match did to the ratings of those whose accounts are open; each row knows on how many ``matches`` the
    rating rested then. One query."""
    mine = Q(user=OuterRef("user"), family=OuterRef("family"), kind=OuterRef("kind"), at__lte=OuterRef("at"))
    so_far = RatingChange.objects.filter(mine).order_by().values("user").annotate(n=Count("pk")).values("n")
    rows = RatingChange.objects.filter(match=match, user__is_active=True, user__closed_at__isnull=True)
    return list(rows.select_related("user__disclosure").annotate(matches=Subquery(so_far)))


@dataclass(frozen=True, slots=True)
class Team:
    """Users who were rated together, and their place; 1 is the winner's, equal places are shared."""

    users: tuple[int, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating while it is computed. ``last``: when the last five matches ended, the newest at the end."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    matches: int = 0
    since: datetime | None = None
    last: tuple[datetime, ...] = ()

    @property
    def fifth_at(self) -> datetime | None:
        return self.last[0] if len(self.last) == RECENT else None


def teams(match: Match, seats: Sequence[Seat]) -> list[Team]:
    """Who is rated by a match, and in which order; nobody unless it was agreed to and counts.

    A side is rated together. Whoever has left a seat is rated alone and last, whatever a substitute made of it.
    """
    standings = counting.standings(match, seats) if match.rated and match.winners else []
    if len(standings) < 2 or any(standing.with_bots for standing in standings):
        return []
    gone = [one.user_id for one in standings if one.how in ("resigned", "given_up")]
    user_of = {one.seat: one.user_id for one in standings if one.user_id not in gone}
    best = match.totals[match.winners[0]]
    stayed = list[tuple[int, tuple[int, ...]]]()
    for side, at in enumerate(match.game().sides()):
        users = tuple(user_of[seat] for seat in at if seat in user_of)
        if users:
            stayed.append((-1 if side in match.winners else abs(match.totals[side] - best), users))
    found = [Team(users, 1 + sum(other < behind for other, _users in stayed)) for behind, users in stayed]
    return found + [Team((user,), 1 + len(stayed)) for user in gone]


def rated(before: Mapping[int, Strength], found: Sequence[Team], at: datetime) -> dict[int, Strength]:
    """The strengths of all who took part after a match that ended then."""
    groups = [[_value(before[user]) for user in team.users] for team in found]
    after = MODEL.rate(groups, ranks=[float(team.place) for team in found])
    return {
        user: _played(before[user], value.mu, value.sigma, at)
        for team, values in zip(found, after, strict=True)
        for user, value in zip(team.users, values, strict=True)
    }


def _value(one: Strength) -> PlackettLuceRating:
    return MODEL.rating(mu=one.mu, sigma=one.sigma)


def _played(one: Strength, mu: float, sigma: float, at: datetime) -> Strength:
    return Strength(mu, sigma, one.matches + 1, one.since or at, (*one.last, at)[-RECENT:])


def group_of(match: Match) -> tuple[str, str]:
    """Family of games and kind of pace: what is rated together."""
    return match.preset_entry().family, PACES[match.pace].kind


def settle(match: Match, seats: Sequence[Seat]) -> None:
    """A match is over: rate it. The ledgers of its users are locked; the match is saved by the caller.

    Ends of matches that share a user are never at the same moment: the later one is moved, so that their order can be
    read from the results.
    """
    found = teams(match, seats)
    if not found or match.ended_at is None:
        return
    family, kind = group_of(match)
    users = [user for team in found for user in team.users]
    rows = {row.user_id: row for row in Rating.objects.filter(user__in=users, family=family, kind=kind)}
    match.ended_at = max([match.ended_at, *(row.updated + TICK for row in rows.values())])
    before = {user: _strength(rows.get(user)) for user in users}
    after = rated(before, found, match.ended_at)
    RatingChange.objects.bulk_create(changes(match, found, before, after))
    for user in sorted(users):
        row = rows.get(user) or Rating(user_id=user, family=family, kind=kind)
        fill(row, after[user])
        row.save()


def _strength(row: Rating | None) -> Strength:
    if row is None:
        return Strength()
    ends = history(row.user_id, row.family, row.kind).reverse().values_list("at", flat=True)[: RECENT - 1]
    return Strength(row.mu, row.sigma, row.matches, row.since, tuple(reversed(ends)))


def fill(row: Rating, one: Strength) -> None:
    """Put a computed strength into a row that is not yet saved."""
    assert one.since is not None
    row.mu, row.sigma, row.matches = one.mu, one.sigma, one.matches
    row.since, row.updated, row.fifth_at = one.since, one.last[-1], one.fifth_at


def changes(
    match: Match, found: Sequence[Team], before: Mapping[int, Strength], after: Mapping[int, Strength]
) -> list[RatingChange]:
    """The rows that tell what a match did to each rating; not yet saved."""
    assert match.ended_at is not None
    family, kind = group_of(match)
    return [
        RatingChange(
            user_id=user, match=match, family=family, kind=kind, place=team.place, at=match.ended_at,
            mu_before=before[user].mu, sigma_before=before[user].sigma,
            mu_after=after[user].mu, sigma_after=after[user].sigma,
        )
        for team in found
        for user in team.users
    ]  # fmt: skip
