"""How a deal came out, spelled out term by term: for the table, the end of a match and the score sheet."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match
from games.rules.cards import Card, by_rank
from games.rulings_told import verdict_told
from games.tables import Board, Result, SeatSeen
from games.wording import seat_name

from .reveals import Reveal, arithmetic, headline, is_open, reveal


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
    """An ended deal. ``sums``: (terms, points, of whom), one for each seat that scored. ``reveal``: open hands."""

    number: int
    headline: str
    hero: SeatSeen | None
    sums: list[tuple[list[int], int, str, bool]]
    why: str
    rows: list[Row]
    next_dealer: SeatSeen
    next_words: str
    needs: str
    reveal: Reveal | None
    ruling: str = ""
    """What a moderator has said of it, in a sentence."""


def deal_shown(board: Board, result: Result) -> DealShown:
    """A deal as its reader sees the result of it."""
    rows = sorted((_row(board, result, seat) for seat in board.seats), key=lambda r: (not r.went_out, -r.scored))
    scorer = result.outcome.scorer if result.outcome else None
    hero = board.seats[scorer] if scorer is not None and (is_open(result) or rows[0].went_out) else None
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
        reveal=reveal(board, result) if is_open(result) else None,
        ruling=verdict_told(board, result),
    )


def _row(board: Board, result: Result, seat: SeatSeen) -> Row:
    cards = by_rank(result.hands[seat.index]) if seat.index < len(result.hands) else ()
    points = sorted((board.game.points(card) for card in cards), reverse=True)
    outcome, points_of = result.outcome, result.points
    return Row(
        seat=seat,
        name=seat_name(seat),
        cards=tuple(sorted(cards, key=lambda c: -board.game.points(c))),
        terms=arithmetic(points),
        left=sum(points),
        scored=points_of[seat.index] if points_of else 0,
        before=result.before[seat.side],
        after=result.after[seat.side],
        went_out=outcome is not None and outcome.kind == "out" and outcome.scorer == seat.index,
    )


def _headline(board: Board, result: Result, hero: SeatSeen | None) -> str:
    if result.outcome is None:
        return _("The deal was broken off")
    if result.outcome.voided:
        return _("A moderator has declared the deal void")
    if is_open(result):
        return headline(board, result)
    if hero is None:
        return _("Nobody went out")
    return _("You went out") if hero.is_me else _("{name} went out").format(name=seat_name(hero))


def _why(result: Result) -> str:
    """What is special about the way in which a deal ended."""
    if result.outcome is None:
        return _("It counts for nobody.")
    if result.outcome.voided:
        return _("Nobody scores, and the same player deals again.")
    kinds = {line.what for line in result.outcome.lines}
    if is_open(result):
        return ""
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
    if is_open(result):
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
    """How far the leader still is from winning; with columns a single number would not tell it."""
    if hasattr(result.sheet_after, "columns"):
        return ""
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
            cells.append((row.scored, row.after, _cell_words(board, result, shown, seat)))
        what = " · ".join(filter(None, (shown.headline, shown.why, shown.ruling)))
        rows.append(SheetRow(result.number, what, cells))
    return rows


def _cell_words(board: Board, result: Result, shown: DealShown, seat: SeatSeen) -> str:
    """How the points of a seat come about; a correction stands in the place of what was played."""
    played = result.outcome.points[seat.index] if result.outcome else 0
    counts = result.points[seat.index] if result.points else 0
    if played != counts:
        return _("corrected, {played} as played").format(played=played)
    if not counts:
        return ""
    if shown.reveal is not None:
        return shown.reveal.words
    return next((_sum_words(terms, points, twice) for terms, points, _whom, twice in _sums_of(board, result, seat)), "")


def _sums_of(board: Board, result: Result, seat: SeatSeen) -> list[tuple[list[int], int, str, bool]]:
    scorers = [i for i, points in enumerate(result.outcome.points) if points] if result.outcome else []
    return [one for who, one in zip(scorers, _sums(board, result), strict=True) if who == seat.index]


def _sum_words(terms: Sequence[int], points: int, twice: bool) -> str:
    if twice:
        inner = " + ".join(map(str, terms))
        return f"2 × ({inner}) = {points}" if len(terms) > 1 else f"2 × {inner} = {points}"
    return f"{' + '.join(map(str, terms))} = {points}" if len(terms) > 1 else ""
