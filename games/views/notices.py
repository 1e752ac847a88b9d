"""How I am told: the settings, one match muted, and the way out of mails that needs no signing in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import MutedMatch, NoticeSettings, Seat
from games.notice_forms import NoticeForm
from games.notices import mail, unsubscribing
from games.notices.kinds import KINDS
from games.notices.lately import last_told
from games.preset_texts import name_of
from rummysite.logs import quiet

from .answers import SeeOther


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """What tells me of what, and when."""
    user: Any = request.user
    row = NoticeSettings.objects.filter(user=user).first() or NoticeSettings(user=user)
    form = NoticeForm(request.POST if request.method == "POST" else None, row)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return SeeOther(reverse("games:notice_settings"))
    context = {"form": form, "row": row, "address": mail.address_of(user)}
    return render(request, "games/notice_settings.html", context, status=400 if form.errors else 200)


def _my_seat(request: HttpRequest, match_id: int) -> Seat:
    me = request.user.pk
    mine = Seat.objects.filter(Q(user=me) | Q(driven_by=me), match=match_id).select_related("match")
    return get_object_or_404(mine)


@never_cache
@require_safe
@login_required
def of_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """What I was told of a match last, and the button that mutes it: a page, or the section of a sheet."""
    match = _my_seat(request, match_id).match
    context: dict[str, Any] = {
        "match": match,
        "title": name_of(match),
        "last": last_told(request.user, match),
        "muted": MutedMatch.objects.filter(user=request.user.pk, match=match).exists(),
    }
    page = "games/_notices_of_match.html" if request.htmx else "games/notices_of_match.html"  # type: ignore[attr-defined]
    return render(request, page, context)


@never_cache
@require_POST
@login_required
def mute(request: HttpRequest, match_id: int) -> HttpResponse:
    """Tell me nothing of this match, or all again."""
    user: Any = request.user
    match = _my_seat(request, match_id).match
    if request.POST.get("do") == "unmute":
        MutedMatch.objects.filter(user=user, match=match).delete()
    else:
        MutedMatch.objects.get_or_create(user=user, match=match)
    if request.htmx:  # type: ignore[attr-defined]
        request.method = "GET"
        return of_match(request, match_id)
    return SeeOther(reverse("games:notices_of_match", args=[match_id]))


@never_cache
@csrf_exempt
@quiet
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The address that mails carry (RFC 8058). Looking changes nothing, a POST does, without signing in."""
    try:
        user_id, kinds = unsubscribing.read(token)
    except signing.BadSignature:
        raise Http404 from None
    if request.method == "POST":
        unsubscribing.turn_off(user_id, kinds)
    context = {"kinds": [KINDS[kind].label for kind in kinds], "done": request.method == "POST"}
    return render(request, "games/unsubscribe.html", context)
