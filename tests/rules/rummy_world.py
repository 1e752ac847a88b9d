"""Games, melds and short turns of rummy that tests are about."""

from typing import Any

from games.rules.actions import Action, Discard, LayOff, Meld
from games.rules.cards import card, cards
from games.rules.game import Game
from games.rules.table import Outcome, Table

from .playing import game

BASIC = game("basic-rummy", 2)
OWN_MELD = game("android-rummy", 2)


def meld(text: str) -> Meld:
    return Meld(cards(text))


def lay(text: str, index: int = 0) -> LayOff:
    return LayOff(card(text), index)


def throw(text: str) -> Discard:
    return Discard(card(text))


def done(game: Game[Any], table: Table, *actions: Action) -> Table:
    """The table after these actions of the seat to act."""
    for action in actions:
        table = game.apply(table, table.turn, action)
    return table


def ended(table: Table) -> Outcome:
    assert table.outcome is not None
    return table.outcome
