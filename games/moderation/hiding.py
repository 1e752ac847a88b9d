"""Hiding a message: it is kept, and everybody reads that a moderator has hidden it, its author too."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import AuditEntry
from games.models import Message
from games.seats import Refusal
from games.writing import writing

from . import fit


def hide(by: Any, message: Message, *, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """Everybody reads that a moderator has hidden the message, instead of it. Raises Refusal."""
    return _shown(by, message, False, reason, undoes)


def show(by: Any, message: Message, *, reason: str, undoes: AuditEntry | None = None) -> AuditEntry:
    """A hidden message is read again. Raises Refusal."""
    return _shown(by, message, True, reason, undoes)


def _shown(by: Any, message: Message, shown: bool, reason: str, undoes: AuditEntry | None) -> AuditEntry:
    with writing():
        message = Message.objects.select_for_update(of=("self",)).select_related("match", "user").get(pk=message.pk)
        if why := fit.why_not(by, message.match):
            raise Refusal(why)
        if shown == (message.hidden_at is None):
            raise Refusal(_("This message is not hidden.") if shown else _("This message is hidden already."))
        message.hidden_at = None if shown else timezone.now()
        message.save(update_fields=["hidden_at"])
        act = "show_message" if shown else "hide_message"
        return audit.enter(by, act, reason=reason, user=message.user, target=message, undoes=undoes)
