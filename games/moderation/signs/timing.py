"""Bot-like timing: answers that nearly all take equally long. However quick somebody is, his answers differ.

An answer is the first act of a person in a turn; what a standing order, the clock, a bot or the site did is none.
Counted is how many answers lie within a tenth of the player's own median. Quick is no sign, and neither is playing
much.
"""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .finding import Finding, latest, share_without, z_of

KIND = "timing"

ANSWERS = 300
"""Fewer say little, and three matches never have so many."""
MATCHES = 5
MOST = 2000
"""So many of a player's last answers are looked at."""
WITHIN = 0.1
"""An answer is like the others if it lies so near to the median, as a share of it."""
SHARE = 0.5
"""People are within a tenth of their median about one time in eight; half of all is far from any of them."""
LEAST = 0.15
"""At least so large a share is taken for usual."""
Z = 6.0
"""With 300 answers a share of one half is far beyond this; it matters only where others are even as well."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``took``: seconds."""

    at: datetime
    took: float
    match: int


def answers(record: Mapping[str, Any], match: int, by_order: set[int]) -> Iterator[tuple[int, Answer]]:
    """The answers in one ended deal: (seat, answer). ``by_order``: numbers of moves that a standing order made."""
    before: tuple[int | None, datetime] | None = None
    for step in record["steps"]:
        at, seat = datetime.fromisoformat(step["at"]), step["seat"]
        told = bool(step.get("events"))
        if not told:  # a pause, a nudge or a proposal: the time of this turn means nothing
            before = None if step["action"]["type"] != "deal" else (None, at)
            continue
        if before is not None and before[0] != seat is not None and step["by"] == "user" and step["n"] not in by_order:
            yield seat, Answer(at, (at - before[1]).total_seconds(), match)
        before = (seat, at)


def find(given: Mapping[int, Sequence[Answer]]) -> list[Finding]:
    """The players who stand out. ``given``: the answers of each."""
    last = {user: sorted(some, key=lambda one: one.at)[-MOST:] for user, some in given.items()}
    even = {user: even_ones(one.took for one in some) for user, some in last.items()}
    cases, n = sum(even.values()), sum(map(len, last.values()))
    found = []
    for user in sorted(user for user, some in last.items() if len(some) >= ANSWERS):
        mine = last[user]
        share, sample = share_without(cases, n, even[user], len(mine), LEAST)
        expected = len(mine) * share
        z = z_of(even[user], expected, expected * (1 - min(share, 1.0)))
        matches = {one.match for one in mine}
        if z < Z or even[user] < SHARE * len(mine) or len(matches) < MATCHES:
            continue
        hours = len({one.at.hour for one in mine})
        median = round(1000 * statistics.median(one.took for one in mine))
        more = {"median_ms": median, "hours": hours, "days": len({one.at.date() for one in mine})}
        found.append(Finding(KIND, user, None, even[user], expected, len(mine), z, sample, latest(matches), more))
    return found


def even_ones(took: Iterable[float]) -> int:
    """How many lie within a tenth of the median of them all."""
    some = list(took)
    if not some:
        return 0
    median = statistics.median(some)
    return sum(abs(one - median) <= WITHIN * median for one in some)
