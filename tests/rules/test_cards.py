"""Cards, their notation and order (RULES.md section 1)."""

import pickle
import random

import pytest

from games.rules.cards import RANKS, SUITS, Card, by_id, by_rank, by_suit, card, cards, pack


def test_a_card_is_read_once_and_knows_its_parts() -> None:
    for text, face, copy, rank, suit in (
        ("AC", "AC", 1, 1, 0),
        ("TD", "TD", 1, 10, 1),
        ("JH", "JH", 1, 11, 2),
        ("KS#2", "KS", 2, 13, 3),
        ("XX", "XX", 1, 0, 4),
        ("XX#3", "XX", 3, 0, 4),
    ):
        one = card(text)
        assert (one, one.face, one.copy, one.rank, one.suit) == (text, face, copy, rank, suit)
        assert card(text) is one


def test_ten_may_be_written_with_two_digits() -> None:
    assert card("10H") is card("TH") and card("10H#2") == "TH#2"


@pytest.mark.parametrize(
    "text",
    ["", "7", "H7", "7h", "1H", "7X", "77", "7HH", "10", "7H#", "7H#0", "7H#1", "7H#10", "7H#x", "7H#²", "7H #2", "X",
     "XXX", "xx", " 7H", "7H\n", "T", "110H", "1010H"],
)  # fmt: skip
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        card(text)


def test_two_copies_of_a_face_are_two_cards() -> None:
    assert card("7H") != card("7H#2") and card("7H").face == card("7H#2").face
    assert len({*cards("7H 7H#2 7H")}) == 2


def test_several_cards_are_read_from_text_or_from_words() -> None:
    assert cards("7H 10S XX") == cards(["7H", "TS", "XX"]) == (card("7H"), card("TS"), card("XX"))
    assert cards("") == ()


def test_a_pack_holds_every_card_once_in_card_id_order() -> None:
    plain = pack()
    assert len(plain) == 52 and plain[0] == "AC" and plain[12] == "KC" and plain[13] == "AD" and plain[-1] == "KS"
    assert {c.face for c in plain} == {r + s for r in RANKS for s in SUITS}
    for decks, jokers in ((1, 0), (1, 2), (2, 0), (2, 4)):
        whole = pack(decks, jokers)
        assert len(set(whole)) == len(whole) == 52 * decks + jokers
        assert sum(c.rank == 0 for c in whole) == jokers
        shuffled = random.Random(1).sample(whole, len(whole))
        assert by_id(shuffled) == whole
    assert pack(2, 2)[52] == "AC#2" and pack(2, 2)[-2:] == ("XX", "XX#2")


def test_hands_are_sorted_by_suit_or_by_rank() -> None:
    hand = cards("XX KS AH 2C#2 2C TD AH#2")
    assert by_suit(hand) == cards("2C 2C#2 TD AH AH#2 KS XX")
    assert by_rank(hand) == cards("AH AH#2 2C 2C#2 TD KS XX")


def test_a_card_survives_copying() -> None:
    one = card("7H#2")
    again = pickle.loads(pickle.dumps(one))
    assert again == one and isinstance(again, Card) and (again.rank, again.copy) == (7, 2)
