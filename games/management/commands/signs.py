"""``manage.py signs``: look for signs for moderators now."""

import time
from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from games.moderation.signs import computing


class Command(BaseCommand):
    """What the background work does once a day. May run at any time and beside another."""

    help = "Look for signs for moderators in what has ended, and bring their rows up to date."

    def handle(self, *args: Any, **options: Any) -> None:
        begun = time.monotonic()
        found = computing.count(timezone.now())
        self.stdout.write(f"Signs found: {found}, in {time.monotonic() - begun:.1f} seconds.")
