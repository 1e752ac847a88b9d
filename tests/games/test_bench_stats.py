"""The generated results, few of them: pages, moves and figures work. ``./run bench --stats`` has the large size."""

import pytest

from games import recomputing
from games.bench import numbers
from games.bench.seasons import Size
from games.models import Deal, Match, Move, Rating, Summary

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

PAGES = (
    "profile",
    "profile_of_a_preset",
    "profile_with_one",
    "leaderboard",
    "last_of_leaderboard",
    "two_people",
    "own_tables",
    "lobby",
    "observatory",
)


def test_generated_results_are_what_recompute_says_and_pages_of_them_take_few_queries(settings):
    settings.LIMITED = False
    found = dict(numbers.figures(Size(matches=120, detailed=2, of_one=12, users=12, running=10, played=1), rounds=2))
    assert found["different_rows"] == 0
    assert sum(differ for _user, differ in recomputing.all_summaries()) == 0
    assert Match.objects.filter(status="over").count() >= 120 and Match.objects.filter(status="running").count() >= 20
    assert Deal.objects.count() > 12 and Move.objects.count() > 40
    assert Rating.objects.exists() and Summary.objects.filter(points_for__gt=0).exists()
    for page in PAGES:
        assert 0 < found[f"{page}_queries"] <= 15, (page, found)
    assert found["own_matches_first_queries"] == found["own_matches_last_queries"] > 0
    assert 0 < found["move_queries"] <= 60 and 0 < found["sweep_queries"] <= 3
