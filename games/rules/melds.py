"""What is a set or a run, every meld in a hand, and the least deadwood (RULES.md sections 1 and 4).

Shapes only: whose turn it is and who may place what is said elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, product

from .cards import RANKS, Card, by_suit, card, pack

SET, RUN = "set", "run"


@dataclass(frozen=True, slots=True)
class Shape:
    """What melds a game knows.

    ``ace``: ``low``, ``low_or_high`` or ``wrap``. ``set_max``: most cards of a set, None for no limit.
    ``distinct_suits``: no suit twice in a set. ``wild``: ranks (0 is the joker) whose cards stand for any other.
    ``naturals``: least number of natural cards in a meld.
    """

    ace: str = "low"
    set_max: int | None = 4
    distinct_suits: bool = True
    wild: frozenset[int] = frozenset()
    naturals: int = 1

    def is_wild(self, one: Card) -> bool:
        return one.rank in self.wild


@dataclass(frozen=True, slots=True)
class Melded:
    """A meld on the table: its kind, whose it is, its cards from low to high, and which seat brought each.

    ``stands[i]`` is the face that a wild ``cards[i]`` stands for; it is empty for a natural card, and for a wild
    card of a set (which stands for the rank).
    """

    kind: str
    owner: int
    cards: tuple[Card, ...]
    by: tuple[int, ...]
    stands: tuple[str, ...] = ()


def shape_of(some: Sequence[Card], shape: Shape, kind: str = "") -> tuple[str, tuple[Card, ...]] | None:
    """(kind, cards from low to high) of a valid meld, or None. With ``kind`` only that kind counts."""
    wilds = [c for c in some if shape.is_wild(c)]
    naturals = [c for c in some if not shape.is_wild(c)]
    if len(some) < 3 or len(naturals) < shape.naturals:
        return None
    if kind != RUN and _is_set(naturals, len(some), shape):
        return SET, by_suit(some)
    laid = _run(naturals, wilds, shape) if kind != SET else None
    return (RUN, laid) if laid else None


def _is_set(naturals: Sequence[Card], size: int, shape: Shape) -> bool:
    if shape.set_max is not None and size > shape.set_max:
        return False
    if shape.distinct_suits and len({c.suit for c in naturals}) < len(naturals):
        return False
    return len({c.rank for c in naturals}) <= 1


def _run(naturals: Sequence[Card], wilds: Sequence[Card], shape: Shape) -> tuple[Card, ...] | None:
    """The cards in order if they are consecutive in one suit (no rank twice), wilds filling the gaps."""
    size = len(naturals) + len(wilds)
    if size > 13 or len({c.suit for c in naturals}) > 1:
        return None
    at = {c.rank: c for c in naturals}
    if len(at) < len(naturals):
        return None
    for low in _starts(shape.ace, size):
        places = [(low + i - 1) % 13 + 1 for i in range(size)]
        if all(rank in places for rank in at):
            spare = iter(wilds)
            return tuple(at[rank] if rank in at else next(spare) for rank in places)
    return None


@cache
def _starts(ace: str, size: int) -> range:
    """Ranks at which a run of ``size`` may begin; thirteen cards are one set of cards wherever they begin."""
    if size >= 13:
        return range(1, 15 - size)
    return range(1, {"low": 15 - size, "low_or_high": 16 - size, "wrap": 14}[ace])


def grown(meld: Melded, one: Card, seat: int, shape: Shape) -> Melded | None:
    """The meld with one more card, brought by ``seat``; None if it does not fit. Kinds never change."""
    laid = _joined(meld.kind, meld.cards, one, shape)
    if laid is None:
        return None
    brought = dict(zip(meld.cards, meld.by, strict=True)) | {one: seat}
    return replace(meld, cards=laid, by=tuple(brought[c] for c in laid), stands=stands_for(laid, meld.kind, shape))


def _joined(kind: str, laid: tuple[Card, ...], one: Card, shape: Shape) -> tuple[Card, ...] | None:
    """The cards in order with one more. No card of a run moves: the new one joins at an end, the low one first."""
    if kind == SET:
        found = shape_of((*laid, one), shape, SET)
        return found[1] if found else None
    return next((some for some in ((one, *laid), (*laid, one)) if _is_run(some, shape)), None)


def _is_run(laid: Sequence[Card], shape: Shape) -> bool:
    """Whether the cards are a run as they lie. All thirteen ranks are one however they lie, but with aces low."""
    size = len(laid)
    at, natural = next((i, c) for i, c in enumerate(laid) if not shape.is_wild(c))
    low = (natural.rank - 1 - at) % 13 + 1
    return (low in _starts(shape.ace, size) or (size == 13 and shape.ace != "low")) and all(
        (c.suit, c.rank) == (natural.suit, (low - 1 + i) % 13 + 1) for i, c in enumerate(laid) if not shape.is_wild(c)
    )


def new_meld(some: Sequence[Card], seat: int, shape: Shape) -> Melded | None:
    """A meld placed by ``seat``, or None if the cards are none."""
    found = shape_of(some, shape)
    if found is None:
        return None
    kind, laid = found
    return Melded(kind, seat, laid, (seat,) * len(laid), stands_for(laid, kind, shape))


def stands_for(laid: Sequence[Card], kind: str, shape: Shape) -> tuple[str, ...]:
    """For each card of an ordered meld the face that it stands for where it is wild in a run, else ''."""
    if kind == SET or not any(shape.is_wild(c) for c in laid):
        return ("",) * len(laid) if shape.wild else ()
    at, natural = next((i, c) for i, c in enumerate(laid) if not shape.is_wild(c))
    ranks = [(natural.rank - 1 + i - at) % 13 for i in range(len(laid))]
    return tuple(RANKS[r] + natural.face[1] if shape.is_wild(c) else "" for r, c in zip(ranks, laid, strict=True))


def natural_melds(hand: Sequence[Card], shape: Shape) -> Iterator[tuple[Card, ...]]:
    """Every meld of natural cards in a hand, each set of physical cards once, sets first."""
    naturals = [c for c in hand if not shape.is_wild(c)]
    yield from _sets(naturals, shape)
    yield from _runs(naturals, shape)


def _sets(naturals: Sequence[Card], shape: Shape) -> Iterator[tuple[Card, ...]]:
    ranks: dict[int, list[Card]] = {}
    for c in naturals:
        ranks.setdefault(c.rank, []).append(c)
    for same in ranks.values():
        if len(same) < 3:
            continue
        for size in range(3, min(len(same), shape.set_max or len(same)) + 1):
            for some in combinations(same, size):
                if not shape.distinct_suits or len({c.suit for c in some}) == size:
                    yield some


def _runs(naturals: Sequence[Card], shape: Shape) -> Iterator[tuple[Card, ...]]:
    suits: dict[int, dict[int, list[Card]]] = {}
    for c in naturals:
        suits.setdefault(c.suit, {}).setdefault(c.rank, []).append(c)
    for at in suits.values():
        if len(at) < 3:
            continue
        for low in at:
            for length in range(3, len(at) + 1):
                ranks = [(low + i - 1) % 13 + 1 for i in range(length)]
                if low not in _starts(shape.ace, length) or any(rank not in at for rank in ranks):
                    break
                yield from product(*(at[rank] for rank in ranks))


def least_deadwood(
    hand: Iterable[Card], shape: Shape, points: Callable[[Card], int]
) -> tuple[int, tuple[tuple[Card, ...], ...]]:
    """The least points left over disjoint choices of natural melds, and one choice of melds that reaches it.

    Exhaustive: each card is left, or used in one of the melds that hold it. A run may be cut anywhere.
    """
    held = by_suit(hand)
    bit = {c: 1 << i for i, c in enumerate(held)}
    worth = [points(c) for c in held]
    having: list[list[tuple[int, int, tuple[Card, ...]]]] = [[] for _ in held]
    for some in natural_melds(held, shape):
        mask = sum(bit[c] for c in some)
        gain = sum(points(c) for c in some)
        having[(mask & -mask).bit_length() - 1].append((mask, gain, some))
    best: dict[int, tuple[int, tuple[tuple[Card, ...], ...]]] = {}

    def most(free: int) -> tuple[int, tuple[tuple[Card, ...], ...]]:
        if free not in best:
            if not free:
                return 0, ()
            low = (free & -free).bit_length() - 1
            top = most(free & (free - 1))
            for mask, gain, some in having[low]:
                if mask & free == mask:
                    more, rest = most(free & ~mask)
                    if gain + more > top[0]:
                        top = gain + more, (some, *rest)
            best[free] = top
        return best[free]

    saved, chosen = most((1 << len(held)) - 1)
    return sum(worth) - saved, chosen


@lru_cache(maxsize=4096)
def fits(kind: str, laid: tuple[Card, ...], shape: Shape) -> frozenset[str]:
    """The faces of all cards that a meld of this kind accepts. Kept, since melds change far less than hands."""
    return frozenset(face for face in FACES if _joined(kind, laid, _spare(face, laid), shape))


def _spare(face: str, laid: tuple[Card, ...]) -> Card:
    """A copy of a face that is not among the cards laid."""
    names = (face, *(f"{face}#{n}" for n in range(2, 10)))
    return next(c for c in map(card, names) if c not in laid)


FACES = tuple(c.face for c in pack(1, 1))
