"""Basic rummy at tables of our own, where the published vectors leave holes. Each table cites RULES.md."""

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.cards import card, cards, pack
from games.rules.codec import decode
from games.rules.errors import Illegal, Malformed
from games.rules.game import Game
from games.rules.melds import fits
from games.rules.table import DEALER, Outcome, Table
from games.rules.variants.rummy import Rummy, RummyTable
from games.rules.view import see

from .playing import RUMMY_TABLES, cards_of, dealt, game, rummy_table, sampled, stepped, tables, why

BASIC = game("basic-rummy", 2)
OWN_MELD = game("android-rummy", 2)


def meld(text: str) -> Meld:
    return Meld(cards(text))


def lay(text: str, index: int = 0) -> LayOff:
    return LayOff(card(text), index)


def throw(text: str) -> Discard:
    return Discard(card(text))


def done(game: Game[Any], table: Table, *actions: Action) -> Table:
    """The table after these actions of the seat to act."""
    for action in actions:
        table = game.apply(table, table.turn, action)
    return table


def ended(table: Table) -> Outcome:
    assert table.outcome is not None
    return table.outcome


# RULES.md section 2: the order in which the checks run


@pytest.mark.parametrize(
    "action,seat,reason",
    [
        # not_your_turn before the phase, before malformed, before everything
        (throw("KD"), 1, "not_your_turn"),
        (meld("KD KD KD"), 1, "not_your_turn"),
        (lay("KD", 9), 1, "not_your_turn"),
        # then the phase
        (throw("KD"), 0, "wrong_phase"),
        (meld("KD KD KD"), 0, "wrong_phase"),
        (lay("KD", 9), 0, "wrong_phase"),
        (decode({"type": "knock", "card": "KD"}), 0, "wrong_phase"),
    ],
)
def test_before_the_draw_turn_and_phase_are_tested_first(action: Action, seat: int, reason: str) -> None:
    table = rummy_table(BASIC, "7H 8H 9H", "2C", pile="4C", phase="draw")
    assert why(BASIC, table, action, seat) == reason


def test_reason_codes_come_in_the_order_of_the_rules() -> None:
    """malformed, ownership, validity, option limits, ability to finish."""
    one = game("android-rummy", 2, max_melds_per_turn=1, final_discard_required=True)
    table = rummy_table(
        one, "7H 8H 9H KS 2D", "2C", pile="4C", taken="2D", melds=[(1, "TD JD QD"), (1, "4S 5S 6S")], new_melds=1
    )
    told = [
        (DrawStock(), "wrong_phase"),
        (TakeDiscard(), "wrong_phase"),
        (meld("3C 3C 7H"), "malformed"),  # named twice, before not held
        (lay("3C", 2), "malformed"),  # no such meld, before not held
        (lay("3C", -1), "malformed"),
        (meld("7H 8H 3C"), "card_not_in_hand"),  # before invalid
        (lay("3C", 0), "card_not_in_hand"),
        (throw("3C"), "card_not_in_hand"),
        (meld("7H 8H KS"), "invalid_meld"),  # before the limit of melds
        (meld("7H 8H"), "invalid_meld"),
        (meld("7H 8H 9H"), "meld_limit"),
        (lay("KS", 0), "invalid_layoff"),  # before the want of an own meld
        (throw("2D"), "same_card_discard"),
        (throw("KS"), None),
    ]
    assert [(action, why(one, table, action)) for action, _reason in told] == told


def test_a_card_that_the_game_has_not_is_malformed_a_card_held_elsewhere_is_not() -> None:
    table = rummy_table(BASIC, "7H 8H 9H KS", "2C", pile="4C", drawn="KS", melds=[(1, "TD JD QD")])
    for text in ("XX", "7H#2", "KD#3"):
        for action in (throw(text), lay(text), meld(f"7H 8H {text}"), meld(f"2C 3C {text}")):
            assert why(BASIC, table, action) == "malformed"
    for text in ("2C", "4C", "TD", "5S"):
        for action in (throw(text), lay(text), meld(f"7H 8H {text}")):
            assert why(BASIC, table, action) == "card_not_in_hand"


