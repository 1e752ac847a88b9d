"""Seats kept for people by name, their answers, links that die, and people who are sent away."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.closing import close
from accounts.guests import make_guest
from accounts.models import User
from games import inviting, lobby
from games.models import Absence, Match

from .playing import CUT, mover, opened
from .sitting import ended

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def do(user, act, match, *more, **data):
    return client(user).post(reverse(f"games:{act}", args=[match.pk, *more]), data)


def room(user, match):
    return client(user).get(reverse("games:match", args=[match.pk])).content.decode()


def tables(user):
    return client(user).get(reverse("games:tables")).content.decode()


def drivers(match):
    return [(seat.driver, seat.user_id) for seat in match.seats.all()]


@pytest.fixture
def table(ann):
    """A private match of ann with two free seats."""
    return lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", private=True)


# --- by name ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bob", "BOB", " Bob ", "ｂｏｂ"])
def test_a_seat_is_kept_for_the_user_of_that_name_in_any_case(table, ann, bob, name):
    assert do(ann, "invite", table, name=name).status_code == 302

    assert drivers(table)[1] == ("invited", bob.pk)
    assert "ann keeps a seat for you." in room(bob, table)
    assert "ann keeps a seat for you" in tables(bob)


def test_a_match_may_be_opened_with_a_seat_for_somebody(ann, bob):
    form = {"preset": "basic-rummy", "seats": "3", "pace": "1d", "who": "link"}

    client(ann).post(reverse("games:new_match"), form | {"seat_1": "named", "name_1": "bob", "seat_2": "easy"})

    match = Match.objects.get()
    assert [driver for driver, _user in drivers(match)] == ["user", "invited", "bot"]
    assert match.status == "open"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nobody", "There is no player of this name."),
        ("", "There is no player of this name."),
        ("bo", "There is no player of this name."),
        ("\x00", "There is no player of this name."),
        ("x" * 5000, "There is no player of this name."),
        ("ann", "You cannot invite yourself."),
        ("cat", "cat has a seat at this match already."),
        ("gone", "There is no player of this name."),
    ],
)
def test_whom_one_cannot_invite(table, ann, cat, name, sentence):
    close(User.objects.create(username="gone"))
    lobby.join(table.pk, cat, CUT, table.token)
    before = drivers(table)

    answer = do(ann, "invite", table, name=name)
    form = {"preset": "basic-rummy", "seats": "2", "pace": "1d", "seat_1": "named", "name_1": name}
    opening = client(ann).post(reverse("games:new_match"), form)

    assert answer.status_code == 409
    assert sentence in answer.content.decode()
    assert drivers(table) == before
    if name != "cat":
        assert opening.status_code == 422
        assert Match.objects.count() == 1


def test_a_guest_has_no_name_to_be_called_by(table, ann):
    guest = make_guest("en", "UTC")

    assert "There is no player of this name." in do(ann, "invite", table, name=guest.username).content.decode()


def test_one_user_has_at_most_so_many_unanswered_invitations(ann, bob, cat, monkeypatch):
    monkeypatch.setattr(inviting, "MOST_ASKED", 3)
    matches = [lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d") for _ in range(3)]
    more = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")

    assert "wait for an answer" in do(ann, "invite", more, name="cat").content.decode()

    do(bob, "answer", matches[0], answer="no")
    assert do(ann, "invite", more, name="cat").status_code == 302


def test_only_the_opener_invites_takes_back_removes_and_makes_links(table, ann, bob, cat):
    lobby.join(table.pk, bob, CUT, table.token)
    lobby.join(lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d").pk, cat, CUT)
    before = drivers(table), table.token

    for name, more in (("invite", ()), ("take_back", (0,)), ("remove", (0,)), ("new_link", ())):
        answer = do(bob, name, table, *more, name="cat")
        assert answer.status_code == 409
        assert "Only the one who opened the match" in answer.content.decode()
        assert do(cat, name, table, *more, name="cat").status_code == 404

    table.refresh_from_db()
    assert (drivers(table), table.token) == before


def test_an_invitation_is_accepted_with_a_cut_and_the_match_starts(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d")

    do(bob, "answer", match, answer="yes", cut="cd" * 16)

    match.refresh_from_db()
    assert match.status == "running"
    assert (match.seats.get(user=bob).cut, match.seats.get(user=bob).cut_by) == ("cd" * 16, "browser")


def test_the_opener_sees_who_declined_and_why_and_the_seat_is_free(table, ann, bob):
    inviting.invite(table.pk, ann, "bob")

    answer = do(bob, "answer", table, answer="no", why="other_pace")

    assert answer.url == reverse("games:tables")
    assert drivers(table)[1] == ("open", None)
    shown = room(ann, table)
    assert "declined: “Another pace, please.”" in shown
    assert "bob" in shown
    assert client(bob).get(reverse("games:match", args=[table.pk])).status_code == 404


def test_others_at_the_table_do_not_read_who_declined(table, ann, bob, cat):
    lobby.join(table.pk, cat, CUT, table.token)
    inviting.invite(table.pk, ann, "bob")
    do(bob, "answer", table, answer="no", why="no_time")

    assert "No time now." not in room(cat, table)
    assert "No time now." in room(ann, table)


def test_who_declined_is_not_asked_again_for_the_same_match(table, ann, bob):
    inviting.invite(table.pk, ann, "bob")
    do(bob, "answer", table, answer="no")

    answer = do(ann, "invite", table, name="bob")

    assert answer.status_code == 409
    assert "bob cannot be asked again for this match." in answer.content.decode()


def test_a_reason_is_one_of_those_shown(table, ann, bob):
    inviting.invite(table.pk, ann, "bob")

    assert do(bob, "answer", table, answer="no", why="removed").status_code == 400
    assert do(bob, "answer", table, answer="no", why="bored").status_code == 400
    assert drivers(table)[1] == ("invited", bob.pk)


def test_who_is_only_invited_answers_and_has_no_seat_to_give_back(table, ann, bob):
    inviting.invite(table.pk, ann, "bob")

    answer = do(bob, "leave", table)

    assert answer.status_code == 409
    assert "Say yes or no to the invitation." in answer.content.decode()
    assert drivers(table)[1] == ("invited", bob.pk)


def test_an_invitation_may_be_taken_back_and_made_again(table, ann, bob):
    inviting.invite(table.pk, ann, "bob")

    assert do(ann, "take_back", table, 1).status_code == 302
    assert drivers(table)[1] == ("open", None)
    assert do(bob, "answer", table, answer="yes").status_code == 404
    assert do(ann, "take_back", table, 1).status_code == 409
    assert do(ann, "invite", table, name="bob").status_code == 302


def test_a_match_that_is_given_up_asks_nobody_any_more(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d")

    lobby.leave(match.pk, ann)

    match.refresh_from_db()
    assert match.status == "cancelled"
    assert not match.seats.filter(driver="invited").exists()
    assert "keeps a seat for you" not in tables(bob)


def test_a_rematch_that_one_declines_is_still_cancelled_for_all(ann, bob, cat):
    again = lobby.rematch(ended(ann, bob, cat).pk, ann)

    answer = client(bob).post(reverse("games:answer", args=[again.pk]), {"answer": "no", "why": "no_time"}, follow=True)

    again.refresh_from_db()
    assert again.status == "cancelled"
    assert "You have declined. There is no rematch." in answer.content.decode()


def test_who_closes_the_account_declines_what_waits_for_an_answer(table, ann, bob):
    inviting.invite(table.pk, ann, "bob")

    close(bob)

    assert drivers(table)[1] == ("open", None)


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_new_link_kills_the_old_one_at_once(table, ann, bob):
    old = reverse("games:invitation", args=[table.token])

    do(ann, "new_link", table)

    table.refresh_from_db()
    new = reverse("games:invitation", args=[table.token])
    assert re.fullmatch(r"/join/[0-9a-f]{32}/", new) and new != old
    assert client(bob).get(old).status_code == client(bob).post(old).status_code == 404
    assert client(bob).get(new).status_code == 200
    assert drivers(table)[1] == ("open", None)


# --- sent away -------------------------------------------------------------------------------------------------------


def test_who_is_removed_is_told_and_cannot_come_back_by_any_way(table, ann, bob):
    lobby.join(table.pk, bob, CUT, table.token)

    assert do(ann, "remove", table, 1).status_code == 302

    assert drivers(table)[1] == ("open", None)
    assert "You were removed" in tables(bob)
    back = client(bob).post(reverse("games:invitation", args=[table.token]))
    assert back.status_code == 409
    assert "This table is not open to you." in back.content.decode()
    assert do(ann, "invite", table, name="bob").status_code == 409
    assert client(bob).get(reverse("games:match", args=[table.pk])).url == reverse("games:tables")
    do(bob, "noted", table)
    assert "You were removed" not in tables(bob)
    assert client(bob).get(reverse("games:match", args=[table.pk])).status_code == 404


def test_who_is_removed_from_a_public_match_may_look_and_not_join(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"] * 2, pace="1d")
    lobby.join(match.pk, bob, CUT)
    do(ann, "remove", match, 1)

    assert "The opener has given your seat away." in room(bob, match)
    assert 'name="cut"' not in room(bob, match)
    assert do(bob, "join", match).status_code == 409


def test_nobody_is_removed_who_opened_who_does_not_sit_or_after_the_start(table, ann, bob):
    for index in (0, 1, 7):
        assert do(ann, "remove", table, index).status_code == 409
    match = opened(ann, bob)
    assert do(ann, "remove", match, match.seats.get(user=bob).index).status_code == 409
    again = lobby.rematch(ended(ann, bob).pk, ann)
    assert do(ann, "remove", again, 1).status_code == 409
    assert not Absence.objects.exists()


def test_the_tables_that_await_me_stand_above_what_i_am_asked(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    other = bob if user == ann else ann
    lobby.open_match(other, "basic-rummy", seats=[f"@{user.username}"], pace="1d")
    client = Client()
    client.force_login(user)
    page = client.get("/tables/").content.decode()
    assert 0 < page.index('class="awaits"') < page.index('class="rows invites"')
