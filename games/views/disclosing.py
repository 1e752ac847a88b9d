"""Who sees what of my profile: a choice for each section."""

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

from games import disclosure
from games.models import Disclosure
from games.preset_texts import Text
from rummysite import limits

SECTION_TEXTS: dict[str, tuple[Text, Text]] = {
    "ratings": (
        gettext_lazy("Ratings"),
        gettext_lazy("On the profile and at the end of rated matches. Leaderboards need that everybody may see it."),
    ),
    "results": (gettext_lazy("Results"), gettext_lazy("Matches won and lost in each game, and the longest rows.")),
    "matches": (
        gettext_lazy("Last matches"),
        gettext_lazy("The list under your name, here and for programs. Each public match can be watched anyway."),
    ),
    "opponents": (
        gettext_lazy("Opponents"),
        gettext_lazy("Whom you meet, and the page of the two of you. Others see it only if both of you show it."),
    ),
    "deals": (
        gettext_lazy("How deals come out"),
        gettext_lazy("Points a deal, deadwood when caught, the turn in which you go out, knocks, gins and undercuts."),
    ),
    "answers": (gettext_lazy("Time to answer"), gettext_lazy("At which hours you answer, and how soon.")),
}
"""The name of a section, and what it says."""


class DisclosureForm(forms.Form):
    """A choice for each section. The prefix keeps the field of the matches from hiding what scripts ask of the form."""

    prefix = "to"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in disclosure.SECTIONS:
            label, help_text = SECTION_TEXTS[name]
            self.fields[name] = forms.ChoiceField(
                label=str(label),
                help_text=str(help_text),
                choices=Disclosure.To.choices,
                widget=forms.RadioSelect,
                error_messages={
                    "required": gettext_lazy("Choose one of the values shown."),
                    "invalid_choice": gettext_lazy("Choose one of the values shown."),
                },
            )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def disclosed(request: HttpRequest) -> HttpResponse:
    """Say who sees what; then the profile as it was."""
    user: Any = request.user
    row = disclosure.of(user)
    if request.method == "POST":
        limits.spend("people", request, user)
        form = DisclosureForm(request.POST)
        if form.is_valid():
            disclosure.choose(user, form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("games:player", user.username)
    else:
        form = DisclosureForm(initial={name: getattr(row, name) for name in disclosure.SECTIONS})
    return render(request, "games/disclosure.html", {"form": form}, status=422 if form.errors else 200)
