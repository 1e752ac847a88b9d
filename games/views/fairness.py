"""Deals that anyone can check: the page of a match that lists what was fixed and shown, its JSON, and the checker."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from games import proofs, tables
from games.moderation import hands
from games.preset_texts import Text, name_of
from games.proofs import DealListed
from games.tables import Board
from games.wording import seat_name

from .answers import visible

CHECKER = Path(settings.BASE_DIR) / "docs" / "check_deal.py"
"""The checker of docs/fairness.md as a file."""

ENDINGS: dict[str, Text] = {
    "running": gettext_lazy("Being played. Its secret is shown when it is over."),
    "broken_off": gettext_lazy("Broken off: it counts for nobody."),
    "void": gettext_lazy("Void: nobody scores."),
    "voided": gettext_lazy("Declared void by a moderator: it counts for nobody."),
}
"""What is said of a number that nobody won."""


@never_cache
@require_safe
def fairness(request: HttpRequest, match_id: int) -> HttpResponse:
    """What was fixed before the start, what has been shown since, and every number that was dealt."""
    match = visible(request, match_id)
    board = tables.board(match, request.user)
    context = {
        "board": board,
        "match": match,
        "title": name_of(match),
        "rows": [(deal, seat_name(board.seats[deal.dealer]), _ending(board, deal)) for deal in proofs.listed(match)],
        "looks": hands.told(match),
        "cuts_shown": match.status not in (match.Status.OPEN, match.Status.CANCELLED),
        "draws": match.rematch_of_id is None and match.first_dealer is not None,
        "first": seat_name(board.seats[match.first_dealer]) if match.first_dealer is not None else "",
    }
    return render(request, "games/fairness.html", context)


def _ending(board: Board, deal: DealListed) -> str:
    if deal.ending in ENDINGS:
        return str(ENDINGS[deal.ending])
    if deal.corrected:
        return " ".join((_won_by(board, deal), _("A moderator has corrected its points.")))
    return _won_by(board, deal)


def _won_by(board: Board, deal: DealListed) -> str:
    if deal.scorer is None:
        return _("Nobody won it.")
    seat = board.seats[deal.scorer]
    return _("You won it.") if seat.is_me else _("{name} won it.").format(name=seat_name(seat))


@never_cache
@require_safe
def proof(request: HttpRequest, match_id: int) -> JsonResponse:
    """The same as JSON, with all cards of the ended deals: what the checkers read."""
    match = visible(request, match_id)
    answer = JsonResponse(proofs.proof(tables.board(match, request.user)))
    answer["Content-Disposition"] = f'inline; filename="match-{match.pk}.json"'
    return answer


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """A page that does the sums again in the reader's browser, or gives what is needed to do them elsewhere."""
    asked = request.GET.get("match", "").strip()
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= 18 else None
    context = {"number": number, "asked": asked[:40], "code": _code(), "words": json.dumps(_words())}
    return render(request, "games/check.html", context)


@require_safe
@cache_control(max_age=3600)
def checker(request: HttpRequest) -> HttpResponse:
    """The checker in Python, to save."""
    answer = HttpResponse(_code(), content_type="text/x-python; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="check_deal.py"'
    return answer


@cache
def _code() -> str:
    return CHECKER.read_text(encoding="utf-8")


def _words() -> dict[str, Any]:
    """The sentences of check.js, with their placeholders."""
    return {
        "well": _("All is well: {n} checks, and each of them holds."),
        "bad": _("{bad} of {n} checks do not hold. They are marked below."),
        "none": _("No deal of this match is over yet, so there is nothing to check but the cuts."),
        "unread": _("This is not the JSON of a match. Copy all of it, from the first brace to the last."),
        "away": _("There is no such match here, or you may not see it."),
        "offline": _("The site did not answer. Try again in a moment."),
        "insecure": _(
            "This browser does its sums only on pages that come over HTTPS or from this machine, and this page does "
            "not. Use the checker for your own computer below."
        ),
        "working": _("Checking ..."),
        "holds": _("holds"),
        "fails": _("does not hold"),
        "match": _("The match"),
        "deal": _("Deal {deal}"),
        "numbers": _("Numbers dealt: expected 1 to {n} without a gap, found {found}."),
        "cut": _("Cut of seat {seat}, {cut}: its SHA-256 is {got}, its fingerprint was {said}"),
        "nocut": _("Seat {seat} has no cut, and its fingerprint is: {said}"),
        "first": _("First dealer: secret 1 and the cuts name seat {got}; the match says {first}, deal 1 says {said}."),
        "link": _("Secret: its SHA-256 is {got}; the secret before it, or the commitment, is {said}"),
        "pool": _("Cards of the pack: {n}, each once, in card-id order."),
        "back": _("Cards of reshuffle {order}: {n} told, and {got} lay among the discards."),
        "pack": _("Order of the pack: computed {got} ..., told {said} ..."),
        "again": _("Order of reshuffle {order}: computed {got} ..., told {said} ..."),
        "hands": _(
            "Hands: {n} cards a seat as the order deals them, from the dealer's left; seat {seat} had {said} ..."
        ),
        "draws": _("Stock: {n} cards were drawn, each the top of the stock; {left} were left at the end."),
        "shuffles": _("Reshuffles: {n} orders told, {got} in the steps of the deal."),
    }
