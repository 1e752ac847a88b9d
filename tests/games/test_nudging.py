"""The one to move is nudged: once a turn, not too early, and what the table says of it."""

from datetime import timedelta

import pytest
import time_machine

from games import absence, agreements, lobby
from games.models import Match, Notice

from .leaving import NOON, client, text
from .playing import mover, opened

pytestmark = pytest.mark.django_db


def test_the_one_to_move_is_nudged_once_a_turn_and_not_too_early(ann, bob, cat):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob)
        awaited = mover(match)
        other = bob if awaited == ann else ann
        path = f"/matches/{match.pk}/"
        assert 'form="nudge"' not in text(other, path)
        early = client(other).post(path + "nudge/")
        assert early.status_code == 409 and "Leave a little more time" in early.content.decode()
        clock.shift(timedelta(hours=12, minutes=1))
        due = Match.objects.get(pk=match.pk).due_at
        assert 'form="nudge"' in text(other, path) and "has not looked at this table yet" in text(other, path)
        assert client(cat).post(path + "nudge/").status_code == 404
        assert client(awaited).post(path + "nudge/").status_code == 409
        assert client(other).post(path + "nudge/").status_code == 302
        again = client(other).post(path + "nudge/")
        assert again.status_code == 409 and "nudged already" in again.content.decode()
        assert 'form="nudge"' not in text(other, path) and "You nudged the player to move." in text(other, path)
        assert [(n.user, n.kind) for n in Notice.objects.filter(kind="nudged")] == [(awaited, "nudged")]
        assert Match.objects.get(pk=match.pk).due_at == due, "a nudge is no time"


def test_when_the_one_to_move_was_here_last_is_told_in_days(ann, bob):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob, pace="14d")
        awaited = mover(match)
        other = bob if awaited == ann else ann
        text(awaited, f"/matches/{match.pk}/")
        assert f"{awaited} has looked at this table today." in text(other, f"/matches/{match.pk}/")
        clock.shift(timedelta(days=3))
        assert f"{awaited} has not been at this table for 3 days." in text(other, f"/matches/{match.pk}/")


def test_nobody_is_nudged_while_a_match_rests(ann, bob):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob, pace="3d")
        awaited = mover(match)
        other = bob if awaited == ann else ann
        agreements.propose(match.pk, other, "pause")
        agreements.answer(match.pk, awaited, yes=True)
        clock.shift(timedelta(days=3))
        assert 'form="nudge"' not in text(other, f"/matches/{match.pk}/")
        with pytest.raises(lobby.Refusal, match="Nobody has to be nudged"):
            absence.nudge(match.pk, other)
