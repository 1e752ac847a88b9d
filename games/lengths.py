"""What a full match will take, as a range: deals, turns, and time at a pace. Measured, not promised."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .length_table import LENGTHS
from .paces import DAY, HOUR, PACES, Pace
from .rules.options import Options

ALONE = 20
"""Seconds of thought for a turn without a clock."""
SHARE = 2
"""People use about one half of the time that they have."""

MINUTE, WEEK, MONTH = 60, 7 * DAY, 30 * DAY


@dataclass(frozen=True, slots=True)
class Estimate:
    """Six matches in ten stay within these: (least, most) deals, turns of each player, and seconds of all."""

    deals: tuple[int, int]
    turns: tuple[int, int]
    seconds: tuple[float, float]
    pace: Pace

    @property
    def told(self) -> str:
        """How many deals and turns, as a sentence."""
        low, high = self.deals
        few, many = self.turns
        if low == high:
            return ngettext(
                "About %(high)d deal, with %(few)d to %(many)d turns for you.",
                "About %(high)d deals, with %(few)d to %(many)d turns for you.",
                high,
            ) % {"high": high, "few": few, "many": many}
        return ngettext(
            "About %(low)d to %(high)d deal, with %(few)d to %(many)d turns for you.",
            "About %(low)d to %(high)d deals, with %(few)d to %(many)d turns for you.",
            high,
        ) % {"low": low, "high": high, "few": few, "many": many}

    @property
    def lasting(self) -> str:
        """How long it takes, as a sentence."""
        time = span(*self.seconds)
        if self.pace.kind == "none":
            return _("That is %(time)s with three turns a minute.") % {"time": time}
        return _("That is %(time)s when everybody uses half of the time for a turn.") % {"time": time}


def estimate(preset: str, options: Options | Any, pace: str, people: int) -> Estimate | None:
    """What a match will take in which ``people`` of the seats are not bots; None for a game not measured."""
    length = LENGTHS.get((preset, options.players))
    if length is None:
        return None
    if options.match_end == "deals":
        low = high = float(options.deals or 1)
    else:
        share = options.target / length.target
        low, high = length.few * share, length.many * share
    deals = max(1, round(low)), max(1, round(high))
    each = length.turns / options.players
    turns = max(1, round(deals[0] * each * 0.9)), max(2, round(deals[1] * each * 1.1))
    clock = PACES[pace]
    turn = ALONE if clock.kind == "none" else clock.allowance / SHARE * people
    least, most = (n * turn + clock.pause * d for n, d in zip(turns, deals, strict=True))
    return Estimate(deals, (_rough(turns[0]), _rough(turns[1])), (least, most), clock)


def _rough(n: int) -> int:
    """A number no finer than it is known."""
    step = 1 if n < 20 else 5 if n < 100 else 10
    return round(n / step) * step


def span(least: float, most: float) -> str:
    """A range of time in the unit that suits it."""
    unit, one, both = next((unit, one, both) for below, unit, one, both in UNITS if most < below)
    low, high = max(1, round(least / unit)), max(1, round(most / unit))
    return one(high) % {"n": high} if low == high else both(high) % {"low": low, "n": high}


UNITS: tuple[tuple[float, int, Callable[[int], str], Callable[[int], str]], ...] = (
    (
        2 * HOUR,
        MINUTE,
        lambda n: ngettext("about %(n)d minute", "about %(n)d minutes", n),
        lambda n: ngettext("about %(low)d to %(n)d minute", "about %(low)d to %(n)d minutes", n),
    ),
    (
        2 * DAY,
        HOUR,
        lambda n: ngettext("about %(n)d hour", "about %(n)d hours", n),
        lambda n: ngettext("about %(low)d to %(n)d hour", "about %(low)d to %(n)d hours", n),
    ),
    (
        3 * WEEK,
        DAY,
        lambda n: ngettext("about %(n)d day", "about %(n)d days", n),
        lambda n: ngettext("about %(low)d to %(n)d day", "about %(low)d to %(n)d days", n),
    ),
    (
        3 * MONTH,
        WEEK,
        lambda n: ngettext("about %(n)d week", "about %(n)d weeks", n),
        lambda n: ngettext("about %(low)d to %(n)d week", "about %(low)d to %(n)d weeks", n),
    ),
    (
        inf,
        MONTH,
        lambda n: ngettext("about %(n)d month", "about %(n)d months", n),
        lambda n: ngettext("about %(low)d to %(n)d month", "about %(low)d to %(n)d months", n),
    ),
)
"""Below how many seconds a unit is used, its seconds, and a time told in it: one number, or two."""
