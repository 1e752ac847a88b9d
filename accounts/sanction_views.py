"""What moderators have decided about me: why, in which words, until when; and my answer to it, once."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from rummysite import limits

from . import appeals, sanctions
from .models import Sanction
from .refusal import Refusal

LONGEST = 2000
"""Characters of an answer."""


@never_cache
@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """All of them, those that bind me first. Who is shut out sees this page and no other."""
    return _page(request)


@never_cache
@require_POST
@login_required
def answer(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Answer to one of them."""
    text = request.POST.get("text", "").replace("\0", "").strip()  # PostgreSQL keeps no NUL
    limits.spend("appeal", request, request.user)
    try:
        if len(text) > LONGEST:
            raise Refusal(_("An answer has at most %(n)d characters.") % {"n": LONGEST})
        appeals.appeal(request.user, sanction_id, text)
    except Sanction.DoesNotExist:
        raise Http404 from None
    except Refusal as refusal:
        return _page(request, (sanction_id, str(refusal), text), status=422)
    messages.success(request, _("Your answer is with the moderators. You will read here what comes of it."))
    return redirect("sanctions")


def _page(request: HttpRequest, wrong: tuple[int, str, str] | None = None, status: int = 200) -> HttpResponse:
    now = timezone.now()
    rows = Sanction.objects.filter(user=request.user.pk).select_related("appeal").order_by("-pk")
    told = [_told(row, now, wrong) for row in rows]
    told.sort(key=lambda one: not one["in_force"])
    context = {"told": told, "longest": LONGEST, "shut_out": getattr(request.user, "is_barred", False)}
    return render(request, "accounts/sanctions.html", context, status=status)


def _told(row: Sanction, now: Any, wrong: tuple[int, str, str] | None) -> dict[str, Any]:
    """One of them, for its reader. Who decided is not told: it was the site's decision."""
    mine = wrong is not None and wrong[0] == row.pk
    return {
        "row": row,
        "at": sanctions.moment(row.at),
        "sentence": sanctions.sentence(row),
        "in_force": row.in_force(now),
        "ended": row.kind != Sanction.Kind.WARNING and row.lifted_at is None and not row.in_force(now),
        "appeal": getattr(row, "appeal", None),
        "may_answer": not appeals.why_no_appeal(row),
        "problem": wrong[1] if wrong and mine else "",
        "typed": wrong[2] if wrong and mine else "",
    }
