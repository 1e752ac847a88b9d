"""The site of the administration: for the staff only, who sign in by the site's own pages.

Its pages stand in admin/, which registers at it and so cannot hold it.
"""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from accounts import factors


class Site(AdminSite):
    """Takes pages of ours only (base.py): those that libraries bring could change rows, or show keys of sessions."""

    site_header = site_title = _("Rummysite administration")
    index_title = _("What waits")
    enable_nav_sidebar = False

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        from .admin.base import ReadOnly

        if admin_class is not None and issubclass(admin_class, ReadOnly):
            super().register(model_or_iterable, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        """Of the staff, and the second factor has been shown in this session."""
        return super().has_permission(request) and factors.shown(request)

    def get_urls(self) -> list[Any]:
        """The handbook stands beside the lists."""
        from .admin import handbook

        page, picture = self.admin_view(handbook.page), self.admin_view(handbook.picture)
        return [
            path("handbook/", page, name="handbook"),
            path("handbook/<slug:name>/", page, name="handbook_page"),
            path("handbook/<slug:name>.png", picture, name="handbook_picture"),
            *super().get_urls(),
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """What waits, for the roles of the reader, above all lists."""
        from .admin import home

        return super().index(request, {**(extra_context or {}), "sections": home.sections(request.user)})

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Signing in is the library's page. Who has shown a password only is led to the second step."""
        user = request.user
        if super().has_permission(request) and not factors.shown(request):
            if factors.has_one(user):
                inside = urlencode({"next": request.GET.get("next") or reverse("admin:index")})
                return redirect(f"{reverse('mfa_reauthenticate')}?{inside}")
            return redirect("mfa_index")
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)  # type: ignore[no-untyped-call]
        return answer

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Signing out is the site's own, which shuts what is open in the session."""
        from accounts.views import SignOut

        return SignOut.as_view()(request)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """So is a new password."""
        return redirect("account_change_password")
