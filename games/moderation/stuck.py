"""Matches that run and do not move: what the site should have done long ago, or nobody is awaited at all.

Only columns of the rows are looked at, no table of cards. Long past means longer than any worker needs to catch up, so
that being listed here says nothing of what somebody holds or has ordered.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Match, Move, Seat

PATIENCE = timedelta(minutes=15)
"""So late the site is never while its background work runs."""
GRACE = timedelta(hours=1)
"""So long after a deadline the clock has played."""
WHY: dict[str, str | Promise] = {
    "overdue": _("The deadline has passed, and the clock has not played."),
    "asleep": _("The site should have acted, and has not."),
    "nobody": _("Nobody is awaited, and the site has nothing to do."),
}


def stuck(now: datetime | None = None) -> "QuerySet[Match]":
    """Running matches that are stuck, the oldest first."""
    now = now or timezone.now()
    running = Match.objects.filter(_late(now) | _nobody(), status=Match.Status.RUNNING)
    return running.order_by("pk")


def _late(now: datetime) -> Q:
    return Q(wake_at__lt=now - PATIENCE) | Q(due_at__lt=now - GRACE)


def _nobody() -> Q:
    """Neither a person is to move nor the site to act, and no pause is on."""
    person = Seat.objects.filter(match=OuterRef("pk"), index=OuterRef("turn"), driver=Seat.Driver.USER)
    nothing_to_do = Q(wake_at=None, due_at=None, paused_at=None)
    return Q(nothing_to_do, Q(turn=None) | ~Q(Exists(person)))


def is_stuck(match: Match, now: datetime) -> bool:
    """Whether this match is; most show by their own columns that they are not."""
    waits = match.wake_at is not None or match.due_at is not None
    late = (match.wake_at and match.wake_at < now - PATIENCE) or (match.due_at and match.due_at < now - GRACE)
    if match.status != Match.Status.RUNNING or (waits and not late):
        return False
    return stuck(now).filter(pk=match.pk).exists()


def why(match: Match, now: datetime | None = None) -> str:
    """Which of WHY holds for a match that is stuck."""
    now = now or timezone.now()
    if match.due_at is not None and match.due_at < now - GRACE:
        return str(WHY["overdue"])
    asleep = match.wake_at is not None and match.wake_at < now - PATIENCE
    return str(WHY["asleep" if asleep else "nobody"])


def moved_last(matches: "QuerySet[Match]") -> "QuerySet[Any]":
    """The same with ``moved_at``, when the last entry of the tape was made: since then nothing has happened."""
    last = Move.objects.filter(match=OuterRef("pk"), number=OuterRef("moves")).values("at")
    return matches.annotate(moved_at=Subquery(last[:1]))
