"""The one list of rules pages: for each preset the function that gives its template what it names.

Numbers and options are read from the catalog, names of options from the words of the opening page: a page cannot
disagree with the game. A new game adds its line here and its template.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.preset_texts import GROUPS, OPTION_TEXTS, PRESET_TEXTS, PresetText, Text, value_name
from games.rules.catalog import PRESETS, Preset
from games.rules.options import Choice, Offer

from . import gin, rummy

PAGES: Mapping[str, Callable[[Preset], dict[str, Any]]] = {
    "solitaired-rummy": rummy.facts,
    "basic-rummy": rummy.facts,
    "android-rummy": rummy.facts,
    "gin": gin.facts,
    "oklahoma-gin": gin.facts,
    "hollywood-gin": gin.facts,
}


@dataclass(frozen=True, slots=True)
class Line:
    """A game in the list of all: its words, for how many, and its usual target."""

    name: str
    text: PresetText
    low: int
    high: int
    target: int


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option that a preset offers. ``ways``: what it may be; ``span``: (lowest, highest) where a number is typed."""

    label: Text
    help: Text
    usual: Text
    ways: tuple[Text, ...]
    span: tuple[int, int] | None


def lines() -> list[Line]:
    """All games that can be played here."""
    return [line_of(preset) for preset in PRESETS]


def line_of(preset: Preset) -> Line:
    """One game of the list."""
    target = preset.options().target
    return Line(preset.name, PRESET_TEXTS[preset.name], min(preset.hand_sizes), max(preset.hand_sizes), target)


def rules_of(preset: Preset) -> dict[str, Any]:
    """What the template of a preset's rules may name."""
    return {"line": line_of(preset), "house_rules": house_rules(preset), **PAGES[preset.name](preset)}


def house_rules(preset: Preset) -> list[tuple[Text, list[HouseRule]]]:
    """What can be agreed on when a match is opened, under the headings of that page."""
    offers = {offer.name: offer for offer in preset.offers}
    groups = [(heading, [_rule(preset, offers[n]) for n in names if n in offers]) for heading, names in GROUPS]
    return [(heading, rules) for heading, rules in groups if rules]


def _rule(preset: Preset, offer: Offer) -> HouseRule:
    text = OPTION_TEXTS[offer.name]
    if isinstance(offer, Choice):
        ways, span = tuple(value_name(offer.name, value) for value in offer.values), None
    else:
        ways = (value_name(offer.name, None),) if offer.or_none else ()
        span = (offer.low, offer.high)
    return HouseRule(text.label, text.help, _usual(preset, offer.name), ways, span)


def _usual(preset: Preset, name: str) -> Text:
    """The value in an ordinary match; the hand depends on the number of players."""
    if name != "hand_size":
        return value_name(name, getattr(preset.options(), name))
    sizes = sorted(set(preset.hand_sizes.values()))
    return "–".join(str(size) for size in (sizes[0], sizes[-1])[: len(sizes)])
