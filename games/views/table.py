"""Reading a match: its page, the parts of it that have changed, and the score sheet. Acts at the table: acts.py."""

from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import sweep, tables, talk
from games.models import Draft, Match
from games.notices import inbox

from .answers import context, signed_out, visible
from .columns import columns
from .endings import ending
from .results import sheet_rows
from .reveals import final_sums
from .room import room_context, sent_away
from .sharing import shared
from .showing import page_of


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The page of a match: a waiting room before the first deal, then the table."""
    try:
        match = visible(request, match_id, Match.objects.annotate(unheard=talk.unheard(request.user)))
        inbox.opened(request.user, match)
    except Http404:
        if away := sent_away(request, match_id):
            return away
        raise
    if match.status in (Match.Status.OPEN, Match.Status.CANCELLED):
        board = tables.board(match, request.user)
        return render(request, "games/room.html", room_context(request, board))
    if tables.needs_waking(match):
        sweep.wake_late(match.pk)
    board = tables.board(match, request.user, visit=True)
    page = page_of(board, request.user, whole_log=request.GET.get("log") == "all", arrived=True)
    return render(request, "games/match.html", context(page) | {"shared": shared(request, board)})


@require_safe
@never_cache
def parts(request: HttpRequest, match_id: int) -> HttpResponse:
    """The regions of a table that have changed since ``?have=`` (a version); 204 if none has.

    A page that has a hand and no session any longer keeps the hand, and says that it has to sign in again.
    """
    if not request.user.is_authenticated and request.GET.get("hand", "").endswith(".1"):
        return signed_out(request, match_id)
    mine = Draft.objects.filter(seat__match=OuterRef("pk"), seat__driven_by=request.user.pk or 0)
    rows = Match.objects.annotate(
        my_draft=Subquery(mine.values("number")[:1]), my_stamp=Subquery(mine.values("stamp")[:1])
    )
    match = get_object_or_404(rows, pk=match_id)
    if not tables.may_look(match, request.user, request.GET.get("token", "")):
        raise Http404
    have = request.GET.get("have", "")
    mine_now = f"{match.version}.{getattr(match, 'my_draft', None) or 0}.{getattr(match, 'my_stamp', None) or 0}"
    if have in (str(match.version), mine_now):
        if tables.needs_waking(match):
            sweep.wake_late(match.pk)
        return HttpResponse(status=204)
    if match.status in (Match.Status.OPEN, Match.Status.CANCELLED):
        return _refresh()
    page = page_of(tables.board(match, request.user), request.user, arrived="previously" in request.GET)
    hand = request.GET.get("hand", "") != page.stamp
    return render(
        request, "games/match.html#parts", context(page, parts=True, hand=hand, beside=request.GET.get("beside", ""))
    )


def _refresh() -> HttpResponse:
    """Tell htmx to load the whole page: another one stands at this address now."""
    return HttpResponse(headers={"HX-Refresh": "true"})


@require_safe
@never_cache
def sheet(request: HttpRequest, match_id: int) -> HttpResponse:
    """The whole score sheet: every ended deal with its arithmetic."""
    match = visible(request, match_id)
    if not match.deal_number:
        raise Http404
    board = tables.board(match, request.user)
    results = tables.results(match)
    shown = {
        "page": page_of(board, request.user),
        "board": board,
        "match": match,
        "rows": sheet_rows(board, results),
        "sums": [results[-1].after[seat.side] for seat in board.seats] if results else [],
        "columns": columns(board, results),
        "ending": ending(board),
        "finals": final_sums(board, results[-1]) if results else [],
    }
    return render(request, "games/sheet.html", shown)
