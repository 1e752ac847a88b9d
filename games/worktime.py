"""Working time: the time that counts for a deadline. Days off do not count. Pure arithmetic: no rows, no clock.

All moments are aware; weekend days are those of a time zone, so that a day is 23, 24 or 25 hours long as it is there.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import count
from zoneinfo import ZoneInfo

Span = tuple[datetime, datetime]
"""From a moment on, and up to another."""


@dataclass(frozen=True)
class Off:
    """When nothing counts: some days of each week in a zone (Monday is 0), and some spans, in order of time."""

    zone: str = "UTC"
    weekdays: frozenset[int] = frozenset()
    away: tuple[Span, ...] = ()

    def spans(self, a: datetime) -> Iterator[Span]:
        """All time off from ``a`` on, in order and without overlaps. Without an end if there are weekdays."""
        away = ((max(start, a), end) for start, end in self.away if end > a)
        joined: Span | None = None
        for start, end in heapq.merge(away, self._days(a)):
            if joined is None:
                joined = start, end
            elif start <= joined[1]:
                joined = joined[0], max(joined[1], end)
            else:
                yield joined
                joined = start, end
        if joined is not None:
            yield joined

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def _days(self, a: datetime) -> Iterator[Span]:
        if not self.weekdays:
            return
        today = a.astimezone(self._zone).date()
        for n in count():
            day = today + timedelta(days=n)
            if day.weekday() in self.weekdays:
                start, end = max(self._midnight(day), a), self._midnight(day + timedelta(days=1))
                if start < end:  # a zone that moves across the date line leaves out a day
                    yield start, end

    def _midnight(self, day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=self._zone).astimezone(UTC)


NEVER = Off()
"""No days off."""


def working(a: datetime, b: datetime, off: Off) -> float:
    """Seconds from ``a`` to ``b`` that count; 0 when ``b`` is not after ``a``."""
    if b <= a:
        return 0
    counted = b - a
    for start, end in off.spans(a):
        if start >= b:
            break
        counted -= min(end, b) - start
    return counted.total_seconds()


def later(a: datetime, seconds: float, off: Off) -> datetime:
    """The first moment by which so many seconds after ``a`` have counted."""
    at, left = a, timedelta(seconds=seconds)
    for start, end in off.spans(a):
        if at + left <= start:
            break
        left -= start - at
        at = end
    return at + left


def trimmed(away: tuple[Span, ...], a: datetime, seconds: float) -> tuple[Span, ...]:
    """What is left of some spans from ``a`` on, when only so many seconds of them are allowed."""
    kept, left = list[Span](), timedelta(seconds=max(0, seconds))
    for start, end in away:
        start, end = max(start, a), min(end, max(start, a) + left)
        if start < end:
            kept.append((start, end))
            left -= end - start
    return tuple(kept)


def covered(away: tuple[Span, ...], a: datetime, b: datetime) -> float:
    """Seconds from ``a`` to ``b`` that lie in some spans which do not overlap."""
    return sum(max(0.0, (min(end, b) - max(start, a)).total_seconds()) for start, end in away)
