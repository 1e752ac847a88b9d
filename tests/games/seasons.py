"""Whole matches of persons in the test's own speed: everybody plays as an easy bot would, by the only way of a move."""

from random import Random
from typing import Any

from games import play, tape
from games.bots import LEVELS
from games.models import Match, Move, Seat
from games.rules.view import see

from .playing import opened


def turn(match: Match, rng: Random) -> bool:
    """What the site has to do, then one turn of the person to move; False when the match is over."""
    play.drive(match.pk)
    match.refresh_from_db()
    if match.turn is None:
        return False
    read = tape.read(match, tape.current_deal(match))
    table, actions, seat = read.table, [], match.turn
    while table.actor == seat and table.turns == read.table.turns:
        view = see(read.game, table, read.sheet, seat, match.memory)
        actions.append(LEVELS["easy"](view, read.game, rng))
        table = read.game.apply(table, seat, actions[-1])
    play.submit(match.pk, seat, actions, by=Move.By.USER)
    match.refresh_from_db()
    return True


def played(*users: Any, turns: int = 400, seed: int = 1, **chosen: Any) -> Match:
    """A match that these users have played until its end, or for so many turns."""
    match, rng = opened(*users, **chosen), Random(seed)
    for _turn in range(turns):
        if match.status != Match.Status.RUNNING or not turn(match, rng):
            break
    match.refresh_from_db()
    return match


def index_of(match: Match, user: Any) -> int:
    """Where a user sits."""
    return Seat.objects.get(match=match, user=user).index
