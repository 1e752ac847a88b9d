"""What a correspondence match gives besides the time for a turn: a bank, and days on which the clock stands still.

Chosen when it is opened, seen by everybody before joining, never changed afterwards.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from .paces import DAY, PACES, Pace

MOST_AWAY = 7 * DAY
"""With three seats or more: for so many seconds a match may wait for the vacation of one of them, in all."""
BANKS = (0, DAY, 3 * DAY, 5 * DAY, 10 * DAY, 20 * DAY)
"""Seconds that a seat has for the whole match besides the time for each turn."""
WEEKENDS: dict[str, tuple[str | Promise, frozenset[int]]] = {
    "": (_("none"), frozenset()),
    "sat_sun": (_("Saturday and Sunday"), frozenset({5, 6})),
    "fri_sat": (_("Friday and Saturday"), frozenset({4, 5})),
}
"""Days off of each week; Monday is 0."""


@dataclass(frozen=True, slots=True)
class Terms:
    """``bank``: seconds. ``weekend``: a key of WEEKENDS. ``vacations``: whether a vacation stops the clock."""

    bank: int = 0
    weekend: str = ""
    vacations: bool = True


LIVE = Terms(vacations=False)
"""What is not played by correspondence has nothing of it."""
COPIED = ("bank", "weekend", "vacations")
"""The columns of a match that go on to the next one of a series and to a rematch."""


def suits(pace: Pace, bank: int) -> bool:
    """Whether a bank makes sense beside the time for a turn: at least one turn, at most ten."""
    if pace.kind != "correspondence":
        return False
    return bank == 0 or pace.allowance <= bank <= 10 * pace.allowance


def terms_for(pace: str, terms: Terms | None) -> Terms:
    """What a match of this pace gets of what was chosen; the usual terms where nothing was."""
    return (terms or Terms()) if PACES[pace].kind == "correspondence" else LIVE


def bank_told(seconds: int) -> str:
    """A bank beside a pace; empty where there is none."""
    if not seconds:
        return ""
    days = seconds // DAY
    return ngettext("then a bank of %(n)d day", "then a bank of %(n)d days", days) % {"n": days}


def days_off(weekend: str, vacations: bool) -> tuple[str, str]:
    """On which days the clock stands still: a name for the colour of the dot, and words."""
    if weekend and vacations:
        return "both", gettext("weekends and vacations do not count")
    if weekend:
        return "weekend", gettext("weekends do not count")
    if vacations:
        return "vacation", gettext("vacations do not count")
    return "none", gettext("every day counts")


def days_off_told(weekend: str, vacations: bool, seats: int) -> list[str]:
    """What the days off mean for a match, in sentences."""
    told = []
    if weekend == "sat_sun":
        told.append(gettext("Saturdays and Sundays do not count, in the time zone of whoever is to move."))
    elif weekend == "fri_sat":
        told.append(gettext("Fridays and Saturdays do not count, in the time zone of whoever is to move."))
    if not vacations:
        told.append(gettext("Vacations do not stop the clock."))
    elif seats > 2:
        most = MOST_AWAY // DAY
        told.append(
            ngettext(
                "A vacation stops the clock, for each player at most %(n)d day in this match.",
                "A vacation stops the clock, for each player at most %(n)d days in this match.",
                most,
            )
            % {"n": most}
        )
    else:
        told.append(gettext("A vacation stops the clock."))
    return told
