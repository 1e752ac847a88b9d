"""Matches with a bank, days off and vacations, and plain turns in them."""

import datetime as dt
from typing import Any

from games import lobby
from games.models import Match
from games.rules.actions import Discard, DrawStock
from games.terms import Terms

from .playing import CUT, do, legal

DAY = 24 * 3600
FRIDAY = dt.datetime(2026, 6, 5, 12, tzinfo=dt.UTC)


def with_terms(*users: Any, pace: str = "1d", **terms: Any) -> Match:
    """A running match of basic rummy that no deal ends soon."""
    seats = ["open"] * (len(users) - 1)
    match = lobby.open_match(
        users[0], "basic-rummy", seats=seats, pace=pace, chosen={"target": 10_000}, cut=CUT, terms=Terms(**terms)
    )
    for user in users[1:]:
        lobby.join(match.pk, user, CUT)
    return Match.objects.get(pk=match.pk)


def plain_turn(match: Match, user: Any) -> None:
    """Draw and discard."""
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))


def other(user: Any, *users: Any) -> Any:
    """Somebody else."""
    return next(one for one in users if one != user)


def asides(match: Match) -> list[str]:
    """The notes on the tape."""
    return [m.action["type"] for m in match.tape.all() if m.action["type"] not in ("deal", "draw_stock", "discard")]
