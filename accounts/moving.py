"""After signing in from a guest's session: the guest's matches may move to the account. What moves the games know."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from .models import User

KEY = "guest_before"
"""In the session: the guest who signed in. The session is the proof that it was the same person."""


def remember(request: HttpRequest, guest: User) -> None:
    """Keep who this was before, as long as the session lasts or until the offer is answered."""
    request.session[KEY] = guest.pk


def forget(request: HttpRequest) -> None:
    """The offer is answered."""
    request.session.pop(KEY, None)


def guest_before(request: HttpRequest) -> User | None:
    """The guest whose matches may move to the signed-in account; not one who has kept that account meanwhile,
    nor one who is shut out.
    """
    known = request.session.get(KEY)
    if known is None or known == request.user.pk:
        return None
    found = User.objects.filter(pk=known, is_guest=True, is_active=True).first()
    return None if found is None or found.is_barred else found


def offer(guest: User, account: User) -> Any:
    """What would move: ``.moving`` and ``.staying``, each a list with ``.name``, ``.state``, ``.others``."""
    return import_string(settings.ACCOUNT_MERGE["offer"])(guest, account)


def move(guest: User, account: User) -> int:
    """Move all that can; how many matches did."""
    moved: int = import_string(settings.ACCOUNT_MERGE["move"])(guest, account)
    return moved
