"""Closing an account: what runs is given up first, others' matches stay whole, the name stays taken."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games import lobby, tables

from .playing import CUT, opened, play_on, seat_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def test_an_account_that_closes_gives_up_its_seats_and_stays_in_the_others_matches(ann, bob, cat):
    two, three = opened(ann, bob), play_on(opened(ann, bob, cat), turns=3)
    waiting = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    lobby.join(waiting.pk, bob, CUT)
    client = Client()
    client.force_login(ann)

    answer = client.post("/accounts/close/", {"password": "correct horse"})

    assert answer.status_code == 302
    for match in (two, three, waiting):
        match.refresh_from_db()
    assert (two.status, two.winners) == ("over", [seat_of(two, bob).index])
    assert (three.status, three.seats.get(user=ann).driver) == ("running", "bot")
    assert (waiting.status, waiting.opener) == ("open", bob)
    ann.refresh_from_db()
    assert (ann.email, ann.display_name, ann.is_active) == ("", "", False)
    assert not get_user_model().objects.filter(username__iexact="ann").exclude(pk=ann.pk).exists()


def test_a_closed_account_is_shown_as_a_deleted_player(ann, bob):
    match = play_on(opened(ann, bob), turns=2)
    client = Client()
    client.force_login(ann)
    client.post("/accounts/close/", {"password": "correct horse"})
    match.refresh_from_db()

    reader = Client()
    reader.force_login(bob)
    page = reader.get(f"/matches/{match.pk}/").content.decode()

    assert tables.board(match, bob).seats[0].closed_account
    assert "deleted player" in page
    assert ">ann<" not in page
