"""Offers that stay open: the next match waits as soon as one has started, never more than the opener wants."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.closing import close
from games import lobby, standing
from games.models import Match

from .playing import CUT
from .sitting import ended

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

FORM = {"preset": "basic-rummy", "seats": "2", "pace": "1d", "who": "lobby"}


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def offered(ann, most=1, seats=("open",), **more):
    return lobby.open_match(ann, "basic-rummy", seats=list(seats), pace="2d", standing=most, title="Daily", **more)


def listed(user=None):
    return [row.pk for row in client(user).get(reverse("games:lobby")).context["rows"]]


def waiting():
    return Match.objects.get(status="open")


def test_when_the_match_of_an_offer_starts_the_same_is_offered_again(ann, bob):
    first = offered(ann, 2, chosen={"target": 300})

    lobby.join(first.pk, bob, CUT)

    again = waiting()
    assert again.pk != first.pk
    assert (again.opener, again.title, again.pace, again.options) == (ann, "Daily", "2d", first.options)
    assert [seat.driver for seat in again.seats.all()] == ["user", "open"]
    assert again.token != first.token
    assert again.commitment != first.commitment
    assert listed() == [again.pk]


def test_bots_of_the_offer_sit_again_and_bots_that_only_filled_up_do_not(ann, bob):
    first = offered(ann, 3, seats=("easy", "open", "open"))
    lobby.join(first.pk, bob, CUT)

    lobby.start(first.pk, ann)

    assert [seat.driver for seat in waiting().seats.all()] == ["user", "bot", "open", "open"]


def test_an_offer_rests_while_as_many_run_as_its_opener_wants(ann, bob, cat):
    offered(ann, 1)
    lobby.join(waiting().pk, bob, CUT)
    resting = waiting()

    assert listed() == []
    shown = client(cat).get(reverse("games:match", args=[resting.pk])).content.decode()
    assert "This offer rests: 1 match of it is being played." in shown
    assert 'name="cut"' not in shown
    assert client(cat).post(reverse("games:join", args=[resting.pk])).status_code == 409

    running = Match.objects.get(status="running")
    for user in (ann, bob):
        running.refresh_from_db()
        if running.status == "running":
            client(user).post(reverse("games:resign", args=[running.pk]), {"sure": "yes"})
    running.refresh_from_db()
    assert running.status == "over"
    assert listed() == [resting.pk]
    lobby.join(resting.pk, cat, CUT)
    assert Match.objects.filter(status="running").count() == 1


def test_never_more_run_at_once_than_the_opener_wants(ann, bob, cat):
    offered(ann, 2)
    for user in (bob, cat, bob):
        client(user).post(reverse("games:join", args=[waiting().pk]))

    assert Match.objects.filter(status="running").count() == 2
    assert Match.objects.filter(status="open").count() == 1


def test_the_opener_sees_the_offer_among_the_own_tables_and_withdraws_it(ann, bob):
    first = offered(ann, 2)
    lobby.join(first.pk, bob, CUT)
    shown = client(ann).get(reverse("games:tables")).content.decode()
    assert "stays open, 2 at a time" in shown

    answer = client(ann).post(reverse("games:withdraw", args=[waiting().pk]), follow=True)

    assert "The offer is withdrawn." in answer.content.decode()
    assert "stays open" not in answer.content.decode().split("The offer is withdrawn.")[1]
    assert listed() == []
    first.refresh_from_db()
    assert (first.status, first.standing) == ("running", 0)
    assert not Match.objects.filter(status="open").exists()


def test_a_withdrawn_offer_at_which_somebody_sits_is_a_plain_match(ann, bob, cat):
    first = offered(ann, 1, seats=("open", "open"))
    lobby.join(first.pk, bob, CUT)

    standing.withdraw(first.pk, ann)
    lobby.join(first.pk, cat, CUT)

    first.refresh_from_db()
    assert first.status == "running"
    assert not Match.objects.filter(status="open").exists()


def test_only_the_opener_withdraws_an_offer(ann, bob, cat):
    first = offered(ann, 1, seats=("open", "open"))
    lobby.join(first.pk, bob, CUT)

    assert client(bob).post(reverse("games:withdraw", args=[first.pk])).status_code == 409
    assert client(cat).post(reverse("games:withdraw", args=[first.pk])).status_code == 404
    first.refresh_from_db()
    assert first.standing == 1


def test_who_gives_back_the_seat_or_closes_the_account_offers_no_longer(ann, bob, cat):
    first = offered(ann, 2)
    lobby.join(first.pk, bob, CUT)
    lobby.leave(waiting().pk, ann)
    assert not Match.objects.filter(standing__gt=0).exists()

    offered(cat, 2)
    close(cat)
    assert not Match.objects.filter(standing__gt=0).exists()


def test_an_offer_handed_on_to_another_opener_stays_no_longer(ann, bob):
    first = offered(ann, 2, seats=("open", "open"))
    lobby.join(first.pk, bob, CUT)

    lobby.leave(first.pk, ann)

    first.refresh_from_db()
    assert (first.opener, first.standing) == (bob, 0)


def test_a_rematch_of_an_offered_match_is_an_ordinary_one(ann, bob):
    old = ended(ann, bob)
    Match.objects.filter(pk=old.pk).update(standing=2, series=old)

    again = lobby.rematch(old.pk, ann)

    assert (again.standing, again.series) == (0, None)


@pytest.mark.parametrize(
    "more",
    [
        {"who": "link"},
        {"seat_1": "named", "name_1": "bob"},
        {"seat_1": "easy"},
    ],
)
def test_only_an_open_offer_can_stay(ann, bob, more):
    answer = client(ann).post(reverse("games:new_match"), FORM | {"standing": "2"} | more)

    assert answer.status_code == 422
    assert "An offer that stays open is for whoever likes to join." in answer.content.decode()
    assert not Match.objects.exists()


def test_the_form_makes_an_offer_of_one_to_five(ann):
    assert client(ann).post(reverse("games:new_match"), FORM | {"standing": "6"}).status_code == 422

    assert client(ann).post(reverse("games:new_match"), FORM | {"standing": "5"}).status_code == 302

    match = Match.objects.get()
    assert (match.standing, match.series) == (5, match)


def test_the_database_holds_one_waiting_match_of_an_offer(ann):
    first, second = offered(ann, 1), lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")

    with pytest.raises((IntegrityError, ValidationError)), transaction.atomic():
        Match.objects.filter(pk=second.pk).update(standing=1, series=first)


def test_its_opener_does_not_start_more_with_bots_than_may_run(ann):
    offered(ann, 1)
    browser = client(ann)
    browser.post(reverse("games:start", args=[waiting().pk]))
    resting = reverse("games:match", args=[waiting().pk])

    assert browser.post(f"{resting}start/").status_code == 409
    assert "Start now with bots" not in browser.get(resting).content.decode()
    assert Match.objects.filter(status="running").count() == 1