def test_the_limit_of_melds_is_told_before_that_the_turn_could_not_end() -> None:
    one = game("basic-rummy", 2, max_melds_per_turn=1, final_discard_required=True)
    stranding = rummy_table(one, "7H 8H 9H 2D", "2C", pile="4C", taken="2D", melds=[(0, "TD JD QD")], new_melds=1)
    assert why(one, stranding, meld("7H 8H 9H")) == "meld_limit"
    emptying = rummy_table(one, "7H 8H 9H", "2C", pile="4C", drawn="9H", melds=[(0, "TD JD QD")], new_melds=1)
    assert why(one, emptying, meld("7H 8H 9H")) == "meld_limit"
    assert why(one, replace(emptying, new_melds=0), meld("7H 8H 9H")) == "must_keep_discard"
    assert why(one, replace(stranding, new_melds=0), meld("7H 8H 9H")) == "stranded"


def test_the_want_of_an_own_meld_is_told_before_that_the_turn_could_not_end() -> None:
    table = rummy_table(OWN_MELD, "KD 2C", "3C", pile="4C", taken="2C", melds=[(1, "TD JD QD")])
    assert why(OWN_MELD, table, lay("KD")) == "no_own_meld"
    table = rummy_table(BASIC, "KD 2C", "3C", pile="4C", taken="2C", melds=[(1, "TD JD QD")])
    assert why(BASIC, table, lay("KD")) == "stranded"


def test_a_refusal_names_the_cards_and_the_meld_meant() -> None:
    table = rummy_table(BASIC, "7H 8H KS 2D", "2C", pile="4C", taken="2D", melds=[(1, "TD JD QD")])

    def refused(action: Action) -> tuple[str, tuple[str, ...], int | None]:
        with pytest.raises(Illegal) as caught:
            BASIC.apply(table, 0, action)
        return caught.value.reason, caught.value.cards, caught.value.meld

    assert refused(lay("KS")) == ("invalid_layoff", ("KS",), 0)
    assert refused(throw("2D")) == ("same_card_discard", ("2D",), None)
    assert refused(throw("9C")) == ("card_not_in_hand", ("9C",), None)
    assert set(refused(meld("7H 8H KS"))[1]) == {"7H", "8H", "KS"}
    table = rummy_table(BASIC, "KD 2C", "3C", pile="4C", taken="2C", melds=[(1, "TD JD QD")])
    assert refused(lay("KD")) == ("stranded", ("2C",), None)


def test_nobody_acts_while_the_dealer_is_to_shuffle_or_the_deal_is_over() -> None:
    shuffling = done(BASIC, rummy_table(BASIC, "KD 2C", "3C", pile="4C 5C", stock="", drawn="KD"), throw("KD"))
    assert (shuffling.phase, shuffling.actor) == ("shuffle", DEALER)
    over = done(BASIC, rummy_table(BASIC, "KD", "3C", pile="4C", drawn="KD"), throw("KD"))
    assert (over.phase, over.actor) == ("deal_over", DEALER)
    for table, seat, action in product((shuffling, over), (0, 1), (DrawStock(), throw("3C"), meld("3C 3C 3C"))):
        assert why(BASIC, table, action, seat) == "not_your_turn"


def test_an_empty_stock_is_named_as_such() -> None:
    table = rummy_table(BASIC, "KD 2C", "3C", pile="4C", stock="", phase="draw")
    assert why(BASIC, table, DrawStock()) == "empty_stock"
    assert BASIC.choices(table).actions == (TakeDiscard(),)


def test_what_reveals_a_card_or_ends_the_turn_cannot_wait_in_a_draft() -> None:
    """HOUSE.md, "One turn through the house"."""
    waits = {kind.name: (kind.can_wait, kind.ends_turn) for kind in (DrawStock, TakeDiscard, Meld, LayOff, Discard)}
    assert waits == {
        "draw_stock": (False, False),
        "draw_discard": (False, False),
        "meld": (True, False),
        "lay_off": (True, False),
        "discard": (False, True),
    }


# RULES.md section 4: drawing, the card taken, piles


