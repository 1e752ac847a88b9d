"""Matches, their seats, and the vacations of their players."""

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Match, Seat, Vacation

from .acting import Acted
from .base import ReadOnly, list_link


@admin.register(Match)
class MatchAdmin(Acted):
    """Matches, newest first."""

    list_display = (
        *("id", "preset", "title", "opener", "pace", "status", "ending", "deal_number", "moves", "due_at"),
        *("bank", "weekend", "vacations", "paused_at", "live_at", "created_at", "ended_at"),
    )
    list_filter = ("status", "ending", "preset", "pace", "private", "vacations", "weekend")
    narrowed_by = ("opener", "rematch_of")
    list_select_related = ("opener",)
    search_fields = ("=id", "title", "opener__username", "seats__user__username")
    ordering = ("-created_at", "-pk")
    date_hierarchy = "created_at"
    readonly_fields = ("its_seats", "its_deals", "its_moves")

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
