"""Tokens for a user's own programs, and the page that tells what they may ask. The answers are given in games/api/."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.api import document, tokens
from games.models import ApiToken
from rummysite import limits

from .answers import SeeOther


class TokenForm(forms.Form):
    """A name by which its user knows a token again, and what it may read."""

    name = forms.CharField(
        max_length=40,
        error_messages={
            "required": gettext_lazy("Give it a name by which you will know it again."),
            "max_length": gettext_lazy("A name has at most %(limit_value)d characters."),
        },
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("It may read"),
        choices=ApiToken.Scope.choices,
        initial=ApiToken.Scope.PUBLIC,
        widget=forms.RadioSelect,
        error_messages={
            "invalid_choice": gettext_lazy("Choose one of the values shown."),
            "required": gettext_lazy("Choose one of the values shown."),
        },
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """My tokens; POST makes one and shows it, this once."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    made, status = "", 200
    if form.is_bound and form.is_valid():
        limits.spend("device", request, request.user)
        try:
            made = tokens.make(request.user, form.cleaned_data["name"], form.cleaned_data["scope"])
        except tokens.Enough:
            form.add_error(None, _("You have as many tokens as one may have. Revoke one first."))
    if form.is_bound and form.errors:
        status = 422
    context: dict[str, Any] = {
        "form": form,
        "made": made,
        "tokens": ApiToken.objects.filter(user=request.user.pk),
    }
    return render(request, "games/tokens.html", context, status=status)


@never_cache
@require_POST
@login_required
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """End one of my tokens: from now on it opens nothing."""
    if not tokens.revoke(request.user, number):
        raise Http404
    messages.success(request, _("The token is revoked."))
    return SeeOther(reverse("games:tokens"))


@require_safe
def explained(request: HttpRequest) -> HttpResponse:
    """The document of the interface, for people."""
    paths = [
        (f"{path}", about["get"]["summary"], about["get"].get("parameters", []), _answer(about), _scope(about))
        for path, about in document.PATHS.items()
    ]
    shapes = [(name, _fields(schema)) for name, schema in document.SCHEMAS.items() if "properties" in schema]
    context = {"paths": paths, "shapes": shapes, "errors": document.ERRORS.items(), "about": document.DOCUMENT["info"]}
    return render(request, "games/programs.html", context)


def _answer(about: dict[str, Any]) -> str:
    return _type(about["get"]["responses"]["200"]["content"]["application/json"]["schema"])


def _scope(about: dict[str, Any]) -> str:
    return str(about["get"]["security"][0]["token"][0])


def _fields(schema: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """(name, type, whether it is always there) of each property."""
    required = schema.get("required", ())
    return [(name, _type(one), name in required) for name, one in schema["properties"].items()]


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few signs: ``Line[]``, ``string or null``."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"{_type(schema.get('items', {})) or 'value'}[]"
    if "enum" in schema or "const" in schema:
        return " | ".join(repr(one) for one in schema.get("enum", [schema.get("const")]))
    kinds = schema.get("type", "")
    return " | ".join(kinds) if isinstance(kinds, list) else str(kinds)
