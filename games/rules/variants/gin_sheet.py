"""What gin counts over a whole match: boxes, and the bonuses after the last deal (RULES.md section 6, "Match end")."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from games.rules.options import Options
from games.rules.sheet import Sheet
from games.rules.table import Line, Outcome


@dataclass(frozen=True, slots=True)
class GinOptions(Options):
    """The house rules of gin (RULES.md section 3). Bonuses are points; ``big_gin_bonus`` 0 means not played.

    ``knock_limit`` is a number, or a word that a game of its own reads.
    """

    deal_rotation: str = "loser"
    knock_limit: int | str = 10
    spades_double: bool = False
    gin_bonus: int = 25
    undercut_bonus: int = 25
    big_gin_bonus: int = 0
    tie_counts_box: bool = False
    game_bonus: int = 100
    box_bonus: int = 25
    box_bonus_to: str = "winner"
    shutout: str = "double_hand_points"
    stock_floor: int = 2
    last_discard_takeable: bool = False
    auto_layoff: bool = True


def is_box(outcome: Outcome, options: GinOptions) -> bool:
    """Whether a deal is a box for its scorer; a tie only where the options say so."""
    return outcome.scorer is not None and (outcome.kind != "tie" or options.tie_counts_box)


def with_one_more(counts: Sequence[int], side: int, more: int = 1) -> tuple[int, ...]:
    """The counts with the one of ``side`` raised."""
    return tuple(count + more if index == side else count for index, count in enumerate(counts))


def final_lines(
    points: Sequence[int], boxes: Sequence[int], counted: int, winner: int, options: GinOptions
) -> tuple[Line, ...]:
    """The sum of each side once ``winner`` has won: points, game bonus, boxes, shutout. ``Line.seat`` is the side."""
    lines = [Line("points", side, total) for side, total in enumerate(points)]
    lines.append(Line("game_bonus", winner, options.game_bonus))
    for side, count in enumerate(boxes):
        if count and (side == winner or options.box_bonus_to == "both"):
            lines.append(Line("boxes", side, count * options.box_bonus))
    if boxes[winner] == counted and options.shutout != "none":
        doubled = points[winner] if options.shutout == "double_hand_points" else options.game_bonus
        lines.append(Line("shutout", winner, doubled))
    return tuple(lines)


def sums(lines: Sequence[Line], sides: int) -> tuple[int, ...]:
    """What the lines of each side come to."""
    return tuple(sum(line.points for line in lines if line.seat == side) for side in range(sides))


@dataclass(frozen=True, slots=True)
class GinSheet(Sheet):
    """``boxes`` are the deals won by each side, ``counted`` how many were not void.

    ``final`` is the score with all bonuses once the target is reached (None before, and after ``deal_cap``);
    ``shutout`` then says whether the winner won every counted deal.
    """

    boxes: tuple[int, ...] = (0, 0)
    counted: int = 0
    shutout: bool = False
    final: tuple[int, ...] | None = None

    @property
    def standing(self) -> tuple[int, ...]:
        return self.final if self.over and self.final is not None else self.totals

    def added(self, outcome: Outcome, options: Options, dealer: int) -> Self:
        assert isinstance(options, GinOptions)
        sheet = Sheet.added(self, outcome, options, dealer)
        if outcome.scorer is None:
            return sheet
        boxes = with_one_more(self.boxes, self.side_of(outcome.scorer), is_box(outcome, options))
        return replace(sheet, boxes=boxes, counted=self.counted + 1)

    def judged(self, options: Options, *, lowest_wins: bool = False) -> Self:
        assert isinstance(options, GinOptions)
        sheet = Sheet.judged(self, options, lowest_wins=lowest_wins)
        if max(sheet.totals) < options.target or len(sheet.winners) != 1:  # equal ones: only after a correction
            return replace(sheet, shutout=False, final=None)
        (winner,) = sheet.winners
        lines = final_lines(sheet.totals, sheet.boxes, sheet.counted, winner, options)
        shutout = sheet.boxes[winner] == sheet.counted
        return replace(sheet, shutout=shutout, final=sums(lines, len(sheet.sides)))
