"""What is not kept: guests who have gone, sessions that have ended, old addresses. Once a day, and idempotent.

Rows of users stay: a guest who has gone is closed as any account is. What counts as having gone the games say
(ACCOUNT_AT_PLAY), since a guest with a match is not gone.
"""

import time
from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from .closing import close, tell_signed_out
from .models import Chore, User

GUESTS = timedelta(days=30)
"""A guest who has not been here and at no match for so long is closed."""
ADDRESSES = timedelta(days=90)
"""After so long nobody needs to know from where somebody signed in."""
NOWHERE = "0.0.0.0"
"""Stands for an address that is not kept any more."""
DAY = timedelta(days=1)
LOOK = 600.0
"""Seconds between two looks whether a day has passed."""

_looked = time.monotonic()


def prune(now: datetime) -> dict[str, int]:
    """Do all of it; how many of each. Two at once do each thing once."""
    return {
        "guests closed": close_guests(now),
        "sessions that had expired": Session.objects.filter(expire_date__lt=now).delete()[0],
        "devices no longer signed in": _forget_devices(now),
        "addresses forgotten": _forget_addresses(now),
    }


def close_guests(now: datetime) -> int:
    """Close the guests who have gone. Each is looked at again under the lock of the row."""
    gone = _gone(now - GUESTS)
    return sum(close(guest, only=gone) for guest in User.objects.filter(gone).order_by("pk"))


def _gone(since: datetime) -> Q:
    at_play: Iterable[int] = import_string(settings.ACCOUNT_AT_PLAY)(since)
    here = Q(date_joined__gte=since) | Q(last_login__gte=since) | Q(pk__in=at_play)
    return Q(is_guest=True, closed_at=None) & ~here


def _forget_devices(now: datetime) -> int:
    """Rows of devices whose session is no more. One that is just being made has still a moment."""
    alive = Session.objects.values("session_key")
    ended = UserSession.objects.filter(created_at__lt=now - timedelta(hours=1)).exclude(session_key__in=alive)
    users = set(ended.values_list("user_id", flat=True))
    gone = ended.delete()[0]
    for user_id in users:
        tell_signed_out(user_id)
    return gone


def _forget_addresses(now: datetime) -> int:
    old = UserSession.objects.filter(last_seen_at__lt=now - ADDRESSES).exclude(ip=NOWHERE)
    return old.update(ip=NOWHERE, user_agent="")


def prune_daily(now: datetime) -> dict[str, int] | None:
    """Prune if the last time was a day ago and no other worker was quicker; None if there is nothing to do."""
    chore, _made = Chore.objects.get_or_create(name="prune", defaults={"due_at": now + DAY})
    if chore.due_at > now or not Chore.objects.filter(pk=chore.pk, due_at=chore.due_at).update(due_at=now + DAY):
        return None
    return prune(now)


def look() -> None:
    """Called by the background work each second or so; looks at the row of the chore much less often."""
    global _looked
    if time.monotonic() - _looked < LOOK:
        return
    _looked = time.monotonic()
    try:
        prune_daily(timezone.now())
    finally:
        connection.close()
