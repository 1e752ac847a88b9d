"""A rematch: the same people and options, asked, answered once, cancelled for all (FAULTS.md B29)."""

import pytest
from django.urls import reverse

from games import lobby, play
from games.models import Match
from games.rules.codec import decode_outcome, decode_sheet

from .playing import CUT, opened, play_on
from .sitting import ended
from .sitting_down import HEX, client, do, drivers, room

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def test_b29_a_rematch_has_the_same_accounts_and_options_and_the_deal_moves_on(ann, bob, cat):
    house = {"target": 10, "turn_cap": 10, "blocked_scoring": "opponents_total", "ace": "wrap"}
    old = play_on(opened(ann, bob, cat, **house))

    answer = do(bob, "rematch", old)

    again = Match.objects.get(rematch_of=old)
    assert answer.url == reverse("games:match", args=[again.pk])
    assert [user for _driver, user in drivers(again)] == [user for _driver, user in drivers(old)]
    assert (again.preset, again.edition, again.options, again.pace) == (
        old.preset,
        old.edition,
        old.options,
        old.pace,
    )
    for user in (ann, cat):
        assert do(user, "answer", again, answer="yes", cut=HEX).status_code == 302
    again.refresh_from_db()
    assert old.ending == "played"
    last = old.deals.order_by("-number").first()
    assert again.status == "running"
    assert again.deals.get(number=1).dealer == old.game().next_dealer(
        decode_sheet(last.sheet, old.game().sheet_kind), decode_outcome(last.outcome)
    )


def test_b29_one_who_declines_ends_it_for_all(ann, bob, cat):
    again = lobby.rematch(ended(ann, bob, cat).pk, ann)
    do(bob, "answer", again, answer="yes")

    assert do(cat, "answer", again, answer="no").url == reverse("games:tables")

    again.refresh_from_db()
    assert (again.status, again.deals.count()) == ("cancelled", 0)
    assert do(bob, "answer", again, answer="yes").status_code == 409
    assert "There will be no rematch" in room(ann, again)


def test_b29_who_has_declined_is_not_asked_again_and_may_ask_in_turn(ann, bob):
    old = ended(ann, bob)
    do(bob, "answer", lobby.rematch(old.pk, ann), answer="no")

    answer = do(ann, "rematch", old)

    assert answer.status_code == 409
    assert "bob cannot be asked again for this match." in answer.content.decode()
    do(bob, "rematch", old)
    assert Match.objects.get(rematch_of=old, status="open").opener == bob


def test_b29_a_closed_account_is_a_refusal_with_a_sentence(ann, bob):
    old = ended(ann, bob)
    bob.is_active = False
    bob.save()

    answer = do(ann, "rematch", old)

    assert answer.status_code == 409
    assert "One of the players has closed the account." in answer.content.decode()
    assert not Match.objects.filter(rematch_of=old).exists()


def test_b29_both_who_ask_reach_the_same_rematch(ann, bob):
    old = ended(ann, bob)

    assert do(ann, "rematch", old).url == do(bob, "rematch", old).url
    assert Match.objects.filter(rematch_of=old).count() == 1


def test_b29_the_invited_finds_the_question_among_the_tables_and_in_the_room(ann, bob):
    again = lobby.rematch(ended(ann, bob).pk, ann)

    for shown in (client(bob).get(reverse("games:tables")).content.decode(), room(bob, again)):
        assert f"{ann.shown_name} asks you for a rematch" in shown
        assert reverse("games:answer", args=[again.pk]) in shown
    assert reverse("games:answer", args=[again.pk]) not in room(ann, again)


def test_an_answer_is_yes_or_no(ann, bob):
    again = lobby.rematch(ended(ann, bob).pk, ann)

    answer = do(bob, "answer", again, answer="perhaps")

    assert answer.status_code == 400
    assert "Say yes or no." in answer.content.decode()


def test_a_rematch_of_a_running_match_is_refused(ann, bob):
    answer = do(ann, "rematch", opened(ann, bob))

    assert answer.status_code == 409
    assert "A rematch is possible when the match is over." in answer.content.decode()


def test_leaving_a_rematch_cancels_it_and_opens_no_seat_to_strangers(ann, bob):
    match = lobby.open_match(ann, "android-rummy", seats=["open"], pace="1d")
    lobby.join(match.pk, bob, CUT)
    play.resign(match.pk, 0)
    again = lobby.rematch(match.pk, ann)

    lobby.leave(again.pk, bob)

    again.refresh_from_db()
    assert again.status == "cancelled"
    assert not again.seats.filter(driver="open").exists()
    assert again not in lobby.open_matches()
