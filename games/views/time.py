"""The time of a match as a page of its own and as the inside of the sheet "More": how it stands, and what all may do
about it together. What each act means stands in agreements.py.
"""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import agreements, play, tables
from games.models import Match, Seat
from games.seats import Refusal
from rummysite import limits

from .answers import SeeOther, by_htmx, of_a_user, visible
from .showing import page_of

ACTS: dict[str, Callable[[int, Any], None]] = {
    "pause": lambda match, user: agreements.propose(match, user, "pause"),
    "live": lambda match, user: agreements.propose(match, user, "live"),
    "yes": lambda match, user: agreements.answer(match, user, yes=True),
    "no": lambda match, user: agreements.answer(match, user, yes=False),
    "withdraw": agreements.withdraw,
    "go_on": agreements.go_on,
    "go_back": agreements.go_back,
    "give": agreements.give_time,
}
"""What a button of the page does, by its value."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def time(request: HttpRequest, match_id: int) -> HttpResponse:
    """How the time stands; POST with ``do`` changes it. With htmx only the inside of the sheet."""
    if request.method == "POST":
        return _act(request, match_id)
    match = visible(request, match_id)
    if not match.deal_number:
        raise Http404
    return _shown(request, match)


@of_a_user
def _act(request: HttpRequest, match_id: int) -> HttpResponse:
    act = ACTS.get(request.POST.get("do", ""))
    match = visible(request, match_id)
    try:
        if act is None:
            return _shown(request, match, _("The site could not read this. Nothing was done."), 400)
        limits.spend("act", request, request.user)
        act(match_id, request.user)
    except Seat.DoesNotExist:
        raise Http404 from None
    except play.Stale:
        return _shown(request, Match.objects.get(pk=match_id), _("This match is over."), 409)
    except Refusal as why:
        return _shown(request, Match.objects.get(pk=match_id), str(why), 409)
    if not by_htmx(request):
        return SeeOther(reverse("games:time", args=[match_id]))
    return _shown(request, Match.objects.get(pk=match_id))


def _shown(request: HttpRequest, match: Match, why: str = "", status: int = 200) -> HttpResponse:
    page = page_of(tables.board(match, request.user), request.user)
    page.time = page.time.told(why)
    context = {"page": page, "match": match}
    if by_htmx(request):
        return render(request, "games/_time_changed.html", context)
    return render(request, "games/time.html", context, status=status)
