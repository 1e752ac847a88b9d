"""An act that was come to from a report (``?report=7``): below its own form it asks whether that is closed with it."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import roles
from games.models import Match, Message, Report
from games.moderation import reports

User = get_user_model()
ABOUT: dict[type[Any], str] = {User: "about_user_id", Match: "match_id", Message: "message_id"}
"""Rows that a report can be about, and its column."""


class CloseWithForm(forms.Form):
    """Whether the report is closed by the act, and what its reporter reads then."""

    close = forms.BooleanField(label=gettext_lazy("Close the report with this"), required=False, initial=True)
    answer = forms.CharField(
        label=gettext_lazy("Answer to the reporter"),
        max_length=1000,
        required=False,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy("The reporter reads it. Write nothing about the other that is not his to know."),
    )

    def __init__(self, *args: Any, report: Report, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.report = report
        if report.reporter_id is None:
            del self.fields["answer"]

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        if told.get("close") and "answer" in self.fields and not told.get("answer", "").strip():
            self.add_error("answer", _("Write a sentence to the reporter."))
        return told


@dataclass(frozen=True, slots=True)
class Beside:
    """The report that an act came from, and its part of the form."""

    report: Report
    form: CloseWithForm

    @property
    def back(self) -> str:
        return reverse("admin:games_report_change", args=[self.report.pk])

    @property
    def title(self) -> str:
        return _("Report %(n)d") % {"n": self.report.pk}

    def follow(self, by: Any, reason: str) -> None:
        """Close the report if that was wanted, in the transaction of the act. Raises Refusal."""
        told = self.form.cleaned_data
        if told["close"]:
            reports.close(by, self.report, outcome="acted", answer=told.get("answer", ""), reason=reason)


def beside(request: HttpRequest, row: Any) -> Beside | None:
    """The open report in the address, if it is about this row and the reader's role handles reports."""
    number, column = request.GET.get("report", ""), ABOUT.get(type(row))
    if column is None or not number.isdecimal() or len(number) > 18 or not roles.may(request.user, "handle_reports"):
        return None
    known = Report.objects.filter(pk=int(number), state=Report.State.OPEN, **{column: row.pk}).first()
    if known is None:
        return None
    return Beside(known, CloseWithForm(request.POST if request.method == "POST" else None, report=known))
