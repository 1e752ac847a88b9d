"""What the pages that add up results cost with generated data: queries, milliseconds, and making everything anew."""

import time
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import recomputing

from .seasons import Size, make

ROUNDS = 9


def figures(size: Size) -> dict[str, Any]:
    """Generate, make ratings and summaries of it, and ask for each page as its reader."""
    found = dict[str, Any]()
    users = _timed(found, "generated_s", lambda: make(size))
    _timed(found, "ratings_s", recomputing.all_ratings)
    _timed(found, "summaries_s", lambda: list(recomputing.all_summaries(missing=True)))
    _analyse()
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(users[0])
    one, other = users[0].username, users[1].username
    pages = {
        "leaderboard": "/leaderboards/?family=gin&kind=correspondence",
        "last_of_leaderboard": "/leaderboards/?family=gin&kind=correspondence&page=999",
        "two_people": f"/players/{one}/{other}/",
        "profile": f"/players/{one}/",
    }
    for name, address in pages.items():
        found[f"{name}_queries"], found[f"{name}_ms"] = _page(client, address)
    return found


def _timed[T](found: dict[str, Any], name: str, act: Callable[[], T]) -> T:
    began = time.perf_counter()
    done = act()
    found[name] = time.perf_counter() - began
    return done


def _analyse() -> None:
    """Let the database know how much there is now, as it would by itself after a while."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _page(client: Client, address: str) -> tuple[int, float]:
    """(queries, median milliseconds) of a page."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answers {answer.status_code}")
    taken = []
    for _round in range(ROUNDS):
        began = time.perf_counter()
        client.get(address)
        taken.append((time.perf_counter() - began) * 1000)
    return len(queries), sorted(taken)[ROUNDS // 2]
