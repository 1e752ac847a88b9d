"""What is a meld, what fits it, whose it is, and how a hand goes out."""

from itertools import product
from typing import Any

import pytest

from games.rules.actions import Action, DrawStock, Meld
from games.rules.cards import cards
from games.rules.codec import decode
from games.rules.errors import Malformed
from games.rules.melds import fits
from games.rules.variants.rummy import RummyTable

from .playing import game, rummy_table, why
from .rummy_world import BASIC, OWN_MELD, done, ended, lay, meld, throw


@pytest.mark.parametrize(
    "ace,text,kind",
    [
        ("low", "AC 2C 3C", "run"),
        ("low", "QC KC AC", None),
        ("low", "KC AC 2C", None),
        ("low_or_high", "AC 2C 3C", "run"),
        ("low_or_high", "QC KC AC", "run"),
        ("low_or_high", "KC AC 2C", None),
        ("wrap", "KC AC 2C", "run"),
        ("wrap", "JC QC KC AC 2C", "run"),
        ("low", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "run"),
        ("low_or_high", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "run"),
        ("wrap", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", "run"),
        ("wrap", "KC KD AC", None),
        ("low", "7C 8C 9D", None),
        ("low", "7C 8C TC", None),
        ("low", "7C 8C", None),
        ("low", "7C 7D", None),
        ("low", "7C 7D 7H", "set"),
        ("low", "7C 7D 7H 7S", "set"),
        ("low", "7C 7D 8H", None),
    ],
)
def test_what_is_a_meld(ace: str, text: str, kind: str | None) -> None:
    played = game("basic-rummy", 2, ace=ace, hand_size=20)
    table = rummy_table(played, f"{text} 6S 5S", "3D", pile="4D", drawn="5S")
    assert why(played, table, meld(text)) == (None if kind else "invalid_meld")
    assert (meld(text) in played.choices(table).actions) == bool(kind)
    if kind:
        (laid,) = done(played, table, meld(text)).melds
        assert (laid.kind, laid.owner, set(laid.by)) == (kind, 0, {0})


def test_the_cards_of_a_run_lie_from_low_to_high_and_a_high_ace_last() -> None:
    for ace, given, laid in (
        ("low", "3C AC 2C", "AC 2C 3C"),
        ("low_or_high", "AC KC QC", "QC KC AC"),
        ("wrap", "2C AC KC", "KC AC 2C"),
        ("low", "9S 9C 9H", "9C 9H 9S"),
    ):
        played = game("basic-rummy", 2, ace=ace)
        table = rummy_table(played, f"{given} 6S 5S", "3D", pile="4D", drawn="5S")
        table = done(played, table, meld(given))
        assert table.melds[0].cards == cards(laid)
        assert table.events[-1].cards == cards(laid) and table.events[-1].meld == 0


@pytest.mark.parametrize(
    "ace,run,accepted",
    [
        ("low", "AC 2C 3C", "4C"),
        ("low", "JC QC KC", "TC"),
        ("low_or_high", "AC 2C 3C", "4C"),
        ("low_or_high", "QC KC AC", "JC"),
        ("low_or_high", "JC QC KC", "TC AC"),
        ("low_or_high", "2C 3C 4C", "AC 5C"),
        ("wrap", "KC AC 2C", "QC 3C"),
        ("wrap", "AC 2C 3C", "KC 4C"),
        ("low", "5C 6C 7C", "4C 8C"),
        ("low", "7C 7D 7H", "7S"),
        ("low", "7C 7D 7H 7S", ""),
        ("wrap", "KC AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", "QC"),
        ("low", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC", ""),
    ],
)
def test_what_fits_a_meld(ace: str, run: str, accepted: str) -> None:
    played = game("basic-rummy", 2, ace=ace)
    table = rummy_table(played, "6S 5S", "3D", melds=[(1, run)])
    laid = table.melds[0]
    assert fits(laid.kind, laid.cards, played.shape) == set(cards(accepted))


def test_with_set_max_three_a_set_is_full_with_three() -> None:
    three = game("basic-rummy", 2, set_max=3)
    table = rummy_table(three, "7C 7D 7H 7S KD", "3C", pile="4C", drawn="KD", melds=[(1, "9C 9D 9H")])
    assert why(three, table, meld("7C 7D 7H 7S")) == "invalid_meld"
    sets = [a for a in three.choices(table).actions if isinstance(a, Meld)]
    assert len(sets) == 4 and {len(a.cards) for a in sets} == {3}
    assert why(three, rummy_table(three, "9S KD 2C", "3C", melds=[(1, "9C 9D 9H")]), lay("9S")) == "invalid_layoff"
    four = rummy_table(BASIC, "7C 7D 7H 7S KD", "3C", pile="4C", drawn="KD")
    assert why(BASIC, four, meld("7C 7D 7H 7S")) is None
    assert len([a for a in BASIC.choices(four).actions if isinstance(a, Meld)]) == 5


def test_a_card_laid_off_moves_the_ends_of_the_run() -> None:
    """FAULTS.md A13: the ends are read from the grown meld."""
    table = rummy_table(BASIC, "4H 3H KD 2H TH 8H", "3C", pile="4C", drawn="KD", melds=[(1, "5H 6H 7H")])
    assert why(BASIC, table, lay("3H")) == "invalid_layoff"
    table = done(BASIC, table, lay("4H"), lay("3H"))
    assert table.melds[0].cards == cards("3H 4H 5H 6H 7H")
    assert table.melds[0].by == (0, 0, 1, 1, 1) and table.melds[0].owner == 1
    assert why(BASIC, table, lay("2H")) is None
    assert why(BASIC, table, lay("TH")) == "invalid_layoff"
    assert why(BASIC, table, lay("8H")) is None


def test_a_card_that_fits_two_melds_goes_where_the_player_says() -> None:
    """FAULTS.md A16: without a target it is malformed; the place decides what may follow."""
    table = rummy_table(BASIC, "7S 8S KD 2C", "3C", pile="4C", drawn="KD", melds=[(1, "7H 7D 7C"), (1, "4S 5S 6S")])
    with pytest.raises(Malformed):
        decode({"type": "lay_off", "card": "7S"})
    assert {a.meld for a in BASIC.choices(table).actions if a == lay("7S", 0) or a == lay("7S", 1)} == {0, 1}
    run = done(BASIC, table, lay("7S", 1))
    assert run.melds[1].cards == cards("4S 5S 6S 7S") and why(BASIC, run, lay("8S", 1)) is None
    full = done(BASIC, table, lay("7S", 0))
    assert len(full.melds[0].cards) == 4 and why(BASIC, full, lay("8S", 1)) == "invalid_layoff"
    assert why(BASIC, full, lay("8S", 0)) == "invalid_layoff"


def test_own_melds_count_for_laying_off_in_the_same_turn_and_later_but_only_own_ones() -> None:
    table = rummy_table(OWN_MELD, "7H 8H 9H KD 2C 4C", "3C", pile="4D", drawn="2C", melds=[(1, "TD JD QD")])
    assert why(OWN_MELD, table, lay("KD")) == "no_own_meld"
    assert lay("KD") not in OWN_MELD.choices(table).actions
    now = done(OWN_MELD, table, meld("7H 8H 9H"))
    assert why(OWN_MELD, now, lay("KD")) is None and lay("KD") in OWN_MELD.choices(now).actions
    later = done(OWN_MELD, now, throw("2C"), DrawStock(), throw("3C"), DrawStock())
    assert later.turn == 0 and why(OWN_MELD, later, lay("KD")) is None


def test_the_limit_of_melds_holds_for_each_turn_anew_and_not_for_lay_offs() -> None:
    one = game("basic-rummy", 2, max_melds_per_turn=1)
    table = rummy_table(one, "7H 8H 9H 4C 4D 4H TH KD 2C", "3C 5D", pile="6C", drawn="2C")
    now = done(one, table, meld("7H 8H 9H"))
    assert isinstance(now, RummyTable) and now.new_melds == 1
    assert why(one, now, meld("4C 4D 4H")) == "meld_limit"
    assert not any(isinstance(a, Meld) for a in one.choices(now).actions)
    later = done(one, now, lay("TH"), throw("2C"), DrawStock(), throw("3C"), DrawStock())
    assert why(one, later, meld("4C 4D 4H")) is None


@pytest.mark.parametrize("preset", ["basic-rummy", "android-rummy", "solitaired-rummy"])
def test_case_c_the_card_taken_must_be_laid_off_and_may(preset: str) -> None:
    """A meld that leaves the card taken only: legal where that can be laid off at once, by an own meld of now too."""
    for others, left, reason in (("TD JD QD", "KD", None), ("TD JD QD", "2C", "stranded")):
        played = game(preset, 2)
        table = rummy_table(played, f"7H 8H 9H {left}", "3C", pile="4C", taken=left, melds=[(1, others)])
        assert why(played, table, meld("7H 8H 9H")) == reason
        assert (meld("7H 8H 9H") in played.choices(table).actions) == (reason is None)
        strict = game(preset, 2, final_discard_required=True)
        assert why(strict, table, meld("7H 8H 9H")) == "stranded"
        free = game(preset, 2, forbid_discard_drawn=False)
        assert why(free, table, meld("7H 8H 9H")) is None
        if reason is None:
            after = done(played, table, meld("7H 8H 9H"))
            assert played.choices(after).actions == (lay("KD"),)
            assert why(played, after, throw("KD")) == "same_card_discard"
            assert ended(done(played, after, lay("KD"))).scorer == 0


def test_case_c_counts_the_meld_that_is_just_being_placed_or_grown() -> None:
    table = rummy_table(OWN_MELD, "7H 8H 9H TH", "3C", pile="4C", taken="TH")
    assert why(OWN_MELD, table, meld("7H 8H 9H")) is None
    table = rummy_table(BASIC, "TH JH", "3C", pile="4C", taken="JH", melds=[(1, "7H 8H 9H")])
    assert why(BASIC, table, lay("JH")) == "invalid_layoff"
    assert why(BASIC, table, lay("TH")) is None
    gap = rummy_table(BASIC, "TH QH", "3C", pile="4C", taken="QH", melds=[(1, "7H 8H 9H")])
    assert why(BASIC, gap, lay("TH")) == "stranded"


def test_the_card_drawn_from_the_stock_and_any_second_card_never_strand() -> None:
    drawn = rummy_table(BASIC, "7H 8H 9H 2C", "3C", pile="4C", drawn="2C")
    assert why(BASIC, drawn, meld("7H 8H 9H")) is None
    two = rummy_table(BASIC, "7H 8H 9H 2C 3D", "3C", pile="4C", taken="2C")
    assert why(BASIC, two, meld("7H 8H 9H")) is None
    other = rummy_table(BASIC, "7H 8H 9H 2C", "3C", pile="4C", taken="9H")
    assert why(BASIC, other, meld("7H 8H 9H")) is None


@pytest.mark.parametrize("action", [meld("7H 8H 9H"), lay("TH")])
def test_the_last_cards_may_be_put_down_unless_a_final_discard_is_required(action: Action) -> None:
    hand = "7H 8H 9H" if isinstance(action, Meld) else "TH"
    laid = [(1, "4S 5S 6S")] if isinstance(action, Meld) else [(0, "7H 8H 9H")]
    for taken, drawn in ((hand.split()[-1], None), (None, hand.split()[-1])):
        table = rummy_table(BASIC, hand, "3C KD", pile="4C", taken=taken, drawn=drawn, melds=laid)
        assert ended(done(BASIC, table, action)).points == (26 if isinstance(action, Meld) else 13, 0)
        strict = game("basic-rummy", 2, final_discard_required=True)
        assert why(strict, table, action) == "must_keep_discard"
        assert action not in strict.choices(table).actions


def test_going_rummy_doubles_and_an_earlier_lay_off_spoils_it() -> None:
    """FAULTS.md A28."""
    hand = "7H 8H 9H 4D"
    table = rummy_table(BASIC, hand, "7C QD 2H TS", pile="4C", drawn="4D")
    outcome = ended(done(BASIC, table, meld("7H 8H 9H"), throw("4D")))
    assert (outcome.points, outcome.marks) == ((58, 0), {"concealed"})
    assert [(line.what, line.seat, line.points) for line in outcome.lines] == [("left", 1, 29), ("doubled", 0, 29)]
    table = rummy_table(
        BASIC, f"6S {hand}", "7C QD 2H TS 5C", pile="4C", drawn="4D", stock="5D 8D 9D", melds=[(1, "3S 4S 5S")]
    )
    table = done(BASIC, table, lay("6S"), throw("4D"), DrawStock(), throw("5C"), DrawStock())
    outcome = ended(done(BASIC, table, meld("7H 8H 9H"), throw("8D")))
    assert (outcome.points, outcome.marks) == ((34, 0), frozenset()), "29 and the five that was drawn"


@pytest.mark.parametrize(
    "mine,concealed",
    [
        ({"first_play": (-1, -1)}, True),
        ({"first_play": (-1, 3)}, True),  # others' melds spoil nothing
        ({"first_play": (0, -1)}, False),  # a meld in the very first turn
        ({"first_play": (8, -1)}, False),  # the last turn of mine
        ({"first_play": (10, -1)}, True),  # something put down in this turn already
    ],
)
def test_what_spoils_going_rummy(mine: dict[str, Any], concealed: bool) -> None:
    for bonus, by, doubled in product(("none", "concealed", "concealed_no_discard"), ("meld", "discard"), (0,)):
        played = game("basic-rummy", 2, rummy_bonus=bonus)
        actions = [meld("7H 8H 9H")] if by == "meld" else [meld("7H 8H 9H"), throw("2C")]
        hand = "7H 8H 9H" if by == "meld" else "7H 8H 9H 2C"
        table = rummy_table(played, hand, "KS QD", pile="4C", drawn=hand.split()[-1], turns=10, **mine)
        outcome = ended(done(played, table, *actions))
        doubled = concealed and (bonus == "concealed" or (bonus == "concealed_no_discard" and by == "meld"))
        assert outcome.points == (40 if doubled else 20, 0)
        assert ("concealed" in outcome.marks) == concealed
        assert ([line.what for line in outcome.lines] == ["left", "doubled"]) == doubled


def test_others_melds_and_own_draws_spoil_nothing_in_a_deal_played_out() -> None:
    table = rummy_table(
        BASIC, "7H 8H KD", "3C 3D 3H QS 2S", pile="4C 4D", stock="TC 5D 9H 6D", turn=1, drawn="2S", turns=0
    )
    table = done(BASIC, table, meld("3C 3D 3H"), throw("2S"), DrawStock(), throw("KD"), DrawStock(), throw("5D"))
    assert table.turn == 0
    outcome = ended(done(BASIC, table, DrawStock(), meld("7H 8H 9H"), throw("TC")))
    assert (outcome.points, outcome.marks) == ((20, 0), {"concealed"})


def test_going_out_by_a_lay_off_is_going_out_without_a_discard() -> None:
    played = game("basic-rummy", 2, rummy_bonus="concealed_no_discard")
    table = rummy_table(played, "7H 8H 9H TH", "KS", pile="4C", drawn="TH")
    outcome = ended(done(played, table, meld("7H 8H 9H"), lay("TH")))
    assert outcome.points == (20, 0)
