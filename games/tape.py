"""The only reader of tapes: folds the moves of a deal into a Table. Pages never come here, they ask tables.py.

Tables already folded are kept in this process by the deal's secret, never in a shared cache.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import F, Q

from . import fairness
from .models import Deal, Draft, Match, Move, Seat
from .rules import codec
from .rules.game import Game
from .rules.sheet import Sheet
from .rules.table import Table

KEPT = 512
TIME_ACTS = frozenset(
    {
        *("asked_pause", "asked_live", "declined", "withdrew", "paused", "went_on", "pause_ended"),
        *("went_live", "went_back", "live_ended", "time_given", "vacation_began", "vacation_ended"),
    }
)
"""What happens to the time of a match; it leaves the Table as it is."""
SEAT_ACTS = frozenset({"resigned", "given_up", "taken_over", "taken_back", "left", "nudged"})
"""What happens to who plays."""
RULINGS = frozenset(
    {"voided", "counted", "corrected", "uncorrected", "aborted", "adjudicated", "withdrawn", "reopened"}
)
"""What a moderator says of a deal or of the match. Of these two end a deal that runs (``_is_void``)."""
MODERATOR_ACTS = RULINGS | {"granted", "replaced", "put_back"}
SITE_ACTS = frozenset({"deal"}) | SEAT_ACTS | TIME_ACTS | MODERATOR_ACTS
"""Entries of a tape that are not actions of the rules; but for a void deal they leave the Table as it is."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Something on the tape besides what the rules tell: ``what`` happened to ``seat`` after ``events`` events.

    ``what`` is ``clock`` (the clock played turn ``turn``), ``order`` (the seat's standing order did, and only that seat
    knows), ``forced`` (the site did the only legal thing), one of TIME_ACTS, or one of SEAT_ACTS: ``resigned`` or
    ``given_up`` by its user, ``taken_over`` by a substitute, ``left`` by him, ``taken_back`` by the user; ``nudged`` is
    an act of the seat towards the one to move; or one of MODERATOR_ACTS. ``seat`` is -1 for the site; ``to`` the seat
    that it was done to; ``at`` when, for what somebody did about the time. ``deal`` is the deal that a ruling is about,
    ``numbers`` the points or winners that it names.
    """

    what: str
    seat: int
    events: int
    turn: int
    to: int | None = None
    at: datetime | None = None
    deal: int = 0
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tape:
    """A deal as read up to move ``number`` of its match. ``cuts``: of all seats, fixed since the match began."""

    game: Game[Any]
    sheet: Sheet
    cuts: tuple[str, ...]
    table: Table
    number: int
    asides: tuple[Aside, ...] = ()


@dataclass(frozen=True, slots=True)
class Now:
    """A match as it stands after a commit: its rows and the deal read. Spares whoever shows it the same queries."""

    match: Match
    seats: list[Seat]
    deal: Deal
    tape: Tape
    draft: Draft | None


_kept: OrderedDict[bytes, Tape] = OrderedDict()
_rows: OrderedDict[tuple[str, int], Deal] = OrderedDict()
_guard = threading.Lock()


def current_deal(match: Match) -> Deal:
    """The deal in progress or, between two deals, the last one. Raises Deal.DoesNotExist before the first.

    The row of a deal changes only when it ends: as long as the tape kept here is up to date and goes on, so is the row.
    """
    key = (match.commitment, match.deal_number)
    with _guard:
        row = _rows.get(key)
        known = _kept.get(bytes(row.secret)) if row is not None else None
    running = match.status == Match.Status.RUNNING
    if row is not None and running and known and known.number == match.moves and known.table.outcome is None:
        return copy(row)
    row = Deal.objects.defer("record").get(match_id=match.pk, number=match.deal_number)
    with _guard:
        _rows[key] = copy(row)
        while len(_rows) > KEPT:
            _rows.popitem(last=False)
    return row


def cuts_of(match: Match) -> tuple[str, ...]:
    """The cuts of all seats in seat order."""
    return tuple(Seat.objects.filter(match_id=match.pk).order_by("index").values_list("cut", flat=True))


def read(match: Match, deal: Deal) -> Tape:
    """The deal's Tape at ``match.moves``. Costs the moves that this process has not folded yet."""
    known = _known(match, deal) or begin(match, deal, cuts_of(match))
    if known.number < match.moves:
        moves = Move.objects.filter(deal_id=deal.pk, number__gt=known.number, number__lte=match.moves)
        known = _read_on(match, deal, known, moves.order_by("number"))
    return known


