"""Checks of a deployment."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError

from .models import User


@register(Tags.security, deploy=True)
def no_demo_players(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Demo players belong to a try on one's own machine: their passwords lie in a file and are printed at the start."""
    try:
        names = list(User.objects.filter(is_demo=True, closed_at=None).values_list("username", flat=True))
    except DatabaseError:
        return []  # no tables yet, so no players
    if not names:
        return []
    return [
        Error(
            f"There are demo players in the database: {', '.join(names)}.",
            hint="Begin with a database of its own (DATABASE_URL, VAR_DIR), or close these accounts.",
            id="accounts.E001",
        )
    ]


@register(Tags.security, deploy=True)
def somebody_can_be_reached(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """A site that keeps data of people names an address for their questions."""
    if settings.CONTACT:
        return []
    return [
        Warning(
            "The pages on privacy and contact name no address.",
            hint="Set CONTACT to an e-mail address, and OPERATOR to the name of who runs the site.",
            id="accounts.W001",
        )
    ]
