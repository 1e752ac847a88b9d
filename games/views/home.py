"""Where people come in: the front page for strangers, and the own tables of who is signed in, the most urgent first."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from games import lists
from games import tables as seen
from games.rules.cards import Card
from games.telling import last_of_others, told

HANDS_SHOWN = 10
"""So many of the tables that await me show my hand and what happened last."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A table that awaits me. ``hand`` and ``sentence`` (the last act of somebody else) for the nearest deadlines."""

    row: lists.Row
    hand: tuple[Card, ...] = ()
    sentence: str = ""


@require_safe
@vary_on_cookie
@cache_control(private=True)
def home(request: HttpRequest) -> HttpResponse:
    """What this site is, for those who are not signed in."""
    if request.user.is_authenticated:
        return redirect("games:tables")
    return render(request, "games/front.html")


@never_cache
@require_safe
@login_required
def tables(request: HttpRequest) -> HttpResponse:
    """My matches, those that await me first."""
    mine = lists.mine(request.user)
    near, others = mine.await_me[:HANDS_SHOWN], mine.await_me[HANDS_SHOWN:]
    boards = seen.boards([row.match for row in near], request.user)
    glances = [_glance(row, board) for row, board in zip(near, boards, strict=True)]
    context = {"mine": mine, "awaiting": [*glances, *map(Glance, others)]}
    return render(request, "games/tables.html", context)


def _glance(row: lists.Row, board: seen.Board) -> Glance:
    last = last_of_others(board)
    return Glance(row, board.hand, told(last, board) if last else "")
