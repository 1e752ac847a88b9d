"""Discards that help one neighbour too often: of what one player throws, another takes far more than anybody would.

What is counted: discards that a person threw and on which the next player, a person too, then drew. Expected is the
share that is taken in that game with as many seats (the pair left out), raised by how much more than others this
thrower's discards are taken elsewhere, and by how much more than others this taker takes elsewhere. So neither
somebody who throws badly nor somebody who takes everything stands out; only both together can.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .finding import Finding, latest, pair, z_of

KIND = "helping"

DISCARDS = 200
"""Fewer say little: with a share of a third, chance alone makes 67 of 200 into 50 or 84."""
MATCHES = 8
"""Fewer may be a single evening. Three matches of friends are never enough."""
ELSEWHERE = 100
"""Without so many discards thrown to others, and taken from others, nobody knows how the two play elsewhere."""
SAMPLE = 400
"""A game in which others have thrown fewer discards has no share to compare with, and is left out."""
STEADY = 20
"""Takes that are added to both sides of a player's factor, so that few cases change it little."""
MOST = 0.95
"""No expectation is higher than this share."""
Z, RATIO = 6.0, 1.5
"""Discards of one deal depend on each other and all pairs of the site are looked at, so both are high."""


@dataclass(slots=True)
class Tally:
    """Discards of one player on which another drew, in one kind of game."""

    thrown: int = 0
    taken: int = 0
    matches: set[int] = field(default_factory=set)

    def add(self, taken: bool, match: int) -> None:
        self.thrown += 1
        self.taken += taken
        self.matches.add(match)


Table = tuple[str, int]
"""Preset and number of seats."""
Tallies = dict[tuple[int, int, Table], Tally]
"""By thrower, taker and kind of game."""


def tallies() -> Tallies:
    """Nothing counted yet."""
    return defaultdict(Tally)


def add(found: Tallies, record: Mapping[str, Any], users: Mapping[int, int], match: int, table: Table) -> None:
    """Count one ended deal; ``users`` by seat, without seats that others played for a while."""
    for thrower, taker, taken in _offers(record):
        if thrower in users and taker in users:
            found[users[thrower], users[taker], table].add(taken, match)


def _offers(record: Mapping[str, Any]) -> Iterator[tuple[int, int, bool]]:
    """Each discard of a person on which another person drew: who threw, who drew, and whether that was taken."""
    thrown: tuple[int, str] | None = None
    for step in record["steps"]:
        for event in step.get("events", ()):
            if event["kind"] == "discarded":
                thrown = (event["seat"], event["cards"][0]) if step["by"] == "user" else None
            elif event["kind"] in ("drew", "took"):
                if thrown is not None and step["by"] == "user" and event["seat"] != thrown[0]:
                    yield thrown[0], event["seat"], event["kind"] == "took" and thrown[1] in event["cards"]
                thrown = None


def find(found: Mapping[tuple[int, int, Table], Tally]) -> list[Finding]:
    """The pairs that stand out, each once: in the direction that stands out more."""
    known = _Known(found)
    best: dict[tuple[int, int], Finding] = {}
    for thrower, taker in sorted({(thrower, taker) for thrower, taker, _table in found}):
        one = known.judged(thrower, taker)
        if one is not None:
            key = pair(thrower, taker)
            best[key] = max(best.get(key, one), one, key=lambda each: each.z)
    return list(best.values())


class _Known:
    """Sums of all tallies: by kind of game, by thrower and by taker."""

    def __init__(self, found: Mapping[tuple[int, int, Table], Tally]) -> None:
        self.tables: dict[Table, list[int]] = defaultdict(lambda: [0, 0])
        self.pairs: dict[tuple[int, int], dict[Table, Tally]] = defaultdict(dict)
        self.threw: dict[int, dict[Table, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self.took: dict[int, dict[Table, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        for (thrower, taker, table), tally in found.items():
            self.pairs[thrower, taker][table] = tally
            for sums in (self.tables[table], self.threw[thrower][table], self.took[taker][table]):
                sums[0] += tally.thrown
                sums[1] += tally.taken

    def judged(self, thrower: int, taker: int) -> Finding | None:
        """The finding about discards of the one that the other takes; None if there is none."""
        mine = self.pairs[thrower, taker]
        shares: dict[Table, tuple[float, int]] = {}
        for table, tally in mine.items():
            sample = self.tables[table][0] - tally.thrown
            if sample >= SAMPLE:
                shares[table] = (self.tables[table][1] - tally.taken) / sample, sample
        n = sum(mine[table].thrown for table in shares)
        matches = {match for table in shares for match in mine[table].matches}
        factors = [self._factor(sums, mine, shares) for sums in (self.threw[thrower], self.took[taker])]
        if n < DISCARDS or len(matches) < MATCHES or None in factors:
            return None
        raised = max(factors[0] or 1, 1.0) * max(factors[1] or 1, 1.0)
        cases = [(mine[table].thrown, min(share * raised, MOST)) for table, (share, _sample) in shares.items()]
        expected = sum(number * share for number, share in cases)
        observed = sum(mine[table].taken for table in shares)
        z = z_of(observed, expected, sum(number * share * (1 - share) for number, share in cases))
        if z < Z or observed < RATIO * expected:
            return None
        user, other = pair(thrower, taker)
        sample = sum(sample for _share, sample in shares.values())
        more = {"thrower": thrower, "taker": taker, "of_matches": len(matches)}
        return Finding(KIND, user, other, observed, expected, n, z, sample, latest(matches), more)

    @staticmethod
    def _factor(
        sums: Mapping[Table, list[int]], mine: Mapping[Table, Tally], shares: Mapping[Table, tuple[float, int]]
    ) -> float | None:
        """How much more than others somebody gives or takes elsewhere, in these games; None if that is unknown."""
        thrown, taken, expected = 0, 0, 0.0
        for table, (share, _sample) in shares.items():
            elsewhere = sums[table][0] - mine[table].thrown
            thrown += elsewhere
            taken += sums[table][1] - mine[table].taken
            expected += share * elsewhere
        return (taken + STEADY) / (expected + STEADY) if thrown >= ELSEWHERE else None
