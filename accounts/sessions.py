"""Where a user is signed in, and signing out there. A session that ends takes its open pages with it."""

import secrets
from collections.abc import Iterable
from importlib import import_module

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY, get_user_model
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from .closing import tell_signed_out

MARK = "device"
"""In the session: a mark of this device. The key of a session changes with each new password, the mark stays."""


def mark(request: HttpRequest) -> str:
    """The mark of the device that asks; made now if it has none."""
    if MARK not in request.session:
        request.session[MARK] = secrets.token_hex(16)
        request.session.save()
        UserSession.objects.create_from_request(request)
    known: str = request.session[MARK]
    return known


def marks(user_id: int) -> set[str]:
    """The marks of the devices on which the user is signed in now. Only looks: one may be getting a new key."""
    user = get_user_model().objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return set()
    valid = {user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()}
    store = import_module(settings.SESSION_ENGINE).SessionStore
    sessions = [store(key) for key in UserSession.objects.filter(user=user).values_list("session_key", flat=True)]
    return {one[MARK] for one in sessions if MARK in one and one.get(HASH_SESSION_KEY) in valid}


class Adapter(DefaultUserSessionsAdapter):
    """Ends sessions as the library does, and shuts their sockets at once."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        ending = list(sessions)
        super().end_sessions(ending)
        for user_id in {session.user_id for session in ending}:
            tell_signed_out(user_id)


@never_cache
@require_POST
@login_required
def end_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """Sign out one device of one's own; this one is signed out by its own button."""
    session = get_object_or_404(UserSession, pk=session_id, user=request.user)
    if session.session_key != request.session.session_key:
        Adapter().end_sessions([session])
        messages.success(request, _("That device is signed out."))
    return redirect("usersessions_list")
