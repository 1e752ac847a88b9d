"""``manage.py prune``: let go of what is not kept. The server does it once a day by itself."""

from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from accounts.pruning import prune


class Command(BaseCommand):
    """Says in counts what it did; a second time there is nothing left to do."""

    help = "Close guests who have gone, drop ended sessions, forget old addresses."

    def handle(self, *args: Any, **options: Any) -> None:
        for what, count in prune(timezone.now()).items():
            self.stdout.write(f"{what.capitalize()}: {count}.")