def test_the_card_taken_may_not_be_put_back_in_that_turn_by_any_seat() -> None:
    """FAULTS.md A35."""
    for seat in (0, 1, 2):
        played = game("basic-rummy", 3)
        hands = ["KD 2C", "KD 2C", "KD 2C"]
        for other in {0, 1, 2} - {seat}:
            hands[other] = ("3C 3D", "3H 3S", "5C 5D")[other]
        table = rummy_table(played, *hands, pile="9D", phase="draw", turn=seat, stock="9C 8C")
        taken = done(played, table, TakeDiscard())
        assert why(played, taken, throw("9D")) == "same_card_discard"
        after = done(played, taken, throw("KD"))
        assert (after.discards, after.turn, after.taken) == (cards("KD"), (seat + 1) % 3, None)
        drew = done(played, replace(table, stock=cards("9D"), discards=cards("9C")), DrawStock())
        assert drew.drawn == card("9D")
        assert why(played, drew, throw("9D")) is None


def test_going_out_by_putting_back_the_card_taken_is_refused_too() -> None:
    """FAULTS.md A35. A hand that holds the card taken only cannot come about, but is refused all the same."""
    table = rummy_table(BASIC, "9D", "2C", pile="4C", taken="9D")
    assert why(BASIC, table, throw("9D")) == "same_card_discard"
    free = game("basic-rummy", 2, forbid_discard_drawn=False)
    assert ended(done(free, table, throw("9D"))).scorer == 0


def test_the_card_taken_may_be_put_back_in_a_later_turn() -> None:
    table = rummy_table(BASIC, "KD 2C", "3C 4D", pile="9D", phase="draw", stock="5C 6C 7C")
    table = done(BASIC, table, TakeDiscard(), throw("KD"), DrawStock(), throw("3C"), DrawStock())
    assert table.turn == 0 and why(BASIC, table, throw("9D")) is None


def test_an_empty_discard_pile_is_a_normal_state() -> None:
    """FAULTS.md A38: all see it, nobody can take from it."""
    odd = game("basic-rummy", 2, recycle_keep_top=False, stock_recycle="turn_over")
    sheet = odd.new_sheet(0)
    taken = done(odd, rummy_table(odd, "KD 2C", "3C 4D", pile="9D", phase="draw"), TakeDiscard())
    table = rummy_table(odd, "KD 2C", "3C 4D", pile="9D 8D", stock="", drawn="KD")
    turned = done(odd, table, throw("KD"))
    assert turned.discards == () and turned.stock == cards("9D 8D KD")
    for at, viewer, memory in product((taken, turned), (None, 0, 1), ("all", "discards", "none")):
        view = see(odd, at, sheet, viewer, memory)
        assert (view.top, view.pile) == (None, 0)
    assert why(odd, turned, TakeDiscard()) == "empty_discard"
    assert see(odd, turned, sheet, 1).legal == (DrawStock(),)


def test_the_top_discard_stays_and_no_card_comes_back_that_is_held() -> None:
    """FAULTS.md A40, ruling R6."""
    for mode, order in (("turn_over", "4C 9D JS"), ("shuffle", "JS 4C 9D")):
        played = game("basic-rummy", 2, stock_recycle=mode)
        table = rummy_table(played, "2H KD", "3C 3D", pile="4C 9D JS", stock="", drawn="KD", melds=[(1, "7S 8S 9S")])
        before = cards_of(table)
        table = done(played, table, throw("2H"))
        if mode == "shuffle":
            pool = played.pool(table)
            assert pool == cards("4C 9D JS"), "in card-id order, whatever the order of the discards"
            table = played.reshuffle(table, 1, [pool.index(c) for c in cards(order)])
        assert (table.stock, table.discards) == (cards(order), cards("2H"))
        assert (table.phase, table.turn) == ("draw", 1)
        assert cards_of(table) == before
        table = done(played, table, DrawStock())
        assert table.drawn == card(order.split()[0])


def test_a_reshuffle_takes_the_discards_in_card_id_order() -> None:
    table = rummy_table(BASIC, "2H KD", "3C 3D", pile="JS 9D 4C AS TD", stock="", drawn="KD")
    table = done(BASIC, table, throw("2H"))
    assert BASIC.pool(table) == cards("4C 9D TD AS JS")
    assert see(BASIC, table, BASIC.new_sheet(0), 1).stock == 0


