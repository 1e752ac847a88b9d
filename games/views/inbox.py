"""The page of notices, the devices that are told by push, and the private addresses of calendar and feed."""

import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Feed
from games.notices import devices, endpoints, inbox, keys, push
from rummysite import limits

from .answers import SeeOther

LENGTH = 30
"""Notices on a page."""


@never_cache
@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """What I have been told, the newest first."""
    page = Paginator(inbox.listed(request.user), LENGTH).get_page(request.GET.get("page"))
    context = {"page": page, "lines": inbox.lines(page.object_list), "unread": inbox.unread(request.user)}
    return render(request, "games/notices.html", context)


@never_cache
@require_POST
@login_required
def read_all(request: HttpRequest) -> HttpResponse:
    """All of them are read, on all devices."""
    inbox.read_all(request.user)
    return SeeOther(reverse("games:notices"))


@never_cache
@require_safe
@login_required
def places(request: HttpRequest) -> HttpResponse:
    """Where I am told besides the site: devices by push, and the private addresses of calendar and feed."""
    mine = devices.here(request)
    context = {
        "devices": devices.told(request.user.pk),
        "here": mine,
        "known": hashlib.sha256(mine.endpoint.encode()).hexdigest() if mine else "",
        "push_key": push.public_key(),
        "made": set(Feed.objects.filter(user=request.user.pk).values_list("kind", flat=True)),
    }
    return render(request, "games/devices.html", context)


@never_cache
@require_POST
@login_required
def push_on(request: HttpRequest) -> HttpResponse:
    """Tell this device by push from now on; push.js fills the form in."""
    limits.spend("device", request, request.user)
    told = [request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")]
    try:
        devices.switch_on(request, *told)
    except endpoints.Unfit:
        messages.error(request, _("This browser's push service is not known here, so nothing was switched on."))
    else:
        messages.success(request, _("This device will be told."))
    return SeeOther(f"{reverse('games:devices')}#push")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def push_again(request: HttpRequest) -> HttpResponse:
    """For the service worker, whose browser has changed the subscription by itself: GET tells what it needs for another
    one, POST has that. Only for a device that is told; nothing is switched on here.
    """
    if not request.user.is_authenticated or devices.here(request) is None:
        raise Http404
    if request.method != "POST":
        return JsonResponse({"key": push.public_key(), "token": get_token(request)})
    limits.spend("device", request, request.user)
    try:
        devices.switch_on(request, *(request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")))
    except endpoints.Unfit:
        return HttpResponse(status=400)
    return HttpResponse(status=204)


@never_cache
@require_POST
@login_required
def push_off(request: HttpRequest, device: int) -> HttpResponse:
    """Tell one of my devices no longer."""
    if not devices.switch_off(request.user, device):
        raise Http404
    messages.success(request, _("That device will be told nothing more."))
    return SeeOther(f"{reverse('games:devices')}#push")


@never_cache
@require_POST
@login_required
def address(request: HttpRequest, kind: str) -> HttpResponse:
    """Make a private address and show it, this once; or end it."""
    if kind not in Feed.Kind.values:
        raise Http404
    which = Feed.Kind(kind)
    if request.POST.get("do") == "end":
        keys.end(request.user, which)
        messages.success(request, _("The address leads nowhere any more."))
        return SeeOther(f"{reverse('games:devices')}#addresses")
    name = "games:calendar" if which == Feed.Kind.CALENDAR else "games:feed"
    link = request.build_absolute_uri(reverse(name, args=[keys.make(request.user, which)]))
    return render(request, "games/address.html", {"link": link, "kind": kind})
