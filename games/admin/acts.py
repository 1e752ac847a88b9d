"""Acts: the one way in which somebody with a role changes anything. What they are, not their pages (acting.py).

Each topic registers its own: ``register(Match, Act("void_deal", ...))``. An act is one domain function that does all
in one transaction: what it does, the entry in the audit log, the notices. It raises Refusal where it cannot be done.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import roles
from accounts.models import AuditEntry, Sanction

LONGEST_REASON = 1000


class ReasonForm(forms.Form):
    """What every act asks: why. ``by``: who acts; ``row``: what is acted on."""

    reason = forms.CharField(
        label=_("Reason, in your own words"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("It is kept in the audit log."),
    )

    def __init__(self, *args: Any, by: Any, row: Any, **kwargs: Any) -> None:
        self.by, self.row = by, row
        super().__init__(*args, **kwargs)


class GroundForm(ReasonForm):
    """The same with one of the standard reasons, which the user reads in his own language."""

    ground = forms.ChoiceField(label=_("Standard reason"), choices=[("", "—"), *Sanction.Ground.choices])
    field_order: Iterable[str] | None = ("ground", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("The player reads it, and it is kept in the audit log.")


Text = str | Promise


def _nothing(by: Any, row: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Act:
    """``name`` stands in the address and in the audit log, so it is an act's for ever. ``permission`` of roles.py.

    ``does``: in a sentence what will happen to this row. ``run(by, row, data)`` does it (``data``: the form, with
    ``reason``) and ``undo(by, entry, reason)`` takes it back; both give the entry. ``fit(by, row)``: the sentence why
    this one is not fit to act here, asked for the undo as well (moderation/fit.py); ``why_not(by, row)``: why it
    cannot be done to this row now. Both are empty if it can.
    """

    name: str
    label: Text
    permission: str
    does: Callable[[Any], Text]
    run: Callable[[Any, Any, Mapping[str, Any]], AuditEntry]
    undo: Callable[[Any, AuditEntry, str], AuditEntry] | None = None
    form: type[ReasonForm] = ReasonForm
    fit: Callable[[Any, Any], Text] = _nothing
    why_not: Callable[[Any, Any], Text] = _nothing

    def allowed(self, user: Any) -> bool:
        """Whether the role of this user has it."""
        return roles.may(user, self.permission)

    def refusal(self, user: Any, row: Any) -> str:
        """Why this user cannot do it to this row now, as a sentence; empty if he can."""
        return str(self.fit(user, row) or self.why_not(user, row))


ACTS: dict[type[Model], dict[str, Act]] = {}
"""All acts, by the kind of row that they are done to."""


def register(model: type[Model], *acts: Act) -> None:
    """Offer acts on the pages of this kind of row. A name is given once in the whole site."""
    for act in acts:
        if act.permission not in roles.PERMISSIONS or find(act.name) is not None:
            raise ValueError(act.name)
        ACTS.setdefault(model, {})[act.name] = act


def find(name: str) -> tuple[type[Model], Act] | None:
    """The act of this name, and the kind of row that it is done to."""
    return next(((model, acts[name]) for model, acts in ACTS.items() if name in acts), None)


VIEWS: dict[str, Text] = {
    "see_hands": _("Looked at hands"),
    "saw_match": _("Looked at a match"),
    "saw_user": _("Looked at a player"),
    "saw_devices": _("Looked at devices"),
    "saw_addresses": _("Looked at addresses"),
}
"""Looking at what is private is in the audit log too, and is no act that changes anything."""


def called(name: str) -> str:
    """What stands in the audit log under this name, in words."""
    known = find(name)
    return str(known[1].label if known is not None else VIEWS.get(name, name))


def of(model: type[Model], user: Any) -> list[Act]:
    """The acts on a kind of row that the role of this user has."""
    return [act for act in ACTS.get(model, {}).values() if act.allowed(user)]


def row_of(model: type[Model], entry: AuditEntry) -> Any:
    """What an act was done to; None if it cannot be found."""
    if model is get_user_model():
        return entry.user
    return model._default_manager.filter(pk=entry.target_id).first()


def can_be_undone(entry: AuditEntry, user: Any) -> Act | None:
    """The act that this entry tells of, if it can be taken back, by this user, and has not been."""
    known = find(entry.act)
    if known is None or known[1].undo is None or not known[1].allowed(user):
        return None
    return None if AuditEntry.objects.filter(undoes=entry).exists() else known[1]
