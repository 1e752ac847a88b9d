"""Where a user is signed in, and signing out there. A session that ends takes its open pages with it."""

from collections.abc import Iterable

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from .closing import tell_signed_out


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
