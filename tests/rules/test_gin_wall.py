"""Gin at the wall, what is forced, and what an overdue seat does."""

from dataclasses import replace
from typing import Any

import pytest

from games.rules.actions import Discard, DrawStock, Pass, TakeDiscard
from games.rules.cards import card, cards
from games.rules.game import Game
from games.rules.knocking import BigGinLast, Done, Knock, KnockLast
from games.rules.table import Table

from .gin_world import DEFENDER, GIN, KNOCKER, knocked, melds, opened, scored, told, view
from .playing import cards_of, game, gin_table, why


def at_the_wall(played: Game[Any], hand: str, thrown: str, other: str = DEFENDER, stock: str = "5D 6D") -> Table:
    """Seat 1 throws a card while only two are left in the stock."""
    table = gin_table(played, hand, f"{other} {thrown}", pile="3C", stock=stock, turn=1, drawn=thrown, dealer=0)
    return played.apply(table, 1, Discard(card(thrown)))


def test_a_discard_with_two_cards_left_makes_the_deal_void() -> None:
    table = at_the_wall(GIN, KNOCKER, "KD")
    assert table.outcome is not None
    assert (scored(table), table.outcome.scorer, table.outcome.marks) == (("void", (0, 0)), None, {"stock_out"})
    assert told(table)["deadwood 0"] == (9, "9D")
    three = at_the_wall(GIN, KNOCKER, "KD", stock="5D 6D 8S")
    assert (three.phase, three.actor) == ("draw", 0)
    floor = at_the_wall(game("gin", stock_floor=3), KNOCKER, "KD", stock="5D 6D 8S")
    assert floor.outcome is not None


LAST = game("gin", last_discard_takeable=True)


def test_the_last_discard_may_be_taken_to_knock() -> None:
    table = at_the_wall(LAST, KNOCKER, "KD")
    assert (table.phase, table.actor) == ("last_discard", 0)
    assert set(LAST.choices(table).actions) == {KnockLast(card("9D")), Pass()}
    assert dict(dict(view(LAST, table, 0).own)["leaves"])[card("9D")] == 10
    assert card("KD") not in dict(dict(view(LAST, table, 0).own)["leaves"])
    over = LAST.apply(table, 0, KnockLast(card("9D")))
    assert scored(over) == ("knock", (11, 0)) and cards_of(over) == cards_of(table)
    assert told(over)["deadwood 0"] == (10, "KD") and told(over)["face_down 0"] == (0, "9D")


@pytest.mark.parametrize(
    "action,reason",
    [
        (KnockLast(card("KD")), "same_card_discard"),
        (KnockLast(card("4S")), "pile_card_unusable"),
        (KnockLast(card("2C")), "card_not_in_hand"),
        (KnockLast(card("9D"), melds("7C 7D KD")), "invalid_meld"),
        (KnockLast(card("9D"), melds("7C 7D 7H")), "pile_card_unusable"),
        (BigGinLast(), "option_off"),
        (DrawStock(), "wrong_phase"),
        (TakeDiscard(), "wrong_phase"),
        (Knock(card("9D")), "wrong_phase"),
    ],
)
def test_the_last_discard_may_be_taken_for_nothing_else(action: Any, reason: str) -> None:
    assert why(LAST, at_the_wall(LAST, KNOCKER, "KD"), action) == reason


def test_the_last_discard_may_make_gin_or_big_gin() -> None:
    big = game("gin", last_discard_takeable=True, big_gin_bonus=31)
    table = at_the_wall(big, "7C 7D 7H 4S 5S 6S JC QC KC 9D", "7S")
    assert scored(big.apply(table, 0, KnockLast(card("9D"))))[0] == "gin"
    assert why(big, table, BigGinLast()) == "pile_card_unusable"
    table = at_the_wall(big, "7C 7D 7H 3S 4S 5S 6S JC QC KC", "7S")
    over = big.apply(table, 0, BigGinLast())
    assert scored(over) == ("big_gin", (21 + 31, 0)) and over.discards == cards("3C")


def test_passing_the_last_discard_makes_the_deal_void() -> None:
    table = at_the_wall(LAST, KNOCKER, "KD")
    over = LAST.apply(table, 0, Pass())
    assert over.outcome is not None and scored(over) == ("void", (0, 0))
    assert over.outcome.marks == {"stock_out"} and over.discards[-1] == "KD"


def test_the_cap_of_turns_is_tested_after_a_knock_and_before_the_stock() -> None:
    capped = game("gin", turn_cap=10, last_discard_takeable=True)
    table = gin_table(capped, f"{KNOCKER} KD", DEFENDER, pile="3C", stock="5D 6D", drawn="KD", turns=19)
    over = capped.apply(table, 0, Discard(card("KD")))
    assert over.outcome is not None and over.outcome.marks == {"turn_cap"}
    assert scored(capped.apply(table, 0, Knock(card("KD"))))[0] == "knock"


def forced(played: Game[Any], table: Table) -> Any:
    return played.forced(view(played, table, table.actor))


def test_only_what_decides_nothing_is_forced() -> None:
    table = opened()
    assert forced(GIN, table) is None, "to take the upcard is a choice"
    table = GIN.apply(GIN.apply(table, 0, Pass()), 1, Pass())
    assert forced(GIN, table) == DrawStock(), "after two passes"
    table = GIN.apply(table, 0, DrawStock())
    assert forced(GIN, table) is None, "never a discard"
    assert forced(GIN, replace(table, hands=(cards("KD"), table.hands[1]))) is None, "not even the only one"
    by_hand = game("gin", auto_layoff=False)
    assert forced(by_hand, knocked(by_hand, KNOCKER, "2C 2D 2H TD TH TS 8H 8C AC 4H")) == Done()
    assert forced(by_hand, knocked(by_hand, KNOCKER, "7S 2D 2H TD TH TS 8H 8C AC 4H")) is None
    hopeless = at_the_wall(LAST, "2C 4D 6H 8S TC QD KH AS 3D 9D", "5S", other="2D 2H TD TH TS 8H 8C AC 4H 4C")
    assert forced(LAST, hopeless) == Pass()
    assert forced(LAST, at_the_wall(LAST, KNOCKER, "KD")) is None


def test_nobody_else_is_forced() -> None:
    table = GIN.apply(GIN.apply(opened(), 0, Pass()), 1, Pass())
    for seat in (None, 1):
        assert GIN.forced(view(GIN, table, seat)) is None


def test_an_overdue_seat_passes_is_done_draws_from_the_stock_and_throws_what_it_drew() -> None:
    by_hand = game("gin", auto_layoff=False)
    for played, table, expected in (
        (GIN, opened(), Pass()),
        (GIN, gin_table(GIN, KNOCKER, DEFENDER, pile="3C", phase="draw"), DrawStock()),
        (GIN, gin_table(GIN, f"{KNOCKER} KD", DEFENDER, pile="3C", drawn="KD"), Discard(card("KD"))),
        (GIN, gin_table(GIN, f"{KNOCKER} KD", DEFENDER, pile="3C", taken="KD"), Discard(card("JC"))),
        (by_hand, knocked(by_hand, KNOCKER, "7S 2D 2H TD TH TS 8H 8C AC 4H"), Done()),
        (LAST, at_the_wall(LAST, KNOCKER, "KD"), Pass()),
    ):
        assert played.idle(view(played, table, table.actor)) == expected
