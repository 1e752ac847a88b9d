"""Whether a standing order still waits, seen from its row and the tape. Nothing is written here."""

from collections.abc import Sequence

from . import clock
from .models import Match, Seat, StandingOrder
from .rules import orders
from .tape import Aside, Tape

CALM = frozenset({"clock", "forced", "order"})
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
        return "seats", others[0].seat
    event = orders.surprise(read.table.events, seat.index, row.since)
    return (event.kind, event.seat if event.seat >= 0 else None) if event else None


def offered(match: Match) -> bool:
    """Whether orders are taken at all: only by correspondence."""
    return clock.pace_of(match).kind == "correspondence"
