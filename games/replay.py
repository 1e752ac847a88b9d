"""What happened since a reader's last visit, move by move: the table after each, as he was allowed to see it then.

The deals concerned are folded once from their tapes, and each step is a view of a prefix: the own hand as it was, the
backs of the others. What the option ``memory`` has let go of in a running deal is no step. Nothing here counts a visit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from . import drafts, tape
from .lines import lines
from .models import Deal, Match, Move, Seat
from .order_rows import may_know
from .rules.view import previous_turn, see
from .tables import Board, Told, lost_here, news_from, place_of, seats_seen
from .tape import Tape

MOST_STEPS = 60
MOST_DEALS = 3
"""No visit is so long ago that a replay goes back further."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Steps since the last visit, and one of them (``at``, from 1) drawn.

    ``lines``: what that move told. ``left_out``: earlier moves are not shown, since there were too many or since the
    match forgets them. ``again``: nothing is new, so it goes back to the reader's turn before. ``ended``: the deal of
    this step is over now; ``last`` whether it is the last step of its deal.
    """

    steps: int
    at: int
    left_out: bool
    again: bool
    deal: int = 0
    ended: bool = False
    last: bool = False
    lines: tuple[Told, ...] = ()
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    deal: Deal
    before: Tape
    after: Tape

    def seats(self) -> set[int]:
        """Who did something in this step."""
        new = self.after.table.events[len(self.before.table.events) :]
        return {event.seat for event in new} | {aside.seat for aside in self.after.asides[len(self.before.asides) :]}


def replay(match: Match, user: Any, at: int | None = None) -> Replay:
    """The moves since the last visit of ``user``, who has a seat; the step ``at`` drawn, the first without it.

    Raises Seat.DoesNotExist for who has none.
    """
    rows = match.seated()
    mine = place_of(rows, user)
    if mine is None:
        raise Seat.DoesNotExist
    steps, left_out, again = _steps(match, rows, mine)
    if not steps:
        return Replay(0, 0, left_out, again)
    at = min(max(at or 1, 1), len(steps))
    step = steps[at - 1]
    board, told = _drawn(match, rows, mine, step, drives=mine.driven_by_id == user.pk)
    last = at == len(steps) or steps[at].deal.pk != step.deal.pk
    return Replay(len(steps), at, left_out, again, step.deal.number, step.deal.ended_at is not None, last, told, board)


def _steps(match: Match, rows: list[Seat], mine: Seat) -> tuple[list[_Step], bool, bool]:
    """(steps, whether earlier ones are left out, whether they begin with a turn that was seen already)."""
    first = max(1, match.deal_number - MOST_DEALS + 1)
    deals = match.deals.defer("record").filter(number__gte=first).order_by("number")
    folded = list(_fold(match, list(deals), tuple(row.cut for row in rows)))
    if not folded:
        return [], False, False
    now = folded[-1].after
    since = news_from(mine, folded[-1].deal.number, len(now.table.events))
    new = [step for step in folded if _place(step) > since]
    again = not any(step.seats() - {mine.index} for step in new)
    if again:
        turn = previous_turn(now.table.events, now.table.turn, mine.index)
        new = [step for step in folded if _place(step) > (folded[-1].deal.number, turn)]
    kept = [step for step in new if not _forgotten(match, mine, step, now)]
    return kept[-MOST_STEPS:], len(kept) < len(new) or len(kept) > MOST_STEPS or since[0] < first, again


def _place(step: _Step) -> tuple[int, int]:
    return step.deal.number, len(step.after.table.events)


def _fold(match: Match, deals: list[Deal], cuts: tuple[str, ...]) -> Iterator[_Step]:
    """Each move of these deals that told something, with the tape before and after it."""
    moves = dict[int | None, list[Move]]()
    for move in Move.objects.filter(deal__in=deals, number__lte=match.moves).order_by("number"):
        moves.setdefault(move.deal_id, []).append(move)
    for deal in deals:
        now = tape.begin(match, deal, cuts)
        for move in moves.get(deal.pk, ()):
            before, now = now, tape.follow(deal, now, move)
            if _told(now, None) > _told(before, None):
                yield _Step(deal, before, now)


def _told(one: Tape, mine: Seat | None) -> int:
    """How many lines this seat is told."""
    return len(one.table.events) + sum(may_know(aside, mine) for aside in one.asides)


def _forgotten(match: Match, mine: Seat, step: _Step, now: Tape) -> bool:
    """Whether ``memory`` has let go of this step: it lies before my previous turn in a deal that goes on."""
    if match.memory == "all" or step.deal.ended_at is not None:
        return False
    return len(step.before.table.events) < previous_turn(now.table.events, now.table.turn, mine.index)


def _drawn(match: Match, rows: list[Seat], mine: Seat, step: _Step, *, drives: bool) -> tuple[Board, tuple[Told, ...]]:
    """The table after a step as its reader was allowed to see it, and the lines that the step told."""
    read, game = step.after, step.after.game
    may = drives or step.deal.ended_at is not None or lost_here(read, mine)
    view = see(game, read.table, read.sheet, mine.index if may else None, match.memory)
    seats = tuple(
        replace(seat, total=read.sheet.totals[seat.side], moving=seat.index == view.actor)
        for seat in seats_seen(match, rows, mine.index, game, view)
    )
    melds = dict(view.own).get("melds", ())
    board = Board(
        match=match,
        game=game,
        options=game.options,
        me=mine.index,
        seats=seats,
        view=view,
        hand=drafts.arranged(view.hand, None, mine.user.hand_sort if mine.user else "suit", view.drawn, melds),
        settled=len(view.melds),
        drives=drives,
        log=lines(read, view, mine, drives=drives),
    )
    return board, board.log[len(board.log) - (_told(read, mine) - _told(step.before, mine)) :]
