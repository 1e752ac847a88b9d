"""The private addresses of a user's calendar and feed: 128 bits, of which only the hash is kept.

Whoever has such an address may read what it leads to, and can do nothing with it. A new one ends the old.
"""

import hashlib
import secrets
from typing import Any

from django.utils import timezone

from games.models import Feed


def make(user: Any, kind: Feed.Kind) -> str:
    """The token of a new address. It is shown once and can never be shown again."""
    token = secrets.token_urlsafe(16)
    new = {"key": _hashed(token), "made_at": timezone.now()}
    Feed.objects.update_or_create(user=user, kind=kind, defaults=new)
    return token


def end(user: Any, kind: Feed.Kind) -> None:
    """The address leads nowhere from now on."""
    Feed.objects.filter(user=user, kind=kind).delete()


def feed_of(token: str, kind: Feed.Kind) -> Feed | None:
    """To whom an address belongs; nobody whose account is closed or shut out."""
    rows = Feed.objects.select_related("user").filter(user__is_active=True)
    rows = rows.exclude(user__barred_until__gt=timezone.now())
    return rows.filter(key=_hashed(token), kind=kind).first()


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
