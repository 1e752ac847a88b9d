"""Score sheets with columns: what is written in each, as on paper. Empty for games that keep one sum."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.tables import Board, Result, SeatSeen


@dataclass(frozen=True, slots=True)
class Written:
    """One score in a column: the deal, and the running sum of each seat after it; ``scorer`` is the seat's number."""

    deal: int
    scorer: int
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ColumnShown:
    """A column of the sheet: its rows, the boxes of each seat, and who closed it."""

    number: int
    rows: tuple[Written, ...]
    boxes: tuple[int, ...]
    closed_by: SeatSeen | None


def columns(board: Board, results: Sequence[Result]) -> list[ColumnShown]:
    """All columns after these deals, oldest deal first."""
    kept = [getattr(result.sheet_after, "columns", ()) for result in results]
    if not kept or not kept[-1]:
        return []
    return [_column(board, results, index, [columns[index] for columns in kept]) for index in range(len(kept[-1]))]


def _column(board: Board, results: Sequence[Result], index: int, states: Sequence[object]) -> ColumnShown:
    rows, before = [], (0,) * len(board.seats)
    for result, state in zip(results, states, strict=True):
        sums = tuple(getattr(state, "points", before))
        if sums != before and result.outcome is not None and result.outcome.scorer is not None:
            rows.append(Written(result.number, result.outcome.scorer, sums))
        before = sums
    last = states[-1]
    closer = getattr(last, "closed_by", None)
    return ColumnShown(
        number=index + 1,
        rows=tuple(rows),
        boxes=tuple(getattr(last, "boxes", ())),
        closed_by=next((seat for seat in board.seats if seat.side == closer), None) if closer is not None else None,
    )