@pytest.mark.parametrize("n,order", [(0, [0, 1, 2]), (2, [0, 1, 2]), (1, [0, 1]), (1, [0, 1, 1]), (1, [1, 2, 3])])
def test_only_the_shuffle_that_the_table_waits_for_is_taken(n: int, order: list[int]) -> None:
    table = done(BASIC, rummy_table(BASIC, "2H KD", "3C 3D", pile="4C 9D JS", stock="", drawn="KD"), throw("2H"))
    assert BASIC.reshuffle(table, 1, [2, 0, 1]).orders == 1
    with pytest.raises(Malformed):
        BASIC.reshuffle(table, n, order)
    with pytest.raises(Malformed):
        BASIC.reshuffle(BASIC.reshuffle(table, 1, [0, 1, 2]), 2, [])


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("most", [None, 0, 1, 2])
@pytest.mark.parametrize("mode", ["turn_over", "shuffle", "none"])
def test_an_exhausted_stock_in_all_combinations(mode: str, most: int | None, keep: bool) -> None:
    """RULES.md section 4, "Stock exhaustion": tested at the end of the turn when nobody is out."""
    odd = game("basic-rummy", 2, stock_recycle=mode, stock_recycle_max=most, recycle_keep_top=keep)
    for size, recycles, stock in product((0, 1, 3), (0, 1, 2), ("", "QC")):
        pile = " ".join(["9D", "4C", "JS"][:size])
        table = rummy_table(odd, "2H KD", "3C 3D", pile=pile, stock=stock, drawn="KD", recycles=recycles)
        after = done(odd, table, throw("2H"))
        whole = cards(f"{pile} 2H")
        pool, top = (whole[:-1], whole[-1:]) if keep else (whole, ())
        if stock:
            assert (after.phase, after.stock, after.discards) == ("draw", cards(stock), whole)
            assert after.recycles == recycles
        elif mode == "none" or recycles == most or (most is not None and recycles > most) or not pool:
            assert (after.phase, ended(after).kind) == ("deal_over", "blocked")
            assert ended(after).marks == {"stock_out"} and after.recycles == recycles
            assert (after.stock, after.discards) == ((), whole)
        elif mode == "turn_over":
            assert (after.phase, after.turn) == ("draw", 1)
            assert (after.stock, after.discards, after.recycles) == (pool, top, recycles + 1)
            assert [e.kind for e in after.events][-2:] == ["discarded", "turned_over"]
        else:
            assert (after.phase, after.stock, after.discards, after.recycles) == ("shuffle", (), whole, recycles + 1)
            shuffled = odd.reshuffle(after, 1, list(range(len(pool)))[::-1])
            assert (shuffled.phase, shuffled.turn, shuffled.orders) == ("draw", 1, 1)
            assert (shuffled.stock, shuffled.discards) == (odd.pool(after)[::-1], top)
            assert shuffled.events[-1].kind == "shuffled" and shuffled.events[-1].cards == ()


def test_going_out_comes_before_the_stock_rule() -> None:
    played = game("basic-rummy", 2, stock_recycle="none")
    table = rummy_table(played, "KD", "3C", pile="4C", stock="", drawn="KD")
    assert ended(done(played, table, throw("KD"))).kind == "out"


def test_the_drawer_of_the_last_card_of_the_stock_finishes_the_turn() -> None:
    table = rummy_table(BASIC, "7H 8H KD", "3C", pile="4C", stock="9H", phase="draw")
    table = done(BASIC, table, DrawStock())
    assert (table.phase, table.stock) == ("play", ())
    assert done(BASIC, table, meld("7H 8H 9H")).phase == "play"


# RULES.md section 4: sets, runs, lay-offs


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


# RULES.md section 4: the finishing rule


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


# RULES.md section 4: the score of a deal


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


def test_held_melds_count_in_full_and_only_the_winner_scores() -> None:
    played = game("solitaired-rummy", 4)
    table = rummy_table(played, "AS KD 5C", "2C", "QC QH QS", "", pile="4C", drawn="2C", turn=1, first_play=(-1,) * 4)
    outcome = ended(done(played, table, throw("2C")))
    assert (outcome.kind, outcome.scorer, outcome.points) == ("out", 1, (0, 46, 0, 0))
    assert [(line.what, line.seat, line.points, line.cards) for line in outcome.lines] == [
        ("left", 0, 16, cards("AS KD 5C")),
        ("left", 2, 30, cards("QC QH QS")),
    ]


