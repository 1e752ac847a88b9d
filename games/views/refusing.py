"""How an act around a match ends: where it leads, or a page with the sentence why not."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games import lobby as acts
from games import tables as seen
from games.models import Match
from games.preset_texts import Text


def act_on(request: HttpRequest, match_id: int, act: Callable[[], Any]) -> HttpResponse:
    """Do it and go where it leads, to the match if it does not say; a refusal is told with its sentence."""
    try:
        done = act()
    except acts.Refusal as why:
        return refused(request, match_id, str(why))
    except Match.DoesNotExist:
        raise Http404 from None
    return done if isinstance(done, HttpResponse) else redirect("games:match", match_id)


def refused(request: HttpRequest, match_id: int | None, why: Text, status: int = 409) -> HttpResponse:
    """A page with the sentence, and the ways on."""
    match = Match.objects.filter(pk=match_id).first() if match_id is not None else None
    shown = match if match is not None and seen.may_look(match, request.user) else None
    return render(request, "games/refused.html", {"why": why, "match": shown}, status=status)
