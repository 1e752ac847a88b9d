"""A guest's link to come back from another device: 128 bits, of which only the hash is kept. A new one ends the old."""

import hashlib
import secrets

from .models import User


def make_link(guest: User) -> str:
    """The token of a new link. It is shown once and can never be shown again."""
    token = secrets.token_urlsafe(16)
    User.objects.filter(pk=guest.pk, is_guest=True).update(back_key=_hashed(token))
    return token


def end_link(guest: User) -> None:
    """The link leads nowhere from now on."""
    User.objects.filter(pk=guest.pk).update(back_key="")


def guest_of(token: str) -> User | None:
    """The guest to whom a link belongs."""
    return User.objects.filter(back_key=_hashed(token), is_guest=True, is_active=True).first()


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
