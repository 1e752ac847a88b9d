"""Made-up worlds in which signs are looked for: matches, discards and answers as values, seeded."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from games.moderation.signs import helping
from games.moderation.signs.played import Played
from games.moderation.signs.timing import Answer

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
GIN = ("gin", 2)
RUMMY = ("basic-rummy", 4)


def over(number: int, *users: int, won: int | None = None, left: int | None = None, **more: Any) -> Played:
    """A rated match that ended on day ``number``; who left was not behind if ``level`` says so."""
    ended = NOON + number * DAY
    gone = {"left": ((left, ended),)} if left is not None else {}
    given = {"level": frozenset({left})} if more.pop("level", False) else {}
    absent = {"absent": frozenset({left})} if more.pop("absent", False) else {}
    winners = frozenset(() if won is None else (won,))
    return Played(number, users, ended, **({"rated": True, "won": winners} | gone | given | absent | more))


def honest(seed: int = 1, matches: int = 300, users: int = 20) -> list[Played]:
    """Matches between all sorts of people: user 1 is strong and wins nearly all, one match in thirty is left."""
    rng, found = Random(seed), []
    for number in range(matches):
        one, two = rng.sample(range(1, users + 1), 2)
        won = 1 if 1 in (one, two) and rng.random() < 0.95 else rng.choice((one, two))
        lost = one + two - won
        leaves = rng.random() < 1 / 30
        more = {"left": lost, "level": rng.random() < 0.3, "absent": rng.random() < 0.5} if leaves else {}
        found.append(over(number, one, two, won=won, **more))
    return found


def thrown(
    found: helping.Tallies, one: int, two: int, share: float, *, n: int = 40, matches: Iterable[int], table: Any = RUMMY
) -> None:
    """In each of these matches one throws ``n`` cards, of which the other takes about this share."""
    for match in matches:
        rng = Random(f"{one} {two} {match}")
        for _discard in range(n):
            found[one, two, table].add(rng.random() < share, match)


def answered(user: int, n: int, *, median: float, spread: float, every: timedelta = timedelta(hours=1)) -> list[Answer]:
    """So many answers: the middle in seconds, and by which factor two of three stay within it."""
    rng = Random(f"{user} {n}")
    took = [median * spread ** rng.gauss(0, 1) for _answer in range(n)]
    return [Answer(NOON + every * at, one, at // 50) for at, one in enumerate(took)]
