"""Cards, packs and their notation (RULES.md section 1). Nothing here knows a game.

A card is written rank + suit, ``7H``, ``TS``; a joker ``XX``; the second copy of a face ``7H#2``.
"""

from collections.abc import Iterable
from functools import cache

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKER = "XX"


class Card(str):
    """One physical card: its notation, with the parts read once.

    Equality is identity of the physical card: ``7H`` and ``7H#2`` differ, their ``face`` is the same.
    ``rank`` is 1 (ace) to 13 (king), ``suit`` 0 to 3 in the order C D H S; a joker has rank 0 and suit 4.
    ``key`` sorts cards into card-id order: copy by copy, in each suit by suit and rank, jokers last.
    """

    __slots__ = ("copy", "face", "key", "rank", "suit")
    face: str
    copy: int
    rank: int
    suit: int
    key: int

    def __new__(cls, text: str) -> "Card":
        face, _, copy = text.partition("#")
        self = super().__new__(cls, text)
        self.face, self.copy = face, int(copy or 1)
        if face == JOKER:
            self.rank, self.suit = 0, 4
        else:
            self.rank, self.suit = RANKS.index(face[0]) + 1, SUITS.index(face[1])
        self.key = (10_000 if face == JOKER else 0) + self.copy * 100 + self.suit * 14 + self.rank
        return self

    def __reduce__(self) -> tuple[type["Card"], tuple[str]]:
        return Card, (str(self),)


@cache
def _known(text: str) -> Card:
    return Card(text)


def card(text: str) -> Card:
    """Read one card; ``10H`` is an alias of ``TH``. Raises ValueError for anything that is no card."""
    text = text.replace("10", "T", 1) if text.startswith("10") else text
    face, mark, copy = text.partition("#")
    if mark and not (copy in "23456789" and len(copy) == 1):
        raise ValueError(f"{text!r} is not a card")
    if face != JOKER and not (len(face) == 2 and face[0] in RANKS and face[1] in SUITS):
        raise ValueError(f"{text!r} is not a card")
    return _known(text)


def cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Read ``"7H 8H XX"`` or a list of such words. Raises ValueError."""
    return tuple(card(word) for word in (text.split() if isinstance(text, str) else text))


@cache
def pack(decks: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """All cards of a game in card-id order: ``decks`` times 52, then ``jokers`` in all."""

    def name(face: str, copy: int) -> str:
        return face if copy == 1 else f"{face}#{copy}"

    naturals = [name(r + s, n) for n in range(1, decks + 1) for s in SUITS for r in RANKS]
    return cards(naturals + [name(JOKER, n) for n in range(1, jokers + 1)])


def by_id(some: Iterable[Card]) -> tuple[Card, ...]:
    """Sorted into card-id order, the order in which a reshuffle takes the discards."""
    return tuple(sorted(some, key=lambda c: c.key))


def by_suit(some: Iterable[Card]) -> tuple[Card, ...]:
    """Sorted for a player: suit C D H S, then rank, then copy."""
    return tuple(sorted(some, key=lambda c: (c.suit, c.rank, c.copy)))


def by_rank(some: Iterable[Card]) -> tuple[Card, ...]:
    """Sorted for a player: rank A to K, then suit, then copy."""
    return tuple(sorted(some, key=lambda c: (c.rank or 14, c.suit, c.copy)))
