"""The simulated season finds what it is there for: with one thing of the site broken it fails, and says what.

Each break is played by a season of its own, which ends at the first thing that is wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest import mock

import pytest
import time_machine

from games import clock
from games.notices import events

from .push_service import push_service
from .season import START, Season, Size
from .smtp import mail_server

pytestmark = [pytest.mark.django_db(transaction=True)]

SMALL = Size(users=6, matches=6, days=3)


@contextmanager
def untold() -> Iterator[None]:
    """Now and then nobody is told that it is his turn."""
    real, rng = events._your_turn, Random(1)
    with mock.patch.object(events, "_your_turn", lambda *what: real(*what) if rng.random() > 0.1 else None):
        yield


@contextmanager
def alarmless() -> Iterator[None]:
    """Now and then nothing says when the site has to look at a match again."""
    real, rng = clock.set_alarm, Random(1)

    def set_alarm(match, *rest, **named):
        real(match, *rest, **named)
        match.wake_at = match.wake_at if rng.random() > 0.1 else None

    with mock.patch.object(clock, "set_alarm", set_alarm):
        yield


BREAKS = [(untold, "was not told of turn"), (alarmless, "waits for nobody")]


@pytest.mark.parametrize(("broken", "said"), BREAKS, ids=[broken.__name__ for broken, _said in BREAKS])
def test_a_season_of_a_broken_site_fails_and_says_why(settings, broken, said):
    settings.SESSION_COOKIE_AGE = 90 * 86400
    with (
        time_machine.travel(START, tick=False) as now,
        mail_server(settings) as post,
        push_service() as service,
        broken(),
    ):
        settings.PUSH_LOCAL = service.where
        with pytest.raises(AssertionError, match=said):
            Season(SMALL, 7, now, post, service).run()
