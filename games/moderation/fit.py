"""Whether a moderator is fit to act: nobody judges a match or a person of his own circle."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts import sanctions
from games.apart import friendships
from games.models import Match, Seat, Tenure


def why_not(moderator: Any, match: Match) -> str:
    """Why somebody may neither act on a match nor see its hands, as a sentence; empty if he may.

    Who has played a seat for a while sits there too. Asked in the transaction of the act, with the match locked.
    """
    here = _who_sat(match)
    if moderator.pk in here:
        return _("You sit at this match, so somebody else has to look after it.")
    if _has_friend(moderator, here):
        return _("A friend of yours sits at this match, so somebody else has to look after it.")
    return ""


def why_not_on(moderator: Any, user: Any) -> str:
    """Why somebody may not act on this user, as a sentence; empty if he may."""
    return sanctions.why_not_on(moderator, user) or why_too_close(moderator, user)


def why_too_close(moderator: Any, user: Any) -> str:
    """Why somebody is too close to this user to decide anything that concerns him, as a sentence; empty if not."""
    if _has_friend(moderator, [user.pk]):
        return _("This player is a friend of yours, so somebody else has to decide.")
    running = Match.objects.filter(status=Match.Status.RUNNING)
    if running.filter(_sits(user)).filter(_sits(moderator)).exists():
        return _("You play with this player just now, so somebody else has to decide.")
    return ""


def _sits(user: Any) -> Q:
    return Q(pk__in=Seat.objects.filter(Q(user=user) | Q(driven_by=user)).values("match"))


def _has_friend(moderator: Any, users: Iterable[int]) -> bool:
    ids = set(users)
    friends = friendships(moderator.pk).filter(accepted_at__isnull=False)
    return bool(friends.filter(Q(asking__in=ids) | Q(asked__in=ids)).exists())


def _who_sat(match: Match) -> set[int]:
    """All who have a seat of the match, drive one, or drove one."""
    seats = Seat.objects.filter(match=match).values_list("user", "driven_by")
    drove = Tenure.objects.filter(seat__match=match, user__isnull=False).values_list("user", flat=True)
    return {user for pair in seats for user in pair if user is not None} | {user for user in drove if user is not None}
