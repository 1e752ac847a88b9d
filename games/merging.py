"""A guest signs in to an account: the guest's seats move there. Called by accounts through ACCOUNT_MERGE.

Also says who is at play, for the daily pruning of guests (ACCOUNT_AT_PLAY).

A seat moves with all that is its own: cut, unfinished turn, order of the hand, note, result and what it adds to the
summaries, what was said there.
Matches at which both sit stay as they are: nobody plays against himself.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet

from . import ledgers, nudge, observing, people, summaries
from .lists import Row, rows
from .models import Listener, Match, Message, Note, Seat, Tenure
from .moderation import reports
from .notices.outbox import hand_over
from .writing import locked, writing

User = get_user_model()

STATES = (Match.Status.OPEN, Match.Status.RUNNING, Match.Status.OVER)


@dataclass(frozen=True, slots=True)
class Offer:
    """The matches of a guest as rows of a list: those that would move and those where both sit."""

    moving: list[Row]
    staying: list[Row]


def offer(guest: Any, account: Any) -> Offer:
    """What would move if it were done now."""
    both = Seat.objects.filter(Q(user=account) | Q(driven_by=account)).values("match")
    mine = _matches_of(guest)
    return Offer(
        moving=rows(mine.exclude(pk__in=both).order_by("-pk"), guest),
        staying=rows(mine.filter(pk__in=both).order_by("-pk"), guest),
    )


def _matches_of(user: Any) -> "QuerySet[Match]":
    return Match.objects.filter(pk__in=Seat.objects.filter(user=user).values("match"), status__in=STATES)


def at_play(since: datetime) -> Any:
    """Ids of users with a seat at a match that runs or ended since then; what waits for players waits in vain."""
    alive = Q(match__status=Match.Status.RUNNING) | Q(match__ended_at__gte=since)
    return Seat.objects.filter(alive, user__isnull=False).values("user")


def move(guest: Any, account: Any) -> int:
    """Move every seat of the guest that can, all or none; how many. A guest who has kept the account keeps them."""
    with writing():
        users = User.objects.filter(pk__in=[guest.pk, account.pk], is_active=True).order_by("pk")
        # the rows can still be pointed at: a move that tells one of the two something holds a match that is wanted here
        known = {user.pk: user for user in users.select_for_update(no_key=True)}
        if len(known) != 2 or not known[guest.pk].is_guest:
            return 0
        people.move(guest, account)
        reports.move(guest, account)
        numbers = list(_matches_of(guest).order_by("pk").values_list("pk", flat=True))
        matches = [locked(pk) for pk in numbers]
        ledgers.lock([guest.pk, account.pk])
        return sum(_move(match, guest, account) for match in matches)


def _move(match: Match, guest: Any, account: Any) -> bool:
    """Move the seat at a locked match, unless the account sits there too."""
    seats = list(match.seats.order_by("index"))
    if any(account.pk in (seat.user_id, seat.driven_by_id) for seat in seats):
        return False
    summaries.move(match, seats, guest.pk, account.pk)
    for seat in seats:
        if seat.user_id == guest.pk:
            _tell(match, seat, account)
            seat.user = account
            if seat.driven_by_id == guest.pk:
                seat.driven_by = account
                if seat.index == match.turn:
                    hand_over(guest, account, match)
            seat.save(update_fields=["user", "driven_by"])
            observing.moved(match.pk, seat.index, guest.pk, account.pk)
    Note.objects.filter(match=match, user=guest).update(user=account)
    Message.objects.filter(match=match, user=guest).update(user=account)
    Listener.objects.filter(match=match, user=guest).update(user=account)
    if match.opener_id == guest.pk:
        match.opener = account
    match.version += 1
    match.save(update_fields=["opener", "version"])
    told = {seat.user_id for seat in seats if seat.user_id}
    transaction.on_commit(lambda: nudge.changed(match.pk, match.version, told), robust=True)
    transaction.on_commit(lambda: nudge.seat_lost(match.pk, guest.pk), robust=True)
    return True


def _tell(match: Match, seat: Seat, account: Any) -> None:
    """A row that says since when the seat is the account's; before the start there are none."""
    if match.status == Match.Status.OPEN:
        return
    now = Tenure(seat=seat, driver=seat.driver, user=account, why="moved")
    if Tenure.objects.filter(seat=seat, to_move=None, user=seat.user_id).update(to_move=match.moves):
        now.from_move = match.moves + 1
    else:  # others drive it, or the match has ended: only whose result it is has changed
        now.from_move = now.to_move = match.moves
    now.save()
