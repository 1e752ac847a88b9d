"""Who sees which section of a profile: asked by the profile, the page of two, leaderboards, results and programs.

A reader who may not see something is never told so: all of them answer as if there were nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Q

from .apart import friendships
from .models import Disclosure

SECTIONS = ("ratings", "results", "matches", "opponents", "deals", "answers")
To = Disclosure.To
ANYBODY = frozenset[int]()
"""The friends of a reader who has none, or is not signed in."""


def of(user: Any) -> Disclosure:
    """What a user shows to whom; at best ``disclosure`` has been selected with him."""
    row: Disclosure | None = getattr(user, "disclosure", None)
    return row or Disclosure(user=user)


def friends_of(reader: Any) -> frozenset[int]:
    """The ids of the friends of a reader. One query, none for a stranger."""
    if not reader.is_authenticated:
        return ANYBODY
    rows = friendships(reader.pk).filter(accepted_at__isnull=False).values_list("asking", "asked")
    return frozenset(one for both in rows for one in both if one != reader.pk)


def sections(whom: Any, reader: Any, friends: Collection[int]) -> frozenset[str]:
    """The sections of somebody's profile that a reader with these friends sees."""
    if reader.pk == whom.pk:
        return frozenset(SECTIONS)
    row, near = of(whom), whom.pk in friends
    return frozenset(name for name in SECTIONS if _open(getattr(row, name), near=near))


def _open(to: str, *, near: bool) -> bool:
    """Whether something is open to a reader; ``near``: who is a friend."""
    return to == To.ALL or (near and to == To.FRIENDS)


def shows(name: str, whom: Any, reader: Any, friends: Collection[int]) -> bool:
    """Whether a reader sees one section of somebody's profile."""
    return name in sections(whom, reader, friends)


def may_see_pair(one: Any, other: Any, reader: Any, friends: Collection[int]) -> bool:
    """Whether a reader sees what two people have played with each other: they do, others when both show it to them."""
    return reader.pk in (one.pk, other.pk) or all(shows("opponents", who, reader, friends) for who in (one, other))


def seen_with(
    whom: Any, reader: Any, friends: Collection[int], others: Iterable[tuple[int, str | None]]
) -> Iterator[int]:
    """``may_see_pair`` for many others, of whom no more is read than id and ``disclosure__opponents``."""
    mine, unsaid = reader.pk == whom.pk, Disclosure().opponents
    both = shows("opponents", whom, reader, friends)
    for pk, to in others:
        if mine or reader.pk == pk or (both and _open(to or unsaid, near=pk in friends)):
            yield pk


def hidden(name: str) -> Q:
    """Users who do not show a section to everybody, as a condition on rows that have a ``user``."""
    return Q(**{f"user__disclosure__{name}__in": [To.FRIENDS, To.ME]})


def choose(user: Any, chosen: Mapping[str, str]) -> None:
    """Keep what a user shows to whom; ``chosen`` has been checked by a form."""
    Disclosure.objects.update_or_create(user=user, defaults={name: chosen[name] for name in SECTIONS})
