"""How tests get ended deals and whole matches of every preset: bots play for all seats."""

import time
from datetime import UTC, datetime
from random import Random
from typing import Any

from django.db.models import F
from django.utils import timezone

from games import play, tape
from games.bots import LEVELS
from games.models import Deal, Match, Move, Seat
from games.rules import codec
from games.rules.catalog import PRESETS, find
from games.rules.table import DEALER
from games.rules.view import see

from .playing import opened

NAMES = [preset.name for preset in PRESETS]
TIME = datetime(2026, 11, 30, 12, tzinfo=UTC)


def dealt(preset: str, seed: int, seats: int | None = None, wild: bool = False, **chosen: Any):
    """(match, deal, cuts, moves) of one ended deal; nothing is stored. ``wild``: seats do anything that is legal."""
    rng, found = Random(f"{preset} {seed}"), find(preset)
    options = found.options(seats, chosen)
    stored = {name: getattr(options, name) for name in options.__dataclass_fields__}
    match = Match(preset=preset, options=stored, pace="1d", status="over", deal_number=1)
    game, cuts = match.game(), tuple(rng.randbytes(16).hex() for _ in range(options.players))
    sheet = game.new_sheet(rng.randrange(options.players))
    deal = Deal(match=match, number=1, dealer=sheet.dealer, secret=rng.randbytes(32), sheet=codec.encode_sheet(sheet))
    now = tape.begin(match, deal, cuts)
    moves = [Move(number=1, seat=None, action={"type": "deal", "n": 1}, by="dealer", at=TIME)]
    while now.table.outcome is None:
        seat, action = None, {"type": "shuffled", "n": now.table.orders + 1}
        if now.table.actor != DEALER:
            seat = now.table.actor
            view = see(game, now.table, sheet, seat)
            chosen_one = rng.choice(view.legal) if wild else LEVELS["easy"](view, game, rng)
            action = codec.encode(chosen_one)
        by = "dealer" if seat is None else "user"
        moves.append(Move(number=len(moves) + 1, seat=seat, action=action, by=by, at=TIME))
        now = tape.follow(deal, now, moves[-1])
    return match, deal, cuts, moves


def tables_of(match: Match, deal: Deal, cuts: tuple[str, ...], moves: list[Move]):
    """The Table after each move."""
    now = tape.begin(match, deal, cuts)
    for move in moves:
        now = tape.follow(deal, now, move)
        yield now.table


def by_bots(*users: Any, preset: str = "basic-rummy", **chosen: Any) -> Match:
    """A whole match whose seats belong to these users and are played by bots to the end."""
    match = opened(*users, preset=preset, **chosen)
    Seat.objects.filter(match=match).update(driver="bot", bot_level="easy", driven_by=None)
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now())
    until = time.monotonic() + 60
    while Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING).exists():
        # where a server runs too, its loop may have the next move, and an act of ours may come too late
        play.drive(match.pk)
        assert time.monotonic() < until, f"match {match.pk} does not end"
    Seat.objects.filter(match=match).update(driver="user", driven_by=F("user"))
    match.refresh_from_db()
    assert match.status == Match.Status.OVER, match.status
    return match
