"""Looking at the hands of a deal that is being played: the last resort against cheating, for seniors with a reason.

Each look is kept (HandsSeen, and an entry in the audit log) before a card is shown, and its players are told after the
deal (notices/events.py, the page about the chance of the match). Who has looked gets no seat at that match any more.
The pack is shown to nobody.
"""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit, roles
from games import tape
from games.models import HandsSeen, Match
from games.rules.cards import Card, by_suit
from games.seats import Refusal
from games.tables import name_of
from games.writing import locked, writing

from . import fit


@dataclass(frozen=True, slots=True)
class Shown:
    """The hands of deal ``deal`` after ``move`` moves of the match, by seat: the name, and the cards by suit."""

    match: Match
    deal: int
    move: int
    hands: tuple[tuple[str, tuple[Card, ...]], ...]


def why_not(by: Any, match: Match) -> str:
    """Why somebody who has the permission cannot look now, as a sentence; empty if he can."""
    if refused := fit.why_not(by, match):
        return refused
    if match.status == Match.Status.OVER:
        return _("This match is over. Its cards are public: everybody can replay its deals.")
    if match.status != Match.Status.RUNNING or not match.deal_number:
        return _("Nothing has been dealt at this match.")
    if tape.current_deal(match).ended_at is not None:
        return _("No deal is being played just now. The last one is over and public.")
    return ""


def look(match_id: int, *, by: Any, reason: str) -> Shown:
    """Note the look, and show the hands of this moment. Raises Refusal, and then nothing is noted or shown."""
    if not roles.may(by, "see_hands"):
        raise Refusal(_("This takes the permission to see hands."))
    if not reason.strip():
        raise Refusal(_("Write down why."))
    with writing():
        match = locked(match_id)
        if refused := why_not(by, match):
            raise Refusal(refused)
        deal = tape.current_deal(match)
        read = tape.read(match, deal)
        HandsSeen.objects.create(by=by, match=match, deal=deal, move=match.moves, why=reason.strip(), at=timezone.now())
        details = {"deal": deal.number, "move": match.moves}
        audit.enter(by, "see_hands", reason=reason, target=match, details=details)
        names = [name_of(seat) for seat in match.seated()]
        hands = tuple((name, tuple(by_suit(hand))) for name, hand in zip(names, read.table.hands, strict=True))
    return Shown(match, deal.number, match.moves, hands)


def told(match: Match) -> list[HandsSeen]:
    """The looks of which the players can know: those at deals that are over, oldest first."""
    return list(HandsSeen.objects.filter(match=match, told_at__isnull=False).select_related("deal").order_by("pk"))
