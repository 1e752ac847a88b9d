"""Working time: what counts between two moments, across changes of the clocks in both directions and in many zones."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.worktime import NEVER, Off, covered, later, trimmed, working

DAY = 24 * 3600
STEP = timedelta(minutes=15)
ZONES = [
    *("UTC", "America/New_York", "Europe/Skopje", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"),
    *("America/Havana", "Asia/Beirut", "Pacific/Kiritimati", "America/St_Johns"),
]
"""With clocks that change at midnight, by half an hour, in the other half of the year, and not at all."""
WEEKENDS = [frozenset[int](), frozenset({5, 6}), frozenset({4, 5})]

quarters = st.integers(0, 4 * 24 * 800).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + n * STEP)
lengths = st.integers(0, 4 * 24 * 30)


@st.composite
def offs(draw: st.DrawFn) -> Off:
    """Any days off."""
    away, at = [], draw(quarters)
    for gap, size in draw(st.lists(st.tuples(st.integers(1, 2000), st.integers(1, 2000)), max_size=3)):
        away.append((at + gap * STEP, at + (gap + size) * STEP))
        at = away[-1][1]
    return Off(draw(st.sampled_from(ZONES)), draw(st.sampled_from(WEEKENDS)), tuple(away))


def counts(at: datetime, off: Off) -> bool:
    """Whether a moment counts, said without any arithmetic."""
    local = at.astimezone(ZoneInfo(off.zone))
    return local.weekday() not in off.weekdays and not any(start <= at < end for start, end in off.away)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(quarters, lengths, offs())
def test_time_counts_exactly_where_no_day_is_off(a, n, off):
    counted = sum(counts(a + i * STEP, off) for i in range(n))

    assert working(a, a + n * STEP, off) == counted * STEP.total_seconds()


@settings(max_examples=80, deadline=None, derandomize=True)
@given(quarters, st.integers(0, 40 * DAY), offs())
def test_a_deadline_is_as_far_away_as_it_was_set(a, seconds, off):
    due = later(a, seconds, off)

    assert working(a, due, off) == seconds
    assert due >= a + timedelta(seconds=seconds)
    assert seconds == 0 or working(a, due - timedelta(seconds=1), off) < seconds


@settings(max_examples=80, deadline=None, derandomize=True)
@given(quarters, lengths, lengths, offs())
def test_what_is_counted_in_two_pieces_is_counted_once(a, n, m, off):
    b, c = a + n * STEP, a + (n + m) * STEP

    assert working(a, b, off) + working(b, c, off) == working(a, c, off)
    assert working(b, a, off) == 0


@settings(max_examples=80, deadline=None, derandomize=True)
@given(quarters, st.integers(1, 20 * DAY), st.integers(0, 20 * DAY), offs())
def test_what_is_left_of_a_turn_leads_to_the_same_deadline(a, seconds, used, off):
    due = later(a, seconds, off)
    now = min(later(a, used, off), due)

    assert later(now, working(now, due, off), off) == due


@settings(max_examples=60, deadline=None, derandomize=True)
@given(quarters, st.integers(0, 40 * DAY), offs())
def test_spans_are_cut_to_what_is_allowed_of_them(a, allowed, off):
    kept = trimmed(off.away, a, allowed)
    end = datetime(2040, 1, 1, tzinfo=UTC)

    assert covered(kept, a, end) == min(allowed, covered(off.away, a, end))
    assert all(end > start >= a for start, end in kept)


@pytest.mark.parametrize(
    ("zone", "friday", "due"),
    [  # Friday at noon, one day a turn, weekends off: Monday at noon, by the clock on the wall unless it was changed
        ("America/New_York", datetime(2026, 10, 30, 12), datetime(2026, 11, 2, 12)),
        ("America/New_York", datetime(2026, 3, 6, 12), datetime(2026, 3, 9, 12)),
        ("Europe/Skopje", datetime(2026, 3, 27, 12), datetime(2026, 3, 30, 12)),
        ("Europe/Skopje", datetime(2026, 10, 23, 12), datetime(2026, 10, 26, 12)),
        ("Asia/Kathmandu", datetime(2026, 5, 1, 12), datetime(2026, 5, 4, 12)),
    ],
)
def test_a_weekend_is_as_long_as_it_is_in_the_zone(zone, friday, due):
    off, there = Off(zone, frozenset({5, 6})), ZoneInfo(zone)

    assert later(friday.replace(tzinfo=there), DAY, off) == due.replace(tzinfo=there)


def test_without_days_off_hours_are_real_hours_when_the_clocks_change():
    moved = datetime(2026, 10, 31, 12, tzinfo=UTC)

    assert later(moved, 3 * DAY, NEVER) == datetime(2026, 11, 3, 12, tzinfo=UTC)
    assert later(moved, 3 * DAY, Off("America/New_York")).astimezone(ZoneInfo("America/New_York")).hour == 7
