"""``manage.py recompute ratings``, ``recompute summaries``: make anew what matches add up to; say what differed."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from games import recomputing


class Command(BaseCommand):
    """May run while people play. Ratings take one transaction; summaries one for each user."""

    help = "Make ratings or summaries anew from results and Records, and say how many rows were different."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["ratings", "summaries"])
        parser.add_argument(
            "--missing", action="store_true", help="only summaries of users who played before there were any"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "ratings":
            counted, different = recomputing.all_ratings()
            self.stdout.write(f"Rated matches: {counted}. Rows that were different: {different}.")
            return
        done = list(recomputing.all_summaries(missing=options["missing"]))
        if done or options["verbosity"]:
            self.stdout.write(f"Users: {len(done)}. Rows that were different: {sum(found for _user, found in done)}.")
