"""What was played for a user while he was not there: by the clock, by a bot, by a substitute.

Reads tapes and Records, but tells only what the board of this user shows: no card drawn after the deal in which he lost
the seat, and nothing that the option ``memory`` has left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from . import tape
from .lines import hidden_of
from .models import Deal, Move, Seat, Tenure
from .rules.codec import decode_event
from .rules.table import Event
from .tables import Board

DEALS_SHOWN = 3
"""Older deals stand in the score sheet."""


@dataclass(frozen=True, slots=True)
class Played:
    """One thing done at the user's seat. ``by``: clock, bot, site, or user for a substitute, who has a ``name``."""

    by: str
    event: Event
    name: str = ""


@dataclass(frozen=True, slots=True)
class DealPlayed:
    """A deal of which something was played for the user. ``points``: what it brought; None while it runs."""

    number: int
    played: tuple[Played, ...]
    points: int | None = None


def away(board: Board, user: Any) -> list[DealPlayed]:
    """What others have played for this user since his last own move, the newest deal first."""
    seat = Seat.objects.filter(match=board.match, user=user.pk).first()
    if seat is None:
        return []
    tenures = list(seat.tenures.select_related("user").order_by("from_move"))
    since = _last_own(seat, tenures, user)
    theirs = Move.objects.filter(match=board.match, seat=seat.index, number__gt=since)
    deals = Deal.objects.filter(pk__in=theirs.values("deal")).order_by("-number")[:DEALS_SHOWN]
    told = [_told(board, seat, tenures, deal, since) for deal in deals]
    return [deal for deal in told if deal.played]


def _last_own(seat: Seat, tenures: list[Tenure], user: Any) -> int:
    """The number of the last move that the user made himself; 0 if he has made none."""
    moves = Move.objects.filter(match=seat.match_id, seat=seat.index, by=Move.By.USER)
    own = [t for t in tenures if t.user_id == user.pk and t.driver == Seat.Driver.USER]
    numbers = moves.exclude(action__type__in=tape.SITE_ACTS).order_by("-number").values_list("number", flat=True)
    inside = (n for n in numbers.iterator() if any(t.from_move <= n <= (t.to_move or n) for t in own))
    return next(inside, 0)


def _told(board: Board, seat: Seat, tenures: list[Tenure], deal: Deal, since: int) -> DealPlayed:
    done = _of_record(deal, seat.index) if deal.ended_at is not None else _of_tape(board, deal, seat.index)
    played = [Played(by, event, _name(by, number, tenures)) for number, by, event in done if number > since]
    points = (deal.outcome or {}).get("points", ())
    return DealPlayed(deal.number, tuple(played), points[seat.index] if points else None)


def _name(by: str, number: int, tenures: list[Tenure]) -> str:
    """Who drove the seat when a person moved there."""
    at = [t for t in tenures if t.from_move <= number <= (t.to_move or number)]
    return str(at[-1].user.shown_name) if by == Move.By.USER and at and at[-1].user is not None else ""


def _of_record(deal: Deal, seat: int) -> Iterator[tuple[int, str, Event]]:
    """(number of the move, by whom, event) of a seat, from an ended deal: all of it is public."""
    for step in (deal.record or {}).get("steps", ()):
        for told in step.get("events", ()) if step["seat"] == seat else ():
            event = decode_event(told)
            if event.seat == seat:
                yield step["n"], step["by"], event


def _of_tape(board: Board, deal: Deal, seat: int) -> Iterator[tuple[int, str, Event]]:
    """The same of the deal in progress: events as the board's view shows them."""
    if board.view is None or deal.number != board.match.deal_number:
        return
    read = tape.read(board.match, deal)
    hidden = hidden_of(read, board.view)
    now = tape.begin(board.match, deal, tape.cuts_of(board.match))
    for move in Move.objects.filter(deal=deal, number__lte=board.match.moves).order_by("number"):
        before = len(now.table.events)
        now = tape.follow(deal, now, move)
        for at in range(max(before, hidden), len(now.table.events)):
            shown, true = board.view.events[at - hidden], now.table.events[at]
            if move.seat == seat == true.seat and shown == replace(true, own=shown.own):
                yield move.number, move.by, shown
