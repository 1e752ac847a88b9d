"""How a deal and a match came out, spelled out term by term: for the table, the end of a match and the score sheet."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match
from games.rules.cards import Card, by_rank
from games.tables import Board, Result, SeatSeen
from games.wording import initial, seat_name


@dataclass(frozen=True, slots=True)
class Row:
    """What a deal was for one seat: its cards left, their points term by term, what it scored."""

    seat: SeatSeen
    name: str
    cards: tuple[Card, ...]
    terms: str
    left: int
    scored: int
    before: int
    after: int
    went_out: bool


@dataclass(frozen=True, slots=True)
class DealShown:
    """An ended deal. ``sums``: (terms, points, of whom), one for each seat that scored."""

    number: int
    headline: str
    hero: SeatSeen | None
    sums: list[tuple[list[int], int, str, bool]]
    why: str
    rows: list[Row]
    next_dealer: SeatSeen
    next_words: str
    needs: str


def arithmetic(points: Sequence[int]) -> str:
    """The points of some cards and their sum: "10 + 10 + 5 = 25"; a single card is its own sum."""
    if len(points) < 2:
        return ""
    return f"{' + '.join(map(str, points))} = {sum(points)}"


def deal_shown(board: Board, result: Result) -> DealShown:
    """A deal as its reader sees the result of it."""
    rows = sorted((_row(board, result, seat) for seat in board.seats), key=lambda r: (not r.went_out, -r.scored))
    hero = next((row.seat for row in rows if row.went_out), None)
    dealer = board.seats[result.next_dealer]
    return DealShown(
        number=result.number,
        headline=_headline(board, result, hero),
        hero=hero,
        sums=_sums(board, result),
        why=_why(result),
        rows=rows,
        next_dealer=dealer,
        next_words=_("You deal next.") if dealer.is_me else _("{name} deals next.").format(name=seat_name(dealer)),
        needs=_needs(board, result),
    )


def _row(board: Board, result: Result, seat: SeatSeen) -> Row:
    cards = by_rank(result.hands[seat.index]) if seat.index < len(result.hands) else ()
    points = sorted((board.game.points(card) for card in cards), reverse=True)
    outcome = result.outcome
    return Row(
        seat=seat,
        name=seat_name(seat),
        cards=tuple(sorted(cards, key=lambda c: -board.game.points(c))),
        terms=arithmetic(points),
        left=sum(points),
        scored=outcome.points[seat.index] if outcome else 0,
        before=result.before[seat.side],
        after=result.after[seat.side],
        went_out=outcome is not None and outcome.kind == "out" and outcome.scorer == seat.index,
    )


def _headline(board: Board, result: Result, hero: SeatSeen | None) -> str:
    if result.outcome is None:
        return _("The deal was broken off")
    if hero is None:
        return _("Nobody went out")
    return _("You went out") if hero.is_me else _("{name} went out").format(name=seat_name(hero))


def _why(result: Result) -> str:
    """What is special about the way in which a deal ended."""
    if result.outcome is None:
        return _("It counts for nobody.")
    kinds = {line.what for line in result.outcome.lines}
    if "doubled" in kinds:
        return _("All cards put down in one turn: the points are doubled.")
    if "stock_out" in result.outcome.marks:
        reason = _("The stock was used up.")
    elif "turn_cap" in result.outcome.marks:
        reason = _("The most turns for one deal have been played.")
    else:
        return ""
    if "others" in kinds:
        return reason + " " + _("Each player scores what the others hold.")
    if "difference" in kinds:
        return reason + " " + _("The lowest hand scores the differences.")
    return reason + " " + _("Nobody scores.")


def _sums(board: Board, result: Result) -> list[tuple[list[int], int, str, bool]]:
    """(terms, points, for whom, doubled) for each seat that scored."""
    outcome = result.outcome
    if outcome is None:
        return []
    left = {line.seat: line.points for line in outcome.lines if line.what == "left"}
    differences = [line.points for line in outcome.lines if line.what == "difference" and line.points]
    doubled = any(line.what == "doubled" for line in outcome.lines)
    sums = []
    for seat, points in enumerate(outcome.points):
        if not points:
            continue
        terms = differences or [n for other, n in left.items() if other != seat]
        whom = board.seats[seat]
        words = _("points for you") if whom.is_me else _("points for {name}").format(name=seat_name(whom))
        sums.append((terms, points, words, doubled))
    return sums


def _needs(board: Board, result: Result) -> str:
    """How far the leader still is from winning."""
    if board.options.match_end != "points" or board.match.status == Match.Status.OVER or not result.after:
        return ""
    best = max(result.after)
    rest = board.options.target - best
    if rest <= 0 or not best:
        return ""
    leader = next(seat for seat in board.seats if result.after[seat.side] == best)
    if leader.is_me:
        return ngettext("You need {n} more point to win.", "You need {n} more points to win.", rest).format(n=rest)
    text = ngettext("{name} needs {n} more point to win.", "{name} needs {n} more points to win.", rest)
    return text.format(name=seat_name(leader), n=rest)


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
    deals: int
    goal: str
    number: int


def match_shown(board: Board, results: Sequence[Result]) -> MatchShown:
    """The end of a match, result first."""
    match, lowest = board.match, board.game.lowest_wins
    won = {seat.index: sum(_took(r, seat.index) for r in results) for seat in board.seats}
    ranked = sorted(board.seats, key=lambda s: (s.side not in match.winners, s.total if lowest else -s.total, s.index))
    meld = _last_meld(board)
    top = max([board.options.target if board.options.match_end == "points" else 1, 1, *match.totals])
    return MatchShown(
        headline=match_headline(board, ranked),
        reason=_ending(board),
        won=board.me is not None and board.seats[board.me].side in match.winners,
        places=[(seat, seat_name(seat), _deals_won(won[seat.index]), seat.total) for seat in ranked],
        last_meld=meld[1] if meld else (),
        last_words=(
            _("Your last meld") if meld[0].is_me else _("The last meld of {name}").format(name=seat_name(meld[0]))
        )
        if meld
        else "",
        graph=_graph(board, results, top),
        deals=len(results),
        goal=_height(board.options.target, top) if board.options.match_end == "points" else "",
        number=match.deal_number,
    )


def _took(result: Result, seat: int) -> bool:
    return result.outcome is not None and result.outcome.points[seat] > 0


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
    if any(seat.is_me for seat in winners):
        return _("You win, {best} to {rest}").format(best=best, rest=rest[0] if rest else 0)
    name = ", ".join(map(seat_name, winners))
    return _("{name} wins, {best} to {rest}").format(name=name, best=best, rest=rest[0] if rest else 0)


def _ending(board: Board) -> str:
    """Why a match ended before its time."""
    gone = [seat for seat in board.seats if seat.given_up]
    if board.match.ending == Match.Ending.PLAYED or not gone:
        return ""
    last = gone[-1]
    if board.match.ending == Match.Ending.RESIGNED:
        return _("You resigned.") if last.is_me else _("{name} resigned.").format(name=seat_name(last))
    if last.is_me:
        return _("You missed too many turns and lost your seat.")
    return _("{name} missed too many turns and lost the seat.").format(name=seat_name(last))


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


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A deal in the score sheet: (points, total after it, arithmetic) for each seat."""

    number: int
    what: str
    cells: list[tuple[int, int, str]]


