"""A ruling at the same moment as a move, the clock, another ruling, the end of the match: one after the other."""

from datetime import timedelta
from functools import partial
from random import Random

import pytest
from django.utils import timezone

from games import play
from games.models import Match
from games.moderation import rulings, seating
from games.rules.actions import DrawStock

from .playing import do, mover, opened
from .ruling import WHY, deals_played, is_its_tape, nothing_to_correct, on, points
from .seasons import index_of, turn
from .test_races import at_once, tape_is_whole

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def all_well(match):
    tape_is_whole(match)
    is_its_tape(match)
    nothing_to_correct()


def test_a_deal_is_void_before_or_after_a_move_never_in_between(ann, bob, mod):
    match = opened(ann, bob, hand_size=3, target=10_000)
    user = mover(match)
    at_once(partial(do, match, user, DrawStock()), partial(rulings.void_deal, match.pk, 1, by=mod, reason=WHY))
    assert Match.objects.get(pk=match.pk).deals.get(number=1).outcome["kind"] == "voided"
    all_well(on(match))
    assert match.deal_number == 2


def test_of_two_rulings_on_one_deal_one_is_refused_and_the_clock_takes_no_part(ann, bob, mod):
    match = deals_played(ann, bob, ended=1, rated=True)
    Match.objects.filter(pk=match.pk).update(due_at=timezone.now() - timedelta(hours=9), wake_at=timezone.now())
    void = partial(rulings.void_deal, match.pk, 1, by=mod, reason=WHY)
    told = at_once(void, void, partial(play.drive, match.pk))
    assert sorted(told)[1:] == ["won", "won"] and "nobody already" in sorted(told)[0]
    all_well(on(match))
    assert points(match)[0] == [0, 0]


def test_the_end_of_a_match_and_its_end_by_a_moderator_are_one_end(ann, bob, mod):
    match = deals_played(ann, bob, ended=1, rated=True)
    leave = partial(play.resign, match.pk, index_of(match, ann))
    told = at_once(leave, partial(rulings.abort, match.pk, by=mod, reason=WHY))
    match.refresh_from_db()
    assert match.ending == "aborted" and told[1] == "won"
    all_well(match)


def test_a_ruling_on_an_old_result_and_the_end_of_a_later_match_leave_right_ratings(ann, bob, cat, mod):
    first = deals_played(ann, bob, ended=1, rated=True)
    play.resign(first.pk, index_of(first, bob))
    second, rng = opened(bob, cat, hand_size=3, target=10_000, turn_cap=12, rated=True), Random(1)
    while not second.deals.filter(outcome__isnull=False).exists():
        turn(second, rng)
    on(second)
    assert at_once(
        partial(rulings.abort, first.pk, by=mod, reason=WHY),
        partial(play.resign, second.pk, index_of(second, cat)),
        partial(seating.give_time, on(opened(ann, cat)).pk, 0, timedelta(hours=1), by=mod, reason=WHY),
    ) == ["won", "won", "won"]
    all_well(first)
    all_well(second)
