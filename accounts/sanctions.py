"""Sanctions: imposing and lifting them."""

from typing import Any

from django.utils.translation import gettext as _

from . import roles


def why_not_on(by: Any, user: Any) -> str:
    """The sentence why ``by`` decides nothing about this user; empty if he may."""
    if by.pk == user.pk:
        return _("That is you. Nobody decides about himself.")
    if user.closed_at is not None:
        return _("This account is closed. Nothing can be done to it.")
    if roles.rank(user) >= roles.rank(by):
        return _("This is one of the staff. Somebody with a higher role has to decide.")
    return ""
