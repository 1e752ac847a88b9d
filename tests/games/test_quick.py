"""The two quick ways from the front page: against bots at once, and with a friend by a link."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import seats
from games.models import Match

pytestmark = pytest.mark.django_db

NOW, FRIEND = "games:play_now", "games:play_friend"


def browser(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def test_a_stranger_who_plays_now_is_a_guest_at_a_table_with_cards_in_the_hand(db):
    client = browser()

    answer = client.post(reverse(NOW), {"cut": "ab" * 16}, follow=True)

    match = Match.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("games:match", args=[match.pk])
    assert (match.status, match.pace, match.private, match.opener.is_guest) == ("running", "none", True, True)
    assert [seat.driver for seat in match.seats.all()] == ["user", "bot"]
    assert match.seats.get(index=0).cut == "ab" * 16
    assert answer.content.decode().count('name="card"') == 10


@pytest.mark.parametrize(("preset", "bots"), [("solitaired-rummy", 3), ("android-rummy", 1), ("basic-rummy", 2)])
def test_the_game_and_the_number_of_bots_may_be_chosen(ann, preset, bots):
    browser(ann).post(reverse(NOW), {"preset": preset, "bots": str(bots)})

    match = Match.objects.get()
    assert (match.preset, match.seats.count()) == (preset, bots + 1)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"preset": "poker"}, "Choose one of the games shown."),
        ({"bots": "0"}, "Play with one to three bots."),
        ({"bots": "4"}, "Play with one to three bots."),
        ({"bots": "many"}, "Play with one to three bots."),
        ({"preset": "android-rummy", "bots": "2"}, "This game is not for so many players."),
    ],
)
def test_what_cannot_be_played_is_a_sentence_and_makes_neither_match_nor_guest(db, wrong, sentence):
    answer = browser().post(reverse(NOW), wrong)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Match.objects.exists()
    assert not User.objects.exists()


def test_a_stranger_who_plays_with_a_friend_waits_with_a_link_to_send(db):
    client = browser()

    answer = client.post(reverse(FRIEND), follow=True)

    match = Match.objects.get()
    assert (match.status, match.pace, match.private, match.preset) == ("open", "1d", True, "basic-rummy")
    shown = answer.content.decode()
    assert reverse("games:invitation", args=[match.token]) in shown
    assert "data-share" in shown
    friend = browser()
    friend.post(reverse("games:invitation", args=[match.token]))
    match.refresh_from_db()
    assert match.status == "running"


@pytest.mark.parametrize("name", [NOW, FRIEND])
def test_reading_the_address_opens_nothing(ann, name):
    assert browser(ann).get(reverse(name)).status_code == 405
    assert not Match.objects.exists()


@pytest.mark.parametrize("name", [NOW, FRIEND])
def test_another_site_cannot_open_a_match(ann, name):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)

    assert client.post(reverse(name)).status_code == 403


@pytest.mark.parametrize(("name", "sentence"), [(NOW, "many matches with bots"), (FRIEND, "waiting for players")])
def test_one_has_only_so_many_at_a_time(ann, monkeypatch, name, sentence):
    monkeypatch.setattr(seats, "MOST_WAITING", 2)
    monkeypatch.setattr(seats, "MOST_WITH_BOTS", 2)
    client = browser(ann)

    answers = [client.post(reverse(name)) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 409]
    assert sentence in answers[-1].content.decode()
    assert Match.objects.count() == 2


def test_the_address_is_told_to_wait_when_it_has_made_many_guests(db):
    codes = [browser().post(reverse(NOW)).status_code for _ in range(11)]

    assert codes == [302] * 10 + [429]
