"""Seats whose users are away: nudging the one to move, taking over a seat, leaving it, taking it back.

Each is one transaction with the match locked, and an act on its tape. Who takes part is refused with a sentence.
"""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from . import clock, driving, substitutes
from .apart import are_apart, not_open
from .models import Match, Move, Seat, SeatOffer
from .notices import tell
from .pen import Pen, Stale, running
from .seats import Refusal, counted
from .writing import locked, writing

PATIENCE = timedelta(hours=12)
"""Nobody is nudged before so much of a turn, or half of it if that is less, has passed."""


def nudge_from(match: Match, since: datetime | None) -> datetime | None:
    """From when on the one to move may be nudged, who has been awaited ``since``; None if nobody is awaited."""
    if match.status != Match.Status.RUNNING or match.turn is None or match.paused_at is not None or since is None:
        return None
    pace = clock.pace_of(match)
    return since + min(PATIENCE, timedelta(seconds=pace.allowance) / 2 if pace.allowance else PATIENCE)


def nudge(match_id: int, user: Any) -> None:
    """Tell the one to move that he is awaited, once a turn in all. Raises Seat.DoesNotExist for who does not play."""
    now = timezone.now()
    with writing():
        pen = _running(match_id, now)
        mine = pen.driven_by(user)
        _may_be_nudged(pen, mine, now)
        pen.note(mine, {"type": "nudged"}, Move.By.USER)
        assert pen.match.turn is not None
        about, key = {"by": user.pk}, f"{pen.deal.number}.{pen.tape.table.turns}"
        tell("nudged", [pen.seats[pen.match.turn].driven_by_id], pen.match, about, key)
        pen.close()


def _may_be_nudged(pen: Pen, mine: int, now: datetime) -> None:
    match, turns = pen.match, pen.tape.table.turns
    awaited = match.turn if match.paused_at is None else None
    if awaited is None or awaited == mine or pen.seats[awaited].driven_by_id is None:
        raise Refusal(_("Nobody has to be nudged now."))
    if any(one.what == "nudged" and one.turn == turns for one in pen.tape.asides):
        raise Refusal(_("The player to move has been nudged already in this turn."))
    may = nudge_from(match, waiting_since(match))
    if may is None or now < may:
        raise Refusal(_("Leave a little more time before you nudge."))


def waiting_since(match: Match) -> datetime | None:
    """Since when the one to move has been awaited; without a deadline since the last thing that happened there."""
    if match.due_at is not None:
        return clock.waiting_since(match)
    last = Move.objects.filter(match=match).exclude(action__type="nudged").order_by("-number")
    return last.values_list("at", flat=True).first()


def accept(offer_id: int, user: Any) -> Match:
    """Take over a seat: the first of those asked gets it. Raises SeatOffer.DoesNotExist, Refusal."""
    now = timezone.now()
    with writing():
        counted(user)
        offer = SeatOffer.objects.select_related("seat").get(pk=offer_id, user=user)
        pen = _running(offer.seat.match_id, now)
        offer.refresh_from_db(fields=["answer"])
        seat = pen.seats[offer.seat.index]
        if is_free(seat) and (offer.answer == SeatOffer.Answer.LAPSED or offer.until <= now):
            raise Refusal(_("The time to answer is over, and others are asked. Thank you all the same."))
        if not is_free(seat) or offer.answer:
            raise Refusal(_("This seat is taken by now. Thank you all the same."))
        here = [at for one in pen.seats for at in (one.user_id, one.driven_by_id)]
        if user.pk in here:
            raise Refusal(_("You sit at this table already."))
        if substitutes.knows_another_hand(seat, user):
            raise Refusal(
                _("You have played another seat at this table, and know its cards. This one is for somebody else.")
            )
        if are_apart(user.pk, here):
            raise Refusal(not_open())
        driving.to_substitute(pen, seat, user)
        seat.offers.filter(answer="").exclude(pk=offer.pk).update(answer=SeatOffer.Answer.TOO_LATE)
        offer.answer = SeatOffer.Answer.ACCEPTED
        offer.save(update_fields=["answer"])
        pen.close()
    return pen.match


