"""What pages, moves and the work behind them cost on a large generated site: queries, median and 95th percentile."""

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import observing, recomputing, sweep
from games.api import own_data, tokens
from games.models import Match

from . import present
from .client import CARD, SEEN
from .measures import percentile
from .pouring import settle
from .seasons import POURED, Seasons, Size

ROUNDS = 30
SAMPLE = 3
"""So many users' summaries are made anew, the busiest first, to see that they are the same."""
HOST = {"host": "127.0.0.1"}


def figures(size: Size, rounds: int = ROUNDS) -> Iterator[tuple[str, Any]]:
    """Names and values as they are found: generate, ask for each page as its reader, count, make anew."""
    made = Seasons(size, seed=1)
    yield _timed("generated_s", made.past)
    matches = present.begin(made)
    settle(*POURED)
    for model in POURED:
        yield f"rows_{model._meta.model_name}", model._default_manager.count()
    user, other = made.users[:2]
    yield _timed("observe_anew_s", lambda: observing.observe(timezone.now(), anew=True))
    both = {one.pk: _signed_in(one) for one in made.users[:2]}
    yield from _moves(both, matches)
    for name, act in _acts(both[user.pk], user, other):
        yield from _measure(name, act, rounds)
    yield _timed("own_data_s", lambda: own_data.packed(user).close())
    yield from _made_anew(made)


def _made_anew(made: Seasons) -> Iterator[tuple[str, Any]]:
    """How long it takes to make the summaries of a few users and all ratings anew, and how many rows were different."""
    different = list[int]()

    def summed(user: int) -> None:
        different.append(recomputing.summaries_of(user))

    for one in made.users[:SAMPLE]:
        yield _timed(f"summaries_{one.username}_s", partial(summed, one.pk))
    yield _timed("all_ratings_s", lambda: different.append(recomputing.all_ratings()[1]))
    yield "different_rows", sum(different)


def _acts(client: Client, user: Any, other: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is measured, by name."""
    page = f"/players/{user.username}/"
    boards = "/leaderboards/?family=gin&kind=correspondence"
    for name, address in {
        "profile": page,
        "profile_of_a_preset": f"{page}?preset=gin",
        "profile_with_one": f"{page}?name={other.username}",
        "leaderboard": boards,
        "last_of_leaderboard": f"{boards}&page=999",
        "two_people": f"{page}{other.username}/",
        "own_tables": "/tables/",
        "lobby": "/lobby/",
        "observatory": "/observatory/",
    }.items():
        yield name, partial(_get, client, address)
    key = tokens.make(user, "bench", "own")
    program = Client(headers=HOST | {"authorization": f"Bearer {key}"})
    first = Match.objects.filter(seats__user=user).earliest("pk").pk
    yield "own_matches_first", partial(_get, program, "/api/v1/me/matches")
    yield "own_matches_last", partial(_get, program, f"/api/v1/me/matches?before={first + 1}")
    yield "observe_a_day", lambda: observing.observe(timezone.now() + timedelta(days=1))
    yield "sweep", sweep.sweep


def _signed_in(user: Any) -> Client:
    client = Client(headers=HOST)
    client.force_login(user)
    return client


def _get(client: Client, address: str) -> str:
    answer = client.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answers {answer.status_code}")
    return str(answer.content.decode())


def _moves(clients: dict[int, Client], matches: list[Match]) -> Iterator[tuple[str, Any]]:
    """A draw and a discard in each match, by HTTP as htmx sends them."""
    taken, queries = list[float](), list[int]()
    for match in Match.objects.filter(pk__in=[match.pk for match in matches]):
        client = clients[match.seats.get(index=match.turn or 0).user_id or 0]
        page = _get(client, f"/matches/{match.pk}/")
        for act in ({"do": "draw_stock"}, {"do": "discard"}):
            sent = act | {"seen": SEEN.findall(page)[0], "card": (CARD.findall(page) or [""])[0]}
            with CaptureQueriesContext(connection) as captured:
                began = time.perf_counter()
                page = client.post(f"/matches/{match.pk}/act/", sent, headers={"HX-Request": "true"}).content.decode()
                taken.append((time.perf_counter() - began) * 1000)
                queries.append(len(captured))
        match.refresh_from_db()
        if match.moves < 2:
            raise RuntimeError(f"nobody has moved in match {match.pk}")
    yield "move_queries", max(queries)
    yield from _spread("move", taken)


def _timed(name: str, act: Callable[[], object]) -> tuple[str, float]:
    """The seconds that something takes."""
    began = time.perf_counter()
    act()
    return name, time.perf_counter() - began


def _measure(name: str, act: Callable[[], object], rounds: int) -> Iterator[tuple[str, Any]]:
    """Queries and milliseconds, once the caches are warm."""
    act()
    with CaptureQueriesContext(connection) as queries:
        act()
        yield f"{name}_queries", len(queries)  # the next request forgets them
    taken, worked = list[float](), list[float]()
    for _round in range(rounds):
        before = time.process_time()
        taken.append(1000 * _timed(name, act)[1])
        worked.append(1000 * (time.process_time() - before))
    yield from _spread(name, taken)
    yield f"{name}_cpu_ms", statistics.median(worked)  # of this process: what it would take on an idle machine


def _spread(name: str, taken: list[float]) -> Iterator[tuple[str, Any]]:
    """Median and 95th percentile of milliseconds."""
    yield f"{name}_ms", statistics.median(taken)
    yield f"{name}_ms_p95", percentile(taken, 0.95)
