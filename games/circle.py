"""Whom somebody has to do with, as the page of people lists them: a fixed number of queries, whatever their number."""

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth import get_user_model

from . import habits
from .apart import friendships
from .models import Distance, Door, Friendship, Match, Seat

User = get_user_model()

MATCHES_LOOKED_AT = 60
OPPONENTS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a list. ``match``: the last one together."""

    user: Any
    match: Match | None = None

    @property
    def name(self) -> str:
        return str(self.user.shown_name)

    @property
    def habit(self) -> list[str]:
        return habits.told(getattr(self.user, "habit", None))

    @property
    def over(self) -> bool:
        """Whether the last match together may be played again."""
        return self.match is not None and self.match.status == Match.Status.OVER


@dataclass(frozen=True, slots=True)
class Circle:
    """``asking`` wait for my answer, ``asked`` for whose answer I wait; ``opens``: who may ask me for a match."""

    asking: list[Person] = field(default_factory=list)
    friends: list[Person] = field(default_factory=list)
    asked: list[Person] = field(default_factory=list)
    opponents: list[Person] = field(default_factory=list)
    muted: list[Person] = field(default_factory=list)
    blocked: list[Person] = field(default_factory=list)
    opens: str = Door.Opens.ALL

    @property
    def ways(self) -> list[tuple[str, str, bool]]:
        """The choices of the door: key, label, chosen."""
        return [(key, str(label), key == self.opens) for key, label in Door.Opens.choices]


def circle(user: Any) -> Circle:
    """The people of a user."""
    door = Door.objects.filter(user=user).first()
    found = Circle(opponents=_opponents(user), opens=door.opens if door else Door.Opens.ALL)
    for row in user.distances.select_related("whom").order_by("-at", "-pk"):
        (found.muted if row.kind == Distance.Kind.MUTED else found.blocked).append(Person(row.whom))
    away = {person.user.pk for person in found.blocked}
    rows = friendships(user.pk).select_related("asking__habit", "asked__habit")
    for row in rows.order_by("-accepted_at", "-at", "-pk"):
        _place(found, row, user, away)
    found.friends.sort(key=lambda person: person.name.casefold())
    return found


def _place(found: Circle, row: Friendship, user: Any, away: set[int]) -> None:
    other = row.asked if row.asking_id == user.pk else row.asking
    if row.accepted_at is not None:
        found.friends.append(Person(other))
    elif row.asking_id == user.pk:
        found.asked.append(Person(other))
    elif other.pk not in away:
        found.asking.append(Person(other))


def _opponents(user: Any) -> list[Person]:
    """With whom I played last, each once, with the last match together."""
    begun = [Match.Status.RUNNING, Match.Status.OVER]
    mine = Seat.objects.filter(user=user, match__status__in=begun).order_by("-match_id")
    matches = list(mine.values_list("match_id", flat=True)[:MATCHES_LOOKED_AT])
    met = Seat.objects.filter(match__in=matches, user__is_active=True).exclude(user=user)
    blocked = Distance.objects.filter(user=user, kind=Distance.Kind.BLOCKED).values("whom")
    met = met.exclude(user__in=blocked).select_related("user__habit", "match").order_by("-match_id", "index")
    found: dict[int, Person] = {}
    for seat in met:
        found.setdefault(seat.user_id or 0, Person(seat.user, seat.match))
    return list(found.values())[:OPPONENTS_SHOWN]
