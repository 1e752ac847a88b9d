"""Friends, mute and block, the door, the page of a player. What one does about another the other never learns."""

import re
import threading

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.closing import close
from accounts.guests import make_guest
from accounts.models import User
from games import lobby, merging, people
from games.models import Distance, Friendship, Notice
from games.seats import Refusal

from .acquainted import NOT_OPEN, ask, client, do, page, player
from .playing import CUT, opened
from .sitting import ended

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def friends(one, other):
    return Friendship.objects.filter(
        asking__in=[one, other], asked__in=[one, other], accepted_at__isnull=False
    ).exists()


def test_friends_are_asked_and_accepted_and_then_invited_with_one_tap(ann, bob):
    assert ask(ann, "BOB").status_code == 302
    assert "has not answered" in page(ann)
    assert "would like to be your friend" in page(bob)
    assert not friends(ann, bob)

    do(bob, "befriend", ann)

    assert friends(ann, bob)
    for one, other in ((ann, bob), (bob, ann)):
        assert f"{reverse('games:new_match')}?with={other.username}" in page(one)
        assert "You are friends." in player(one, other)
    opening = client(ann).get(reverse("games:new_match"), {"with": "bob"}).content.decode()
    assert re.search(r'name="seat_1" value="named" checked', opening)
    assert 'value="bob"' in opening
    do(ann, "unfriend", bob)
    assert not Friendship.objects.exists()


def test_a_question_can_be_declined_and_taken_back(ann, bob):
    ask(ann, "bob")
    do(bob, "unfriend", ann)
    assert not Friendship.objects.exists()
    ask(ann, "bob")
    do(ann, "unfriend", bob, back="player")
    assert "would like to be your friend" not in page(bob)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ann", "That is you."),
        ("ANN", "That is you."),
        ("ann@example.org", "There is no player of this name."),
        ("nobody", "There is no player of this name."),
        ("\x00", "There is no player of this name."),
        ("x" * 5000, "There is no player of this name."),
    ],
)
def test_b30_whom_one_cannot_ask(ann, name, sentence):
    answer = ask(ann, name)

    assert answer.status_code == 409
    assert sentence in answer.content.decode()
    assert not Friendship.objects.exists()


@pytest.mark.parametrize("act", ["befriend", "mute", "block"])
def test_b30_nobody_does_anything_to_himself(ann, act):
    answer = do(ann, act, ann)

    assert answer.status_code == 409
    assert "That is you." in answer.content.decode()
    assert not Friendship.objects.exists() and not Distance.objects.exists()


def test_a_question_and_its_answer_are_told_but_by_nobody_who_is_muted(ann, bob, cat):
    ask(ann, "bob")
    ask(ann, "bob")
    do(bob, "befriend", ann)
    people.mute(cat, ann)
    ask(ann, "cat")

    told = list(Notice.objects.values_list("user__username", "kind", "about"))
    assert told == [("bob", "friend", {"by": ann.pk}), ("ann", "friend", {"by": bob.pk, "accepted": True})]


def test_asking_twice_is_asking_once_and_asking_each_other_makes_friends(ann, bob):
    ask(ann, "bob")
    ask(ann, "bob")
    assert Friendship.objects.count() == 1 and not friends(ann, bob)

    ask(bob, "ann")

    assert Friendship.objects.count() == 1 and friends(ann, bob)


def test_guests_neither_ask_nor_are_asked(ann):
    guest = make_guest("en", "UTC")

    assert "Keep your account first" in do(guest, "befriend", ann).content.decode()
    assert "when the account is kept" in do(ann, "befriend", guest).content.decode()
    assert "There is no player of this name." in ask(ann, guest.username).content.decode()
    assert "Add as a friend" not in player(ann, guest)
    assert "Mute" in player(ann, guest)


def test_so_many_questions_may_wait_for_an_answer(ann, bob, cat, monkeypatch):
    monkeypatch.setattr(people, "MOST_ASKED", 1)
    ask(ann, "bob")

    assert "Many of your questions wait" in ask(ann, "cat").content.decode()
    do(bob, "befriend", ann)
    assert ask(ann, "cat").status_code == 302


def test_who_is_not_signed_in_signs_in_first_and_what_nobody_knows_is_not_found(ann, bob):
    assert client().get(reverse("games:people")).status_code == 302
    assert "/login/" in do(None, "befriend", bob).url
    assert do(ann, "kick", bob).status_code == 404
    assert client(ann).post("/players/nobody/mute/").status_code == 404
    assert client(ann).get(reverse("games:player_act", args=["bob", "mute"])).status_code == 405
    assert client(ann).post(reverse("games:door"), {"opens": "x"}).status_code == 422


