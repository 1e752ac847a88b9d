"""Leaderboards, and whether I stand in them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import leaderboards as boards
from games import ratings
from games.models import Kind
from games.rating_texts import FAMILY_TEXTS, KIND_TEXTS
from rummysite import limits

from .refusing import refused


@never_cache
@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """One leaderboard, a page of it; the address says which. What it does not say is the first."""
    family, kind = _which(request)
    now = timezone.now()
    page = Paginator(boards.standing(family, kind, now).select_related("user"), boards.PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "family": family,
        "kind": kind,
        "families": FAMILY_TEXTS.items(),
        "kinds": KIND_TEXTS.items(),
        "page": page,
        "lines": [boards.line(rank, row, request.user) for rank, row in enumerate(page, page.start_index() or 1)],
        "days": boards.FRESH.days,
        "fewest": ratings.RECENT,
        "settled": ratings.PROVISIONAL,
    }
    if request.user.is_authenticated and not request.user.is_guest:
        context["mine"] = boards.mine(request.user, family, kind, now)
    return render(request, "games/leaderboards.html", context)


def _which(request: HttpRequest) -> tuple[str, str]:
    family, kind = request.GET.get("family", ""), request.GET.get("kind", "")
    return (
        family if family in FAMILY_TEXTS else next(iter(FAMILY_TEXTS)),
        kind if kind in KIND_TEXTS else Kind.CORRESPONDENCE.value,
    )


@require_POST
@login_required
def listed(request: HttpRequest) -> HttpResponse:
    """Show me in leaderboards, or no more."""
    told = request.POST.get("listed")
    if told not in ("yes", "no"):
        return refused(request, None, _("Say yes or no."), status=400)
    if getattr(request.user, "is_guest", False):
        return refused(request, None, _("Leaderboards are for players with an account. Keep yours first."))
    limits.spend("people", request, request.user)
    boards.show(request.user, told == "yes")
    said = _("You are shown in leaderboards now.") if told == "yes" else _("You are shown in no leaderboard any more.")
    messages.success(request, said)
    family, kind = _which(request)
    return redirect(f"{reverse('games:leaderboards')}?family={family}&kind={kind}")
