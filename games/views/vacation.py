"""The page of the own vacation: what is left of the year, planning one, ending it, and where it stops the clock."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import lists, vacations
from games.models import Match, Seat
from games.paces import DAY, PACES
from games.seats import Refusal
from games.terms import MOST_AWAY

NO_DAY = {"required": gettext_lazy("Choose a day."), "invalid": gettext_lazy("This is no day.")}


class VacationForm(forms.Form):
    """The first and the last day."""

    first = forms.DateField(input_formats=["%Y-%m-%d"], error_messages=NO_DAY)
    last = forms.DateField(input_formats=["%Y-%m-%d"], error_messages=NO_DAY)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def vacation(request: HttpRequest) -> HttpResponse:
    """GET shows it; POST with ``do`` plan or end changes it. What cannot be is told at the form."""
    why = ""
    form = VacationForm(request.POST if request.POST.get("do") == "plan" else None)
    if request.method == "POST":
        try:
            if request.POST.get("do") == "end":
                vacations.end(request.user)
                messages.success(request, _("Your vacation is over. Your clocks run."))
                return redirect("games:vacation")
            if form.is_valid():
                vacations.plan(request.user, form.cleaned_data["first"], form.cleaned_data["last"])
                messages.success(request, _("Your vacation is set."))
                return redirect("games:vacation")
        except Refusal as refused:
            why = str(refused)
    status = 422 if request.method == "POST" else 200
    return render(request, "games/vacation.html", _context(request, form, why), status=status)


def _context(request: HttpRequest, form: VacationForm, why: str) -> dict[str, Any]:
    user: Any = request.user
    today = vacations.today_of(user)
    at = Seat.objects.filter(user=user, driver=Seat.Driver.USER).values("match")
    running = lists.rows(Match.objects.filter(pk__in=at, status=Match.Status.RUNNING).order_by("pk"), user)
    clocked = [row for row in running if PACES[row.match.pace].kind != "none"]
    return {
        "form": form,
        "why": why,
        "today": today,
        "vacation": vacations.current(user),
        "balance": vacations.balance(user, today.year),
        "yearly": vacations.YEARLY,
        "most": MOST_AWAY // DAY,
        "stopped": [row for row in clocked if row.match.vacations],
        "not_stopped": [row for row in clocked if not row.match.vacations],
    }
