"""The Table: all cards of the deal in progress, whose turn it is and what has happened. Immutable.

Not here: what a seat may see of it (view.py), scores over deals (sheet.py), how it changes (actions.py, game.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from .cards import Card
from .melds import Melded

DEALER = -1
"""The actor of a phase in which the dealer, not a seat, has to act."""
VOIDED = "voided"
"""The kind of outcome of a deal that a moderator has declared void; ``void`` is what the rules themselves bring."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in the deal and that everybody at the table saw.

    ``cards`` are those that all saw; ``own`` is what only ``seat`` saw (the card drawn from the stock), and a view
    lists it for that seat alone. ``meld`` is the index of the meld concerned. ``turn`` counts the turns of the deal.
    """

    kind: str
    seat: int
    turn: int
    cards: tuple[Card, ...] = ()
    own: Card | None = None
    meld: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the arithmetic of a deal: ``what`` happened to ``seat`` for ``points``, told with ``cards``."""

    what: str
    seat: int | None
    points: int
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended. ``points`` per seat (0 where a seat scores nothing), bonuses and doubling included.

    ``kind`` is ``out``, ``blocked`` or VOIDED here; other games add theirs. ``scorer`` is a seat or None.
    ``marks`` are facts of the ending by name, for example ``concealed``.
    """

    kind: str
    scorer: int | None
    points: tuple[int, ...]
    lines: tuple[Line, ...] = ()
    marks: frozenset[str] = frozenset()

    @property
    def voided(self) -> bool:
        """Whether a moderator has declared the deal void: it is dealt again and counts for nothing."""
        return self.kind == VOIDED


@dataclass(frozen=True, slots=True)
class Table:
    """The cards of a deal. ``stock[0]`` is the top of the stock, ``discards[-1]`` the top of the pile.

    ``turn`` is the seat whose turn it is, ``drawn`` the card it drew from the stock in this turn (its own secret),
    ``taken`` the card it took from the discards. ``turns`` have ended so far; ``orders`` reshuffles were made.
    """

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    dealer: int
    turn: int
    phase: str = "draw"
    melds: tuple[Melded, ...] = ()
    drawn: Card | None = None
    taken: Card | None = None
    turns: int = 0
    orders: int = 0
    events: tuple[Event, ...] = ()
    outcome: Outcome | None = None

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def actor(self) -> int:
        """The seat that has to act, or DEALER."""
        return DEALER if self.phase in ("shuffle", "deal_over") else self.turn

    @property
    def hand(self) -> tuple[Card, ...]:
        """The hand of the seat whose turn it is."""
        return self.hands[self.turn]

    def without(self, *gone: Card) -> tuple[tuple[Card, ...], ...]:
        """All hands, the mover's without the cards named."""
        kept = tuple(c for c in self.hand if c not in gone)
        return self.hands[: self.turn] + (kept,) + self.hands[self.turn + 1 :]

    def having(self, *more: Card) -> tuple[tuple[Card, ...], ...]:
        """All hands, the mover's with the cards added at its end."""
        return self.hands[: self.turn] + (self.hand + more,) + self.hands[self.turn + 1 :]

    def zones(self) -> Mapping[str, tuple[Card, ...]]:
        """Every place where a card can be, by name; together they hold the whole pack, each card once."""
        held = {f"hand {seat}": hand for seat, hand in enumerate(self.hands)}
        return held | {
            "stock": self.stock,
            "discards": self.discards,
            "melds": tuple(c for meld in self.melds for c in meld.cards),
        }

    def told(self, kind: str, *cards: Card, own: Card | None = None, meld: int | None = None) -> tuple[Event, ...]:
        """The events so far and one more, done by the seat whose turn it is."""
        return (*self.events, Event(kind, self.turn, self.turns, cards, own, meld))