@pytest.mark.parametrize(
    "ace,value,points",
    [
        ("low", "auto", 1),
        ("low_or_high", "auto", 15),
        ("wrap", "auto", 15),
        *((ace, value, value) for ace, value in product(("low", "low_or_high", "wrap"), (1, 11, 15))),
    ],
)
def test_what_an_ace_counts(ace: str, value: str | int, points: int) -> None:
    played = game("basic-rummy", 2, ace=ace, ace_value=value)
    assert [played.points(one) for one in cards("AS 2S 9S TS JS QS KS")] == [points, 2, 9, 10, 10, 10, 10]
    table = rummy_table(played, "2C", "AS KD", pile="4C", drawn="2C", melds=[(0, "7H 8H 9H")])
    assert ended(done(played, table, throw("2C"))).points == (points + 10, 0)


BLOCKED = [
    ("none", ["KC", "4D", "QS 2C"], (0, 0, 0)),
    ("opponents_total", ["KC", "4D", "QS 2C"], (16, 22, 14)),
    ("lowest_hand", ["KC", "4D", "QS 2C"], (0, 14, 0)),
    ("lowest_hand", ["4C", "4D", "QS 2C"], (0, 0, 0)),  # two share the lowest hand
    ("lowest_hand", ["KC", "KD", "QS"], (0, 0, 0)),  # all do
    ("lowest_hand", ["KC", "KD", "2S"], (0, 0, 16)),  # the others being equal is no tie
    ("opponents_total", ["4C", "4D", "QS 2C"], (16, 16, 8)),
]


@pytest.mark.parametrize("scoring,hands,points", BLOCKED)
def test_a_blocked_deal_is_scored_alike_for_an_empty_stock_and_the_cap(
    scoring: str, hands: list[str], points: tuple[int, ...]
) -> None:
    for why_blocked in ("stock_out", "turn_cap"):
        played = game("basic-rummy", 3, blocked_scoring=scoring, stock_recycle="none", turn_cap=10)
        table = rummy_table(
            played,
            *(f"{hand} 9H" if seat == 2 else hand for seat, hand in enumerate(hands)),
            pile="3C",
            stock="" if why_blocked == "stock_out" else "5C",
            turn=2,
            drawn="9H",
            turns=29 if why_blocked == "turn_cap" else 10,
        )
        outcome = ended(done(played, table, throw("9H")))
        assert (outcome.kind, outcome.scorer, outcome.points) == ("blocked", None, points)
        assert outcome.marks == {why_blocked}
        left = [line for line in outcome.lines if line.what == "left"]
        assert [line.points for line in left] == [sum(map(played.points, cards(hand))) for hand in hands]
        more = [line for line in outcome.lines if line.what != "left"]
        if scoring == "opponents_total":
            assert [(line.what, line.seat, line.points) for line in more] == [
                ("others", s, points[s]) for s in range(3)
            ]
        else:
            assert {line.what for line in more} <= {"difference"}
            assert sum(line.points for line in more) == sum(points)
            assert all(points[line.seat or 0] == 0 for line in more)
        assert played.book(played.new_sheet(0), outcome).totals == points


def test_a_blocked_deal_is_never_doubled() -> None:
    played = game("basic-rummy", 2, blocked_scoring="opponents_total", rummy_bonus="concealed", stock_recycle="none")
    table = rummy_table(played, "2C 9H", "KD", pile="3C", stock="", drawn="9H")
    assert ended(done(played, table, throw("9H"))).points == (10, 2)


# RULES.md section 3: caps


@pytest.mark.parametrize("preset,seats", [("solitaired-rummy", 4), ("basic-rummy", 6), ("android-rummy", 2)])
def test_the_cap_of_turns_blocks_the_deal_at_the_last_turn_and_not_before(preset: str, seats: int) -> None:
    for cap in (10, 50):
        played = game(preset, seats, turn_cap=cap)
        held = [f"{r}C {r}D" for r in "23456789"[:seats]]
        for turns, kind in ((cap * seats - 2, None), (cap * seats - 1, "blocked")):
            table = rummy_table(played, *held, pile="KC", drawn="2D", turns=turns)
            after = done(played, table, throw("2C"))
            assert (after.outcome and after.outcome.kind) == kind
            assert after.turns == turns + 1


def test_going_out_on_the_last_turn_counts_and_the_cap_comes_before_the_stock_rule() -> None:
    played = game("basic-rummy", 2, turn_cap=10)
    out = rummy_table(played, "2C", "KD", pile="3C", drawn="2C", turns=19)
    assert ended(done(played, out, throw("2C"))).kind == "out"
    dry = rummy_table(played, "2C 2D", "KD", pile="3C 4C", stock="", drawn="2C", turns=19)
    after = done(played, dry, throw("2C"))
    assert ended(after).marks == {"turn_cap"} and after.phase == "deal_over" and after.recycles == 0


