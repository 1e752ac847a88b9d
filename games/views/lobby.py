"""Pages around the table: lobby, a new match, the badge. Who comes in meets home.py, who waits is in room.py."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import finding
from games import lobby as acts
from games import tables as seen
from games.notices import inbox
from games.opening import Opening
from games.preset_texts import PRESET_TEXTS
from games.rules.catalog import PRESETS, Preset
from rummysite import limits

CARRIED = ("pace", "bank", "weekend", "vacations", "who", "rated", "title")
"""What an address may say about a new match, and what stays when another game is chosen."""


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Public matches with a free seat, narrowed by the address, and what is being played. With htmx only the list."""
    filters = finding.Filters.read(request.GET.dict())
    part = "games/lobby.html#list" if getattr(request, "htmx", False) else "games/lobby.html"
    context: dict[str, Any] = {"rows": finding.rows(request.user, filters), "filters": filters, "shown": finding.SHOWN}
    if part == "games/lobby.html":
        context["playing"] = finding.playing(request.user, filters)
    response = render(request, part, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_match(request: HttpRequest) -> HttpResponse:
    """Three questions and the house rules. GET with ``preset`` shows those of that game, POST opens the match.

    GET with ``with`` keeps the second seat for the player of that name.
    """
    if request.method != "POST":
        preset = _preset(request.GET.get("preset", "")) or PRESETS[0]
        initial = {name: request.GET[name] for name in CARRIED if name in request.GET}
        if asked := request.GET.get("with", "")[:40]:
            initial |= {"seat_1": "named", "name_1": asked}
        return _opening(request, Opening(preset, initial=initial))
    preset_or_none = _preset(request.POST.get("preset", ""))
    form = Opening(preset_or_none or PRESETS[0], request.POST)
    if preset_or_none is None:
        form.add_error(None, _("Choose one of the games shown."))
    if "back" in request.POST:
        return _back_to_the_preset(request, form.preset)
    if form.is_valid():
        limits.spend("open", request, request.user)
        try:
            match = form.save(request.user, request.POST.getlist("cut"))
        except acts.Refusal as why:
            form.add_error(None, str(why))
        else:
            return redirect("games:match", match.pk)
    return _opening(request, form, status=422)


def _preset(name: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.name == name), None)


def _back_to_the_preset(request: HttpRequest, preset: Preset) -> HttpResponse:
    """The form again, with one house rule or all of them as the preset has it. Opens nothing."""
    what = request.POST["back"]
    told = {
        name: value
        for name, value in request.POST.items()
        if name != what and not (what == "all" and name.startswith("rule_"))
    }
    form = Opening(preset, told)
    form.rules_open = True
    return _opening(request, form)


@never_cache
@require_safe
def length(request: HttpRequest) -> HttpResponse:
    """What a match as the form has it will take."""
    form = Opening(_preset(request.GET.get("preset", "")) or PRESETS[0], request.GET)
    return render(request, "games/_length.html", {"estimate": form.estimate()})


def _opening(request: HttpRequest, form: Opening, status: int = 200) -> HttpResponse:
    games = [(preset.name, PRESET_TEXTS[preset.name]) for preset in PRESETS]
    part = "games/new_match.html#opening" if getattr(request, "htmx", False) else "games/new_match.html"
    context = {"form": form, "games": games, "estimate": form.estimate(), "asked": request.GET.get("with", "")[:40]}
    response = render(request, part, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


@never_cache
@require_safe
def badge(request: HttpRequest) -> JsonResponse:
    """How many tables await me, the address of the most urgent, and how many notices are unread."""
    told: dict[str, Any] = {"waiting": 0, "next": None, "notices": 0}
    if request.user.is_authenticated:
        waiting = seen.queue(request.user)
        first = reverse("games:match", args=waiting[:1]) if waiting else None
        told = {"waiting": len(waiting), "next": first, "notices": inbox.unread(request.user)}
    return JsonResponse(told, headers={"Cache-Control": "no-store"})
