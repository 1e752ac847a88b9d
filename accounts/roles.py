"""Who of the staff may do what: one table. Groups and permissions are made from it by migrations.

A superuser may do what the three roles together may, but sees hands only with that permission given by name. Models
are asked late, since they read the table.
"""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MODERATOR, SENIOR, OPERATOR = "moderator", "senior moderator", "operator"
ROLES: dict[str, str | Promise] = {
    MODERATOR: _("moderator"),
    SENIOR: _("senior moderator"),
    OPERATOR: _("operator"),
}

_BOTH, _SENIOR, _OPERATOR = (MODERATOR, SENIOR), (SENIOR,), (OPERATOR,)

PERMISSIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "moderate": ("Opens the pages of moderators", _BOTH),
    "handle_reports": ("Closes and reopens reports", _BOTH),
    "warn": ("Warns", _BOTH),
    "mute": ("Mutes chat", _BOTH),
    "bar_rated": ("Bars from rated play", _BOTH),
    "bar_opening": ("Bars from opening matches", _BOTH),
    "suspend": ("Suspends for up to 7 days", _BOTH),
    "hide_message": ("Hides messages", _BOTH),
    "give_time": ("Gives time at a match", _BOTH),
    "bot_drives": ("Lets a bot drive a seat", _BOTH),
    "see_private": ("Sees devices and shared addresses of players", _BOTH),
    "see_addresses": ("Sees the addresses themselves", _SENIOR),
    "suspend_long": ("Suspends for longer", _SENIOR),
    "ban": ("Bans", _SENIOR),
    "rename": ("Renames", _SENIOR),
    "void_deal": ("Voids a deal", _SENIOR),
    "abort_match": ("Aborts a match", _SENIOR),
    "adjudicate": ("Adjudicates a result", _SENIOR),
    "reopen_match": ("Reopens a match", _SENIOR),
    "see_hands": ("Sees hands, with a written reason", _SENIOR),
    "link_accounts": ("Links accounts of one person", _SENIOR),
    "answer_appeals": ("Answers appeals", _SENIOR),
    "see_audit": ("Reads the audit log", _SENIOR),
    "operate": ("Edits word lists and limits, sees mail failures and matches that are stuck", _OPERATOR),
}
"""By the name of a permission (``accounts.<name>``): what it allows, and the roles that have it."""

ONLY_BY_NAME = frozenset({"see_hands"})
"""What a superuser does not have by being one."""


def may(user: Any, permission: str) -> bool:
    """Whether somebody has a permission of the table. Everything asks here, since Django gives superusers all."""
    if permission not in PERMISSIONS:
        raise KeyError(permission)
    if not (user.is_active and user.is_staff):
        return False
    if user.is_superuser and permission not in ONLY_BY_NAME:
        return True
    return f"accounts.{permission}" in _given(user)


def _given(user: Any) -> frozenset[str]:
    """What was given by name, to the user or by a group; asked of the database once for a user that was loaded."""
    known: frozenset[str] | None = getattr(user, "_given_by_name", None)
    if known is None:
        from django.contrib.auth.models import Permission
        from django.db.models import Q

        of = Permission.objects.filter(Q(group__user=user) | Q(user=user), content_type__app_label="accounts")
        known = frozenset(f"accounts.{name}" for name in of.values_list("codename", flat=True))
        user._given_by_name = known
    return known


def rank(user: Any) -> int:
    """0 for players; one acts only on those below: moderators and operators 1, seniors 2, superusers 3."""
    if not (user.is_active and user.is_staff):
        return 0
    if user.is_superuser:
        return 3
    return 2 if user.groups.filter(name=SENIOR).exists() else 1


def has_role(user: Any) -> bool:
    """Whether somebody works in the admin at all, and so needs a second factor."""
    return bool(user.is_active and user.is_staff)