def points_of(*deals: tuple[int, ...]) -> list[Outcome]:
    return [Outcome("out", None, points) for points in deals]


def test_the_cap_of_deals_ends_a_match_that_nobody_wins() -> None:
    for deals, winners in (
        ([(5, 0), (0, 3), (0, 0)], (0,)),
        ([(5, 0), (0, 5), (0, 0)], (0, 1)),
        ([(0, 0), (0, 0), (0, 0)], (0, 1)),
    ):
        played = Rummy(replace(BASIC.options, deal_cap=3))
        sheet = played.new_sheet(0)
        for outcome in points_of(*deals):
            assert not sheet.over and sheet.winners == ()
            sheet = played.book(sheet, outcome)
        assert (sheet.over, sheet.capped, sheet.winners, sheet.played) == (True, True, winners, 3)


def test_the_cap_of_deals_is_two_hundred() -> None:
    sheet = BASIC.new_sheet(0)
    for number in range(200):
        assert not sheet.over and sheet.deal == number + 1
        sheet = BASIC.book(sheet, Outcome("blocked", None, (0, 0)))
    assert sheet.over and sheet.capped and sheet.played == 200


def test_the_cap_of_deals_ends_a_tie_at_the_target_too() -> None:
    played = Rummy(replace(BASIC.options, deal_cap=2, target=20))
    sheet = played.book(played.new_sheet(0), points_of((20, 20))[0])
    assert not sheet.over
    sheet = played.book(sheet, points_of((5, 5))[0])
    assert (sheet.over, sheet.winners) == (True, (0, 1))


# RULES.md section 4: match end, next dealer


@pytest.mark.parametrize(
    "chosen,deals,winners",
    [
        ({"target": 100}, [(99, 0)], None),
        ({"target": 100}, [(100, 0)], (0,)),
        ({"target": 100}, [(60, 0), (0, 110)], (1,)),
        ({"target": 100}, [(100, 100)], None),
        ({"target": 100, "tie_break": "shared"}, [(100, 100)], (0, 1)),
        ({"target": 100}, [(100, 100), (0, 0)], None),
        ({"target": 100}, [(100, 100), (0, 1)], (1,)),
        ({"target": 100, "tie_break": "shared"}, [(90, 90)], None),
        ({"match_end": "deals", "deals": 2}, [(500, 0)], None),
        ({"match_end": "deals", "deals": 2}, [(500, 0), (0, 0)], (0,)),
        ({"match_end": "deals", "deals": 2}, [(5, 0), (0, 5)], None),
        ({"match_end": "deals", "deals": 2}, [(5, 0), (0, 5), (0, 0)], None),
        ({"match_end": "deals", "deals": 2}, [(5, 0), (0, 5), (0, 1)], (1,)),
        ({"match_end": "deals", "deals": 2, "tie_break": "shared"}, [(5, 0), (0, 5)], (0, 1)),
        ({"match_end": "deals", "deals": 1}, [(0, 0)], None),
        ({"match_end": "points", "deals": 1, "target": 10}, [(5, 0)], None),  # deals mean nothing here
        ({"match_end": "deals", "deals": 3, "target": 10}, [(50, 0)], None),  # nor the target here
    ],
)
def test_when_a_match_is_over(
    chosen: dict[str, Any], deals: list[tuple[int, int]], winners: tuple[int, ...] | None
) -> None:
    played = game("basic-rummy", 2, **chosen)
    sheet = played.new_sheet(0)
    for number, outcome in enumerate(points_of(*deals), 1):
        assert not sheet.over
        sheet = played.book(sheet, outcome)
        assert (sheet.played, sheet.deal) == (number, number + 1)
    assert (sheet.over, sheet.winners, sheet.capped) == (winners is not None, winners or (), False)
    assert sheet.totals == tuple(map(sum, zip(*deals, strict=True)))


