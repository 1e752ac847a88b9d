"""What the small parts about seats need, wherever they stand."""

from typing import Any

from django import template

from games.inviting import REASONS

register = template.Library()


@register.simple_tag
def decline_reasons() -> list[tuple[str, Any]]:
    """Why one may decline: key and sentence."""
    return REASONS
