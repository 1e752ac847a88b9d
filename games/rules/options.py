"""Options that all games share, and how a preset offers them (RULES.md section 3)."""

from dataclasses import dataclass
from typing import Any

from .errors import BadOption


@dataclass(frozen=True, slots=True)
class Options:
    """What every game of the family needs to know. ``hand_size`` is in cards, ``turn_cap`` in turns a seat a deal,
    ``deal_cap`` in deals; ``deals`` counts only with ``match_end`` = ``deals``.
    """

    players: int
    hand_size: int
    match_end: str = "points"
    target: int = 100
    deals: int | None = None
    tie_break: str = "extra_deal"
    turn_cap: int = 50
    deal_cap: int = 200

    def validate(self) -> None:
        """Raise BadOption for a combination that cannot be played, however well each value is in its range."""
        if self.match_end == "deals" and self.deals is None:
            raise BadOption("deals", "needs_deals")


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that has one of a few values; booleans and None are values too."""

    name: str
    values: tuple[Any, ...]

    def check(self, value: Any) -> None:
        if not any(value is one or (type(value) is type(one) and value == one) for one in self.values):
            raise BadOption(self.name, "choice")


@dataclass(frozen=True, slots=True)
class Range:
    """An option that is a whole number from ``low`` to ``high``, or None where ``or_none`` says so."""

    name: str
    low: int
    high: int
    or_none: bool = False

    def check(self, value: Any) -> None:
        if value is None and self.or_none:
            return
        if type(value) is not int or not self.low <= value <= self.high:
            raise BadOption(self.name, "range", self.low, self.high)


Offer = Choice | Range


def flag(name: str) -> Choice:
    """An option that is on or off."""
    return Choice(name, (True, False))
