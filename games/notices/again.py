"""Sending once more what had failed for good: an act of operators, when the mail server or an address works again."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import AuditEntry
from games import background
from games.models import Delivery
from games.seats import Refusal
from games.writing import writing


def why_not(by: Any, delivery: Delivery) -> str:
    """Why a delivery is not sent again, as a sentence; empty if it can be."""
    if delivery.state == Delivery.State.FAILED:
        return ""
    return _("Only what has failed is sent again. This has not.")


def send_again(by: Any, delivery: Delivery, *, reason: str) -> AuditEntry:
    """Let a failed delivery be due now. What is no longer so by then is dropped, as always. Raises Refusal."""
    with writing():
        now = timezone.now()
        waits = {"state": Delivery.State.PENDING, "due_at": now, "leased_until": None, "message_id": "", "error": ""}
        if not Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.FAILED).update(tries=0, **waits):
            raise Refusal(why_not(by, Delivery.objects.get(pk=delivery.pk)))
        details = {"channel": delivery.channel, "was": delivery.error}
        entry = audit.enter(by, "send_again", reason=reason, target=delivery, details=details)
        transaction.on_commit(background.wake, robust=True)
    return entry
