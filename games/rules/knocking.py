"""Knocking: what a Table remembers for it, and the actions that show a hand and end a deal (RULES.md section 6).

One pack, aces low. Which limit holds and what a knock is worth is said by the game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from . import deadwood, melds
from .actions import Action, TakeDiscard, require_distinct, require_held
from .cards import Card, by_suit
from .errors import Illegal
from .table import Table

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True, slots=True)
class KnockTable(Table):
    """``upcard`` was turned up first, ``limit`` is the most deadwood with which anybody may knock in this deal.

    ``must_draw``: both seats have passed the upcard, so the first draw comes from the stock. After a knock ``knocker``
    is its seat (-1 before), the melds lie in ``melds``, the deadwood stays in the hand, and the discard of the knock
    lies ``face_down``.
    """

    upcard: Card | None = None
    limit: int = 10
    must_draw: bool = False
    knocker: int = -1
    face_down: tuple[Card, ...] = ()

    def zones(self) -> dict[str, tuple[Card, ...]]:
        return {**Table.zones(self), "face_down": self.face_down}


@dataclass(frozen=True, slots=True)
class TakeUpcard(TakeDiscard):
    """Take the upcard while it is offered."""

    name: ClassVar[str] = "take_upcard"


@dataclass(frozen=True, slots=True)
class Knock(Action):
    """Put ``card`` face down and lay the hand open. ``melds`` is how; without it the rules arrange the hand.

    The order of the melds is kept, since lay-offs name them by it. Where the ten cards can be arranged to leave
    nothing it is gin, whatever melds are sent.
    """

    card: Card
    melds: tuple[tuple[Card, ...], ...] | None = None
    name: ClassVar[str] = "knock"
    ends_turn: ClassVar[bool] = True
    many: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.melds is not None:
            object.__setattr__(self, "melds", tuple(map(by_suit, self.melds)))

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        assert isinstance(table, KnockTable)
        # One card less saves no more than its points, so few hands have to be looked at closely.
        too_much = deadwood.least(cls.eleven(table)) - table.limit
        for card in table.hand:
            if game.points(card) >= too_much:
                yield cls(card)

    @classmethod
    def eleven(cls, table: Table) -> tuple[Card, ...]:
        """The cards of which one would be put face down."""
        return table.hand

    def check(self, game: "Game[Any]", table: Table) -> None:
        self.judge(game, table, "deadwood_too_high")

    def judge(self, game: "Game[Any]", table: Table, too_high: str) -> None:
        """Raise Malformed or Illegal; ``too_high`` is the reason where too much would be left."""
        assert isinstance(table, KnockTable)
        sent = [one for meld in self.melds or () for one in meld]
        require_distinct(sent)
        require_held((self.card, *sent), table, game)
        game.may_discard(table, self.card)
        for meld in self.melds or ():
            if self.card in meld or melds.shape_of(meld, game.shape) is None:
                raise Illegal("invalid_meld", *meld)
        ten = [one for one in table.hand if one != self.card]
        left = deadwood.least(ten)
        if left and self.melds is not None:
            left = sum(game.points(one) for one in ten if one not in sent)
        if left > table.limit:
            raise Illegal(too_high, self.card)

    def place(self, game: "Game[Any]", table: Table) -> Table:
        ten = tuple(one for one in table.hand if one != self.card)
        arranged = self.melds is None or not deadwood.least(ten)
        return laid_open(game, table, deadwood.arrange(ten) if arranged else self.melds or (), (self.card,))


@dataclass(frozen=True, slots=True)
class BigGin(Action):
    """Lay eleven cards open, all of them in melds, and discard nothing."""

    name: ClassVar[str] = "big_gin"
    ends_turn: ClassVar[bool] = True

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        yield cls()

    def check(self, game: "Game[Any]", table: Table) -> None:
        require_big_gin(game)
        if deadwood.least(table.hand):
            raise Illegal("deadwood_too_high")

    def place(self, game: "Game[Any]", table: Table) -> Table:
        return laid_open(game, table, deadwood.arrange(table.hand), ())


@dataclass(frozen=True, slots=True)
class KnockLast(Knock):
    """Take the last discard and knock in the same action."""

    name: ClassVar[str] = "knock_last"

    @classmethod
    def eleven(cls, table: Table) -> tuple[Card, ...]:
        return (*table.hand, table.discards[-1])

    def check(self, game: "Game[Any]", table: Table) -> None:
        self.judge(game, TakeDiscard().place(game, table), "pile_card_unusable")

    def place(self, game: "Game[Any]", table: Table) -> Table:
        return Knock.place(self, game, TakeDiscard().place(game, table))


@dataclass(frozen=True, slots=True)
class BigGinLast(BigGin):
    """Take the last discard and lay eleven cards open in the same action."""

    name: ClassVar[str] = "big_gin_last"

    def check(self, game: "Game[Any]", table: Table) -> None:
        require_big_gin(game)
        if deadwood.least((*table.hand, table.discards[-1])):
            raise Illegal("pile_card_unusable")

    def place(self, game: "Game[Any]", table: Table) -> Table:
        return BigGin.place(self, game, TakeDiscard().place(game, table))


@dataclass(frozen=True, slots=True)
class Done(Action):
    """Lay off nothing more."""

    name: ClassVar[str] = "done"
    ends_turn: ClassVar[bool] = True
    passive: ClassVar[bool] = True

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        yield cls()

    def place(self, game: "Game[Any]", table: Table) -> Table:
        return replace(table, events=table.told("done"))


def require_big_gin(game: "Game[Any]") -> None:
    """Raise Illegal where big gin is not played."""
    if not game.options.big_gin_bonus:
        raise Illegal("option_off")


def laid_open(
    game: "Game[Any]", table: Table, arrangement: deadwood.Arrangement, face_down: tuple[Card, ...]
) -> KnockTable:
    """The table with the mover's melds laid down and its deadwood shown; the deal is not scored yet."""
    assert isinstance(table, KnockTable)
    melded = [one for meld in arrangement for one in meld]
    hands = table.without(*melded, *face_down)
    events = table.told("knocked", *by_suit(hands[table.turn])) if face_down and hands[table.turn] else table.events
    table = replace(table, hands=hands, events=events, face_down=face_down, knocker=table.turn, drawn=None, taken=None)
    for index, some in enumerate(arrangement):
        laid = melds.new_meld(some, table.turn, game.shape)
        assert laid is not None, "checked before"
        table = replace(table, melds=(*table.melds, laid), events=table.told("melded", *laid.cards, meld=index))
    return table
