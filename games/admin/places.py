"""Where players are signed in: devices for moderators, the addresses themselves for seniors. Each look is noted."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts import audit, roles, shared
from accounts.models import User

from .base import ReadOnly


class ShowsPlaces(ReadOnly):
    """A page with a list of devices behind it. ``whose``: of which users, by the row; ``places_need``: what it takes.

    Without the permission to see addresses the list leaves them out, and says which accounts share one.
    """

    places_name = "devices"
    places_need = "see_private"

    def whose(self, row: Any) -> list[int]:
        """Ids of the users, those of the row itself first."""
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(never_cache(self.places_view))
        name = f"{self.opts.app_label}_{self.opts.model_name}_{self.places_name}"
        return [path(f"<int:pk>/{self.places_name}/", view, name=name), *super().get_urls()]

    def places_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The devices, and for seniors their addresses. 403 without the permission."""
        row = self.get_object(request, str(pk))
        if not (roles.may(request.user, self.places_need) and self.has_view_permission(request, row)):
            raise PermissionDenied
        if row is None:
            raise Http404
        addresses = roles.may(request.user, "see_addresses")
        seen = {"user": row} if isinstance(row, User) else {"target": row}
        audit.saw(request.user, "addresses" if addresses else "devices", **seen)
        places = shared.places(self.whose(row), addresses=addresses)
        people = User.objects.in_bulk({user for place in places for user in (place.user, *place.others)})
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "row": row,
            "title": _("Devices and addresses") if addresses else _("Devices"),
            "back": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[pk]),
            "addresses": addresses,
            "places": [(people[one.user], one, [people[user] for user in one.others]) for one in places],
        }
        return TemplateResponse(request, "admin/places.html", context)
