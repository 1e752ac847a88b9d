"""Notices on their way."""

from typing import ClassVar

from django.contrib import admin
from django.utils.translation import gettext_lazy

from games.models import Delivery

from .base import ReadOnly


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly):
    """Notices on their way, by state: whose, of what kind, and why one failed. No address."""

    opened_by: ClassVar = ("moderate", "operate")
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
