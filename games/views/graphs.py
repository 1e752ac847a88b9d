"""The graphs of a profile: each a drawing with a sentence for those who cannot see it, and the same as a table."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from django.utils import formats
from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games import charts
from games.models import Summary
from games.profiles import Deals, Strength

LAST_TURN = 20
"""Deals that ended in this turn or later are one bar."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a graph. ``way`` is its look: one line is drawn through, the other dashed. ``end``: told at its end."""

    way: str
    path: charts.Path
    name: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """``marks``: (height, text); ``below``: (place, text, how it is set); ``rows`` of the table, whose names are
    ``head``."""

    label: str
    marks: list[tuple[str, str]]
    below: list[tuple[str, str, str]]
    head: list[str]
    rows: list[list[str]]
    lines: list[Line] = field(default_factory=list)
    area: str = ""
    bars: list[charts.Bar] = field(default_factory=list)


def n(value: float, digits: int = 0) -> str:
    """A number in the reader's way of writing; Django would cut it off instead of rounding."""
    return str(number_format(round(value, digits), digits))


def percent(part: int, whole: int) -> str:
    """A share as a whole number of percent."""
    return _("%(n)s %%") % {"n": n(100 * part / whole)}


def took(seconds: float) -> str:
    """How long something took, on the unit that fits."""
    if seconds < 5400:
        return _("%(n)s min") % {"n": n(seconds / 60)}
    if seconds < 172800:
        return _("%(n)s h") % {"n": n(seconds / 3600, 1)}
    return _("%(n)s d") % {"n": n(seconds / 86400, 1)}


def month(day: date) -> str:
    """A month and its year."""
    return _month(day, get_language() or "")


@lru_cache(maxsize=1000)
def _month(day: date, _language: str) -> str:
    """Graphs name the same months again and again."""
    return str(formats.date_format(day, "YEAR_MONTH_FORMAT"))


def rating(strength: Strength) -> Graph | None:
    """A rating over time with its uncertainty; None with fewer than two changes. The table has a row a month."""
    steps = strength.steps
    if len(steps) < 2:
        return None
    places = charts.spread([at.timestamp() for _match, at, _value, _about, _gain in steps])
    drawn = charts.thinned(list(zip(places, steps, strict=True)))
    at = [place for place, _step in drawn]
    values = [float(step[2]) for _place, step in drawn]
    low = [float(step[2] - step[3]) for _place, step in drawn]
    high = [float(step[2] + step[3]) for _place, step in drawn]
    on = charts.scale([*low, *high])
    first, last = steps[0], steps[-1]
    label = ngettext(
        "Rating over %(n)s match, from %(first)s to %(last)s", "Rating over %(n)s matches, from %(first)s to %(last)s",
        len(steps),
    )  # fmt: skip
    return Graph(
        label=label % {"n": n(len(steps)), "first": first[2], "last": last[2]},
        marks=[(mark.y, f"{mark.value:.0f}") for mark in on.marks],
        below=_ends(month(first[1].date()), month(last[1].date())),
        head=[_("Month"), _("Matches"), _("Rating at its end"), "±"],
        rows=_by_month(strength),
        lines=[Line("l", charts.path(at, values, on), end=str(last[2]))],
        area=charts.band(at, low, high, on),
    )


def _by_month(strength: Strength) -> list[list[str]]:
    months = [(at.year, at.month) for _match, at, *_rest in strength.steps]
    last = dict(zip(months, strength.steps, strict=True))
    matches = Counter(months)
    return [
        [month(date(*one, 1)), str(matches[one]), str(value), str(about)]
        for one, (_match, _at, value, about, _gain) in reversed(last.items())
    ]


def _ends(left: str, right: str) -> list[tuple[str, str, str]]:
    """The first and the last month below a line; one only if they are the same."""
    ends = [(charts.across(1), right, "end")]
    return ends if left == right else [(charts.across(0), left, "start"), *ends]


def _over_months(
    deals: Deals, label: str, names: Sequence[str], of: Callable[[Summary], tuple[int, Sequence[float]]], what: str
) -> Graph | None:
    """Means a month as lines; ``of`` gives on how many a row rests and a value for each line. None for one month."""
    told = [(day, *of(row)) for day, row in deals.months.items()]
    told = [(day, count, values) for day, count, values in told if count]
    if len(told) < 2:
        return None
    on = charts.scale([value for _day, _count, values in told for value in values], from_zero=True)
    places = charts.spread([day.toordinal() for day, _count, _values in told])
    ways = ("l", "l2")
    return Graph(
        label=label,
        marks=[(mark.y, n(mark.value)) for mark in on.marks],
        below=_ends(month(told[0][0]), month(told[-1][0])),
        head=[_("Month"), what, *names],
        rows=[[month(day), n(count), *(n(value, 1) for value in values)] for day, count, values in reversed(told)],
        lines=[
            Line(ways[i], charts.path(places, [values[i] for _day, _count, values in told], on), name=name)
            for i, name in enumerate(names)
        ],
    )


