"""The blocked: never at one table, no word that says so, and what else a shut door says."""

import re

import pytest
from django.urls import reverse

from games import disclosure, inviting, lobby, people, play
from games.models import Friendship, Match
from games.seats import Refusal

from .acquainted import NOT_OPEN, ask, client, do, page, player
from .playing import CUT, opened, seat_of
from .sitting import ended

pytestmark = [pytest.mark.django_db, pytest.mark.pg]
NOT_ASKED = "bob cannot be asked for a match just now."


def plain(text):
    """What a page says in its middle, without what differs in each answer."""
    text = text[text.index("<main") : text.index("</main>")]
    return re.sub(r'csrfmiddlewaretoken" value="[^"]*"', "", text)


def _anon(text, name):
    return plain(text).replace(name, "X").replace(f">{name[0].upper()}<", "><")


def join(user, match):
    return client(user).post(reverse("games:join", args=[match.pk]))


def in_lobby(user, match):
    return f'id="match-{match.pk}"' in client(user).get(reverse("games:lobby")).content.decode()


@pytest.mark.parametrize("blocker", ["ann", "bob"])
def test_the_blocked_and_the_blocker_never_come_to_the_same_table(ann, bob, cat, blocker):
    one, other = (ann, bob) if blocker == "ann" else (bob, ann)
    people.block(one, other)
    offer = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", standing=2)
    friendly = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)
    theirs = lobby.open_match(cat, "basic-rummy", seats=["open", "open"], pace="1d")
    lobby.join(theirs.pk, ann, CUT)

    for match in (offer, theirs):
        assert not in_lobby(bob, match)
        assert in_lobby(cat, match)
        answer = join(bob, match)
        assert answer.status_code == 409
        assert NOT_OPEN in answer.content.decode()
    link = client(bob).post(reverse("games:invitation", args=[friendly.token]))
    assert NOT_OPEN in link.content.decode()
    assert NOT_ASKED in client(ann).post(reverse("games:invite", args=[offer.pk]), {"name": "bob"}).content.decode()
    assert not Match.objects.filter(seats__user=bob).exists()

    people.unblock(one, other)
    assert in_lobby(bob, offer)
    assert join(bob, offer).status_code == 302


def test_who_was_asked_to_the_same_table_by_a_third_cannot_say_yes_there(ann, bob, cat):
    people.block(ann, bob)
    match = lobby.open_match(cat, "basic-rummy", seats=["@ann", "@bob"], pace="1d")
    inviting.answer(match.pk, ann, yes=True, cut=CUT)

    answer = client(bob).post(reverse("games:answer", args=[match.pk]), {"answer": "yes"})

    assert NOT_OPEN in answer.content.decode()
    assert match.seats.get(user=bob).driver == "invited"


def test_no_rematch_between_them_and_running_matches_go_on(ann, bob):
    old, running = ended(ann, bob), opened(ann, bob)
    people.block(bob, ann)

    answer = client(ann).post(reverse("games:rematch", args=[old.pk]))

    assert answer.status_code == 409
    assert NOT_ASKED in answer.content.decode()
    running.refresh_from_db()
    assert running.status == "running"
    assert client(ann).get(reverse("games:match", args=[running.pk])).status_code == 200
    play.resign(running.pk, seat_of(running, ann).index)


def test_blocking_ends_friendship_and_invitations_of_both(ann, bob):
    ask(ann, "bob")
    do(bob, "befriend", ann)
    mine = lobby.open_match(ann, "basic-rummy", seats=["@bob", "open"], pace="1d")
    theirs = lobby.open_match(bob, "basic-rummy", seats=["@ann", "open"], pace="1d")
    again = lobby.rematch(ended(ann, bob).pk, ann)

    assert do(ann, "block", bob).status_code == 302

    assert not Friendship.objects.exists()
    for match in (mine, theirs):
        assert not match.seats.filter(driver="invited").exists()
        assert match.seats.filter(driver="open").count() == 2
    again.refresh_from_db()
    assert again.status == "cancelled"


def test_the_blocked_sees_on_no_page_that_he_is_blocked(ann, bob, cat):
    ended(ann, bob)
    before = [plain(player(bob, ann)), plain(page(bob))]
    people.block(ann, bob)
    people.mute(ann, bob)

    assert [plain(player(bob, ann)), plain(page(bob))] == before
    # asking is written down, and answered as ever; nobody is told
    assert do(bob, "befriend", ann, back="player").url == reverse("games:player", args=["ann"])
    do(bob, "befriend", cat)
    disclosure.choose(ann, dict.fromkeys(disclosure.SECTIONS, "friends"))
    assert _anon(player(bob, ann), "ann") == _anon(player(bob, cat), "cat")
    assert "would like to be your friend" not in page(ann)
    assert "would like to be your friend" not in player(ann, bob)
    assert "would like to be your friend" in page(cat)


def test_the_words_at_a_table_that_is_shut_are_those_for_one_who_was_removed(ann, bob, cat):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    lobby.join(match.pk, cat, CUT)
    lobby.remove(match.pk, ann, 1)
    people.block(ann, bob)

    removed, blocked = (plain(join(user, match).content.decode()) for user in (cat, bob))

    assert NOT_OPEN in blocked
    assert removed == blocked


def test_the_words_for_one_who_cannot_be_asked_are_those_of_a_shut_door(ann, bob, cat):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")

    def invited():
        answer = client(ann).post(reverse("games:invite", args=[match.pk]), {"name": "bob"})
        return answer.status_code, plain(answer.content.decode())

    client(bob).post(reverse("games:door"), {"opens": "nobody"})
    shut = invited()
    client(bob).post(reverse("games:door"), {"opens": "all"})
    people.block(bob, ann)
    assert invited() == shut
    assert shut[0] == 409 and NOT_ASKED in shut[1]


def test_a_door_may_be_open_to_friends_only(ann, bob, cat):
    client(bob).post(reverse("games:door"), {"opens": "friends"})
    people.befriend(ann, bob)
    with pytest.raises(Refusal, match="cannot be asked"):
        lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d")
    people.befriend(bob, ann)

    assert lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d").seats.filter(user=bob).exists()
    with pytest.raises(Refusal, match="cannot be asked"):
        lobby.open_match(cat, "basic-rummy", seats=["@bob"], pace="1d")
