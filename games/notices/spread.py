"""New notices are given to their channels: one Delivery each, with the time at which it is due."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from games.models import Delivery, Notice, NoticeSettings
from games.writing import writing

from .carriers import CARRIERS
from .kinds import DIGEST, EMAIL, NOW, OFF, always, when

AT_ONCE = 200
"""Notices of one transaction."""
TOGETHER = timedelta(minutes=1)
"""A mail waits so long for what else happens, so that one letter tells it all."""
USUAL = NoticeSettings()
"""The settings of those who have none."""


def spread(now: datetime) -> int:
    """Spread what is new; how many notices. Two at once spread each once."""
    with writing():
        new = Notice.objects.select_for_update(skip_locked=True, of=("self",)).filter(spread_at=None)
        rows = list(new.select_related("user__notice_settings").order_by("at", "pk")[:AT_ONCE])
        Delivery.objects.bulk_create(_deliveries(rows), ignore_conflicts=True)
        Notice.objects.filter(pk__in=[row.pk for row in rows]).update(spread_at=now)
    return len(rows)


def _deliveries(rows: list[Notice]) -> Iterable[Delivery]:
    users = {row.user_id for row in rows}
    for channel, carrier in CARRIERS.items():
        reached = carrier.reached(users) if users else set()
        for row in rows:
            chosen = settings_of(row.user)
            time = NOW if always(row.kind, channel, row.about) else when(row.kind, channel, chosen.matrix)
            if time != OFF and row.user_id in reached:
                yield Delivery(notice=row, channel=channel, due_at=_due(row, channel, time, chosen))


def settings_of(user: Any) -> NoticeSettings:
    """How a user wants to be told."""
    found: NoticeSettings = getattr(user, "notice_settings", USUAL)
    return found


def _due(row: Notice, channel: str, time: str, chosen: NoticeSettings) -> datetime:
    if time == DIGEST:
        return next_digest(row.at, chosen.digest_hour, row.user.time_zone)
    if channel != EMAIL:
        return row.at
    return row.at + (timedelta(minutes=chosen.turn_delay) if row.kind == "your_turn" else TOGETHER)


def next_digest(after: datetime, hour: int, zone: str) -> datetime:
    """The next time that a clock in this zone shows this hour. An hour that a change of clocks leaves out is the one
    after it; one that comes twice is the first.
    """
    local = after.astimezone(ZoneInfo(zone))
    for days in (0, 1):
        day = local.date() + timedelta(days=days)
        due = datetime(day.year, day.month, day.day, hour, tzinfo=local.tzinfo)
        if due.timestamp() > after.timestamp():
            break
    return due.astimezone(ZoneInfo("UTC"))
