"""The easy bot: the column "easy" of RULES.md section 13. It sees a TableView, never a Table."""

import inspect
import random
import subprocess
import sys
import typing
from dataclasses import replace
from typing import Any

import pytest

from games import bots
from games.bots import LEVELS, NAMES, easy
from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.cards import card, cards
from games.rules.codec import encode
from games.rules.game import Game
from games.rules.table import Table
from games.rules.view import TableView, see
from tests.rules.playing import EVERY_TABLE, by_bot, dealt, game, rummy_table, sampled, stepped, tables, whole_match

BASIC = game("basic-rummy", 2)


def chosen(game: Game[Any], table: Table, seed: int = 0) -> Action:
    """What the easy bot does at this table."""
    return easy.choose(see(game, table, game.new_sheet(table.dealer), table.turn), game, random.Random(seed))


def turn_of_bot(game: Game[Any], table: Table) -> tuple[list[Action], Table]:
    """All that the bot does until another seat is to move or the deal is over."""
    seat, rng, done = table.turn, random.Random(1), []
    while table.actor == seat:
        action = by_bot(easy.choose)(game, table, rng)
        table = game.apply(table, seat, action)
        done.append(action)
    return done, table


def draw_table(hand: str, top: str, game: Game[Any] = BASIC) -> Table:
    return rummy_table(game, hand, "2C", pile=top, phase="draw")


def test_it_takes_a_discard_that_makes_a_meld() -> None:
    assert chosen(BASIC, draw_table("7H 8H KC 2S", "9H")) == TakeDiscard()
    assert chosen(BASIC, draw_table("9C 9D KC 2S", "9H")) == TakeDiscard()


def test_it_does_not_take_a_card_because_it_has_a_meld_without_it() -> None:
    assert {chosen(BASIC, draw_table("7H 8H 9H 2S", "KD"), seed) for seed in range(50)} == {DrawStock()}


def test_it_does_not_take_a_card_that_only_fits_a_meld_on_the_table() -> None:
    table = rummy_table(BASIC, "2S 5D KC", "2C", pile="TH", phase="draw", melds=[(1, "7H 8H 9H")])
    assert {chosen(BASIC, table, seed) for seed in range(50)} == {DrawStock()}


def test_it_takes_one_card_in_four_for_a_pair() -> None:
    takes = sum(chosen(BASIC, draw_table("9C 3D KC 2S", "9H"), seed) == TakeDiscard() for seed in range(2_000))
    assert 400 < takes < 600


def test_it_never_takes_a_card_for_a_mere_neighbour_or_for_nothing() -> None:
    assert {chosen(BASIC, draw_table("8H 3D KC 2S", "9H"), seed) for seed in range(100)} == {DrawStock()}


def test_it_draws_from_the_stock_when_there_is_no_discard() -> None:
    assert chosen(BASIC, draw_table("8H 3D KC 2S", "")) == DrawStock()


def test_it_melds_at_once_and_the_dearest_meld_first() -> None:
    table = rummy_table(BASIC, "7H 8H 9H 2C 2D 2S KC", "3C", pile="4C", drawn="KC")
    assert chosen(BASIC, table) == Meld(cards("7H 8H 9H"))


def test_it_lays_off_when_it_has_no_meld() -> None:
    table = rummy_table(BASIC, "TH 3D KC", "3C", pile="4C", drawn="KC", melds=[(1, "7H 8H 9H")])
    assert chosen(BASIC, table) == LayOff(card("TH"), 0)


@pytest.mark.parametrize(
    "hand,thrown",
    [
        ("KC KD 9H 3S", "9H"),  # the pair of kings stays
        ("KC QC 9H 3S", "9H"),  # so do neighbours
        ("KC KD QC QD", "KD"),  # nothing alone: the dearest
        ("KC 3H JS 2D", "JS"),  # of equal points the same one always
        ("KC 9H 3S AD", "KC"),
        ("KC JC 3S 4S", "KC"),  # with a gap they are no neighbours
    ],
)
def test_it_throws_the_dearest_card_that_stands_alone(hand: str, thrown: str) -> None:
    table = rummy_table(BASIC, hand, "2C", pile="4C", drawn=hand.split()[-1])
    assert chosen(BASIC, table) == Discard(card(thrown))


def test_it_keeps_a_meld_that_it_may_not_put_down_yet() -> None:
    one = game("basic-rummy", 2, max_melds_per_turn=1)
    table = rummy_table(one, "KC KD KS 4H 2S", "3C", pile="4C", drawn="2S", melds=[(0, "7H 8H 9H")], new_melds=1)
    assert chosen(one, table) == Discard(card("4H"))


def test_it_does_not_throw_the_card_that_it_took() -> None:
    table = rummy_table(BASIC, "9C 3D 2S 9H", "2C", pile="", taken="9H")
    assert chosen(BASIC, table) == Discard(card("3D"))
    table = rummy_table(BASIC, "2S KH", "2C", pile="", taken="KH")
    assert chosen(BASIC, table) == Discard(card("2S"))


