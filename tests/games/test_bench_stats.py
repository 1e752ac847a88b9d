"""The generated results, few of them: pages and figures work. ``./run bench --stats`` has the large size."""

import pytest

from games import recomputing, summaries
from games.bench import numbers
from games.bench.seasons import Size
from games.models import Match, Move, Rating

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def test_pages_that_add_up_generated_results_take_few_queries():
    found = numbers.figures(Size(matches=60, detailed=2, of_one=12, users=10, played=1))
    assert Match.objects.filter(status="over").count() >= 60 and Move.objects.exists()
    for page in ("leaderboard", "last_of_leaderboard", "two_people", "profile"):
        assert found[f"{page}_queries"] <= 15, found
    assert Rating.objects.exists()
    assert recomputing.all_ratings()[1] == 0
    assert summaries.matches(summaries.total(summaries.rows(Match.objects.earliest("pk").opener_id))) >= 0
