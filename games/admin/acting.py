"""The page of an act: what it will do, the form with the reason, the button; and the page that takes one back."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from accounts.refusal import Refusal
from games.writing import writing

from . import acts, from_report
from .base import ReadOnly

TWICE = timedelta(minutes=1)
"""The same act, for the same reason, again within this time is the same form sent twice."""


class Acted(ReadOnly):
    """A page of a row with the acts that the reader's role has."""

    change_form_template = "admin/acted.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.act_view)
        name = f"{self.opts.app_label}_{self.opts.model_name}_do"
        return [path("<int:pk>/do/<slug:act>/", view, name=name), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        offered = self.offered(request, int(object_id)) if object_id.isdecimal() else []
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "acts": offered})

    def offered(self, request: HttpRequest, pk: int) -> list[tuple[acts.Text, str]]:
        """The acts on the page of a row that can be done to it now: what each is called, and where."""
        name, row = f"admin:{self.opts.app_label}_{self.opts.model_name}_do", self.get_object(request, str(pk))
        can = [act for act in acts.of(self.model, request.user) if row and not act.why_not(request.user, row)]
        return [(act.label, reverse(name, args=[pk, act.name])) for act in can]

    def act_view(self, request: HttpRequest, pk: int, act: str) -> HttpResponse:
        """Ask for the reason, and do it. 403 for a role that has it not, 409 where it cannot be done to this row."""
        known = acts.ACTS.get(self.model, {}).get(act)
        row = self.get_object(request, str(pk))
        if known is None or row is None:
            raise Http404
        if not known.allowed(request.user) or not self.has_view_permission(request, row):
            raise PermissionDenied
        beside = from_report.beside(request, row)
        back = (
            beside.back if beside else reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[pk])
        )
        if why_not := known.refusal(request.user, row):
            return asked(self, request, row, title=known.label, why_not=why_not, back=back, status=409)
        form = known.form(request.POST if request.method == "POST" else None, by=request.user, row=row)
        ready = request.method == "POST" and form.is_valid() and (beside is None or beside.form.is_valid())
        if ready and (entry := _done(request, known, row, form, beside)):
            messages.success(request, _told(request, entry, str(known.label)))
            return redirect(back)
        shown = {"title": known.label, "does": known.does(row), "form": form, "back": back, "act": known}
        wrong = form.errors or (beside is not None and beside.form.errors)
        return asked(self, request, row, **shown, beside=beside, wrong=wrong, status=400 if wrong else 200)


def asked(page: ReadOnly, request: HttpRequest, row: Any, *, status: int, **shown: Any) -> HttpResponse:
    """The page of an act."""
    context = {**page.admin_site.each_context(request), "opts": page.opts, "row": row, **shown}
    return TemplateResponse(request, "admin/act.html", context, status=status)


def _done(
    request: HttpRequest, act: acts.Act, row: Any, form: acts.ReasonForm, beside: from_report.Beside | None
) -> AuditEntry | None:
    """The entry of what was done; None if it was refused, with the sentence in the form."""
    try:
        with writing():
            if why_not := act.refusal(request.user, row):
                raise Refusal(why_not)
            entry = act.run(request.user, row, form.cleaned_data)
            if _is_sent_twice(entry, row):
                raise Refusal(_("You have done exactly this a moment ago, for the same reason."))
            if beside is not None:
                beside.follow(request.user, form.cleaned_data["reason"])
            return entry
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return None


def _is_sent_twice(entry: AuditEntry, row: Any) -> bool:
    """Whether the same was done to this row by the same moderator just before: a button pressed twice."""
    same = {name: getattr(entry, name) for name in ("by", "act", "user", "target_kind", "reason", "details")}
    before = AuditEntry.objects.filter(**same, at__gte=entry.at - TWICE, pk__lt=entry.pk, undone=None)
    if entry.target_kind == row._meta.model_name:  # else the act has made its target
        before = before.filter(target_id=entry.target_id)
    return before.exists()


def _told(request: HttpRequest, entry: AuditEntry, label: str) -> str:
    sentence = _("“%(act)s” is done and stands in the audit log.") % {"act": label}
    if acts.can_be_undone(entry, request.user) is None:
        return sentence
    address = reverse("admin:accounts_auditentry_undo", args=[entry.pk])
    return format_html('{} <a href="{}">{}</a>', sentence, address, _("Take it back"))
