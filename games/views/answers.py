"""How the pages of a match answer: who may see it, what the templates get, refusals with their status and sentence.

With htmx an answer is always 200 with the fresh parts. Plain forms get a redirect, or the page with 409, 422, 400, 429.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from games import notes, play, tables
from games.models import Match, Seat
from games.notices.inbox import with_news
from games.rules.errors import Illegal, Refused
from games.wording import Choose, refusal
from rummysite.limits import TooMany, spend

from .endings import match_shown
from .onward import next_table
from .rated import rated
from .results import deal_shown
from .sentences import Asked, Note
from .showing import Page, page_of

STATUSES = ((play.Stale, 409), (Illegal, 422), (Refused, 400), (TooMany, 429))
"""Answers to plain forms that were refused."""
Why = play.Stale | Refused | TooMany


class SeeOther(HttpResponseRedirect):
    """After a POST: read the page anew."""

    status_code = 303


def of_a_user(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """An act of somebody signed in; who is not comes back to the table after signing in, not to the act.

    A page that plays on after its session has ended is told so; its cards and its selection stay before its reader.
    """

    @wraps(view)
    def checked(request: HttpRequest, match_id: int) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, match_id)
        if by_htmx(request):
            return signed_out(request, match_id)
        return redirect_to_login(reverse("games:match", args=[match_id]))

    return checked


def signed_out(request: HttpRequest, match_id: int) -> HttpResponse:
    """A sentence at the hand, for htmx: the session has ended. It says nothing of the match."""
    sign_in = redirect_to_login(reverse("games:match", args=[match_id])).url
    answer = render(request, "games/_signed_out.html", {"sign_in": sign_in})
    answer["HX-Reswap"] = "none"
    return answer


def visible(request: HttpRequest, match_id: int, rows: "QuerySet[Match] | None" = None) -> Match:
    """The match, one of ``rows``, if this user may look at it; it knows whether a notice about it is unread."""
    known = Match.objects.all() if rows is None else rows
    match = get_object_or_404(with_news(known, request.user), pk=match_id)
    if not tables.may_look(match, request.user, request.GET.get("token", "")):
        raise Http404
    return match


def my_seat(request: HttpRequest, match_id: int) -> Seat:
    """The seat that this user drives, or 404."""
    return get_object_or_404(Seat, match=match_id, driven_by=request.user.pk)


def context(page: Page, *, parts: bool = False, hand: bool = True, beside: str = "") -> dict[str, Any]:
    """What the templates get. ``beside``: the stamp of score and time that the browser has; they are not sent again."""
    board = page.board
    context: dict[str, Any] = {"page": page, "board": board, "match": board.match, "parts": parts, "with_hand": hand}
    score, _dot, time = beside.partition(".")
    now_score, _dot, now_time = page.beside.partition(".")
    context |= {"with_score": score != now_score, "with_time": time != now_time}
    if page.state == "deal" and board.result is not None:
        context["deal"] = deal_shown(board, board.result)
    if page.state == "over":
        results = tables.results(board.match)
        context["end"] = match_shown(board, results)
        context["rated"] = rated(board, page.reader)
        context["several"] = page.me is not None and all(seat.user_id for seat in board.seats)
        context["my_note"] = notes.of(board.match, page.me.user_id) if page.me else None
        if board.result is not None:
            context["deal"] = deal_shown(board, board.result)
    return context


def answer_with(request: HttpRequest, match_id: int, act: Callable[[], Any]) -> HttpResponse:
    """Do something at the table and show what it looks like now, with the reason if it was refused."""
    why: Why | None = None
    now = None
    try:
        spend("act", request, request.user)
        now = act()
    except (play.Stale, Refused, TooMany) as refused:
        why = refused
    if why is None and now is not None and (onward := next_table(request, now)):
        return onward
    if why is None and not by_htmx(request):
        return SeeOther(reverse("games:match", args=[match_id]))
    match = now.match if now else Match.objects.get(pk=match_id)
    board = tables.board(match, request.user, visit=why is None, now=now)
    page = page_of(board, request.user, note_of(request, why, board))
    if by_htmx(request):
        return render(
            request, "games/match.html#parts", context(page, parts=True, beside=request.POST.get("beside", ""))
        )
    status = next(code for kind, code in STATUSES if isinstance(why, kind))
    return render(request, "games/match.html", context(page), status=status)


def shown(request: HttpRequest, match_id: int, asked: Asked | None = None) -> HttpResponse:
    """The table as it is, with what was selected, and with a question before a discard. Nothing has been done."""
    board = tables.board(my_seat(request, match_id).match, request.user)
    page = page_of(board, request.user, Note(kept=frozenset(request.POST.getlist("card")), asked=asked))
    htmx = by_htmx(request)
    return render(request, "games/match.html#parts" if htmx else "games/match.html", context(page, parts=htmx))


def by_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def note_of(request: HttpRequest, why: Why | None, board: tables.Board) -> Note:
    """The sentence of a refusal. What was selected stays so, and the cards concerned are lifted."""
    kept = frozenset(request.POST.getlist("card"))
    if why is None:
        return Note(kept=kept)
    if isinstance(why, TooMany):
        return Note(str(why), kept=kept)
    cards = why.cards if isinstance(why, Illegal | Choose) else ()
    chosen = request.POST.get("meld", "")
    target = int(chosen) if chosen.isdecimal() and len(chosen) < 4 else None
    return Note(refusal(why, board), frozenset(cards), kept, target)
