"""Taking along all that the site keeps about me."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.api.own_data import packed
from rummysite import limits


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def own_data(request: HttpRequest) -> HttpResponse | FileResponse:
    """What it will hold; POST makes it, once an hour."""
    if request.method != "POST":
        return render(request, "games/own_data.html")
    limits.spend("own_data", request, request.user)
    name = f"rummysite-{timezone.now():%Y-%m-%d}.zip"
    return FileResponse(packed(request.user), as_attachment=True, filename=name, content_type="application/zip")
