"""After a submitted turn: on to the next table that waits for me, for who wants that."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games import tables
from games.models import Match
from games.preset_texts import name_of
from games.telling import told

from .showing import others_of


def next_table(request: HttpRequest, now: tables.Now) -> HttpResponse | None:
    """The way to the next table, where this act has ended my turn and another one waits; else None.

    Never from a deal that the turn has ended: one wants to see how it came out.
    """
    user: Any = request.user
    if not user.next_by_itself or now.match.status != Match.Status.RUNNING:
        return None
    board = tables.board(now.match, user, now=now, brief=True)
    if board.view is None or board.view.outcome is not None or now.match.turn == board.me:
        return None
    others = others_of(user, now.match)
    if not others:
        return None
    tables.board(now.match, user, visit=True, now=now, brief=True)
    messages.success(request, _sent(board))
    address = reverse("games:match", args=[others[0]])
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(headers={"HX-Redirect": address})
    answer = HttpResponseRedirect(address)
    answer.status_code = 303
    return answer


def _sent(board: tables.Board) -> str:
    """What was just played, at which table, with the way back."""
    last = next((line for line in reversed(board.log) if line.seat == board.me), None)
    back = reverse("games:match", args=[board.match.pk])
    return format_html(
        _('{sentence} <a href="{back}">Back to {match}</a>'),
        sentence=told(last, board) if last else "",
        back=back,
        match=name_of(board.match),
    )
