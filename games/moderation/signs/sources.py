"""From rows to what the signs are found in: matches that are over, Records of ended deals, sessions, ratings.

Reads in small batches, holds no transaction and locks nothing. Of a running deal nothing is read.
"""

import hashlib
import hmac
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import batched
from typing import Any, cast

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db.models import Model, QuerySet

from accounts.pruning import NOWHERE
from games import counting, ratings, summaries
from games.models import Deal, Match, Move, RatingChange, Seat, Tenure

from . import helping, timing
from .played import Played
from .sharing import Signed

BATCH = 100
"""So many matches or Records are read at once."""


def played(since: datetime, until: datetime) -> Iterator[Played]:
    """Matches that ended in that time and at which more than one person sat, in the order of their numbers."""
    over = Match.objects.filter(status=Match.Status.OVER, ended_at__gte=since, ended_at__lt=until).defer("chain")
    for some in _in_batches(over):
        seats: dict[int, list[Seat]] = defaultdict(list)
        for seat in Seat.objects.filter(match__in=[match.pk for match in some]).order_by("index"):
            seats[seat.match_id].append(seat)
        for match in some:
            if sum(seat.user_id is not None for seat in seats[match.pk]) > 1:
                yield _played(match, seats[match.pk])


def _played(match: Match, seats: Sequence[Seat]) -> Played:
    assert match.ended_at is not None
    own = {seat.index: seat for seat in seats if seat.user_id is not None}
    sides = counting.sides_of(match.preset, match.edition, len(seats))
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    gone = {seat.index: seat for seat in own.values() if seat.gone and seat.given_up_at is not None}
    first_deal = match.ending == Match.Ending.ABANDONED
    standings = counting.standings(match, seats)
    return Played(
        number=match.pk,
        users=tuple(seat.user_id for seat in own.values() if seat.user_id is not None),
        ended_at=match.ended_at,
        rated=match.rated,
        counts=bool(standings) and not any(one.with_bots for one in standings),
        won=frozenset(one.user_id for one in standings if not one.lost),
        left=tuple((cast(int, seat.user_id), cast(datetime, seat.given_up_at)) for seat in gone.values()),
        level=frozenset(
            cast(int, seat.user_id)
            for index, seat in gone.items()
            if standings and seat.gone != Seat.Gone.REPLACED and _not_behind(match.totals, side_of[index])
        ),
        absent=frozenset(
            cast(int, seat.user_id)
            for seat in gone.values()
            if seat.gone == Seat.Gone.GIVEN_UP or (first_deal and seat.gone == Seat.Gone.RESIGNED)
        ),
    )


def _not_behind(totals: Sequence[int], side: int) -> bool:
    """Whether nobody had more when the match ended."""
    return bool(totals) and totals[side] == max(totals)


@dataclass(slots=True)
class Told:
    """What the Records of ended deals say: discards taken and not, and answers by user."""

    discards: helping.Tallies = field(default_factory=helping.tallies)
    answers: dict[int, list[timing.Answer]] = field(default_factory=lambda: defaultdict(list))


def told(since: datetime, until: datetime, rest: float = 0.0) -> Told:
    """One pass over the Records of that time, without seats that somebody else drove for a while. ``rest``: seconds
    between two batches, in which pages get the processor.
    """
    found = Told()
    deals = Deal.objects.filter(ended_at__gte=since, ended_at__lt=until).only("match_id", "match__preset", "record")
    for some in _in_batches(deals.select_related("match")):
        time.sleep(rest)
        users = _users({deal.match_id for deal in some})
        orders = _by_order([deal.pk for deal in some])
        for deal in some:
            record, sits = cast(dict[str, Any], deal.record), users[deal.match_id]  # an ended deal has one
            helping.add(found.discards, record, sits, deal.match_id, (deal.match.preset, len(record["hands"])))
            if len(sits) > 1:
                for seat, answer in timing.answers(record, deal.match_id, orders[deal.match_id]):
                    if seat in sits:
                        found.answers[sits[seat]].append(answer)
    return found


def _in_batches[M: Model](rows: "QuerySet[M]") -> Iterator[list[M]]:
    """Rows in the order of their numbers, a query for each batch, so that none is open for long."""
    for some in batched(list(rows.order_by("pk").values_list("pk", flat=True)), BATCH):
        yield list(rows.filter(pk__in=some).order_by("pk"))


def _users(matches: set[int]) -> dict[int, dict[int, int]]:
    """By match: the users of those seats that nobody else has driven."""
    driven = Tenure.objects.filter(summaries.OTHERS, seat__match__in=matches).values_list("seat", flat=True)
    seats = Seat.objects.filter(match__in=matches, user__isnull=False).exclude(pk__in=set(driven))
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for match, index, user in seats.values_list("match_id", "index", "user_id"):
        if user is not None:
            found[match][index] = user
    return found


def _by_order(deals: Sequence[int]) -> dict[int, set[int]]:
    """By match: the numbers of the moves that standing orders made."""
    found: dict[int, set[int]] = defaultdict(set)
    moves = Move.objects.filter(deal__in=deals, by=Move.By.ORDER)
    for match, number in moves.values_list("match_id", "number"):
        found[match].add(number)
    return found


def signed() -> list[Signed]:
    """Where everybody is signed in now, as keyed hashes that are kept nowhere."""
    rows = UserSession.objects.exclude(ip=NOWHERE).values_list("user_id", "ip", "user_agent")
    return [
        Signed(user, _hashed("place", ip), _hashed("device", ip, browser))
        for user, ip, browser in rows.iterator(chunk_size=2000)
        if ip
    ]


def _hashed(*parts: str) -> str:
    text = "\n".join(("signs", *parts)).encode()
    return hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).hexdigest()


def falls(since: datetime, until: datetime) -> dict[int, int]:
    """By how many points, as pages show them, a rating of each user has fallen most from a height to a later low."""
    changes = RatingChange.objects.filter(at__gte=since, at__lt=until).order_by("user", "family", "kind", "at", "pk")
    columns = ("user_id", "family", "kind", "mu_before", "mu_after")
    found: dict[int, int] = {}
    now, height = None, 0
    for user, family, kind, before, after in changes.values_list(*columns).iterator(chunk_size=2000):
        if (user, family, kind) != now:
            now, height = (user, family, kind), ratings.on_scale(before)
        value = ratings.on_scale(after)
        height = max(height, value)
        found[user] = max(found.get(user, 0), height - value)
    return found
