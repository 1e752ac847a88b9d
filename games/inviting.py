"""Seats kept for people: invited by name, their answers, and the link that lets friends in."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.names import plain

from .apart import may_ask, not_asked
from .models import Absence, Match, Seat
from .notices import tell
from .seats import (
    Refusal,
    cancel,
    changed,
    counted,
    declined,
    empty,
    joined,
    lost,
    must_be_known,
    must_be_open,
    must_not_be_apart,
    my_room,
    my_seat,
    new_token,
    seat_user,
)
from .standing import begin_if_full
from .writing import writing

User = get_user_model()

MOST_ASKED = 20
"""How many unanswered invitations one user may have sent."""

REASONS: list[tuple[str, Any]] = [(why.value, why.label) for why in Absence.Why if why != Absence.Why.REMOVED]
"""Why one may decline: key and sentence."""


def named(name: str) -> Any:
    """The user of exactly this name, in any case. Raises Refusal; a guest or a closed account has no name to call."""
    known = User.objects.filter(is_active=True, closed_at__isnull=True, is_guest=False)
    found = known.filter(name_key=plain(name)).first() if name.isprintable() else None
    if found is None:
        raise Refusal(_("There is no player of this name."))
    return found


def keep(match: Match, seat: Seat, asking: Any, name: str) -> None:
    """Keep a free seat for the user of that name. ``asking`` is being counted; the match is locked or still unknown.

    Raises Refusal.
    """
    guest = named(name)
    if guest.pk == asking.pk:
        raise Refusal(_("You cannot invite yourself."))
    if Seat.objects.filter(match=match, user=guest).exists():
        raise Refusal(_("%(name)s has a seat at this match already.") % {"name": guest.shown_name})
    if Absence.objects.filter(match=match, user=guest).exists():
        raise Refusal(_("%(name)s cannot be asked again for this match.") % {"name": guest.shown_name})
    if not may_ask(asking, guest):
        raise Refusal(not_asked(guest.shown_name))
    waiting = Seat.objects.filter(driver=Seat.Driver.INVITED, match__opener=asking, match__status=Match.Status.OPEN)
    if waiting.count() >= MOST_ASKED:
        raise Refusal(_("Many of your invitations wait for an answer. Take one of them back first."))
    seat.user, seat.driver = guest, Seat.Driver.INVITED
    seat.save()
    if match.nth < 2:  # several at once are one invitation
        tell("invited", [guest], match, {"by": asking.pk}, key=str(match.version))


def invite(match_id: int, user: Any, name: str) -> None:
    """The opener keeps a free seat for somebody. Raises Refusal."""
    with writing():
        counted(user)
        match, seats = my_room(match_id, user, _("Only the one who opened the match can invite by name."))
        free = next((s for s in seats if s.driver == Seat.Driver.OPEN), None)
        if free is None:
            raise Refusal(_("No seat is free."))
        keep(match, free, user, name)
        changed(match, seats)


def take_back(match_id: int, user: Any, index: int) -> None:
    """The opener takes an unanswered invitation back; of a rematch there is none then. Raises Refusal."""
    with writing():
        match, seats = my_room(match_id, user, _("Only the one who opened the match can take an invitation back."))
        seat = next((s for s in seats if s.index == index and s.driver == Seat.Driver.INVITED), None)
        if seat is None:
            raise Refusal(_("This invitation has been answered or taken back already."))
        if match.rematch_of_id is not None:
            raise Refusal(_("A rematch is for the same people. Leave it, and there is none."))
        changed(match, seats)
        assert seat.user_id is not None
        lost(match.pk, seat.user_id)
        empty(seat)


def answer(match_id: int, user: Any, *, yes: bool, cut: tuple[str, str], why: str = "") -> Match:
    """Accept or decline a seat that was kept for one. One "no" and there is no rematch. Raises Refusal."""
    now = timezone.now()
    with writing():
        if yes:
            counted(user)
        match, seats, mine = my_seat(match_id, user)
        must_be_open(match)
        if mine.driver != Seat.Driver.INVITED:
            raise Refusal(_("You have answered already."))
        if yes:
            must_be_known(match, user)
            must_not_be_apart([s for s in seats if s.driver == Seat.Driver.USER], user)
            seat_user(mine, user, cut)
            joined(match, user)
            changed(match, seats)
            begin_if_full(match, seats, now)
            return match
        Absence.objects.create(match=match, user=user, why=why or Absence.Why.NO_REASON, at=now)
        declined(match, seats, user)
        if match.rematch_of_id is not None:
            cancel(match, now)
            changed(match, seats)
            return match
        changed(match, seats)
        lost(match.pk, user.pk)
        empty(mine)
    return match


def new_link(match_id: int, user: Any) -> None:
    """The old link is dead from now on. Raises Refusal."""
    with writing():
        match, seats = my_room(match_id, user, _("Only the one who opened the match can make a new link."))
        match.token = new_token()
        changed(match, seats)