def read_many(matches: Sequence[Match]) -> list[tuple[Deal, Tape]]:
    """The deals in progress of many running matches, in two queries whatever their number.

    The seats of the matches should be at hand (prefetched).
    """
    rows = Deal.objects.defer("record").filter(match__in=matches, number=F("match__deal_number"))
    of_match = {row.match_id: row for row in rows}
    deals = [of_match[match.pk] for match in matches]
    tapes, behind, moves = [], Q(pk__in=()), dict[int | None, list[Move]]()
    for match, deal in zip(matches, deals, strict=True):
        tapes.append(_known(match, deal) or begin(match, deal, tuple(seat.cut for seat in match.seats.all())))
        if tapes[-1].number < match.moves:
            behind |= Q(deal=deal, number__gt=tapes[-1].number, number__lte=match.moves)
    for move in Move.objects.filter(behind).order_by("number"):
        moves.setdefault(move.deal_id, []).append(move)
    read = zip(matches, deals, tapes, strict=True)
    return [(deal, _read_on(match, deal, known, moves.get(deal.pk, ()))) for match, deal, known in read]


def _known(match: Match, deal: Deal) -> Tape | None:
    """What this process has folded of the deal, unless that is more than the match row knows."""
    with _guard:
        known = _kept.get(bytes(deal.secret))
    return known if known is not None and known.number <= match.moves else None


def _read_on(match: Match, deal: Deal, known: Tape, moves: Iterable[Move]) -> Tape:
    for move in moves:
        known = follow(deal, known, move)
    if known.number < match.moves:
        known = replace(known, number=match.moves)
    keep(deal, known)
    return known


def keep(deal: Deal, tape: Tape) -> None:
    """Remember what is committed. Never call it before the commit."""
    with _guard:
        _kept[bytes(deal.secret)] = tape
        _kept.move_to_end(bytes(deal.secret))
        while len(_kept) > KEPT:
            _kept.popitem(last=False)


def begin(match: Match, deal: Deal, cuts: tuple[str, ...]) -> Tape:
    """The deal as it was laid out."""
    game = match.game()
    sheet = codec.decode_sheet(deal.sheet, game.sheet_kind)
    order = fairness.order(bytes(deal.secret), cuts, deal.number, 0, len(game.pack()))
    return Tape(game, sheet, cuts, game.deal(sheet, order), 0)


def follow(deal: Deal, tape: Tape, move: Move) -> Tape:
    """The Tape after one more entry."""
    action, table = move.action, tape.table
    asides = tape.asides
    if action["type"] in SITE_ACTS:
        if action["type"] != "deal":
            asides = (*asides, _aside(move, table))
        if table.outcome is None and _is_void(action, deal):
            table = tape.game.void(table)
    elif action["type"] == "shuffled":
        table = _shuffled(deal, tape, action["n"])
    elif move.seat is not None:
        if move.by == Move.By.CLOCK and not (asides and asides[-1].what == "clock" and asides[-1].turn == table.turns):
            asides = (*asides, Aside("clock", move.seat, len(table.events), table.turns))
        if move.by == Move.By.SITE:
            asides = (*asides, Aside("forced", move.seat, len(table.events), table.turns))
        if move.by == Move.By.ORDER and not (asides and asides[-1].what == "order" and asides[-1].turn == table.turns):
            asides = (*asides, Aside("order", move.seat, len(table.events), table.turns))
        table = tape.game.apply(table, move.seat, codec.decode(action))
    return replace(tape, table=table, number=move.number, asides=asides)


def _aside(move: Move, table: Table) -> Aside:
    action, seat = move.action, -1 if move.seat is None else move.seat
    deal, numbers = named(action)
    return Aside(action["type"], seat, len(table.events), table.turns, action.get("to"), move.at, deal, numbers)


def named(action: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
    """The deal that an act of a moderator is about (0: none), and the points or winners that it names."""
    return action.get("deal", 0), tuple(action.get("points", action.get("winners", ())))


def _is_void(action: Mapping[str, Any], deal: Deal) -> bool:
    """Whether a moderator's act ends a deal that runs: it is declared void, or the match goes on after it was broken
    off and its cards were shown."""
    return bool(action["type"] == "reopened" or (action["type"] == "voided" and action["deal"] == deal.number))


def _shuffled(deal: Deal, tape: Tape, n: int) -> Table:
    """The table after the dealer's n-th reshuffle, which the deal's secret and the cuts decide."""
    pool = tape.game.pool(tape.table)
    order = fairness.order(bytes(deal.secret), tape.cuts, deal.number, n, len(pool))
    return tape.game.reshuffle(tape.table, n, order)
