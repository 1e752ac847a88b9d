"""How often a person has to come back in a deal, with standing orders and without. Bots play the persons.

The same deals are played twice: once each turn is a visit, once whoever has moved leaves an order for the coming turns.
A hand-over is the moment when a person has to come back: the turn is his, and no order and no lack of choice plays it.
"""

from dataclasses import dataclass
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any

from games.bots import LEVELS
from games.bots.orders import order_of
from games.rules.actions import Discard
from games.rules.catalog import find
from games.rules.game import Game
from games.rules.orders import Halt, Order, follow, surprise
from games.rules.sheet import Sheet
from games.rules.table import Table
from games.rules.view import TableView, see


@dataclass(frozen=True, slots=True)
class Found:
    """Hand-overs a deal without and with orders, and the share with the bounds of its 95 % interval."""

    without: float
    with_orders: float
    share: float
    low: float
    high: float


def measure(preset: str, deals: int, seed: int) -> Found:
    """Play so many deals both ways."""
    game = find(preset).play(find(preset).options())
    pairs = [_pair(game, f"{preset} {seed} {deal}") for deal in range(deals)]
    before, after = fmean(a for a, _b in pairs), fmean(b for _a, b in pairs)
    share = after / before
    # the spread of a ratio of means of pairs
    spread = stdev(b - share * a for a, b in pairs) / before / len(pairs) ** 0.5 if deals > 1 else share
    reach = NormalDist().inv_cdf(0.975) * spread
    return Found(before, after, share, share - reach, share + reach)


def _pair(game: Game[Any], seed: str) -> tuple[int, int]:
    return _Deal(game, seed, orders=False).visits(), _Deal(game, seed, orders=True).visits()


class _Deal:
    """One deal between easy bots; ``left``: the order that a seat has left, and how many events there were then."""

    def __init__(self, game: Game[Any], seed: str, *, orders: bool) -> None:
        self.game, self.orders, self.chance, self.rng = game, orders, Random(seed), Random(f"bots {seed}")
        self.sheet: Sheet = game.new_sheet(self.chance.randrange(game.options.players))
        self.table: Table = game.deal(self.sheet, self._shuffled(len(game.pack())))
        self.left: dict[int, tuple[Order, int]] = {}

    def _shuffled(self, size: int) -> list[int]:
        return self.chance.sample(range(size), size)

    def visits(self) -> int:
        """Play the deal to its end; how many times somebody had to come back."""
        count = 0
        while self.table.outcome is None:
            if self.table.phase == "shuffle":
                order = self._shuffled(len(self.game.pool(self.table)))
                self.table = self.game.reshuffle(self.table, self.table.orders + 1, order)
            elif not self._played_by_order() and not self._forced():
                count += 1
                self._visit()
        return count

    def _view(self, seat: int) -> TableView:
        return see(self.game, self.table, self.sheet, seat)

    def _played_by_order(self) -> bool:
        """Whether the order of the seat to move lives and ends its turn."""
        seat = self.table.actor
        order, since = self.left.pop(seat, (None, 0))
        if order is None or surprise(self.table.events, seat, since):
            return False
        while self.table.actor == seat:
            action = follow(self._view(seat), self.game, order)
            if isinstance(action, Halt):
                return False
            self.table = self.game.apply(self.table, seat, action)
        rest = order.after(action.card) if isinstance(action, Discard) else order
        if rest:
            self.left[seat] = (rest, since)
        return True

    def _forced(self) -> bool:
        """What the site does where there is no choice, if the turn is not that seat's any longer then."""
        seat = self.table.actor
        while self.table.actor == seat and (only := self.game.forced(self._view(seat))):
            self.table = self.game.apply(self.table, seat, only)
        return self.table.actor != seat

    def _visit(self) -> None:
        """Somebody comes, plays until it is another's turn, and leaves an order."""
        seat = self.table.actor
        while self.table.actor == seat:
            self.table = self.game.apply(self.table, seat, LEVELS["easy"](self._view(seat), self.game, self.rng))
        if self.orders and self.table.outcome is None:
            self.left[seat] = (order_of(self._view(seat), self.game), len(self.table.events))
