"""The talk of a match: a page of its own, the same as parts of a sheet at the table, what is new, saying something.

Who does not sit at the table finds nothing here.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import sanctions
from games import lists, talk
from games.models import Match
from games.models.talk import LONGEST
from games.phrases import PHRASES
from games.seats import Refusal
from rummysite.limits import TooMany, spend

from .answers import by_htmx


def at_the_table(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Only for who sits there; the match comes with the number of messages that wait."""

    @wraps(view)
    def checked(request: HttpRequest, match_id: int) -> HttpResponse:
        if not request.user.is_authenticated:
            if by_htmx(request):
                raise Http404
            return redirect_to_login(reverse("games:talk", args=[match_id]))
        if not talk.at_table(match_id, request.user).exists():
            raise Http404
        rows = Match.objects.annotate(unheard=talk.unheard(request.user))
        return view(request, get_object_or_404(rows, pk=match_id))

    return checked


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@at_the_table
def page(request: HttpRequest, match: Match) -> HttpResponse:
    """What was said, and the form. With htmx the list alone, or the form alone (``?part=form``)."""
    if request.method == "POST":
        return _say(request, match)
    if by_htmx(request) and request.GET.get("part") == "form":
        return render(request, "games/_talk_form.html", _form(request, match))
    if by_htmx(request):
        return _list(request, match)
    return _whole(request, match)


def _list(request: HttpRequest, match: Match) -> HttpResponse:
    """What was said. The number on the tab is asked for anew: what fetched this may have been replaced meanwhile."""
    answer = render(request, "games/_talk_list.html", _said(request, match))
    if getattr(match, "unheard", 0):
        answer["HX-Trigger-After-Swap"] = "rummy:talk"
    return answer


def _whole(request: HttpRequest, match: Match, problem: str = "", status: int = 200) -> HttpResponse:
    prefetch_related_objects([match], lists.seats())
    context = _said(request, match) | _form(request, match, problem) | {"row": lists.row(match, request.user)}
    return render(request, "games/talk.html", context, status=status)


def _said(request: HttpRequest, match: Match) -> dict[str, Any]:
    told = request.GET.get("before", "")
    before = int(told) if told.isdecimal() and len(told) < 18 else None
    said, older = talk.read(match, request.user, before)
    return {"match": match, "said": said, "older": said[0].number if older else None, "before": before}


def _form(request: HttpRequest, match: Match, problem: str = "") -> dict[str, Any]:
    users = list(match.seats.filter(user__isnull=False).values_list("user_id", flat=True))
    return {
        "match": match,
        "phrases": PHRASES.items(),
        "phrases_only": talk.phrases_only(request.user),
        "typed": request.POST.get("text", "")[:LONGEST] if problem else "",
        "longest": LONGEST,
        "problem": problem,
        "muted": talk.is_muted(match, request.user),
        "unread": talk.muted_people(request.user, users),
        "barred": sanctions.sentence(barred) if (barred := sanctions.why_not(request.user, "chat")) else "",
        "closed": match.status == Match.Status.CANCELLED,
    }


def _say(request: HttpRequest, match: Match) -> HttpResponse:
    phrase, problem, status = request.POST.get("phrase", ""), "", 422
    try:
        spend("talk", request, request.user)
        spend("talk_hour", request, request.user)
        talk.say(match.pk, request.user, phrase=phrase, text=request.POST.get("text", ""))
    except Refusal as why:
        problem = str(why)
    except TooMany as why:
        problem, status = str(why), 429
    except Match.DoesNotExist:
        raise Http404 from None
    if by_htmx(request):
        # a phrase that is said leaves alone what is being typed
        form = _form(request, match, problem) if problem or not phrase else {}
        context = _said(request, match) | form | {"with_form": bool(form), "count": 0}
        return render(request, "games/_talk_said.html", context)
    return _whole(request, match, problem, status) if problem else redirect("games:talk", match.pk)


@never_cache
@require_safe
@at_the_table
def news(request: HttpRequest, match: Match) -> HttpResponse:
    """How many messages wait, and if some do what fetches them as soon as it can be seen."""
    return render(request, "games/_talk_news.html", {"match": match})


@require_POST
@at_the_table
def mute(request: HttpRequest, match: Match) -> HttpResponse:
    """Mute the talk of this match, or hear it again."""
    talk.mute(match, request.user, muted=request.POST.get("mute") == "yes")
    if by_htmx(request):
        return render(request, "games/_talk_form.html", _form(request, match))
    return redirect("games:talk", match.pk)
