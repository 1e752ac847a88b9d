"""The chain, the cuts, the order of the pack, and the checker that docs/fairness.md gives to everybody."""

import copy
import hashlib
import json
import math
import re
import secrets
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import fairness, play
from games.models import Match
from games.rules.actions import Discard, DrawStock
from games.rules.cards import by_id, pack

from .playing import do, legal, mover, opened

DOC = Path(__file__).parents[2] / "docs" / "fairness.md"
SEED = bytes(range(32))
CUTS = ("00112233445566778899aabbccddeeff", "", "ffeeddccbbaa99887766554433221100")

steady = settings(derandomize=True, deadline=None)
any_secret = st.binary(min_size=32, max_size=32)
any_cut = st.one_of(st.just(""), st.binary(min_size=16, max_size=16).map(bytes.hex))


def secret(number):
    return hashlib.sha256(b"fixed %d" % number).digest()


# The chain


def test_each_link_is_the_hash_of_the_next_and_the_last_is_the_seed():
    links = [fairness.link(SEED, i) for i in range(1990, 2001)]

    assert links[-1] == SEED
    assert all(hashlib.sha256(after).digest() == before for before, after in zip(links, links[1:], strict=False))


@pytest.mark.parametrize("i", [-1, 2001])
def test_a_chain_has_no_link_outside_0_to_2000(i):
    with pytest.raises(ValueError, match="links 0 to 2000"):
        fairness.link(SEED, i)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_length_is_refused_and_not_quoted(size):
    wrong = b"\xab" * size
    for use in (lambda: fairness.link(wrong, 0), lambda: fairness.order(wrong, CUTS, 1, 0, 52)):
        with pytest.raises(ValueError, match="has 32 bytes") as caught:
            use()
        assert "ab" * 4 not in str(caught.value) and "xab" not in str(caught.value)


def test_anybody_can_go_one_step_back_from_a_revealed_secret_to_the_commitment():
    s0, s1, s2 = (fairness.link(SEED, i).hex() for i in range(3))

    assert fairness.verify_link(s0, s1) and fairness.verify_link(s1, s2)
    assert fairness.verify_link(s0.upper(), s1.upper())
    assert not fairness.verify_link(s0, s2)
    assert not fairness.verify_link(s1, s0)


@pytest.mark.parametrize("other", ["", "zz" * 32, "00" * 31, "00" * 33, " " + "00" * 31 + " ", "é" * 64, "٣" * 64])
def test_what_is_no_secret_is_no_link_and_no_error(other):
    s0, s1 = (fairness.link(SEED, i).hex() for i in range(2))

    assert not fairness.verify_link(s0, other)
    assert not fairness.verify_link(other, s1)


def test_seeds_and_cuts_are_new_each_time(monkeypatch):
    monkeypatch.setattr(fairness, "secrets", secrets)
    assert len({fairness.make_chain_seed() for _ in range(50)}) == 50
    assert {len(fairness.make_chain_seed()) for _ in range(5)} == {32}
    cuts = {fairness.make_cut() for _ in range(50)}
    assert len(cuts) == 50
    assert all(re.fullmatch("[0-9a-f]{32}", cut) for cut in cuts)


# Cuts


@pytest.mark.parametrize(
    ("typed", "cut"),
    [
        ("00112233445566778899aabbccddeeff", "00112233445566778899aabbccddeeff"),
        ("00112233445566778899AABBccddeeff", "00112233445566778899aabbccddeeff"),
        ("  00112233445566778899aabbccddeeff\n", "00112233445566778899aabbccddeeff"),
        ("spades", hashlib.sha256(b"spades").hexdigest()[:32]),
        (" spades ", hashlib.sha256(b"spades").hexdigest()[:32]),
        ("Spades", hashlib.sha256(b"Spades").hexdigest()[:32]),
        ("00112233445566778899aabbccddeef", hashlib.sha256(b"00112233445566778899aabbccddeef").hexdigest()[:32]),
        ("½", hashlib.sha256("½".encode()).hexdigest()[:32]),
        ("x" * 200, hashlib.sha256(b"x" * 200).hexdigest()[:32]),
        ("٣" * 32, hashlib.sha256(("٣" * 32).encode()).hexdigest()[:32]),
    ],
)
def test_a_typed_cut_is_its_hex_digits_or_the_hash_of_its_text(typed, cut):
    assert fairness.clean_cut(typed) == cut


