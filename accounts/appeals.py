"""Appeals: a user answers to a sanction once, and a senior answers to that."""

from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from . import audit, roles, sanctions
from .models import Appeal, AuditEntry, Sanction
from .refusal import Refusal

Outcome = Appeal.Outcome


def appeal(user: Any, sanction_id: int, text: str) -> Appeal:
    """The user's words, once. Raises Sanction.DoesNotExist for another's, and Refusal."""
    with transaction.atomic():
        sanctions.locked(user)
        sanction = Sanction.objects.get(pk=sanction_id, user=user)
        if refused := why_no_appeal(sanction):
            raise Refusal(refused)
        if not text.strip():
            raise Refusal(_("Write why you see it in another way."))
        return Appeal.objects.create(sanction=sanction, text=text.strip(), at=timezone.now())


def why_no_appeal(sanction: Sanction) -> str:
    """The sentence why nothing can be answered to a sanction; empty if it can."""
    if Appeal.objects.filter(sanction=sanction).exists():
        return _("You have answered already.")
    if sanction.lifted_at is not None:
        return _("This has been lifted.")
    if sanction.kind != Sanction.Kind.WARNING and not sanction.in_force(timezone.now()):
        return _("This has ended.")
    return ""


def why_not(by: Any, appeal: Appeal) -> str:
    """The sentence why ``by`` does not answer this appeal; empty if he may."""
    if refused := sanctions.why_not_on(by, appeal.sanction.user):
        return refused
    if appeal.answered_at is not None:
        return _("This appeal has been answered already.")
    if appeal.sanction.by_id == by.pk and _others(by):
        return _("You imposed this yourself, so another senior moderator has to answer.")
    return ""


def _others(by: Any) -> bool:
    """Whether somebody else could answer."""
    staff = get_user_model().objects.filter(is_active=True, is_staff=True).exclude(pk=by.pk)
    return any(roles.may(user, "answer_appeals") for user in staff)


def answer(by: Any, appeal: Appeal, *, outcome: str, reason: str, until: datetime | None = None) -> AuditEntry:
    """Uphold, shorten or lift, in words that the user reads. Raises Refusal."""
    with transaction.atomic():
        user = sanctions.locked(appeal.sanction.user)
        appeal = Appeal.objects.select_related("sanction").get(pk=appeal.pk)
        appeal.sanction.user = user
        if not roles.may(by, "answer_appeals"):
            raise Refusal(_("This takes a senior moderator."))
        if refused := why_not(by, appeal):
            raise Refusal(refused)
        appeal.answer, appeal.answered_by, appeal.answered_at = reason.strip(), by, timezone.now()
        appeal.outcome = outcome
        details = _decide(by, appeal.sanction, outcome, reason, until) | {"outcome": outcome}
        appeal.save()
        entry = audit.enter(by, "answer_appeal", reason=reason, user=user, target=appeal, details=details)
        sanctions.follow(appeal.sanction, outcome)
    return entry


def _decide(by: Any, sanction: Sanction, outcome: str, reason: str, until: datetime | None) -> dict[str, Any]:
    """Change the sanction as it was decided; what it was before."""
    now = timezone.now()
    before = {"kind": sanction.kind, "until": sanction.until.isoformat() if sanction.until else None}
    if outcome == Outcome.UPHELD:
        return {}
    if sanction.lifted_at is not None or not (sanction.in_force(now) or sanction.kind == Sanction.Kind.WARNING):
        raise Refusal(_("It has ended by itself or was lifted. It can only be upheld."))
    if outcome == Outcome.LIFTED:
        sanction.lifted_at, sanction.lifted_by, sanction.lifted_why = now, by, reason.strip()
        sanction.save(update_fields=["lifted_at", "lifted_by", "lifted_why"])
        return before
    if sanction.kind == Sanction.Kind.WARNING or until is None:
        raise Refusal(_("Say until when. A warning has no end: uphold or lift it."))
    if until <= now or (sanction.until is not None and until >= sanction.until):
        raise Refusal(_("The new end has to lie in the future, and before the old one."))
    sanctions.must_be_near(until, now)
    if sanction.kind == Sanction.Kind.BANNED:  # a ban with an end is a suspension
        sanction.kind = Sanction.Kind.SUSPENDED
    sanction.until = until
    sanction.save(update_fields=["kind", "until"])
    return before | {"new": until.isoformat()}
