"""Tables and knocks of gin that tests are about."""

import random
from typing import Any

from games.rules.cards import card, cards, pack
from games.rules.game import Game
from games.rules.knocking import Knock, KnockTable
from games.rules.table import Outcome, Table
from games.rules.view import TableView, see

from .playing import cards_of, dealt, game, gin_table

GIN = game("gin")
FAMILY = ("gin", "oklahoma-gin", "hollywood-gin")
KNOCKER = "7C 7D 7H 4S 5S 6S JC QC KC 9D"
DEFENDER = "2C 2D 2H TD TH TS 8H 8C AC 4H"


def melds(text: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(cards(one) for one in text.split(";"))


def knocked(
    played: Game[Any], knocker: str, defender: str, thrown: str = "KD", sent: str | None = None, upcard: str = "KH"
) -> KnockTable:
    """The table after seat 0 has knocked with the ten cards given."""
    hand = f"{knocker} {thrown}"
    pile = next(one for one in pack() if one not in cards(f"{hand} {defender}"))
    table = gin_table(played, hand, defender, pile=pile, upcard=upcard, drawn=thrown)
    after = played.apply(table, 0, Knock(card(thrown), melds(sent) if sent else None))
    assert isinstance(after, KnockTable) and cards_of(after) == sorted(pack())
    return after


def scored(table: Table) -> tuple[str, tuple[int, ...]]:
    assert table.outcome is not None
    return table.outcome.kind, table.outcome.points


def told(table: Table) -> dict[str, Any]:
    """The lines of an outcome as text: what, seat, points, cards."""
    assert table.outcome is not None
    return {f"{line.what} {line.seat}": (line.points, " ".join(line.cards)) for line in table.outcome.lines}


def view(played: Game[Any], table: Table, seat: int | None) -> TableView:
    return see(played, table, played.new_sheet(table.dealer), seat)


def opened(played: Game[Any] = GIN, seed: int = 1) -> Table:
    return dealt(played, random.Random(seed), played.new_sheet(1))


def won(seat: int | None, points: int, kind: str = "knock") -> Outcome:
    return Outcome(kind, seat, tuple(points if seat == one else 0 for one in (0, 1)))
