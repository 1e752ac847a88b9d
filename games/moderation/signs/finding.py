"""A Finding, and the arithmetic that all kinds share. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

MATCHES_NAMED = 20
"""So many of the matches that a finding rests on are named, the latest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one player (``other`` None) or two; ``user`` is the one with the smaller number then.

    ``observed`` cases among ``n``, where ``expected`` were to be expected; ``z`` is how many standard deviations lie
    between, for cases that do not depend on each other. ``sample`` is the number of cases by others from which the
    expectation comes (0: none was needed). ``more`` are further numbers by name.
    """

    kind: str
    user: int
    other: int | None
    observed: int
    expected: float
    n: int
    z: float
    sample: int
    matches: tuple[int, ...]
    more: dict[str, int] = field(default_factory=dict)

    def numbers(self) -> dict[str, object]:
        """As a row keeps them."""
        told: dict[str, object] = {"observed": self.observed, "expected": round(self.expected, 1), "n": self.n}
        told |= {"z": round(self.z, 1), "sample": self.sample, "matches": list(self.matches)}
        return told | self.more


def pair(one: int, two: int) -> tuple[int, int]:
    """Two players in the order in which rows name them."""
    return min(one, two), max(one, two)


def latest(matches: Iterable[int]) -> tuple[int, ...]:
    """The matches that a finding names."""
    return tuple(sorted(set(matches), reverse=True)[:MATCHES_NAMED])


def z_of(observed: int, expected: float, variance: float) -> float:
    """How many standard deviations more were seen than expected. A variance below one case is taken as one."""
    return (observed - expected) / sqrt(max(variance, 1.0))


def share_without(cases: int, n: int, own_cases: int, own_n: int, least: float) -> tuple[float, int]:
    """The share of cases among all others, at least ``least``, and how many these others' cases are drawn from."""
    others = n - own_n
    share = (cases - own_cases) / others if others > 0 else 0.0
    return max(share, least), others
