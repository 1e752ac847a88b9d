"""What a user's deals and matches add up to: a row a month, written in the transaction that ends a deal or a match.

``of_deal`` and ``of_match`` say what one of them adds, from public columns, the Record and who drove; writing live,
moving a guest's results and ``recompute`` all rest on these two, so that the rows can always be made anew.
Whether a match counts and for whom stands in counting.py.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any

from .models import Summary

COUNTS = (
    "won", "shared", "lost", "left", "uncounted", "deals", "deals_won", "deals_void", "points_for", "points_against",
    "outs", "concealed", "knocks", "knocks_won", "gins", "big_gins", "undercuts", "undercut", "caught",
    "caught_points",
)  # fmt: skip
"""The columns of a Summary that are sums; beside them stand ``ended_by_turn`` and ``answers``."""


def rows(
    user: Any, *, preset: str = "", opponents: str = "", since: date | None = None, until: date | None = None
) -> list[Summary]:
    """A user's rows, the oldest first: of one preset, against one kind of opponent, of the months from ``since`` to
    ``until``. One query."""
    found = Summary.objects.filter(user=user)
    if preset:
        found = found.filter(preset=preset)
    if opponents:
        found = found.filter(opponents=opponents)
    if since:
        found = found.filter(month__gte=since.replace(day=1))
    if until:
        found = found.filter(month__lte=until)
    return list(found.order_by("month", "preset", "opponents"))


def total(some: Iterable[Summary]) -> Summary:
    """All of them in one, which is never saved; its month is the first of theirs (None without any)."""
    one = Summary(ended_by_turn={}, answers={})
    for row in some:
        one.month = min(filter(None, (one.month, row.month)))
        add(one, row)
    return one


def by(name: str, some: Iterable[Summary]) -> dict[Any, Summary]:
    """Totals by ``preset``, ``opponents`` or ``month``, in the order in which they come."""
    parts: dict[Any, list[Summary]] = defaultdict(list)
    for row in some:
        parts[getattr(row, name)].append(row)
    return {key: total(part) for key, part in parts.items()}


def matches(row: Summary) -> int:
    """How many matches of a row (or total) counted."""
    return row.won + row.shared + row.lost


def add(row: Summary, more: Summary, sign: int = 1) -> None:
    """Add the numbers of another row, or take them away; nothing is saved."""
    for name in COUNTS:
        setattr(row, name, getattr(row, name) + sign * getattr(more, name))
    turns = Counter(row.ended_by_turn)
    turns.update({turn: sign * n for turn, n in more.ended_by_turn.items()})
    row.ended_by_turn = {turn: n for turn, n in sorted(turns.items(), key=lambda one: int(one[0])) if n}
    hours = {hour: list(told) for hour, told in row.answers.items()}
    for hour, (n, seconds) in more.answers.items():
        had = hours.get(hour, [0, 0])
        hours[hour] = [had[0] + sign * n, had[1] + sign * seconds]
    row.answers = {hour: told for hour, told in sorted(hours.items(), key=lambda one: int(one[0])) if told[0]}