@pytest.mark.django_db(transaction=True)
def test_friends_who_ask_each_other_at_the_same_moment_are_friends_by_one_row(ann, bob):
    ready = threading.Barrier(2)

    def asks(user, whom):
        try:
            ready.wait()
            people.befriend(user, whom)
        finally:
            connection.close()

    threads = [threading.Thread(target=asks, args=pair) for pair in ((ann, bob), (bob, ann))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Friendship.objects.count() == 1
    assert friends(ann, bob)


@pytest.mark.django_db(transaction=True)
def test_who_joins_while_he_is_being_blocked_sits_there_before_or_not_at_all(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    ready, faults = threading.Barrier(2), []

    def act(work):
        try:
            ready.wait()
            work()
        except Refusal as why:
            faults.append(str(why))
        finally:
            connection.close()

    works = (lambda: lobby.join(match.pk, bob, CUT), lambda: people.block(ann, bob))
    threads = [threading.Thread(target=act, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Distance.objects.count() == 1
    assert match.seats.filter(user=bob).exists() == (not faults)
    assert all(NOT_OPEN in fault for fault in faults)


def test_the_list_of_muted_and_blocked_is_undone_one_by_one(ann, bob, cat):
    do(ann, "mute", bob)
    do(ann, "block", cat)
    do(ann, "block", cat)
    assert "muted: you read only phrases" in page(ann)
    assert "blocked: you are never paired" in page(ann)
    assert "You have blocked this player." in do(ann, "befriend", cat).content.decode()

    do(ann, "unmute", bob)
    do(ann, "unblock", cat)

    assert not Distance.objects.exists()
    assert "Nobody." in page(ann)


def test_recent_opponents_are_listed_once_with_a_rematch_or_the_way_to_the_table(ann, bob, cat):
    first, over = ended(ann, bob), ended(ann, bob)
    running = opened(ann, cat)

    shown = page(ann)

    assert reverse("games:rematch", args=[over.pk]) in shown
    assert reverse("games:rematch", args=[first.pk]) not in shown
    assert f'href="{reverse("games:match", args=[running.pk])}"' in shown
    do(ann, "block", cat)
    assert f'href="{reverse("games:match", args=[running.pk])}"' not in page(ann)


def test_the_page_of_a_player_is_public_and_says_little(ann, bob):
    shown = client().get("/players/ANN/").content.decode()

    assert "Here since" in shown
    assert "ann@example.org" not in shown
    for word in ("Mute", "Block", "Add as a friend", "Invite to a match"):
        assert word not in shown
        assert word in player(bob, ann)
        assert word not in player(ann, ann)
    for name in ("nobody", "%00", "a%0Ab", "x" * 60):
        assert client().get(f"/players/{name}/").status_code == 404


def test_the_page_of_people_asks_as_much_for_many_as_for_few(ann, bob):
    def queries():
        browser = client(ann)
        browser.get(reverse("games:people"))
        with CaptureQueriesContext(
            connection,
        ) as found:
            browser.get(reverse("games:people"))
        return len(found)

    people.befriend(bob, ann)
    ended(ann, bob)
    people.mute(ann, bob)
    few = queries()
    for n in range(6):
        other = User.objects.create(username=f"other{n}")
        people.befriend(other, ann)
        if n % 2:
            people.befriend(ann, other)
            people.mute(ann, other)
        ended(ann, other)
    assert queries() == few <= 12


def test_closing_an_account_ends_friendships_and_lists(ann, bob):
    people.befriend(ann, bob)
    people.mute(bob, ann)
    people.block(ann, User.objects.create(username="dan"))

    close(ann)

    assert not Friendship.objects.exists() and not Distance.objects.exists()
    assert client(bob).get("/players/ann/").status_code == 404


def test_whom_a_guest_has_muted_the_account_mutes(ann, bob, cat):
    guest = make_guest("en", "UTC")
    people.mute(guest, bob)
    people.mute(ann, bob)
    people.block(guest, cat)
    people.mute(guest, ann)

    merging.move(guest, ann)

    assert set(Distance.objects.values_list("user", "whom", "kind")) == {
        (ann.pk, bob.pk, "muted"),
        (ann.pk, cat.pk, "blocked"),
    }


def test_haste_towards_people_is_limited(ann, bob, settings):
    settings.LIMITED = True
    from rummysite import limits

    most = limits.LIMITS["people"]
    with time_machine.travel(timezone.now(), tick=False):  # within one hour of the count
        answers = [do(ann, "mute", bob).status_code for _ in range(most.user + 1)]
    assert answers[-1] == 429 and answers[-2] == 302
