"""The sheet of gin games: boxes, shutouts, bonuses, Hollywood's columns."""

from typing import Any

import pytest

from games.rules.game import Game
from games.rules.sheet import Sheet
from games.rules.table import Outcome
from games.rules.variants.gin_sheet import GinSheet
from games.rules.variants.hollywood import HollywoodSheet

from .gin_world import FAMILY, GIN, won
from .playing import game

VOID = Outcome("void", None, (0, 0))


def booked(played: Game[Any], *outcomes: Outcome) -> Any:
    sheet: Sheet = played.new_sheet(0)
    for outcome in outcomes:
        assert not sheet.over
        sheet = played.book(sheet, outcome)
    return sheet


def sums(played: Game[Any], sheet: Sheet) -> list[list[int]]:
    """The finals, added up from their lines; one list a column."""
    groups = played.final_lines(sheet)
    return [[sum(line.points for line in group if line.seat == side) for side in (0, 1)] for group in groups]


@pytest.mark.parametrize(
    "rotation,after",
    [
        ("loser", {"knock 0": 1, "knock 1": 0, "tie 0": 1, "undercut 1": 0, "gin 0": 1}),
        ("winner", {"knock 0": 0, "knock 1": 1, "tie 0": 0, "undercut 1": 1, "gin 0": 0}),
        ("clockwise", {"knock 0": None, "knock 1": None, "tie 0": None, "undercut 1": None, "gin 0": None}),
    ],
)
@pytest.mark.parametrize("preset", FAMILY)
def test_a64_who_deals_next(preset: str, rotation: str, after: dict[str, int | None]) -> None:
    """FAULTS.md R8: the loser; the scorer of a tie counts as its winner; after a void deal always the same."""
    played = game(preset, deal_rotation=rotation)
    for dealer in (0, 1):
        sheet = played.new_sheet(dealer)
        assert played.book(sheet, VOID).dealer == dealer
        for words, expected in after.items():
            kind, seat = words.split()
            dealt_by = played.book(sheet, won(int(seat), 25, kind)).dealer
            assert dealt_by == (1 - dealer if expected is None else expected)


@pytest.mark.parametrize(
    "chosen,final",
    [
        ({}, [433, 0]),
        ({"shutout": "double_game_bonus"}, [429, 0]),
        ({"shutout": "none"}, [329, 0]),
        ({"shutout": "double_game_bonus", "game_bonus": 250}, [104 + 250 + 250 + 125, 0]),
    ],
)
def test_r1_the_three_shutouts(chosen: Any, final: list[int]) -> None:
    played = game("gin", **chosen)
    sheet = booked(played, won(0, 20), VOID, won(0, 20), won(0, 20), won(0, 20, "undercut"), won(0, 24, "gin"))
    assert (sheet.totals, sheet.boxes, sheet.counted, sheet.over, sheet.winners) == ((104, 0), (5, 0), 5, True, (0,))
    assert list(sheet.final) == final and sums(played, sheet) == [final]


def test_boxes_of_the_loser_count_where_the_match_says_so() -> None:
    for to, loser in (("winner", 40), ("both", 40 + 2 * 25)):
        played = game("gin", box_bonus_to=to)
        sheet = booked(played, won(1, 20), won(0, 60), won(1, 20), won(0, 45))
        assert list(sheet.final) == [105 + 100 + 50, loser] and sums(played, sheet) == [list(sheet.final)]
        assert sheet.winners == (0,) and not sheet.shutout


def test_a24_bonuses_never_help_to_reach_the_target() -> None:
    sheet = booked(GIN, won(0, 30), won(0, 20), won(0, 20), won(0, 20))
    assert (sheet.totals, sheet.boxes, sheet.over, sheet.final) == ((90, 0), (4, 0), False, None)
    assert booked(GIN, won(0, 88), won(0, 24)).over and not booked(GIN, won(0, 70), won(0, 24)).over
    assert GIN.final_lines(sheet) == ()


