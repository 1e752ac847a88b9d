"""The best mix of own melds and lay-offs for the defender of a knock (RULES.md section 6), exact.

One pack, aces low. All ways to lay off are tried: on each run any stretch of held cards at either end, on each set of
three the fourth card; own melds may be torn for it. What then stays in the hand is arranged at its best.
"""

from collections.abc import Iterable, Iterator, Sequence

from .cards import Card
from .deadwood import BIT, CARDS, is_run, least_of, mask_of, same_rank

type LayOffs = tuple[tuple[Card, int], ...]


def best_layoffs(hand: Iterable[Card], melds: Sequence[Sequence[Card]]) -> LayOffs:
    """(card, index of its meld) in an order that works, for least deadwood; of equal ways the one with fewest cards,
    then the smallest list by card (suit C D H S, rank) and meld.
    """
    mask = mask_of(hand)
    kept: dict[int, int] = {}

    def worth(way: tuple[tuple[int, int], ...]) -> tuple[int, int, list[tuple[int, int]]]:
        left = mask & ~sum(bit for bit, _meld in way)
        if left not in kept:
            kept[left] = least_of(left)
        return kept[left], len(way), sorted(way)

    targets = [mask_of(meld) for meld in melds]
    best = min(_ways(mask, targets, 0), key=worth)
    return tuple((CARDS[bit], index) for bit, index in best)


def _ways(free: int, melds: Sequence[int], index: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to lay off cards of ``free`` on the melds from ``index`` on, as (bit, meld)."""
    if index == len(melds):
        yield ()
        return
    for bits in _on_one(free, melds[index]):
        here = tuple((bit, index) for bit in bits)
        for rest in _ways(free & ~sum(bits), melds, index + 1):
            yield here + rest


def _on_one(free: int, meld: int) -> Iterator[tuple[int, ...]]:
    """Every way to lay off on one meld, each in the order in which the cards have to come."""
    if not is_run(meld):
        yield ()
        fourth = same_rank(meld) & ~meld
        if fourth & free:
            yield (fourth,)
        return
    low, high = meld & -meld, 1 << (meld.bit_length() - 1)
    below = _stretch(free, low, -1)
    above = _stretch(free, high, 1)
    for down in range(len(below) + 1):
        for up in range(len(above) + 1):
            yield below[:down] + above[:up]


def _stretch(free: int, end: int, step: int) -> tuple[int, ...]:
    """The held cards that follow one another from the end of a run; step 1 goes up, -1 down."""
    found: list[int] = []
    bit = end
    while (bit := bit << 1 if step > 0 else bit >> 1) & free and bit in CARDS:
        found.append(bit)
    return tuple(found)


def points_kept(hand: Iterable[Card], laid_off: LayOffs) -> int:
    """The least deadwood of a hand after some lay-offs."""
    gone = sum(BIT[one] for one, _meld in laid_off)
    return least_of(mask_of(hand) & ~gone)
