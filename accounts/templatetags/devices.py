"""``{{ session.user_agent|device }}``."""

from django import template

from accounts.devices import device as named

register = template.Library()


@register.filter
def device(user_agent: str) -> str:
    """A browser in words."""
    return named(user_agent)
