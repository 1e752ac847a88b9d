"""What was said at tables."""

from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Message
from games.moderation import fit, hiding
from games.phrases import words_of

from . import acts
from .acting import Acted


@admin.register(Message)
class MessageAdmin(Acted):
    """What was said at tables, newest first. It is what the players wrote; of their cards the site adds nothing."""

    list_display = ("id", "match_id", "user", "phrase", "text", "at", "hidden_at")
    narrowed_by = ("match", "user")
    list_select_related = ("user",)
    list_filter = (("hidden_at", admin.EmptyFieldListFilter), ("text", admin.EmptyFieldListFilter))
    search_fields = ("=match__id", "user__username")
    search_help_text = gettext_lazy("Number of a match, name of a user")
    ordering = ("-pk",)
    show_full_result_count = False
    fields = ("match", "user", "phrase", "text", "at", "hidden_at")


acts.register(
    Message,
    acts.Act(
        name="hide_message",
        label=gettext_lazy("Hide the message"),
        permission="hide_message",
        does=lambda message: (
            _("At the table all read “Hidden by a moderator.” instead of what %(name)s wrote: %(words)s")
            % {"name": message.user.shown_name, "words": words_of(message)}
        ),
        run=lambda by, message, data: hiding.hide(by, message, reason=data["reason"]),
        undo=lambda by, entry, reason: hiding.show(
            by, Message.objects.get(pk=entry.target_id or 0), reason=reason, undoes=entry
        ),
        fit=lambda by, message: fit.why_not(by, message.match),
        why_not=lambda by, message: _("This message is hidden already.") if message.hidden_at else "",
    ),
)
