"""Wins that two players give each other: left without being behind (``wins_given``), or in turns (``wins_in_turns``).

Only matches of these two alone are counted. Losing by play, or leaving while behind, is never a sign: whoever meets a
strong player loses much.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from .finding import Finding, latest, pair, share_without, z_of
from .played import Played

GIVEN, IN_TURNS = "wins_given", "wins_in_turns"

MATCHES = 8
"""Matches between the two; friends who play three are never looked at."""
FEWEST = 5
"""So many given wins at least: one or two happen to everybody who has to go."""
LEAST = 0.03
"""At least so many in a hundred are taken for usual, however honest a site is."""
Z, RATIO = 5.0, 3.0
"""All pairs of the site are looked at, so chance gets room."""
RATED = 20
"""Rated matches between the two before turns are looked at. Ten wins each, all in turns, is one case in 92,000."""
Z_TURNS = 4.0
"""The runs test at 20 matches reaches this only if all wins, or all but one, alternate."""


def find(played: Iterable[Played]) -> list[Finding]:
    """The pairs that stand out."""
    of: dict[tuple[int, int], list[Played]] = defaultdict(list)
    for match in played:
        if match.of_two:
            of[pair(*match.users)].append(match)
    given = {both: sum(bool(match.level) for match in some) for both, some in of.items()}
    found = [_given(both, some, of, given) for both, some in sorted(of.items()) if given[both] >= FEWEST]
    found += [_in_turns(both, some) for both, some in sorted(of.items()) if len(some) >= RATED]
    return [one for one in found if one is not None]


def _given(
    both: tuple[int, int],
    some: Sequence[Played],
    of: Mapping[tuple[int, int], Sequence[Played]],
    given: Mapping[tuple[int, int], int],
) -> Finding | None:
    if len(some) < MATCHES:
        return None
    share, sample = share_without(
        sum(given.values()), sum(map(len, of.values())), given[both], len(some), _elsewhere(both, of)
    )
    n, observed, expected = len(some), given[both], len(some) * share
    z = z_of(observed, expected, expected * (1 - min(share, 1.0)))
    if z < Z or observed < RATIO * expected:
        return None
    by = {f"given_by_{name}": sum(user in match.level for match in some) for name, user in zip("ab", both, strict=True)}
    more = by | {"rated": sum(match.rated for match in some)}
    matches = latest(match.number for match in some if match.level)
    return Finding(GIVEN, *both, observed, expected, n, z, sample, matches, more)


def _elsewhere(both: tuple[int, int], of: Mapping[tuple[int, int], Sequence[Played]]) -> float:
    """The larger of the shares that the two leave to others; whoever leaves everywhere gives nobody anything."""
    shares = [LEAST]
    for user in both:
        others = [match for key, some in of.items() if user in key and key != both for match in some]
        if len(others) >= MATCHES:
            shares.append(sum(user in match.level for match in others) / len(others))
    return max(shares)


def _in_turns(both: tuple[int, int], some: Sequence[Played]) -> Finding | None:
    """The runs test: how often the winner changed from one rated match to the next."""
    ended = sorted((match for match in some if match.rated and len(match.won) == 1), key=lambda match: match.ended_at)
    winners = [next(iter(match.won)) for match in ended]
    n, first = len(winners), winners.count(both[0])
    if n < RATED or not 0 < first < n:
        return None
    changes = sum(one != two for one, two in pairwise(winners))
    expected = 2 * first * (n - first) / n
    z = z_of(changes, expected, expected * (expected - 1) / (n - 1))
    if z < Z_TURNS:
        return None
    more = {"won_by_a": first, "won_by_b": n - first}
    return Finding(IN_TURNS, *both, changes, expected, n - 1, z, 0, latest(match.number for match in ended), more)
