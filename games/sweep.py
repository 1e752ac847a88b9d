"""Acts on all rows that are due: the judge of the clock, the driver of dealers and bots, the teller of vacations,
and who asks the bench for a seat again.

Runs inside the server (background.py) or as ``manage.py sweep``; two sweeps at once never do a thing twice, since each
act locks its match and looks again.
"""

import logging
import threading
from collections.abc import Callable

from django.db import connection
from django.utils import timezone

from . import absence, background, vacations
from .models import Match
from .play import drive

log = logging.getLogger(__name__)


def sweep() -> int:
    """Drive every match in which the site has something to do, those due longest first. Returns how many there were.

    No limit: matches that cannot be driven must never keep the others from their turn.
    """
    _try("a vacation could not be told to its tables", vacations.tell_tables)
    _try("the bench could not be asked", absence.ask_others)
    due = Match.objects.filter(status=Match.Status.RUNNING, wake_at__lte=timezone.now()).order_by("wake_at", "pk")
    matches = list(due.values_list("pk", flat=True))
    for match_id in matches:
        try:
            drive(match_id)
        except Exception:
            log.exception("match %s could not be driven", match_id)
    return len(matches)


def _try(failure: str, act: Callable[[], int]) -> None:
    """Whatever fails here keeps no match from its turn."""
    try:
        act()
    except Exception:
        log.exception(failure)


def sweep_in_thread() -> None:
    """A sweep in a thread of its own, with a connection that it closes."""
    try:
        sweep()
    finally:
        connection.close()


def wake_late(match_id: int) -> None:
    """Drive one match whose time has passed long since. Where no server loop runs (runserver) in a thread."""
    if background.server_loop() is not None:
        background.wake()
        return

    def late() -> None:
        try:
            drive(match_id)
        finally:
            connection.close()

    threading.Thread(target=late, daemon=True).start()
