"""A finished public match as something to pass on: the tags of its page, and its preview picture.

The same for everybody, whoever played; no card stands in it. Private matches have neither.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games import pictures, tables
from games.models import Match
from games.paces import PACES
from games.preset_texts import PRESET_TEXTS
from games.tables import Board
from games.wording import initial, seat_name

from .endings import match_headline, places

KEPT = 7 * 86400
"""Seconds that a drawn picture is kept; it is drawn anew as soon as a name in it changes."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What stands in the tags: ``url`` and ``image`` are whole addresses."""

    title: str
    description: str
    url: str
    image: str
    language: str


def shared(request: HttpRequest, board: Board) -> Shared | None:
    """The tags of a finished public match; None for all others."""
    match = board.match
    if match.private or match.status != Match.Status.OVER:
        return None
    told = _told(board)
    language = translation.get_language() or settings.LANGUAGE_CODE
    image = reverse("games:preview", args=[match.pk])
    totals = ", ".join(f"{place.name} {place.total}" for place in told.places)
    pace = PACES[match.pace].label
    return Shared(
        title=f"{told.headline} · {told.game}",
        description=_("{game}, {pace}, {deals}. {totals}.").format(
            game=told.game, pace=pace, deals=told.deals, totals=totals
        ),
        url=request.build_absolute_uri(reverse("games:match", args=[match.pk])),
        image=request.build_absolute_uri(f"{image}?language={language}"),
        language=language,
    )


def _told(board: Board) -> pictures.Result:
    """The result as a stranger reads it, whoever asks."""
    board = replace(board, me=None, seats=tuple(replace(seat, is_me=False) for seat in board.seats))
    ranked, match = places(board), board.match
    n = match.deal_number
    return pictures.Result(
        headline=match_headline(board, ranked),
        game=str(PRESET_TEXTS[match.preset].name),
        deals=ngettext("%(n)d deal", "%(n)d deals", n) % {"n": n},
        places=tuple(pictures.Place(s.index, initial(s), seat_name(s), s.total) for s in ranked),
    )


@require_safe
@cache_control(public=True, max_age=3600)
def preview(request: HttpRequest, match_id: int) -> HttpResponse:
    """The picture that others see where the address of a finished public match is passed on."""
    match = get_object_or_404(Match, pk=match_id, private=False, status=Match.Status.OVER)
    language = request.GET.get("language", settings.LANGUAGE_CODE)
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        told = _told(tables.board(match, _Nobody()))
    return HttpResponse(_drawn(match, told), content_type="image/png")


class _Nobody:
    """A reader who is not signed in, so that a picture that everybody gets depends on nobody."""

    is_authenticated = False
    pk: Any = None


def _drawn(match: Match, told: pictures.Result) -> bytes:
    """From the cache of the server, or drawn now; what is drawn is a part of the key."""
    key = f"match-{match.pk}-{hashlib.sha256(repr(told).encode()).hexdigest()[:32]}"
    known: bytes | None = caches["pictures"].get(key)
    if known is None:
        known = pictures.draw(told)
        caches["pictures"].set(key, known, KEPT)
    return known
