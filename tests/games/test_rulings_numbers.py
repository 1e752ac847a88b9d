"""Ratings after a ruling: also those that later matches gave follow, and nothing is left to recompute."""

import pytest

from accounts.models import User
from games import play
from games.models import Rating, RatingChange, Summary
from games.moderation import rulings

from .playing import opened
from .ruling import WHY, deals_played, nothing_to_correct, on
from .seasons import index_of

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.fixture
def dan(db):
    return User.objects.create(username="dan")


def won_by(winner, loser):
    """A rated match that the other left after its first deal."""
    match = deals_played(winner, loser, ended=1, rated=True)
    play.resign(match.pk, index_of(match, loser))
    match.refresh_from_db()
    return match


def mu(user):
    return {row.user_id: row.mu for row in Rating.objects.all()}.get(user.pk)


def test_ratings_that_rest_on_a_match_follow_when_it_is_broken_off_and_when_it_counts_again(ann, bob, cat, dan, mod):
    first, second, third = won_by(ann, bob), won_by(bob, cat), won_by(cat, dan)
    apart = opened(ann, dan, hand_size=3, target=10_000)  # not rated
    before = {user.pk: mu(user) for user in (ann, bob, cat, dan)}
    rulings.abort(first.pk, by=mod, reason=WHY)
    nothing_to_correct()
    assert mu(ann) is None and not RatingChange.objects.filter(match=first).exists()
    assert mu(bob) > before[bob.pk], "bob has lost nothing now"
    assert mu(cat) != before[cat.pk] and mu(dan) != before[dan.pk], "who played with him later follows"
    assert RatingChange.objects.get(match=second, user=bob).mu_before == 25
    rulings.reopen_match(first.pk, by=mod, reason=WHY)
    assert {user.pk: mu(user) for user in (ann, bob, cat, dan)} == before
    first.refresh_from_db()
    assert first.ending == "resigned" and list(third.rating_changes.all())
    nothing_to_correct()
    rulings.abort(apart.pk, by=mod, reason=WHY)
    assert {user.pk: mu(user) for user in (ann, bob, cat, dan)} == before


def test_a_match_that_is_reopened_is_rated_again_at_its_new_end(ann, bob, cat, mod):
    first, second = won_by(ann, bob), won_by(bob, cat)
    rulings.reopen_match(first.pk, by=mod, reason=WHY)
    nothing_to_correct()
    assert mu(ann) is None
    on(first)
    play.resign(first.pk, index_of(first, ann))
    first.refresh_from_db()
    nothing_to_correct()
    assert first.winners == [index_of(first, bob)]
    assert RatingChange.objects.get(match=first, user=bob).at > RatingChange.objects.get(match=second, user=bob).at
    assert Summary.objects.filter(user=ann).count() == 1
