"""Pages that explain: all games, the rules of one, glossary, strategy. They read no row; a build changes them."""

import hashlib

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_cookie

from games.learn import glossary, pages, strategy
from games.rules.catalog import PRESETS


def _etag(request: HttpRequest, *args: object, **kwargs: object) -> str | None:
    """The same for who has the same language and token. Pages of somebody signed in are never kept (accounts)."""
    token = request.META.get("CSRF_COOKIE")
    if request.user.is_authenticated or not token:
        return None
    said = "\n".join([settings.BUILD, request.path, get_language() or "", str(token)])
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def _shown(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    response = render(request, f"games/learn/{template}.html", context)
    if not request.user.is_authenticated:
        patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
@vary_on_cookie
@condition(etag_func=_etag)
def index(request: HttpRequest) -> HttpResponse:
    """All games, and the way to glossary and strategy."""
    return _shown(request, "index", {"lines": pages.lines()})


@require_safe
@vary_on_cookie
@condition(etag_func=_etag)
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """The rules of one game."""
    preset = next((preset for preset in PRESETS if preset.name == name), None)
    if preset is None:
        raise Http404
    return _shown(request, name, pages.rules_of(preset))


@require_safe
@vary_on_cookie
@condition(etag_func=_etag)
def words(request: HttpRequest) -> HttpResponse:
    """The glossary: the words of the page's language, what they mean, and what others call them."""
    language = get_language() or "en"
    groups = [(heading, [(entry, entry.term(language)) for entry in entries]) for heading, entries in glossary.GROUPS]
    entries = [entry for _heading, some in glossary.GROUPS for entry in some]
    return _shown(request, "glossary", {"groups": groups, "entries": entries, "tongues": glossary.TONGUES})


@require_safe
@vary_on_cookie
@condition(etag_func=_etag)
def advice(request: HttpRequest) -> HttpResponse:
    """Strategy for people, and how bots play."""
    context = {"groups": strategy.GROUPS, "once_in": strategy.BOT_TAKES_A_PAIR_ONCE_IN}
    return _shown(request, "strategy", context)
