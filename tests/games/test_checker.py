"""The 20 lines that check a match: an honest one passes, a tampered one is found out."""

import copy
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import fairness, play
from games.models import Match
from games.rules.actions import Discard, DrawStock
from games.rules.cards import by_id, pack

from .fair_world import CUTS, SEED, any_cut, any_secret, checker, code, secret, steady, wrong
from .playing import do, legal, mover, opened


def check(record):
    return checker()["check"](record)


def told(n, key, deal, pool):
    order = fairness.order(key, CUTS, deal, n, len(pool))
    return {"n": n, "size": len(pool), "cards": [pool[i] for i in order], "pool": pool}


def reshuffled(deal, n, key, cards):
    """A reshuffle of some of the cards, which were discarded in any order."""
    pool = [str(card) for card in by_id(cards)]
    return told(n, key, deal, pool)


def made_record(decks=1, jokers=0):
    """Three deals, the first with three reshuffles, the second void before a card was played."""
    cards = pack(decks, jokers)
    keys = {deal: fairness.link(SEED, deal) for deal in (1, 2, 3)}
    deals = [
        {"deal": deal, "secret": key.hex(), "orders": [told(0, key, deal, [str(card) for card in cards])]}
        for deal, key in keys.items()
    ]
    deals[0]["orders"] += [reshuffled(1, n, keys[1], cards[n * 3 : 25 + n * 7]) for n in (1, 2, 3)]
    deals[2]["orders"] += [reshuffled(3, 1, keys[3], cards[-20:])]
    dealer = fairness.order(keys[1], CUTS, 0, 0, len(CUTS))[0]
    return {"commitment": fairness.link(SEED, 0).hex(), "cuts": list(CUTS), "first_dealer": dealer, "deals": deals}


def test_the_checker_has_at_most_20_lines_of_plain_python():
    lines = [line for line in code().splitlines() if line.strip() and not line.lstrip().startswith("#")]

    assert len(lines) <= 20
    assert max(map(len, lines)) <= 120
    assert not any(";" in line.partition("  #")[0] for line in lines)
    assert set(lines[0].removeprefix("import ").split(", ")) <= sys.stdlib_module_names
    assert sum("import " in line for line in lines) == 1


@pytest.mark.parametrize(("decks", "jokers"), [(1, 0), (1, 2), (2, 0), (2, 4)])
def test_an_honest_match_with_three_reshuffles_passes(decks, jokers):
    record = made_record(decks, jokers)
    before = copy.deepcopy(record)

    assert [len(deal["orders"]) for deal in record["deals"]] == [4, 1, 2]
    assert check(record) == []
    assert record == before


def test_an_honest_record_may_leave_out_the_dealer_and_deals_to_come():
    record = made_record()
    del record["first_dealer"]
    assert check(record) == []
    assert check(record | {"deals": record["deals"][:1]}) == []
    assert check(record | {"deals": []}) == []


def swapped(cards, i=0, j=1):
    cards[i], cards[j] = cards[j], cards[i]


def another_cut(record):
    record["cuts"][2] = "0" * 32


def cuts_in_another_order(record):
    record["cuts"][:] = record["cuts"][::-1]


def cut_of_a_seat_without_one(record):
    record["cuts"][1] = "0" * 32


def skipped_number(record):
    del record["deals"][1]


def skipped_number_renumbered(record):
    """A void deal was dealt again, and the list pretends that it never was."""
    del record["deals"][1]
    record["deals"][1]["deal"] = 2


def dealt_again(record):
    """A void deal is listed, but under its number other cards were laid with another secret."""
    key = secret(9)
    pool = record["deals"][1]["orders"][0]["pool"]
    record["deals"][1] |= {"secret": key.hex(), "orders": [told(0, key, 2, pool)]}


def used_again(record):
    """The deal after the void one used the same secret again."""
    key = bytes.fromhex(record["deals"][1]["secret"])
    pool = record["deals"][2]["orders"][0]["pool"]
    record["deals"][2] |= {"secret": key.hex(), "orders": [told(0, key, 3, pool)]}


def deal_without_its_cards(record):
    record["deals"][1]["orders"] = []


def two_cards_of_the_pack_swapped(record):
    swapped(record["deals"][0]["orders"][0]["cards"], 3, 40)


def two_cards_of_the_last_reshuffle_swapped(record):
    swapped(record["deals"][0]["orders"][3]["cards"], -2, -1)


def swapped_with_a_pool_to_match(record):
    """The pool is told in an order that would justify the cards."""
    order = record["deals"][0]["orders"][0]
    swapped(order["cards"], 0, 1)
    places = fairness.order(bytes.fromhex(record["deals"][0]["secret"]), CUTS, 1, 0, 52)
    for place, card in zip(places, order["cards"], strict=True):
        order["pool"][place] = card


def repeated(record, at, pool):
    deal = record["deals"][0]
    deal["orders"][at] = told(at, bytes.fromhex(deal["secret"]), 1, pool)


def a_card_twice_in_the_pack(record):
    repeated(record, 0, ["AC", *record["deals"][0]["orders"][0]["pool"][:-1]])


def an_unknown_card(record):
    repeated(record, 0, [*record["deals"][0]["orders"][0]["pool"][:-1], "1S"])


