"""The addresses under /api/v1/. Each is a question and the answer to it; document.py tells programs of all of them."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games import disclosure, people, tables
from games.models import ApiToken, Match, Seat

from . import document, shown
from .answers import Caller, NotSo, answers
from .export import told_record

LENGTH = 50
"""Matches in one answer."""


@answers(ApiToken.Scope.OWN)
def me(caller: Caller, request: HttpRequest) -> shown.Me:
    """Who I am for the site."""
    user = caller.user
    return shown.Me(shown.person(user), caller.scope, user.language, user.time_zone)


@answers(ApiToken.Scope.OWN)
def my_matches(caller: Caller, request: HttpRequest) -> shown.Lines:
    """The matches at which I sit, the newest first; ``?status=`` narrows them."""
    mine = Seat.objects.filter(Q(user=caller.user) | Q(driven_by=caller.user))
    rows = Match.objects.filter(pk__in=mine.values("match_id"))
    if status := request.GET.get("status", ""):
        if status not in Match.Status.values:
            raise NotSo(400, "bad_status", f"status: {', '.join(Match.Status.values)}.")
        rows = rows.filter(status=status)
    return _lines(rows, caller, request, reverse("api:my_matches"), f"&status={status}" if status else "")


@answers()
def matches(caller: Caller, request: HttpRequest) -> shown.Lines:
    """Public matches that are over, the newest first."""
    return _lines(_public(), caller, request, reverse("api:matches"))


@answers()
def player(caller: Caller, request: HttpRequest, name: str) -> shown.Person:
    """A player as everybody may see him."""
    return shown.person(_player(name))


@answers()
def results(caller: Caller, request: HttpRequest, name: str) -> shown.Lines:
    """The public matches of a player that are over, the newest first; none if he does not show the caller a list."""
    whom = _player(name)
    shows = disclosure.shows("matches", whom, caller.sees, disclosure.friends_of(caller.sees))
    rows = _public().filter(seats__user=whom) if shows else Match.objects.none()
    return _lines(rows, caller, request, reverse("api:results", kwargs={"name": whom.username}))


@answers()
def match(caller: Caller, request: HttpRequest, match_id: int) -> shown.MatchSeen:
    """One match with its table, as the caller may see it; without the scope ``own`` as a stranger sees it."""
    found = _visible(caller, match_id)
    board = tables.board(found, caller.sees)
    ended = found.deals.filter(ended_at__isnull=False).order_by("number").values_list("number", flat=True)
    return shown.MatchSeen(
        match=shown.line(found, caller.sees),
        options=found.options,
        memory=found.memory,
        commitment=found.commitment,
        deals=list(ended),
        table=shown.table(board),
    )


@answers()
def deal(caller: Caller, request: HttpRequest, match_id: int, number: int) -> Any:
    """The Record of a deal that is over."""
    found = _visible(caller, match_id)
    row = get_object_or_404(found.deals.filter(ended_at__isnull=False), number=number)
    return told_record(row.record or {})


@answers()
def nothing(caller: Caller, request: HttpRequest, rest: str) -> Any:
    """Any other address."""
    raise Http404


@require_safe
@cache_control(public=True, max_age=3600)
def openapi(request: HttpRequest) -> JsonResponse:
    """The document of all this; it needs no token."""
    return JsonResponse(document.DOCUMENT)


def _visible(caller: Caller, match_id: int) -> Match:
    rows = Match.objects.prefetch_related("seats__user")
    found = get_object_or_404(rows, pk=match_id)
    if not tables.may_look(found, caller.sees):
        raise Http404
    return found


def _player(name: str) -> Any:
    whom = people.player(name)
    if whom is None:
        raise Http404
    return whom


def _public() -> "QuerySet[Match]":
    return Match.objects.filter(private=False, status=Match.Status.OVER)


def _lines(rows: "QuerySet[Match]", caller: Caller, request: HttpRequest, address: str, more: str = "") -> shown.Lines:
    """A page of matches by number; ``?before=`` is where it goes on, and ``more`` what else it asks again."""
    before = request.GET.get("before", "")
    if before:
        if not (before.isdecimal() and len(before) < 19):
            raise NotSo(400, "bad_before", "before: a number.")
        rows = rows.filter(pk__lt=int(before))
    found = list(rows.order_by("-pk").prefetch_related("seats__user")[: LENGTH + 1])
    after = f"{address}?before={found[LENGTH - 1].pk}{more}" if len(found) > LENGTH else None
    return shown.Lines([shown.line(row, caller.sees) for row in found[:LENGTH]], after)
