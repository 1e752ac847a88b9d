"""A season of the whole site in fast time: persons, clocks, notices, and faults where a seed has placed them.

Small in the usual run; ``--full`` plays 200 users, 500 matches and 60 days.
"""

from datetime import timedelta

import pytest
import time_machine

from .push_service import push_service
from .season import START, Season, Size
from .season_people import GAMES
from .season_scenes import happened
from .smtp import mail_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

SMALL = Size(users=8, matches=1, days=3, idle=timedelta(minutes=90))
SHORT = tuple((preset, seats) for preset, seats in GAMES if preset != "hollywood-gin")
FULL = Size(
    users=200,
    matches=500,
    days=60,
    games=(*GAMES, *SHORT * 4),  # a match of hollywood gin is long
    targets=(10,),
    hands=(3, 3, 3, 3, 3, None),
    late=timedelta(minutes=45),
)


def test_a_season_loses_no_notice_plays_each_turn_once_and_leaves_no_match_stuck(settings, full):
    settings.SESSION_COOKIE_AGE = 90 * 86400
    with (
        time_machine.travel(START, tick=False) as clock,
        mail_server(settings) as post,
        push_service() as push,
    ):
        settings.PUSH_LOCAL = push.where
        season = Season(FULL if full else SMALL, 7, clock, post, push)
        season.run()
    print(season.figures())

    found = happened(season) | {"reminders chosen": season.done["reminders chosen"]}
    nothing = [what for what, times in found.items() if not times]
    assert not nothing, f"a check had nothing to judge: {nothing}"
    assert len(post.letters) > 10
    assert season.placed["crash"] > 1
    assert season.placed["after an answer"] > 0
