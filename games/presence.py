"""Who has the page of a match open now. Kept in the cache with an expiry, so that it holds for several processes.

A courtesy: no deadline and no result hangs on it but the one grace a deal of who drops out of live play. No database.
"""

from collections.abc import Iterable

from django.core.cache import cache

BEAT = 25.0
"""Seconds after which an open page says again that it is there."""
FORGOTTEN = 60
"""Seconds after which somebody who has said nothing is gone."""


def _key(match_id: int, user_id: int) -> str:
    return f"here:{match_id}:{user_id}"


def came(match_id: int, user_id: int) -> None:
    """This user has the page open."""
    cache.set(_key(match_id, user_id), 1, FORGOTTEN)


def left(match_id: int, user_id: int) -> None:
    """A page of this user was closed; if another one is open, its next beat says so."""
    cache.delete(_key(match_id, user_id))


def here(match_id: int, users: Iterable[int]) -> set[int]:
    """Which of these users are at the table. Nobody, when the cache is away."""
    keys = {_key(match_id, user): user for user in users}
    try:
        found = cache.get_many(keys)
    except Exception:  # whatever a broker can raise: it is a courtesy
        return set()
    return {keys[key] for key in found}
