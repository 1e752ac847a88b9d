"""A match rests by consent and goes on, time is given, and what of its terms stays."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games import agreements, lobby, play, sweep
from games.models import Match, Notice, Seat
from games.notices.current import is_current
from games.rules.actions import DrawStock
from games.seats import Refusal
from games.terms import Terms

from .playing import CUT, do, mover, opened, seat_of
from .sitting import ended
from .terms_world import DAY, FRIDAY, asides, other, plain_turn, with_terms

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def test_a_pause_keeps_what_is_left_of_the_turn_and_not_more(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="3d", vacations=False)
        user = mover(match)
        now.shift(timedelta(days=1))
        agreements.propose(match.pk, user, "pause")
        agreements.answer(match.pk, other(user, ann, bob), yes=True)
        match.refresh_from_db()
        assert match.due_at is None
        with pytest.raises(play.Stale, match="paused"):
            do(match, user, DrawStock())

        now.shift(timedelta(days=4))
        assert sweep.sweep() == 0
        agreements.go_on(match.pk, user)
        match.refresh_from_db()

        assert match.due_at == timezone.now() + timedelta(days=2)
        assert asides(match) == ["asked_pause", "paused", "went_on"]


def test_a_pause_ends_by_itself_after_thirty_days_once(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, vacations=False)
        mover(match)
        agreements.propose(match.pk, ann, "pause")
        agreements.answer(match.pk, bob, yes=True)
        now.shift(timedelta(days=30))
        sweep.sweep()
        sweep.sweep()
        match.refresh_from_db()

        assert match.paused_at is None
        assert match.due_at == timezone.now() + timedelta(days=1)
        assert asides(match)[-1:] == ["pause_ended"]


@pytest.mark.parametrize("by_itself", [True, False])
def test_when_a_pause_ends_who_is_to_move_is_told_that_the_time_runs_again(ann, bob, by_itself):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, vacations=False)
        user = mover(match)
        agreements.propose(match.pk, ann, "pause")
        agreements.answer(match.pk, bob, yes=True)
        before = Notice.objects.filter(kind="your_turn", user=user).latest("pk")
        assert not is_current(before, "email"), "in a pause nobody is called to his turn"
        now.shift(timedelta(days=30 if by_itself else 9))
        if by_itself:
            sweep.sweep()
        else:
            agreements.go_on(match.pk, other(user, ann, bob))

        latest = Notice.objects.filter(kind="your_turn", user=user).latest("pk")
        assert latest.at == timezone.now()
        assert is_current(latest, "email")
        assert not is_current(before, "email")


def test_a_pause_needs_everybody_who_plays_and_can_be_declined_or_taken_back(ann, bob, cat):
    match = with_terms(ann, bob, cat)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    agreements.answer(match.pk, bob, yes=True)
    agreements.answer(match.pk, bob, yes=True)
    match.refresh_from_db()
    assert match.paused_at is None
    agreements.answer(match.pk, cat, yes=False)
    with pytest.raises(Refusal, match="no proposal"):
        agreements.answer(match.pk, bob, yes=True)
    agreements.propose(match.pk, bob, "pause")
    with pytest.raises(Refusal, match="Only the one"):
        agreements.withdraw(match.pk, ann)
    asked = Notice.objects.filter(kind="asked", user=cat).latest("pk")
    assert is_current(asked, "email")
    agreements.withdraw(match.pk, bob)
    match.refresh_from_db()
    assert not is_current(asked, "email"), "what was taken back is not mailed"

    assert match.proposal is match.paused_at is None
    assert asides(match) == ["asked_pause", "declined", "asked_pause", "withdrew"]
    assert Notice.objects.filter(kind="asked", user=cat).count() == 2
    assert Notice.objects.filter(kind="answered", user=ann).count() == 2


def test_with_bots_a_pause_begins_at_once_and_no_bot_moves_meanwhile(ann):
    match = opened(ann, bots=2, pace="1d", target=10_000)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    match.refresh_from_db()
    before = match.moves
    play.drive(match.pk)
    match.refresh_from_db()

    assert match.paused_at is not None
    assert match.moves == before


def test_who_resigns_in_a_pause_ends_it_with_the_match(ann, bob):
    match = with_terms(ann, bob)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    agreements.answer(match.pk, bob, yes=True)
    play.resign(match.pk, 0)
    match.refresh_from_db()

    assert (match.status, match.paused_at, match.wake_at) == ("over", None, None)


def test_time_is_given_once_a_turn_by_each_and_goes_before_the_bank(ann, bob, cat):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, cat, bank=5 * DAY, vacations=False)
        user = mover(match)
        givers = [one for one in (ann, bob, cat) if one != user]
        now.shift(timedelta(days=4))
        due = match.due_at
        for giver in givers:
            agreements.give_time(match.pk, giver)
            with pytest.raises(Refusal, match="once a turn"):
                agreements.give_time(match.pk, giver)
        with pytest.raises(Refusal):
            agreements.give_time(match.pk, user)
        match.refresh_from_db()
        assert match.due_at == due + timedelta(days=2)
        plain_turn(match, user)

    assert seat_of(match, user).bank == 2 * DAY
    assert Notice.objects.filter(kind="time_given", user=user).count() == 2


def test_an_ended_match_has_no_time_left_to_talk_about(ann, bob):
    match = ended(ann, bob)
    with time_machine.travel(timezone.now() + timedelta(days=60), tick=True):
        sweep.sweep()
        for act in (agreements.go_on, agreements.give_time, agreements.go_back):
            with pytest.raises(play.Stale, match="over"):
                act(match.pk, ann)
    before = match.ended_at
    match.refresh_from_db()

    assert (match.due_at, match.wake_at, match.turn_at, match.ended_at) == (None, None, None, before)


def test_a_rematch_and_the_next_match_of_an_offer_have_the_same_terms(ann, bob):
    terms = Terms(bank=3 * DAY, weekend="fri_sat", vacations=False)
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", chosen={}, cut=CUT, standing=2, terms=terms)
    lobby.join(match.pk, bob, CUT)
    following = Match.objects.get(series=match.pk, status="open")
    play.resign(match.pk, 0)
    again = lobby.rematch(match.pk, ann)

    for one in (following, again):
        assert (one.bank, one.weekend, one.vacations) == (3 * DAY, "fri_sat", False)
    assert not Seat.objects.filter(match=following).exclude(bank=0).exists()
