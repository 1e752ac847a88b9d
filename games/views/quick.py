"""Two quick ways from the front page: a match against bots that starts at once, and a private one with a friend.

Who is not signed in becomes a guest on the way.
"""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts.guests import ensure_user
from games import lobby as acts
from games.rules.catalog import PRESETS, find
from rummysite import limits

from .refusing import refused

FRIENDLY = ("basic-rummy", "1d")
"""What friends play who have chosen nothing."""


class PlayNow(forms.Form):
    """Which game, against how many bots. All may be left out: the first game, with its fewest players."""

    preset = forms.ChoiceField(
        choices=[(preset.name, preset.name) for preset in PRESETS],
        required=False,
        error_messages={"invalid_choice": _("Choose one of the games shown.")},
    )
    bots = forms.IntegerField(
        min_value=1,
        max_value=3,
        required=False,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("Play with one to three bots.")),
    )
    cut = forms.CharField(required=False, max_length=64)

    def clean(self) -> dict[str, object]:
        told = super().clean() or {}
        preset = find(told.get("preset") or FRIENDLY[0])
        if told.get("bots") and told["bots"] + 1 not in preset.hand_sizes:
            self.add_error("bots", _("This game is not for so many players."))
        return told


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """A match without a clock against easy bots: the cards are dealt, and the page is its table."""
    form = PlayNow(request.POST)
    if not form.is_valid():
        return refused(request, None, " ".join(str(e) for errors in form.errors.values() for e in errors), status=422)
    told = form.cleaned_data
    return _opened(request, told["preset"] or FRIENDLY[0], "none", ["easy"] * (told["bots"] or 1))


@require_POST
def play_friend(request: HttpRequest) -> HttpResponse:
    """A private match for two, and its waiting room with the link to send."""
    preset, pace = FRIENDLY
    return _opened(request, preset, pace, ["open"])


def _opened(request: HttpRequest, preset: str, pace: str, seats: list[str]) -> HttpResponse:
    user = ensure_user(request)
    limits.spend("open", request, user)
    try:
        match = acts.open_match(
            user,
            preset,
            seats=seats,
            pace=pace,
            cut=acts.cut_from(request.POST.get("cut", ""), ""),
            private=True,
            memory=user.memory,
            limited=True,
        )
    except acts.Refusal as why:
        return refused(request, None, str(why))
    return redirect("games:match", match.pk)
