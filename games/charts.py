"""Where the lines and bars of a graph lie, in percent of its drawing. Pure arithmetic; words and colours come later.

A drawing has room for the scale on its left and for names below, so the plot lies within LEFT to RIGHT, TOP to BOTTOM.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

LEFT, RIGHT, TOP, BOTTOM = 12.0, 88.0, 8.0, 84.0
MOST_POINTS = 90
"""A line has no more points: of those that fall together the last is drawn."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across at a round value: the value, and its height."""

    value: float
    y: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a graph. ``value`` None: nothing is known there."""

    x: str
    width: str
    y: str
    height: str
    middle: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Path:
    """A line: its points in a box of 100 by 100 between LEFT and RIGHT, and where it ends in the whole drawing."""

    points: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From a value to a height: round marks from ``low`` to ``high``."""

    low: float
    high: float
    step: float

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return BOTTOM - share * (BOTTOM - TOP)

    @property
    def marks(self) -> list[Mark]:
        """Two to five of them."""
        count = round((self.high - self.low) / self.step)
        values = [self.low + i * self.step for i in range(count + 1)]
        return [Mark(value, f"{self.y(value):.2f}") for value in values]


def scale(values: Sequence[float], *, from_zero: bool = False, steps: int = 3) -> Scale:
    """A scale with about so many steps that holds all values."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    span = (high - low) or max(abs(high), 1.0) / 2
    raw = span / steps
    unit = 10.0 ** floor(log10(raw))
    step = next(n * unit for n in (1, 2, 5, 10) if n * unit >= raw * 0.999)
    bottom = floor(low / step) * step
    top = bottom
    while top < high - step / 1000 or top == bottom:
        top += step
    return Scale(bottom, top, step)


def thinned[P](some: Sequence[tuple[float, P]]) -> list[tuple[float, P]]:
    """Of points at places from 0 to 1 those that can be told apart: the last of each of MOST_POINTS parts."""
    last = {min(int(at * MOST_POINTS), MOST_POINTS - 1): (at, point) for at, point in some}
    return [last[part] for part in sorted(last)]


def spread(values: Sequence[float]) -> list[float]:
    """Values as places from 0 to 1, the first and the last at the ends; a single one at the end."""
    first, last = values[0], values[-1]
    return [(value - first) / (last - first) if last > first else 1.0 for value in values]


def path(places: Sequence[float], values: Sequence[float], on: Scale) -> Path:
    """A line through values at places from 0 to 1."""
    points = " ".join(f"{100 * at:.1f},{on.y(value):.2f}" for at, value in zip(places, values, strict=True))
    return Path(points, across(places[-1]), f"{on.y(values[-1]):.2f}")


def band(places: Sequence[float], low: Sequence[float], high: Sequence[float], on: Scale) -> str:
    """The outline of what lies between two lines."""
    there = [f"{100 * at:.1f},{on.y(value):.2f}" for at, value in zip(places, high, strict=True)]
    back = [f"{100 * at:.1f},{on.y(value):.2f}" for at, value in zip(places, low, strict=True)]
    return " ".join([*there, *reversed(back)])


def across(place: float) -> str:
    """A place from 0 to 1 in the whole drawing."""
    return f"{LEFT + place * (RIGHT - LEFT):.2f}"


def bars(values: Sequence[float | None], on: Scale) -> list[Bar]:
    """A bar for each value, side by side, over the whole width of the plot."""
    width = (100 - LEFT) / len(values)
    return [_bar(LEFT + i * width, width, value, on) for i, value in enumerate(values)]


def _bar(x: float, width: float, value: float | None, on: Scale) -> Bar:
    y = on.y(value or 0.0)
    return Bar(
        x=f"{x + width * 0.12:.2f}",
        width=f"{width * 0.76:.2f}",
        y=f"{y:.2f}",
        height=f"{BOTTOM - y:.2f}",
        middle=f"{x + width / 2:.2f}",
        value=value,
    )
