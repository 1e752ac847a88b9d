"""Addresses and browsers that accounts have in common, from the sessions that are kept: how many, and, apart, which.

That two people share an address proves nothing: a household, a school and a phone network have one. What is kept says
where somebody is signed in now or was of late (pruning.py); an address that was forgotten is no address.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from allauth.usersessions.models import UserSession
from django.db.models import QuerySet

from .devices import device
from .pruning import NOWHERE


@dataclass(frozen=True, slots=True)
class Shared:
    """What two users, by their ids, have in common. ``addresses``, ``browsers``: how many; ``both``: how many times
    they came by the same address with the same browser.
    """

    one: int
    other: int
    addresses: int
    browsers: int
    both: int

    @property
    def anything(self) -> bool:
        return bool(self.addresses or self.browsers)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a user is signed in. ``address`` is empty if it is not kept any more, or not for the reader's eyes.
    ``others``: ids of the other users who were asked about and share the address.
    """

    user: int
    device: str
    address: str
    since: Any
    seen: Any
    others: tuple[int, ...] = ()


def _sessions(users: Iterable[int]) -> "QuerySet[UserSession]":
    return UserSession.objects.filter(user__in=set(users)).order_by("-last_seen_at", "-pk")


def between(users: Iterable[int]) -> list[Shared]:
    """Each two of these users, and what they share. One query."""
    ids = sorted(set(users))
    seen: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for user, address, agent in _sessions(ids).values_list("user_id", "ip", "user_agent"):
        seen[user].add((address if address != NOWHERE else "", agent))
    return [_shared(one, other, seen[one], seen[other]) for one, other in combinations(ids, 2)]


def _shared(one: int, other: int, mine: set[tuple[str, str]], his: set[tuple[str, str]]) -> Shared:
    addresses = {address for address, _agent in mine} & {address for address, _agent in his} - {""}
    browsers = {agent for _address, agent in mine} & {agent for _address, agent in his} - {""}
    both = {pair for pair in mine & his if all(pair)}
    return Shared(one, other, len(addresses), len(browsers), len(both))


def places(users: Iterable[int], *, addresses: bool) -> list[Place]:
    """Where these users are signed in, the last seen first; ``addresses``: whether the reader sees them."""
    rows = list(_sessions(users)[:MOST])
    at: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        at[row.ip].add(row.user_id)
    return [
        Place(
            row.user_id,
            device(row.user_agent),
            row.ip if addresses and row.ip != NOWHERE else "",
            row.created_at,
            row.last_seen_at,
            tuple(sorted(at[row.ip] - {row.user_id})) if row.ip != NOWHERE else (),
        )
        for row in rows
    ]


MOST = 100
"""So many sessions a page lists."""


def at_the_addresses_of(user: int) -> list[int]:
    """Other users who were at an address of this one, at most MOST: whom to compare."""
    mine = UserSession.objects.filter(user=user).exclude(ip=NOWHERE).values("ip")
    others = UserSession.objects.filter(ip__in=mine).exclude(user=user).order_by("user_id")
    return list(others.values_list("user_id", flat=True).distinct()[:MOST])
