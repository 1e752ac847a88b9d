"""``manage.py doctor``: look at a running site and say in sentences what is wrong. Changes nothing."""

import ipaddress
import os
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from games import nudge
from games.models import Match, Seat
from games.paces import PACES

User = get_user_model()

BEHIND = timedelta(seconds=60)
"""A sweep that has left a due match alone for so long does not run."""
NAMED = 10
"""So many matches are named one by one."""


class Command(BaseCommand):
    """Exit status 1 when something is wrong, so that a timer can call it."""

    help = "Look for stuck matches, a sweep that is behind, and mistakes in the set-up."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            complaints = list(migrations()) or [sentence for look in LOOKS for sentence in look()]
        except DatabaseError as error:
            complaints = [f"The database does not answer ({type(error).__name__})."]
        for sentence in complaints:
            self.stdout.write(sentence)
        if complaints:
            sys.exit(1)
        self.stdout.write("All is well.")


def migrations() -> Iterator[str]:
    """Migrations that have not run. Before they have there is nothing else to look at."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _back in plan[:NAMED])
        yield f"Migrations that have not run: {names}. Run: manage.py migrate"


def channel_layer() -> Iterator[str]:
    """Whether browsers can be told of moves."""
    layer = get_channel_layer()
    if layer is None:
        yield "There is no channel layer, so browsers are told of moves only when they ask. Check REDIS_URL."
        return
    try:
        async_to_sync(nudge.send)(layer, ["doctor"], {"type": "nothing"}, nudge.WAIT)
    except Exception as error:
        yield f"The channel layer does not answer ({type(error).__name__}). Is Redis running?"


def sweep_behind() -> Iterator[str]:
    """Matches in which the site should have acted long ago."""
    limit = timezone.now() - BEHIND
    due = Match.objects.filter(status=Match.Status.RUNNING, wake_at__lt=limit).order_by("wake_at")
    if oldest := due.first():
        yield (
            f"The sweep is behind: {due.count()} matches are overdue, the first is match {oldest.pk} "
            f"since {oldest.wake_at:%F %T} UTC. "
            "Start the server with EMBEDDED_WORKER=1, or run: manage.py sweep --loop"
        )


def stuck_matches() -> Iterator[str]:
    """Running matches that wait for nobody: no deadline and no act of the site, though their pace demands one."""
    person = Seat.objects.filter(match=OuterRef("pk"), index=OuterRef("turn"), driver=Seat.Driver.USER)
    timeless = [name for name, pace in PACES.items() if pace.kind == "none"]
    running = Match.objects.filter(status=Match.Status.RUNNING).annotate(awaits_person=Exists(person))
    without_alarm = Q(wake_at=None) & ~Q(awaits_person=True, pace__in=timeless)
    without_deadline = Q(awaits_person=True, due_at=None, paused_at=None) & ~Q(pace__in=timeless)
    early = Q(awaits_person=True, wake_at__lt=F("due_at"))
    for match in running.filter(without_alarm | without_deadline | early).order_by("pk")[:NAMED]:
        yield f"Match {match.pk} is stuck: it runs without a deadline or an alarm that fits its turn."


def demo_players() -> Iterator[str]:
    """Demo players where others can reach them: their passwords lie in a file."""
    count = User.objects.filter(is_demo=True, is_active=True).count()
    if count and in_production():
        yield f"There are {count} demo players on a site that others can reach. Close their accounts."


def in_production() -> bool:
    """Whether the site is set up to be reached from elsewhere."""
    host = os.environ.get("HOST", "127.0.0.1")
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = host == "localhost"
    return not loopback or settings.SESSION_COOKIE_SECURE


LOOKS: tuple[Callable[[], Iterator[str]], ...] = (
    channel_layer,
    stuck_matches,
    sweep_behind,
    demo_players,
)