def test_it_can_throw_the_card_that_it_just_drew() -> None:
    """FAULTS.md A60: the last card of the hand is a card like any other."""
    hand = "4D 5D 6D TH TS TC 6C 7C 8C 2H"
    rest = [c for c in dealt(BASIC, random.Random(3)).stock if c not in cards(hand) + cards("KS 3C 9D 4C")]
    table = rummy_table(BASIC, hand, "3C 9D", pile="4C", phase="draw", stock=" ".join(["KS", *rest]))
    done, after = turn_of_bot(BASIC, table)
    assert done[0] == DrawStock() and done[-1] == Discard(card("KS"))
    assert after.hands[0] == cards("2H") and after.turn == 1


def test_it_goes_out_without_a_discard_when_it_can() -> None:
    table = rummy_table(BASIC, "4D 5D 6D", "3C", pile="4C", drawn="6D")
    done, after = turn_of_bot(BASIC, table)
    assert done == [Meld(cards("4D 5D 6D"))]
    assert after.outcome is not None and after.outcome.scorer == 0


def test_it_lays_off_the_card_that_it_took_when_nothing_else_is_left() -> None:
    table = rummy_table(BASIC, "6D", "3C", pile="4C", taken="6D", melds=[(1, "3D 4D 5D")])
    assert chosen(BASIC, table) == LayOff(card("6D"), 0)


def test_the_same_view_and_seed_give_the_same_action() -> None:
    rng = random.Random(5)
    for table in tables(BASIC, rng, by_bot(easy.choose)):
        if table.actor >= 0:
            assert chosen(BASIC, table, 7) == chosen(BASIC, table, 7)


def test_its_choice_does_not_hang_on_the_order_of_its_hand() -> None:
    rng = random.Random(6)
    for table in tables(BASIC, rng, by_bot(easy.choose)):
        if table.actor < 0:
            continue
        hands = list(table.hands)
        hands[table.turn] = tuple(sorted(table.hand))
        other = replace(table, hands=tuple(hands))
        mine, theirs = chosen(BASIC, table, 7), chosen(BASIC, other, 7)
        assert type(mine) is type(theirs)
        if isinstance(mine, Discard):
            assert mine == theirs


def test_another_process_plays_the_same_deal() -> None:
    """No choice hangs on the seed of the hash of text."""
    code = (
        "import random\n"
        "from games.bots import easy\n"
        "from tests.rules.playing import by_bot, game, tables\n"
        "print(*tables(game('basic-rummy', 3), random.Random(11), by_bot(easy.choose)), sep='\\n')\n"
    )

    def run(seed: str) -> str:
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": "."}
        return subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True).stdout

    first = run("1")
    assert "deal_over" in first and first == run("2")


@pytest.mark.parametrize("preset,seats", EVERY_TABLE)
def test_it_plays_deals_to_their_end_with_legal_actions_only(preset: str, seats: int) -> None:
    rng = random.Random(f"easy {preset} {seats}")
    for number in range(20):
        playing = game(preset, seats, **(sampled(preset, seats, rng) if number % 2 else {}))
        table = dealt(playing, rng)
        while table.outcome is None:
            legal = playing.choices(table).actions
            action, table = stepped(playing, table, rng, by_bot(easy.choose))
            assert action is None or action in legal


@pytest.mark.parametrize("preset,seats", EVERY_TABLE)
def test_its_matches_end_with_a_winner(preset: str, seats: int) -> None:
    playing = game(preset, seats)
    for seed in range(2):
        sheet, ends = whole_match(playing, random.Random(seed), by_bot(easy.choose))
        assert sheet.winners and not sheet.capped
        out = sum(end.outcome is not None and end.outcome.scorer is not None for end in ends)
        assert out >= len(ends) / 3, "bots that never go out"


def test_a_bot_is_given_a_view_and_never_a_table() -> None:
    for choose in LEVELS.values():
        kinds = typing.get_type_hints(choose)
        assert list(inspect.signature(choose).parameters) == ["view", "game", "rng"]
        assert (kinds["view"], kinds["rng"]) == (TableView, random.Random)
    for module in (bots, easy):
        assert not any(value is Table for value in vars(module).values())


def test_a_view_that_differs_in_hidden_cards_only_gives_the_same_action() -> None:
    for table in tables(BASIC, random.Random(8), by_bot(easy.choose)):
        if table.actor >= 0:
            hidden = [*table.hands[1 - table.turn], *table.stock][::-1]
            size = len(table.hands[1 - table.turn])
            hands = [tuple(hidden[:size])] * 2
            hands[table.turn] = table.hand
            other = replace(table, hands=tuple(hands), stock=tuple(hidden[size:]))
            assert encode(chosen(BASIC, table, 3)) == encode(chosen(BASIC, other, 3))


def test_bots_have_a_name_for_every_seat_and_say_that_they_are_bots() -> None:
    assert len(set(NAMES)) == len(NAMES) >= max(seats for _preset, seats in EVERY_TABLE)
    assert all(name.startswith("Bot ") and len(name) <= 20 for name in NAMES)
    assert "easy" in LEVELS
