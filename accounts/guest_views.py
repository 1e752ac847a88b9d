"""Pages of guests: playing at once, keeping the account, coming back by a link, moving matches to an account."""

from collections.abc import Callable
from functools import wraps

from allauth.account.views import login as enter
from allauth.decorators import rate_limit
from allauth.mfa.base.views import authenticate
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from rummysite import limits
from rummysite.logs import quiet

from . import back, moving
from .forms import KeepForm
from .guests import ensure_user, sign_in_guest
from .models import User
from .upgrade import ask_to_confirm, carry_sessions

View = Callable[..., HttpResponseBase]


class SeeOther(HttpResponseRedirect):
    """After a POST: go and read."""

    status_code = 303


def local(request: HttpRequest, address: str) -> str:
    """The address if it is the path of a page of this site, else that of the tables."""
    safe = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if safe and address.startswith("/") else reverse("games:tables")


def for_persons(view: View) -> View:
    """A page that is of use with a password only: guests are asked to keep their account first."""

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("keep_account")
        return view(request, *args, **kwargs)

    return checked


@never_cache
@require_POST
def play_at_once(request: HttpRequest) -> HttpResponse:
    """Make a guest of who is not signed in, and go on to ``next``, a page of this site."""
    ensure_user(request)
    return SeeOther(local(request, request.POST.get("next", "")))


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
@rate_limit(action="signup")  # type: ignore[untyped-decorator, no-untyped-call]
@login_required
def keep_account(request: HttpRequest) -> HttpResponseBase:
    """The same form as signing up, for who plays as a guest already."""
    assert isinstance(request.user, User)
    if not request.user.is_guest:
        return redirect("settings")
    form = KeepForm(request.user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            user, answer = form.try_save(request)
        except IntegrityError:
            form.add_error("username", _("Somebody has this name already. Choose another."))
        else:
            return answer or _kept(request, user)
    return render(request, "accounts/keep.html", {"form": form}, status=400 if form.errors else 200)


def _kept(request: HttpRequest, user: User) -> HttpResponse:
    carry_sessions(request, user)
    ask_to_confirm(request, user)
    messages.success(
        request, _("The account is yours: sign in as %(name)s anywhere. All your matches are here.") % {"name": user}
    )
    return SeeOther(reverse("games:tables"))


@never_cache
@require_POST
@login_required
def link_back(request: HttpRequest) -> HttpResponse:
    """Make the link to come back and show it, this once; or end it."""
    assert isinstance(request.user, User)
    if not request.user.is_guest:
        return SeeOther(reverse("settings"))
    if request.POST.get("do") == "end":
        back.end_link(request.user)
        messages.success(request, _("The link leads nowhere any more."))
        return SeeOther(reverse("keep_account"))
    link = request.build_absolute_uri(reverse("come_back", args=[back.make_link(request.user)]))
    return render(request, "accounts/link.html", {"link": link})


@quiet
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def come_back(request: HttpRequest, token: str) -> HttpResponse:
    """GET says whose link this is, POST signs in. Whatever only looks at an address signs nobody in."""
    guest = back.guest_of(token)
    if guest is None:
        raise Http404
    if request.user == guest:
        return redirect("games:tables")
    if request.method == "POST":
        limits.spend("come_back", request)
        sign_in_guest(request, guest)
        return SeeOther(reverse("games:tables"))
    return render(request, "accounts/come_back.html", {"guest": guest})


def sign_in(request: HttpRequest) -> HttpResponseBase:
    """The library's page, for guests too."""
    return _bringing_along(request, enter)


def second_step(request: HttpRequest) -> HttpResponseBase:
    """The library's page for the second factor, for guests too."""
    return _bringing_along(request, authenticate)


def _bringing_along(request: HttpRequest, enter: View) -> HttpResponseBase:
    """Who signs in from a guest's session may bring the matches along."""
    guest = request.user if isinstance(request.user, User) and request.user.is_guest else None
    if guest is None:
        return enter(request)
    request.user = AnonymousUser()  # the library sends on who is signed in; a wrong password leaves the guest as it is
    answer = enter(request)
    if not isinstance(request.user, User):
        request.user = guest
        return answer
    found = moving.offer(guest, request.user)
    if not found.moving:
        return answer
    moving.remember(request, guest)
    return SeeOther(f"{reverse('move_matches')}?{urlencode({'next': answer.get('Location', '')})}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def move_matches(request: HttpRequest) -> HttpResponse:
    """Asks whether the matches of the guest that one was shall move to this account, and does it."""
    assert isinstance(request.user, User)
    then = local(request, request.POST.get("next", "") or request.GET.get("next", ""))
    guest = moving.guest_before(request)
    if guest is None:
        return redirect(then)
    if request.method != "POST":
        found = moving.offer(guest, request.user)
        return render(request, "accounts/move.html", {"guest": guest, "offer": found, "next": then})
    if request.POST.get("answer") == "yes":
        n = moving.move(guest, request.user)
        said = ngettext("%(n)d match is yours now.", "%(n)d matches are yours now.", n)
        messages.success(request, said % {"n": n})
    moving.forget(request)
    return SeeOther(then)
