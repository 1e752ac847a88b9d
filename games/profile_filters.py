"""Which part of somebody's past a profile tells, as the address says it: a game, a time, and against whom."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .preset_texts import PRESET_TEXTS, Text
from .rules.catalog import PRESETS

PERIOD = re.compile(r"(20[0-9]{2})(?:-(0[1-9]|1[0-2]))?", re.ASCII)
NAME = re.compile(r"[\w.-]{1,40}")
MONTHS = 12
"""So many of the last months can be chosen; addresses may name any."""
AGAINST: dict[str, Text] = {"people": gettext_lazy("with people"), "bots": gettext_lazy("with bots")}


@dataclass(frozen=True, slots=True)
class Filters:
    """What somebody asks for; "" is anything, and against whom: people, or bots where there was nobody else.

    ``period`` is a year or a month, ``name`` the user name of one opponent, who goes before ``against``. What an
    address says and nobody knows is left out.
    """

    preset: str = ""
    period: str = ""
    against: str = ""
    name: str = ""

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "Filters":
        """From the query of an address."""
        said = {one: str(told.get(one, "")).strip() for one in ("preset", "period", "against", "name")}
        return cls(
            preset=said["preset"] if said["preset"] in PRESET_TEXTS else "",
            period=said["period"] if PERIOD.fullmatch(said["period"]) else "",
            against=said["against"] if said["against"] in AGAINST else "",
            name=said["name"] if NAME.fullmatch(said["name"]) else "",
        )

    @property
    def query(self) -> str:
        """The part of an address that says the same, with its question mark; empty when nothing is asked for."""
        said = {one: getattr(self, one) for one in ("preset", "period", "against", "name") if getattr(self, one)}
        return f"?{urlencode(said)}" if said else ""

    @property
    def months(self) -> tuple[date, date] | None:
        """The first days of the period and of what comes after it; None for all time."""
        if not self.period:
            return None
        year, _dash, month = self.period.partition("-")
        if not month:
            return date(int(year), 1, 1), date(int(year) + 1, 1, 1)
        return date(int(year), int(month), 1), _month_after(date(int(year), int(month), 1))

    @property
    def times(self) -> tuple[datetime, datetime] | tuple[None, None]:
        """The same as moments; months are those of UTC, as in the summaries."""
        if self.months is None:
            return None, None
        first, after = self.months
        return datetime(first.year, first.month, 1, tzinfo=UTC), datetime(after.year, after.month, 1, tzinfo=UTC)

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """What narrows the page, each with the query of the page without it."""
        words = {
            "preset": str(PRESET_TEXTS[self.preset].name) if self.preset else "",
            "period": period_told(self.period),
            "against": str(AGAINST[self.against]) if self.against else "",
            "name": _("with %(name)s") % {"name": self.name} if self.name else "",
        }
        return [(text, replace(self, **{one: ""}).query) for one, text in words.items() if text]


def _month_after(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def period_told(period: str) -> str:
    """A year or a month in words."""
    if "-" not in period:
        return period
    year, month = map(int, period.split("-"))
    return str(formats.date_format(date(year, month, 1), "YEAR_MONTH_FORMAT"))


def games() -> list[tuple[str, Text]]:
    """All games to choose from, whatever somebody has played, so that the choice tells nothing of him."""
    return [(preset.name, PRESET_TEXTS[preset.name].name) for preset in PRESETS]


def periods(since: date, today: date) -> tuple[list[str], list[str]]:
    """(the years since a day, the last months since then), the newest first."""
    month, months = today.replace(day=1), list[str]()
    while len(months) < MONTHS and month >= since.replace(day=1):
        months.append(f"{month:%Y-%m}")
        month = date(month.year - (month.month == 1), (month.month - 2) % 12 + 1, 1)
    return [str(year) for year in range(today.year, since.year - 1, -1)], months
