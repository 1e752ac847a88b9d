"""Making ratings and summaries anew from results, Records and tenures, while the site goes on.

Equal to what was written when deals and matches ended; ``manage.py recompute`` says how much was different.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import batched
from operator import attrgetter
from typing import Any

from django.db.models import Model, QuerySet

from . import ledgers, ratings, summaries
from .models import Deal, Ledger, Match, Rating, RatingChange, Summary
from .ratings import Strength
from .writing import writing

BATCH = 1000
CHANGE = ("place", "mu_before", "sigma_before", "mu_after", "sigma_after", "at", "family", "kind")
RATING = ("mu", "sigma", "matches", "since", "updated", "fifth_at")
FEW = 50
"""So many matches with all their Records are in memory at once."""
TOLD = ("match", "outcome", "record", "ended_at")
Group = tuple[str, str]


def all_ratings() -> tuple[int, int]:
    """(rated matches that count, rows that were different). One transaction: who ends a match meanwhile waits."""
    known: dict[Group, dict[int, Strength]] = defaultdict(dict)
    counted = 0
    with writing():
        list(Ledger.objects.select_for_update().order_by("user_id").values_list("pk"))
        matches = Match.objects.filter(rated=True, status=Match.Status.OVER)
        different, _by_kind = RatingChange.objects.exclude(match__in=matches).delete()
        for some in batched(_with_seats(matches.order_by("ended_at", "pk")), BATCH):
            wanted = [change for match in some for change in _rated_anew(match, known)]
            counted += len({change.match_id for change in wanted})
            different += _put_changes(some, wanted)
        different += _put_ratings(known)
    return counted, different


def _with_seats(matches: "QuerySet[Match]") -> Iterator[Match]:
    return matches.prefetch_related("seats").iterator(chunk_size=BATCH)


def _rated_anew(match: Match, known: dict[Group, dict[int, Strength]]) -> list[RatingChange]:
    """The changes by one match; ``known`` goes on to after it."""
    found = ratings.teams(match, list(match.seats.all()))
    if not found or match.ended_at is None:
        return []
    so_far = known[ratings.group_of(match)]
    before = {user: so_far.get(user, Strength()) for team in found for user in team.users}
    after = ratings.rated(before, found, match.ended_at)
    so_far.update(after)
    return ratings.changes(match, found, before, after)


def _put_changes(matches: Sequence[Match], wanted: Sequence[RatingChange]) -> int:
    stored = {(row.match_id, row.user_id): row for row in RatingChange.objects.filter(match__in=matches)}
    return _put(RatingChange, CHANGE, stored, {(row.match_id, row.user_id): row for row in wanted})


def _put_ratings(known: Mapping[Group, Mapping[int, Strength]]) -> int:
    stored = {(row.user_id, row.family, row.kind): row for row in Rating.objects.all()}
    wanted = dict[tuple[int, str, str], Rating]()
    for (family, kind), of_users in known.items():
        for user, strength in of_users.items():
            wanted[user, family, kind] = row = Rating(user_id=user, family=family, kind=kind)
            ratings.fill(row, strength)
    return _put(Rating, RATING, stored, wanted)


def _put[K](kind: type[Model], names: Sequence[str], stored: Mapping[K, Any], wanted: Mapping[K, Any]) -> int:
    """Make the stored rows equal to the wanted ones; how many were not."""
    told = attrgetter(*names)
    right = {key for key, row in stored.items() if key in wanted and told(row) == told(wanted[key])}
    for some in batched((row.pk for key, row in stored.items() if key not in right), BATCH):
        kind._default_manager.filter(pk__in=some).delete()
    kind._default_manager.bulk_create((row for key, row in wanted.items() if key not in right), batch_size=BATCH)
    return len((stored.keys() | wanted.keys()) - right)


def all_summaries(*, missing: bool = False) -> Iterator[tuple[int, int]]:
    """(user, rows that were different) for one user after the other, each in a transaction of its own."""
    users = Ledger.objects.filter(filled=False) if missing else Ledger.objects.all()
    for user in list(users.order_by("user_id").values_list("user_id", flat=True)):
        yield user, summaries_of(user)


def summaries_of(user: int) -> int:
    """The summaries of one user anew; how many were different. Whoever ends a deal of this user meanwhile waits."""
    wanted = dict[summaries.Key, Summary]()
    with writing():
        ledgers.lock([user])
        for one in _all_of(user):
            key = summaries.key_of(one)
            summaries.add(wanted.setdefault(key, summaries.blank(key)), one)
        stored = {summaries.key_of(row): row for row in Summary.objects.filter(user=user)}
        names = (*summaries.COUNTS, "ended_by_turn", "answers")
        different = _put(Summary, names, stored, wanted)
        Ledger.objects.filter(user=user, filled=False).update(filled=True)
    return different


def _all_of(user: int) -> Iterator[Summary]:
    """What each deal and match of a user has added; the matches in batches."""
    matches = Match.objects.filter(seats__user=user, status__in=[Match.Status.RUNNING, Match.Status.OVER])
    for some in batched(list(matches.order_by("pk").values_list("pk", flat=True)), FEW):
        others = summaries.others_at(some)
        deals = defaultdict[int, list[Deal]](list)
        for deal in Deal.objects.filter(match__in=some, outcome__isnull=False).only(*TOLD):
            deals[deal.match_id].append(deal)
        for match in Match.objects.filter(pk__in=some).prefetch_related("seats"):
            added = summaries.of_all(match, list(match.seats.all()), deals[match.pk], others)
            yield from (one for one in added if one.user_id == user)
