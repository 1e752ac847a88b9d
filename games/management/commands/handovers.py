"""``manage.py handovers``: how often a person has to come back in a deal, with standing orders and without."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from games.bench.handovers import measure
from games.rules.catalog import PRESETS


class Command(BaseCommand):
    """The same deals of easy bots are played twice, once leaving an order after each turn. Touches no database."""

    help = "Measure how many hand-overs of a deal standing orders save. The same seed gives the same figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--preset", default="gin", choices=[preset.name for preset in PRESETS])
        parser.add_argument("--deals", type=int, default=500, metavar="N", help="deals played both ways (500)")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        found = measure(options["preset"], options["deals"], options["seed"])
        self.stdout.write(
            f"{options['preset']}: {found.without:.2f} hand-overs a deal, with orders {found.with_orders:.2f}: "
            f"{found.share:.1%} (95 % interval {found.low:.1%} to {found.high:.1%}, {options['deals']} deals)"
        )
