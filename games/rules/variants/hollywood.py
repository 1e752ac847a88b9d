"""Hollywood gin: deals as in gin, written into three columns (RULES.md section 6)."""

from dataclasses import dataclass, replace
from typing import Final, Self

from games.rules.options import Options
from games.rules.sheet import Sheet
from games.rules.table import Line, Outcome

from .gin import Gin
from .gin_sheet import GinOptions, GinSheet, final_lines, is_box, sums, with_one_more

COLUMNS: Final = 3


@dataclass(frozen=True, slots=True)
class Column:
    """One of the games on the sheet: the deals written in it. ``closed_by`` is the side that reached the target;
    ``final`` and ``shutout`` are known from then on.
    """

    points: tuple[int, ...] = (0, 0)
    boxes: tuple[int, ...] = (0, 0)
    counted: int = 0
    closed_by: int | None = None
    final: tuple[int, ...] | None = None
    shutout: bool = False

    def written(self, side: int, points: int, box: bool, options: GinOptions) -> "Column":
        """The column with one more deal won by ``side``; closed if that reaches the target."""
        more = replace(
            self,
            points=with_one_more(self.points, side, points),
            boxes=with_one_more(self.boxes, side, box),
            counted=self.counted + 1,
        )
        if more.points[side] < options.target:
            return more
        closed = replace(more, closed_by=side, shutout=more.boxes[side] == more.counted)
        return replace(closed, final=sums(closed.lines(options), len(closed.points)))

    def lines(self, options: GinOptions) -> tuple[Line, ...]:
        """What the final scores of a closed column are made of; nothing while it is open."""
        if self.closed_by is None:
            return ()
        return final_lines(self.points, self.boxes, self.counted, self.closed_by, options)


@dataclass(frozen=True, slots=True)
class HollywoodSheet(GinSheet):
    """``opened`` is the last column into which each side may write. ``final`` is the sum of the columns' finals."""

    columns: tuple[Column, ...] = (Column(),) * COLUMNS
    opened: tuple[int, ...] = (0, 0)

    def added(self, outcome: Outcome, options: Options, dealer: int) -> Self:
        assert isinstance(options, GinOptions)
        sheet = GinSheet.added(self, outcome, options, dealer)
        if outcome.scorer is None:
            return sheet
        side, points = self.side_of(outcome.scorer), outcome.points[outcome.scorer]
        last = self._opens(side)
        columns = tuple(
            column.written(side, points, is_box(outcome, options), options)
            if number <= last and column.closed_by is None
            else column
            for number, column in enumerate(self.columns, 1)
        )
        opened = with_one_more(self.opened, side, last - self.opened[side])
        return replace(sheet, columns=columns, opened=opened)

    def _opens(self, side: int) -> int:
        """The last column for a side that has just won: one more, and on past columns that are closed already."""
        last = min(self.opened[side] + 1, COLUMNS)
        while last < COLUMNS and self.columns[last - 1].closed_by is not None:
            last += 1
        return last

    def judged(self, options: Options, *, lowest_wins: bool = False) -> Self:
        """Over when all columns are closed: the larger sum of finals wins, of equal ones more columns won.

        At ``deal_cap`` the hand points of all columns decide, without bonuses.
        """
        sides = range(len(self.sides))
        finals = [column.final for column in self.columns if column.final is not None]
        if len(finals) == COLUMNS:
            final = tuple(sum(one[side] for one in finals) for side in sides)
            won = [sum(column.closed_by == side for column in self.columns) for side in sides]
            winner = max(sides, key=lambda side: (final[side], won[side]))
            return replace(self, over=True, winners=(winner,), final=final)
        if self.played < options.deal_cap:
            return self
        written = [sum(column.points[side] for column in self.columns) for side in sides]
        leaders = tuple(side for side in sides if written[side] == max(written))
        return replace(self, over=True, winners=leaders, capped=True)


class Hollywood(Gin[GinOptions]):
    """Gin on a sheet with three columns."""

    name = "hollywood"
    sheet_kind = HollywoodSheet

    def final_lines(self, sheet: Sheet) -> tuple[tuple[Line, ...], ...]:
        """One group a column; the group of an open column is empty."""
        assert isinstance(sheet, HollywoodSheet)
        return tuple(column.lines(self.options) for column in sheet.columns)
