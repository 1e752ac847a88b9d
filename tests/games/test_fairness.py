"""The chain, the cuts, the order of the pack, and the checker that docs/fairness.md gives to everybody."""

import hashlib
import math
import re
import secrets
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import fairness

from .fair_world import CUTS, SEED, any_cut, any_secret, checker, secret, steady


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
