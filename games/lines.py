"""What happened in a deal, line by line, for one reader; the words are in telling.py.

Knows whose doing a line is: what a bot or a substitute plays at a seat is not its user's, and not the other way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from . import order_rows
from .models import Seat
from .rules.table import Event
from .rules.view import TableView
from .tape import Aside, Tape

LOST = ("resigned", "given_up", "replaced")
BACK = ("taken_back", "put_back")
CHANGES = (*LOST, *BACK, "taken_over", "left")
"""Acts on the tape after which another drives the seat."""
NOT_BY_ME = ("clock", "forced", "given_up", "replaced", "live_ended", "taken_over", "left", *BACK)
"""What happens to a seat without its driver, and what its driver may not know."""

Happened = tuple[int, str, int, Event | Aside]
"""(how many events came before, what, seat, the event of the rules or the act of the site)"""


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
    happened: list[Happened] = [(i, e.kind, e.seat, e) for i, e in enumerate(view.events, hidden)]
    if seen := [a for a in read.asides if order_rows.may_know(a, mine if drives else None)]:
        happened += [(aside.events - 1, aside.what, aside.seat, aside) for aside in seen]
        happened.sort(key=itemgetter(0))
    own = _own(happened, mine, drives) if mine is not None else [False] * len(happened)
    told = []
    for number, ((at, what, seat, one), my) in enumerate(zip(happened, own, strict=True), hidden):
        if isinstance(one, Event):
            new = mine is not None and at >= known and not my
            told.append(Told(what, seat, one, new, at >= committed, number, my))
        else:
            new = mine is not None and at >= known and not (my and what not in NOT_BY_ME)
            told.append(Told(what, seat, None, new, False, number, my, one.to, one.deal, one.numbers))
    return tuple(told)


def _own(happened: Sequence[Happened], mine: Seat, drives: bool) -> list[bool]:
    """For each line whether it is the reader's doing, or what happened to himself."""
    me = mine.index
    changes = [(i, what) for i, (_at, what, seat, _one) in enumerate(happened) if seat == me and what in CHANGES]
    if drives and mine.driven_by_id != mine.user_id:  # a substitute: all is his since he sat down
        since = max((i for i, what in changes if what == "taken_over"), default=-1)
        return [seat == me and i >= since for i, (_at, _what, seat, _one) in enumerate(happened)]
    drove = changes[0][1] in LOST if changes else drives
    own = []
    for _at, what, seat, _one in happened:
        here = seat == me
        if here and what in BACK:
            drove = True
        own.append(here and drove)
        if here and what in LOST:
            drove = False
    return own


def hidden_of(read: Tape, view: TableView) -> int:
    """How many events the option ``memory`` has left out (all before the shown ones)."""
    return max(len(read.table.events) - len(view.events), 0)
