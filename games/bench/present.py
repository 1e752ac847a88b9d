"""What goes on just now on the generated site: running and open matches as rows, and a few that can be played on."""

from datetime import timedelta
from typing import Any

from django.db import transaction

from games import lobby
from games.models import Match, Seat

from .pouring import pour, settle
from .seasons import POURED, Seasons

OPEN, REAL = 100, 20
"""Matches in the lobby, and matches of the busy user that can be played on."""
HOURS = 72


def begin(made: Seasons) -> list[Match]:
    """Running and open matches; those that can be played, between the first two users."""
    _pour(made, Match(status="running", deal_number=1, moves=9, pace="1d", turn=0, memory="all"), made.size.running)
    _pour(made, Match(status="open", pace="2d", memory="all"), min(OPEN, made.size.running))
    settle(*POURED)  # what follows takes the numbers that the database gives
    return [_real(made.users[0], made.users[1]) for _match in range(min(REAL, made.size.running))]


def _pour(made: Seasons, pattern: Match, count: int) -> None:
    rng, matches, seats = made.rng, list[Match](), list[Seat]()
    for _n in range(count):
        one, other = rng.sample(made.users[2:], 2)
        match = made.blank(pattern, 2)
        match.opener_id = one.pk
        match.created_at = made.end - timedelta(seconds=rng.randrange(HOURS * 3600))
        if match.status == "running":
            match.started_at = match.turn_at = match.counted_at = match.created_at
            match.due_at = made.end + timedelta(hours=1, seconds=rng.randrange(HOURS * 3600))
            match.wake_at = match.due_at + timedelta(minutes=1)
        matches.append(match)
        seats.append(made.seat(match, 0, one))
        seats.append(made.seat(match, 1, other) if match.status == "running" else made.free_seat(match, 1))
    with transaction.atomic():
        pour(Match, matches)
        pour(Seat, seats)


def _real(user: Any, other: Any) -> Match:
    match = lobby.open_match(user, "basic-rummy", seats=["open"], pace="14d", chosen={"target": 10_000})
    lobby.join(match.pk, other, lobby.cut_from("", ""))
    return match
