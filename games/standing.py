"""Offers that stay open: when the match of an offer starts, the next one is opened in the same transaction.

All matches of an offer are a series. One of them waits for players; it rests, unlisted and without a seat to take,
while as many as its opener wants are being played.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from . import play, terms
from .models import Match, Seat
from .seats import all_sit, cancel, changed, cut_from, listed_anew, my_room, new_match, seat_bot, seat_user
from .writing import writing

MOST = 5
"""How many matches of one offer may run at once."""

COPIED = ("preset", "edition", "options", "memory", "title", "pace", "rated", "standing", "series_id", *terms.COPIED)


def begin(match: Match, seats: Sequence[Seat], now: datetime, level: str = "") -> None:
    """Start a locked match; bots of this level take the seats that are free. An offer that stays is made again."""
    bots = {seat.index: seat.bot_level for seat in seats if seat.driver == Seat.Driver.BOT}
    for seat in seats:
        if seat.driver == Seat.Driver.OPEN:
            seat_bot(seat, level)
    play.begin(match, now)
    listed_anew(match)
    if match.standing:
        _follow(match, bots, len(seats), now)


def begin_if_full(match: Match, seats: Sequence[Seat], now: datetime) -> None:
    """Deal when nobody is missing any more."""
    if all_sit(seats):
        begin(match, seats, now)


def offer(match: Match, most: int) -> None:
    """Make a match that has just been opened the first of a series."""
    match.standing, match.series = most, match
    match.save()


def _follow(match: Match, bots: dict[int, str], size: int, now: datetime) -> None:
    again = new_match(match.opener, created_at=now, **{name: getattr(match, name) for name in COPIED})
    for index in range(size):
        seat = Seat(match=again, index=index)
        if index == 0:
            seat_user(seat, match.opener, cut_from("", ""))
        elif index in bots:
            seat_bot(seat, bots[index])
        else:
            seat.save()


def awake(matches: "QuerySet[Match]") -> "QuerySet[Match]":
    """Those that do not rest."""
    same = Match.objects.filter(series=OuterRef("series"), status=Match.Status.RUNNING).order_by()
    count = same.values("series").annotate(n=Count("pk")).values("n")
    counted = matches.annotate(running=Coalesce(Subquery(count), 0))
    return counted.exclude(standing__gt=0, running__gte=F("standing"))


def rests(match: Match) -> bool:
    """Whether its opener plays as many of this offer as he wants."""
    running = Match.objects.filter(series=match.series_id, status=Match.Status.RUNNING)
    return match.standing > 0 and running.count() >= match.standing


def withdraw(match_id: int, user: Any) -> None:
    """The offer ends. What runs goes on; the match that waits is cancelled unless others sit there. Raises Refusal."""
    now = timezone.now()
    with writing():
        match, seats = my_room(match_id, user, _("Only the one who made the offer can withdraw it."))
        end(match)
        if not any(s.user_id not in (None, user.pk) for s in seats):
            cancel(match, now)
        changed(match, seats)


def end(match: Match) -> None:
    """No match follows in this series. The match itself is not yet saved."""
    if match.standing:
        Match.objects.filter(series=match.series_id).exclude(pk=match.pk).update(standing=0)
        match.standing = 0
