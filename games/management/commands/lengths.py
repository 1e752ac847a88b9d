"""``manage.py lengths``: measure how long matches are, and write it down for the page that opens them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand

from games import length_table
from games.bench.lengths import length_of
from games.rules.catalog import PRESETS

START = "LENGTHS: dict[tuple[str, int], Length] = {"


class Command(BaseCommand):
    """For every game and number of seats: deals of easy bots under the usual rules. Takes some minutes."""

    help = "Measure how long matches are, and write games/length_table.py. For developers, after a change of the rules."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--deals", type=int, default=300, metavar="N", help="deals of each game (300)")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        lines = []
        for preset in PRESETS:
            for seats in sorted(preset.hand_sizes):
                found = length_of(preset, seats, options["deals"], options["seed"])
                lines.append(f'    ("{preset.name}", {seats}): Length{tuple(found)},')
                self.stdout.write(lines[-1].strip())
                self.stdout.flush()
        path = Path(length_table.__file__)
        head = path.read_text().partition(START)[0]
        path.write_text("\n".join([head + START, *lines, "}", ""]))
