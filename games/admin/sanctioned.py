"""Sanctions and appeals, and what can be done about them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import appeals, sanctions
from accounts.models import Appeal, AuditEntry, Sanction
from games.moderation import fit

from . import acts
from .acting import Acted
from .home import SOON
from .people import UntilForm


class EndingFilter(admin.SimpleListFilter):
    """What binds somebody now, or does so for a few days more only."""

    title = gettext_lazy("state")
    parameter_name = "ending"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", gettext_lazy("In force")), ("soon", gettext_lazy("Ends within 3 days"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        now = timezone.now()
        if self.value() == "soon":
            return queryset.filter(sanctions.in_force(now), until__lte=now + SOON)
        return queryset.filter(sanctions.in_force(now)) if self.value() == "no" else queryset


@admin.register(Sanction)
class SanctionAdmin(Acted):
    """What was imposed, the newest first."""

    list_display = ("id", "user", "kind", "ground", "at", "until", "lifted_at", "by")
    list_filter = (EndingFilter, "kind", "ground", ("lifted_at", admin.EmptyFieldListFilter))
    narrowed_by = ("user", "by")
    list_select_related = ("user", "by")
    search_fields = ("user__username", "by__username")
    search_help_text = gettext_lazy("Names of users")
    ordering = ("-pk",)
    date_hierarchy = "at"
    show_full_result_count = False


@admin.register(Appeal)
class AppealAdmin(Acted):
    """What users have answered. Those that wait come by the filter."""

    list_display = ("id", "whose", "kind", "at", "answered_at", "outcome", "answered_by")
    list_filter = (("answered_at", admin.EmptyFieldListFilter), "outcome")
    list_select_related = ("sanction__user", "answered_by")
    search_fields = ("sanction__user__username",)
    search_help_text = gettext_lazy("Names of users")
    ordering = ("-pk",)
    date_hierarchy = "at"
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("sanction__user", "answered_by")

    @admin.display(description=gettext_lazy("user"))
    def whose(self, appeal: Appeal) -> str:
        return appeal.sanction.user.username

    @admin.display(description=gettext_lazy("sanction"))
    def kind(self, appeal: Appeal) -> str:
        return appeal.sanction.get_kind_display()


class AnswerForm(acts.ReasonForm):
    """How an appeal is answered."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            ("", "—"),
            ("upheld", gettext_lazy("Uphold: it stays as it is")),
            ("shortened", gettext_lazy("Shorten: it ends sooner")),
            ("lifted", gettext_lazy("Lift: it ends now")),
        ],
    )
    until = UntilForm.base_fields["until"]
    field_order = ("outcome", "until", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["until"].help_text = _("In your time zone. Only when you shorten it.")
        self.fields["reason"].label = _("Answer, in your own words")
        self.fields["reason"].help_text = _("The player reads it, and it is kept in the audit log.")


def _lifts(by: Any, sanction: Sanction, data: Mapping[str, Any]) -> AuditEntry:
    return sanctions.lift(by, sanction, reason=data["reason"])


def _answers(by: Any, appeal: Appeal, data: Mapping[str, Any]) -> AuditEntry:
    until = data["until"] if data["outcome"] == Appeal.Outcome.SHORTENED else None
    return appeals.answer(by, appeal, outcome=data["outcome"], reason=data["reason"], until=until)


def _fit_for(by: Any, sanction: Sanction) -> str:
    return fit.why_not_on(by, sanction.user)


acts.register(
    Sanction,
    acts.Act(
        name="lift",
        label=gettext_lazy("Lift"),
        permission="moderate",
        does=lambda sanction: (
            _("The sanction of %(name)s ends now. A warning is taken back.") % {"name": sanction.user.shown_name}
        ),
        run=_lifts,
        undo=sanctions.restore,
        fit=_fit_for,
        why_not=sanctions.why_not_lift,
    ),
)
acts.register(
    Appeal,
    acts.Act(
        name="answer_appeal",
        label=gettext_lazy("Answer the appeal"),
        permission="answer_appeals",
        does=lambda appeal: (
            _("%(name)s reads your answer. It is the last word about this sanction.")
            % {"name": appeal.sanction.user.shown_name}
        ),
        run=_answers,
        form=AnswerForm,
        fit=lambda by, appeal: fit.why_not_on(by, appeal.sanction.user),
        why_not=appeals.why_not,
    ),
)
