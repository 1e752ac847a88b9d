"""The bench: reliable players who like to take over a seat that its user has lost. Whom to ask, and asking them.

Accepting stands in absence.py. Needs the match locked.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F, Max, Q
from django.utils import timezone

from .apart import without_apart
from .clock import pace_of
from .models import BenchPlace, HandsSeen, Match, Move, Seat, SeatOffer, Tenure
from .notices import tell

User = get_user_model()

ASKED = 3
"""How many are asked at a time."""
LOOKED_AT = 30
"""How many of the bench are looked at, those first who were asked longest ago."""
OPEN_FOR = {"correspondence": timedelta(hours=12), "live": timedelta(minutes=10)}

TURNS = 20
"""So many last turns of a user say how reliable he is; with fewer than half of them nothing is known yet."""
MISSED = 1
"""So many of them may have been played by the clock."""


def reliable(made_by: Sequence[str]) -> bool:
    """The rule: of the last 20 turns at least 10 were played at all, and at most one of them by the clock."""
    last = made_by[:TURNS]
    return len(last) >= TURNS // 2 and sum(by == Move.By.CLOCK for by in last) <= MISSED


def last_turns(user: Any) -> list[str]:
    """By whom the last turns were ended that fell to this user, the newest first: himself, or the clock for him."""
    mine = Tenure.objects.filter(user=user, driver=Seat.Driver.USER).order_by("-pk")[:10]
    turns = Q(pk__in=())
    for one in mine.select_related("seat"):
        turn = Q(match=one.seat.match_id, seat=one.seat.index, number__gte=one.from_move)
        turns |= turn & Q(number__lte=one.to_move) if one.to_move is not None else turn
    ended = Move.objects.filter(turns, action__type="discard", by__in=[Move.By.USER, Move.By.CLOCK])
    return list(ended.order_by("-at", "-pk").values_list("by", flat=True)[:TURNS])


def ask(match: Match, seat: Seat, now: datetime) -> list[SeatOffer]:
    """Offer a seat to some of the bench who may sit there, and tell them. Nobody is asked twice for a seat."""
    pace = pace_of(match)
    if pace.kind not in OPEN_FOR:
        return []
    here = [user for one in match.seats.all() for user in (one.user_id, one.driven_by_id)]
    bench = without_apart(_may_sit(match, seat, pace.kind), here)[:LOOKED_AT]
    chosen = islice((user for user in bench if reliable(last_turns(user))), ASKED)
    offers = [SeatOffer(seat=seat, user=user, at=now, until=now + OPEN_FOR[pace.kind]) for user in chosen]
    for offer in offers:
        offer.save()
        tell("seat_offered", [offer.user_id], match, {"offer": offer.pk}, key=str(offer.pk))
    return offers


def knows_another_hand(seat: Seat, user: Any) -> bool:
    """Whether somebody has driven another seat of the match, or looked at its hands as a moderator: who has seen one
    hand of it gets no other one to see."""
    if HandsSeen.objects.filter(match=seat.match_id, by=user).exists():
        return True
    return Tenure.objects.filter(seat__match=seat.match_id, user=user).exclude(seat=seat).exists()


def _may_sit(match: Match, seat: Seat, kind: str) -> Any:
    """Users of the bench who have never sat on another seat there, those first who were asked longest ago."""
    here = Seat.objects.filter(match=match)
    bench = BenchPlace.objects.filter(preset=match.preset, kind=kind).values("user")
    users = User.objects.filter(pk__in=bench, is_active=True, is_guest=False).exclude(barred_until__gt=timezone.now())
    users = users.exclude(pk__in=here.filter(user__isnull=False).values("user"))
    users = users.exclude(pk__in=here.filter(driven_by__isnull=False).values("driven_by"))
    elsewhere = Tenure.objects.filter(seat__in=here.exclude(pk=seat.pk), user__isnull=False)
    users = users.exclude(pk__in=elsewhere.values("user"))
    users = users.exclude(pk__in=HandsSeen.objects.filter(match=match).values("by"))
    users = users.exclude(pk__in=SeatOffer.objects.filter(seat=seat).values("user"))
    return users.annotate(asked=Max("seat_offers__at")).order_by(F("asked").asc(nulls_first=True), "pk")


def forget(user: Any) -> None:
    """Before an account is closed: it is asked for no seat (ACCOUNT_BEFORE_CLOSE)."""
    BenchPlace.objects.filter(user=user).delete()
    SeatOffer.objects.filter(user=user, answer="").update(answer=SeatOffer.Answer.DECLINED)
