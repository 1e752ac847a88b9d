"""What all ways to a seat share: who takes it, who gives it back, who is told. Each needs the match locked."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import sanctions
from accounts.refusal import Refusal as Refusal

from . import fairness, nudge
from .apart import may_sit, not_open
from .bots import NAMES
from .models import Absence, Match, Seat
from .notices import tell
from .writing import locked

User = get_user_model()

MOST_WAITING = 20
"""How many matches of one opener may wait for players at a time."""
MOST_WITH_BOTS = 20
"""How many matches against bots alone one user may have running."""


def cut_from(made: str, typed: str) -> tuple[str, str]:
    """(cut, who made it): typed by the person, made in the browser, or made by the server and marked so.

    Raises Refusal for what cannot be a cut: a long text is never shortened in silence.
    """
    if typed.strip():
        try:
            return fairness.clean_cut(typed), "typed"
        except ValueError:
            raise Refusal(
                _("A cut has at most %(limit_value)d characters.") % {"limit_value": fairness.CUT_TEXT_MAX}
            ) from None
    if len(made) == 32 and all(c in "0123456789abcdef" for c in made.lower()):
        return fairness.clean_cut(made), "browser"
    return fairness.make_cut(), "server"


def new_match(user: Any, **fields: Any) -> Match:
    """A match without seats. The commitment to all numbers that will ever be dealt is made here."""
    chain = fairness.make_chain_seed()
    return Match.objects.create(
        opener=user, token=new_token(), chain=chain, commitment=fairness.link(chain, 0).hex(), **fields
    )


def new_token() -> str:
    """128 bits that nobody can guess: an invitation."""
    return secrets.token_hex(16)


def counted(user: Any) -> None:
    """What a user may have so many of is counted one act at a time. Comes before the lock of a match.

    Raises Refusal for an account that was closed, or shut out, after its page was asked for: it sits down nowhere. The
    row can still be pointed at: whoever sits this user down elsewhere does not wait.
    """
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not row.is_active:
        raise Refusal(_("Your account is closed. Thank you for having played here."))
    if row.is_barred:
        sanctions.must_be_free(row, "play")


def no_more_than_allowed(user: Any, *, bots_only: bool) -> None:
    """Raise Refusal when a user, being counted, has enough matches that wait, or that are played against bots."""
    if bots_only:
        mine = Match.objects.filter(opener=user, status=Match.Status.RUNNING)
        with_people = Seat.objects.filter(user__isnull=False).exclude(user=user)
        if mine.exclude(pk__in=with_people.values("match")).count() >= MOST_WITH_BOTS:
            raise Refusal(_("You have many matches with bots already. Finish one of them first."))
    elif Match.objects.filter(opener=user, status=Match.Status.OPEN).count() >= MOST_WAITING:
        raise Refusal(_("Many matches of yours are waiting for players. Give one of them back first."))


def seat_user(seat: Seat, user: Any, cut: tuple[str, str]) -> None:
    """A person sits down and has cut the pack."""
    seat.user, seat.driver, seat.driven_by = user, Seat.Driver.USER, user
    seat.cut, seat.cut_by = cut
    seat.save()


def seat_bot(seat: Seat, level: str) -> None:
    """A bot with a name of its own sits down."""
    taken = set(Seat.objects.filter(match=seat.match).values_list("bot_name", flat=True))
    seat.driver, seat.bot_level = Seat.Driver.BOT, level
    seat.bot_name = next(name for name in NAMES if name not in taken)
    seat.cut, seat.cut_by = fairness.make_cut(), "server"
    seat.save()


def empty(seat: Seat) -> None:
    """The seat is free again."""
    seat.user, seat.driver, seat.driven_by, seat.cut, seat.cut_by = None, Seat.Driver.OPEN, None, "", ""
    seat.save()


def all_sit(seats: Sequence[Seat]) -> bool:
    """Whether the cards can be dealt."""
    return all(s.driver in (Seat.Driver.USER, Seat.Driver.BOT) for s in seats)


def my_seat(match_id: int, user: Any) -> tuple[Match, list[Seat], Seat]:
    """The match, locked, its seats, and the one of this user. Raises Match.DoesNotExist."""
    match = locked(match_id)
    seats = list(match.seats.select_related("user").order_by("index"))
    mine = next((s for s in seats if s.user_id == user.pk), None)
    if mine is None:
        raise Match.DoesNotExist
    return match, seats, mine


def my_room(match_id: int, user: Any, only: str) -> tuple[Match, list[Seat]]:
    """The match, locked and not begun, of which this user is the opener; ``only`` is the sentence for others."""
    match, seats, _mine = my_seat(match_id, user)
    must_be_open(match)
    if match.opener_id != user.pk:
        raise Refusal(only)
    return match, seats


def must_be_open(match: Match) -> None:
    """Raise Refusal when a match has begun or ended."""
    if match.status == Match.Status.RUNNING:
        raise Refusal(_("The match has started. You can resign at its table."))
    if match.status != Match.Status.OPEN:
        raise Refusal(_("This match has ended."))


def must_not_be_away(match: Match, user: Any) -> None:
    """Raise Refusal for one whom the opener has removed. Who declined may still come in by another way."""
    if Absence.objects.filter(match=match, user=user, why=Absence.Why.REMOVED).exists():
        raise Refusal(not_open())


def must_be_known(match: Match, user: Any) -> None:
    """Raise Refusal for a guest where ratings change, and for one who is barred from rated play."""
    if match.rated and user.is_guest:
        raise Refusal(only_known())
    if match.rated:
        sanctions.must_be_free(user, "rated")


def only_known() -> str:
    """Why a guest cannot sit down."""
    return _("This match is rated: it is for players with an account. Keep yours first, then sit down.")


def must_not_be_apart(seats: Sequence[Seat], user: Any) -> None:
    """Raise Refusal where somebody sits, or is asked, with whom the user is never to be paired; it does not say so."""
    if not may_sit(user.pk, seats):
        raise Refusal(not_open())


def cancel(match: Match, now: datetime) -> None:
    """The match will not be played. Not yet saved."""
    match.status, match.ended_at = Match.Status.CANCELLED, now


def changed(match: Match, seats: Sequence[Seat]) -> None:
    """A page of a match that has not started shows something else now."""
    match.version += 1
    match.save()
    told = {s.user_id for s in seats if s.user_id}
    transaction.on_commit(lambda: nudge.changed(match.pk, match.version, told), robust=True)
    listed_anew(match)


def listed_anew(match: Match) -> None:
    """After the commit whoever looks at the lobby sees another list, unless this match has never been in it."""
    if not match.private:
        transaction.on_commit(nudge.lobby, robust=True)


def lost(match_id: int, user_id: int) -> None:
    """After the commit the sockets of one who has no seat any more ask again what they may watch."""
    transaction.on_commit(lambda: nudge.seat_lost(match_id, user_id), robust=True)


def joined(match: Match, user: Any) -> None:
    """The opener is told that somebody has sat down."""
    if match.opener_id != user.pk:
        tell("accepted", [match.opener_id], match, {"by": user.pk}, key=f"{user.pk}.{match.version}")


def declined(match: Match, seats: Sequence[Seat], user: Any) -> None:
    """A seat that was kept will stay empty: its opener is told; of a rematch all who have said yes, for it is off."""
    told = {match.opener_id}
    if match.rematch_of_id is not None:
        told = {seat.user_id for seat in seats if seat.driver == Seat.Driver.USER and seat.user_id}
    tell("declined", told - {user.pk}, match, {"by": user.pk}, key=f"{user.pk}.{match.version}")
