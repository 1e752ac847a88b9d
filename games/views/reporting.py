"""Reporting a player, a message or a match from where it happens, and what became of my reports.

What somebody may not see he cannot report: 404. Whom a report is about never learns of it here.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import tables, talk
from games.models import Match, Message, Report
from games.moderation import reports
from games.phrases import words_of
from games.preset_texts import Text, name_of
from games.seats import Refusal
from rummysite.limits import TooMany, spend

from .profile import known

CHOOSE = gettext_lazy("Choose one of the values shown.")


class ReportForm(forms.Form):
    """What happened; at a match also whose doing it was."""

    kind = forms.ChoiceField(
        error_messages={"required": gettext_lazy("Choose what happened."), "invalid_choice": CHOOSE}
    )
    about = forms.TypedChoiceField(
        coerce=int, error_messages={"required": gettext_lazy("Choose who it was."), "invalid_choice": CHOOSE}
    )
    words = forms.CharField(
        required=False,
        max_length=reports.LONGEST,
        error_messages={"max_length": gettext_lazy("A report has at most %(limit_value)d characters.")},
    )

    def __init__(self, data: Any, where: str, people: Sequence[Any]) -> None:
        super().__init__(data)
        self.people = {one.pk: one for one in people}
        self.kinds = [(kind, kind.label, reports.LINES[kind]) for kind in reports.OFFERED[where]]
        self.fields["kind"].choices = [(kind, label) for kind, label, _line in self.kinds]  # type: ignore[attr-defined]
        self.fields["about"].choices = [(pk, one.shown_name) for pk, one in self.people.items()]  # type: ignore[attr-defined]
        if len(people) == 1:
            del self.fields["about"]

    def about_user(self) -> Any:
        """Whom the report is about."""
        return self.people[self.cleaned_data["about"]] if "about" in self.fields else next(iter(self.people.values()))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Report a player."""
    whom = known(name)
    if whom.pk == request.user.pk:
        raise Http404
    shown = {"what": _("Report %(name)s") % {"name": whom.shown_name}, "title": whom.shown_name}
    return _page(request, reports.PLAYER, [whom], reverse("games:player", args=[whom.username]), shown)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def message(request: HttpRequest, number: int) -> HttpResponse:
    """Report a message of the talk, which is shown once more. One that a moderator has hidden is dealt with."""
    row = get_object_or_404(Message.objects.select_related("user", "match"), pk=number, hidden_at=None)
    if row.user_id == request.user.pk or not talk.at_table(row.match_id, request.user).exists():
        raise Http404
    shown = {"what": _("Report what was said"), "title": name_of(row.match), "message": row, "said": words_of(row)}
    back = reverse("games:talk", args=[row.match_id])
    return _page(request, reports.MESSAGE, [row.user], back, shown, match=row.match, message=row)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Report what happened at a match that I may look at."""
    row = get_object_or_404(Match, pk=match_id)
    people = reports.people_at(row, request.user) if tables.may_look(row, request.user) else []
    if not people:
        raise Http404
    shown = {"what": _("Report something at this match"), "title": name_of(row)}
    return _page(request, reports.MATCH, people, reverse("games:match", args=[row.pk]), shown, match=row)


def _page(
    request: HttpRequest, where: str, people: Sequence[Any], back: str, shown: dict[str, Any], **about: Any
) -> HttpResponse:
    form = ReportForm(request.POST if request.method == "POST" else None, where, people)
    status, problem = 200, ""
    if form.is_bound and form.is_valid():
        try:
            spend("report", request, request.user)
            told = form.cleaned_data
            reports.report(request.user, form.about_user(), told["kind"], told["words"], **about)
        except Refusal as why:
            status, problem = 422, str(why)
        except TooMany as why:
            status, problem = 429, str(why)
        else:
            messages.success(request, _("Your report is with the moderators. You will be told what becomes of it."))
            return redirect("games:reports")
    elif form.is_bound:
        status = 422
    context = {"form": form, "where": where, "people": people, "back": back, "problem": problem, **shown}
    return render(request, "games/report.html", context | {"longest": reports.LONGEST}, status=status)


OUTCOMES: dict[str, Text] = {
    "": gettext_lazy("A moderator will look at it."),
    Report.Outcome.ACTED: gettext_lazy("A moderator has acted on it."),
    Report.Outcome.NOTHING: gettext_lazy("A moderator has looked at it and found nothing to act on."),
    Report.Outcome.MISUSE: gettext_lazy("A moderator asks you not to use reports for this."),
}


@never_cache
@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """What I have reported, and what became of it. Who has decided, and what happened to the other, is not told."""
    page = Paginator(reports.of(request.user), 50).get_page(request.GET.get("page"))
    rows = [(row, OUTCOMES[row.outcome], name_of(row.match) if row.match else "") for row in page]
    return render(request, "games/reports.html", {"rows": rows, "page": page})
