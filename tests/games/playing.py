"""How tests play: open a match, let persons and bots move by the same ways that the pages use."""

from collections.abc import Sequence
from typing import Any

from games import drafts, lobby, play, tables
from games.models import Match, Seat
from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld

CUT = ("00" * 16, "browser")


def opened(
    *users: Any, preset: str = "basic-rummy", bots: int = 0, pace: str = "1d", rated: bool = False, **chosen: Any
) -> Match:
    """A running match of these users, in seat order, and so many bots."""
    seats = ["open"] * (len(users) - 1) + ["easy"] * bots
    match = lobby.open_match(users[0], preset, seats=seats, pace=pace, chosen=chosen, cut=CUT, rated=rated)
    for user in users[1:]:
        lobby.join(match.pk, user, CUT)
    return Match.objects.get(pk=match.pk)


def seat_of(match: Match, user: Any) -> Seat:
    """The user's place."""
    return Seat.objects.get(match=match, user=user)


def mover(match: Match) -> Any:
    """The user whose turn it is, after the site has done its part; None when the match is over."""
    play.drive(match.pk)
    match.refresh_from_db()
    if match.turn is None:
        return None
    return Seat.objects.get(match=match, index=match.turn).user


def do(match: Match, user: Any, action: Action) -> None:
    """One action, as from a fresh page of this user."""
    board = tables.board(Match.objects.get(pk=match.pk), user)
    drafts.act(match.pk, seat_of(match, user), action, drafts.Seen.read(board.seen))
    match.refresh_from_db()


def legal(match: Match, user: Any) -> Sequence[Action]:
    """What the user may do now."""
    view = tables.board(Match.objects.get(pk=match.pk), user).view
    assert view is not None
    return view.legal


def take_turn(match: Match, user: Any) -> None:
    """A whole plain turn: draw from the stock, put down what can be put down, discard."""
    do(match, user, DrawStock())
    deal, turns = match.deal_number, _turns(match, user)
    while match.status == "running" and (match.deal_number, _turns(match, user)) == (deal, turns):
        if match.turn != seat_of(match, user).index:
            return
        options = legal(match, user)
        down = [a for a in options if isinstance(a, Meld | LayOff)]
        do(match, user, down[0] if down else next(a for a in options if isinstance(a, Discard)))


def _turns(match: Match, user: Any) -> int:
    view = tables.board(Match.objects.get(pk=match.pk), user).view
    return view.turns if view else 0


def play_on(match: Match, *, turns: int = 10_000) -> Match:
    """Play until the match is over or so many turns of persons have been taken."""
    for _turn in range(turns):
        user = mover(match)
        if user is None:
            break
        take_turn(match, user)
    match.refresh_from_db()
    return match
