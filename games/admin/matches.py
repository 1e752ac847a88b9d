"""Matches, their seats, and the vacations of their players."""

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Deal, Match, Seat, Vacation
from games.moderation import stuck

from . import match_page
from .acting import Acted
from .base import ReadOnly, list_link
from .hands import SeesHands
from .places import ShowsPlaces


class StuckFilter(admin.SimpleListFilter):
    """Only the matches that run and do not move."""

    title = gettext_lazy("stuck")
    parameter_name = "stuck"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", gettext_lazy("Yes"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(pk__in=stuck.stuck().values("pk")) if self.value() == "yes" else queryset


@admin.register(Match)
class MatchAdmin(SeesHands, ShowsPlaces):
    """Matches, newest first."""

    list_display = (
        *("id", "preset", "opener", "pace", "rated", "status", "ending", "deal_number", "moves"),
        *("due_at", "created_at", "ended_at"),
    )
    list_filter = (StuckFilter, "status", "ending", "preset", "pace", "rated", "ruled", "private")
    narrowed_by = ("opener", "rematch_of")
    list_select_related = ("opener",)
    search_fields = ("=id", "title", "opener__username", "seats__user__username")
    search_help_text = gettext_lazy("Number of a match, words of its title, names of users")
    ordering = ("-created_at", "-pk")
    date_hierarchy = "created_at"
    show_full_result_count = False
    readonly_fields = ("its_seats", "its_deals", "its_moves")

    change_form_template = "admin/match.html"
    places_name = "addresses"
    places_need = "see_addresses"

    def whose(self, row: Match) -> list[int]:
        """All who sit there and who play for them."""
        seats = row.seats.values_list("user", "driven_by")
        return [user for pair in seats for user in pair if user is not None]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        match = self.get_object(request, object_id)
        if match is None or not self.has_view_permission(request, match):
            return super().change_view(request, object_id, form_url, extra_context)
        told = match_page.context(match, request.user, request.GET.get("deal", ""))
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **told})

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("opener")

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """A match with its deals: most acts ask for one of a kind, and each of them says whether there is any."""
        match = super().get_object(request, object_id, from_field)
        if match is not None:
            prefetch_related_objects([match], Prefetch("deals", Deal.objects.defer("record").order_by("-number")))
        return match

    @admin.display(description=gettext_lazy("seats"))
    def its_seats(self, match: Match) -> str:
        return list_link("seat", match.pk, _("The seats of this match"))

    @admin.display(description=gettext_lazy("deals"))
    def its_deals(self, match: Match) -> str:
        return list_link("deal", match.pk, _("The deals of this match"))

    @admin.display(description=gettext_lazy("moves"))
    def its_moves(self, match: Match) -> str:
        return list_link("move", match.pk, _("The moves of this match"))


@admin.register(Seat)
class SeatAdmin(Acted):
    """Places at matches."""

    list_display = (
        "id",
        "match_id",
        "index",
        "user",
        "driver",
        "driven_by",
        "bot_name",
        "bot_level",
        "missed",
        "gone",
        "bank",
        "given_up_at",
    )
    list_filter = ("driver", "bot_level", "gone")
    narrowed_by = ("match", "user")
    list_select_related = ("user", "driven_by")
    search_fields = ("=match__id", "user__username", "bot_name")
    ordering = ("-match_id", "index")


@admin.register(Vacation)
class VacationAdmin(ReadOnly):
    """Vacations, the latest first."""

    list_display = ("id", "user", "first_day", "last_day", "starts_at", "ends_at", "state")
    list_filter = ("state",)
    narrowed_by = ("user",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-starts_at", "-pk")
