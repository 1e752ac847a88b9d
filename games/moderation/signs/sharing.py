"""Shared addresses and devices: two accounts that use the same kind of browser at the same address, and play together.

An address alone is never a sign: families, schools and telephone networks share one. Here addresses and browsers come
as keyed hashes only; they can be told to be equal, and nothing else. A Finding has numbers of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from .finding import Finding, latest, pair, z_of
from .played import Played

KIND = "sharing"

CROWD = 6
"""An address that more accounts have used is a school, a club or a network, and is left out."""
TOGETHER = 5
"""Matches at which both sat; friends who visit each other for three are not looked at."""
RATED = 3
"""Of these so many rated or more: among themselves a family may play as it likes."""


@dataclass(frozen=True, slots=True)
class Signed:
    """Where somebody is signed in: keyed hashes of the address, and of address and browser together."""

    user: int
    place: str
    device: str


def find(signed: Iterable[Signed], played: Iterable[Played]) -> list[Finding]:
    """The pairs that stand out."""
    sessions = list(signed)
    devices = shared(sessions, "device")
    places = shared(sessions, "place")
    together: dict[tuple[int, int], list[Played]] = defaultdict(list)
    each: dict[int, int] = defaultdict(int)
    for match in played:
        for user in match.users:
            each[user] += 1
        for both in combinations(sorted(match.users), 2):
            if both in devices:
                together[both].append(match)
    return [
        _finding(both, some, each, devices[both], places.get(both, 0))
        for both, some in sorted(together.items())
        if len(some) >= TOGETHER and sum(match.rated for match in some) >= RATED
    ]


def shared(signed: Iterable[Signed], what: str) -> dict[tuple[int, int], int]:
    """How many places or devices two accounts have in common, where they have any. Crowded places are left out."""
    sessions = list(signed)
    at: dict[str, set[int]] = defaultdict(set)
    for one in sessions:
        at[one.place].add(one.user)
    crowded = {place for place, users in at.items() if len(users) > CROWD}
    users_of: dict[str, set[int]] = defaultdict(set)
    for one in sessions:
        if one.place not in crowded:
            users_of[getattr(one, what)].add(one.user)
    found: dict[tuple[int, int], int] = defaultdict(int)
    for users in users_of.values():
        for one_user, two in combinations(sorted(users), 2):
            found[pair(one_user, two)] += 1
    return dict(found)


def _finding(both: tuple[int, int], some: list[Played], each: Mapping[int, int], devices: int, places: int) -> Finding:
    """Expected is how often the one who plays less would meet the other if everybody met everybody alike."""
    fewer, more_often = sorted(both, key=lambda user: each[user])
    n, others = each[fewer], sum(each.values()) - each[fewer]
    expected = n * each[more_often] / others
    rated = sum(match.rated for match in some)
    more = {"devices": devices, "places": places, "rated": rated}
    matches = latest(match.number for match in some)
    return Finding(KIND, *both, len(some), expected, n, z_of(len(some), expected, expected), others, matches, more)
