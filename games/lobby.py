"""Opening, joining, leaving and starting a match, and the rematch. Who sits where; what is played stands in play.py."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from . import fairness, nudge, play
from .bots import NAMES
from .models import Match, Seat
from .paces import PACES
from .rules.catalog import find
from .rules.codec import decode_outcome, decode_sheet
from .writing import locked, writing

User = get_user_model()


class Refusal(ValueError):
    """Something that cannot be done here, with a sentence for the person who tried."""


def cut_from(made: str, typed: str) -> tuple[str, str]:
    """(cut, who made it): typed by the person, made in the browser, or made by the server and marked so."""
    if typed.strip():
        return fairness.clean_cut(typed), "typed"
    if len(made) == 32 and all(c in "0123456789abcdef" for c in made.lower()):
        return fairness.clean_cut(made), "browser"
    return fairness.make_cut(), "server"


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
) -> Match:
    """Open a match in which ``user`` takes the first seat. ``seats`` says of each other seat "open" or a bot level.

    The commitment to all numbers that will ever be dealt is made here, before anybody else can sit.
    Raises Refusal, or BadOption of the rules.
    """
    entry = find(preset)
    options = entry.options(len(seats) + 1, chosen)
    if PACES[pace].kind == "none" and "open" in seats:
        raise Refusal(_("A match without a clock is only for you and bots. Give the open seats to bots or set a pace."))
    now = timezone.now()
    with writing():
        match = _new_match(
            user,
            preset=preset,
            edition=entry.edition,
            options={name: getattr(options, name) for name in options.__dataclass_fields__},
            memory=memory or ("none" if PACES[pace].kind == "live" else "all"),
            title=title,
            private=private,
            pace=pace,
            created_at=now,
        )
        _seat_user(Seat(match=match, index=0), user, cut or cut_from("", ""))
        for index, who in enumerate(seats, 1):
            seat = Seat(match=match, index=index)
            if who == "open":
                seat.save()
            else:
                _seat_bot(seat, who)
        if "open" not in seats:
            play.begin(match, now)
    return match


def _new_match(user: Any, **fields: Any) -> Match:
    chain = fairness.make_chain_seed()
    return Match.objects.create(
        opener=user, token=secrets.token_hex(16), chain=chain, commitment=fairness.link(chain, 0).hex(), **fields
    )


def _seat_user(seat: Seat, user: Any, cut: tuple[str, str]) -> None:
    seat.user, seat.driver = user, Seat.Driver.USER
    seat.cut, seat.cut_by = cut
    seat.save()


def _seat_bot(seat: Seat, level: str) -> None:
    taken = set(Seat.objects.filter(match=seat.match).values_list("bot_name", flat=True))
    seat.driver, seat.bot_level = Seat.Driver.BOT, level
    seat.bot_name = next(name for name in NAMES if name not in taken)
    seat.cut, seat.cut_by = fairness.make_cut(), "server"
    seat.save()


def open_matches() -> "QuerySet[Match]":
    """Public matches with a free seat, newest first."""
    free = Seat.objects.filter(driver=Seat.Driver.OPEN).values("match")
    return Match.objects.filter(status=Match.Status.OPEN, private=False, pk__in=free).order_by("-created_at")


def join(match_id: int, user: Any, cut: tuple[str, str], token: str = "") -> Seat:
    """Take a free seat; the match starts when it was the last one. Raises Refusal, and Match.DoesNotExist."""
    now = timezone.now()
    with writing():
        match = locked(match_id)
        seats = list(match.seats.order_by("index"))
        if any(s.user_id == user.pk for s in seats):
            raise Refusal(_("You already have a seat at this match."))
        if match.private and not secrets.compare_digest(token, match.token):
            raise Match.DoesNotExist
        if match.status != Match.Status.OPEN:
            raise Refusal(_("This match has started already."))
        free = next((s for s in seats if s.driver == Seat.Driver.OPEN), None)
        if free is None:
            raise Refusal(_("Somebody else took the last seat a moment ago. Look for another match in the lobby."))
        _seat_user(free, user, cut)
        _changed(match, seats)
        if all(s.driver in (Seat.Driver.USER, Seat.Driver.BOT) for s in seats):
            play.begin(match, now)
    return free


def _changed(match: Match, seats: Sequence[Seat]) -> None:
    """A page of a match that has not started shows something else now."""
    match.version += 1
    match.save()
    told = {s.user_id for s in seats if s.user_id}
    transaction.on_commit(lambda: nudge.changed(match.pk, match.version, told), robust=True)


def leave(match_id: int, user: Any) -> None:
    """Give back a seat before the start. Who opened the match hands it on; the last person out cancels it.

    A rematch is cancelled as soon as one of its people leaves.
    """
    with writing():
        match, seats, mine = _my_seat(match_id, user)
        _must_be_open(match)
        if match.rematch_of_id is not None:  # its seats are kept for the same people: without one there is none
            _cancel(match)
            _changed(match, seats)
            return
        _empty(mine)
        others = [s for s in seats if s.driver == Seat.Driver.USER]
        if not others:
            _cancel(match)
        elif match.opener_id == user.pk:
            heir = others[0].user
            assert heir is not None
            match.opener = heir
        _changed(match, [*seats, mine])
        transaction.on_commit(lambda: nudge.seat_lost(match_id, user.pk), robust=True)


def _my_seat(match_id: int, user: Any) -> tuple[Match, list[Seat], Seat]:
    match = locked(match_id)
    seats = list(match.seats.select_related("user").order_by("index"))
    mine = next((s for s in seats if s.user_id == user.pk), None)
    if mine is None:
        raise Match.DoesNotExist
    return match, seats, mine


def _must_be_open(match: Match) -> None:
    if match.status == Match.Status.RUNNING:
        raise Refusal(_("The match has started. You can resign at its table."))
    if match.status != Match.Status.OPEN:
        raise Refusal(_("This match has ended."))


def _empty(seat: Seat) -> None:
    seat.user, seat.driver, seat.cut, seat.cut_by = None, Seat.Driver.OPEN, "", ""
    seat.save()


def _cancel(match: Match) -> None:
    match.status, match.ended_at = Match.Status.CANCELLED, timezone.now()


def start(match_id: int, user: Any, level: str = "easy") -> None:
    """Whoever opened the match starts it; bots take the seats that are still free. Raises Refusal."""
    now = timezone.now()
    with writing():
        match, seats, _mine = _my_seat(match_id, user)
        _must_be_open(match)
        if match.opener_id != user.pk:
            raise Refusal(_("Only the one who opened the match can start it."))
        if any(s.driver == Seat.Driver.INVITED for s in seats):
            raise Refusal(_("Somebody has not answered your invitation yet."))
        for seat in seats:
            if seat.driver == Seat.Driver.OPEN:
                _seat_bot(seat, level)
        play.begin(match, now)


def rematch(match_id: int, user: Any) -> Match:
    """The same people, seats, bots and options again; the deal moves on by the rules. The others are asked.

    Raises Refusal when somebody is no longer there. Asking twice gives the match that was opened first.
    """
    now = timezone.now()
    with writing():
        old, seats, _mine = _my_seat(match_id, user)
        again = old.rematches.exclude(status=Match.Status.CANCELLED).first()
        if again is not None:
            return again
        if old.status != Match.Status.OVER:
            raise Refusal(_("A rematch is possible when the match is over."))
        if any(s.user is not None and not s.user.is_active for s in seats):
            raise Refusal(_("One of the players has closed the account. Open a new match instead."))
        copied = ("preset", "edition", "options", "memory", "title", "private", "pace")
        match = _new_match(
            user,
            rematch_of=old,
            created_at=now,
            first_dealer=_dealer_after(old),
            **{name: getattr(old, name) for name in copied},
        )
        for seat in seats:
            _invite_again(match, seat, user)
        if not match.seats.filter(driver=Seat.Driver.INVITED).exists():
            play.begin(match, now)
        else:
            _changed(match, list(match.seats.all()))
    return match


def _invite_again(match: Match, old: Seat, asking: Any) -> None:
    seat = Seat(match=match, index=old.index)
    if old.user_id is None:
        _seat_bot(seat, old.bot_level)
    elif old.user_id == asking.pk:
        _seat_user(seat, asking, cut_from("", ""))
    else:
        seat.user, seat.driver = old.user, Seat.Driver.INVITED
        seat.save()


def _dealer_after(match: Match) -> int:
    """Who deals after the last deal of a match; the same dealer if that deal was abandoned."""
    deal = match.deals.order_by("-number").first()
    if deal is None or deal.outcome is None:
        return deal.dealer if deal else 0
    return match.game().next_dealer(decode_sheet(deal.sheet), decode_outcome(deal.outcome))


def answer(match_id: int, user: Any, *, yes: bool, cut: tuple[str, str]) -> Match:
    """Accept or decline a seat that was kept for one. One "no" and there is no rematch. Raises Refusal."""
    now = timezone.now()
    with writing():
        match, seats, mine = _my_seat(match_id, user)
        _must_be_open(match)
        if mine.driver != Seat.Driver.INVITED:
            raise Refusal(_("You have answered already."))
        if not yes:
            _cancel(match)
            _changed(match, seats)
            return match
        _seat_user(mine, user, cut)
        _changed(match, seats)
        if all(s.driver in (Seat.Driver.USER, Seat.Driver.BOT) for s in seats):
            play.begin(match, now)
    return match


def give_up_all(user: Any) -> None:
    """Before an account is closed: every open seat is given back, every running one given up, in match order."""
    mine = Seat.objects.filter(user=user, match__status__in=[Match.Status.OPEN, Match.Status.RUNNING])
    for match_id, driver, index, status in mine.order_by("match_id").values_list(
        "match_id", "driver", "index", "match__status"
    ):
        if status == Match.Status.RUNNING:
            play.resign(match_id, index)
        elif driver == Seat.Driver.INVITED:
            answer(match_id, user, yes=False, cut=("", ""))
        else:
            leave(match_id, user)
