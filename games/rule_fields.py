"""House rules in a form: their fields, and how they are shown."""

from dataclasses import dataclass
from typing import Any

from django import forms

from .preset_texts import OPTION_TEXTS, Text, value_name, why_not
from .rule_texts import effect
from .rules.errors import BadOption
from .rules.options import Choice, Offer, Range


def key(value: Any) -> str:
    """A value of an option as text in a form."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


class RuleField(forms.Field):
    """One option of a preset. Cleans to a value, or to ``self.usual`` when nothing was said."""

    def __init__(self, offer: Offer, usual: Any, *, fixed: bool) -> None:
        super().__init__(required=False)
        self.offer, self.usual, self.fixed = offer, usual, fixed

    def values(self) -> tuple[Any, ...]:
        """All values to choose from; empty where a number is typed."""
        if isinstance(self.offer, Choice):
            return self.offer.values
        return (None, *range(self.offer.low, self.offer.high + 1)) if self.offer.or_none else ()

    def clean(self, value: Any) -> Any:
        if value is None or value == "":
            return self.usual
        try:
            read = self._read(str(value).strip())
            self.offer.check(read)
        except BadOption as bad:
            raise forms.ValidationError(why_not(bad)) from None
        return read

    def _read(self, text: str) -> Any:
        known = {key(one): one for one in self.values()}
        if text in known:
            return known[text]
        if isinstance(self.offer, Range) and text.isascii() and text.isdigit() and len(text) < 9:
            return int(text)
        if isinstance(self.offer, Range):
            raise BadOption(self.offer.name, "range", self.offer.low, self.offer.high)
        raise BadOption(self.offer.name, "choice")


@dataclass(frozen=True, slots=True)
class Way:
    """One value that a question or a house rule may have, as it is shown; ``effect`` says what it changes."""

    key: str
    label: Text
    usual: bool
    chosen: bool
    effect: Text = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A house rule as it is shown: ``kind`` is chips, list or number. ``effect`` says what another number changes."""

    name: str
    label: Text
    help: Text
    kind: str
    ways: tuple[Way, ...]
    low: int
    high: int
    typed: str
    usual: str
    effect: Text
    errors: list[str]


def shown(bound: forms.BoundField, name: str, usual: str) -> Rule:
    """A field as a house rule; ``usual`` is what stands in an empty one."""
    field: Any = bound.field
    offer, values = field.offer, field.values()
    told = str(bound.value() or "")
    chosen = told if told in set(map(key, values)) else key(field.usual)
    chips = isinstance(offer, Choice)
    ways = (
        Way(
            key(one),
            value_name(name, one),
            usual=key(one) == key(field.usual),
            chosen=key(one) == chosen,
            effect=effect(name, one) if chips else "",
        )
        for one in values
    )
    return Rule(
        name=str(bound.html_name),
        label=OPTION_TEXTS[name].label,
        help=OPTION_TEXTS[name].help,
        kind="number" if not values else "chips" if chips else "list",
        ways=tuple(ways),
        low=getattr(offer, "low", 0),
        high=getattr(offer, "high", 0),
        typed=told,
        usual=usual,
        effect="" if chips else effect(name, None),
        errors=[str(error) for error in bound.errors],
    )
