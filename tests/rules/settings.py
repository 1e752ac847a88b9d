"""How the state of a vector becomes a Table, and how an ended Table reads in the words of the vectors.

What every game shares; settings_rummy.py and settings_gin.py do it for theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from games.rules.actions import Action
from games.rules.cards import Card, by_suit, cards, pack
from games.rules.errors import Refused
from games.rules.game import Game
from games.rules.melds import Melded, new_meld
from games.rules.sheet import Sheet
from games.rules.table import Table


class Setting(Protocol):
    """States and ends of one game."""

    def table(self, game: Game[Any], state: Mapping[str, Any]) -> Table:
        """The table of a single decision."""

    def turn_end(self, game: Game[Any], state: Mapping[str, Any]) -> tuple[Table, Action]:
        """A table, and the action that ends the turn described."""

    def ended(self, game: Game[Any], state: Mapping[str, Any]) -> Table | Refused:
        """The end of a deal that is to be scored, or why it does not come to it."""

    def counters(self, table: Table) -> dict[str, Any]:
        """What only this game counts."""

    def outcome(self, table: Table) -> dict[str, Any]:
        """What only this game says of an ended deal, besides kind, scorer and points."""

    def laid(self, table: Table) -> list[dict[str, Any]]:
        """The melds of an ended deal."""

    def sheet(self, sheet: Sheet) -> dict[str, Any]:
        """What only this game keeps on a Sheet."""

    def expected(self, vector: Mapping[str, Any]) -> dict[str, Any]:
        """The melds and counters of an ended deal as a vector tells them."""


def others(*used: Iterable[Card]) -> list[Card]:
    """The cards of a pack that are in none of the groups."""
    gone = {card for group in used for card in group}
    return [card for card in pack() if card not in gone]


def table_melds(state: Mapping[str, Any], game: Game[Any]) -> tuple[Melded, ...]:
    """The melds that a state lists, each laid by its owner."""
    laid = []
    for told in state.get("table", ()):
        meld = new_meld(cards(told["cards"]), told["owner"], game.shape)
        assert meld is not None and meld.kind == told["type"], f"no meld: {told}"
        laid.append(meld)
    return tuple(laid)


def joined(some: Iterable[Sequence[Card]]) -> list[list[str]]:
    """Melds in the words of the vectors: each sorted, two runs of one suit that meet as one, all sorted."""
    runs: list[list[Card]] = []
    sets: list[list[Card]] = []
    for meld in sorted((list(by_suit(one)) for one in some), key=_places):
        if meld[0].suit != meld[1].suit:
            sets.append(meld)
        elif runs and (runs[-1][-1].suit, runs[-1][-1].rank + 1) == (meld[0].suit, meld[0].rank):
            runs[-1] += meld
        else:
            runs.append(meld)
    return [list(map(str, meld)) for meld in sorted(runs + sets, key=_places)]


def _places(meld: Sequence[Card]) -> list[tuple[int, int]]:
    return [(one.suit, one.rank) for one in meld]
