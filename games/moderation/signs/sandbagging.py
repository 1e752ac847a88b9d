"""Sandbagging: rated matches thrown away without being behind, by somebody who wins those that he plays out.

So the rating falls, and weaker opponents come. A strong player who wins much throws nothing away; somebody who plays
badly does not win what he plays out; somebody who leaves only one opponent is looked at in trading.py.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .finding import Finding, latest, share_without, z_of
from .played import Played

KIND = "sandbagging"

RATED = 20
"""Rated matches before anything is said."""
THROWN = 6
"""So many of them left without being behind, against so many opponents:"""
OPPONENTS = 4
LEAST = 0.03
"""At least so many in a hundred are taken for usual."""
Z, RATIO = 5.0, 3.0
"""All players of the site are looked at, so chance gets room."""
FALL = 60
"""Points by which the rating has fallen at least once; one or two bad days do not do that to a settled rating."""


def find(played: Iterable[Played], falls: Mapping[int, int]) -> list[Finding]:
    """The players who stand out. ``falls``: by how many points the rating of each has fallen most."""
    of: dict[int, list[Played]] = defaultdict(list)
    for match in played:
        if match.rated and match.counts:
            for user in match.users:
                of[user].append(match)
    thrown = {user: [match for match in some if user in match.level] for user, some in of.items()}
    cases, n = sum(map(len, thrown.values())), sum(map(len, of.values()))
    found = []
    for user in sorted(user for user, some in thrown.items() if len(some) >= THROWN):
        mine, lost = of[user], thrown[user]
        share, sample = share_without(cases, n, len(lost), len(mine), LEAST)
        expected = len(mine) * share
        z = z_of(len(lost), expected, expected * (1 - min(share, 1.0)))
        fall = falls.get(user, 0)
        if z < Z or len(lost) < RATIO * expected or not _fits(user, mine, lost, fall):
            continue
        stayed = [match for match in mine if match not in lost]
        more = {"stayed": len(stayed), "won": sum(user in match.won for match in stayed), "fall": fall}
        matches = latest(match.number for match in lost)
        found.append(Finding(KIND, user, None, len(lost), expected, len(mine), z, sample, matches, more))
    return found


def _fits(user: int, mine: Sequence[Played], lost: Sequence[Played], fall: int) -> bool:
    """Enough matches and opponents, a rating that fell, and wins of a good player where he stayed."""
    opponents = {other for match in lost for other in match.users} - {user}
    stayed = [match for match in mine if user not in match.level]
    fair = sum(1 / len(match.users) for match in stayed)
    won = sum(user in match.won for match in stayed)
    return len(mine) >= RATED and len(opponents) >= OPPONENTS and fall >= FALL and won >= fair > 0
