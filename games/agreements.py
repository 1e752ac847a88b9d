"""What those at a table agree on about its time: a pause, going live, and time that one gives to another.

Everybody who plays has to say yes; bots always do. Each act locks the match, and the clock acts first where it is due.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from . import clock, halts, presence, worktime
from .models import Match, Move, Seat
from .notices import tell
from .paces import PACES
from .pen import Pen, running
from .seats import Refusal
from .tape import Aside
from .writing import writing

LASTS = {"pause": timedelta(days=7), "live": timedelta(minutes=10)}
"""How long an answer to a proposal is awaited."""
PATIENCE = {"pause": timedelta(hours=6), "live": timedelta(minutes=1)}
"""How long a seat to which somebody has said no waits before it proposes the same again in that deal. Whether to go
live is asked while all are at the table, so that answers come at once.
"""


def may_ask_from(asides: Iterable[Aside], seat: int, kind: str, now: datetime) -> datetime | None:
    """From when on this seat may propose that again; None if it may now."""
    asked = refused = None
    for aside in asides:
        if aside.what in ("asked_pause", "asked_live"):
            asked = aside
        elif aside.what == "declined" and asked is not None and (asked.seat, asked.what) == (seat, f"asked_{kind}"):
            refused = aside.at
    again = refused + PATIENCE[kind] if refused else None
    return again if again and again > now else None


def proposed(match: Match, now: datetime) -> dict[str, Any] | None:
    """The proposal that waits for answers, if there is one."""
    told: dict[str, Any] | None = match.proposal
    return told if told and datetime.fromisoformat(told["until"]) > now else None


def propose(match_id: int, user: Any, kind: str) -> None:
    """Propose a pause or to go live. With bots alone it is agreed at once. Raises Refusal."""

    def act(pen: Pen, seat: Seat) -> None:
        match = pen.match
        if PACES[match.pace].kind != "correspondence":
            raise Refusal(_("Only a match by correspondence can be paused or go live."))
        if match.paused_at or match.live_at:
            raise Refusal(_("Not now: the match is paused or is played live."))
        if proposed(match, pen.now):
            raise Refusal(_("There is a proposal already that waits for answers."))
        if may_ask_from(pen.tape.asides, seat.index, kind, pen.now):
            raise Refusal(_("The answer was no a short while ago. Leave a little more time before you ask again."))
        if kind == "live" and not all_here(match, pen.seats):
            raise Refusal(_("Not all who play are at the table now."))
        match.proposal = {
            "kind": kind,
            "seat": seat.index,
            "agreed": [seat.index],
            "until": (pen.now + LASTS[kind]).isoformat(),
        }
        pen.note(seat.index, {"type": f"asked_{kind}"}, Move.By.USER)
        others = [one.driven_by_id for one in persons(pen.seats) if one.index != seat.index]
        tell("asked", others, match, {"by": user.pk, "what": kind}, key=str(match.moves))
        _conclude(pen)

    _act(match_id, user, act)


def answer(match_id: int, user: Any, *, yes: bool) -> None:
    """Agree to what is proposed, or not. A second answer changes nothing. Raises Refusal."""

    def act(pen: Pen, seat: Seat) -> None:
        told = _must_be_proposed(pen)
        if seat.index in told["agreed"]:
            return
        asking = pen.seats[told["seat"]].driven_by_id
        tell("answered", [asking], pen.match, {"by": user.pk, "yes": yes}, key=f"{pen.match.version}.{seat.index}")
        if yes:
            pen.match.proposal = told | {"agreed": sorted({*told["agreed"], seat.index})}
            _conclude(pen)
        else:
            pen.match.proposal = None
            pen.note(seat.index, {"type": "declined"}, Move.By.USER)

    _act(match_id, user, act)


def withdraw(match_id: int, user: Any) -> None:
    """Take the own proposal back. Raises Refusal."""

    def act(pen: Pen, seat: Seat) -> None:
        if _must_be_proposed(pen)["seat"] != seat.index:
            raise Refusal(_("Only the one who proposed it can take it back."))
        pen.match.proposal = None
        pen.note(seat.index, {"type": "withdrew"}, Move.By.USER)

    _act(match_id, user, act)


def go_on(match_id: int, user: Any) -> None:
    """End a pause; anybody may. Raises Refusal."""

    def act(pen: Pen, seat: Seat) -> None:
        if pen.match.paused_at is None:
            raise Refusal(_("The match is not paused."))
        halts.go_on(pen, seat.index)

    _act(match_id, user, act)


def go_back(match_id: int, user: Any) -> None:
    """Back to correspondence; anybody may, at once. Raises Refusal."""

    def act(pen: Pen, seat: Seat) -> None:
        if pen.match.live_at is None:
            raise Refusal(_("The match is played by correspondence already."))
        halts.go_back(pen, seat, "went_back", Move.By.USER)

    _act(match_id, user, act)


def give_time(match_id: int, user: Any) -> None:
    """Give the seat to move the time of one turn more, once a turn. Raises Refusal."""

    def act(pen: Pen, seat: Seat) -> None:
        match = pen.match
        if not may_give(pen, seat.index):
            raise Refusal(_("You can give time once a turn, by correspondence, to another player who is to move."))
        assert match.turn is not None and match.due_at is not None
        clock.settle(match, pen.seats, pen.now)
        to = pen.seats[match.turn]
        off = clock.off_of(match, pen.seats, to, pen.now)
        clock.ring_at(match, worktime.later(max(match.due_at, pen.now), PACES[match.pace].allowance, off))
        pen.note(seat.index, {"type": "time_given", "to": match.turn}, Move.By.USER)
        tell("time_given", [to.driven_by_id], match, {"by": user.pk}, key=str(match.moves))

    _act(match_id, user, act)


def may_give(pen: Pen, seat: int) -> bool:
    """Whether this seat has not yet given time in the turn in progress, and there is somebody to give it to."""
    match, turns = pen.match, pen.tape.table.turns
    if match.due_at is None or match.turn == seat or not clock.by_correspondence(match):
        return False
    return not any(one.what == "time_given" and one.seat == seat and one.turn == turns for one in pen.tape.asides)


def persons(seats: list[Seat]) -> list[Seat]:
    """Those who play, without bots."""
    return [seat for seat in seats if seat.driver == Seat.Driver.USER]


def all_here(match: Match, seats: list[Seat]) -> bool:
    """Whether at least two play, and all of them are at the table."""
    users = {seat.driven_by_id for seat in persons(seats) if seat.driven_by_id is not None}
    return len(users) > 1 and presence.here(match.pk, users) == users


def _must_be_proposed(pen: Pen) -> dict[str, Any]:
    told = proposed(pen.match, pen.now)
    if told is None:
        raise Refusal(_("There is no proposal any more."))
    return told


def _conclude(pen: Pen) -> None:
    """Do what is proposed as soon as nobody's answer is missing."""
    told = pen.match.proposal
    assert told is not None
    if {seat.index for seat in persons(pen.seats)} <= set(told["agreed"]):
        (halts.pause if told["kind"] == "pause" else halts.go_live)(pen, told["seat"])


def _act(match_id: int, user: Any, act: Callable[[Pen, Seat], None]) -> None:
    """One act of a seat in one transaction. Raises Stale, Seat.DoesNotExist and Match.DoesNotExist.

    Where somebody is overdue only the clock acts, and whoever came too late is told.
    """
    now = timezone.now()
    with writing():
        pen = running(match_id, now)
        seat = pen.seats[pen.driven_by(user)]
        late = clock.is_late(pen.match, now)
        if late:
            halts.overdue(pen)
        else:
            act(pen, seat)
        pen.close()
    if late:
        raise Refusal(_("The time for this turn was up a moment ago. Look at the table again."))