def test_after_the_cap_of_deals_the_points_decide_without_bonuses() -> None:
    played = GIN
    sheet = booked(played, won(1, 40), won(0, 20), *[VOID] * 198)
    assert isinstance(sheet, GinSheet)
    assert (sheet.over, sheet.capped, sheet.winners, sheet.final) == (True, True, (1,), None)
    assert booked(played, *[VOID] * 200).winners == (0, 1)


HOLLYWOOD = game("hollywood-gin")


def columns(sheet: HollywoodSheet) -> list[tuple[int, ...]]:
    return [column.points for column in sheet.columns]


def test_a_tie_in_hollywood_is_written_opens_a_column_and_is_a_box() -> None:
    for box in (True, False):
        played = game("hollywood-gin", tie_counts_box=box)
        sheet = booked(played, won(1, 25, "tie"), won(1, 10))
        assert columns(sheet) == [(0, 35), (0, 10), (0, 0)] and sheet.opened == (0, 2)
        assert [column.boxes for column in sheet.columns] == [(0, 1 + box), (0, 1), (0, 0)]
        assert [column.counted for column in sheet.columns] == [2, 1, 0]


def test_a_tie_that_is_no_box_prevents_the_shutout_of_its_columns_only() -> None:
    played = game("hollywood-gin", tie_counts_box=False)
    sheet = booked(played, won(0, 25, "tie"), won(0, 80), won(0, 100))
    first, second, third = sheet.columns
    assert (first.points, first.closed_by, first.shutout, first.final) == ((105, 0), 0, False, (105 + 100 + 25, 0))
    assert (second.points, second.shutout, second.final) == ((180, 0), True, (360 + 100 + 50, 0))
    assert (third.points, third.shutout, third.final) == ((100, 0), True, (200 + 100 + 25, 0))
    assert sheet.over and sheet.final == (230 + 510 + 325, 0)
    assert sums(played, sheet) == [[230, 0], [510, 0], [325, 0]]


def test_equal_sums_in_hollywood_go_to_the_side_with_more_columns() -> None:
    """Without bonuses seat 0 wins two columns with 100 each, seat 1 the third with 200."""
    chosen = {"game_bonus": 0, "box_bonus": 0, "shutout": "none", "target": 100}
    played = game("hollywood-gin", **chosen)
    sheet = booked(played, won(0, 100), won(0, 100), won(1, 99), won(1, 101))
    assert [column.closed_by for column in sheet.columns] == [0, 0, 1]
    assert sheet.final == (200, 200) and sheet.winners == (0,)


def test_a_column_that_is_closed_takes_nothing_more_and_is_jumped_over() -> None:
    sheet = booked(HOLLYWOOD, won(0, 60), won(0, 50), won(1, 30))
    assert columns(sheet) == [(110, 0), (50, 30), (0, 0)] and sheet.opened == (2, 2)
    assert sums(HOLLYWOOD, sheet) == [[220 + 100 + 50, 0], [0, 0], [0, 0]]
    assert sheet.totals == (110, 30) and not sheet.over and sheet.final is None


def test_a_void_deal_touches_no_column() -> None:
    sheet = booked(HOLLYWOOD, VOID)
    assert columns(sheet) == [(0, 0)] * 3 and sheet.counted == 0 and sheet.played == 1


def test_hollywood_at_the_cap_of_deals_goes_by_what_stands_in_the_columns() -> None:
    """Seat 1 has more points in all; seat 0 has more on the sheet, since its deals stand in more columns."""
    deals = [won(0, 20), won(0, 20), won(0, 20), won(1, 70), *[VOID] * 196]
    sheet = booked(HOLLYWOOD, *deals)
    assert sheet.totals == (60, 70) and columns(sheet) == [(60, 70), (40, 0), (20, 0)]
    assert (sheet.over, sheet.capped, sheet.winners, sheet.final) == (True, True, (0,), None)
