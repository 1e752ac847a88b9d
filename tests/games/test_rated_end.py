"""What the end of a match says of ratings: each change that the reader may see, or that nothing was rated."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import closing
from games import disclosure, people, ratings
from games.models import Friendship, RatingChange

from .seasons import played
from .sitting import ended

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def end(reader, match):
    browser = Client()
    if reader is not None:
        browser.force_login(reader)
    html = browser.get(f"/matches/{match.pk}/").content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", html.partition('<ol class="places"')[2].partition("</table>")[0]).split())


def show(user, to):
    disclosure.choose(user, dict.fromkeys(disclosure.SECTIONS, to))


def test_each_change_is_told_to_those_who_may_see_it(ann, bob, cat, mod):
    match = played(ann, bob, preset="gin", target=10, seed=4, rated=True)
    told = {}
    for row in RatingChange.objects.filter(match=match):
        before, after = ratings.on_scale(row.mu_before), ratings.on_scale(row.mu_after)
        about = round(ratings.SCALE * row.sigma_after)
        gain = f"{after - before:+d}".replace("-", "−")
        told[row.user] = f"{before} → then {after} ± {about} provisional, from 1 match {gain}"
    for reader in (ann, bob, cat, None):
        text = end(reader, match)
        assert "Ratings: Gin, by correspondence" in text and told[ann] in text and told[bob] in text
    show(ann, "friends")
    show(bob, "me")
    Friendship.objects.create(asking=cat, asked=ann, at=timezone.now(), accepted_at=timezone.now())
    assert told[ann] in end(cat, match) and told[bob] not in end(cat, match)
    assert told[bob] in end(bob, match) and told[ann] not in end(bob, match)
    page = Client().get(f"/matches/{match.pk}/").content.decode()
    assert "This match was rated. The ratings are not shown to you." in page and "provisional" not in page
    before = end(bob, match)
    people.block(ann, bob)
    assert end(bob, match) == before  # whoever is blocked reads what a stranger reads
    show(bob, "all")
    closing.close(bob)
    assert told[bob] not in end(cat, match) and told[ann] in end(cat, match)


def test_a_match_that_changed_no_rating_says_so_in_one_line_and_costs_no_more(ann, bob, cat):
    unrated = ended(ann, bob)
    assert "This match was not rated." in Client().get(f"/matches/{unrated.pk}/").content.decode()
    broken = ended(ann, bob, rated=True)
    page = Client().get(f"/matches/{broken.pk}/").content.decode()
    assert "Nothing was rated: the match was broken off in its first deal." in page
    browser = Client()
    browser.force_login(ann)
    match = played(ann, bob, preset="gin", target=10, seed=4, rated=True)
    browser.get(f"/matches/{match.pk}/")
    with CaptureQueriesContext(connection) as queries:
        browser.get(f"/matches/{match.pk}/")
    assert len(queries) <= 12, [q["sql"][:90] for q in queries]


def test_a_rating_is_provisional_until_it_rests_on_ten(ann, bob):
    match = played(ann, bob, preset="gin", target=10, seed=4, rated=True)
    first = RatingChange.objects.get(match=match, user=ann)
    rows = [
        RatingChange(user=ann, match=ended(ann, bob), family=first.family, kind=first.kind, place=1,
                     mu_before=25, sigma_before=8, mu_after=25, sigma_after=8, at=first.at)
        for _n in range(9)
    ]  # fmt: skip
    assert end(ann, match).count("provisional, from 1 match") == 2
    RatingChange.objects.bulk_create(rows)
    assert "from 10 matches" in end(ann, match) and end(ann, match).count("provisional, from 1 match") == 1
