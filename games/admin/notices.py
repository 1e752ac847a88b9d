"""Notices on their way, and sending once more what had failed."""

from typing import ClassVar

from django.contrib import admin
from django.utils.translation import gettext, gettext_lazy

from games.models import Delivery
from games.notices import again

from . import acts
from .acting import Acted


@admin.register(Delivery)
class DeliveryAdmin(Acted):
    """Notices on their way, by state: whose, of what kind, and why one failed. No address."""

    opened_by: ClassVar = ("moderate", "operate")
    list_display = ("id", "user_name", "kind", "channel", "state", "due_at", "tries", "sent_at", "error")
    list_filter = ("state", "channel", "notice__kind")
    list_select_related = ("notice__user",)
    search_fields = ("notice__user__username", "=error")
    search_help_text = gettext_lazy("Name of a user, or the whole error")
    ordering = ("-pk",)
    date_hierarchy = "due_at"
    show_full_result_count = False

    @admin.display(description=gettext_lazy("user"))
    def user_name(self, delivery: Delivery) -> str:
        return delivery.notice.user.username

    @admin.display(description=gettext_lazy("kind"))
    def kind(self, delivery: Delivery) -> str:
        return delivery.notice.kind


acts.register(
    Delivery,
    acts.Act(
        name="send_again",
        label=gettext_lazy("Send it again"),
        permission="operate",
        does=lambda delivery: gettext("It is sent again at once, unless it is no longer true or wanted by then."),
        run=lambda by, delivery, data: again.send_again(by, delivery, reason=data["reason"]),
        why_not=again.why_not,
    ),
)
