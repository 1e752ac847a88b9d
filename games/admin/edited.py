"""Rows that operators edit: with a reason, and every change in the audit log as it was before and after."""

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import audit, roles

from .acts import LONGEST_REASON
from .base import ReadOnly

if TYPE_CHECKING:
    Form = forms.ModelForm[Any]
else:
    Form = forms.ModelForm


class EditForm(Form):
    """The row, and why it is changed."""

    reason = forms.CharField(
        label=_("Reason, in your own words"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("It is kept in the audit log."),
    )


class Edited(ReadOnly):
    """Pages whose rows can be changed, and added where ``adds``; never deleted. ``forget`` what was remembered of it.

    ``columns``: what can be edited; ``acts``: what a new row and a change are called in the audit log.
    """

    opened_by: ClassVar = ("operate",)
    adds = False
    acts: ClassVar[tuple[str, str]] = ("", "")
    columns: ClassVar[tuple[str, ...]] = ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return any(roles.may(request.user, permission) for permission in self.opened_by)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.adds and self.has_change_permission(request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*self.columns, "reason"]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """In the transaction of the page: the row, and its entry."""
        now = self.told(obj)
        was = self.told(type(obj).objects.select_for_update().get(pk=obj.pk)) if change else {}
        super().save_model(request, obj, form, change)
        details = {"was": {k: v for k, v in was.items() if v != now[k]}, "now": now}
        audit.enter(request.user, self.acts[change], reason=form.cleaned_data["reason"], target=obj, details=details)
        transaction.on_commit(self.forget)

    def told(self, obj: Any) -> dict[str, Any]:
        """The columns of a row, for the audit log."""
        return {name: getattr(obj, name) for name in self.columns}

    def forget(self) -> None:
        """Have what was remembered of the rows loaded anew."""
        raise NotImplementedError