def points(deals: Deals) -> Graph | None:
    """Points a deal by month, own and those of the others together."""
    return _over_months(
        deals,
        _("Points a deal in each month, own and those of the others"),
        [_("own"), _("the others")],
        lambda row: (row.deals, [row.points_for / (row.deals or 1), row.points_against / (row.deals or 1)]),
        _("Deals"),
    )


def caught(deals: Deals) -> Graph | None:
    """What was left in hand when somebody else won, by month."""
    return _over_months(
        deals,
        _("Points left in hand in each month when another won"),
        [_("left in hand")],
        lambda row: (row.caught, [row.caught_points / (row.caught or 1)]),
        _("Deals won by others"),
    )


def turns(total: Summary) -> Graph | None:
    """In which own turn deals were ended."""
    counts = [0] * LAST_TURN
    for turn, count in total.ended_by_turn.items():
        counts[min(max(int(turn), 1), LAST_TURN) - 1] += count
    whole = sum(counts)
    if not whole:
        return None
    on = charts.scale([float(count) for count in counts], from_zero=True)
    names = [str(turn) for turn in range(1, LAST_TURN)] + [_("%(n)s or later") % {"n": LAST_TURN}]
    drawn = charts.bars([float(count) if count else None for count in counts], on)
    return Graph(
        label=_("Deals ended in each turn"),
        marks=[(mark.y, n(mark.value)) for mark in on.marks if mark.value == int(mark.value)],
        below=[(drawn[turn - 1].middle, _mark_of(turn), "middle") for turn in (1, 5, 10, 15, LAST_TURN)],
        head=[_("Own turn"), _("Deals"), _("Share")],
        rows=[[name, n(count), percent(count, whole)] for name, count in zip(names, counts, strict=True) if count],
        bars=drawn,
    )


def _mark_of(turn: int) -> str:
    return f"{turn}+" if turn == LAST_TURN else str(turn)


def half_by(total: Summary) -> int:
    """The turn by which half of the deals that the user ended were over."""
    left = sum(total.ended_by_turn.values()) / 2
    for turn, count in sorted(total.ended_by_turn.items(), key=lambda told: int(told[0])):
        left -= count
        if left <= 0:
            return int(turn)
    return 0


def hours(total: Summary, shift: int) -> Graph | None:
    """How long answers took on average, by the hour at which they came; ``shift`` hours from UTC to the reader's."""
    told = {(int(hour) + shift) % 24: values for hour, values in total.answers.items()}
    if not told:
        return None
    means = [told[hour][1] / told[hour][0] if hour in told else None for hour in range(24)]
    on = charts.scale([mean / 3600 for mean in means if mean is not None], from_zero=True)
    drawn = charts.bars([mean / 3600 if mean is not None else None for mean in means], on)
    digits = 0 if on.step >= 1 else 2
    return Graph(
        label=_("Hours until an answer, by the hour of the day at which it came"),
        marks=[(mark.y, _("%(n)s h") % {"n": n(mark.value, digits)}) for mark in on.marks],
        below=[(drawn[hour].middle, f"{hour:02d}", "middle") for hour in (0, 6, 12, 18, 23)],
        head=[_("Hour"), _("Answers"), _("On average")],
        rows=[
            [f"{hour:02d}:00–{hour:02d}:59", n(told[hour][0]), took(mean)]
            for hour, mean in enumerate(means)
            if mean is not None
        ],
        bars=drawn,
    )


def ways_to_win(total: Summary) -> list[tuple[str, int, str, str]]:
    """(how, deals, share, width of a bar): how the deals that were won were won."""
    rest = total.deals_won - total.outs - total.knocks_won - total.gins - total.undercuts
    ways = (
        (_("went out"), total.outs),
        (_("knock"), total.knocks_won),
        (_("gin"), total.gins),
        (_("undercut"), total.undercuts),
        (_("lowest hand at the end of the stock"), rest),
    )
    whole = total.deals_won
    return [(name, count, percent(count, whole), f"{100 * count / whole:.1f}") for name, count in ways if count > 0]
