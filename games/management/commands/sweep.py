"""``manage.py sweep``: do what is due in all matches, once or for ever. Any number of them may run.

Brings the notices that are due as well. With --loop also the daily pruning and counting, as the server does.
"""

import logging
import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import close_old_connections

from accounts import pruning
from games import habits, observing, sweep
from games.notices import work

log = logging.getLogger(__name__)


class Command(BaseCommand):
    """The judge of the clock and the driver of dealers and bots, outside the server."""

    help = "Do what is due in all matches: deal, shuffle, move bots, play for those whose time is over."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on until the process is told to stop")
        parser.add_argument("--interval", type=float, default=1.0, metavar="SECONDS", help="between two looks (1)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["interval"] <= 0:
            raise CommandError("The interval has to be more than 0 seconds.")
        if options["loop"]:
            self._for_ever(options["interval"])
            return
        done = sweep.sweep()
        work.once()
        self.stdout.write(f"Matches in which something was due: {done}.")

    def _for_ever(self, interval: float) -> None:
        stop = threading.Event()
        before = {name: signal.signal(name, lambda *_args: stop.set()) for name in (signal.SIGINT, signal.SIGTERM)}
        while not stop.is_set():
            close_old_connections()
            try:
                work.look()
                sweep.sweep()
                pruning.look()
                habits.look()
                observing.look()
            except Exception:
                log.exception("the sweep failed; it goes on")
            stop.wait(interval)
        work.finish()
        for name, handler in before.items():
            signal.signal(name, handler)
