"""Generated results: as many matches as a busy site has after years, written in bulk. For measuring only.

Most have a result and no deals; a few are played by bots, and their deals and moves copied. Ratings and summaries are
made of them by the same ways as after an upgrade.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from games import fairness, lobby, play
from games.models import Deal, Ledger, Match, Move, Seat, Tenure
from games.rules.catalog import PRESETS

User = get_user_model()

BATCH = 2000
DAYS = 900
RATED, LISTED, LEFT = 0.6, 0.8, 0.05
"""Parts of the matches that are rated or left by somebody, and of the users who stand in leaderboards."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much: ``detailed`` matches have deals and moves, ``of_one`` matches are of one user, half of them against
    one other."""

    matches: int = 200_000
    detailed: int = 500
    of_one: int = 5_000
    users: int = 2_000
    played: int = 5

    def of(self, matches: int) -> "Size":
        """The same in a smaller (or larger) size."""
        part = matches / self.matches
        return Size(
            matches=matches,
            detailed=min(self.detailed, matches // 4),
            of_one=max(2, int(self.of_one * part)),
            users=max(20, int(self.users * part)),
            played=self.played if part == 1 else 1,
        )


def make(size: Size, seed: int = 1) -> list[Any]:
    """Write it all; the users. The first has most matches, half of them against the second."""
    rng = random.Random(seed)
    users = _users(size.users, rng)
    models = _played(users[2], size.played)
    end = timezone.now()
    for numbers in batched(range(size.matches), BATCH):
        made = [_match(rng, users, size, n, end) for n in numbers]
        Match.objects.bulk_create([match for match, _seats in made])
        Seat.objects.bulk_create([seat for _match_, seats in made for seat in seats])
        _detail([one for n, one in zip(numbers, made, strict=True) if n < size.detailed], models, rng)
    return users


def _users(count: int, rng: random.Random) -> list[Any]:
    names = [f"player{n}" for n in range(count)]
    users = User.objects.bulk_create([User(username=name, name_key=name) for name in names], batch_size=BATCH)
    rows = (Ledger(user=user, filled=False, listed=rng.random() < LISTED) for user in users)
    Ledger.objects.bulk_create(rows, batch_size=BATCH)
    return users


def _match(rng: random.Random, users: Sequence[Any], size: Size, n: int, end: datetime) -> tuple[Match, list[Seat]]:
    """A match that is over, not yet saved."""
    often = max(1, size.matches // size.of_one)
    preset = rng.choice(PRESETS)
    seats = 2 if n < size.detailed or n % often == 0 else rng.choice([s for s in preset.hand_sizes if s <= len(users)])
    who = rng.sample(users[2:], seats)
    if n % often == 0:
        who[0] = users[0]
        if n // often % 2:
            who[1] = users[1]
    ended = end - timedelta(days=DAYS) * (1 - n / size.matches)
    options = preset.options(seats)
    totals = [rng.randint(0, 140) for _seat in who]
    totals[rng.randrange(seats)] = 150
    match = Match(
        preset=preset.name,
        options={name: getattr(options, name) for name in options.__dataclass_fields__},
        token=f"{rng.getrandbits(128):032x}",
        opener=who[0],
        pace=rng.choice(["1d", "2d", "60s"]),
        rated=rng.random() < RATED,
        status=Match.Status.OVER,
        ending=Match.Ending.PLAYED,
        totals=totals,
        winners=[totals.index(150)],
        chain=fairness.make_chain_seed(),
        commitment=f"{rng.getrandbits(256):064x}",
        created_at=ended - timedelta(days=3),
        started_at=ended - timedelta(days=2),
        ended_at=ended,
    )
    return match, [_seat(match, index, user, rng, totals[index] < 150) for index, user in enumerate(who)]


def _seat(match: Match, index: int, user: Any, rng: random.Random, may_leave: bool) -> Seat:
    left = may_leave and rng.random() < LEFT
    return Seat(
        match=match,
        index=index,
        user=user,
        driver=Seat.Driver.USER,
        driven_by=user,
        gone=Seat.Gone.RESIGNED if left else "",
        given_up_at=match.ended_at if left else None,
    )


def _played(user: Any, count: int) -> list[Match]:
    """Matches that bots play for two seats, one of them a person's until the cards are dealt."""
    made = []
    for _match in range(count):
        match = lobby.open_match(user, "basic-rummy", seats=["easy"], pace="none", chosen={"target": 60})
        Seat.objects.filter(match=match, index=0).update(driver="bot", driven_by=None, bot_level="easy")
        Match.objects.filter(pk=match.pk).update(wake_at=timezone.now())
        play.drive(match.pk)
        made.append(match)
    return made


def _detail(made: Sequence[tuple[Match, list[Seat]]], models: Sequence[Match], rng: random.Random) -> None:
    """Give some matches the deals and moves of those that were played."""
    for match, seats in made:
        copied = rng.choice(models)
        deals = list(copied.deals.filter(ended_at__isnull=False))
        numbers = {deal.pk: deal.number for deal in deals}
        for deal in deals:
            deal.pk, deal.match = None, match
            deal.started_at, deal.ended_at = match.created_at, match.ended_at
        by_number = {deal.number: deal for deal in Deal.objects.bulk_create(deals)}
        Move.objects.bulk_create(_moves(copied, match, numbers, by_number))
        Match.objects.filter(pk=match.pk).update(deal_number=len(deals), preset=copied.preset, options=copied.options)
        Tenure.objects.bulk_create(
            Tenure(seat=seat, driver=seat.driver, user=seat.user, from_move=1, to_move=10_000, why="sat down")
            for seat in seats
        )


def _moves(copied: Match, match: Match, numbers: dict[int, int], deals: dict[int, Deal]) -> Iterator[Move]:
    for move in copied.tape.filter(deal__in=numbers):
        assert move.deal_id is not None
        move.deal = deals[numbers[move.deal_id]]
        move.pk, move.match = None, match
        yield move