def test_an_accent_counts_the_same_however_the_keyboard_composes_it():
    composed = unicodedata.normalize("NFC", "češljaj")
    taken_apart = unicodedata.normalize("NFD", composed)

    assert composed != taken_apart
    assert fairness.clean_cut(taken_apart) == fairness.clean_cut(composed)
    assert fairness.clean_cut(composed) == hashlib.sha256(composed.encode()).hexdigest()[:32]


@pytest.mark.parametrize(
    ("typed", "why"),
    [("", "Type something"), (" \n\t", "Type something"), ("x" * 201, "at most 200"), ("\ud800", "cut")],
)
def test_a_cut_that_cannot_be_used_is_refused_with_a_sentence(typed, why):
    with pytest.raises(ValueError, match=why) as caught:
        fairness.clean_cut(typed)
    assert type(caught.value) is ValueError and str(caught.value).endswith(".")
    assert caught.value.__context__ is None, "an error must not carry the cut along"


@steady
@given(st.text(min_size=1, max_size=200))
def test_every_text_gives_a_cut_that_stays_itself(typed):
    try:
        cut = fairness.clean_cut(typed)
    except ValueError:
        assert not typed.strip() or re.search("[\ud800-\udfff]", typed)
        return
    assert re.fullmatch("[0-9a-f]{32}", cut)
    assert fairness.clean_cut(cut.upper()) == cut


def test_the_fingerprint_of_a_cut_is_the_hash_of_its_16_bytes():
    assert fairness.cut_hash(CUTS[0]) == hashlib.sha256(bytes.fromhex(CUTS[0])).hexdigest()


@pytest.mark.parametrize("cut", ["", "spades", "AA" * 16, "aa" * 15, "aa" * 17, "zz" * 16, " " * 32])
def test_only_a_clean_cut_has_a_fingerprint_or_goes_into_an_order(cut):
    with pytest.raises(ValueError, match="32 lowercase hex digits"):
        fairness.cut_hash(cut)
    if cut:
        with pytest.raises(ValueError, match="32 lowercase hex digits"):
            fairness.order(SEED, (CUTS[0], cut), 1, 0, 52)


# The order of the pack


@steady
@given(
    any_secret, st.lists(any_cut, min_size=1, max_size=6), st.integers(0, 2000), st.integers(0, 50), st.integers(0, 330)
)
def test_an_order_names_each_card_once_and_always_the_same(key, cuts, deal, n, size):
    order = fairness.order(key, cuts, deal, n, size)

    assert sorted(order) == list(range(size))
    assert order == fairness.order(key, tuple(cuts), deal, n, size)


def test_everything_that_goes_in_changes_the_order():
    key, plain = secret(0), fairness.order(secret(0), CUTS, 1, 0, 52)
    others = [
        fairness.order(secret(1), CUTS, 1, 0, 52),
        fairness.order(key, (*CUTS[:2], "0" * 32), 1, 0, 52),
        fairness.order(key, CUTS[::-1], 1, 0, 52),
        fairness.order(key, ("", CUTS[0], CUTS[2]), 1, 0, 52),
        fairness.order(key, (*CUTS, ""), 1, 0, 52),
        fairness.order(key, CUTS, 2, 0, 52),
        fairness.order(key, CUTS, 1, 1, 52),
        fairness.order(key, CUTS, 11, 0, 52),
    ]
    assert len({plain, *others}) == len(others) + 1


@pytest.mark.parametrize(("deal", "n", "size"), [(-1, 0, 52), (1, -1, 52), (1, 0, -1), (1, 0, 2**32 + 1)])
def test_an_order_of_nothing_possible_is_refused(deal, n, size):
    with pytest.raises(ValueError, match="not negative"):
        fairness.order(SEED, CUTS, deal, n, size)


