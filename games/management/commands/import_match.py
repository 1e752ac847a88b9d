"""``manage.py import_match file.json``: read a match in that was exported here or elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.importing import LARGEST, NotTrue, read_in


class Command(BaseCommand):
    """Plays the match of a file again and keeps it apart from all others, or says what is not true in it."""

    help = "Read a match in from a file (docs/match-file.md). It is played again, listed apart, and counts for nobody."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            with file.open("rb") as opened:
                data = opened.read(LARGEST + 1)
            row = read_in(data)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except NotTrue as why:
            raise CommandError(f"Nothing is imported. {why}") from why
        deals = len(row.told["deals"])
        self.stdout.write(f"Imported as number {row.pk}: {row.preset}, {row.players}, deals told: {deals}.")
