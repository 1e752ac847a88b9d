"""One transaction for one write. On SQLite writers also queue in the process, since waiters would poll the file."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from .models import Match

_queue = threading.RLock()


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that may write. Nested use joins the outer one."""
    if connection.vendor == "sqlite":
        with _queue, transaction.atomic():
            yield
    else:
        with transaction.atomic():
            yield


def locked(match_id: int) -> Match:
    """The match, its row locked until the transaction ends. Raises Match.DoesNotExist."""
    return Match.objects.select_for_update().get(pk=match_id)
