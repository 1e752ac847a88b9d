"""Cases of FAULTS.md about time, ends and notices that no other test holds exactly as they are written there.

The others stand where their topic stands; each module says so beside the case.
"""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games import lists, lobby, sweep
from games.models import Match, Notice
from games.notices import work
from games.rules.actions import Discard, DrawStock

from .playing import do, legal, mover, opened
from .push_service import push_service

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def plain_turn(match, user):
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))


def overdue(match):
    """A minute after the deadline the sweep looks, and once more; whose turn it was."""
    user = mover(match)
    with time_machine.travel(match.due_at + timedelta(minutes=1, seconds=1), tick=False):
        sweep.sweep()
        between = Match.objects.filter(pk=match.pk).values().get()
        sweep.sweep()
        assert Match.objects.filter(pk=match.pk).values().get() == between
    match.refresh_from_db()
    return user


def where(user, match):
    """In which lists of a user a match stands."""
    mine = lists.mine(user)
    return [
        name
        for name in ("await_me", "invited", "kept", "waiting", "open", "ended")
        for row in getattr(mine, name)
        if row.match.pk == match.pk
    ]


# --- B15, B35: nobody looks, and the end comes all the same


def test_b15_a_match_that_nobody_opens_ends_once_by_the_clock_and_both_are_told_once(ann, bob):
    match = opened(ann, bob)
    user = overdue(match)
    plain_turn(match, mover(match))
    assert overdue(match) == user

    assert (match.status, match.ending) == ("over", "abandoned")
    for one in (ann, bob):
        assert Notice.objects.filter(user=one, match=match, kind="match_over").count() == 1
        assert where(one, match) == ["ended"]
    assert Notice.objects.filter(match=match, kind="clock_played").count() == 2


def test_the_clock_passes_an_upcard_for_who_is_overdue(ann, bob):
    match = opened(ann, bob, preset="gin")
    user = overdue(match)

    assert list(match.tape.filter(by="clock").values_list("action__type", flat=True)) == ["pass"]
    assert mover(match) != user


# --- B27: notices reach whom they are for


def test_b27_one_notice_for_the_other_on_both_devices_and_reading_on_one_clears_both(ann, bob, settings):
    with push_service() as service:
        settings.PUSH_LOCAL = service.where
        phone, desk = Client(), Client()
        for client, name in ((phone, "phone"), (desk, "desk")):
            client.force_login(bob)
            assert client.post(reverse("games:push_on"), service.browser(name).form()).status_code == 303
        match = opened(ann, bob, pace="1d")
        if mover(match) == bob:
            plain_turn(match, bob)
        Notice.objects.all().delete()
        plain_turn(match, ann)

        work.once()
        work.once()

    told = Notice.objects.filter(kind="your_turn")
    assert [(one.user_id, one.read_at) for one in told] == [(bob.pk, None)]
    assert sorted(path for path, _headers, _body in service.got) == ["/push/desk", "/push/phone"]
    phone.get(reverse("games:match", args=[match.pk]))
    assert desk.get(reverse("games:badge")).json()["notices"] == 0


# --- B30: the own name in every spelling


@pytest.mark.parametrize("name", ["ann", "ANN", " Ann ", "ann@example.org"])
def test_b30_nobody_invites_himself_whatever_he_calls_himself(ann, name):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    before = list(match.seats.values_list("driver", "user"))
    client = Client()
    client.force_login(ann)

    answer = client.post(reverse("games:invite", args=[match.pk]), {"name": name})

    assert answer.status_code == 409
    told = answer.content.decode()
    assert "You cannot invite yourself." in told or "There is no player of this name." in told
    assert list(match.seats.values_list("driver", "user")) == before


def test_b30_a_friend_who_is_asked_twice_is_kept_one_seat(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    client = Client()
    client.force_login(ann)
    for status in (302, 409):
        assert client.post(reverse("games:invite", args=[match.pk]), {"name": "bob"}).status_code == status

    assert match.seats.filter(user=bob).count() == 1