@pytest.mark.parametrize("preset,seats", RUMMY_TABLES)
def test_the_deal_moves_on_clockwise_after_every_kind_of_deal(preset: str, seats: int) -> None:
    """FAULTS.md A64: out by any seat, blocked by the stock, blocked by the cap."""
    played = game(preset, seats)
    outs = [Outcome("out", s, tuple(10 * (s == t) for t in range(seats))) for s in range(seats)]
    blocked = [Outcome("blocked", None, (0,) * seats, marks=frozenset({why})) for why in ("stock_out", "turn_cap")]
    for outcome, dealer in product([*outs, *blocked], range(seats)):
        sheet = played.book(played.new_sheet(dealer), outcome)
        assert sheet.dealer == (dealer + 1) % seats
        assert dealt(played, random.Random(1), sheet).turn == (dealer + 2) % seats


def test_three_players_start_in_turn() -> None:
    """FAULTS.md A64: dealer seat 0; the first to act is seat 1, then 2, then 0."""
    played = game("basic-rummy", 3)
    sheet, first = played.new_sheet(0), []
    for _deal in range(3):
        table = dealt(played, random.Random(1), sheet)
        assert table.dealer == sheet.dealer
        first.append(table.actor)
        sheet = played.book(sheet, Outcome("out", 0, (5, 0, 0)))
    assert first == [1, 2, 0]


# RULES.md sections 1 and 5: the lay-out


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    played = game("basic-rummy", 3)
    table = played.deal(played.new_sheet(1), range(52))
    ordered = pack()
    assert table.hands[2] == tuple(ordered[0:21:3])
    assert table.hands[0] == tuple(ordered[1:21:3])
    assert table.hands[1] == tuple(ordered[2:21:3])
    assert table.discards == (ordered[21],) and table.stock == tuple(ordered[22:])
    assert (table.turn, table.phase, table.turns, table.recycles, table.orders) == (2, "draw", 0, 0, 0)
    assert [(e.kind, e.seat, e.cards) for e in table.events] == [("upcard", 1, (ordered[21],))]


SIZES = {
    "solitaired-rummy": {2: 7, 3: 7, 4: 7},
    "basic-rummy": {2: 10, 3: 7, 4: 7, 5: 6, 6: 6},
    "android-rummy": {2: 10},
}


@pytest.mark.parametrize("preset,seats", RUMMY_TABLES)
def test_fifty_deals_of_a_match_have_hands_of_the_right_size_and_every_card_once(preset: str, seats: int) -> None:
    """FAULTS.md A42."""
    played = game(preset, seats, match_end="deals", deals=50)
    rng, sheet = random.Random(f"fifty {preset} {seats}"), played.new_sheet(0)
    for _deal in range(50):
        table = dealt(played, rng, sheet)
        assert [len(hand) for hand in table.hands] == [SIZES[preset][seats]] * seats
        assert len(table.stock) == 52 - 1 - seats * SIZES[preset][seats]
        for _step in range(6):
            if table.outcome is None:
                _action, table = stepped(played, table, rng)
            assert cards_of(table) == sorted(pack())
        sheet = played.book(sheet, Outcome("blocked", None, (0,) * seats))


def test_a_table_that_was_given_out_cannot_be_changed() -> None:
    """FAULTS.md A42: what a caller does to a table or a sheet does not change the game."""
    table, sheet = dealt(BASIC, random.Random(1)), BASIC.new_sheet(0)
    for value, field in ((table, "hands"), (table, "turn"), (sheet, "totals"), (BASIC.options, "target")):
        with pytest.raises(AttributeError):
            setattr(value, field, 0)
    zones = table.zones()
    assert isinstance(zones, dict)
    zones["stock"] = ()
    assert table.zones()["stock"] == table.stock != ()


# What an overdue seat does (HOUSE.md, "idle")


def idles(game: Game[Any], table: Table) -> Action:
    return game.idle(see(game, table, game.new_sheet(0), table.turn))


def test_an_overdue_seat_draws_and_throws_the_card_drawn() -> None:
    table = rummy_table(BASIC, "KD 2C", "3C 3D", pile="KS", stock="5D 6D", phase="draw")
    assert idles(BASIC, table) == DrawStock()
    table = done(BASIC, table, DrawStock())
    assert idles(BASIC, table) == throw("5D")


