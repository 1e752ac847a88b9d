"""Several matches of the same people that end at the same moment: nothing is lost or counted twice."""

from functools import partial
from random import Random

import pytest

from games import play, recomputing, summaries
from games.models import Rating, RatingChange

from .playing import opened
from .seasons import index_of, turn
from .test_races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def test_matches_of_the_same_people_that_end_at_once_are_added_one_after_the_other(ann, bob):
    matches, rng = [], Random(4)
    for users in ((ann, bob), (bob, ann), (ann, bob)):
        match = opened(*users, target=10_000, turn_cap=10, rated=True)
        while not match.deals.filter(outcome__isnull=False).exists():
            turn(match, rng)
        play.drive(match.pk)
        matches.append(match)
    leaving = [ann if n else bob for n in range(3)]
    acts = [partial(play.resign, one.pk, index_of(one, user)) for one, user in zip(matches, leaving, strict=True)]
    assert at_once(*acts) == ["won"] * 3
    assert set(Rating.objects.values_list("matches", flat=True)) == {3}
    changes = RatingChange.objects.filter(user=ann).order_by("at")
    assert [one.mu_before for one in changes][1:] == [one.mu_after for one in changes][:-1]
    ann_total, bob_total = (summaries.total(summaries.rows(user)) for user in (ann, bob))
    assert (ann_total.won, ann_total.lost, bob_total.won, bob_total.lost) == (1, 2, 2, 1)
    assert recomputing.all_ratings() == (3, 0)
    assert [found for _user, found in recomputing.all_summaries()] == [0, 0]
