"""The audit log, to be read by seniors, and taking an act back."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import NoReverseMatch, URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import AuditEntry
from accounts.refusal import Refusal
from games.writing import writing

from . import acts
from .acting import asked
from .base import ReadOnly


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    """What was done, newest first."""

    opened_by: ClassVar = ("see_audit",)
    change_form_template = "admin/entry.html"
    list_display = ("at", "by", "what", "user", "target", "reason", "is_undone")
    list_display_links = ("at", "what")
    list_filter = ("act",)
    narrowed_by = ("by", "user", "target_kind", "target_id")
    list_select_related = ("by", "user", "undone")
    search_fields = ("by__username", "user__username", "reason")
    search_help_text = gettext_lazy("Names of users, words of reasons")
    ordering = ("-pk",)
    date_hierarchy = "at"
    show_full_result_count = False
    fields = ("at", "by", "what", "user", "target", "reason", "details", "undoes", "is_undone")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without what others have done about the reader himself: he is told of it as any other player is."""
        rows = super().get_queryset(request).select_related("by", "user", "undone", "undoes")
        return rows.exclude(Q(user=request.user.pk) & ~Q(by=request.user.pk))

    @admin.display(description=gettext_lazy("act"), ordering="act")
    def what(self, entry: AuditEntry) -> str:
        return acts.called(entry.act)

    @admin.display(description=gettext_lazy("row"))
    def target(self, entry: AuditEntry) -> str:
        if not entry.target_kind:
            return "—"
        text = f"{entry.target_kind} {entry.target_id}"
        for app in ("accounts", "games"):
            try:
                address = reverse(f"admin:{app}_{entry.target_kind}_change", args=[entry.target_id])
            except NoReverseMatch:
                continue
            return format_html('<a href="{}">{}</a>', address, text)
        return text

    @admin.display(description=gettext_lazy("taken back"), boolean=True)
    def is_undone(self, entry: AuditEntry) -> bool:
        return hasattr(entry, "undone")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.undo_view)
        return [path("<int:pk>/undo/", view, name="accounts_auditentry_undo"), *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        entry = self.get_object(request, object_id)
        undo = acts.can_be_undone(entry, request.user) if entry is not None else None
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "undo": undo})

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take an act back, with a reason. Needs what the act needs; an act is taken back once."""
        entry = AuditEntry.objects.select_related("user").filter(pk=pk).first()
        known = acts.find(entry.act) if entry is not None else None
        if entry is None or known is None:
            raise Http404
        model, act = known
        if not act.allowed(request.user):
            raise PermissionDenied
        row = acts.row_of(model, entry)
        if act.undo is None or row is None:
            raise Http404
        title = _("Take back: %(act)s") % {"act": act.label}
        back = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk])
        if why_not := _why_not(request.user, act, entry, row):
            return asked(self, request, row, title=title, why_not=why_not, back=back, status=409)
        form = acts.ReasonForm(request.POST if request.method == "POST" else None, by=request.user, row=row)
        if request.method == "POST" and form.is_valid() and _undone(request, act, entry, row, form):
            messages.success(request, _("“%(act)s” is taken back.") % {"act": act.label})
            return redirect(back)
        shown = {"title": title, "does": _("What was done is taken back. Those concerned are told."), "form": form}
        return asked(
            self, request, row, **shown, back=back, act=act, wrong=form.errors, status=400 if form.errors else 200
        )


def _why_not(user: Any, act: acts.Act, entry: AuditEntry, row: Any) -> str:
    if AuditEntry.objects.filter(undoes=entry).exists():
        return _("This has been taken back already.")
    return str(act.fit(user, row))


def _undone(request: HttpRequest, act: acts.Act, entry: AuditEntry, row: Any, form: acts.ReasonForm) -> bool:
    assert act.undo is not None
    try:
        with writing():
            AuditEntry.objects.select_for_update().get(pk=entry.pk)  # two at once: the second finds it done
            if why_not := _why_not(request.user, act, entry, row):
                raise Refusal(why_not)
            act.undo(request.user, entry, form.cleaned_data["reason"])
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return False
    return True
