"""A match as JSON of a documented, versioned form (docs/match-file.md): everything of its ended deals, and no other.

Who may have it is asked before. What stands in it is public at the table once a deal is over.
"""

from typing import Any

from django.utils import translation

from games.models import Match, Move, Seat
from games.rulings_told import RULINGS
from games.tables import name_of

FORMAT, VERSION = "rummysite-match", 2
STARTED = (Match.Status.RUNNING, Match.Status.OVER)


def exported(match: Match) -> dict[str, Any]:
    """A match that has started; its seats and ended deals are looked up unless they are prefetched."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    told: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "id": match.pk,
        "preset": match.preset,
        "edition": match.edition,
        "options": match.options,
        "memory": match.memory,
        "title": match.title,
        "pace": match.pace,
        "seats": [_seat(seat) for seat in seats],
        "commitment": match.commitment,
        "cuts": [seat.cut for seat in seats],
        "started_at": _time(match.started_at),
        "deals": [
            {**told_record(deal.record or {}), "started_at": _time(deal.started_at), "ended_at": _time(deal.ended_at)}
            for deal in match.deals.filter(ended_at__isnull=False).order_by("number")
        ],
        "rulings": _rulings(match),
        "result": _result(match),
    }
    if match.rematch_of_id is None:  # in a rematch the seats take turns, and chance names nobody
        told["first_dealer"] = match.first_dealer
    return told


def told_record(record: dict[str, Any]) -> dict[str, Any]:
    """A Record without the numbers by which the site knows its users: who took a seat over is no part of the play."""
    steps = [{**one, "action": {k: v for k, v in one["action"].items() if k != "user"}} for one in record["steps"]]
    return {**record, "steps": steps}


def _seat(seat: Seat) -> dict[str, Any]:
    with translation.override("en"):  # the file is the same for every reader
        name = name_of(seat)
    person = seat.user_id is not None
    return {
        "name": name,
        "kind": "person" if person else "bot",
        "level": "" if person else seat.bot_level,
        "cut_by": seat.cut_by,
        "given_up": seat.given_up_at is not None,
    }


def _rulings(match: Match) -> list[dict[str, Any]]:
    """What moderators have decided about deals and the match, in the order of the tape; who they are is not told."""
    if not match.ruled:
        return []
    made = match.tape.filter(by=Move.By.MODERATOR, action__type__in=sorted(RULINGS)).order_by("number")
    return [{"n": move.number, "at": _time(move.at), "action": move.action} for move in made]


def _result(match: Match) -> dict[str, Any]:
    return {
        "status": str(match.status),
        "ending": str(match.ending),
        "totals": match.totals,
        "winners": match.winners,
        "ended_at": _time(match.ended_at),
    }


def _time(at: Any) -> str | None:
    return at.isoformat() if at is not None else None
