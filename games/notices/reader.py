"""The language and time zone of somebody who is told something while he is not there."""

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.utils import timezone, translation


@contextmanager
def reader(user: Any) -> Iterator[None]:
    """Inside it, words and moments are those of this user."""
    try:
        zone = zoneinfo.ZoneInfo(user.time_zone)
    except (ValueError, zoneinfo.ZoneInfoNotFoundError):
        zone = zoneinfo.ZoneInfo("UTC")
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(zone):
        yield