def a_reshuffled_card_that_the_pack_had_not(record):
    repeated(record, 2, [*record["deals"][0]["orders"][2]["pool"], "XX"])


def a_reshuffle_left_out(record):
    del record["deals"][0]["orders"][2]


def a_reshuffle_done_twice(record):
    """The second reshuffle was thrown away for a third one of the same cards."""
    orders = record["deals"][0]["orders"]
    orders[2:] = [told(3, bytes.fromhex(record["deals"][0]["secret"]), 1, orders[2]["pool"])]


def another_size(record):
    record["deals"][0]["orders"][0]["size"] = 51


def another_secret(record):
    record["deals"][1]["secret"] = secret(1).hex()


def another_commitment(record):
    record["commitment"] = fairness.link(SEED, 1).hex()


def another_dealer(record):
    record["first_dealer"] = (record["first_dealer"] + 1) % 3


ALL_ORDERS = [(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (3, 0), (3, 1)]


@pytest.mark.parametrize(
    ("tamper", "findings"),
    [
        (another_cut, {"wrong dealer"} | wrong(*ALL_ORDERS)),
        (cuts_in_another_order, {"wrong dealer"} | wrong(*ALL_ORDERS)),
        (cut_of_a_seat_without_one, {"wrong dealer"} | wrong(*ALL_ORDERS)),
        (skipped_number, {"place 2: not deal 2, or no pack", "deal 2: wrong secret"}),
        (skipped_number_renumbered, {"deal 2: wrong secret"} | wrong((2, 0), (2, 1))),
        (dealt_again, {"deal 2: wrong secret", "deal 3: wrong secret"}),
        (used_again, {"deal 3: wrong secret"}),
        (deal_without_its_cards, {"place 2: not deal 2, or no pack"}),
        (two_cards_of_the_pack_swapped, wrong((1, 0))),
        (two_cards_of_the_last_reshuffle_swapped, wrong((1, 3))),
        (swapped_with_a_pool_to_match, wrong((1, 0), (1, 1))),
        (a_card_twice_in_the_pack, wrong((1, 0))),
        (an_unknown_card, wrong((1, 0))),
        (a_reshuffled_card_that_the_pack_had_not, wrong((1, 2))),
        (a_reshuffle_left_out, wrong((1, 2))),
        (a_reshuffle_done_twice, wrong((1, 2))),
        (another_size, wrong((1, 0))),
        (another_secret, {"deal 2: wrong secret", "deal 3: wrong secret"} | wrong((2, 0))),
        (another_commitment, {"deal 1: wrong secret"}),
        (another_dealer, {"wrong dealer"}),
    ],
)
def test_a_tampered_match_is_found_out(tamper, findings):
    record = made_record()
    tamper(record)

    assert set(check(record)) == findings


@steady
@given(
    any_secret, st.lists(any_cut, min_size=1, max_size=6), st.integers(0, 2000), st.integers(0, 50), st.integers(1, 120)
)
def test_the_checker_and_the_site_lay_the_same_packs(key, cuts, deal, n, size):
    pool = list(range(size))

    assert CHECKER["order"](key.hex(), cuts, deal, n, pool)["cards"] == list(fairness.order(key, cuts, deal, n, size))


CHECKER = checker()


def test_the_cards_of_every_game_lie_in_the_order_that_the_paper_names():
    cards = CHECKER["CARDS"]
    ten_phases = [f"{c}{k}" for c in "RBGY" for k in range(1, 13)]
    copies = ["", "#2", "#3", "#4", "#5", "#6", "#7", "#8"]

    assert len(cards) == len(set(cards))
    for decks, jokers in ((1, 0), (1, 4), (2, 4), (3, 6)):
        assert [card for card in cards if card in pack(decks, jokers)] == list(pack(decks, jokers))
    theirs = [
        *ten_phases,
        *(f"{f}#2" for f in ten_phases),
        *(f"W{c}" for c in copies),
        *(f"SKIP{c}" for c in copies[:4]),
    ]
    assert [card for card in cards if card in theirs] == theirs


def test_the_checker_runs_as_a_program_on_a_file(tmp_path):
    (tmp_path / "check.py").write_text(code(), encoding="utf-8")
    record = made_record()
    for changed, said in ((None, "All is well."), (another_dealer, "wrong dealer")):
        if changed:
            changed(record)
        (tmp_path / "match.json").write_text(json.dumps(record))
        ran = subprocess.run(
            [sys.executable, "-I", "check.py", "match.json"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert (ran.stdout.strip(), ran.stderr) == (said, "")


@pytest.mark.django_db
def test_a_played_deal_of_basic_rummy_with_three_reshuffles_passes(ann, bob):
    match = opened(ann, bob, hand_size=24, final_discard_required=True, turn_cap=200)
    while match.tape.filter(action__type="shuffled").count() < 3:
        user = mover(match)
        do(match, user, DrawStock())
        do(match, user, next(action for action in legal(match, user) if isinstance(action, Discard)))
    play.resign(match.pk, 0)

    match = Match.objects.get(pk=match.pk)
    records = [deal.record for deal in match.deals.order_by("number")]
    record = {"commitment": match.commitment, "cuts": records[0]["cuts"], "first_dealer": match.first_dealer}
    assert [order["n"] for order in records[0]["orders"]] == [0, 1, 2, 3]
    assert check(json.loads(json.dumps(record | {"deals": records}))) == []
