"""Deals and the tapes of moves. No card of a deal that runs."""

from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Deal, Match, Move, Seat

from .acting import Acted
from .base import ReadOnly


@admin.register(Deal)
class DealAdmin(Acted):
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
    search_help_text = gettext_lazy("Number of a match")
    ordering = ("-pk",)
    show_full_result_count = False
    fields = ("match", "deal", "number", "seat", "action", "made_by", "at")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without what the reader plays himself: his table forgets by the terms of the match."""
        me = request.user.pk
        mine = Seat.objects.filter(Q(user=me) | Q(driven_by=me), match__status=Match.Status.RUNNING)
        own = Q(deal__ended_at=None, match__in=mine.values("match"))
        return super().get_queryset(request).exclude(own)

    @admin.display(description=gettext_lazy("by"))
    def made_by(self, move: Move) -> str:
        runs = move.deal is not None and move.deal.ended_at is None
        if move.by == Move.By.ORDER:  # told to nobody but its driver
            move.by = Move.By.USER
        return _("told after the deal") if runs else move.get_by_display()
