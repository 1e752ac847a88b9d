"""Least deadwood of a hand from one pack with aces low, and the knocker's arrangement (RULES.md section 6).

A hand is one whole number: sixteen bits a suit, the ace lowest. Two facts make an exhaustive search short. Once the
sets are chosen, the best runs are plain: every stretch of three or more cards of a suit is one run, since a card left
out only costs. And sets of different ranks share no card, so their choices can be tried one by one: six for four
cards of a rank, two for three. Most hands have no more than one rank with three cards.

Lay-offs on another's melds stand in layoffs.py, melds of any shape (several packs, wild cards) in melds.py.
"""

from collections.abc import Iterable, Iterator

from .cards import Card, pack

type Arrangement = tuple[tuple[Card, ...], ...]

SUIT_BITS = 16
RANK_MASK = (1 << 13) - 1
CARDS: dict[int, Card] = {1 << (SUIT_BITS * c.suit + c.rank - 1): c for c in pack()}
BIT: dict[Card, int] = {c: bit for bit, c in CARDS.items()}
FOUR_SUITS = sum(1 << (SUIT_BITS * suit) for suit in range(4))
TRIPLES = tuple(FOUR_SUITS & ~(1 << (SUIT_BITS * suit)) for suit in range(4))


def _points(ranks: int) -> int:
    """The points of some cards of one suit."""
    return sum(min(rank, 10) for rank in range(1, 14) if ranks >> (rank - 1) & 1)


POINTS = tuple(_points(ranks) for ranks in range(1 << 13))


def mask_of(hand: Iterable[Card]) -> int:
    """The number that stands for a hand."""
    mask = 0
    for one in hand:
        mask |= BIT[one]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a number, in the order C D H S, then by rank."""
    found = []
    while mask:
        low = mask & -mask
        found.append(CARDS[low])
        mask ^= low
    return tuple(found)


def points_of(mask: int) -> int:
    """The points of all cards of a number."""
    return (
        POINTS[mask & RANK_MASK]
        + POINTS[mask >> 16 & RANK_MASK]
        + POINTS[mask >> 32 & RANK_MASK]
        + POINTS[mask >> 48 & RANK_MASK]
    )


def left_by_runs(mask: int) -> int:
    """The cards that are in no run when every stretch of three or more is one."""
    starts = mask & mask >> 1 & mask >> 2
    return mask & ~(starts | starts << 1 | starts << 2) if starts else mask


def ranks_of_sets(mask: int) -> int:
    """The ranks of which a hand has three or four cards, as bits of one suit."""
    clubs, diamonds, hearts, spades = mask, mask >> 16, mask >> 32, mask >> 48
    return ((clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))) & RANK_MASK


def least(hand: Iterable[Card]) -> int:
    """The least points that a hand can leave outside melds. The hand has no card twice."""
    mask = 0
    for one in hand:
        mask |= BIT[one]
    return least_of(mask)


def least_of(mask: int) -> int:
    """The same for a hand given as a number."""
    ranks = ranks_of_sets(mask)
    if not ranks:
        return points_of(left_by_runs(mask))
    return min(points_of(left_by_runs(mask & ~sets)) for sets in choices_of_sets(mask, ranks))


def choices_of_sets(mask: int, ranks: int) -> Iterator[int]:
    """Every way to use some of the ranks for sets, as the cards used; none of them comes too."""
    if not ranks:
        yield 0
        return
    rank = ranks & -ranks
    held = mask & rank * FOUR_SUITS
    for rest in choices_of_sets(mask, ranks ^ rank):
        yield rest
        yield rest | held
        if held == rank * FOUR_SUITS:
            for three in TRIPLES:
                yield rest | rank * three


def after_each(hand: Iterable[Card]) -> dict[Card, int]:
    """For each card of a hand the least deadwood once it is discarded."""
    held = tuple(hand)
    mask = mask_of(held)
    return {one: least_of(mask ^ BIT[one]) for one in held}


def arrange(hand: Iterable[Card]) -> Arrangement:
    """The melds in which the rules lay out a hand: (1) least deadwood, (2) fewest other cards of the pack that could
    be laid off directly, (3) the smallest list. Each meld is sorted by suit and rank, and so are the melds.
    """
    mask = mask_of(hand)
    ranks = ranks_of_sets(mask)
    if not ranks:
        return tuple(map(cards_of, _melds(mask, 0)))
    best: dict[tuple[int, ...], int] = {}
    lowest = least_of(mask)
    for sets in choices_of_sets(mask, ranks):
        if points_of(left_by_runs(mask & ~sets)) == lowest:
            melds = _melds(mask, sets)
            best[melds] = (open_to(melds) & ~mask).bit_count()
    chosen = min(best, key=lambda melds: (best[melds], [_places(meld) for meld in melds]))
    return tuple(map(cards_of, chosen))


def _places(mask: int) -> list[int]:
    """The bits of a meld by their place: suit C D H S, then rank."""
    return [BIT[one].bit_length() for one in cards_of(mask)]


def _melds(mask: int, sets: int) -> tuple[int, ...]:
    """The sets chosen and the runs of the other cards, each as a number, in the order of their cards."""
    found = [sets & rank for rank in (FOUR_SUITS << n for n in range(13)) if sets & rank]
    rest = mask & ~sets
    runs = rest & ~left_by_runs(rest)
    while runs:
        low = runs & -runs
        run = runs & ~(runs + low)
        found.append(run)
        runs ^= run
    return tuple(sorted(found, key=_places))


def open_to(melds: Iterable[int]) -> int:
    """All cards that would fit on one of the melds as it lies, as bits."""
    fitting = 0
    for meld in melds:
        around = meld << 1 | meld >> 1 if is_run(meld) else same_rank(meld)
        fitting |= around & ~meld
    return fitting & RANK_MASK * FOUR_SUITS


def is_run(meld: int) -> bool:
    """Whether a meld, given as a number, is a run and not a set."""
    return bool(meld & (meld & -meld) << 1)


def same_rank(meld: int) -> int:
    """All four cards of the rank of a set."""
    place = ((meld & -meld).bit_length() - 1) % SUIT_BITS
    return FOUR_SUITS << place


def arrangements(hand: Iterable[Card], most: int) -> tuple[Arrangement, ...]:
    """All ways to lay out a hand that leave at most so much and no further meld, the one that the rules take first."""
    mask = mask_of(hand)
    first = arrange(hand)
    found: dict[Arrangement, int] = {}
    for sets in choices_of_sets(mask, ranks_of_sets(mask)):
        melds = _melds(mask, sets)
        left = mask & ~sum(melds)
        if points_of(left) <= most and not ranks_of_sets(left):
            found[tuple(map(cards_of, melds))] = points_of(left)
    return (first, *sorted((one for one in found if one != first), key=lambda one: (found[one], one)))
