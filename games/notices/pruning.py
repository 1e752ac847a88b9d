"""Old notices go: once a day those that are older than anybody looks for. Also what is kept of a user who leaves."""

from datetime import datetime, timedelta
from typing import Any

from accounts.models import Chore
from games.models import Feed, MutedMatch, Notice, NoticeSettings, PushSubscription

KEPT = timedelta(days=90)
DAY = timedelta(days=1)


def prune(now: datetime) -> int:
    """Drop what is older; how many rows of notices and deliveries."""
    return Notice.objects.filter(at__lt=now - KEPT).exclude(deliveries__state="pending").delete()[0]


def prune_daily(now: datetime) -> int | None:
    """Prune if the last time was a day ago and no other worker was quicker; None if there is nothing to do."""
    chore, _made = Chore.objects.get_or_create(name="notices", defaults={"due_at": now + DAY})
    if chore.due_at > now or not Chore.objects.filter(pk=chore.pk, due_at=chore.due_at).update(due_at=now + DAY):
        return None
    return prune(now)


def forget(user: Any) -> None:
    """Before an account is closed: all that the user was told, and his ways to be told, go (ACCOUNT_BEFORE_CLOSE)."""
    for rows in (Notice, NoticeSettings, MutedMatch, PushSubscription, Feed):
        rows.objects.filter(user=user).delete()
