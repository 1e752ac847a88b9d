"""Between values of the rules and plain JSON: the one spelling for form, tape, draft, record and API."""

from collections.abc import Mapping
from dataclasses import asdict
from dataclasses import fields as fields_of
from typing import Any

from .actions import Action, Discard, DrawStock, Foreign, LayOff, Meld, TakeDiscard
from .cards import Card, card
from .errors import Malformed
from .sheet import Sheet
from .table import Event, Line, Outcome

ACTIONS: dict[str, type[Action]] = {kind.name: kind for kind in (DrawStock, TakeDiscard, Meld, LayOff, Discard)}
FAMILY = frozenset(
    [
        "take_upcard",
        "pass",
        "knock",
        "big_gin",
        "done",
        "knock_last",
        "big_gin_last",
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
    """An action as a small dict, its cards as text."""
    told: dict[str, Any] = {"type": action.name}
    for field, value in asdict(action).items():
        if isinstance(value, tuple):
            told[field] = list(map(str, value))
        else:
            told[field] = value if isinstance(value, int) else str(value)
    return told


def decode(told: Mapping[str, Any]) -> Action:
    """Read an action. Raises Malformed for an unknown type, a missing or extra field, or what is no card."""
    name = told.get("type")
    if isinstance(name, str) and name in FAMILY:
        return Foreign()
    if not isinstance(name, str) or name not in ACTIONS:
        raise Malformed("unknown action")
    fields = {k: v for k, v in told.items() if k != "type"}
    kind = ACTIONS[name]
    if set(fields) != {field.name for field in fields_of(kind)}:
        raise Malformed(f"{name} takes other fields")
    return kind(**{k: _value(k, v) for k, v in fields.items()})


def _value(field: str, value: Any) -> Any:
    if field == "meld":
        if type(value) is not int:
            raise Malformed("a meld is named by its number")
        return value
    if field == "cards":
        if not isinstance(value, list | tuple):
            raise Malformed("cards come as a list")
        return tuple(_card(one) for one in value)
    return _card(value)


def _card(text: Any) -> Card:
    if not isinstance(text, str):
        raise Malformed("a card is written as text")
    try:
        return card(text)
    except ValueError as error:
        raise Malformed(str(error)) from error


def encode_sheet(sheet: Sheet) -> dict[str, Any]:
    """A Sheet as plain JSON."""
    return {k: list(map(list, v)) if k == "sides" else v for k, v in asdict(sheet).items()}


def decode_sheet(told: Mapping[str, Any]) -> Sheet:
    """The Sheet back from JSON."""
    sides = tuple(map(tuple, told["sides"]))
    lists = {k: tuple(told[k]) for k in ("totals", "winners")}
    return Sheet(**{**told, "sides": sides, **lists})


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
