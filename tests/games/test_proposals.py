"""A proposal that was refused is not made again at once: the site says when, and the button too."""

import datetime as dt
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games import agreements, presence
from games.seats import Refusal

from .playing import mover, opened

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

NOON = dt.datetime(2026, 6, 5, 12, tzinfo=dt.UTC)


def refused(match, asking, saying_no, kind):
    agreements.propose(match.pk, asking, kind)
    agreements.answer(match.pk, saying_no, yes=False)


def page(user, match, name="time"):
    client = Client()
    client.force_login(user)
    return client.get(reverse(f"games:{name}", args=[match.pk])).content.decode()


def test_a_pause_that_was_refused_is_asked_for_again_after_six_hours(ann, bob):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob)
        mover(match)
        refused(match, ann, bob, "pause")
        clock.shift(timedelta(hours=5, minutes=59))
        with pytest.raises(Refusal, match="The answer was no a short while ago"):
            agreements.propose(match.pk, ann, "pause")
        shown = page(ann, match)
        assert "Propose a pause again from <time" in shown and "6 p.m." in shown
        assert shown.count('disabled class="btn"') == 1
        assert "Propose a pause</button>" in page(bob, match), "who said no may ask himself"
        clock.shift(timedelta(minutes=1))
        assert "Propose a pause</button>" in page(ann, match)
        agreements.propose(match.pk, ann, "pause")


def test_what_was_taken_back_or_refused_to_another_is_no_refusal(ann, bob):
    with time_machine.travel(NOON, tick=False):
        match = opened(ann, bob)
        mover(match)
        agreements.propose(match.pk, ann, "pause")
        agreements.withdraw(match.pk, ann)
        refused(match, ann, bob, "pause")
        agreements.propose(match.pk, bob, "pause")
        agreements.answer(match.pk, ann, yes=True)
        match.refresh_from_db()
        assert match.paused_at is not None


def test_going_live_is_asked_for_again_after_a_minute(ann, bob):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob)
        mover(match)
        for user in (ann, bob):
            presence.came(match.pk, user.pk)
        assert "All are here: go live?" in page(ann, match, "match")
        refused(match, ann, bob, "live")
        with pytest.raises(Refusal, match="Leave a little more time"):
            agreements.propose(match.pk, ann, "live")
        assert "Propose to go live again from <time" in page(ann, match)
        assert "All are here: go live?" not in page(ann, match, "match")
        clock.shift(timedelta(minutes=1))
        for user in (ann, bob):
            presence.came(match.pk, user.pk)
        assert "Propose to go live</button>" in page(ann, match)
        agreements.propose(match.pk, ann, "live")
