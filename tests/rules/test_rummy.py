"""Basic rummy at tables of our own, where the published vectors leave holes. Each table cites RULES.md."""

from dataclasses import replace
from itertools import product

import pytest

from games.rules.actions import Action, Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.cards import card, cards
from games.rules.codec import decode
from games.rules.errors import Illegal, Malformed
from games.rules.table import DEALER
from games.rules.view import see

from .playing import cards_of, game, rummy_table, why
from .rummy_world import BASIC, OWN_MELD, done, ended, lay, meld, throw


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
