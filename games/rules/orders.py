"""Standing orders: what a seat wants done in its coming turns while its driver is away. Pure.

An Order and a TableView in, one action out, or a Halt that says why the turn waits for its driver. Where an order is
kept and who carries it out stands outside the rules.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from .actions import Action, Discard, DrawStock, LayOff, Meld, Pass, TakeDiscard
from .cards import Card
from .errors import Malformed
from .knocking import BigGin, Knock, TakeUpcard
from .melds import Melded, grown, least_deadwood, natural_melds
from .table import Event
from .view import TableView

if TYPE_CHECKING:
    from .game import Game

WAIT, NAMED, NAMED_OR_WAIT, DRAWN_OR_NAMED, DRAWN_OR_WAIT = ENDS = (
    *("wait", "named", "named_or_wait"),
    *("drawn_or_named", "drawn_or_wait"),
)
"""How a turn ends: it waits for a discard; a named card goes, whatever was drawn; a named card goes, but the turn waits
if the new card makes a meld; the card drawn goes, but if it makes a meld a named one, or the turn waits.
"""
NAMING = frozenset({NAMED, NAMED_OR_WAIT, DRAWN_OR_NAMED})
"""The ends that need named cards."""
MOST_TURNS = 3
"""For so many turns an order may last."""

EXPECTED = frozenset({"drew", "discarded", "passed"})
"""What others may do before the turn of an order comes. All else is a surprise, and no order outlives one."""

MOST_LAY_OFFS = 6
"""Of so many cards that fit on the table all ways to leave some in the hand are tried."""


@dataclass(frozen=True, slots=True)
class Order:
    """``passes`` the upcard when it is offered. Takes the top discard if it makes a set or a run with two or more of
    ``take_with``, else draws from the stock. Lays off what fits (``lay_off``). ``end`` is one of ENDS, ``cards`` those
    that may be thrown, the first one first. It plays so many ``turns``.
    """

    passes: bool = False
    take_with: tuple[Card, ...] = ()
    lay_off: bool = False
    end: str = WAIT
    cards: tuple[Card, ...] = ()
    turns: int = 1

    def __post_init__(self) -> None:
        if self.end not in ENDS or (self.cards and self.end not in NAMING):
            raise Malformed("an order names cards only where it throws them")
        if not 1 <= self.turns <= (1 if self.end == WAIT else MOST_TURNS):
            raise Malformed("an order lasts for one to three turns, and for one if it waits")
        named = (*self.cards, *self.take_with)
        if len(set(named)) < len(named):
            raise Malformed("an order keeps a card or throws it")

    def after(self, thrown: Card) -> "Order | None":
        """What is left of it when it has played a turn and thrown a card."""
        if self.turns == 1:
            return None
        return replace(self, turns=self.turns - 1, cards=tuple(c for c in self.cards if c != thrown))


@dataclass(frozen=True, slots=True)
class Halt:
    """The order ends here and the turn waits. ``why``: ``asked`` (it says so), ``knock`` or ``out`` (it could end the
    deal), ``meld`` (the new card makes one), ``no_card`` (all that it names are gone), ``upcard`` (it is offered),
    ``refused`` (by the rules).
    """

    why: str


def surprise(events: Sequence[Event], seat: int, since: int) -> Event | None:
    """The first event after the first ``since`` ones that ends an order of ``seat``. What it did itself is none."""
    return next((e for e in events[since:] if e.seat != seat and e.kind not in EXPECTED), None)


def taken(order: Order, game: "Game[Any]", hand: Collection[Card]) -> tuple[Card, ...]:
    """The cards that the order would take from the discards, in the order of the pack."""
    return tuple(c for c in game.pack() if c not in hand and makes_meld(c, order.take_with, game))


def makes_meld(new: Card, held: Collection[Card], game: "Game[Any]") -> bool:
    """Whether a card is in a set or a run with others."""
    return any(new in meld for meld in natural_melds([*(c for c in held if c != new), new], game.shape))


def follow(view: TableView, game: "Game[Any]", order: Order) -> Action | Halt:
    """The next thing that an order does in the turn of its seat."""
    if any(isinstance(action, Discard) for action in view.legal):
        return _play(view, game, order)
    return _draw(view, game, order)


def _draw(view: TableView, game: "Game[Any]", order: Order) -> Action | Halt:
    take = next((a for a in view.legal if isinstance(a, TakeDiscard)), None)
    stock = next((a for a in view.legal if isinstance(a, DrawStock)), None)
    leave = next((a for a in view.legal if isinstance(a, Pass)), None)
    if take and leave and order.passes:
        return leave
    if take and view.top and makes_meld(view.top, order.take_with, game):
        return take
    return stock or Halt("upcard" if take else "refused")


def _play(view: TableView, game: "Game[Any]", order: Order) -> Action | Halt:
    if any(isinstance(action, Knock | BigGin) for action in view.legal):
        return Halt("knock")
    if _could_go_out(view, game):
        return Halt("out")
    addition = _addition(view, game, order) if order.lay_off else None
    return addition or _end(view, game, order)


def _addition(view: TableView, game: "Game[Any]", order: Order) -> Action | None:
    """The dearest card that fits on the table and is in no meld of the hand; the cards named to be thrown stay."""
    fitting = [a for a in view.legal if isinstance(a, LayOff) and a.card not in order.cards]
    free = [a for a in fitting if not makes_meld(a.card, view.hand, game)]
    return max(free, key=lambda a: (game.points(a.card), a.card.key, -a.meld), default=None)


def _end(view: TableView, game: "Game[Any]", order: Order) -> Action | Halt:
    if order.end == WAIT:
        return Halt("asked")
    named = order.cards[0] if order.cards else None
    new = view.drawn if view.drawn in view.hand else None
    kept = new is None or makes_meld(new, view.hand, game)
    if kept and order.end in (NAMED_OR_WAIT, DRAWN_OR_WAIT):
        return Halt("asked" if view.drawn and not new else "meld")  # it waits for a meld, or after a lay-off
    if not kept and order.end in (DRAWN_OR_NAMED, DRAWN_OR_WAIT):
        return _throw(view, new)
    if named is None:
        return Halt("no_card")
    torn = new is not None and not makes_meld(new, [c for c in view.hand if c != named], game)
    return Halt("meld") if torn and order.end == DRAWN_OR_NAMED else _throw(view, named)


def _throw(view: TableView, card: Card | None) -> Action | Halt:
    throw = next((a for a in view.legal if isinstance(a, Discard) and a.card == card), None)
    return throw or Halt("refused")


def _could_go_out(view: TableView, game: "Game[Any]") -> bool:
    """Whether melds, lay-offs and a discard could empty the hand in this turn, as far as shapes say."""
    if Meld not in game.grammar[view.phase]:
        return False
    return any(_left(rest, game) <= 1 for rest in _laid_off(view, game))


def _left(hand: Sequence[Card], game: "Game[Any]") -> int:
    """How many cards the best choice of melds leaves in a hand."""
    return least_deadwood(hand, game.shape, lambda _card: 1)[0]


def _laid_off(view: TableView, game: "Game[Any]") -> Iterator[tuple[Card, ...]]:
    """What could stay in the hand after lay-offs on the melds that lie on the table."""
    fitting = [c for c in view.hand if c not in _unfit(view.hand, view.melds, game)][:MOST_LAY_OFFS]
    for size in range(len(fitting) + 1):
        for some in combinations(fitting, size):
            if not _unfit(some, view.melds, game):
                yield tuple(c for c in view.hand if c not in some)


def _unfit(cards: Sequence[Card], melds: Sequence[Melded], game: "Game[Any]") -> list[Card]:
    """The cards that no meld takes, each as it has grown by the others."""
    rest, table = list(cards), list(melds)
    again = True
    while again:
        again = False
        for card in tuple(rest):
            for index, meld in enumerate(table):
                bigger = grown(meld, card, 0, game.shape)
                if bigger is not None:
                    table[index], again = bigger, True
                    rest.remove(card)
                    break
    return rest


def may_pass(view: TableView, game: "Game[Any]") -> bool:
    """Whether an upcard may still be offered to this seat, which waits."""
    asked = any(e.kind == "passed" and e.seat == view.seat for e in view.events)
    return TakeUpcard in game.grammar.get(view.phase, ()) and not view.my_turn and not asked


def fits(order: Order, view: TableView, game: "Game[Any]") -> bool:
    """Whether this seat, seeing this, may leave the order: another is to move, and its parts have a meaning."""
    named = {*order.cards, *order.take_with}
    return (
        view.seat is not None
        and view.outcome is None
        and not view.my_turn
        and named <= set(view.hand)
        and (not order.passes or may_pass(view, game))
        and (not order.take_with or bool(taken(order, game, view.hand)))
        and (not order.lay_off or game.may_add(view))
        and (order.end not in (NAMED, NAMED_OR_WAIT) or bool(order.cards))
    )
