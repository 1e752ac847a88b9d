"""The observatory: what is counted over all ended deals, how honest its intervals are, and who sees what of it."""

import random
import re
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.models import Chore
from games import chance, merging, observing, play
from games.models import Luck, Match, Observation
from games.rules.cards import pack

from .playing import opened

LATER = timedelta(hours=1)


def ended(*users, preset="gin"):
    match = opened(*users, preset=preset)
    play.resign(match.pk, 0)
    return Match.objects.get(pk=match.pk)


def counted():
    """All that the count has written, the moment left out."""
    rows = Luck.objects.order_by("user_id").values("user_id", "hands", "melds", "points", "squares")
    return list(Observation.objects.values("deals", "sums", "figures")), list(rows)


# The arithmetic


def test_wilsons_interval_has_the_values_of_the_books_and_stays_within_none_and_all():
    found = chance.share(10, 100)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0552, 0.1744)
    assert chance.share(0, 10).low == 0 and round(chance.share(0, 10).high, 3) == 0.278
    assert round(chance.share(10, 10).high, 9) == 1 and chance.share(0, 0) is None


def test_the_interval_of_a_mean_is_two_standard_errors_wide_on_each_side():
    values = [60, 62, 64, 66, 68]
    found = chance.mean(sum(values), sum(v * v for v in values), 5)
    assert found.value == 64 and round(found.high - found.value, 3) == round(1.959964 * (10 / 5) ** 0.5, 3)
    assert chance.mean(60, 3600, 1) is None


def tally(packs, shuffle):
    """So many packs counted, each laid by ``shuffle``."""
    told, cards = observing.Tally(), list(map(str, pack()))
    for _pack in range(packs):
        shuffle(cards)
        told.add({"orders": [{"cards": cards}], "hands": [cards[:20:2], cards[1:20:2]]}, {})
    return told


def test_an_honest_shuffle_passes_and_one_that_favours_a_card_is_found():
    rng = random.Random(6)
    honest = tally(600, rng.shuffle)
    assert abs(chance.chi_of_all(chance.chi_by_place(honest.places, honest.packs))[1]) < 3

    def unfair(cards):
        rng.shuffle(cards)
        if rng.random() < 0.2:
            at = cards.index("AS")
            cards[0], cards[at] = cards[at], cards[0]

    biased = tally(600, unfair)
    by_place = chance.chi_by_place(biased.places, biased.packs)
    assert chance.chi_of_all(by_place)[1] > 4 and max(by_place) == by_place[0]
    found = chance.share(honest.hands[1], honest.hands[0])
    assert honest.hands[0] == 1200 and found.low < chance.MELD_SHARE < found.high
    count = chance.mean(honest.hands[2], honest.hands[3], honest.hands[0])
    assert count.low < chance.MEAN_COUNT < count.high and round(chance.MEAN_COUNT, 1) == 65.4


def test_players_are_sorted_by_how_far_off_their_luck_is():
    assert [chance.band(z) for z in (-2.5, -1.5, 0, 1.5, 2.5)] == [0, 1, 2, 3, 4]
    assert abs(sum(chance.BAND_SHARES) - 1) < 0.001
    assert round(chance.luck(40, 100), 2) == 0.07


# The count


@pytest.mark.django_db
@pytest.mark.pg
def test_counted_day_by_day_or_anew_gives_the_same_row(ann, bob, cat):
    for players in ((ann, bob), (ann, cat)):
        ended(*players)
    assert observing.observe(timezone.now() + LATER) == 2
    first = counted()
    assert observing.observe(timezone.now() + LATER) == 2 and counted() == first
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        ended(bob, cat)
        ended(ann, bob, preset="solitaired-rummy")
        assert observing.observe(timezone.now() + LATER) == 4
        by_day = counted()
        assert observing.observe(timezone.now() + LATER, anew=True) == 4
    assert counted() == by_day
    (row,), lucky = by_day
    assert row["figures"]["hands"][0] == 6 and row["sums"]["packs"] == 4  # the hands of seven are no hands of ten
    assert [one["hands"] for one in lucky] == [2, 2, 2]
    assert all(sum(place) == 4 for place in row["sums"]["places"])


