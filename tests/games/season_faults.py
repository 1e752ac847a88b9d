"""Faults that a simulated season places: the server dies at a chosen moment, mail and push behave badly.

A process that dies is an exception that no code of the site catches; what it kept in memory goes with it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any
from unittest import mock

from django.db import connection

from games import nudge, tape

HOUR = timedelta(hours=1)


class Crash(BaseException):
    """The process has died."""


@contextmanager
def dying(at: int, where: Callable[[str, Any], bool] = lambda sql, params: True) -> Iterator[None]:
    """The process dies at its ``at``-th database statement of this kind, before it is done."""
    left = at

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal left
        if where(sql, params):
            left -= 1
            if left == 0:
                raise Crash
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield


def after_an_answer(sql: str, params: Any) -> bool:
    """The statement that writes down that something was sent: mail server or push service have it by then."""
    return sql.startswith('UPDATE "games_delivery"') and "sent" in tuple(params or ())


def before_the_nudge() -> Any:
    """The process dies when a move is committed and nobody has been told."""
    return mock.patch.object(nudge, "changed", side_effect=Crash)


def forget() -> None:
    """What a process that died had in memory."""
    tape._kept.clear()
    tape._rows.clear()
    connection.close()


class Weather:
    """When the mail server and the push service behave badly; drawn before the season, so that a seed gives the same.

    ``placed`` counts what may bring something twice: a server that has a letter and never says so, a push service that
    takes a message and answers that it cannot.
    """

    MAIL = ("shut", "451", "550", "drop")

    def __init__(self, rng: Random, post: Any, push: Any, days: int, placed: Counter[str]) -> None:
        self.post, self.push, self.placed = post, push, placed
        self.rng = rng
        self.spells = [(rng.uniform(0.2, days - 1), rng.choice(self.MAIL)) for _day in range(1 + days // 3)]
        self.spells[0] = (self.spells[0][0], "shut")

    def begins(self) -> list[tuple[timedelta, str, timedelta]]:
        """(after which time, mood of the mail server, for how long)."""
        return [(timedelta(days=day), mood, self._length(mood)) for day, mood in self.spells]

    def _length(self, mood: str) -> timedelta:
        return self.rng.uniform(2, 9) * HOUR if mood in ("shut", "451") else self.rng.uniform(0.3, 1.5) * HOUR

    def spoil_push(self) -> None:
        """The next answer of the push service is a bad one."""
        self.push.answers.append(self.rng.choice([500, 503, 429]))
