"""Who drives a seat changes: the user leaves it, a bot or a substitute goes on, the user comes back.

Each change is an act on the tape and a Tenure. What a seat keeps for its driver alone (unfinished turn, order of the
hand, order left, what was read) begins anew. Needs a Pen, so that the match is locked. Why it may change is said in
pen.py and absence.py.
"""

from datetime import datetime
from typing import Any, Protocol

from django.db import transaction
from django.db.models import F

from . import nudge, substitutes
from .models import Draft, Match, Move, Seat, StandingOrder, Tenure
from .notices import tell

STAND_IN = "easy"
"""Level of the bot that drives a seat whose user has left it."""


class Pen(Protocol):
    """What is needed here of the pen (pen.py): a locked match, and a way to its tape."""

    match: Match
    now: datetime

    def note(self, seat: int | None, action: dict[str, Any], by: str) -> None: ...


def to_bot(pen: Pen, seat: Seat, why: str) -> None:
    """A bot goes on from now, and the bench is asked. What made it so stands on the tape already."""
    seat.bot_level = STAND_IN
    _change(pen, seat, Seat.Driver.BOT, None, why)
    substitutes.ask(pen.match, seat, pen.now)


def to_substitute(pen: Pen, seat: Seat, user: Any) -> None:
    """Another user goes on for the one whose result it stays."""
    pen.note(seat.index, {"type": "taken_over", "user": user.pk}, Move.By.USER)
    _change(pen, seat, Seat.Driver.USER, user, "taken_over")


def to_user(pen: Pen, seat: Seat, by: str, way: str) -> None:
    """The user is back: the seat is his as it was before he lost it. ``way``: from a ``bot``, given back by a
    ``substitute``, by the end of a ``deal``, or by a ``moderator``, who tells it himself.
    """
    what = "put_back" if way == "moderator" else "taken_back"
    pen.note(seat.index, {"type": what}, by)
    seat.given_up_at, seat.gone = None, ""
    if way != "moderator":
        _tell_of_return(pen, seat, by, way)
    _change(pen, seat, Seat.Driver.USER, seat.user, what)


def _tell_of_return(pen: Pen, seat: Seat, by: str, way: str) -> None:
    """Those who play are told, and the user unless he did it himself; the substitute who gave it back knows."""
    others = {one.driven_by_id for one in pen.match.seats.all()} - {seat.user_id}
    if way == "substitute":
        others -= {seat.driven_by_id}
    about: dict[str, Any] = {"by": seat.user_id, "way": way}
    key = str(pen.match.moves)
    if seat.driven_by_id in others:
        tell("seat_back", [seat.driven_by_id], pen.match, about | {"was": "yours"}, key)
    tell("seat_back", others - {seat.driven_by_id}, pen.match, about, key)
    if by == Move.By.SITE:
        tell("seat_back", [seat.user_id], pen.match, about, key)


def comes_back(seat: Seat) -> bool:
    """Whether the user gets his seat from a substitute: he has asked for it, and nobody has shut him out since."""
    return seat.wants_back and seat.user is not None and not seat.user.is_barred


def relieve(pen: Pen, seat: Seat, by: str) -> None:
    """A substitute leaves: the user who has asked for the seat gets it, else a bot goes on."""
    pen.note(seat.index, {"type": "left"}, by)
    if comes_back(seat):
        to_user(pen, seat, Move.By.SITE, "substitute")
    else:
        to_bot(pen, seat, "left")


def _change(pen: Pen, seat: Seat, driver: Seat.Driver, user: Any, why: str) -> None:
    pen.match.proposal = None  # those who are asked are others now
    if before := seat.driven_by_id:  # a substitute's page may have no right to be open any more
        match_id = pen.match.pk
        transaction.on_commit(lambda: nudge.seat_lost(match_id, before), robust=True)
    seat.driver, seat.driven_by, seat.wants_back = driver, user, False
    seat.missed, seat.missed_since = 0, None
    seat.looked_deal = seat.looked_events = seat.recap_deal = seat.recap_events = 0
    seat.looked_at = None
    seat.ready_deal = max(pen.match.deal_number - 1, 0)
    seat.save()
    Draft.objects.filter(seat=seat).update(actions=[], sort="", order=[], number=F("number") + 1, stamp=F("stamp") + 1)
    StandingOrder.objects.filter(seat=seat).update(why="removed")
    Tenure.objects.filter(seat=seat, to_move=None).update(to_move=pen.match.moves)
    Tenure.objects.create(seat=seat, driver=driver, user=user, from_move=pen.match.moves + 1, why=why)
