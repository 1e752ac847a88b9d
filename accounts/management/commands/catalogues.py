"""``./run manage catalogues``: bring the message catalogues in locale/ up to date with the site's texts."""

from typing import Any

from django.conf import settings
from django.core.management import BaseCommand
from django.utils.translation import to_locale

from accounts.catalogues import update


class Command(BaseCommand):
    """For translators: new texts appear empty, texts that are gone leave. Needs requirements-dev.txt."""

    help = "Collect the site's texts into locale/ for translators."

    def handle(self, *args: Any, **options: Any) -> None:
        for code, _name in settings.LANGUAGES:
            if code != settings.LANGUAGE_CODE:
                self.stdout.write(f"{code}: {update(to_locale(code))} texts lack a translation")
