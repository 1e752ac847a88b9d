"""What was said at tables."""

from django.contrib import admin

from games.models import Message

from .acting import Acted


@admin.register(Message)
class MessageAdmin(Acted):
    """What was said at tables, newest first. It is what the players wrote; of their cards the site adds nothing."""

    list_display = ("id", "match_id", "user", "phrase", "text", "at")
    narrowed_by = ("match", "user")
    list_select_related = ("user",)
    search_fields = ("=match__id", "user__username")
    ordering = ("-pk",)
    show_full_result_count = False
    fields = ("match", "user", "phrase", "text", "at")
