"""Reports: those that wait first, the oldest at the top; each told in words, with what can be done about it."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import AuditEntry
from games.models import Message, Report
from games.moderation import context, reports

from . import acts
from .acting import Acted

User = get_user_model()
FROM_HERE = ("warn", "mute", "bar_rated", "suspend")
"""Acts on the player that the page of a report leads to; for a bad name also the renaming."""


class MadeBy(admin.SimpleListFilter):
    """Reports of people, or of the site itself."""

    title = gettext_lazy("reporter")
    parameter_name = "made_by"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("people", gettext_lazy("people")), ("site", gettext_lazy("the site"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset if self.value() is None else queryset.filter(reporter__isnull=self.value() == "site")


@admin.register(Report)
class ReportAdmin(Acted):
    """What waits comes first, the oldest at the top; then what was closed, the latest first.

    Nobody reads a report about himself here, nor who has made it.
    """

    opened_by: ClassVar = ("handle_reports",)
    list_display = ("id", "kind", "about_user", "earlier", "by_whom", "match_id", "times", "at", "state", "outcome")
    list_display_links = ("id", "kind")
    list_filter = ("state", "kind", "outcome", MadeBy)
    narrowed_by = ("about_user", "reporter", "match", "message")
    list_select_related = ("about_user", "reporter")
    search_fields = ("about_user__username", "reporter__username", "=match__id")
    search_help_text = gettext_lazy("Names of users, or the number of a match")
    ordering = (F("closed_at").desc(nulls_first=True), "at", "pk")
    date_hierarchy = "at"
    show_full_result_count = False
    fields = (
        *("kind", "about_user", "earlier", "by_whom", "at", "added_at", "times", "its_words", "as_it_was", "its_talk"),
        *("its_links", "state", "outcome", "answer", "closed_by", "closed_at"),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        before = Report.objects.filter(about_user=OuterRef("about_user"), pk__lt=OuterRef("pk")).order_by()
        counted = before.values("about_user").annotate(n=Count("pk")).values("n")
        rows = super().get_queryset(request).exclude(about_user=request.user.pk)
        rows = rows.select_related("about_user", "reporter", "match", "closed_by")
        return rows.annotate(before=Coalesce(Subquery(counted), 0))

    @admin.display(description=gettext_lazy("earlier reports about this player"))
    def earlier(self, report: Report) -> int:
        return int(getattr(report, "before", 0))

    @admin.display(description=gettext_lazy("reporter"), ordering="reporter")
    def by_whom(self, report: Report) -> str:
        return report.reporter.username if report.reporter else _("the site")

    @admin.display(description=gettext_lazy("words of the reporter"))
    def its_words(self, report: Report) -> str:
        return mark_safe(linebreaks(report.words, autoescape=True)) if report.words else "—"

    @admin.display(description=gettext_lazy("as it was when it was reported"))
    def as_it_was(self, report: Report) -> SafeString:
        lines = format_html_join("", "<li>{}</li>", ((line,) for line in context.facts(report.context)))
        return format_html('<ul class="told-facts">{}</ul>', lines)

    @admin.display(description=gettext_lazy("talk"))
    def its_talk(self, report: Report) -> SafeString | str:
        lines = [(" this" * one, name, at, words) for name, at, words, one in context.talk(report.context)]
        told = format_html_join("", '<li class="line{}"><b>{}</b> <small>{}</small><br>{}</li>', lines)
        return format_html('<ol class="told-talk">{}</ol>', told) if lines else "—"

    @admin.display(description=gettext_lazy("to look at"))
    def its_links(self, report: Report) -> SafeString:
        about, links = report.about_user, list[tuple[str, str]]()
        links.append((reverse("admin:accounts_user_change", args=[about.pk]), _("The player in the administration")))
        if about.is_active:
            links.append((reverse("games:player", args=[about.username]), _("The page of the player")))
        listed = reverse("admin:games_report_changelist")
        links.append((f"{listed}?about_user={about.pk}", _("All reports about the player")))
        if report.reporter_id:
            links.append((f"{listed}?reporter={report.reporter_id}", _("All reports by the reporter")))
        if report.match_id:
            links.append((reverse("admin:games_match_change", args=[report.match_id]), _("The match")))
        if report.message_id:
            links.append((reverse("admin:games_message_change", args=[report.message_id]), _("The message")))
        return format_html('<span class="told-links">{}</span>', format_html_join("", '<a href="{}">{}</a>', links))

    def offered(self, request: HttpRequest, pk: int) -> list[tuple[acts.Text, str]]:
        """What can be done to the report, and from it to the message and to the player."""
        report = Report.objects.filter(pk=pk).first()
        if report is None:
            return []
        open_ = report.state == Report.State.OPEN
        offered = super().offered(request, pk)
        query = f"?report={pk}" if open_ else ""
        wanted = (*FROM_HERE, "rename") if report.kind == Report.Kind.NAME else FROM_HERE
        for model, row, names in (
            (Message, report.message_id, ("hide_message",)),
            (User, report.about_user_id, wanted),
        ):
            place = f"admin:{model._meta.app_label}_{model._meta.model_name}_do"
            known = [act for act in acts.of(model, request.user) if row and act.name in names]
            offered += [(act.label, reverse(place, args=[row, act.name]) + query) for act in known]
        return offered


class CloseForm(acts.ReasonForm):
    """What came of it, and a sentence to the reporter."""

    outcome = forms.ChoiceField(label=gettext_lazy("What came of it"), choices=[("", "—"), *Report.Outcome.choices])
    answer = forms.CharField(
        label=gettext_lazy("Answer to the reporter"),
        max_length=1000,
        widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy("The reporter reads it. Write nothing about the other that is not his to know."),
    )
    field_order: Iterable[str] | None = ("outcome", "answer", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.row.reporter_id is None:  # the site needs no answer
            del self.fields["answer"]


def _closes(by: Any, report: Report, data: Mapping[str, Any]) -> AuditEntry:
    told = {"outcome": data["outcome"], "answer": data.get("answer", "")}
    return reports.close(by, report, **told, reason=data["reason"])


def _row(entry: AuditEntry) -> Report:
    return Report.objects.get(pk=entry.target_id or 0)


def _closes_again(by: Any, entry: AuditEntry, reason: str) -> AuditEntry:
    was = entry.details
    return reports.close(by, _row(entry), outcome=was["outcome"], answer=was["answer"], reason=reason, undoes=entry)


acts.register(
    Report,
    acts.Act(
        name="close_report",
        label=gettext_lazy("Close the report"),
        permission="handle_reports",
        does=lambda report: (
            _("The report is closed, and %(name)s is told what came of it, with your answer.")
            % {"name": report.reporter.shown_name}
            if report.reporter
            else _("The report is closed. The site had made it, so nobody is told.")
        ),
        form=CloseForm,
        run=_closes,
        undo=lambda by, entry, reason: reports.reopen(by, _row(entry), reason=reason, undoes=entry),
        fit=reports.why_not_fit,
        why_not=lambda by, report: (
            "" if report.state == Report.State.OPEN else _("This report has been closed already.")
        ),
    ),
    acts.Act(
        name="reopen_report",
        label=gettext_lazy("Reopen the report"),
        permission="handle_reports",
        does=lambda report: _("The report waits again. Its reporter is told that somebody looks at it once more."),
        run=lambda by, report, data: reports.reopen(by, report, reason=data["reason"]),
        undo=_closes_again,
        fit=reports.why_not_fit,
        why_not=lambda by, report: _("This report is open.") if report.state == Report.State.OPEN else "",
    ),
)
