"""Tokens: made once and shown once, revoked at once, told by the header ``Authorization: Bearer`` and nowhere else."""

import hashlib
import secrets
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.utils import timezone

from games.models import ApiToken
from games.writing import writing

MOST = 10
"""Tokens of one user."""
MARK = "rummy_"
"""Begins every token, so that one that has leaked is found by those who search for such."""


class Enough(Exception):
    """The user has as many tokens as one may have."""


def make(user: Any, name: str, scope: str) -> str:
    """A new token. Its text is nowhere else and cannot be shown again. Raises Enough."""
    text = MARK + secrets.token_urlsafe(32)
    with writing():
        list(get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk))  # one after the other
        if ApiToken.objects.filter(user=user).count() >= MOST:
            raise Enough
        ApiToken.objects.create(user=user, name=name, scope=scope, key=_hashed(text), made_at=timezone.now())
    return text


def revoke(user: Any, number: int) -> bool:
    """End one of the user's tokens. False if there is none of this number."""
    return ApiToken.objects.filter(user=user, pk=number).delete()[0] > 0


def forget(user: Any) -> None:
    """The account is being closed."""
    ApiToken.objects.filter(user=user).delete()


def of(request: HttpRequest) -> ApiToken | None:
    """The token that a request shows; None without one that is known, or of a user who has left or is shut out."""
    kind, _space, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not text.startswith(MARK):
        return None
    known = ApiToken.objects.select_related("user").filter(user__is_active=True)
    known = known.exclude(user__barred_until__gt=timezone.now())
    token = known.filter(key=_hashed(text.strip())).first()
    now = timezone.now()
    if token is not None and (token.used_at is None or now - token.used_at > timedelta(days=1)):
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
    return token


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
