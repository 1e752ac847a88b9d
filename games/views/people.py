"""People: friends, recent opponents, whom one keeps at a distance, and what is done about a player.

A page never tells what somebody else has done: who is blocked sees what a stranger sees.
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import inviting
from games import people as acts
from games.circle import circle
from games.models import Door
from games.preset_texts import Text
from games.seats import Refusal
from rummysite import limits

from .profile import known
from .refusing import refused

DONE: dict[str, Text] = {
    "befriend": gettext_lazy("%(name)s is asked, or your friend already."),
    "unfriend": gettext_lazy("%(name)s is not on your list of friends."),
    "mute": gettext_lazy("You read no free text of %(name)s any more."),
    "unmute": gettext_lazy("You read what %(name)s writes again."),
    "block": gettext_lazy("You will not be paired with %(name)s any more."),
    "unblock": gettext_lazy("You may be paired with %(name)s again."),
}
"""What is said when an act is done, by its word in the address."""


@never_cache
@require_safe
@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Everybody whom I have to do with."""
    return render(request, "games/people.html", {"circle": circle(request.user)})


@require_POST
def act(request: HttpRequest, name: str, act: str) -> HttpResponse:
    """Ask, mute, block, or undo it; then back to where the button stood."""
    if act not in acts.ACTS:
        raise Http404
    whom = known(name)
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("games:player", args=[whom.username]))
    return _done(request, act, whom)


@require_POST
@login_required
def befriend(request: HttpRequest) -> HttpResponse:
    """Ask somebody by name."""
    try:
        whom = inviting.named(request.POST.get("name", ""))
    except Refusal as why:
        return refused(request, None, str(why))
    return _done(request, "befriend", whom)


def _done(request: HttpRequest, act: str, whom: Any) -> HttpResponse:
    limits.spend("people", request, request.user)
    try:
        acts.ACTS[act](request.user, whom)
    except Refusal as why:
        return refused(request, None, str(why))
    messages.success(request, str(DONE[act]) % {"name": whom.shown_name})
    if request.POST.get("back") == "player":
        return redirect("games:player", whom.username)
    return redirect("games:people")


class DoorForm(forms.Form):
    """Who may ask me for a match."""

    opens = forms.ChoiceField(
        choices=Door.Opens.choices, error_messages={"invalid_choice": gettext_lazy("Choose one of the values shown.")}
    )


@require_POST
@login_required
def door(request: HttpRequest) -> HttpResponse:
    """Say who may ask me for a match."""
    form = DoorForm(request.POST)
    if not form.is_valid():
        return refused(request, None, _("Choose one of the values shown."), status=422)
    acts.set_door(request.user, form.cleaned_data["opens"])
    messages.success(request, _("Saved."))
    return redirect("games:people")
