"""How the interface answers: JSON for everything, a token before everything, and for each refusal a sentence.

No cookie is looked at here, so no other site can ask in somebody's name; and no other site's page may read an answer.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, is_dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from games.models import ApiToken
from games.notices.reader import reader
from rummysite import limits

from . import tokens


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the user of a token. ``sees`` is who he is for what is looked at: nobody, without the scope ``own``."""

    user: Any
    scope: str

    @property
    def sees(self) -> Any:
        return self.user if self.scope == ApiToken.Scope.OWN else AnonymousUser()


class NotSo(Exception):
    """A refusal: HTTP status, a word for programs, a sentence for people."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(error)
        self.status, self.error, self.message = status, error, message


View = Callable[..., Any]


def answers(scope: str = ApiToken.Scope.PUBLIC) -> Callable[[View], Callable[..., HttpResponse]]:
    """Make a view of a function that gets a Caller and gives a dataclass or plain JSON. ``scope``: what it needs."""

    def made(view: View) -> Callable[..., HttpResponse]:
        @csrf_exempt  # it changes nothing, and no cookie counts
        @never_cache
        @wraps(view)
        def answered(request: HttpRequest, **asked: Any) -> HttpResponse:
            try:
                _only_reading(request)
                caller = _caller(request, scope)
                with reader(caller.user):
                    told = _told(view, caller, request, asked)
            except limits.TooMany as late:
                response = _refused(NotSo(429, "too_many", str(late)))
                response["Retry-After"] = str(late.seconds)
                return response
            except NotSo as why:
                return _refused(why)
            return JsonResponse(asdict(told) if is_dataclass(told) and not isinstance(told, type) else told)

        return answered

    return made


def _told(view: View, caller: Caller, request: HttpRequest, asked: dict[str, Any]) -> Any:
    try:
        return view(caller, request, **asked)
    except Http404 as none:
        raise NotSo(404, "not_found", _("There is nothing here that you may see.")) from none


def _only_reading(request: HttpRequest) -> None:
    if request.method not in ("GET", "HEAD"):
        raise NotSo(405, "only_reading", _("Here one can only read: GET."))


def _caller(request: HttpRequest, scope: str) -> Caller:
    token = tokens.of(request)
    if token is None:
        if "Authorization" in request.headers:
            limits.spend("token", request)
        raise NotSo(401, "no_token", _("Send a token that is valid in the header Authorization: Bearer."))
    limits.spend("api", request, token.user)
    if scope == ApiToken.Scope.OWN and token.scope != scope:
        raise NotSo(403, "other_scope", _("This token may read public results only."))
    return Caller(token.user, token.scope)


def _refused(why: NotSo) -> JsonResponse:
    response = JsonResponse({"error": why.error, "message": why.message}, status=why.status)
    if why.status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="Rummysite"'
    if why.status == 405:
        response["Allow"] = "GET, HEAD"
    return response
