"""Between values of the rules and plain JSON: the one spelling for form, tape, draft, record and API."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, is_dataclass
from dataclasses import fields as fields_of
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from .actions import Action, Discard, DrawStock, Foreign, LayOff, Meld, Pass, TakeDiscard
from .cards import Card, card
from .errors import Malformed
from .knocking import BigGin, BigGinLast, Done, Knock, KnockLast, TakeUpcard
from .orders import Order
from .sheet import Sheet
from .table import Event, Line, Outcome

SHARED = (DrawStock, TakeDiscard, Meld, LayOff, Discard, Pass)
KNOCKING = (TakeUpcard, Knock, BigGin, Done, KnockLast, BigGinLast)
ACTIONS: dict[str, type[Action]] = {kind.name: kind for kind in (*SHARED, *KNOCKING)}
FAMILY = frozenset(
    [
        "go_out",
        "lay_phase",
        "hit",
        "rearrange",
        "draw",
        "end_turn",
        "take_pile",
        "decline",
        "ask_out",
        "answer",
        "draw_pile",
        "shuffled",
    ]
)
"""Actions of RULES.md section 2 that other games of the family have."""


def encode(action: Action) -> dict[str, Any]:
    """An action as a small dict, its cards as text. What it leaves to the rules is left out."""
    said = {field.name: getattr(action, field.name) for field in fields_of(action)}
    return {"type": action.name} | {name: _plain(value) for name, value in said.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return value if isinstance(value, int) else str(value)


def decode(told: Mapping[str, Any]) -> Action:
    """Read an action. Raises Malformed for an unknown type, a missing or extra field, or what is no card."""
    name = told.get("type")
    if isinstance(name, str) and name in FAMILY:
        return Foreign()
    if not isinstance(name, str) or name not in ACTIONS:
        raise Malformed("unknown action")
    fields = {k: v for k, v in told.items() if k != "type"}
    kind = ACTIONS[name]
    known = {field.name: field.default is MISSING for field in fields_of(kind)}
    if not {field for field, needed in known.items() if needed} <= set(fields) <= set(known):
        raise Malformed(f"{name} takes other fields")
    return kind(**{k: _value(k, v) for k, v in fields.items()})


def _value(field: str, value: Any) -> Any:
    if field == "meld":
        if type(value) is not int:
            raise Malformed("a meld is named by its number")
        return value
    if field == "cards":
        return _cards(value)
    if field == "melds":
        if not isinstance(value, list | tuple):
            raise Malformed("melds come as a list")
        return tuple(map(_cards, value))
    return _card(value)


def _cards(value: Any) -> tuple[Card, ...]:
    if not isinstance(value, list | tuple):
        raise Malformed("cards come as a list")
    return tuple(_card(one) for one in value)


def _card(text: Any) -> Card:
    if not isinstance(text, str):
        raise Malformed("a card is written as text")
    try:
        return card(text)
    except ValueError as error:
        raise Malformed(str(error)) from error


def encode_order(order: Order) -> dict[str, Any]:
    """A standing order as plain JSON, its cards as text."""
    return {field.name: _plain(getattr(order, field.name)) for field in fields_of(order)}


def decode_order(told: Mapping[str, Any]) -> Order:
    """The standing order back from JSON."""
    cards = {name: tuple(map(card, told[name])) for name in ("take_with", "cards")}
    return Order(**{**told, **cards})


def encode_sheet(sheet: Sheet) -> dict[str, Any]:
    """A Sheet of any kind as plain JSON."""
    return asdict(sheet)


def decode_sheet[S: Sheet](told: Mapping[str, Any], kind: type[S]) -> S:
    """The Sheet back from JSON; its kind is the ``sheet_kind`` of the game."""
    return kind(**_fields_back(told, kind))


def _fields_back(told: Mapping[str, Any], kind: Any) -> dict[str, Any]:
    return {name: _back(value, _hints(kind)[name]) for name, value in told.items()}


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _back(value: Any, hint: Any) -> Any:
    """A value as its type hint wants it: tuples for lists, values of a class for dicts."""
    if value is None:
        return None
    if isinstance(hint, type) and is_dataclass(hint):
        return hint(**_fields_back(value, hint))
    parts = get_args(hint)
    if get_origin(hint) is tuple:
        return tuple(_back(one, parts[0]) for one in value)
    return _back(value, parts[0]) if parts else value


def encode_outcome(outcome: Outcome) -> dict[str, Any]:
    """An Outcome as plain JSON, cards as text."""
    return {
        "kind": outcome.kind,
        "scorer": outcome.scorer,
        "points": list(outcome.points),
        "lines": [[line.what, line.seat, line.points, list(map(str, line.cards))] for line in outcome.lines],
        "marks": sorted(outcome.marks),
    }


def decode_outcome(told: Mapping[str, Any]) -> Outcome:
    """The Outcome back from JSON."""
    lines = tuple(Line(what, seat, points, tuple(map(card, cards))) for what, seat, points, cards in told["lines"])
    return Outcome(told["kind"], told["scorer"], tuple(told["points"]), lines, frozenset(told["marks"]))


def encode_event(event: Event) -> dict[str, Any]:
    """An event of an ended deal, told completely: what only its seat saw stands there too."""
    told: dict[str, Any] = {"kind": event.kind, "seat": event.seat, "turn": event.turn}
    if event.cards:
        told["cards"] = list(map(str, event.cards))
    if event.own is not None:
        told["own"] = str(event.own)
    if event.meld is not None:
        told["meld"] = event.meld
    return told


def decode_event(told: Mapping[str, Any]) -> Event:
    """The event back from JSON."""
    own = card(told["own"]) if "own" in told else None
    cards = tuple(map(card, told.get("cards", ())))
    return Event(told["kind"], told["seat"], told["turn"], cards, own, told.get("meld"))
