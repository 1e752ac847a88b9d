"""The easy bot in the gin family: knocks as soon as it may, never hangs (RULES.md section 13, FAULTS.md A60, A63)."""

import os
import random
from typing import Any

import pytest

from games.bots import easy
from games.rules.actions import Action, Discard, DrawStock, LayOff, Pass, TakeDiscard
from games.rules.cards import card, cards
from games.rules.game import Game
from games.rules.knocking import BigGin, BigGinLast, Done, Knock, KnockLast, TakeUpcard
from games.rules.table import Table
from games.rules.view import see
from tests.rules.playing import by_bot, dealt, game, gin_table, sampled, stepped

FAMILY = ("gin", "oklahoma-gin", "hollywood-gin")
DEALS = 2_000 if os.environ.get("RUMMY_FULL") else 60
GIN = game("gin")
OTHER = "2C 2D 2H TD 6H TS 8H 8C AC 4H"


def chosen(game: Game[Any], table: Table, seed: int = 0) -> Action:
    return easy.choose(see(game, table, game.new_sheet(table.dealer), table.turn), game, random.Random(seed))


def playing(hand: str, played: Game[Any] = GIN, **more: Any) -> Table:
    return gin_table(played, hand, OTHER, pile="3C", **({"drawn": hand.split()[-1]} | more))


@pytest.mark.parametrize("phase,take,leave", [("upcard_offer", TakeUpcard, Pass), ("draw", TakeDiscard, DrawStock)])
def test_it_takes_what_makes_a_meld_and_one_card_in_four_for_a_pair(phase: str, take: Any, leave: Any) -> None:
    hand = "7S 8S KC QD JH 9D 5C 3D AS 2S"
    for top, share in (("9S", 1.0), ("KH", 0.25), ("6C", 0.0)):
        table = gin_table(GIN, hand, OTHER, pile=top, phase=phase)
        taken = sum(chosen(GIN, table, seed) == take() for seed in range(400)) / 400
        assert abs(taken - share) < 0.08, top
        assert {type(chosen(GIN, table, seed)) for seed in range(40)} <= {take, leave}


def test_it_draws_from_the_stock_where_nothing_else_is_allowed() -> None:
    table = gin_table(GIN, "7S 8S KC QD JH 9D 5C 3D AS 2S", OTHER, pile="9S", phase="draw", must_draw=True)
    assert chosen(GIN, table) == DrawStock()


def test_it_knocks_as_soon_as_it_may_with_the_discard_that_leaves_least() -> None:
    assert chosen(GIN, playing("7C 7D 7H 4S 5S 6S JC QC KC 9D KD")) == Knock(card("KD"))
    assert chosen(GIN, playing("2S 3S 4S 7H 7D 7C 9C TC JC KD 8D")) == Knock(card("KD"))
    low = game("gin", knock_limit=5)
    assert isinstance(chosen(low, playing("7C 7D 7H 4S 5S 6S JC QC KC 9D KD", low)), Discard)


def test_a60_it_can_throw_or_knock_with_the_card_that_it_just_drew() -> None:
    hand = "4D 5D 6D TH TS TC 6C 7C 8C 2H"
    table = gin_table(GIN, hand, "2C 2D 3H TD 6H JS 8H 8S AC 4H", pile="3C", phase="draw", stock="KS 9D 4C 5S")
    table = GIN.apply(table, 0, chosen(GIN, table))
    assert chosen(GIN, table) == Knock(card("KS"))
    over = GIN.apply(table, 0, chosen(GIN, table))
    assert over.outcome is not None and over.hands[0] == cards("2H")


def test_a63_it_declares_gin_where_the_runs_have_to_be_found_across_the_sets() -> None:
    table = playing("JS JH JD QS QH QD KS KH KD TS 2C", drawn="2C")
    over = GIN.apply(table, 0, chosen(GIN, table))
    assert over.outcome is not None and over.outcome.kind == "gin" and over.hands[0] == ()


def test_it_goes_for_big_gin_where_that_is_played() -> None:
    big = game("gin", big_gin_bonus=31, last_discard_takeable=True)
    table = gin_table(big, "3D 5C 6C 7C 4D 5D 6D TH TS TD TC", "2C 2D 2H KD 6H JS 8H 8S AC 4H", pile="3C", drawn="3D")
    assert chosen(big, table) == BigGin()
    assert isinstance(chosen(GIN, table), Knock)
    last = gin_table(
        big, "3D 5C 6C 7C 4D 5D 6D TH TS TD", "2C 2D 2H KD 6H JS 8H 8S AC 4H", pile="TC", phase="last_discard"
    )
    assert chosen(big, last) == BigGinLast()


def test_it_takes_the_last_discard_only_to_knock() -> None:
    last = game("gin", last_discard_takeable=True)
    table = gin_table(last, "7C 7D 7H 4S 5S 6S JC QC KC 9D", OTHER, pile="AS", phase="last_discard")
    assert chosen(last, table) == KnockLast(card("9D"))
    table = gin_table(last, "7C 9S KH 4S JD 6S JC QH KC 9D", OTHER, pile="AS", phase="last_discard")
    assert chosen(last, table) == Pass()


def test_it_lays_off_what_is_in_no_own_meld_and_is_done() -> None:
    by_hand = game("gin", auto_layoff=False)
    table = gin_table(
        by_hand, "7C 7D 7H 4S 5S 6S JC QC KC 9D KD", "7S 8S TC 2D 2H 2S 9S TS JS AH", pile="3C", drawn="KD"
    )
    table, done = by_hand.apply(table, 0, Knock(card("KD"))), []
    while table.outcome is None:
        done.append(chosen(by_hand, table))
        table = by_hand.apply(table, 1, done[-1])
    assert done == [LayOff(card("TC"), 1), Done()], "7S to JS is an own run"


@pytest.mark.parametrize("preset", FAMILY)
def test_it_plays_thousands_of_deals_to_their_end_with_legal_actions_only(preset: str) -> None:
    rng = random.Random(f"easy {preset}")
    kinds = set()
    for number in range(DEALS):
        played = game(preset, **(sampled(preset, 2, rng) if number % 2 else {}))
        table = dealt(played, rng)
        while table.outcome is None:
            legal = played.choices(table).actions
            action, table = stepped(played, table, rng, by_bot(easy.choose))
            assert action in legal
        kinds.add(table.outcome.kind)
    assert {"knock", "gin"} <= kinds
