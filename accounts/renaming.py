"""Renaming somebody: an act of seniors. Old and new name stay in the audit log, and the old one still signs in."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from . import audit, roles, sanctions
from .models import AuditEntry, User
from .names import USERNAME_VALIDATORS, plain
from .refusal import Refusal


def rename(by: Any, user: Any, name: str, *, ground: str, reason: str) -> AuditEntry:
    """Give a user another name; his display name goes, so that the new one is seen. Raises Refusal."""
    with transaction.atomic():
        user = sanctions.locked(user)
        if refused := sanctions.why_not_on(by, user):
            raise Refusal(refused)
        if not roles.may(by, "rename"):
            raise Refusal(_("This takes a senior moderator."))
        must_be_free(user, name)
        details = {"old": user.username, "old_key": user.name_key, "old_shown": user.display_name, "new": name}
        _give(user, name, "")
        entry = audit.enter(by, "rename", reason=reason, user=user, target=user, details=details | {"ground": ground})
        _tell(user)
    return entry


def undo(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    """Give the old name back, if nobody has it by now."""
    with transaction.atomic():
        assert entry.user is not None
        user = sanctions.locked(entry.user)
        if user.username != entry.details["new"]:
            raise Refusal(_("This player has been renamed since then."))
        must_be_free(user, entry.details["old"])
        _give(user, entry.details["old"], entry.details["old_shown"])
        undone = audit.enter(by, "rename_back", reason=reason, user=user, target=user, undoes=entry)
        _tell(user)
    return undone


def must_be_free(user: User, name: str) -> None:
    """Raise Refusal for a name that cannot be given to this user."""
    if user.is_guest:
        raise Refusal(_("A guest has the name that the site gave."))
    if plain(name) == user.name_key:
        raise Refusal(_("That is the name now."))
    try:
        for check in USERNAME_VALIDATORS:
            check(name)
    except ValidationError as error:
        raise Refusal(" ".join(error.messages)) from None
    if User.objects.filter(name_key=plain(name)).exclude(pk=user.pk).exists():
        raise Refusal(_("Somebody has this name already. Choose another."))


def _give(user: User, name: str, shown: str) -> None:
    user.username, user.display_name = name, shown
    user.save(update_fields=["username", "name_key", "display_name"])


def _tell(user: User) -> None:
    for dotted in settings.ACCOUNT_AFTER_RENAMING:
        import_string(dotted)(user)


def known_as(login: str) -> str:
    """The name that an account has now which was called so before it was renamed; what was typed if there is none."""
    key = plain(login)
    if not key or User.objects.filter(name_key=key).exists():
        return login
    entry = AuditEntry.objects.filter(act="rename", details__old_key=key).select_related("user").first()
    return entry.user.username if entry is not None and entry.user is not None else login
