"""What a seat may do: small frozen values that check themselves and say what they do to a Table.

``check`` raises a Refused, ``place`` gives the bare effect, the Game sees to the end of the turn. The order of the
checks is that of RULES.md section 2; turn and phase are tested by the Game before anything here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from . import melds
from .cards import Card, by_id
from .errors import Illegal, Malformed
from .table import Table

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True, slots=True)
class Action:
    """Base of all actions. ``name`` is the word that stands for it in forms, tapes and records."""

    name: ClassVar[str]
    ends_turn: ClassVar[bool] = False
    can_wait: ClassVar[bool] = False
    """Whether the site may keep it in a draft until the turn is submitted: it reveals nothing."""
    passive: ClassVar[bool] = False
    """Whether it gives nothing away and decides nothing where it is all that is legal."""
    many: ClassVar[bool] = False
    """Whether each of its ``choices`` stands for several ways to write the same down."""

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        """The actions of this class that might be legal; the Game drops those that are refused."""
        raise NotImplementedError(cls.__name__)

    def check(self, game: "Game[Any]", table: Table) -> None:
        """Raise Malformed or Illegal."""

    def place(self, game: "Game[Any]", table: Table) -> Table:
        """The table after the bare effect."""
        raise NotImplementedError(type(self).__name__)


@dataclass(frozen=True, slots=True)
class Foreign(Action):
    """An action that the family knows and this game lacks: always refused as ``wrong_phase``."""

    name: ClassVar[str] = "foreign"


@dataclass(frozen=True, slots=True)
class DrawStock(Action):
    """Draw the top card of the stock; only the drawer sees it."""

    name: ClassVar[str] = "draw_stock"
    passive: ClassVar[bool] = True

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        if table.stock:
            yield cls()

    def check(self, game: "Game[Any]", table: Table) -> None:
        if not table.stock:
            raise Illegal("empty_stock")

    def place(self, game: "Game[Any]", table: Table) -> Table:
        top = table.stock[0]
        return replace(
            table,
            hands=table.having(top),
            stock=table.stock[1:],
            drawn=top,
            phase="play",
            events=table.told("drew", own=top),
        )


@dataclass(frozen=True, slots=True)
class TakeDiscard(Action):
    """Take the top card of the discard pile."""

    name: ClassVar[str] = "draw_discard"

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        if table.discards:
            yield cls()

    def check(self, game: "Game[Any]", table: Table) -> None:
        if not table.discards:
            raise Illegal("empty_discard")
        game.may_take(table)

    def place(self, game: "Game[Any]", table: Table) -> Table:
        top = table.discards[-1]
        return replace(
            table,
            hands=table.having(top),
            discards=table.discards[:-1],
            taken=top,
            phase="play",
            events=table.told("took", top),
        )


@dataclass(frozen=True, slots=True)
class Meld(Action):
    """Place a set or run from hand. The order in which the cards are named means nothing."""

    cards: tuple[Card, ...]
    name: ClassVar[str] = "meld"
    can_wait: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", by_id(self.cards))

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        for some in melds.natural_melds(table.hand, game.shape):
            yield cls(some)

    def check(self, game: "Game[Any]", table: Table) -> None:
        require_distinct(self.cards)
        require_held(self.cards, table, game)
        if melds.shape_of(self.cards, game.shape) is None:
            raise Illegal("invalid_meld", *self.cards)
        game.may_meld(table)

    def place(self, game: "Game[Any]", table: Table) -> Table:
        laid = melds.new_meld(self.cards, table.turn, game.shape)
        assert laid is not None, "checked before"
        return replace(
            game.noted_meld(table),
            hands=table.without(*self.cards),
            melds=(*table.melds, laid),
            events=table.told("melded", *laid.cards, meld=len(table.melds)),
        )


@dataclass(frozen=True, slots=True)
class LayOff(Action):
    """Add one card to a meld on the table, named by its index in the order in which the melds were placed."""

    card: Card
    meld: int
    name: ClassVar[str] = "lay_off"
    can_wait: ClassVar[bool] = True

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        for index, meld in enumerate(table.melds):
            fitting = melds.fits(meld.kind, meld.cards, game.shape)
            for card in table.hand:
                if card.face in fitting:
                    yield cls(card, index)

    def check(self, game: "Game[Any]", table: Table) -> None:
        if not 0 <= self.meld < len(table.melds):
            raise Malformed("no such meld")
        require_held((self.card,), table, game)
        meld = table.melds[self.meld]
        if self.card.face not in melds.fits(meld.kind, meld.cards, game.shape):
            raise Illegal("invalid_layoff", self.card, meld=self.meld)
        game.may_lay_off(table)

    def place(self, game: "Game[Any]", table: Table) -> Table:
        meld = melds.grown(table.melds[self.meld], self.card, table.turn, game.shape)
        assert meld is not None, "checked before"
        return replace(
            game.noted_lay_off(table),
            hands=table.without(self.card),
            melds=table.melds[: self.meld] + (meld,) + table.melds[self.meld + 1 :],
            events=table.told("laid_off", self.card, meld=self.meld),
        )


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """Put one card on the discard pile; this ends the turn."""

    card: Card
    name: ClassVar[str] = "discard"
    ends_turn: ClassVar[bool] = True

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        for card in table.hand:
            yield cls(card)

    def check(self, game: "Game[Any]", table: Table) -> None:
        require_held((self.card,), table, game)
        game.may_discard(table, self.card)

    def place(self, game: "Game[Any]", table: Table) -> Table:
        return replace(
            table,
            hands=table.without(self.card),
            discards=(*table.discards, self.card),
            events=table.told("discarded", self.card),
        )


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Let a right go by: an upcard, a last discard, a turn."""

    name: ClassVar[str] = "pass"
    ends_turn: ClassVar[bool] = True
    passive: ClassVar[bool] = True

    @classmethod
    def choices(cls, game: "Game[Any]", table: Table) -> Iterator[Self]:
        yield cls()

    def place(self, game: "Game[Any]", table: Table) -> Table:
        return replace(table, events=table.told("passed"))


def require_distinct(cards: Sequence[Card]) -> None:
    """Raise Malformed if a card is named twice."""
    if len(set(cards)) < len(cards):
        raise Malformed("a card is named twice")


def require_held(cards: Sequence[Card], table: Table, game: "Game[Any]") -> None:
    """Raise Illegal unless the seat to move holds all the cards, Malformed for a card that the game has not."""
    missing = [card for card in cards if card not in table.hand]
    if any(card not in game.pack() for card in missing):
        raise Malformed("this game has no such card")
    if missing:
        raise Illegal("card_not_in_hand", *missing)
