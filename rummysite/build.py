"""Which build of the site is running: a short hash of all that makes its pages, the same on every machine."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

PARTS = ("accounts", "games", "rummysite", "templates", "locale")
KINDS = frozenset({".py", ".html", ".css", ".js", ".svg", ".po"})


def build_of(root: Path) -> str:
    """Twelve hex digits over the files of the site, by name and content."""
    found = hashlib.sha256()
    files = (path for part in PARTS for path in (root / part).rglob("*") if path.suffix in KINDS)
    for path in sorted(files):
        found.update(str(path.relative_to(root)).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def named(request: HttpRequest) -> dict[str, str]:
    """For templates: the build that a page was made by."""
    return {"BUILD": settings.BUILD}


def stamped(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Each answer names its build, so that an open page hears of a newer one (static/site/build.js)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["Rummy-Build"] = settings.BUILD
        return response

    return middleware