def test_version_1_gives_these_answers_for_ever():
    """Finished matches are checked by them. Never change a number here: a new algorithm is a new version."""
    first, second = fairness.link(SEED, 1), fairness.link(SEED, 2)

    assert (fairness.VERSION, fairness.LINKS) == (1, 2000)
    assert fairness.link(SEED, 0).hex() == "a41281d8034043311e3470a42afeb78aaf056b7a94443917689651cdcbb6be09"
    assert first.hex() == "ddfe6e9af7aee4a0c700d88129ae1686fb8bc9497d6b08c7781ddca311a1c159"
    assert fairness.clean_cut("spades") == "7fd0fee595c7deed2f1ca450ded860d9"
    assert fairness.cut_hash(CUTS[0]) == "a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811"
    assert fairness.order(first, CUTS, 0, 0, 3) == (1, 2, 0)
    assert fairness.order(first, CUTS, 1, 0, 10) == (7, 0, 6, 1, 2, 4, 3, 9, 8, 5)
    assert fairness.order(first, CUTS, 1, 1, 10) == (7, 6, 3, 1, 0, 8, 4, 9, 2, 5)
    assert fairness.order(second, CUTS, 2, 0, 10) == (6, 1, 2, 4, 0, 3, 7, 8, 9, 5)
    assert fairness.order(SEED, ("", ""), 1, 0, 10) == (7, 2, 5, 6, 8, 0, 1, 3, 4, 9)
    # fmt: off
    assert fairness.order(first, CUTS, 1, 0, 52) == (
        3, 49, 36, 13, 4, 7, 8, 48, 24, 42, 19, 14, 12, 26, 44, 47, 18, 21, 46, 16, 22, 1, 45, 30, 41, 20,
        27, 33, 40, 51, 17, 50, 15, 35, 31, 28, 9, 34, 10, 32, 25, 11, 23, 43, 0, 2, 39, 37, 5, 29, 6, 38,
    )
    # fmt: on
    large = fairness.order(first, CUTS, 1, 0, 108)
    assert (
        hashlib.sha256(bytes(large)).hexdigest() == "f55b383c6e753ceda88c1aa7641c702e4db034b2013798998645470658f73678"
    )


def test_the_stream_is_hmac_blocks_of_the_message_that_the_paper_gives(monkeypatch):
    asked = []

    def digest(key, message, name):
        asked.append((key, message, name))
        return bytes(32)

    monkeypatch.setattr(fairness.hmac, "digest", digest)
    fairness.order(SEED, CUTS, 7, 2, 10)

    text = f"rummysite-order-v1|7|2|10|{CUTS[0]}--{CUTS[2]}|"
    assert asked == [(SEED, f"{text}{block}".encode(), "sha256") for block in (0, 1)]


@pytest.mark.parametrize(
    ("words", "order"),
    [
        # m = 3 takes words below 4294967295, m = 2 every word
        ([0xFFFFFFFE, 0], (1, 0, 2)),
        ([0xFFFFFFFF, 0, 0], (1, 2, 0)),
        ([0xFFFFFFFF, 1, 0xFFFFFFFF], (0, 2, 1)),
        ([1, 1], (0, 2, 1)),
        ([0x00000001, 0x01000000], (2, 0, 1)),
    ],
)
def test_a_word_that_would_favour_a_place_is_thrown_away(words, order, monkeypatch):
    data = b"".join(word.to_bytes(4, "big") for word in words).ljust(32, b"\0")
    monkeypatch.setattr(fairness.hmac, "digest", lambda *_args: data)

    assert fairness.order(SEED, CUTS, 1, 0, 3) == order
    assert checker()["order"](SEED.hex(), CUTS, 1, 0, range(3))["cards"] == list(order)


def is_even(counts, cells):
    """Chi-square of the counts against equal ones, at most five standard deviations over its mean."""
    expected = sum(counts.values()) / cells
    chi = sum((counts[cell] - expected) ** 2 for cell in range(cells)) / expected
    return sum(counts[cell] for cell in range(cells)) == counts.total() and chi < cells - 1 + 5 * math.sqrt(
        2 * (cells - 1)
    )


def test_every_card_comes_equally_often_at_every_place():
    orders = [fairness.order(secret(i), CUTS, 1, 0, 52) for i in range(2600)]

    for place in range(52):
        assert is_even(Counter(order[place] for order in orders), 52), place


def test_all_orders_of_four_cards_come_equally_often_from_deal_to_deal_and_shuffle_to_shuffle():
    for orders in (
        [fairness.order(secret(i), CUTS, i, 0, 4) for i in range(4800)],
        [fairness.order(secret(0), CUTS, 1, n, 4) for n in range(4800)],
    ):
        names = {order: i for i, order in enumerate(sorted(set(orders)))}
        assert len(names) == 24
        assert is_even(Counter(names[order] for order in orders), 24)


def test_each_seat_is_first_dealer_equally_often():
    for seats in range(2, 7):
        cuts = [CUTS[0]] * seats
        assert is_even(Counter(fairness.order(secret(i), cuts, 0, 0, seats)[0] for i in range(3000)), seats)


# The checker in docs/fairness.md


def code():
    (found,) = re.findall(r"^```python\n(.*?)^```$", DOC.read_text(encoding="utf-8"), re.M | re.S)
    return found


def checker():
    names = {"__name__": "check"}
    exec(code(), names)  # noqa: S102
    return names


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


def wrong(*orders):
    return {f"deal {deal}, order {n}: wrong cards" for deal, n in orders}


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
