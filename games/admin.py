"""The administration of the game: read-only. No page, list, search or filter touches a column of secrecy.py.

Drafts are not here at all. Hands are shown to nobody while a deal runs, whatever the permission.
"""

from typing import TYPE_CHECKING, Any, ClassVar

import allauth.usersessions.admin  # noqa: F401  registered first, to be taken away below
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .models import Deal, Delivery, ImportedMatch, Match, Message, Move, Seat, Vacation
from .secrecy import SECRET_COLUMNS

User = get_user_model()

admin.site.unregister(UserSession)  # its page shows session keys: whoever reads one can read a hand


if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = admin.ModelAdmin


class ReadOnly(Base):
    """Lists and pages without a way to change anything. ``narrowed_by``: columns by which an address may narrow a list
    besides the filters; every other column is refused, since a filter by a hidden column tells it letter by letter.
    """

    actions = None
    list_per_page = 50
    narrowed_by: ClassVar[tuple[str, ...]] = ()

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        filters = [str(item[0] if isinstance(item, tuple) else item) for item in self.list_filter]
        allowed = {name.partition("__")[0] for name in (*self.narrowed_by, *filters, self.date_hierarchy or "")}
        return lookup.partition("__")[0] in allowed and super().lookup_allowed(lookup, value, request)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [*open_columns(self.model), *self.readonly_fields] if self.fields is None else list(self.fields)


def open_columns(model: type[Model]) -> list[str]:
    """The columns of a row that may be shown while a deal runs."""
    secret = SECRET_COLUMNS.get(model._meta.model_name or "", frozenset())
    return [field.name for field in model._meta.fields if field.name not in secret]


def _list_link(name: str, match_id: int, text: str) -> SafeString:
    address = reverse(f"admin:games_{name}_changelist")
    return format_html('<a href="{}?match={}">{}</a>', address, match_id, text)


class UserAdmin(ReadOnly):
    """Who has an account. Neither password nor sessions."""

    list_display = ("username", "display_name", "email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "language")
    search_fields = ("username", "display_name", "email")
    ordering = ("-date_joined", "-pk")
    date_hierarchy = "date_joined"
    fields = (
        *("username", "display_name", "email", "is_active", "is_staff", "is_superuser", "date_joined", "last_login"),
        *("closed_at", "language", "time_zone"),
    )


if not admin.site.is_registered(User):
    admin.site.register(User, UserAdmin)


@admin.register(Match)
class MatchAdmin(ReadOnly):
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
        return _list_link("seat", match.pk, _("The seats of this match"))

    @admin.display(description=gettext_lazy("deals"))
    def its_deals(self, match: Match) -> str:
        return _list_link("deal", match.pk, _("The deals of this match"))

    @admin.display(description=gettext_lazy("moves"))
    def its_moves(self, match: Match) -> str:
        return _list_link("move", match.pk, _("The moves of this match"))


@admin.register(Seat)
class SeatAdmin(ReadOnly):
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


@admin.register(Deal)
class DealAdmin(ReadOnly):
    """Deals: when, who dealt, how it ended. What was dealt stands in the score sheet, once it is over."""

    list_display = ("id", "match_id", "number", "dealer", "started_at", "ended_at")
    list_filter = ("match__preset", ("ended_at", admin.EmptyFieldListFilter))
    narrowed_by = ("match",)
    list_select_related = ("match",)
    search_fields = ("=match__id",)
    ordering = ("-pk",)
    readonly_fields = ("cards",)

    @admin.display(description=gettext_lazy("cards"))
    def cards(self, deal: Deal) -> str:
        if deal.ended_at is None:
            return _("This deal runs. Its cards and its secret are shown to nobody before its end.")
        sheet = reverse("games:sheet", args=[deal.match_id])
        return format_html('{} <a href="{}">{}</a>', _("This deal is over and public."), sheet, _("Score sheet"))


@admin.register(Move)
class MoveAdmin(ReadOnly):
    """The tapes. An action carries no secret; who made it (person, bot, clock) is told when the deal is over."""

    list_display = ("id", "match_id", "number", "deal", "seat", "action", "made_by", "at")
    list_filter = ("match__preset",)
    narrowed_by = ("match", "deal")
    list_select_related = ("match", "deal")
    search_fields = ("=match__id",)
    ordering = ("-pk",)
    show_full_result_count = False
    fields = ("match", "deal", "number", "seat", "action", "made_by", "at")

    @admin.display(description=gettext_lazy("by"))
    def made_by(self, move: Move) -> str:
        runs = move.deal is not None and move.deal.ended_at is None
        if move.by == Move.By.ORDER:  # told to nobody but its driver
            move.by = Move.By.USER
        return _("told after the deal") if runs else move.get_by_display()


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    """Notices on their way, by state: whose, of what kind, and why one failed. No address."""

    list_display = ("id", "user_name", "kind", "channel", "state", "due_at", "tries", "sent_at", "error")
    list_filter = ("state", "channel", "notice__kind")
    list_select_related = ("notice__user",)
    search_fields = ("notice__user__username",)
    ordering = ("-pk",)
    date_hierarchy = "due_at"
    show_full_result_count = False

    @admin.display(description=gettext_lazy("user"))
    def user_name(self, delivery: Delivery) -> str:
        return delivery.notice.user.username

    @admin.display(description=gettext_lazy("kind"))
    def kind(self, delivery: Delivery) -> str:
        return delivery.notice.kind


@admin.register(Message)
class MessageAdmin(ReadOnly):
    """What was said at tables, newest first. It is what the players wrote; of their cards the site adds nothing."""

    list_display = ("id", "match_id", "user", "phrase", "text", "at")
    narrowed_by = ("match", "user")
    list_select_related = ("user",)
    search_fields = ("=match__id", "user__username")
    ordering = ("-pk",)
    show_full_result_count = False
    fields = ("match", "user", "phrase", "text", "at")


@admin.register(ImportedMatch)
class ImportedMatchAdmin(ReadOnly):
    """Matches read in from files. They are no matches of this site, and nothing counts them."""

    list_display = ("id", "preset", "players", "imported_at")
    list_filter = ("preset",)
    search_fields = ("=id", "players")
    ordering = ("-pk",)
    fields = ("preset", "edition", "players", "digest", "imported_at", "its_page")
    readonly_fields = ("its_page",)

    @admin.display(description=gettext_lazy("page"))
    def its_page(self, match: ImportedMatch) -> str:
        return format_html('<a href="{}">{}</a>', reverse("games:imported", args=[match.pk]), match)
