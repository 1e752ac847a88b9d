"""Generated results: as many matches as a busy site has after years, poured in bulk. For measuring only.

Most have a result and no deals; those of one user have the deals and Records of matches that bots played, some of them
the moves too. Ratings and summaries are what ``recompute`` would make of it all, by the same functions.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from itertools import batched
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from games import fairness, ratings, summaries
from games.models import Deal, Ledger, Match, Move, Rating, RatingChange, Seat, Summary, Tenure
from games.ratings import Strength
from games.rules.catalog import PRESETS, Preset

from . import played
from .pouring import like, next_number, pour

User = get_user_model()

BATCH = 2000
DAYS = 900
RATED, LISTED, LEFT, BROKEN_OFF = 0.6, 0.8, 0.05, 0.02
"""Parts of the matches that are rated, of the users who stand in leaderboards, of seats left, of matches for nobody."""
OVER = Match(status="over", ending="played", deal_number=1)
PERSON = Seat(driver="user", cut_by="browser", looked_deal=1)
FREE = Seat(driver="open")
SAT_DOWN = Tenure(driver="user", from_move=1, why="sat down")
BOT_CAME = Tenure(driver="bot", from_move=21, why="resigned")
POURED = (Match, Seat, Tenure, Deal, Move, RatingChange, Summary, Rating)


@dataclass(frozen=True, slots=True)
class Size:
    """How much: ``of_one`` matches are of one user, half of them against one other, and have deals; ``detailed`` of
    these have moves. ``running`` matches have not ended. ``played`` matches of each game are copied."""

    matches: int = 200_000
    detailed: int = 500
    of_one: int = 5_000
    users: int = 2_000
    running: int = 5_000
    played: int = 3

    def of(self, matches: int) -> "Size":
        """The same in a smaller (or larger) size. The user with most matches has as many as may be."""
        part = matches / self.matches
        return Size(
            matches=matches,
            detailed=min(self.detailed, max(1, matches // 40)),
            of_one=min(self.of_one, max(2, matches // 4)),
            users=max(20, int(self.users * part)),
            running=max(10, int(self.running * part)),
            played=self.played if part == 1 else 1,
        )


@cache
def _rules(name: str, seats: int) -> tuple[dict[str, Any], int]:
    """The options of a match without house rules, and how many sides play it."""
    preset = next(preset for preset in PRESETS if preset.name == name)
    options = preset.options(seats)
    return {one: getattr(options, one) for one in options.__dataclass_fields__}, len(preset.play(options).sides())


@dataclass
class Batch:
    """Rows that are written together."""

    matches: list[Match] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    tenures: list[Tenure] = field(default_factory=list)
    deals: list[Deal] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    changes: list[RatingChange] = field(default_factory=list)

    def write(self) -> None:
        with transaction.atomic():
            for rows in (self.matches, self.seats, self.tenures, self.deals, self.moves, self.changes):
                if rows:
                    pour(type(rows[0]), rows)


class Seasons:
    """The site while its past is made, the oldest match first."""

    def __init__(self, size: Size, seed: int) -> None:
        self.size, self.rng = size, random.Random(seed)
        self.end = timezone.now()
        self.users = self._users()
        self.models = played.models(self.users[2], size.played)
        self.numbers = {model: next_number(model) for model in POURED}
        self.sums = dict[summaries.Key, Summary]()
        self.strengths = dict[tuple[str, str], dict[int, Strength]]()
        self.often = max(1, size.matches // size.of_one)
        self.in_detail = self.often * max(1, size.of_one // size.detailed)

    def number(self, model: type[Any], count: int = 1) -> int:
        """The first of so many new numbers."""
        first = self.numbers[model]
        self.numbers[model] += count
        return first

    def _users(self) -> list[Any]:
        names = [f"player{n}" for n in range(self.size.users)]
        since = self.end - timedelta(days=DAYS)
        made = [User(username=name, name_key=name, date_joined=since) for name in names]
        users = User.objects.bulk_create(made, batch_size=BATCH)
        Ledger.objects.bulk_create(
            [Ledger(user=user, listed=self.rng.random() < LISTED) for user in users], batch_size=BATCH
        )
        return users

    def past(self) -> None:
        """All matches that are over, then what they add up to."""
        for numbers in batched(range(self.size.matches), BATCH):
            batch = Batch()
            for n in numbers:
                self._match(batch, n)
            batch.write()
        for _key, row in sorted(self.sums.items()):
            row.pk = self.number(Summary)
        with transaction.atomic():
            pour(Summary, list(self.sums.values()))
            pour(Rating, list(self._ratings()))

    def _match(self, batch: Batch, n: int) -> None:
        busy = n % self.often == 0
        match = self._over(n, 2 if busy else None)
        seats = self._seats(match, n, busy)
        deals = list[Deal]()
        if busy:
            deals = self._dealt(batch, match, seats, moves=n % self.in_detail == 0)
        elif match.winners:
            self._leave(match, seats)
        self._add(match, seats, deals)
        batch.matches.append(match)
        batch.seats += seats
        batch.tenures += self._tenures(seats)
        batch.changes += self._rate(match, seats)

    def _over(self, n: int, seats: int | None) -> Match:
        """A match that is over, with a result that chance has made."""
        rng, preset = self.rng, self.rng.choice(PRESETS)
        seats = seats or rng.choice([size for size in preset.hand_sizes if size < len(self.users)])
        ended = self.end - timedelta(days=DAYS) * (1 - n / self.size.matches)
        match = self.blank(OVER, seats, preset)
        match.pace, match.rated = rng.choice(["1d", "2d", "60s"]), rng.random() < RATED
        match.created_at, match.started_at = ended - timedelta(days=9), ended - timedelta(days=8)
        match.ended_at = ended
        sides = _rules(preset.name, seats)[1]
        if rng.random() < BROKEN_OFF:
            match.ending, match.totals, match.winners = "abandoned", [0] * sides, []
            return match
        match.totals = [rng.randint(0, 140) for _side in range(sides)]
        match.winners = [rng.randrange(sides)]
        match.totals[match.winners[0]] = 150
        return match

    def blank(self, pattern: Match, seats: int, preset: Preset = PRESETS[0]) -> Match:
        """A match like another, with its own number, chance and house rules."""
        return like(
            pattern, id=self.number(Match), preset=preset.name, edition=preset.edition,
            options=_rules(preset.name, seats)[0],
            token=f"{self.rng.getrandbits(128):032x}", chain=self.rng.randbytes(fairness.SECRET_BYTES),
            commitment=f"{self.rng.getrandbits(256):064x}",
        )  # fmt: skip

    def _seats(self, match: Match, n: int, busy: bool) -> list[Seat]:
        who = self.rng.sample(self.users[2:], match.options["players"])
        if busy:
            who = [self.users[0], self.users[1] if n // self.often % 2 else who[0]]
            self.rng.shuffle(who)
        match.opener_id = who[0].pk
        return [self.seat(match, index, user) for index, user in enumerate(who)]

    def seat(self, match: Match, index: int, user: Any) -> Seat:
        """Somebody who sits at a match."""
        told: dict[str, Any] = {"match_id": match.pk, "index": index, "user_id": user.pk, "driven_by_id": user.pk}
        return like(PERSON, id=self.number(Seat), cut=f"{self.rng.getrandbits(128):032x}", **told)

    def free_seat(self, match: Match, index: int) -> Seat:
        """A seat that nobody has taken."""
        return like(FREE, id=self.number(Seat), match_id=match.pk, index=index)

    def _dealt(self, batch: Batch, match: Match, seats: Sequence[Seat], *, moves: bool) -> list[Deal]:
        model = self.rng.choice(self.models)
        match.ending = "played"
        played.dress(match, model)
        for seat, cut in zip(seats, model.cuts, strict=True):
            seat.cut = cut
        deals = played.deals(match, model, self.number(Deal, len(model.deals)))
        batch.deals += deals
        if moves:
            batch.moves += played.moves(match, model, deals, self.number(Move, len(model.moves)))
        return deals

    def _leave(self, match: Match, seats: Sequence[Seat]) -> None:
        """Somebody who has not won may have left; a bot plays on."""
        won = {seat for side in match.winners for seat in match.game().sides()[side]}
        for seat in seats:
            if seat.index not in won and self.rng.random() < LEFT:
                seat.gone, seat.given_up_at = "resigned", match.ended_at
                seat.driver, seat.driven_by_id, seat.bot_level = "bot", None, "easy"

    def _tenures(self, seats: Sequence[Seat]) -> list[Tenure]:
        """A user's, and that of a bot after it where the user has left."""
        found = []
        for seat in seats:
            one = like(SAT_DOWN, id=self.number(Tenure), seat_id=seat.pk, user_id=seat.user_id)
            found.append(one)
            if seat.gone:
                one.to_move = 20
                found.append(like(BOT_CAME, id=self.number(Tenure), seat_id=seat.pk))
        return found

    def _add(self, match: Match, seats: Sequence[Seat], deals: Sequence[Deal]) -> None:
        for one in summaries.of_all(match, seats, deals, []):
            key = summaries.key_of(one)
            if key in self.sums:
                summaries.add(self.sums[key], one)
            else:
                self.sums[key] = one

    def _rate(self, match: Match, seats: Sequence[Seat]) -> list[RatingChange]:
        teams = ratings.teams(match, seats)
        if not teams or match.ended_at is None:
            return []
        so_far = self.strengths.setdefault(ratings.group_of(match), {})
        before = {user: so_far.get(user, Strength()) for team in teams for user in team.users}
        after = ratings.rated(before, teams, match.ended_at)
        so_far.update(after)
        changes = ratings.changes(match, teams, before, after)
        for change in changes:
            change.pk = self.number(RatingChange)
        return changes

    def _ratings(self) -> list[Rating]:
        rows = []
        for (family, kind), of_users in self.strengths.items():
            for user, strength in of_users.items():
                row = Rating(pk=self.number(Rating), user_id=user, family=family, kind=kind)
                ratings.fill(row, strength)
                rows.append(row)
        return rows
