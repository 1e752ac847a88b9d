"""What a seat can know of the cards by watching: made of its TableView alone, so that it reaches as far as that does.

Where the view has let go of earlier events (the option ``memory``), the knowledge that they gave is gone as well.
"""

from dataclasses import dataclass

from .cards import Card
from .view import TableView

MINE, MELDED, HELD, TOP, THROWN, AGAIN = "mine", "melded", "held", "top", "thrown", "again"
"""Where a card is as far as one knows: own hand, a meld, another hand, on top of the discards, under it, or in the
stock again since the discards were turned over."""

TAKES = ("took",)
LEAVES = ("discarded", "melded", "laid_off", "knocked")
RENEWS = ("turned_over", "shuffled")


@dataclass(frozen=True, slots=True)
class Throw:
    """A discard in the order of the deal. ``taken_by``: the seat that took it at once; ``again``: in the stock since.

    ``seat`` None is the first card, turned up by the dealer.
    """

    card: Card
    seat: int | None
    taken_by: int | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """``hands``: by seat the cards that others took and still hold. ``where``: each card seen, by place."""

    hands: tuple[tuple[Card, ...], ...]
    discards: tuple[Throw, ...]
    where: dict[Card, str]


def known(view: TableView) -> Known:
    """All that follows from what this view shows."""
    hands: list[list[Card]] = [[] for _ in view.counts]
    throws: list[Throw] = []
    for event in view.events:
        if event.kind in TAKES:
            hands[event.seat].extend(event.cards)
            if throws and throws[-1].card in event.cards:
                throws[-1] = Throw(throws[-1].card, throws[-1].seat, taken_by=event.seat)
        elif event.kind in LEAVES:
            hands[event.seat] = [card for card in hands[event.seat] if card not in event.cards]
        if event.kind in ("discarded", "upcard"):
            throws.append(Throw(event.cards[0], event.seat if event.kind == "discarded" else None))
        elif event.kind in RENEWS:
            throws = [one if one.taken_by is not None else Throw(one.card, one.seat, again=True) for one in throws]
    held = tuple(() if seat == view.seat else tuple(cards) for seat, cards in enumerate(hands))
    throws = [Throw(one.card, one.seat) if one.again and one.card == view.top else one for one in throws]
    return Known(held, tuple(throws), _where(view, held, throws))


def _where(view: TableView, held: tuple[tuple[Card, ...], ...], throws: list[Throw]) -> dict[Card, str]:
    """Each card that this seat has in sight or remembers; the surer knowledge comes last."""
    where = {one.card: AGAIN if one.again else THROWN for one in throws}
    where |= {card: HELD for cards in held for card in cards}
    where |= {card: MELDED for meld in view.melds for card in meld.cards}
    where |= dict.fromkeys(view.hand, MINE)
    if view.top is not None:
        where[view.top] = TOP
    return where
