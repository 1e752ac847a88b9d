"""Pages that belong to the site as a whole."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.templatetags.static import static


def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers, 503 when it does not. For load balancers; says nothing else."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("database down", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")


def robots(request: HttpRequest) -> HttpResponse:
    """Crawlers may read the front page and what explains the site; matches are people's own."""
    return HttpResponse("User-agent: *\nDisallow: /matches/\nDisallow: /join/\n", content_type="text/plain")


def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for this name; the icon is an SVG."""
    return HttpResponsePermanentRedirect(static("site/icon.svg"))
