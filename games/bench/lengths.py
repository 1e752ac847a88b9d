"""How long matches are: deals of easy bots, and matches drawn from them. Fills games/length_table.py."""

from collections.abc import Sequence
from random import Random
from statistics import fmean, quantiles
from typing import Any

from games.bots import LEVELS
from games.length_table import Length
from games.rules.catalog import Preset
from games.rules.game import Game
from games.rules.table import Outcome
from games.rules.view import see

MATCHES = 4000
"""How many matches are drawn from the deals that were played."""


def length_of(preset: Preset, seats: int, deals: int, seed: int) -> Length:
    """Play so many deals under the usual rules, and draw whole matches from them."""
    game, rng = preset.play(preset.options(seats)), Random(f"{preset.name} {seats} {seed}")
    played = [play_deal(game, rng) for _ in range(deals)]
    counts = [_deals_needed([outcome for _turns, outcome in played], game, rng) for _ in range(MATCHES)]
    cuts = quantiles(counts, n=10)
    return Length(game.options.target, round(cuts[1], 1), round(cuts[7], 1), round(fmean(t for t, _p in played), 1))


def play_deal(game: Game[Any], rng: Random) -> tuple[int, Outcome]:
    """(turns, outcome) of one deal between easy bots."""
    sheet = game.new_sheet(rng.randrange(game.options.players))
    table = game.deal(sheet, _order(len(game.pack()), rng))
    while table.outcome is None:
        if table.phase == "shuffle":
            table = game.reshuffle(table, table.orders + 1, _order(len(game.pool(table)), rng))
        else:
            view = see(game, table, sheet, table.actor)
            table = game.apply(table, table.actor, LEVELS["easy"](view, game, rng))
    return table.turns, table.outcome


def _order(size: int, rng: Random) -> list[int]:
    return rng.sample(range(size), size)


def _deals_needed(played: Sequence[Outcome], game: Game[Any], rng: Random) -> int:
    """How many deals, drawn at random, end a match as its own sheet counts it; dealers were drawn, so no seat leads."""
    sheet = game.new_sheet(0)
    while not sheet.over:
        sheet = game.book(sheet, rng.choice(played))
    return sheet.played
