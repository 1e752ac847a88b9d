"""Guests: people who play at once and may keep the account later. Keeping it stands in upgrade.py."""

import secrets

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import translation

from rummysite import limits

from .forms import zone_or_utc
from .models import User
from .names import GUEST

LASTS = 365 * 24 * 3600
"""Seconds that a guest stays signed in: nothing but this session, or a link made for it, lets a guest in again."""
DIGITS = (4, 4, 5, 5, 6, 7, 8, 9, 9, 9)
"""How long the number of each further try is, when the one before is taken."""


def ensure_user(request: HttpRequest) -> User:
    """Who is signed in; else a new guest, signed in from now on. Only for a POST: looking makes nobody.

    Raises limits.TooMany (a page of its own, 429) when the address has made too many.
    """
    if isinstance(request.user, User):
        return request.user
    limits.spend("guest", request)
    guest = make_guest(translation.get_language() or "", zone_or_utc(request.POST.get("time_zone", "")))
    sign_in_guest(request, guest)
    return guest


def make_guest(language: str, time_zone: str) -> User:
    """A new guest with a name that is free. The language has to be one of the site's to be kept."""
    known = language if language in dict(settings.LANGUAGES) else ""
    for digits in DIGITS:
        low = 10 ** (digits - 1)
        guest = User(username=f"{GUEST}{low + secrets.randbelow(9 * low)}", is_guest=True, language=known)
        guest.time_zone = time_zone
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue
        return guest
    raise RuntimeError("no free name for a guest")


def sign_in_guest(request: HttpRequest, guest: User) -> None:
    """Sign a guest in with a new session key, for long."""
    get_adapter().login(request, guest)
    request.session.set_expiry(LASTS)
    UserSession.objects.create_from_request(request)
