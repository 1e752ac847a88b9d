"""Applies a user's language and time zone to each page, keeps private pages out of every cache, answers haste, and
shuts out whom a sanction shuts out.
"""

import zoneinfo
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation

from rummysite.limits import TooMany

from .models import User


def preferences(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Language and zone for this request only; HTML for somebody who is signed in is never stored."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated:
            return get_response(request)
        if user.is_guest:
            _is_here(user)
        if user.language:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(_zone(user.time_zone)):
            response = get_response(request)
        if "Cache-Control" not in response:
            response["Cache-Control"] = "no-store"
        return response

    return middleware


def _is_here(guest: User) -> None:
    """Note once a day that a guest has been here: who has not for long is let go."""
    now = timezone.now()
    if guest.last_login is None or now - guest.last_login > timedelta(days=1):
        User.objects.filter(pk=guest.pk).update(last_login=now)


class ShutOut:
    """Who is suspended or banned sees the page that says so, may answer there and leave, and nothing else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        user = request.user
        if not (user.is_authenticated and user.is_barred):
            return None
        if request.resolver_match is not None and request.resolver_match.view_name in settings.OPEN_TO_THOSE_SHUT_OUT:
            return None
        page = reverse("sanctions")
        if request.headers.get("HX-Request") == "true":
            answer = HttpResponse(status=204)
            answer["HX-Redirect"] = page
            return answer
        return redirect(page)


class Patience:
    """Answers TooMany with a page that says when to come back (429)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, TooMany):
            return None
        response = render(request, "429.html", {"why": exception}, status=429)
        response["Retry-After"] = str(exception.seconds)
        return response


def _zone(name: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(name)
    except (ValueError, zoneinfo.ZoneInfoNotFoundError):
        return zoneinfo.ZoneInfo("UTC")