def is_free(seat: Seat) -> bool:
    """Whether a bot drives a seat that its user has left."""
    return seat.given_up_at is not None and seat.driver == Seat.Driver.BOT


def decline(offer_id: int, user: Any) -> None:
    """Not this time; somebody else is asked. A second time changes nothing."""
    now = timezone.now()
    with writing():
        offer = SeatOffer.objects.select_related("seat").get(pk=offer_id, user=user)
        pen = _running(offer.seat.match_id, now)
        if SeatOffer.objects.filter(pk=offer.pk, answer="").update(answer=SeatOffer.Answer.DECLINED):
            _ask_on(pen, pen.seats[offer.seat.index])


def _ask_on(pen: Pen, seat: Seat) -> None:
    """The next of the bench are asked for a seat that nobody is asked for any more."""
    if is_free(seat) and not seat.offers.filter(answer="", until__gt=pen.now).exists():
        substitutes.ask(pen.match, seat, pen.now)


def ask_others() -> int:
    """Offers that nobody answered end, and the next of the bench are asked until nobody is left there. How many ended.

    A bot goes on with the seat meanwhile.
    """
    now = timezone.now()
    lapsed = SeatOffer.objects.filter(answer="", until__lte=now)
    ended = 0
    for match_id in sorted(set(lapsed.values_list("seat__match_id", flat=True))):
        with writing():
            match = locked(match_id)
            mine = lapsed.filter(seat__match=match)
            seats = sorted(set(mine.values_list("seat__index", flat=True)))
            ended += mine.update(answer=SeatOffer.Answer.LAPSED)
            if match.status == Match.Status.RUNNING:
                pen = running(match_id, now)
                for index in seats:
                    _ask_on(pen, pen.seats[index])
    return ended


def take_back(match_id: int, user: Any) -> bool:
    """The user is back. From a bot he gets his seat at once (True); a substitute is asked for it, and it is the user's
    again when he gives it back or the next deal begins. Raises Seat.DoesNotExist, Refusal.
    """
    with writing():
        pen = _running(match_id, timezone.now())
        seat = next((one for one in pen.seats if one.user_id == user.pk), None)
        if seat is None:
            raise Seat.DoesNotExist
        if not seat.gone:
            raise Refusal(_("This seat is yours already."))
        if seat.gone == Seat.Gone.RESIGNED:
            raise Refusal(_("You have left this match for good."))
        if seat.gone == Seat.Gone.REPLACED:
            raise Refusal(_("A moderator has let others play your seat. You cannot take it back yourself."))
        at_once = seat.driven_by_id is None
        if at_once:
            driving.to_user(pen, seat, Move.By.USER, "bot")
            seat.offers.filter(answer="").update(answer=SeatOffer.Answer.TOO_LATE)
            pen.close()
        elif not seat.wants_back:
            seat.wants_back = True
            seat.save(update_fields=["wants_back"])
            tell("seat_back", [seat.driven_by_id], pen.match, {"by": user.pk, "asks": True}, key=str(pen.match.moves))
            pen.close()
    return at_once


def _running(match_id: int, now: datetime) -> Pen:
    """A pen for a match that runs; raises Refusal when it is over."""
    try:
        return running(match_id, now)
    except Stale:
        raise Refusal(_("This match is over.")) from None


def open_offers(user: Any) -> list[SeatOffer]:
    """The seats that this user may take over now, the one that ends first before the others."""
    mine = SeatOffer.objects.filter(user=user, answer="", until__gt=timezone.now())
    mine = mine.filter(seat__match__status=Match.Status.RUNNING, seat__driver=Seat.Driver.BOT)
    return list(mine.select_related("seat__match", "seat__user").order_by("until", "pk"))
