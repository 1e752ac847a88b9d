"""Opening, joining, leaving and starting a match, and the rematch. Who sits where; what is played stands in play.py."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import sanctions

from . import inviting, play
from . import standing as offers
from .apart import may_ask, not_asked
from .models import Absence, Match, Seat
from .moderation import words
from .notices import tell
from .paces import PACES
from .rules.catalog import find
from .rules.codec import decode_outcome, decode_sheet
from .seats import (
    Refusal,
    cancel,
    changed,
    counted,
    cut_from,
    declined,
    empty,
    joined,
    lost,
    must_be_known,
    must_be_open,
    must_not_be_apart,
    must_not_be_away,
    my_room,
    my_seat,
    new_match,
    no_more_than_allowed,
    seat_bot,
    seat_user,
)
from .terms import COPIED, Terms, terms_for
from .writing import locked, writing

__all__ = ["Refusal", "answer", "cut_from"]

answer = inviting.answer


def open_match(
    user: Any,
    preset: str,
    *,
    seats: Sequence[str],
    pace: str,
    chosen: Mapping[str, Any] | None = None,
    cut: tuple[str, str] | None = None,
    title: str = "",
    private: bool = False,
    memory: str = "",
    limited: bool = False,
    standing: int = 0,
    together: Match | None = None,
    nth: int = 0,
    terms: Terms | None = None,
    rated: bool = False,
) -> Match:
    """Open a match in which ``user`` takes the first seat.

    ``seats`` says of each other seat "open", a bot level, or "@name" for the user whom it is kept for. ``limited``:
    not more than one person may have. ``standing``: so many matches of this offer may run at once (0: it ends with
    the start). ``together``, ``nth``: one more of several matches, whose people are told of the first (together.py).
    ``terms``: bank and days off, by correspondence. ``rated``: who sits down agrees that ratings change.

    The commitment to all numbers that will ever be dealt is made here, before anybody else can sit.
    Raises Refusal, or BadOption of the rules.
    """
    _check_offer(seats, private=private, standing=standing)
    if rated and not may_be_rated(seats, pace):
        raise Refusal(only_rated())
    entry = find(preset)
    options = entry.options(len(seats) + 1, chosen)
    with_people = any(who == "open" or who.startswith("@") for who in seats)
    if PACES[pace].kind == "none" and with_people:
        raise Refusal(_("A match without a clock is only for you and bots. Give the open seats to bots or set a pace."))
    now = timezone.now()
    with writing():
        counted(user)
        if with_people:
            sanctions.must_be_free(user, "opening")
        if limited:
            no_more_than_allowed(user, bots_only=not with_people)
        match = new_match(
            user,
            preset=preset,
            edition=entry.edition,
            options={name: getattr(options, name) for name in options.__dataclass_fields__},
            memory=memory or ("none" if PACES[pace].kind == "live" else "all"),
            title=title,
            private=private,
            pace=pace,
            created_at=now,
            together=together,
            nth=nth,
            rated=rated,
            **asdict(terms_for(pace, terms)),
        )
        must_be_known(match, user)
        words.titled(match, user)
        seat_user(Seat(match=match, index=0), user, cut or cut_from("", ""))
        for index, who in enumerate(seats, 1):
            seat = Seat(match=match, index=index)
            if who == "open":
                seat.save()
            elif who.startswith("@"):
                inviting.keep(match, seat, user, who[1:])
            else:
                seat_bot(seat, who)
        if standing:
            offers.offer(match, standing)
        if not with_people:
            play.begin(match, now)
        else:
            changed(match, list(match.seats.all()))
    return match


def _check_offer(seats: Sequence[str], *, private: bool, standing: int) -> None:
    if standing and (private or not may_stay_open(seats)):
        raise Refusal(_("An offer that stays open is for whoever likes to join."))


def may_stay_open(seats: Sequence[str]) -> bool:
    """Whether an offer of these seats can be made again and again: some are free, none is kept for somebody."""
    return "open" in seats and not any(who.startswith("@") for who in seats)


def may_be_rated(seats: Sequence[str], pace: str) -> bool:
    """Whether a match of these seats can be rated: for persons only, by a clock."""
    return PACES[pace].kind != "none" and all(who == "open" or who.startswith("@") for who in seats)


def only_rated() -> str:
    """What a rated match needs."""
    return _("A rated match is for persons only, and has a clock.")


def open_matches() -> "QuerySet[Match]":
    """Public matches with a free seat, newest first."""
    free = Seat.objects.filter(match=OuterRef("pk"), driver=Seat.Driver.OPEN)  # asked of open matches, not of all seats
    matches = Match.objects.filter(Exists(free), status=Match.Status.OPEN, private=False)
    return offers.awake(matches).order_by("-created_at", "-pk")


def has_free_seat(match: Match) -> bool:
    """Whether somebody can still sit down."""
    return match.status == Match.Status.OPEN and match.seats.filter(driver=Seat.Driver.OPEN).exists()


def join(match_id: int, user: Any, cut: tuple[str, str], token: str = "") -> Seat:
    """Take a free seat; the match starts when it was the last one. Raises Refusal, and Match.DoesNotExist."""
    now = timezone.now()
    with writing():
        counted(user)
        match = locked(match_id)
        seats = list(match.seats.order_by("index"))
        _must_not_sit(seats, user)
        if match.private and not secrets.compare_digest(token.encode(), match.token.encode()):
            raise Match.DoesNotExist
        if match.status != Match.Status.OPEN:
            raise Refusal(_("This match has started already."))
        must_be_known(match, user)
        must_not_be_away(match, user)
        must_not_be_apart(seats, user)
        if offers.rests(match):
            raise Refusal(_("The opener plays as many of these matches as wanted just now. Come back later."))
        free = next((s for s in seats if s.driver == Seat.Driver.OPEN), None)
        if free is None:
            raise Refusal(_("Somebody else took the last seat a moment ago. Look for another match in the lobby."))
        seat_user(free, user, cut)
        joined(match, user)
        changed(match, seats)
        offers.begin_if_full(match, seats, now)
    return free


def _must_not_sit(seats: Sequence[Seat], user: Any) -> None:
    mine = next((s for s in seats if user.pk is not None and s.user_id == user.pk), None)
    if mine is not None and mine.driver == Seat.Driver.INVITED:
        raise Refusal(_("A seat is kept for you at this match. Say yes there."))
    if mine is not None:
        raise Refusal(_("You already have a seat at this match."))


def leave(match_id: int, user: Any) -> None:
    """Give back a seat before the start. Who opened the match hands it on; the last person out cancels it.

    A rematch is cancelled as soon as one of its people leaves.
    """
    now = timezone.now()
    with writing():
        match, seats, mine = my_seat(match_id, user)
        must_be_open(match)
        if match.rematch_of_id is not None:  # its seats are kept for the same people: without one there is none
            declined(match, seats, user)
            cancel(match, now)
            changed(match, seats)
            return
        if mine.driver == Seat.Driver.INVITED:
            raise Refusal(_("You do not sit here yet. Say yes or no to the invitation."))
        told = [Seat(user_id=s.user_id) for s in seats]
        empty(mine)
        others = [s for s in seats if s.driver == Seat.Driver.USER]
        if not others:
            offers.end(match)
            cancel(match, now)
            for seat in seats:
                _uninvite(seat)
        elif match.opener_id == user.pk:
            heir = others[0].user
            assert heir is not None
            offers.end(match)
            match.opener = heir
        changed(match, told)
        lost(match.pk, user.pk)


def _uninvite(seat: Seat) -> None:
    """Nobody is asked any more for a match that will not be."""
    if seat.driver == Seat.Driver.INVITED:
        assert seat.user_id is not None
        lost(seat.match_id, seat.user_id)
        empty(seat)


def remove(match_id: int, user: Any, index: int) -> None:
    """Before the start the opener sends somebody away, who is told and cannot come back. Raises Refusal."""
    with writing():
        match, seats = my_room(match_id, user, _("Only the one who opened the match can remove somebody."))
        seat = next((s for s in seats if s.index == index and s.driver == Seat.Driver.USER), None)
        if seat is None or seat.user_id == user.pk or match.rematch_of_id is not None:
            raise Refusal(_("Nobody sits there who could be removed."))
        assert seat.user_id is not None
        Absence.objects.update_or_create(
            match=match,
            user_id=seat.user_id,
            defaults={"why": Absence.Why.REMOVED, "told": False, "at": timezone.now()},
        )
        tell("removed", [seat.user_id], match, {"by": user.pk}, key=str(match.version))
        changed(match, seats)
        lost(match.pk, seat.user_id)
        empty(seat)


def start(match_id: int, user: Any, level: str = "easy") -> None:
    """Whoever opened the match starts it; bots take the seats that are still free. Raises Refusal."""
    now = timezone.now()
    with writing():
        counted(user)
        match, seats = my_room(match_id, user, _("Only the one who opened the match can start it."))
        if match.rated:
            raise Refusal(_("This match is rated: bots take no seat at it."))
        if any(s.driver == Seat.Driver.INVITED for s in seats):
            raise Refusal(_("Somebody has not answered your invitation yet."))
        if offers.rests(match):
            raise Refusal(_("The opener plays as many of these matches as wanted just now. Come back later."))
        if _alone(seats, user):
            no_more_than_allowed(user, bots_only=True)
        offers.begin(match, seats, now, level)


def rematch(match_id: int, user: Any) -> Match:
    """The same people, seats, bots and options again; the deal moves on by the rules. The others are asked.

    Raises Refusal when somebody is no longer there, or has said no already: nobody is pressed. Asking twice gives the
    match that was opened first.
    """
    now = timezone.now()
    with writing():
        counted(user)
        old, seats, _mine = my_seat(match_id, user)
        again = old.rematches.exclude(status=Match.Status.CANCELLED).first()
        if again is not None:
            return again
        _may_be_played_again(old, seats, user)
        must_be_known(old, user)
        match = new_match(user, rematch_of=old, created_at=now, first_dealer=_dealer_after(old), **_copied(old))
        for seat in seats:
            _invite_again(match, seat, user)
        if not match.seats.filter(driver=Seat.Driver.INVITED).exists():
            play.begin(match, now)
        else:
            changed(match, list(match.seats.all()))
    return match


def again(first: Match, user: Any, nth: int) -> Match:
    """One more match beside a rematch, for the same persons, who are told of the first. The dealer is drawn by lot."""
    now = timezone.now()
    with writing():
        no_more_than_allowed(user, bots_only=False)
        match = new_match(user, created_at=now, together=first, nth=nth, **_copied(first))
        for seat in first.seats.select_related("user").order_by("index"):
            _invite_again(match, seat, user)
        changed(match, list(match.seats.all()))
    return match


def _copied(old: Match) -> dict[str, Any]:
    names = ("preset", "edition", "options", "memory", "title", "private", "pace", "rated", *COPIED)
    return {name: getattr(old, name) for name in names}


def _may_be_played_again(old: Match, seats: Sequence[Seat], user: Any) -> None:
    if old.status != Match.Status.OVER:
        raise Refusal(_("A rematch is possible when the match is over."))
    if not _alone(seats, user):
        sanctions.must_be_free(user, "opening")
    declined = Absence.objects.filter(match__rematch_of=old).exclude(user=user).select_related("user").first()
    if declined is not None:
        raise Refusal(_("%(name)s cannot be asked again for this match.") % {"name": declined.user.shown_name})
    if any(s.user is not None and not s.user.is_active for s in seats):
        raise Refusal(_("One of the players has closed the account. Open a new match instead."))
    for other in (s.user for s in seats if s.user is not None and s.user_id != user.pk):
        if not may_ask(user, other):
            raise Refusal(not_asked(other.shown_name))
    if _alone(seats, user):
        no_more_than_allowed(user, bots_only=True)


def _alone(seats: Sequence[Seat], user: Any) -> bool:
    """Whether no other person sits there."""
    return not any(s.user_id not in (None, user.pk) for s in seats)


def _invite_again(match: Match, old: Seat, asking: Any) -> None:
    seat = Seat(match=match, index=old.index)
    if old.user_id is None:
        seat_bot(seat, old.bot_level)
    elif old.user_id == asking.pk:
        seat_user(seat, asking, cut_from("", ""))
    else:
        seat.user, seat.driver = old.user, Seat.Driver.INVITED
        seat.save()
        if match.nth < 2:
            tell("rematch", [old.user_id], match, {"by": asking.pk})


def _dealer_after(match: Match) -> int:
    """Who deals after the last deal of a match; the same dealer if that deal was abandoned."""
    deal = match.deals.order_by("-number").first()
    if deal is None or deal.outcome is None:
        return deal.dealer if deal else 0
    game = match.game()
    return game.dealer_after(decode_sheet(deal.sheet, game.sheet_kind), decode_outcome(deal.outcome))


def give_up_all(user: Any) -> None:
    """Before an account is closed: every open seat is given back, every running one given up, in match order."""
    at = Q(user=user) | Q(driven_by=user)
    mine = Seat.objects.filter(at, match__status__in=[Match.Status.OPEN, Match.Status.RUNNING])
    for match_id, driver, index, status in mine.order_by("match_id").values_list(
        "match_id", "driver", "index", "match__status"
    ):
        if status == Match.Status.RUNNING:
            play.resign(match_id, index, user)
        elif driver == Seat.Driver.INVITED:
            answer(match_id, user, yes=False, cut=("", ""))
        else:
            leave(match_id, user)
