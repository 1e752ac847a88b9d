"""Serial abandoning: matches left to the clock, or left in their first deal, again and again.

Resigning later is anybody's right and is not counted. What ends within three days counts as one time: whoever falls ill
loses ten matches at once, and that is no habit.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from .finding import Finding, latest, share_without, z_of
from .played import Played

KIND = "abandoning"

ABANDONED = 6
"""Matches abandoned at least, against so many opponents:"""
OPPONENTS = 4
TIMES = 4
"""So many times, each more than APART after the one before."""
APART = timedelta(days=3)
SHARE = 0.2
"""Of one's matches at least: whoever plays two hundred may lose ten to the clock."""
LEAST = 0.05
"""At least so many in a hundred are taken for usual: people leave for good reasons too."""
Z = 5.0
"""All players of the site are looked at, so chance gets room."""


def find(played: Iterable[Played]) -> list[Finding]:
    """The players who stand out."""
    of: dict[int, list[Played]] = defaultdict(list)
    for match in played:
        if len(match.users) > 1:
            for user in match.users:
                of[user].append(match)
    absent = {user: [match for match in some if user in match.absent] for user, some in of.items()}
    cases, n = sum(map(len, absent.values())), sum(map(len, of.values()))
    found = []
    for user in sorted(user for user, some in absent.items() if len(some) >= ABANDONED):
        mine, lost = of[user], absent[user]
        share, sample = share_without(cases, n, len(lost), len(mine), LEAST)
        expected = len(mine) * share
        z = z_of(len(lost), expected, expected * (1 - min(share, 1.0)))
        times = _times([at for match in lost for who, at in match.left if who == user])
        opponents = len({other for match in lost for other in match.users} - {user})
        if z < Z or len(lost) < SHARE * len(mine) or times < TIMES or opponents < OPPONENTS:
            continue
        more = {"times": times, "opponents": opponents}
        matches = latest(match.number for match in lost)
        found.append(Finding(KIND, user, None, len(lost), expected, len(mine), z, sample, matches, more))
    return found


def _times(moments: Sequence[datetime]) -> int:
    """How many times something happened, where what follows within APART is the same time."""
    count, last = 0, None
    for at in sorted(moments):
        count += last is None or at - last > APART
        last = at
    return count
