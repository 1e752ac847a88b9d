"""``manage.py observe``: count all ended deals for the observatory, on from the last time or all of them anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from django.utils import timezone

from games.observing import observe


class Command(BaseCommand):
    """What the background work does once a day. May run at any time and beside another."""

    help = "Count the ended deals for the page /observatory/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--anew", action="store_true", help="drop what was counted, and count all deals again")

    def handle(self, *args: Any, **options: Any) -> None:
        deals = observe(timezone.now(), anew=options["anew"])
        self.stdout.write(f"Deals counted in all: {deals}.")
