"""Standing orders as their drivers give and take them back. Private to the seat; the version of the match stays.

Both lock the match, so that an order never meets a move half-way. Who carries an order out stands in obeying.py.
"""

from typing import Any

from django.utils import timezone

from . import order_rows, tape
from .models import Match, Seat, StandingOrder
from .pen import Stale
from .rules import codec
from .rules.errors import Malformed
from .rules.orders import Order, fits
from .rules.view import see
from .writing import locked, writing


def give(match_id: int, user: Any, order: Order, seen: int) -> None:
    """Leave an order for the coming turns of the seat that ``user`` drives, in place of the one before.

    ``seen`` is the version that he had before his eyes. Raises Seat.DoesNotExist, Stale, or Malformed for an order that
    this table has no use for.
    """
    with writing():
        match = locked(match_id)
        seat = Seat.objects.get(match=match, driven_by=user)
        if match.status != Match.Status.RUNNING:
            raise Stale("over")
        if match.version != seen:
            raise Stale("stale")
        read = tape.read(match, tape.current_deal(match))
        view = see(read.game, read.table, read.sheet, seat.index)
        if not order_rows.offered(match) or not fits(order, view, read.game):
            raise Malformed("no such order can be left now")
        StandingOrder.objects.update_or_create(
            seat=seat,
            defaults={
                "deal": match.deal_number,
                "since": len(read.table.events),
                "asides": len(order_rows.interruptions(read)),
                "order": codec.encode_order(order),
                "why": "",
                "who": None,
                "until": 0,
                "given_at": timezone.now(),
            },
        )


def take_back(match_id: int, seat: Seat) -> None:
    """Drop what waits; nothing if nothing does, or if it has just been carried out."""
    with writing():
        locked(match_id)
        StandingOrder.objects.filter(seat=seat, why="").update(why="removed")
