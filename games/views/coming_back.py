"""Coming back to a table: the replay since the last visit, what a seat can know, the private note, "later".

Each is for who has a seat; for all others there is no such page.
"""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import notes, tables
from games.models import Match, Seat
from games.preset_texts import name_of
from games.replay import replay
from games.telling import told
from games.wording import goal

from .answers import answer_with, of_a_user, visible
from .knowing import shown_known
from .sentences import Note
from .showing import Page, others_of

LATER = timedelta(hours=4)
"""So long a table that was put off stands behind the others."""
SITS = (Match.Status.RUNNING, Match.Status.OVER)


def my_match(request: HttpRequest, match_id: int) -> Match:
    """A match that has begun and in which this user has a seat, or 404."""
    match = visible(request, match_id)
    me = request.user.pk or 0
    if match.status not in SITS or not match.seats.filter(Q(user=me) | Q(driven_by=me)).exists():
        raise Http404
    return match


@require_safe
@never_cache
@login_required
def since(request: HttpRequest, match_id: int) -> HttpResponse:
    """The moves since my last visit, one at a time: ``?step=`` says which."""
    match = my_match(request, match_id)
    step = request.GET.get("step", "")
    shown = replay(match, request.user, int(step) if step.isdecimal() and len(step) < 5 else None)
    context: dict[str, Any] = {"match": match, "replay": shown, "title": name_of(match)}
    if shown.board is not None:
        context |= {
            "page": Page(shown.board, Note(), "wait", [], False),
            "board": shown.board,
            "goal": goal(shown.board, shown.deal),
            "sentences": [told(line, shown.board) for line in shown.lines],
            "who": next((shown.board.seats[line.seat] for line in shown.lines if line.seat >= 0), None),
        }
    return render(request, "games/since.html", context)


@never_cache
@require_POST
@of_a_user
def caught_up(request: HttpRequest, match_id: int) -> HttpResponse:
    """I have read what happened since my last visit."""
    seat = get_object_or_404(Seat, match=match_id, driven_by=request.user.pk)
    return answer_with(request, match_id, lambda: tables.caught_up(seat))


@require_safe
@never_cache
@login_required
def known(request: HttpRequest, match_id: int) -> HttpResponse:
    """The cards that I can know of in the deal in progress, as far as the match remembers."""
    match = my_match(request, match_id)
    board = tables.board(match, request.user)
    context = {"match": match, "board": board, "title": name_of(match), "known": shown_known(board)}
    return render(request, "games/known.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def note(request: HttpRequest, match_id: int) -> HttpResponse:
    """My private note about this match; POST keeps it."""
    match = my_match(request, match_id)
    written = notes.of(match, request.user.pk)
    form = notes.NoteForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        notes.write(tables.board(match, request.user), request.user, form.cleaned_data["text"])
        if getattr(request, "htmx", False):
            kept = {"match": match, "note": notes.of(match, request.user.pk), "saved": True}
            return render(request, "games/note.html#note", kept)
        messages.success(request, _("Your note is kept."))
        return redirect("games:note", match_id)
    context: dict[str, Any] = {"match": match, "note": written, "form": form, "title": name_of(match)}
    if form.is_bound:
        context["typed"] = request.POST.get("text", "")
    htmx = getattr(request, "htmx", False)
    status = 422 if form.is_bound and not htmx else 200
    return render(request, "games/note.html#note" if htmx else "games/note.html", context, status=status)


@never_cache
@require_POST
@of_a_user
def later(request: HttpRequest, match_id: int) -> HttpResponse:
    """Put this table behind the others that wait for me, and go to the next one."""
    seat = get_object_or_404(Seat, match=match_id, driven_by=request.user.pk)
    Seat.objects.filter(pk=seat.pk).update(later_until=timezone.now() + LATER)
    others = others_of(request.user, seat.match)
    return redirect("games:match", others[0]) if others else redirect("games:tables")
