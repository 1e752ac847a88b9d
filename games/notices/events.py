"""What a move of a match tells whom. The pen says what happened; who caused it is never told."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.models import Deal, HandsSeen, Match, Notice, Seat, Tenure

from .outbox import tell


@dataclass(frozen=True, slots=True)
class Happened:
    """What came of one submission. ``acted``: seats whose persons moved in it; ``played``: seats for which the clock
    moved; ``left``: seats given up; ``turn``: the one in progress, told once, as (deal, number of the turn in it);
    ``order``: how the standing order of that seat has just ended, for its driver's eyes alone.
    """

    match: Match
    seats: Sequence[Seat]
    now: datetime
    acted: Collection[int]
    played: Collection[int] = ()
    left: Collection[int] = ()
    deal_over: bool = False
    turn: tuple[int, int] | None = None
    order: str = ""


def follow(what: Happened) -> None:
    """Write the notices of all that happened."""
    match, number = what.match, what.match.moves
    for index in what.played:
        _seen_to(what, index)
        tell("clock_played", [_person(what.seats[index])], match, {"deal": match.deal_number}, key=str(number))
    over = match.status == Match.Status.OVER
    if over:
        tell("match_over", _others(what), match, key=str(number) if match.ruled else "")
    elif what.deal_over:
        persons = [what.seats[i].driven_by_id for i in _driven(what) if i not in what.acted]
        tell("deal_over", persons, match, {"deal": match.deal_number}, key=str(match.deal_number))
    for index in () if over else what.left:
        tell("given_up", _others(what), match, {"by": what.seats[index].user_id}, key=str(index))
    if what.turn is not None:
        _your_turn(what, *what.turn)


def deal_ended(match: Match, deal: Deal, now: datetime) -> None:
    """However a deal has ended: all who played in this match are told if a moderator looked at its hands."""
    if HandsSeen.objects.filter(deal=deal, told_at=None).update(told_at=now):
        users = Tenure.objects.filter(seat__match=match, user__isnull=False).values_list("user", flat=True)
        tell("hands_seen", users, match, {"deal": deal.number}, key=str(deal.number))


def _others(what: Happened) -> list[int | None]:
    """Whose result it is, and who plays for them."""
    others = [seat for seat in what.seats if seat.index not in what.acted]
    return [user for seat in others for user in (seat.user_id, seat.driven_by_id)]


def _person(seat: Seat) -> int | None:
    """Who drives a seat, or has just lost it."""
    return seat.driven_by_id or seat.user_id


def _driven(what: Happened) -> list[int]:
    """The seats at which a person plays."""
    return [seat.index for seat in what.seats if seat.driver == Seat.Driver.USER]


def _your_turn(what: Happened, deal: int, turn: int) -> None:
    """Somebody waits for a person. Against bots alone nobody does, and whoever has just moved knows it."""
    index, persons = what.match.turn, _driven(what)
    if index in persons and index not in what.acted and len(persons) > 1:
        about = {"deal": deal} | ({"order": what.order} if what.order else {})
        tell("your_turn", [what.seats[index].driven_by_id], what.match, about, key=f"{deal}.{turn}")


def _seen_to(what: Happened, index: int) -> None:
    """A turn that the clock has played is waited for no longer."""
    mine = Notice.objects.filter(user=_person(what.seats[index]), match=what.match, read_at=None)
    mine.filter(kind__in=["your_turn", "reminder"]).update(read_at=what.now)
