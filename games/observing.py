"""The observatory's count of all ended deals, once a day, from where it stopped the day before.

Counted anew from the first deal it gives the same row. A page only reads the row (views/observatory.py).
"""

import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import batched
from typing import Any, cast

from django.db import connection
from django.utils import timezone

from accounts.models import Chore

from . import chance
from .models import Deal, Luck, Observation, Seat
from .rules.cards import card, pack
from .rules.deadwood import left_by_runs, mask_of, points_of, ranks_of_sets
from .writing import writing

DAY = timedelta(days=1)
SETTLED = timedelta(minutes=10)
"""A deal that ended so long ago is in the database, however slowly it was written."""
CHUNK = 500
HAND = 10
LOOK = 600.0
"""Seconds between two looks whether a day has passed."""
PLACE = {str(one): i for i, one in enumerate(pack())}

_looked = time.monotonic()


class Tally:
    """What is being counted: the packs, hands of ten of the site, and those of each user."""

    def __init__(self, sums: dict[str, Any] | None = None) -> None:
        told = sums or {}
        self.deals: int = told.get("deals", 0)
        self.packs: int = told.get("packs", 0)
        self.places: list[list[int]] = told.get("places") or [[0] * chance.CARDS for _place in range(chance.CARDS)]
        self.hands: list[int] = told.get("hands") or [0, 0, 0, 0]
        self.users: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])

    def sums(self) -> dict[str, Any]:
        """As the row keeps it; ``hands`` are number, with a meld, sum of the counts, sum of their squares."""
        return {"deals": self.deals, "packs": self.packs, "places": self.places, "hands": self.hands}

    def add(self, record: dict[str, Any], users: dict[int, int]) -> None:
        """One deal; ``users`` by seat."""
        self.deals += 1
        cards = record["orders"][0]["cards"]
        if len(cards) != chance.CARDS:
            return
        self.packs += 1
        for row, one in zip(self.places, cards, strict=True):
            row[PLACE[one]] += 1
        for seat, hand in enumerate(record["hands"]):
            if len(hand) == HAND:
                seen = _seen(hand)
                _add(self.hands, seen)
                if seat in users:
                    _add(self.users[users[seat]], seen)


def _seen(hand: list[str]) -> list[int]:
    mask = mask_of(map(card, hand))
    points = points_of(mask)
    return [1, int(left_by_runs(mask) != mask or ranks_of_sets(mask) != 0), points, points * points]


def _add(sums: list[int], more: list[int]) -> None:
    sums[:] = [a + b for a, b in zip(sums, more, strict=True)]


def observe(now: datetime, *, anew: bool = False) -> int:
    """Count what has ended since the last time, or with ``anew`` everything; how many deals there are in the row.

    Two at once count nothing twice: who finds that the row has moved on drops what he has counted.
    """
    before = Observation.objects.filter(only=1).first()
    since = None if anew or before is None else before.until
    until = max(now - SETTLED, since or now - SETTLED)
    tally = Tally(None if since is None or before is None else before.sums)
    for record, users in _ended(since, until):
        tally.add(record, users)
    with writing():
        row = Observation.objects.select_for_update().filter(only=1).first()
        if (row.until if row else None) != (before.until if before else None):
            return row.deals if row else 0
        if since is None:
            Luck.objects.all().delete()
        _write_luck(tally.users)
        values = {"until": until, "deals": tally.deals, "sums": tally.sums(), "figures": _figures(tally)}
        Observation.objects.update_or_create(only=1, defaults=values)
    return tally.deals


def _ended(since: datetime | None, until: datetime) -> Iterator[tuple[dict[str, Any], dict[int, int]]]:
    """The Records of deals that ended in that time, each with the users by seat."""
    deals = Deal.objects.filter(ended_at__lt=until).order_by("ended_at", "pk")
    if since is not None:
        deals = deals.filter(ended_at__gte=since)
    rows = deals.values_list("match_id", "record").iterator(chunk_size=CHUNK)
    for some in batched(rows, CHUNK):
        seats = Seat.objects.filter(match__in={match for match, _record in some}, user__isnull=False)
        users: dict[int, dict[int, int]] = defaultdict(dict)
        for match, index, user in seats.values_list("match_id", "index", "user_id"):
            if user is not None:
                users[match][index] = user
        for match, record in some:
            yield cast(dict[str, Any], record), users[match]  # an ended deal has one


def _write_luck(users: dict[int, list[int]]) -> None:
    known = {row.user_id: row for row in Luck.objects.select_for_update().filter(user__in=list(users))}
    rows = []
    for user, sums in users.items():
        row = known.get(user) or Luck(user_id=user, hands=0, melds=0, points=0, squares=0)
        row.hands, row.melds = row.hands + sums[0], row.melds + sums[1]
        row.points, row.squares = row.points + sums[2], row.squares + sums[3]
        rows.append(row)
    fields = ["hands", "melds", "points", "squares"]
    Luck.objects.bulk_create(rows, CHUNK, update_conflicts=True, unique_fields=["user"], update_fields=fields)


def _figures(tally: Tally) -> dict[str, Any]:
    """What the page shows, from the sums and the rows of luck."""
    figures: dict[str, Any] = tally.sums()
    del figures["places"]
    if tally.packs >= chance.FEWEST_PACKS:
        by_place = chance.chi_by_place(tally.places, tally.packs)
        chi, off = chance.chi_of_all(by_place)
        figures |= {"chi": round(chi, 1), "off": round(off, 2), "by_place": [round(one, 1) for one in by_place]}
    bands = [0] * len(chance.BAND_SHARES)
    lucky = Luck.objects.filter(hands__gte=chance.FEWEST_HANDS).values_list("melds", "hands")
    for melds, hands in lucky.iterator(chunk_size=2000):
        bands[chance.band(chance.luck(melds, hands))] += 1
    return figures | {"bands": bands}


def moved(match_id: int, seat: int, user_id: int, to_id: int) -> None:
    """A seat has moved to another account, and with it the hands that were counted. In the transaction of the move."""
    row = Observation.objects.select_for_update().filter(only=1).first()
    if row is None:
        return
    tally = Tally()
    for record in Deal.objects.filter(match=match_id, ended_at__lt=row.until).values_list("record", flat=True):
        tally.add(cast(dict[str, Any], record), {seat: to_id})
    for sums in list(tally.users.values()):
        _write_luck({to_id: sums, user_id: [-n for n in sums]})
    Luck.objects.filter(user=user_id, hands=0).delete()


def observe_daily(now: datetime) -> int | None:
    """Count if the last time was a day ago and no other worker was quicker; None if there is nothing to do."""
    chore, made = Chore.objects.get_or_create(name="observe", defaults={"due_at": now + DAY})
    claimed = made or Chore.objects.filter(pk=chore.pk, due_at=chore.due_at, due_at__lte=now).update(due_at=now + DAY)
    return observe(now) if claimed else None


def look() -> None:
    """Called by the background work each second or so; looks at the row of the chore much less often."""
    global _looked
    if time.monotonic() - _looked < LOOK:
        return
    _looked = time.monotonic()
    try:
        observe_daily(timezone.now())
    finally:
        connection.close()
