"""Who keeps whom at a distance, and whose door is open: asked by everything that brings people together.

What is said to the one who is refused is the same whatever the reason, so that nobody learns that he is blocked.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from .models import Distance, Door, Friendship, Match, Seat


def not_open() -> str:
    """The sentence for one who cannot sit at a table: sent away from it, or kept at a distance by somebody there."""
    return _("This table is not open to you. Look for another one in the lobby.")


def not_asked(name: str) -> str:
    """The sentence for one who asks somebody that cannot be asked: the door is shut, or shut to him."""
    return _("%(name)s cannot be asked for a match just now.") % {"name": name}


def between(user_id: int) -> Q:
    """The rows that part a user from others, whoever has blocked whom."""
    return Q(kind=Distance.Kind.BLOCKED) & (Q(user=user_id) | Q(whom=user_id))


def are_apart(user_id: int, others: Iterable[int | None]) -> bool:
    """Whether the user and one of the others are never to be paired."""
    ids = [other for other in others if other is not None and other != user_id]
    rows = Distance.objects.filter(between(user_id))
    return bool(ids) and rows.filter(Q(user__in=ids) | Q(whom__in=ids)).exists()


def without_apart(users: Any, others: Iterable[int | None]) -> Any:
    """Those of a query of users who are apart from none of the others."""
    ids, rows = [other for other in others if other is not None], Distance.objects.filter(kind=Distance.Kind.BLOCKED)
    users = users.exclude(pk__in=rows.filter(user__in=ids).values("whom"))
    return users.exclude(pk__in=rows.filter(whom__in=ids).values("user"))


def seats_apart(user_id: int) -> Any:
    """Seats of those from whom a user is apart, as a query: for lists of matches."""
    rows = Distance.objects.filter(kind=Distance.Kind.BLOCKED)
    mine, theirs = rows.filter(user=user_id).values("whom"), rows.filter(whom=user_id).values("user")
    return Seat.objects.filter(Q(user__in=mine) | Q(user__in=theirs))


def may_sit(user_id: int, seats: Sequence[Seat]) -> bool:
    """Whether nobody who sits there, or for whom a seat is kept, is apart from the user."""
    return not are_apart(user_id, [seat.user_id for seat in seats])


def may_ask(asking: Any, asked: Any) -> bool:
    """Whether one may ask the other for a match. Who is shut out is asked by nobody."""
    if asked.is_barred or are_apart(asking.pk, [asked.pk]):
        return False
    door = Door.objects.filter(user=asked).first()
    opens = door.opens if door else Door.Opens.ALL
    if opens == Door.Opens.FRIENDS:
        friends = friendships(asked.pk).filter(accepted_at__isnull=False)
        return bool(friends.filter(Q(asking=asking) | Q(asked=asking)).exists())
    return bool(opens == Door.Opens.ALL)


def friendships(user_id: int) -> Any:
    """All friendships of a user, asked and accepted."""
    return Friendship.objects.filter(Q(asking=user_id) | Q(asked=user_id))


def listed_for(user: Any, matches: Any, status: str = Match.Status.OPEN) -> Any:
    """Matches of that status without those at which somebody sits who is apart from the reader."""
    if not user.is_authenticated:
        return matches
    return matches.exclude(pk__in=seats_apart(user.pk).filter(match__status=status).values("match"))
