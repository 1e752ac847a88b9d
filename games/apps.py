"""The games app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Matches and their tables."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from . import checks  # noqa: F401  registers itself
