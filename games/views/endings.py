"""How a match came out: the result first, the places, the running scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.lists import WON
from games.models import Match
from games.rules.cards import Card
from games.tables import Board, Result, SeatSeen
from games.wording import initial, seat_name

from .reveals import final_sums


@dataclass(frozen=True, slots=True)
class Line:
    """The running score of a seat as points of a graph, in percent, and the height of its end."""

    seat: SeatSeen
    initial: str
    points: str
    end: str


@dataclass(frozen=True, slots=True)
class MatchShown:
    """How a match came out. ``places``: (seat, name, deals won, total), best first."""

    headline: str
    reason: str
    won: bool
    places: list[tuple[SeatSeen, str, str, int]]
    last_meld: tuple[Card, ...]
    last_words: str
    graph: list[Line]
    finals: list[list[tuple[SeatSeen, list[tuple[str, int]], int]]]
    deals: int
    goal: str
    number: int


def match_shown(board: Board, results: Sequence[Result]) -> MatchShown:
    """The end of a match, result first."""
    match = board.match
    won = {seat.index: sum(_took(r, seat.index) for r in results) for seat in board.seats}
    ranked = places(board)
    meld = _last_meld(board)
    top = max([board.options.target if board.options.match_end == "points" else 1, 1, *match.totals])
    return MatchShown(
        headline=match_headline(board, ranked),
        reason=ending(board),
        won=board.me is not None and board.seats[board.me].side in match.winners and not _plays_for_another(board),
        places=[(seat, seat_name(seat), _deals_won(won[seat.index]), seat.total) for seat in ranked],
        last_meld=meld[1] if meld else (),
        last_words=(
            _("Your last meld") if meld[0].is_me else _("The last meld of {name}").format(name=seat_name(meld[0]))
        )
        if meld
        else "",
        graph=_graph(board, results, top),
        finals=final_sums(board, results[-1]) if results else [],
        deals=len(results),
        goal=_height(board.options.target, top) if board.options.match_end == "points" else "",
        number=match.deal_number,
    )


def _plays_for_another(board: Board) -> bool:
    return board.me is not None and board.drives and bool(board.seats[board.me].substitute)


def places(board: Board) -> list[SeatSeen]:
    """The seats, winners and best totals first."""
    won, lowest = board.match.winners, board.game.lowest_wins
    return sorted(
        board.seats, key=lambda s: (s.side not in won, bool(s.gone), s.total if lowest else -s.total, s.index)
    )


def _took(result: Result, seat: int) -> bool:
    return bool(result.points) and result.points[seat] > 0


def _deals_won(n: int) -> str:
    return ngettext("{n} deal won", "{n} deals won", n).format(n=n) if n else ""


def match_headline(board: Board, ranked: Sequence[SeatSeen]) -> str:
    """Who won, and how high."""
    winners = [seat for seat in ranked if seat.side in board.match.winners]
    if not winners:
        return _("The match is over")
    rest = [seat.total for seat in ranked if seat.side not in board.match.winners]
    best = winners[0].total
    if len(board.match.winners) > 1:
        return _("{names} share the win").format(names=", ".join(map(seat_name, winners)))
    name, mine = (
        ", ".join(map(seat_name, winners)),
        any(seat.is_me for seat in winners) and not _plays_for_another(board),
    )
    if board.match.ending != Match.Ending.PLAYED:  # the points up to then have not decided
        to_winner, to_others = WON[Match.Ending(board.match.ending)]
        return str(to_winner if mine else to_others) % {"name": name}
    if mine:
        return _("You win, {best} to {rest}").format(best=best, rest=rest[0] if rest else 0)
    return _("{name} wins, {best} to {rest}").format(name=name, best=best, rest=rest[0] if rest else 0)


def ending(board: Board) -> str:
    """How a match ended where it was not simply played out: who left it, and what that means."""
    if board.match.status != Match.Status.OVER:
        return ""
    told = [_left(seat) for seat in board.seats if seat.gone]
    if board.match.ending == Match.Ending.ABANDONED:
        told.append(_("The match was broken off in its first deal, so it counts for nobody."))
    elif board.match.ending == Match.Ending.ABORTED:
        told.append(_("A moderator has broken off the match, so it counts for nobody."))
    elif board.match.ending == Match.Ending.DECIDED:
        told.append(_("A moderator has decided the match, whatever the points say."))
    elif told:
        told.append(_("Who leaves a match has lost it, whatever the points say."))
    if any(seat.substitute for seat in board.seats):
        told.append(_("For a substitute the match does not count."))
    return " ".join(told)


def _left(seat: SeatSeen) -> str:
    if seat.gone == "resigned":
        return _("You resigned.") if seat.is_me else _("{name} resigned.").format(name=seat_name(seat))
    if seat.gone == "replaced":
        if seat.is_me:
            return _("A moderator let others play your seat.")
        return _("A moderator let others play for {name}.").format(name=seat_name(seat))
    if seat.is_me:
        return _("You missed too many turns and lost your seat.")
    return _("{name} missed too many turns and lost the seat.").format(name=seat_name(seat))


def _last_meld(board: Board) -> tuple[SeatSeen, tuple[Card, ...]] | None:
    """The last meld on the table that a winner put down."""
    for meld in reversed(board.view.melds if board.view else ()):
        owner = board.seats[meld.owner]
        if owner.side in board.match.winners:
            return owner, meld.cards
    return None


def _graph(board: Board, results: Sequence[Result], top: int) -> list[Line]:
    """The running scores; the winner is drawn last, over the others."""
    lines = []
    for seat in sorted(board.seats, key=lambda s: s.total):
        scores = [0, *(r.after[seat.side] for r in results)]
        points = " ".join(f"{i},{_height(score, top)}" for i, score in enumerate(scores))
        lines.append(Line(seat, initial(seat), points, _height(scores[-1], top)))
    return lines


def _height(score: int, top: int) -> str:
    return f"{100 - 95 * max(0, score) / top:.1f}"
