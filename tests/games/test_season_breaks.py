"""The simulated season finds what it is there for: with one thing of the site broken it fails, and says what.

Each break is played by the scenes of a season alone, which end at the first thing that is wrong. Those that show only
at the end of all run with ``--full``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest import mock

import pytest
import time_machine

from games import clock, pen
from games.models import Delivery
from games.notices import delivery, events, push, reminders, spread

from .push_service import push_service
from .season import START, Season, Size
from .smtp import mail_server

pytestmark = [pytest.mark.django_db(transaction=True)]

SCENES = Size(users=8, matches=0, days=2)


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


@contextmanager
def unreminded() -> Iterator[None]:
    """Nobody is reminded of his deadline."""
    with mock.patch.object(reminders, "_last", lambda seat, now: ""):
        yield


@contextmanager
def unspread() -> Iterator[None]:
    """Some notices are not given to their channels."""
    real, rng = spread._deliveries, Random(1)
    with mock.patch.object(spread, "_deliveries", lambda rows: [one for one in real(rows) if rng.random() > 0.1]):
        yield


@contextmanager
def new_name() -> Iterator[None]:
    """A letter that is tried again has another Message-ID."""
    real, rng = delivery._take, Random(1)

    def take(first, now):
        Delivery.objects.filter(pk=first.pk).update(message_id="")
        first.message_id = ""
        return real(first, now)

    with (
        mock.patch.object(delivery, "_take", take),
        mock.patch.object(delivery, "_message_id", lambda first: f"{rng.getrandbits(64):x}"),
    ):
        yield


@contextmanager
def twice() -> Iterator[None]:
    """The clock plays for the next seat too, at once."""
    real = pen.Pen.idle

    def idle(self):
        real(self)
        if self.match.status == "running" and self.tape.table.outcome is None:
            real(self)

    with mock.patch.object(pen.Pen, "idle", idle):
        yield


@contextmanager
def unpushed() -> Iterator[None]:
    """Some pushes are written down as sent, and are not."""
    real, rng = push.bring, Random(1)
    with mock.patch.object(push, "bring", lambda notice: real(notice) if rng.random() > 0.2 else 1):
        yield


@contextmanager
def unforgotten() -> Iterator[None]:
    """A device that is gone is tried again and again."""
    with mock.patch.object(push, "GONE", ()), mock.patch.object(push, "LATER", (404, 410, 429)):
        yield


AT_ONCE = [
    (untold, "was not told of turn"),
    (alarmless, "waits for nobody"),
    (unreminded, "a reminder did not come"),
]
AT_THE_END = [
    (unspread, "no (email|push) for"),
    (new_name, "that no delivery knows|written down as sent and never came"),
    (twice, "played two turns at the same moment|clock acted twice"),
    (unpushed, "pushes are written down as sent and never came"),
    (unforgotten, "is gone and was asked"),
]


def fails(settings, broken, said):
    settings.SESSION_COOKIE_AGE = 90 * 86400
    with (
        time_machine.travel(START, tick=False) as now,
        mail_server(settings) as post,
        push_service() as service,
        broken(),
    ):
        settings.PUSH_LOCAL = service.where
        with pytest.raises(AssertionError, match=said):
            Season(SCENES, 7, now, post, service).run()


@pytest.mark.parametrize(("broken", "said"), AT_ONCE, ids=[broken.__name__ for broken, _said in AT_ONCE])
def test_a_season_of_a_broken_site_fails_at_once_and_says_why(settings, broken, said):
    fails(settings, broken, said)


@pytest.mark.parametrize(("broken", "said"), AT_THE_END, ids=[broken.__name__ for broken, _said in AT_THE_END])
def test_a_season_of_a_broken_site_fails_in_the_end_and_says_why(settings, full, broken, said):
    if not full:
        pytest.skip("with --full: each plays all scenes to their end")
    fails(settings, broken, said)