@pytest.mark.django_db
def test_a_running_deal_is_not_counted(ann, bob):
    opened(ann, bob, preset="gin")
    assert observing.observe(timezone.now() + LATER) == 0
    assert Luck.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.pg
def test_two_counts_at_once_count_nothing_twice(ann, bob, monkeypatch):
    ended(ann, bob)
    plain, now = observing._ended, timezone.now() + LATER

    def overtaken(since, until):
        monkeypatch.setattr(observing, "_ended", plain)
        observing.observe(now)
        yield from plain(since, until)

    monkeypatch.setattr(observing, "_ended", overtaken)
    assert observing.observe(now) == 1
    assert Observation.objects.get().sums["hands"][0] == 2 and Luck.objects.get(user=ann).hands == 1


@pytest.mark.django_db
def test_the_daily_count_is_done_once_a_day_by_one_worker(ann, bob):
    now = timezone.now()
    assert observing.observe_daily(now) == 0
    assert observing.observe_daily(now + timedelta(hours=23)) is None
    assert observing.observe_daily(now + timedelta(hours=25)) == 0
    assert Chore.objects.get(name="observe").due_at == now + timedelta(hours=49)


@pytest.mark.django_db
def test_hands_go_with_the_seats_that_a_guest_brings_along(ann, bob, django_user_model):
    guest = django_user_model.objects.create(username="guest-1", is_guest=True)
    ended(guest, ann)
    ended(guest, bob)
    observing.observe(timezone.now() + LATER)
    before = Luck.objects.get(user=guest).hands
    merging.move(guest, ann)  # at the first both sit, so that stays with the guest
    moved = counted()
    assert before == 2
    assert [Luck.objects.get(user=user).hands for user in (guest, ann, bob)] == [1, 2, 1]
    observing.observe(timezone.now() + LATER, anew=True)
    assert counted()[1] == moved[1]


@pytest.mark.django_db
def test_the_command_says_how_many_deals_there_are(ann, bob):
    ended(ann, bob)
    said = StringIO()
    with time_machine.travel(timezone.now() + LATER):
        call_command("observe", anew=True, stdout=said)
    assert "Deals counted in all: 1." in said.getvalue()


# The page


def words(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.mark.django_db
def test_an_empty_observatory_says_what_will_be_there(client):
    assert "No deal has been counted yet." in words(client.get(reverse("games:observatory")))


@pytest.mark.django_db
def test_the_page_tells_figures_with_what_they_rest_on_and_names_nobody(
    client, ann, bob, django_assert_max_num_queries
):
    ended(ann, bob)
    packs = tally(300, random.Random(1).shuffle)
    packs.deals = 300
    Luck.objects.create(user=bob, hands=400, melds=200, points=26000, squares=1_750_000)
    figures = observing._figures(packs)
    Observation.objects.create(until=timezone.now(), deals=300, sums=packs.sums(), figures=figures)
    shown = words(client.get(reverse("games:observatory")))
    assert "300 deals that ended before" in shown and "In 300 packs" in shown
    assert "2601 is expected" in shown and "39.65 %" in shown and "65.4" in shown and "600 hands of ten" in shown
    assert "1 player has been dealt at least 30 hands of ten" in shown and "Sign in to see your own." in shown
    assert not re.search(r"\b(ann|bob)\b", shown)
    client.force_login(ann)
    assert "You have been dealt no hand of ten" in words(client.get(reverse("games:observatory")))
    client.force_login(bob)
    with django_assert_max_num_queries(6):
        shown = words(client.get(reverse("games:observatory")))
    assert "400 hands of ten" in shown and "50.0 %" in shown


@pytest.mark.django_db
def test_too_few_packs_are_not_judged(client, ann, bob):
    ended(ann, bob)
    observing.observe(timezone.now() + LATER)
    shown = words(client.get(reverse("games:observatory")))
    assert "1 pack is too few for this test" in shown and "Chi-square over all places" not in shown
