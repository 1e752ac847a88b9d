"""What moderators do about a sign: look at it, dismiss it, note that something was done, open it again.

Nothing of this reaches the players, and nothing happens to them: what a moderator does about somebody is an act of its
own on that player or match.
"""

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import AuditEntry
from accounts.refusal import Refusal
from games.apart import friendships
from games.models import Sign
from games.writing import writing

State = Sign.State
SETTLED = (State.DISMISSED, State.ACTED_ON)


def visible_to(moderator: Any) -> "QuerySet[Sign]":
    """The signs that somebody may see: none about himself or a friend."""
    friends = friendships(moderator.pk).filter(accepted_at__isnull=False)
    circle = {moderator.pk, *(user for both in friends.values_list("asking", "asked") for user in both)}
    return Sign.objects.exclude(user__in=circle).exclude(Q(other__isnull=False) & Q(other__in=circle))


def fit(moderator: Any, sign: Sign) -> str:
    """Why somebody may not decide about a sign, as a sentence; empty if he may."""
    if visible_to(moderator).filter(pk=sign.pk).exists():
        return ""
    return _("This sign is about you or a friend of yours, so somebody else has to look at it.")


def why_not(sign: Sign, state: str) -> str:
    """Why a sign cannot get this state now, as a sentence; empty if it can."""
    if sign.state == state:
        return _("This sign is in that state already.")
    if state != State.NEW and sign.state in SETTLED:
        return _("This sign is settled. Open it again first.")
    return ""


def decide(act: str, by: Any, sign: Sign, state: str, reason: str) -> AuditEntry:
    """Give a sign another state. ``act``: its name in the audit log. Raises Refusal."""
    with writing():
        row = Sign.objects.select_for_update().get(pk=sign.pk)
        if refused := fit(by, row) or why_not(row, state):
            raise Refusal(refused)
        if not reason.strip():
            raise Refusal(_("Write down why."))
        details = {"kind": row.kind, "was": row.state, "was_settled_at": row.settled_at_observed}
        _set(row, state, reason.strip())
        return audit.enter(by, act, reason=reason, target=row, details=details)


def take_back(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    """A sign is what it was before that act, if nothing was decided since. Raises Refusal."""
    with writing():
        row = Sign.objects.select_for_update().get(pk=entry.target_id or 0)
        if refused := fit(by, row):
            raise Refusal(refused)
        decided = AuditEntry.objects.filter(target_kind="sign", target_id=row.pk).exclude(act__startswith=audit.SAW)
        if decided.filter(pk__gt=entry.pk).exists():
            raise Refusal(_("Something else was decided about this sign since."))
        before = decided.filter(pk__lt=entry.pk).first()
        row.state, row.settled_at_observed = entry.details["was"], entry.details["was_settled_at"]
        if row.state not in SETTLED or before is not None:
            row.reason = before.reason if before else ""
        row.save(update_fields=["state", "reason", "settled_at_observed"])
        return audit.enter(by, f"undo_{entry.act}", reason=reason, target=row, undoes=entry)


def _set(row: Sign, state: str, reason: str) -> None:
    row.state, row.reason = state, reason
    row.settled_at_observed = row.observed if state in SETTLED else None
    row.save(update_fields=["state", "reason", "settled_at_observed"])
