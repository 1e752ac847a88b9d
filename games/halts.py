"""A match stands still, goes on, is played live for a while, and goes back: what each does to a match being written to.

Who may ask for it stands in agreements.py. The time of the turn is kept meanwhile and comes back as it was, never more.
"""

from datetime import timedelta

from . import clock, presence
from .models import Match, Move, Seat
from .notices import tell
from .pen import Pen

LONGEST_PAUSE = timedelta(days=30)
"""After so long a pause ends by itself."""
DROPPED = timedelta(seconds=60)
"""For so long, once a deal, live play waits for a seat that is no longer at the table."""


def turn_key(pen: Pen) -> str:
    """The turn in progress, as no other is called in this match."""
    table = pen.tape.table
    return f"{pen.deal.number}.{table.turns}.{table.actor}"


def pause(pen: Pen, seat: int) -> None:
    """All have agreed to what this seat proposed: nobody moves, and no time passes."""
    pen.note(seat, {"type": "paused"}, Move.By.USER)
    clock.freeze(pen.match, pen.seats, turn_key(pen), pen.now)
    pen.match.proposal = None
    pen.match.paused_at, pen.match.wake_at = pen.now, pen.now + LONGEST_PAUSE


def go_on(pen: Pen, seat: int | None) -> None:
    """A seat asks to go on; nobody does when the pause has lasted as long as it may."""
    end_pause(pen, seat)
    _runs_again(pen, f"on.{pen.match.moves}")


def end_pause(pen: Pen, seat: int | None) -> None:
    """The match is paused no more, and nobody is told: also where the deal ends in the same breath."""
    if seat is None:
        pen.note(None, {"type": "pause_ended"}, Move.By.SITE)
    else:
        pen.note(seat, {"type": "went_on"}, Move.By.USER)
    pen.match.paused_at = None
    clock.thaw(pen.match, pen.seats, turn_key(pen), pen.now)


def go_live(pen: Pen, seat: int) -> None:
    """All are at the table and have agreed to what this seat proposed. Bank and time for the turn are kept."""
    pen.note(seat, {"type": "went_live"}, Move.By.USER)
    clock.freeze(pen.match, pen.seats, turn_key(pen), pen.now)
    pen.match.proposal = None
    pen.match.live_at = pen.now


def go_back(pen: Pen, seat: Seat, what: str, by: str) -> None:
    """The match goes on by correspondence, all cards where they are."""
    pen.note(seat.index, {"type": what}, by)
    pen.match.live_at = pen.match.proposal = None
    clock.thaw(pen.match, pen.seats, turn_key(pen), pen.now)
    _runs_again(pen, "back")


def _runs_again(pen: Pen, what: str) -> None:
    """Who is to move is told, though he was told of this turn before: his time runs, and perhaps he does not know."""
    mover = pen.match.turn
    if mover is not None and pen.seats[mover].driver == Seat.Driver.USER and mover not in pen.acted:
        about, key = {"deal": pen.deal.number}, f"{turn_key(pen)}.{what}"
        tell("your_turn", [pen.seats[mover].driven_by_id], pen.match, about, key=key)


def overdue(pen: Pen) -> bool:
    """The deadline has passed. Whether the clock has played: it never does where a match only went live."""
    if pen.match.live_at is None:
        pen.idle()
        return True
    seat, due = pen.seats[pen.tape.table.actor], pen.match.due_at
    assert due is not None
    if seat.graced_deal < pen.deal.number and not _here(pen.match, seat):
        seat.graced_deal = pen.deal.number
        seat.save(update_fields=["graced_deal"])
        clock.ring_at(pen.match, due + DROPPED)
    else:
        go_back(pen, seat, "live_ended", Move.By.CLOCK)
    return False


def _here(match: Match, seat: Seat) -> bool:
    return seat.driven_by_id is not None and bool(presence.here(match.pk, [seat.driven_by_id]))
