"""A guest keeps the account: a name and a password for the same User, its matches and its sessions."""

from importlib import import_module

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, update_session_auth_hash
from django.http import HttpRequest

from .models import User


def carry_sessions(request: HttpRequest, user: User) -> None:
    """A new password ends all sessions; here all go on, this one with a new key."""
    mine = request.session.session_key
    update_session_auth_hash(request, user)
    UserSession.objects.create_from_request(request)
    UserSession.objects.filter(user=user, session_key=mine).delete()
    store = import_module(settings.SESSION_ENGINE).SessionStore
    others = UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key)
    for key in others.values_list("session_key", flat=True):
        session = store(key)
        if HASH_SESSION_KEY in session:
            session[HASH_SESSION_KEY] = user.get_session_auth_hash()
            session.save()


def ask_to_confirm(request: HttpRequest, user: User) -> None:
    """Send the letter that asks to confirm an address, as after signing up."""
    address = EmailAddress.objects.filter(user=user, verified=False).first()
    if address is not None:
        address.send_confirmation(request, signup=True)
