"""What a user was told of a match last, as the table says it: "Last notice: e-mail, 14:05"."""

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.models import Delivery, Match, Notice
from games.wording import moment

from .kinds import CHANNELS, EMAIL


def last_told(user: Any, match: Match) -> list[SafeString | str]:
    """Sentences: what came last and by which way, what waits, what failed."""
    mine = Delivery.objects.filter(notice__user=user.pk, notice__match=match)
    sent = mine.filter(state=Delivery.State.SENT).order_by("-sent_at").first()
    seen = Notice.objects.filter(user=user.pk, match=match, listed=True).order_by("-at", "-pk").first()
    told: list[SafeString | str] = []
    if sent is not None and sent.sent_at is not None:
        told.append(_say(_("Last notice: {channel}, {moment}"), sent.channel, sent.sent_at))
    elif seen is not None:
        told.append(_say(_("Last notice: {channel}, {moment}"), "page", seen.at))
    else:
        told.append(_("No notice yet."))
    waits = mine.filter(state=Delivery.State.PENDING, channel=EMAIL).order_by("due_at").first()
    if waits is not None:
        told.append(_say(_("A mail follows, {moment}, if it is still so."), EMAIL, waits.due_at))
    failed = mine.filter(state=Delivery.State.FAILED).order_by("-pk").first()
    if failed is not None and (sent is None or failed.pk > sent.pk):
        told.append(_say(_("The last notice could not be brought: {channel}."), failed.channel, failed.due_at))
    return told


def _say(text: str, channel: str, at: Any) -> SafeString:
    return format_html(text, channel=CHANNELS[channel], moment=moment(at))
