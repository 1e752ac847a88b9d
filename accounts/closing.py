"""Closing an account: everything personal goes, the row and the others' matches stay whole."""

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from . import factors
from .models import User


def close(user: User, only: Q | None = None) -> bool:
    """Give up what runs, then take away name, address, password and sessions. The user name stays taken for ever.

    ``only``: what has to be true of the row, also at the last moment. False if it was not, or if it is closed already.
    """
    rows = User.objects.filter(only or Q(), pk=user.pk, closed_at=None)
    if not rows.exists():
        return False
    _give_up(user)
    with transaction.atomic():
        row = rows.select_for_update(of=("self",)).first()
        if row is None:
            return False
        row.display_name, row.email, row.language, row.time_zone = "", "", "", "UTC"
        row.closed_at, row.is_active = timezone.now(), False
        row.back_key = ""
        row.is_staff = row.is_superuser = False
        row.set_unusable_password()
        row.save()
        row.groups.clear()
        row.user_permissions.clear()
        factors.forget(row)
        EmailAddress.objects.filter(user=row).delete()
        sessions = UserSession.objects.filter(user=row)
        Session.objects.filter(session_key__in=sessions.values("session_key")).delete()
        sessions.delete()
    _give_up(user)  # what was begun in another window before the row was locked; from then on nothing more can be
    tell_signed_out(user.pk)
    return True


def _give_up(user: User) -> None:
    for dotted in settings.ACCOUNT_BEFORE_CLOSE:
        import_string(dotted)(user)


def tell_signed_out(user_id: int) -> None:
    """A session of a user has ended: what is still open in it is to be shut."""
    for dotted in settings.ACCOUNT_AFTER_SIGN_OUT:
        import_string(dotted)(user_id)
