"""The audit log: the one way in. An entry is written in the transaction of its act, or there is neither."""

import json
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from .models import AuditEntry

SAW = "saw_"
"""How the names of views of private data begin. They need no reason of their own; acts do."""
HOUR = timedelta(hours=1)
LONGEST = 3000
"""Characters of the details, as JSON: a text of 1000, each of which may be written as two."""
NEVER = frozenset({"card", "cards", "hand", "hands", "pack", "stock", "secret", "ip", "address", "email", "token"})
"""Keys that no details have."""


def enter(
    by: Any,
    act: str,
    *,
    reason: str,
    user: Any = None,
    target: Model | None = None,
    details: dict[str, Any] | None = None,
    undoes: AuditEntry | None = None,
) -> AuditEntry:
    """Note an act of ``by`` (None: of who sits at the server). ``user``: whom it is about; ``target``: which row.

    Raises ValueError for an act without a reason, and for details that could hold what nobody is to keep.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("An entry is written in the transaction of its act.")
    reason = reason.strip()
    if not reason and not act.startswith(SAW):
        raise ValueError("an act needs a reason")
    _must_be_harmless(details or {})
    return AuditEntry.objects.create(
        at=timezone.now(),
        by=by,
        act=act,
        user=user,
        target_kind=(target._meta.model_name or "") if target is not None else "",
        target_id=target.pk if target is not None else None,
        reason=reason,
        details=details or {},
        undoes=undoes,
    )


def saw(by: Any, what: str, *, user: Any = None, target: Model | None = None) -> AuditEntry | None:
    """Note that somebody of the staff looks at private data, before they are shown: of a user, or of a row. Once an
    hour for each; None if it stands there already.
    """
    kind = (target._meta.model_name or "") if target is not None else ""
    same = AuditEntry.objects.filter(by=by, act=SAW + what, user=user, target_kind=kind)
    same = same.filter(target_id=target.pk if target is not None else None, at__gt=timezone.now() - HOUR)
    if same.exists():
        return None
    with transaction.atomic():
        return enter(by, SAW + what, reason="", user=user, target=target)


def _must_be_harmless(details: dict[str, Any]) -> None:
    if NEVER & set(_keys(details)) or len(json.dumps(details, ensure_ascii=False)) > LONGEST:
        raise ValueError("details hold what is not kept")


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [str(key).lower() for key in value] + [key for each in value.values() for key in _keys(each)]
    return [key for each in value for key in _keys(each)] if isinstance(value, list) else []