def sheet_rows(board: Board, results: Sequence[Result]) -> list[SheetRow]:
    """The whole score sheet, oldest deal first."""
    rows = []
    for result in results:
        shown = deal_shown(board, result)
        by_seat = {row.seat.index: row for row in shown.rows}
        cells = []
        for seat in board.seats:
            row = by_seat[seat.index]
            sums = [_sum_words(terms, points, twice) for terms, points, _whom, twice in _sums_of(board, result, seat)]
            cells.append((row.scored, row.after, sums[0] if sums else ""))
        rows.append(SheetRow(result.number, " · ".join(filter(None, (shown.headline, shown.why))), cells))
    return rows


def _sums_of(board: Board, result: Result, seat: SeatSeen) -> list[tuple[list[int], int, str, bool]]:
    scorers = [i for i, points in enumerate(result.outcome.points) if points] if result.outcome else []
    return [one for who, one in zip(scorers, _sums(board, result), strict=True) if who == seat.index]


def _sum_words(terms: Sequence[int], points: int, twice: bool) -> str:
    if twice:
        inner = " + ".join(map(str, terms))
        return f"2 × ({inner}) = {points}" if len(terms) > 1 else f"2 × {inner} = {points}"
    return f"{' + '.join(map(str, terms))} = {points}" if len(terms) > 1 else ""
