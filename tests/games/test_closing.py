"""Closing an account: what runs is given up first, others' matches stay whole, the name stays taken."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings

from accounts.closing import close
from games import lobby, tables, vacations
from games.models import BenchPlace, Vacation

from .playing import CUT, opened, play_on
from .sitting import ended

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
    assert (two.status, two.ending, two.winners) == ("over", "abandoned", [])
    assert (three.status, three.seats.get(user=ann).driver) == ("running", "bot")
    assert (waiting.status, waiting.opener) == ("open", bob)
    ann.refresh_from_db()
    assert (ann.email, ann.display_name, ann.is_active) == ("", "", False)
    assert not get_user_model().objects.filter(username__iexact="ann").exclude(pk=ann.pk).exists()


def test_an_account_that_closes_leaves_no_vacation_and_no_place_on_the_bench(ann):
    today = vacations.today_of(ann)
    vacations.plan(ann, today, today)
    BenchPlace.objects.create(user=ann, preset="basic-rummy", kind=BenchPlace.Kind.CORRESPONDENCE)

    close(ann)

    assert not Vacation.objects.exists()
    assert not BenchPlace.objects.exists()


def test_what_is_begun_in_another_window_while_an_account_closes_is_given_up_too(ann, bob, monkeypatch):
    late = []

    def give_up_and_open(user):
        lobby.give_up_all(user)
        if not late:
            late.append(lobby.open_match(user, "basic-rummy", seats=["open"], pace="1d"))

    monkeypatch.setattr(lobby, "give_up_all_and_open", give_up_and_open, raising=False)
    with override_settings(ACCOUNT_BEFORE_CLOSE=["games.lobby.give_up_all_and_open"]):
        close(ann)

    late[0].refresh_from_db()
    assert late[0].status == "cancelled"


def test_an_account_that_is_closed_sits_down_nowhere_with_a_page_from_before(ann, bob):
    kept = lobby.open_match(bob, "basic-rummy", seats=["open"], pace="1d")
    asked = lobby.rematch(ended(ann, bob).pk, bob)
    get_user_model().objects.filter(pk=ann.pk).update(is_active=False)

    for act in (
        lambda: lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d"),
        lambda: lobby.join(kept.pk, ann, CUT),
        lambda: lobby.answer(asked.pk, ann, yes=True, cut=CUT),
    ):
        with pytest.raises(lobby.Refusal, match="Your account is closed"):
            act()


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
