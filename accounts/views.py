"""Settings, and closing the account. Signing up, in and out are the library's pages in our clothes."""

import zoneinfo

from allauth.account.views import LogoutView, password_change
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from .closing import close, tell_signed_out
from .forms import CloseForm, SettingsForm
from .models import User
from .moving import guest_before


def forget(response: HttpResponse) -> HttpResponse:
    """Tell the browser to drop what it has kept of private pages."""
    response["Clear-Site-Data"] = '"cache", "storage"'
    return response


class SignOut(LogoutView):
    """Sign out by POST; GET asks."""

    def post(self, *args: object, **kwargs: object) -> HttpResponse:
        user_id = self.request.user.pk
        response = forget(super().post(*args, **kwargs))
        if user_id is not None:
            tell_signed_out(user_id)
        return response


def change_password(request: HttpRequest) -> HttpResponseBase:
    """The library's page; a new password ends the sessions elsewhere, whose open pages hear of it at once."""
    answer = password_change(request)
    if request.method == "POST" and answer.status_code == 302 and request.user.pk is not None:
        request.session.save()  # this device stays signed in, and has to be known for it
        tell_signed_out(request.user.pk)
    return answer


@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    """The settings page; what is saved applies to the very next page."""
    assert isinstance(request.user, User)
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        with translation.override(request.user.language or translation.get_language()):
            messages.success(request, _("Your settings are saved."))
        return redirect("settings")
    shown = {"form": form, "zones": sorted(zoneinfo.available_timezones()), "moving_from": guest_before(request)}
    return render(request, "accounts/settings.html", shown, status=400 if form.errors else 200)


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """The switcher in the footer: for guests a cookie, for users their setting too, or it would win over the cookie."""
    code = request.POST.get("language", "")
    if isinstance(request.user, User) and code in dict(settings.LANGUAGES) and check_for_language(code):
        User.objects.filter(pk=request.user.pk).update(language=code)
    return set_language(request)


@login_required
def close_account(request: HttpRequest) -> HttpResponse:
    """Say what closing means, ask for the password (guests have none: for a tick), and do it."""
    assert isinstance(request.user, User)
    form = CloseForm(request.user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        close(request.user)
        logout(request)
        messages.success(request, _("Your account is closed. Thank you for having played here."))
        return forget(redirect("games:home"))
    return render(request, "accounts/close.html", {"form": form}, status=400 if form.errors else 200)