def test_an_overdue_seat_that_took_a_card_throws_the_dearest_other_and_of_equal_ones_the_lowest() -> None:
    table = rummy_table(BASIC, "QS KD TH 2C 9D JC", "3C 3D", taken="JC")
    assert idles(BASIC, table) == throw("KD")
    aces = game("basic-rummy", 2, ace="wrap")
    table = rummy_table(aces, "QS AH TH 2C KC", "3C 3D", taken="KC")
    assert idles(aces, table) == throw("AH")


def test_an_overdue_seat_whose_drawn_card_has_gone_throws_the_dearest() -> None:
    table = rummy_table(BASIC, "7H 8H 9H QS 2C", "3C 3D", pile="4C", drawn="9H")
    table = done(BASIC, table, meld("7H 8H 9H"))
    assert idles(BASIC, table) == throw("QS")


def test_an_overdue_seat_lays_off_the_taken_card_that_nothing_else_can_place() -> None:
    table = rummy_table(BASIC, "TH JH", "3C", pile="4C", taken="JH", melds=[(1, "7H 8H 9H")])
    table = done(BASIC, table, lay("TH"))
    assert idles(BASIC, table) == lay("JH")


# What a page shows of the past (RULES.md section 1, "Hidden information")


def test_a_short_memory_shows_what_happened_since_the_seats_previous_turn() -> None:
    table = rummy_table(BASIC, "KD 2C", "3C 4D", pile="9D", stock="5C 6C 7C 8C", phase="draw", turns=0)
    table = done(BASIC, table, DrawStock(), throw("KD"), TakeDiscard(), throw("3C"), DrawStock(), throw("2C"))

    def past(viewer: int | None, memory: str) -> list[tuple[str, int]]:
        view = see(BASIC, table, BASIC.new_sheet(0), viewer, memory)
        return [(e.kind, e.turn) for e in view.events]

    everything = [("drew", 0), ("discarded", 0), ("took", 1), ("discarded", 1), ("drew", 2), ("discarded", 2)]
    assert table.turn == 1
    for viewer in (0, 1, None):
        assert past(viewer, "all") == everything
    assert past(1, "none") == everything[2:]
    assert past(0, "none") == everything[4:]
    assert past(None, "none") == everything[4:], "a watcher sees the least of any seat"
    assert past(0, "discards") == [everything[1], everything[3], *everything[4:]]
    table = done(BASIC, table, DrawStock())
    assert past(1, "none") == [*everything[2:], ("drew", 3)], "the turn in progress is not the previous one"


def test_a_seat_that_has_had_no_turn_sees_the_deal_from_its_start() -> None:
    table = dealt(BASIC, random.Random(1))
    assert [e.kind for e in see(BASIC, table, BASIC.new_sheet(0), 0, "none").events] == ["upcard"]
    table = done(BASIC, table, DrawStock())
    assert [e.kind for e in see(BASIC, table, BASIC.new_sheet(0), 1, "none").events] == ["upcard", "drew"]


def test_a_deal_that_is_over_shows_all_hands_and_the_whole_past() -> None:
    for table in tables(BASIC, random.Random(5)):
        view = see(BASIC, table, BASIC.new_sheet(0), None, "none")
        if table.outcome is None:
            assert view.hands == () and view.outcome is None
    assert view.hands == table.hands and view.outcome == table.outcome
    assert len(view.events) == len(table.events)
    assert (table.drawn, table.taken, view.actor, view.legal) == (None, None, DEALER, ())


def test_public_facts_say_who_has_melded_and_how_often_the_stock_came_back() -> None:
    table = rummy_table(OWN_MELD, "7H 8H 9H KD 2C", "3C 4D", pile="9D", drawn="2C", recycles=1)
    assert dict(OWN_MELD.facts(table)) == {"recycles": 1, "owners": ()}
    assert dict(OWN_MELD.facts(done(OWN_MELD, table, meld("7H 8H 9H")))) == {"recycles": 1, "owners": (0,)}


def test_sampled_options_reach_every_value() -> None:
    """The laws are no stronger than the options that they are tried with."""
    seen: dict[str, set[Any]] = {}
    for seed in range(400):
        for name, value in sampled("basic-rummy", 4, random.Random(seed)).items():
            seen.setdefault(name, set()).add(value)
    for offer in ("ace", "stock_recycle", "blocked_scoring", "rummy_bonus"):
        assert len(seen[offer]) == 3
    assert len(seen["hand_size"]) == 10 and seen["max_melds_per_turn"] == {None, 1}
