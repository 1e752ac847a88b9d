"""The second factor of signing in: codes of an app, and recovery codes. The library does it; here stands what we ask.

Whoever works in the administration needs one, and has to have shown it in this session.
"""

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Adapter(DefaultMFAAdapter):
    """The library's, in our words. An app shows the user name, never an address."""

    error_messages: dict[str, str | Promise] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not right. Codes of an app change every half a minute."),
        "cannot_generate_recovery_codes": _("Recovery codes are for accounts with a second step."),
    }

    def get_totp_label(self, user: Any) -> str:
        return str(user.username)


def has_one(user: Any) -> bool:
    """Whether signing in asks this user for a second factor."""
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def shown(request: HttpRequest) -> bool:
    """Whether this session has been shown the second factor that its user has. One query."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records) and has_one(request.user)


def forget(user: Any) -> int:
    """Take away what somebody has: signing in asks for the password only. How many there were."""
    return int(Authenticator.objects.filter(user=user).delete()[0])
