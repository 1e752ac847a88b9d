"""Whether a standing order still waits, seen from its row and the tape. Nothing is written here."""

from collections.abc import Sequence
from dataclasses import dataclass

from . import clock
from .models import Match, Seat, StandingOrder
from .rules import orders
from .rules.codec import decode_order
from .rules.orders import Halt, Order, follow
from .rules.view import TableView
from .tape import RULINGS, Aside, Tape

CALM = frozenset({"clock", "forced", "order", "nudged", "granted"}) | RULINGS
"""Asides that change neither who sits at the table nor how it is played."""


def order_of(seat: Seat) -> StandingOrder | None:
    """The seat's row, whether it waits or not. Costs no query where the seats were read with it."""
    return getattr(seat, "standing_order", None)


def waiting(seat: Seat, deal: int) -> StandingOrder | None:
    """The order that a person has left for this seat in this deal and that has not ended."""
    row = order_of(seat)
    return row if row and not row.why and row.deal == deal and seat.driver == Seat.Driver.USER else None


def interruptions(read: Tape) -> Sequence[Aside]:
    """What happened beside the cards and would surprise an order."""
    return [aside for aside in read.asides if aside.what not in CALM]


def broken(match: Match, seat: Seat, row: StandingOrder, read: Tape) -> tuple[str, int | None] | None:
    """(why, which seat) of the surprise that ended a waiting order; None while it lives."""
    if not offered(match):
        return "live", None
    others = interruptions(read)[row.asides :]
    if others:
        return "seats", _seat(others[0].seat)
    event = orders.surprise(read.table.events, seat.index, row.since)
    return (event.kind, _seat(event.seat)) if event else None


def _seat(number: int) -> int | None:
    """Who did it, if a seat and not the site or the dealer."""
    return number if number >= 0 else None


def offered(match: Match) -> bool:
    """Whether orders are taken at all: only by correspondence."""
    return clock.pace_of(match).kind == "correspondence"


@dataclass(frozen=True, slots=True)
class OrderSeen:
    """My standing order of this deal. ``why`` is empty while it waits, else how it ended; ``who`` surprised it."""

    order: Order
    why: str = ""
    who: int | None = None


def order_seen(match: Match, mine: Seat, read: Tape, view: TableView) -> OrderSeen | None:
    """The order that I have left in this deal, whether it still lives, and if not, why; one taken back is nothing."""
    row = order_of(mine)
    if row is None or row.deal != read.sheet.deal or row.why in ("removed", "own") or read.table.outcome:
        return None
    order = decode_order(row.order)
    if row.why:
        return OrderSeen(order, row.why, row.who)
    if surprise := broken(match, mine, row, read):
        return OrderSeen(order, *surprise)
    step = follow(view, read.game, order) if view.my_turn else None
    return OrderSeen(order, step.why if isinstance(step, Halt) else "")


def may_know(aside: Aside, mine: Seat | None) -> bool:
    """Whether the driver of a seat is told of this; what orders play is told to their owners only."""
    driven = mine is not None and mine.driver == Seat.Driver.USER
    return aside.what != "order" or (driven and mine is not None and aside.seat == mine.index)
