"""Matches read in from files: a list, a page and a replay of their own, apart from all that is played here."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Deal, ImportedMatch, Match
from games.preset_texts import name_of
from games.retold import Source
from games.rules.codec import decode_outcome, encode_outcome
from games.tables import Board, SeatSeen, results_of
from games.verdicts import AS_PLAYED, counts_as, of_deals

from .replaying import Around, replayed
from .results import sheet_rows

LENGTH = 30
"""Matches on a page of the list."""


@never_cache
@require_safe
@login_required
def listed(request: HttpRequest) -> HttpResponse:
    """All imported matches, the newest first."""
    page = Paginator(ImportedMatch.objects.defer("told"), LENGTH).get_page(request.GET.get("page"))
    rows = [(row, name_of(Match(preset=row.preset, edition=row.edition))) for row in page.object_list]
    return render(request, "games/imported_matches.html", {"page": page, "rows": rows})


@never_cache
@require_safe
@login_required
def match(request: HttpRequest, number: int) -> HttpResponse:
    """One imported match: its deals and how it came out."""
    row = get_object_or_404(ImportedMatch, pk=number)
    match, seats = _rows(row)
    game = match.game()
    board = Board(match, game, game.options, None, seats)
    deals = [_deal(match, told, row.told) for told in row.told["deals"]]
    context: dict[str, Any] = {
        "imported": row,
        "title": name_of(match),
        "board": board,
        "rows": sheet_rows(board, results_of(match, deals)),
        "won": [seat for seat in seats if seat.side in match.winners],
        "started": parse_datetime(row.told["started_at"]),
    }
    return render(request, "games/imported.html", context)


@never_cache
@require_safe
@login_required
def deal(request: HttpRequest, number: int, deal: int) -> HttpResponse:
    """One of its deals, replayed."""
    row = get_object_or_404(ImportedMatch, pk=number)
    deals = row.told["deals"]
    if not 1 <= deal <= len(deals):
        raise Http404
    match, seats = _rows(row)
    page = reverse("games:imported", args=[number])
    around = Around(
        before=reverse("games:imported_deal", args=[number, deal - 1]) if deal > 1 else "",
        after=reverse("games:imported_deal", args=[number, deal + 1]) if deal < len(deals) else "",
        sheet=page,
        match=page,
    )
    told = deals[deal - 1]
    return replayed(request, Source(match, seats, told), _deal(match, told, row.told), around)


def _rows(imported: ImportedMatch) -> tuple[Match, tuple[SeatSeen, ...]]:
    """The match and its places, as rows that are never stored."""
    told, result = imported.told, imported.told["result"]
    match = Match(
        preset=told["preset"], edition=told["edition"], options=told["options"], title=told["title"],
        memory=told["memory"], pace=told["pace"], status=result["status"], deal_number=len(told["deals"]),
        totals=result["totals"], winners=result["winners"], ruled=bool(told.get("rulings")),
    )  # fmt: skip
    side_of = {seat: side for side, seats in enumerate(match.game().sides()) for seat in seats}
    places = [_place(match, index, side_of[index], seat) for index, seat in enumerate(told["seats"])]
    return match, tuple(places)


def _place(match: Match, index: int, side: int, seat: dict[str, Any]) -> SeatSeen:
    return SeatSeen(
        index=index,
        side=side,
        name=seat["name"],
        user_id=None,
        driven_by_id=None,
        driver="bot" if seat["kind"] == "bot" else "user",
        is_me=False,
        is_bot=seat["kind"] == "bot",
        given_up=seat["given_up"],
        gone="resigned" if seat["given_up"] else "",
        substitute="",
        wants_back=False,
        looked_at=None,
        closed_account=False,
        total=match.totals[side],
        cards=0,
        dealer=False,
        moving=False,
        cut_hash="",
        cut="",
        cut_by="",
    )


def _deal(match: Match, told: dict[str, Any], file: dict[str, Any]) -> Deal:
    """A deal with the outcome that counts, as the moderators of its site have ruled."""
    outcome = told["outcome"]
    if outcome is not None and file.get("rulings"):
        found = of_deals(one["action"] for one in file["rulings"]).get(told["deal"], AS_PLAYED)
        outcome = encode_outcome(counts_as(match.game(), decode_outcome(outcome), found))
    return Deal(number=told["deal"], dealer=told["dealer"], sheet=told["sheet"], outcome=outcome, record=told)
