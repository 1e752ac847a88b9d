"""What a seat can know of the cards, as its page shows it: hands of others, discards in order, every card by place."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.preset_texts import Text
from games.rules import known as places
from games.rules.cards import Card, by_suit
from games.rules.known import known
from games.tables import Board, SeatSeen
from games.wording import seat_name

PLACES: dict[str, Text] = {
    places.MINE: gettext_lazy("in your hand"),
    places.MELDED: gettext_lazy("melded"),
    places.HELD: gettext_lazy("in another hand"),
    places.TOP: gettext_lazy("on top of the discards"),
    places.THROWN: gettext_lazy("thrown"),
    places.AGAIN: gettext_lazy("in the stock again"),
    "": gettext_lazy("not seen"),
}
"""Where a card is, in words."""

REACH: dict[str, Text] = {
    "all": gettext_lazy("In this match the table tells everything since the cards were dealt."),
    "discards": gettext_lazy(
        "In this match the table tells of every discard, and of all else only since your turn before."
    ),
    "none": gettext_lazy(
        "In this match the table tells only what lies there now and what happened since your turn before. "
        "The rest is for your own memory."
    ),
}
"""How far the table remembers, by the match's ``memory``."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards that somebody took and still holds; ``others``: how many of that hand nobody else has seen."""

    seat: SeatSeen
    name: str
    cards: tuple[Card, ...]
    others: str


@dataclass(frozen=True, slots=True)
class KnownShown:
    """``rows``: the pack suit by suit, (card, place, words). ``throws``: (card, seat or None, what became of it)."""

    reach: Text
    hands: list[Hand]
    throws: list[tuple[Card, SeatSeen | None, str]]
    rows: list[list[tuple[Card, str, Text]]]
    unseen: int


def shown_known(board: Board) -> KnownShown | None:
    """None when no deal is in progress, or when this user has no hand in it any more."""
    view = board.view
    if view is None or view.outcome is not None or view.seat is None:
        return None
    what, pack = known(view), by_suit(board.game.pack())
    throws = [
        (one.card, board.seats[one.seat] if one.seat is not None else None, _became(board, one))
        for one in what.discards
    ]
    return KnownShown(
        reach=REACH[board.match.memory],
        hands=[_hand(board, seat, what.hands[seat.index]) for seat in board.seats if not seat.is_me],
        throws=throws,
        rows=[
            [(card, what.where.get(card, ""), PLACES[what.where.get(card, "")]) for card in pack if card.suit == suit]
            for suit in sorted({card.suit for card in pack}, reverse=True)
        ],
        unseen=sum(card not in what.where for card in pack),
    )


def _hand(board: Board, seat: SeatSeen, cards: tuple[Card, ...]) -> Hand:
    rest = seat.cards - len(cards)
    others = ngettext("{n} card that you have not seen", "{n} cards that you have not seen", rest).format(n=rest)
    return Hand(seat, seat_name(seat), cards, others if rest else "")


def _became(board: Board, one: places.Throw) -> str:
    """What happened to a discard afterwards; nothing if it lies there still."""
    if one.taken_by is not None:
        seat = board.seats[one.taken_by]
        return _("taken by you") if seat.is_me else _("taken by {name}").format(name=seat_name(seat))
    return _("in the stock again") if one.again else ""
