"""A deal told entry by entry with times, for who looks after a match and holds no hand of it.

Every line is what a watcher may know, also of a deal that is over: no card that went unseen at the table. Who made an
entry (a person, a bot, the clock) is told when the deal is over, and a standing order is told as its person.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from . import retold, tables, tape
from .lines import lines
from .models import Deal, Match, Move, Seat
from .order_rows import may_know
from .retold import Source
from .rules.view import see
from .tables import Board, Told
from .tape import Tape
from .telling import told

ALL = "all"
"""The memory of the site: what the table forgets by its terms was seen by all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the tape. ``by``: who made it, in a word; empty while the deal runs. ``lines`` are sentences."""

    number: int
    at: datetime
    by: str
    lines: tuple[SafeString, ...]


def chronicle(match: Match, number: int, rows: list[Seat]) -> list[Entry]:
    """The entries of a deal that tell something, oldest first; ``rows``: the seats. Raises Deal.DoesNotExist."""
    deal = Deal.objects.get(match=match, number=number)
    over = deal.ended_at is not None
    made = {move.number: move for move in Move.objects.filter(deal=deal).order_by("number")}
    source = _ended(match, deal, rows) if over else _running(match, deal, rows, list(made.values()))
    return [
        Entry(n, made[n].at, _by(made[n]) if over else "", tuple(told(line, board) for line in some))
        for n, board, some in source
        if some and n in made
    ]


def _by(move: Move) -> str:
    if move.by == Move.By.ORDER:  # told to nobody but its driver
        return str(Move.By.USER.label)
    return move.get_by_display()


def _ended(match: Match, deal: Deal, rows: list[Seat]) -> Iterator[tuple[int, Board, tuple[Told, ...]]]:
    """From its Record, never by today's rules."""
    seats = tables.seats_seen(match, rows, None, match.game(), None)
    for one in retold.retell_all(Source(match, seats, deal.record or {})):
        yield one.moment.number, one.board, tuple(map(_unseen, one.moment.lines))


def _unseen(line: Told) -> Told:
    """A line without the card that only its seat saw."""
    return line if line.event is None else replace(line, event=replace(line.event, own=None))


def _running(
    match: Match, deal: Deal, rows: list[Seat], moves: list[Move]
) -> Iterator[tuple[int, Board, tuple[Told, ...]]]:
    """Folded from the tape; each entry is a view of a watcher."""
    now = tape.begin(match, deal, tuple(row.cut for row in rows))
    seats = tables.seats_seen(match, rows, None, now.game, None)
    for move in moves:
        before, now = now, tape.follow(deal, now, move)
        view = see(now.game, now.table, now.sheet, None, ALL)
        board = Board(match, now.game, now.game.options, None, seats, view)
        known = 0 if move.action["type"] == "deal" else _count(before)
        yield move.number, board, lines(now, view, None, drives=False)[known:]


def _count(one: Tape) -> int:
    """How many lines a watcher is told."""
    return len(one.table.events) + sum(may_know(aside, None) for aside in one.asides)


def deals(match: Match) -> list[Any]:
    """The numbers dealt, newest first, each with its times."""
    return list(match.deals.order_by("-number").values("number", "started_at", "ended_at"))
