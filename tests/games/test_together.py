"""Several matches with the same people: opened in one go, asked for as one, answered all at once or one by one."""

import pytest
from django.test import Client
from django.urls import reverse

from games import lobby, together
from games.lists import mine
from games.models import Match, Notice, Seat

from .sitting import ended

pytestmark = pytest.mark.django_db

FORM = {"preset": "basic-rummy", "seats": "2", "pace": "1d", "seat_1": "named", "name_1": "bob", "at_once": "3"}


def page(user):
    client = Client()
    client.force_login(user)
    return client


def three(ann):
    answer = page(ann).post(reverse("games:new_match"), FORM | {"cut": ["1" * 32, "2" * 32, "3" * 32]})
    assert answer.status_code == 302, answer.context["form"].errors
    return list(Match.objects.order_by("pk"))


def test_three_matches_are_opened_in_one_go_each_with_its_own_cut_and_asked_for_once(ann, bob):
    matches = three(ann)

    assert [match.nth for match in matches] == [1, 2, 3]
    assert {match.together for match in matches} == {matches[0]}
    assert len({seat.cut for seat in Seat.objects.filter(user=ann)}) == 3
    assert Notice.objects.filter(user=bob, kind="invited").count() == 1
    shown = page(bob).get(reverse("games:tables")).content.decode()
    assert "ann asks you for 3 matches at once" in shown and "keeps a seat for you" not in shown
    assert "Basic rummy, table 2" in shown
    typed = together.cuts_from([], "hello", 3)
    assert len({cut for cut, _by in typed}) == 3 and {by for _cut, by in typed} == {"typed"}


def test_one_answer_serves_all_or_each_has_its_own(ann, bob):
    matches = three(ann)
    client, cuts = page(bob), ["a" * 32, "b" * 32]
    client.post(reverse("games:answer", args=[matches[1].pk]), {"answer": "no"})

    answer = client.post(reverse("games:answer", args=[matches[0].pk]), {"answer": "yes", "all": "1", "cut": cuts})

    assert answer.url == reverse("games:tables")
    assert [Match.objects.get(pk=m.pk).status for m in matches] == ["running", "open", "running"]
    assert len({seat.cut for seat in Seat.objects.filter(user=bob)}) == 2
    again = client.post(reverse("games:answer", args=[matches[0].pk]), {"answer": "yes", "all": "1"})
    assert again.status_code == 409
    stranger = type(ann).objects.create(username="kitten")
    refused = page(stranger).post(reverse("games:answer", args=[matches[0].pk]), {"answer": "yes", "all": "1"})
    assert refused.status_code == 404


def test_no_to_all_opens_none_of_them(ann, bob):
    matches = three(ann)
    page(bob).post(reverse("games:answer", args=[matches[2].pk]), {"answer": "no", "all": "1"})
    assert not Seat.objects.filter(user=bob).exists()
    assert not mine(bob).several


@pytest.mark.parametrize("other", [{"seat_1": "open"}, {"seat_1": "easy"}, {"at_once": "4"}, {"at_once": "x"}])
def test_several_at_once_are_for_persons_who_are_named(ann, bob, other):
    answer = page(ann).post(reverse("games:new_match"), FORM | other)
    assert answer.status_code == 422 and answer.context["form"].errors["at_once"]
    assert not Match.objects.exists()


def test_when_one_of_them_cannot_be_opened_none_is(ann, bob, monkeypatch):
    monkeypatch.setattr("games.inviting.MOST_ASKED", 2)
    answer = page(ann).post(reverse("games:new_match"), FORM)
    assert answer.status_code == 422
    assert not Match.objects.exists()


def test_a_rematch_can_be_three_at_once(ann, bob):
    old = ended(ann, bob)
    client = page(ann)
    assert "Rematch, several at once" in client.get(reverse("games:match", args=[old.pk])).content.decode()

    client.post(reverse("games:rematch", args=[old.pk]), {"at_once": "3"})
    client.post(reverse("games:rematch", args=[old.pk]), {"at_once": "3"})

    new = Match.objects.filter(status="open").order_by("pk")
    assert [match.nth for match in new] == [1, 2, 3] and new[0].rematch_of == old
    assert Notice.objects.filter(user=bob, kind="rematch").count() == 1
    assert [len(some) for some in mine(bob).several] == [3]
    page(bob).post(reverse("games:answer", args=[new[0].pk]), {"answer": "yes", "all": "1"})
    assert Match.objects.filter(status="running").count() == 3
    assert client.post(reverse("games:rematch", args=[old.pk]), {"at_once": "9"}).status_code == 400


def test_with_a_bot_a_rematch_is_one(ann, bob):
    old = ended(ann, bob, bots=1)
    assert page(ann).post(reverse("games:rematch", args=[old.pk]), {"at_once": "2"}).status_code == 409
    assert not Match.objects.filter(status="open").exists()


def test_matches_opened_together_stand_together_on_my_tables(ann, bob):
    matches = three(ann)
    single = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d")
    for match in (*matches[:2], single, matches[2]):
        lobby.answer(match.pk, bob, yes=True, cut=("00" * 16, "browser"))
    for user in (ann, bob):
        lists = mine(user)
        for rows in (lists.await_me, lists.waiting):
            sets = [row.match.together_id for row in rows if row.match.together_id]
            places = [at for at, row in enumerate(rows) if row.match.together_id]
            assert not sets or places == list(range(places[0], places[0] + len(sets)))
