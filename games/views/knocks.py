"""What a knock could look like: for each card that may be thrown what is left, and how the melds could lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.rules.cards import Card
from games.rules.deadwood import arrangements
from games.rules.knocking import Knock
from games.tables import Board


@dataclass(frozen=True, slots=True)
class Way:
    """One way to lay the melds out; ``value`` goes back with the form."""

    value: str
    melds: tuple[tuple[Card, ...], ...]
    left: int


@dataclass(frozen=True, slots=True)
class Throw:
    """A card with which one may knock. ``ways``: only where there is a choice, the best first."""

    card: Card
    left: int
    best: bool
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Gauge:
    """The least deadwood of my hand, the limit, and how near a knock is in percent."""

    deadwood: int
    limit: int
    percent: int

    @property
    def enough(self) -> bool:
        return self.deadwood <= self.limit


@dataclass(frozen=True)
class Knocks:
    """What a page shows of knocking; all of it is empty where the game knows no knock. ``hand``: as it lies."""

    board: Board
    mine: bool
    hand: Sequence[Card]

    @property
    def facts(self) -> dict[str, Any]:
        """The public counters of the game."""
        return dict(self.board.view.facts) if self.board.view else {}

    @property
    def own(self) -> dict[str, Any]:
        """What the game works out of my hand."""
        return dict(self.board.view.own) if self.board.view and self.hand else {}

    @property
    def names(self) -> frozenset[str]:
        """The acts that are legal for me now."""
        legal = self.board.view.legal if self.board.view and self.mine else ()
        return frozenset(action.name for action in legal)

    @property
    def act(self) -> str:
        """The act that knocks now; empty if none does."""
        return next(iter(self.names & {"knock", "knock_last"}), "")

    @property
    def big_gin(self) -> str:
        """The act that lays eleven cards open; empty if I may not."""
        return next(iter(self.names & {"big_gin", "big_gin_last"}), "")

    @property
    def gauge(self) -> Gauge | None:
        """How near a knock is."""
        view, limit = self.board.view, self.facts.get("limit")
        if view is None or limit is None or not self.hand:
            return None
        least = min((left for _card, left in self.own.get("leaves", ())), default=view.points)
        return Gauge(least, limit, 100 if least <= limit else limit * 100 // least)

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The cards with which I may knock now, the one that leaves least first."""
        view = self.board.view
        if view is None or not self.act:
            return ()
        leaves = dict(self.own.get("leaves", ()))
        cards = [action.card for action in view.legal if isinstance(action, Knock)]
        cards.sort(key=lambda card: (leaves[card], -self.board.game.points(card), card.key))
        return tuple(_throw(self.board, card, leaves[card], best=index == 0) for index, card in enumerate(cards))

    @property
    def cards(self) -> list[tuple[Card, str]]:
        """My hand, and of each card how it lies beside the others of its meld: ``in``, for the last ``in end``."""
        meld_of = {card: index for index, meld in enumerate(self.own.get("melds", ())) for card in meld}
        following: list[Card | None] = [*self.hand[1:], None]
        marks = []
        for card, after in zip(self.hand, following, strict=False):
            goes_on = after is not None and meld_of.get(after) == meld_of.get(card)
            marks.append((card, ("in" if goes_on else "in end") if card in meld_of else ""))
        return marks

    @property
    def arranges(self) -> bool:
        """Whether melds stay in the hand and are marked there."""
        return "melds" in self.own


def _throw(board: Board, card: Card, left: int, *, best: bool) -> Throw:
    assert board.view is not None
    facts = dict(board.view.facts)
    last = board.view.top if board.view.phase == "last_discard" else None
    held = (*board.view.hand, last) if last else board.view.hand
    ten = [one for one in held if one != card]
    ways = arrangements(ten, facts["limit"]) if left else ()
    return Throw(card, left, best, tuple(_way(board, ten, way) for way in ways) if len(ways) > 1 else ())


def _way(board: Board, ten: list[Card], melds: tuple[tuple[Card, ...], ...]) -> Way:
    laid = {card for meld in melds for card in meld}
    left = sum(board.game.points(card) for card in ten if card not in laid)
    return Way("|".join(" ".join(map(str, meld)) for meld in melds), melds, left)
