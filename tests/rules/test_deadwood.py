"""Least deadwood, the knocker's arrangement and the defender's lay-offs, each against plain trial of everything."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import pytest

from games.bench.deadwood import figures
from games.rules.cards import RANKS, SUITS, Card, by_suit, cards, pack
from games.rules.deadwood import after_each, arrange, least
from games.rules.layoffs import best_layoffs, points_kept
from games.rules.melds import Shape, least_deadwood, natural_melds, new_meld, shape_of

from . import vectors
from .settings import joined

SHAPE = Shape()
VECTORS = vectors.read("deadwood.jsonl")
BLOCK = 100


def worth(some: Sequence[Card]) -> int:
    return sum(min(one.rank, 10) for one in some)


def loose(hand: Sequence[Card], melds: Sequence[Sequence[Card]]) -> list[Card]:
    """The cards of a hand that are in none of the melds."""
    used = [one for meld in melds for one in meld]
    assert len(used) == len(set(used)) and set(used) <= set(hand)
    return [one for one in hand if one not in used]


# Three ways to deal: anything; close ranks; melds that share cards


def random_hand(rng: random.Random, size: int = 10) -> tuple[Card, ...]:
    return tuple(rng.sample(pack(), size))


def close_hand(rng: random.Random, size: int = 10) -> tuple[Card, ...]:
    low = rng.randint(1, 9)
    return tuple(rng.sample([one for one in pack() if low <= one.rank < low + 5], size))


def rich_hand(rng: random.Random, size: int = 10) -> tuple[Card, ...]:
    hand: list[Card] = []
    while len(hand) < size:
        rank, suit = rng.randint(1, 11), rng.randrange(4)
        run = [f"{RANKS[rank - 1 + n]}{SUITS[suit]}" for n in range(3)]
        same = [f"{RANKS[rank - 1]}{s}" for s in rng.sample(SUITS, 3)]
        hand += [one for one in cards(rng.choice((run, same))) if one not in hand]
    return tuple(hand[:size])


Dealer = Callable[[random.Random, int], tuple[Card, ...]]
DEALERS = (random_hand, close_hand, rich_hand)


def ways(hand: Sequence[Card], melds: list[tuple[Card, ...]] | None = None) -> Iterator[list[tuple[Card, ...]]]:
    """Every choice of melds that share no card."""
    melds = list(natural_melds(hand, SHAPE)) if melds is None else melds
    yield []
    for index, meld in enumerate(melds):
        rest = [other for other in melds[index + 1 :] if not set(other) & set(meld)]
        for more in ways(hand, rest):
            yield [meld, *more]


# Least deadwood


@pytest.mark.parametrize("start", range(0, len(VECTORS), BLOCK))
def test_vectors_of_deadwood_by_the_solver_for_one_pack(start: int) -> None:
    for vector in VECTORS[start : start + BLOCK]:
        hand = cards(vector["hand"])
        assert least(hand) == vector["dw"] == worth(loose(hand, arrange(hand))), vector
        if len(hand) == 11:
            after = after_each(hand)
            assert min(after.values()) == vector["dw_after_discard"], vector
            best = {one for one in after if after[one] == vector["dw_after_discard"]}
            assert best == set(vector["best_discards"].split()), vector


@pytest.mark.parametrize("deal", DEALERS)
@pytest.mark.parametrize("size", [0, 1, 3, 7, 10, 11])
def test_least_deadwood_is_what_trial_of_all_melds_finds(deal: Dealer, size: int) -> None:
    rng = random.Random(f"{deal.__name__} {size}")
    for _number in range(60):
        hand = deal(rng, size)
        assert least(hand) == least_deadwood(hand, SHAPE, lambda one: min(one.rank, 10))[0]
        assert least(hand) == least(tuple(reversed(hand)))


@pytest.mark.parametrize(
    "hand,points",
    [
        pytest.param("4S 5S 6S 7S 8S 9S TS 7C 7D KH", 10, id="A02: a run is cut in the middle"),
        pytest.param("JS JH JD QS QH QD KS KH KD TS", 0, id="A04: runs across ranks that also make sets"),
        pytest.param("2H 3H 4H 5H 6H 6C 6S 7D 8D 9D", 0, id="A06: the run ends where the set begins"),
        pytest.param("3S 3H 3D 4S 4H 4D 5S 5H 5D 6S", 0, id="A06: runs, not sets"),
        pytest.param("KS AS 2S QH QD QC 5D 6D 7D 9H", 22, id="A07: no run around the ace"),
        pytest.param("KC KH AC 7S 8S 9S 4C 4D 4H 2D", 23, id="A09: no ace in a set of kings"),
        pytest.param("QS KS AS 2C 2D 2H", 21, id="the ace is low"),
        pytest.param("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", 0, id="one run of eleven"),
        pytest.param("QC KC AD 2D TH JH", 43, id="suits do not run into each other"),
        pytest.param("", 0, id="no cards"),
    ],
)
def test_faults_of_others_in_deadwood(hand: str, points: int) -> None:
    assert least(cards(hand)) == points
    assert worth(loose(cards(hand), arrange(cards(hand)))) == points


def test_a30_what_each_discard_leaves() -> None:
    after = after_each(cards("2S 3S 4S 7H 7D 7C 9C TC JC KD TH"))
    assert {str(one) for one, left in after.items() if left <= 10} == {"KD", "TH"}
    assert (after[cards("KD")[0]], after[cards("2S")[0]]) == (10, 27)


def test_eleven_cards_of_which_openspiel_says_12() -> None:
    assert min(after_each(cards("3S 4S 5S 6S 3C 5C 6C 2D 4D 5D 6D")).values()) == 10


# The arrangement of a knock


def by_the_rule(hand: Sequence[Card]) -> list[list[str]]:
    """Rules (1) to (3) of RULES.md section 6, word by word: every choice of melds is looked at."""

    def fitting(melds: list[list[str]]) -> int:
        on_table = [new_meld(cards(meld), 0, SHAPE) for meld in melds]
        free = [one for one in pack() if one not in hand]
        return sum(any(m and shape_of((*m.cards, one), SHAPE, m.kind) for m in on_table) for one in free)

    def places(melds: list[list[str]]) -> list[list[tuple[int, int]]]:
        return [[(one.suit, one.rank) for one in cards(meld)] for meld in melds]

    arrangements = {str(melds): melds for melds in (joined(way) for way in ways(hand))}
    return min(
        arrangements.values(),
        key=lambda melds: (worth(loose(hand, [cards(m) for m in melds])), fitting(melds), places(melds)),
    )


@pytest.mark.parametrize("deal", DEALERS)
@pytest.mark.parametrize("size", [10, 11])
def test_the_arrangement_is_the_one_of_the_rules(deal: Dealer, size: int) -> None:
    rng = random.Random(f"arranged {deal.__name__} {size}")
    for _number in range(40):
        hand = deal(rng, size)
        assert [list(map(str, meld)) for meld in arrange(hand)] == by_the_rule(hand), hand


@pytest.mark.parametrize(
    "hand,melds",
    [
        # (1) decides: the run leaves 14, the three sevens 17
        ("7C 7D 7H 8H 9H", "7H 8H 9H"),
        # (2) the set gives one card (3S), the runs of three two: the set and the shorter run
        ("3C 4C 5C 6C 3D 3H KS QS", "3C 3D 3H; 4C 5C 6C"),
        # (2) with the threes only 3S and 7C fit; with the runs 2C, 7C and 4D do
        ("3C 4C 5C 6C AD 2D 3D 3H AS 5S", "3C 3D 3H; 4C 5C 6C"),
        # (3) equal in all: the list that begins with the lower card
        ("4C 2D AH 2H 3H AS 2S 4S 5S 6S", "2D 2H 2S; 4S 5S 6S"),
        # runs that meet are one
        ("AC 2C 3C 4C 5C 6C", "AC 2C 3C 4C 5C 6C"),
        ("KC QD", ""),
    ],
)
def test_arrangements_that_one_of_the_three_rules_decides(hand: str, melds: str) -> None:
    expected = [list(map(str, cards(meld))) for meld in melds.split(";")] if melds else []
    assert [list(map(str, meld)) for meld in arrange(cards(hand))] == expected == by_the_rule(cards(hand))


# Lay-offs


def all_layoffs(hand: tuple[Card, ...], melds: Sequence[Sequence[Card]]) -> dict[frozenset[tuple[Card, int]], int]:
    """Every set of (card, meld) that can be laid off in some order, with the deadwood that is left."""
    start = tuple(new_meld(meld, 0, SHAPE) for meld in melds)
    found: dict[frozenset[tuple[Card, int]], int] = {}
    todo = [(frozenset[tuple[Card, int]](), tuple(tuple(m.cards) for m in start if m))]
    while todo:
        done, on_table = todo.pop()
        if done in found:
            continue
        left = [one for one in hand if one not in {card for card, _meld in done}]
        found[done] = least(left)
        for one in left:
            for index, meld in enumerate(on_table):
                kind = start[index]
                if kind and (grown := shape_of((*meld, one), SHAPE, kind.kind)):
                    more = (*on_table[:index], grown[1], *on_table[index + 1 :])
                    todo.append((done | {(one, index)}, more))
    return found


def test_lay_offs_are_the_best_of_all_that_can_be_done() -> None:
    rng = random.Random("lay-offs")
    tried = more_than_one = 0
    while tried < 150:
        deal = rng.choice((close_hand, rich_hand))
        both = deal(rng, 20) if deal is close_hand else rich_hand(rng, 20)
        knocker, hand = both[:10], both[10:]
        melds = arrange(knocker)
        if not melds:
            continue
        tried += 1
        possible = all_layoffs(hand, melds)
        lowest = min(possible.values())

        def listed(way: frozenset[tuple[Card, int]]) -> list[tuple[int, int, int]]:
            return sorted((card.suit, card.rank, meld) for card, meld in way)

        best = min((way for way in possible if possible[way] == lowest), key=lambda way: (len(way), listed(way)))
        found = best_layoffs(hand, melds)
        assert frozenset(found) == best, (hand, melds)
        assert points_kept(hand, found) == lowest
        more_than_one += len(found) > 1
    assert more_than_one > 30


def laid(hand: str, *melds: str) -> str:
    found = best_layoffs(cards(hand), [cards(meld) for meld in melds])
    return ", ".join(f"{card} on {meld}" for card, meld in found)


@pytest.mark.parametrize(
    "hand,melds,expected",
    [
        ("7S 8S KD", ("4S 5S 6S",), "7S on 0, 8S on 0"),
        ("3S 2S KD", ("4S 5S 6S",), "3S on 0, 2S on 0"),
        ("8S KD", ("4S 5S 6S",), ""),
        ("7S KD", ("7C 7D 7H", "4S 5S 6S"), "7S on 0"),
        ("7S 8S KD", ("7C 7D 7H", "4S 5S 6S"), "7S on 1, 8S on 1"),
        ("6S KD", ("3S 4S 5S", "7S 8S 9S"), "6S on 0"),
        ("6S KD", ("7S 8S 9S", "3S 4S 5S"), "6S on 0"),
        ("KC AC", ("JC QC TC", "2D 3D 4D"), "KC on 0"),
        ("7S 7D 7H 2C", ("4S 5S 6S",), ""),
        ("7S 7D 7H 7C 2C", ("4S 5S 6S",), ""),
        ("7S 8S 7D 7H 7C 2C", ("4S 5S 6S",), "7S on 0, 8S on 0"),
        ("4D 5D", ("4C 4H 4S", "5C 5H 5S"), "4D on 0, 5D on 1"),
    ],
)
def test_lay_offs_chain_split_and_choose(hand: str, melds: tuple[str, ...], expected: str) -> None:
    assert laid(hand, *melds) == expected


def test_a18_the_defender_lays_off_a_chain_and_keeps_a_set() -> None:
    hand = cards("7H 2H 3H JH KS QD 8C 3D 3S 3C")
    found = best_layoffs(hand, arrange(cards("4H 5H 6H JS JD JC AS AD AC 4C")))
    assert {str(card) for card, _meld in found} == {"7H", "JH", "3H", "2H"}
    assert (least(hand), points_kept(hand, found)) == (47, 28)


def test_no_pair_of_cards_is_a_meld() -> None:
    for pair in combinations(cards("7C 7D 8C 6C AS KS"), 2):
        assert arrange(pair) == () and least(pair) == worth(by_suit(pair))


def test_the_solver_takes_less_than_half_the_time_of_rlcard(request: pytest.FixtureRequest) -> None:
    """Both on the same hands in the same moment, so that a busy machine is busy for both."""
    if request.config.getoption("--no-engines"):
        pytest.skip("told to leave other programs out")
    ratio = figures().get("deadwood_ratio")
    assert ratio, "RLCard is missing: pip install -r requirements-dev.txt, or leave it out with --no-engines."
    assert ratio.keys() == {"random", "clustered", "meld_rich"}
    assert max(ratio.values()) < 0.5, ratio
