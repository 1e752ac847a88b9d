"""What happened in a deal, line by line, for one reader; the words are in telling.py.

Knows whose doing a line is: what a bot or a substitute plays at a seat is not its user's, and not the other way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import order_rows
from .models import Seat
from .rules.table import Event
from .rules.view import TableView
from .tape import Tape

LOST = ("resigned", "given_up", "replaced")
BACK = ("taken_back", "put_back")
CHANGES = (*LOST, *BACK, "taken_over", "left")
"""Acts on the tape after which another drives the seat."""
NOT_BY_ME = ("clock", "forced", "given_up", "replaced", "live_ended", "taken_over", "left", *BACK)
"""What happens to a seat without its driver, and what its driver may not know."""


@dataclass(frozen=True, slots=True)
class Told:
    """One line of what happened: an event of the rules (``event``) or an act of the site (``what``).

    ``mine``: the reader himself did it, or it was done to him; what others played at his seat is not his.
    ``new``: since my last visit. ``draft``: of my unfinished turn, seen by nobody else. ``number``: its place in the
    deal, whatever of it the reader still sees. ``to``: the seat that an act of the site was done to. ``deal`` and
    ``numbers``: what a moderator's act names (tape.Aside).
    """

    what: str
    seat: int
    event: Event | None = None
    new: bool = False
    draft: bool = False
    number: int = 0
    mine: bool = False
    to: int | None = None
    deal: int = 0
    numbers: tuple[int, ...] = ()


def lines(read: Tape, view: TableView, mine: Seat | None, *, drives: bool) -> tuple[Told, ...]:
    """What happened in this deal, oldest first, each line marked if it is new to me, my own, or of my draft.

    That an order played is told to the driver of its seat alone.
    """
    known = mine.recap_events if mine is not None and mine.recap_deal == read.sheet.deal else 0
    committed, hidden = len(read.table.events), hidden_of(read, view)
    told: list[tuple[int, Told]] = []
    for i, event in enumerate(view.events):
        told.append((i + hidden, Told(event.kind, event.seat, event, draft=i + hidden >= committed)))
    for aside in read.asides:
        if order_rows.may_know(aside, mine if drives else None):
            line = Told(aside.what, aside.seat, to=aside.to, deal=aside.deal, numbers=aside.numbers)
            told.append((aside.events - 1, line))
    told.sort(key=lambda line: line[0])
    own = _own([line for _at, line in told], mine, drives) if mine is not None else [False] * len(told)
    return tuple(
        replace(line, number=hidden + i, mine=my, new=mine is not None and _is_new(line, at, known, my))
        for i, ((at, line), my) in enumerate(zip(told, own, strict=True))
    )


def _is_new(line: Told, at: int, known: int, mine: bool) -> bool:
    if line.event is not None:
        return at >= known and not mine
    return at + 1 > known and not (mine and line.what not in NOT_BY_ME)


def _own(told: Sequence[Told], mine: Seat, drives: bool) -> list[bool]:
    """For each line whether it is the reader's doing, or what happened to himself."""
    changes = [i for i, line in enumerate(told) if line.seat == mine.index and line.what in CHANGES]
    if drives and mine.driven_by_id != mine.user_id:  # a substitute: all is his since he sat down
        since = max((i for i in changes if told[i].what == "taken_over"), default=-1)
        return [line.seat == mine.index and i >= since for i, line in enumerate(told)]
    drove = told[changes[0]].what in LOST if changes else drives
    own = []
    for line in told:
        here = line.seat == mine.index
        if here and line.what in BACK:
            drove = True
        own.append(here and drove)
        if here and line.what in LOST:
            drove = False
    return own


def hidden_of(read: Tape, view: TableView) -> int:
    """How many events the option ``memory`` has left out (all before the shown ones)."""
    return max(len(read.table.events) - len(view.events), 0)
