"""The replay of an ended deal: every moment has an address, with all hands or with what one seat knew."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Deal, Match
from games.preset_texts import name_of
from games.retold import ALL, Retold, Source, retell, source_of
from games.rules.cards import Card
from games.tables import result_of
from games.telling import told
from games.wording import goal

from .answers import visible
from .results import deal_shown
from .sentences import Note
from .showing import TRAVELLERS, Page


@dataclass(frozen=True, slots=True)
class Around:
    """Where the links of a replay lead: the deals beside it (empty where there is none), the sheet, the match."""

    before: str
    after: str
    sheet: str
    match: str


@require_safe
@never_cache
def deal(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """An ended deal, for all who may see the match: ``?step=`` is the moment, ``?of=`` a seat or ``all``."""
    match = visible(request, match_id)
    ended = match.deals.filter(ended_at__isnull=False)
    row = get_object_or_404(ended, number=number)
    last = match.deal_number if match.status == Match.Status.OVER else match.deal_number - 1
    around = Around(
        before=_address(match.pk, number - 1) if number > 1 else "",
        after=_address(match.pk, number + 1) if number < last else "",
        sheet=reverse("games:sheet", args=[match.pk]),
        match=reverse("games:match", args=[match.pk]),
    )
    return replayed(request, source_of(match, request.user, row.record or {}), row, around)


def _address(match_id: int, number: int) -> str:
    return reverse("games:deal", args=[match_id, number])


def replayed(request: HttpRequest, source: Source, row: Deal, around: Around) -> HttpResponse:
    """The page of one moment. The rows may be of an imported match, which stand in no table."""
    match, step, of = source.match, request.GET.get("step", ""), request.GET.get("of", "")
    sort = getattr(request.user, "hand_sort", "suit")
    shown = retell(source, _number(step, 1), _number(of, ALL), sort)
    page = Page(shown.board, Note(), "watch", [], False)
    context: dict[str, Any] = {
        "replay": shown,
        "page": page,
        "board": shown.board,
        "match": match,
        "title": name_of(match),
        "goal": goal(shown.board, shown.number),
        "around": around,
        "who": next((shown.board.seats[line.seat] for line in shown.board.log if line.seat >= 0), None),
        "sentences": [told(line, shown.board) for line in shown.board.log],
        "hand": _hand(shown),
        "of": "all" if shown.of == ALL else shown.of,
    }
    if shown.last:
        context["deal"] = deal_shown(shown.board, result_of(shown.board.game, row))
    return render(request, "games/deal.html", context)


def _number(text: str, usual: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 5 else usual


def _hand(shown: Retold) -> list[tuple[Card, bool, bool]]:
    """The one open hand: (card, whether it is new, whether it travels)."""
    if shown.of == ALL:
        return []
    ((_seat, cards),) = shown.hands
    few = len(cards) <= TRAVELLERS - 4
    return [(card, card == shown.moment.fresh, few) for card in cards]
