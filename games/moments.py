"""The table at each moment of an ended deal, read from the events of its Record and from no rule.

So a deal of an old edition is shown as it was played. Pure: no rows, and no question who may see it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .lines import Told
from .rules.cards import Card
from .rules.codec import decode_event
from .rules.melds import RUN, SET, Melded
from .rules.table import DEALER, Event
from .tape import named

KNOCKS = ("knock", "knock_last")
SAID = {"clock": "clock", "site": "forced"}
"""Who acted for a seat, and the line that says so."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after something was told. ``fresh``: the card that the mover has drawn or taken in this turn.

    ``lines`` are what this moment tells, ``seat`` who is to act next (DEALER at the end), ``pile`` from the bottom,
    ``number`` the entry of the tape.
    """

    hands: tuple[tuple[Card, ...], ...]
    stock: int
    pile: tuple[Card, ...]
    melds: tuple[Melded, ...]
    face_down: tuple[Card, ...]
    lines: tuple[Told, ...]
    turn: int
    seat: int = DEALER
    fresh: Card | None = None
    shuffles: int = 0
    number: int = 0


def moments(record: dict[str, Any], *, keeps_top: bool = True) -> Iterator[Moment]:
    """Every moment of a deal, from the cards as dealt. ``keeps_top``: turning the discards over leaves one."""
    now = _dealt(record)
    steps = [step for step in record["steps"] if step["action"]["type"] != "deal"]
    yield replace(now, seat=_next_seat(steps, 0), number=record["steps"][0]["n"])
    clocked = -1
    for at, step in enumerate(steps):
        events = [decode_event(told) for told in step.get("events", ())]
        turn = events[0].turn if events and step["by"] == "clock" else -1
        lines = [] if turn == clocked >= 0 else _aside(step)
        clocked = turn
        for event in events:
            now = _after(now, event, record, keeps_top)
        if step["action"]["type"] in KNOCKS:
            thrown = Card(step["action"]["card"])
            now = replace(now, hands=_less(now.hands, step["seat"], thrown), face_down=(*now.face_down, thrown))
        lines += [Told(event.kind, event.seat, event) for event in events]
        if lines:
            now = replace(now, lines=tuple(lines), seat=_next_seat(steps, at + 1), number=step["n"])
            yield now


def _dealt(record: dict[str, Any]) -> Moment:
    hands = tuple(tuple(map(Card, hand)) for hand in record["hands"])
    cards, dealt = record["orders"][0]["cards"], sum(map(len, hands))
    up = Card(cards[dealt])
    event = Event("upcard", record["dealer"], 0, (up,))
    return Moment(hands, len(cards) - dealt - 1, (up,), (), (), (Told("upcard", event.seat, event),), 0)


def _next_seat(steps: Sequence[dict[str, Any]], at: int) -> int:
    acting = (step["seat"] for step in steps[at:] if step["seat"] is not None and step.get("events"))
    return next(acting, DEALER)


def _aside(step: dict[str, Any]) -> list[Told]:
    """What is told besides the events of a step: an act of the site or of a seat towards it, or who acted for it."""
    action, seat = step["action"], -1 if step["seat"] is None else step["seat"]
    if not step.get("events"):
        deal, numbers = named(action)
        return [Told(action["type"], seat, to=action.get("to"), deal=deal, numbers=numbers)]
    said = SAID.get(step["by"], "") if seat >= 0 else ""
    return [Told(said, seat)] if said else []


def _after(now: Moment, event: Event, record: dict[str, Any], keeps_top: bool) -> Moment:
    """The table after one event; those that move no card leave it as it is."""
    if event.turn != now.turn:
        now = replace(now, turn=event.turn, fresh=None)
    hands, seat, cards = now.hands, event.seat, event.cards
    match event.kind:
        case "drew" if event.own is not None:
            return replace(now, hands=_more(hands, seat, event.own), stock=now.stock - 1, fresh=event.own)
        case "took":
            return replace(now, hands=_more(hands, seat, *cards), pile=now.pile[:-1], fresh=cards[0])
        case "melded":
            ranks = {card.rank for card in cards if card.rank}
            meld = Melded(SET if len(ranks) == 1 else RUN, seat, cards, (seat,) * len(cards))
            return replace(now, hands=_less(hands, seat, *cards), melds=(*now.melds, meld))
        case "laid_off" if event.meld is not None:
            grown = _grown(now.melds[event.meld], cards[0], seat)
            melds = (*now.melds[: event.meld], grown, *now.melds[event.meld + 1 :])
            return replace(now, hands=_less(hands, seat, *cards), melds=melds)
        case "discarded":
            return replace(now, hands=_less(hands, seat, *cards), pile=(*now.pile, *cards), fresh=None)
        case "turned_over":
            kept = now.pile[-1:] if keeps_top else ()
            return replace(now, stock=len(now.pile) - len(kept), pile=kept)
        case "shuffled":
            return _shuffled(now, record)
    return now


def _shuffled(now: Moment, record: dict[str, Any]) -> Moment:
    n = now.shuffles + 1
    pool = set(record["orders"][n]["pool"])
    return replace(now, stock=len(pool), pile=tuple(card for card in now.pile if card not in pool), shuffles=n)


def _grown(meld: Melded, card: Card, seat: int) -> Melded:
    """A meld with a card laid off: before its first card where it comes before that, else behind."""
    if meld.kind == RUN and card.rank % 13 + 1 == meld.cards[0].rank:
        return replace(meld, cards=(card, *meld.cards), by=(seat, *meld.by))
    return replace(meld, cards=(*meld.cards, card), by=(*meld.by, seat))


def _more(hands: tuple[tuple[Card, ...], ...], seat: int, *cards: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple((*hand, *cards) if at == seat else hand for at, hand in enumerate(hands))


def _less(hands: tuple[tuple[Card, ...], ...], seat: int, *cards: Card) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(c for c in hand if c not in cards) if at == seat else hand for at, hand in enumerate(hands))
