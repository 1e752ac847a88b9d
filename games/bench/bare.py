"""The least that a view of this stack can do: login, the same middlewares, SELECT, UPDATE, INSERT, a 4 KB template."""

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from games.models import Match
from games.writing import locked, writing


@login_required
@require_POST
def bare(request: HttpRequest, match_id: int) -> HttpResponse:
    """One SELECT, one UPDATE, one INSERT in one transaction, and a small page."""
    with writing():
        match = locked(match_id)
        Match.objects.filter(pk=match.pk).update(version=match.version + 1)
        LogEntry.objects.create(user_id=int(request.user.pk or 0), object_repr="bench", action_flag=CHANGE)
    return render(request, "games/bench/bare.html", {"match": match, "rows": range(40)})
