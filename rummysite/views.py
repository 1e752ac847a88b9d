"""Pages that belong to the site as a whole."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers, 503 when it does not. For load balancers; says nothing else."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("database down", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")


def robots(request: HttpRequest) -> HttpResponse:
    """Crawlers may read the front page and what explains the site; matches are people's own.

    Invitations are not named: what is only forbidden here can still be listed by its address, with the token in it.
    They say noindex themselves, as every page does that does not say otherwise. The page of a match may be read by
    those who draw a preview of a link to it; it says noindex too.
    """
    closed = ("/accounts/", "/admin/", "/badge/", "/i18n/", "/matches/", "/notices/", "/tables/")
    shared = ("/matches/*/$", "/matches/*/preview.png")
    rules = [*(f"Disallow: {path}\n" for path in closed), *(f"Allow: {path}\n" for path in shared)]
    text = "".join(["User-agent: *\n", *rules])
    return HttpResponse(text, content_type="text/plain")


def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for this name; the icon is an SVG."""
    return HttpResponsePermanentRedirect(static("site/icon.svg"))


def _plain(request: HttpRequest, name: str) -> HttpResponse:
    """A page of text that names who runs the site, where the environment tells."""
    cookies = {
        "session": settings.SESSION_COOKIE_NAME,
        "csrf": settings.CSRF_COOKIE_NAME,
        "language": settings.LANGUAGE_COOKIE_NAME,
    }
    about = {"operator": settings.OPERATOR, "contact": settings.CONTACT, "cookies": cookies}
    return render(request, f"site/{name}.html", about)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored about people, who sees it, and when it is gone."""
    return _plain(request, "privacy")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Fair play and what is promised."""
    return _plain(request, "terms")


@require_safe
def contact(request: HttpRequest) -> HttpResponse:
    """Whom to write to."""
    return _plain(request, "contact")


OFFLINE_FILES = ("site/tokens.css", "site/base.css", "site/shell.css", "site/icon.svg")
"""What the offline page is drawn with."""


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """What a browser shows without a network: the same for everybody who reads the language that is asked for."""
    with translation.override(_language(request)):
        return HttpResponse(render_to_string("offline.html"))


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. With each build its text changes, so browsers fetch the offline page anew."""
    language = _language(request)
    with translation.override(language):
        context = {
            "kept": f"offline-{settings.BUILD}-{language}",
            "page": f"{reverse('offline')}?language={language}",
            "files": [static(name) for name in OFFLINE_FILES],
            "icon": static("site/icon-192.png"),
            "language": language,
            "start": reverse("games:tables"),
            "again": reverse("games:push_again"),
            "news": _("There is news at your tables."),
        }
        text = render_to_string("site/sw.js", context)
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """What a phone needs to put the site on its home screen."""
    language = _language(request)
    with translation.override(language):
        told = {
            "id": "/",
            "name": "Rummysite",
            "short_name": "Rummy",
            "description": _("Rummy and gin against people and bots, live or by correspondence."),
            "lang": language,
            "start_url": reverse("games:tables"),
            "scope": "/",
            "display": "standalone",
            "theme_color": "#1f5d50",
            "background_color": "#f6f3ec",
            "icons": [
                *({"src": static(f"site/icon-{n}.png"), "sizes": f"{n}x{n}", "type": "image/png"} for n in (192, 512)),
                {
                    "src": static("site/icon-maskable.png"),
                    "sizes": "512x512",
                    "type": "image/png",
                    "purpose": "maskable",
                },
            ],
        }
    return JsonResponse(told, content_type="application/manifest+json")


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
