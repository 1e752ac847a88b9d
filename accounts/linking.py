"""Linking accounts: a senior moderator holds two for those of one person. It bars nothing by itself; signs and pages of
both show it. ``linked`` is what others ask.
"""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from . import audit, roles, sanctions
from .models import AccountLink, AuditEntry, User
from .names import plain
from .refusal import Refusal


def links(users: Any) -> "QuerySet[AccountLink]":
    """The links in force of any of these users (ids)."""
    return AccountLink.objects.filter(Q(one__in=users) | Q(other__in=users), undone_at=None)


def linked(user: Any) -> set[int]:
    """The ids of all other accounts of the same person, also by way of a third."""
    found, new = {user.pk}, {user.pk}
    while new:
        pairs = links(new).values_list("one", "other")
        new = {one for pair in pairs for one in pair} - found
        found |= new
    return found - {user.pk}


def called(name: str) -> User | None:
    """Who has this user name, however it is written."""
    return User.objects.filter(name_key=plain(name)).first() if plain(name) else None


def link(by: Any, user: Any, name: str, *, reason: str) -> AuditEntry:
    """Hold this account and that of ``name`` for those of one person; both are told. Raises Refusal."""
    with transaction.atomic():
        other = called(name)
        if other is None:
            raise Refusal(_("Nobody has this name."))
        if other.pk == user.pk:
            raise Refusal(_("That is the same account."))
        one, two = _locked(by, user, other)
        if links([one.pk]).filter(Q(one=two) | Q(other=two)).exists():
            raise Refusal(_("These accounts are linked already."))
        made = AccountLink.objects.create(one=one, other=two, by=by, reason=reason.strip(), at=timezone.now())
        details = {"other": other.pk, "name": other.username, "link": made.pk}
        entry = audit.enter(by, "link_accounts", reason=reason, user=user, target=user, details=details)
        _tell(one, two, "linked", str(made.pk))
    return entry


def unlink(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    """Take a link back; both are told. Raises Refusal."""
    with transaction.atomic():
        made = AccountLink.objects.select_related("one", "other").get(pk=entry.details["link"])
        one, two = _locked(by, made.one, made.other)
        if not AccountLink.objects.filter(pk=made.pk, undone_at=None).update(undone_at=timezone.now()):
            raise Refusal(_("This link has been taken back already."))
        user = one if entry.user_id == one.pk else two
        undone = audit.enter(by, "unlink_accounts", reason=reason, user=user, target=user, undoes=entry)
        _tell(one, two, "unlinked", str(made.pk))
    return undone


def _locked(by: Any, user: Any, other: Any) -> tuple[User, User]:
    """Both rows, the smaller number first, on which decisions are taken one after the other. Raises Refusal."""
    if not roles.may(by, "link_accounts"):
        raise Refusal(_("This takes a senior moderator."))
    one, two = (sanctions.locked(row) for row in sorted((user, other), key=lambda row: row.pk))
    for row in (one, two):
        if refused := sanctions.why_not_on(by, row):
            raise Refusal(refused)
    return one, two


def _tell(one: User, other: User, what: str, key: str) -> None:
    for dotted in settings.ACCOUNT_AFTER_LINKING:
        import_string(dotted)(one, other, what, key)
