"""What a moderator does about who plays a seat, and how long it has. Neither changes what counts."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from games import clock, driving, halts, worktime
from games.models import Move, Seat, SeatOffer
from games.seats import Refusal

from .hearing import Hearing, hearing, left_to_bot

MOST_TIME = timedelta(days=30)
"""More time than this nobody is given at once."""


def give_time(
    match_id: int, seat: int, time: timedelta, *, by: Any, reason: str, undoes: AuditEntry | None = None
) -> AuditEntry:
    """Give a seat more time: for its turn if it is to move, else into its bank. It is never taken again.

    Raises Refusal.
    """
    seconds = int(time.total_seconds())
    if not 0 < seconds <= MOST_TIME.total_seconds():
        raise Refusal(_("Give at least a second and at most 30 days."))
    with hearing("give_time", match_id, by, reason, undoes=undoes) as one:
        row = _running_seat(one, seat)
        match, pen = one.pen.match, one.pen
        if match.due_at is not None and match.turn == seat:
            clock.settle(match, pen.seats, pen.now)
            off = clock.off_of(match, pen.seats, row, pen.now)
            clock.ring_at(match, worktime.later(max(match.due_at, pen.now), seconds, off))
        elif match.frozen is not None and match.frozen_turn == halts.turn_key(pen) and match.turn == seat:
            match.frozen += seconds
        elif clock.by_correspondence(match):
            row.bank += seconds
            row.save(update_fields=["bank"])
        else:
            raise Refusal(_("This seat has no clock that runs."))
        one.note("granted", to=seat, seconds=seconds)
    return one.done


def let_bot_drive(match_id: int, seat: int, *, by: Any, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """A bot plays on for a seat, so that the others can go on. For its user the match is lost. Raises Refusal."""
    with hearing("bot_drives", match_id, by, reason, undoes=undoes) as one:
        row = _running_seat(one, seat)
        if row.driver != Seat.Driver.USER:
            raise Refusal(_("A bot plays this seat already."))
        one.note("replaced", seat=seat)
        left_to_bot(one.pen, row)
    return one.done


def give_back(match_id: int, seat: int, *, by: Any, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """The user of a seat plays it again, whoever does now and however he lost it. Raises Refusal."""
    with hearing("give_back", match_id, by, reason, undoes=undoes) as one:
        row = _running_seat(one, seat)
        if row.user is None or row.driven_by_id == row.user_id:
            raise Refusal(_("Nobody has lost this seat."))
        if not row.user.is_active:
            raise Refusal(_("The account of this player is closed."))
        if row.user.is_barred:
            raise Refusal(_("This player is shut out just now and cannot play. Lift that first."))
        one.about = {"what": "put_back", "seat": seat}
        driving.to_user(one.pen, row, Move.By.MODERATOR, "moderator")
        row.offers.filter(answer="").update(answer=SeatOffer.Answer.TOO_LATE)
    return one.done


def _running_seat(one: Hearing, seat: int) -> Seat:
    """A seat of a match that runs. Raises Refusal."""
    if one.over:
        raise Refusal(_("This match is over."))
    if not 0 <= seat < len(one.pen.seats):
        raise Refusal(_("There is no such seat."))
    return one.pen.seats[seat]
