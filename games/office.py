"""The site of the administration: for the staff only, who sign in by the site's own pages.

Its pages stand in admin/, which registers at it and so cannot hold it.
"""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _


class Site(AdminSite):
    """Takes pages of ours only (base.py): those that libraries bring could change rows, or show keys of sessions."""

    site_header = site_title = _("Rummysite administration")
    index_title = _("Administration")
    enable_nav_sidebar = False

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        from .admin.base import ReadOnly

        if admin_class is not None and issubclass(admin_class, ReadOnly):
            super().register(model_or_iterable, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Signing in is the library's page, with its limits and second factors."""
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)  # type: ignore[no-untyped-call]
        return answer
