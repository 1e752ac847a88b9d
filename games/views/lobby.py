"""Pages around the table: lobby, a new match, the waiting room, invitations, rematches. Who comes in meets home.py.

What may be done stands in lobby.py; here a refusal becomes a page with its sentence (409), what one may not see is
not found (404). No GET ever seats anybody.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import fairness, lists
from games import lobby as acts
from games import tables as seen
from games.models import Match, Seat
from games.opening import Opening
from games.preset_texts import PRESET_TEXTS, Text
from games.rules.catalog import PRESETS, Preset

CARRIED = ("pace", "who", "title")
"""What an address may say about a new match, and what stays when another game is chosen."""


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Public matches with a free seat."""
    return render(request, "games/lobby.html", {"rows": lists.with_free_seats(request.user)})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_match(request: HttpRequest) -> HttpResponse:
    """Three questions and the house rules. GET with ``preset`` shows those of that game, POST opens the match."""
    if request.method != "POST":
        preset = _preset(request.GET.get("preset", "")) or PRESETS[0]
        initial = {name: request.GET[name] for name in CARRIED if name in request.GET}
        return _opening(request, Opening(preset, initial=initial))
    preset_or_none = _preset(request.POST.get("preset", ""))
    form = Opening(preset_or_none or PRESETS[0], request.POST)
    if preset_or_none is None:
        form.add_error(None, _("Choose one of the games shown."))
    if form.is_valid():
        try:
            match = form.save(request.user)
        except acts.Refusal as why:
            form.add_error(None, str(why))
        else:
            return redirect("games:match", match.pk)
    return _opening(request, form, status=422)


def _preset(name: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.name == name), None)


def _opening(request: HttpRequest, form: Opening, status: int = 200) -> HttpResponse:
    games = [(preset.name, PRESET_TEXTS[preset.name]) for preset in PRESETS]
    part = "games/new_match.html#opening" if getattr(request, "htmx", False) else "games/new_match.html"
    response = render(request, part, {"form": form, "games": games}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


@never_cache
@require_safe
def badge(request: HttpRequest) -> JsonResponse:
    """How many tables await me, and the address of the most urgent."""
    waiting = list(seen.waiting_for(request.user).values_list("pk", flat=True)) if request.user.is_authenticated else []
    return JsonResponse(
        {"waiting": len(waiting), "next": reverse("games:match", args=waiting[:1]) if waiting else None},
        headers={"Cache-Control": "no-store"},
    )


# --- the waiting room ------------------------------------------------------------------------------------------------


def room_context(request: HttpRequest, board: seen.Board) -> dict[str, Any]:
    """What games/room.html shows of a match that has not begun, or was cancelled."""
    match, me = board.match, board.me
    row = lists.row(match, request.user)
    is_open = match.status == Match.Status.OPEN
    seated = me is not None and board.seats[me].driver == Seat.Driver.USER
    invited = me is not None and board.seats[me].driver == Seat.Driver.INVITED
    return {
        "board": board,
        "match": match,
        "row": row,
        "seated": seated,
        "invited": is_open and invited,
        "may_join": is_open and me is None and row.free > 0,
        "may_leave": is_open and seated,
        "may_start": is_open and seated and match.opener_id == request.user.pk and not _asked(board),
        "is_open": is_open,
        "waiting_for_answers": [seat.name for seat in board.seats if seat.driver == Seat.Driver.INVITED],
        "link": _link(request, match) if is_open and seated and row.free else "",
    }


def _asked(board: seen.Board) -> bool:
    return any(seat.driver == Seat.Driver.INVITED for seat in board.seats)


def _link(request: HttpRequest, match: Match) -> str:
    return request.build_absolute_uri(reverse("games:invitation", args=[match.token]))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The match behind a link. GET and HEAD show it, POST takes a seat."""
    match = get_object_or_404(Match, token=token)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        return _take_seat(request, match, token)
    if request.user.is_authenticated and match.seats.filter(user_id=request.user.pk).exists():
        return redirect("games:match", match.pk)
    context = room_context(request, seen.board(match, request.user)) | {"token": token}
    return render(request, "games/invitation.html", context)


def post_of_a_user(view: Callable[[HttpRequest, int], HttpResponse]) -> Callable[[HttpRequest, int], HttpResponse]:
    """Only POST, only signed in. Who has to sign in first comes back to the match, since an act cannot be repeated."""

    @require_POST
    @wraps(view)
    def guarded(request: HttpRequest, match_id: int) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(reverse("games:match", args=[match_id]))
        return view(request, match_id)

    return guarded


@post_of_a_user
def join(request: HttpRequest, match_id: int) -> HttpResponse:
    """Take a free seat of a public match."""
    match = get_object_or_404(Match, pk=match_id)
    if not seen.may_look(match, request.user):
        raise Http404
    return _take_seat(request, match, "")


def _take_seat(request: HttpRequest, match: Match, token: str) -> HttpResponse:
    return _act(request, match.pk, lambda: acts.join(match.pk, request.user, _cut(request), token))


@post_of_a_user
def leave(request: HttpRequest, match_id: int) -> HttpResponse:
    """Give back a seat before the match starts."""

    def act() -> HttpResponse:
        acts.leave(match_id, request.user)
        messages.success(request, _("You have given back your seat."))
        return redirect("games:tables")

    return _act(request, match_id, act)


@post_of_a_user
def start(request: HttpRequest, match_id: int) -> HttpResponse:
    """Start with bots in the free seats."""
    return _act(request, match_id, lambda: acts.start(match_id, request.user))


@post_of_a_user
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Ask the same people for another match."""
    return _act(request, match_id, lambda: redirect("games:match", acts.rematch(match_id, request.user).pk))


@post_of_a_user
def answer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Say yes or no to a seat that was kept for me."""
    told = request.POST.get("answer")
    if told not in ("yes", "no"):
        return _refused(request, match_id, _("Say yes or no."), status=400)

    def act() -> HttpResponse | None:
        acts.answer(match_id, request.user, yes=told == "yes", cut=_cut(request))
        if told == "yes":
            return None
        messages.success(request, _("You have declined. There is no rematch."))
        return redirect("games:tables")

    return _act(request, match_id, act)


def _act(request: HttpRequest, match_id: int, act: Callable[[], Any]) -> HttpResponse:
    """Do it and go where it leads, to the match if it does not say; a refusal is told with its sentence."""
    try:
        done = act()
    except acts.Refusal as why:
        return _refused(request, match_id, str(why))
    except Match.DoesNotExist:
        raise Http404 from None
    return done if isinstance(done, HttpResponse) else redirect("games:match", match_id)


def _refused(request: HttpRequest, match_id: int, why: Text, status: int = 409) -> HttpResponse:
    match = Match.objects.filter(pk=match_id).first()
    shown = match if match is not None and seen.may_look(match, request.user) else None
    return render(request, "games/refused.html", {"why": why, "match": shown}, status=status)


def _cut(request: HttpRequest) -> tuple[str, str]:
    typed = request.POST.get("cut_typed", "")[: fairness.CUT_TEXT_MAX]
    return acts.cut_from(request.POST.get("cut", ""), typed)
