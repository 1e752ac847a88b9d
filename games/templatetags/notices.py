"""What pages need to show notices: the number at the bell, and when something was."""

from datetime import datetime
from typing import Any

from django import template

from games import wording
from games.notices import inbox

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_notices(context: dict[str, Any]) -> int:
    """How many notices of who is signed in are unread; one query."""
    return inbox.unread(context["user"])


@register.filter
def moment(at: datetime) -> str:
    """A moment in the reader's zone, as short as it is clear."""
    return wording.moment(at)
