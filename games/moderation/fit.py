"""Whether a moderator is fit to act on a match: nobody judges a match of his own, or of a friend."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from games.apart import friendships
from games.models import Match, Seat, Tenure


def why_not(moderator: Any, match: Match) -> str:
    """Why somebody may neither act on a match nor see its hands, as a sentence; empty if he may.

    Who has played a seat for a while sits there too. Asked in the transaction of the act, with the match locked.
    """
    here = _who_sat(match)
    if moderator.pk in here:
        return _("You sit at this match, so somebody else has to look after it.")
    friends = friendships(moderator.pk).filter(accepted_at__isnull=False)
    if friends.filter(Q(asking__in=here) | Q(asked__in=here)).exists():
        return _("A friend of yours sits at this match, so somebody else has to look after it.")
    return ""


def _who_sat(match: Match) -> set[int]:
    """All who have a seat of the match, drive one, or drove one."""
    seats = Seat.objects.filter(match=match).values_list("user", "driven_by")
    drove = Tenure.objects.filter(seat__match=match, user__isnull=False).values_list("user", flat=True)
    return {user for pair in seats for user in pair if user is not None} | {user for user in drove if user is not None}
