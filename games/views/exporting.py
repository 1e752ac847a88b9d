"""A match taken along: as JSON that is documented (docs/match-file.md), and as text in the reader's language.

Whoever may see the match may have it; of a deal that runs nothing stands in either.
"""

import json
from collections.abc import Iterator
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import tables
from games.api.export import STARTED, exported
from games.faces import card_name, plain
from games.models import Match
from games.preset_texts import differences, name_of
from games.retold import Source, retell_all, source_of
from games.rules.cards import by_suit
from games.tables import Board, Result
from games.telling import told
from games.wording import seat_name
from rummysite import limits

from .answers import visible
from .endings import ending
from .results import SheetRow, sheet_rows


def _asked(request: HttpRequest, match_id: int) -> Match:
    """A match that has started and that this reader may see; counts one export."""
    match = visible(request, match_id)
    if match.status not in STARTED:
        raise Http404
    limits.spend("export", request, request.user if request.user.is_authenticated else None)
    return match


def _file(content: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@never_cache
def as_json(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match for programs, and for ``manage.py import_match``."""
    match = _asked(request, match_id)
    content = json.dumps(exported(match), ensure_ascii=False, indent=1)
    return _file(content, "application/json", f"rummysite-match-{match.pk}.json")


@require_safe
@never_cache
def as_text(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match for people."""
    match = _asked(request, match_id)
    lines = "\n".join(_lines(request, match))
    return _file(f"{lines}\n", "text/plain", f"rummysite-match-{match.pk}.txt")


def _lines(request: HttpRequest, match: Match) -> Iterator[str]:
    source = source_of(match, request.user, {})
    board = tables.board(match, request.user)
    yield f"{name_of(match)} #{match.pk}"
    yield ", ".join(seat_name(seat) for seat in source.seats)
    if match.started_at:
        yield _("Started: %(when)s") % {"when": date_format(match.started_at, "DATETIME_FORMAT")}
    yield from map(str, differences(match))
    yield _("Commitment: %(hash)s") % {"hash": match.commitment}
    rows = list(match.deals.filter(ended_at__isnull=False).order_by("number"))
    results = tables.results_of(match, rows)
    for row, result, summed in zip(rows, results, sheet_rows(board, results), strict=True):
        yield ""
        yield from _deal(replace(source, record=row.record or {}), row.number)
        yield from _scores(board, result, summed)
    if match.status == Match.Status.OVER:
        yield ""
        winners = [seat_name(seat) for seat in board.seats if seat.side in match.winners]
        if winners:
            yield _("The match is over. Won by: %(names)s") % {"names": ", ".join(winners)}
        if said := ending(board):
            yield said


def _deal(source: Source, number: int) -> Iterator[str]:
    yield _("Deal %(n)s") % {"n": number}
    for shown in retell_all(source):
        if shown.at == 1:
            for seat, hand in zip(shown.board.seats, shown.moment.hands, strict=True):
                yield f"  {seat_name(seat)}: {', '.join(map(card_name, by_suit(hand)))}"
        yield f"  {shown.at}. {' '.join(plain(told(line, shown.board)) for line in shown.board.log)}"


def _scores(board: Board, result: Result, summed: SheetRow) -> Iterator[str]:
    yield f"  {summed.what}"
    for seat, (points, total, terms) in zip(board.seats, summed.cells, strict=True):
        arithmetic = f" ({terms})" if terms else ""
        yield f"  {seat_name(seat)}: +{points}{arithmetic} = {total}"
