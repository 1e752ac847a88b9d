"""What a match will take: measured, scaled, told as a range in a fitting unit."""

from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games import length_table
from games.bench.lengths import length_of, play_deal
from games.lengths import LENGTHS, estimate, span
from games.management.commands import lengths as command
from games.models import Match
from games.rules.catalog import PRESETS, find

DAY = 24 * 3600
CASES = [(preset.name, seats) for preset in PRESETS for seats in preset.hand_sizes]


@pytest.mark.parametrize(("preset", "seats"), CASES)
def test_every_game_and_number_of_seats_was_measured_with_its_usual_target(preset, seats):
    length = LENGTHS[preset, seats]

    assert length.target == find(preset).options(seats).target
    assert 1 <= length.few <= length.many
    assert length.turns > seats


@pytest.mark.parametrize(("preset", "seats"), [("basic-rummy", 4), ("android-rummy", 2)])
def test_what_was_measured_is_near_to_what_bots_play_today(preset, seats):
    game, rng = find(preset).play(find(preset).options(seats)), Random(7)

    turns = [play_deal(game, rng)[0] for _ in range(40)]

    assert sum(turns) / len(turns) == pytest.approx(LENGTHS[preset, seats].turns, rel=0.25)


def test_twice_the_points_take_twice_the_deals():
    usual = estimate("basic-rummy", find("basic-rummy").options(2), "1d", 2)
    twice = estimate("basic-rummy", find("basic-rummy").options(2, {"target": 300}), "1d", 2)

    assert twice.deals == (2 * usual.deals[0], 2 * usual.deals[1])
    assert twice.seconds[1] == pytest.approx(2 * usual.seconds[1], rel=0.1)


def test_numbers_are_no_finer_than_they_are_known():
    found = estimate("basic-rummy", find("basic-rummy").options(2, {"target": 900}), "1d", 2)

    assert all(n % 10 == 0 for n in found.turns)


def test_a_match_of_some_deals_takes_exactly_those():
    options = find("basic-rummy").options(2, {"match_end": "deals", "deals": 1})

    assert estimate("basic-rummy", options, "1d", 2).told.startswith("About 1 deal, with")


def test_time_follows_the_pace_and_the_people_but_not_the_bots():
    options = find("basic-rummy").options(4)
    four, one = (estimate("basic-rummy", options, "1d", people) for people in (4, 1))

    assert four.seconds[1] == pytest.approx(4 * one.seconds[1])
    assert estimate("basic-rummy", options, "2d", 4).seconds[0] == pytest.approx(2 * four.seconds[0])
    assert "minutes" in estimate("basic-rummy", options, "none", 1).lasting
    assert "with three turns a minute" in estimate("basic-rummy", options, "none", 1).lasting
    assert "half of the time" in four.lasting


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [
        (10, 40, "about 1 minute"),
        (300, 1500, "about 5 to 25 minutes"),
        (3600, 4 * 3600, "about 1 to 4 hours"),
        (2 * DAY, 9 * DAY, "about 2 to 9 days"),
        (14 * DAY, 35 * DAY, "about 2 to 5 weeks"),
        (60 * DAY, 900 * DAY, "about 2 to 30 months"),
    ],
)
def test_a_range_is_told_in_the_unit_that_suits_it(least, most, told):
    assert span(least, most) == told


@pytest.mark.django_db
def test_the_page_tells_it_and_tells_it_anew_when_something_changes(ann):
    client = Client()
    client.force_login(ann)
    shown = client.get(reverse("games:new_match"), {"preset": "basic-rummy"}).content.decode()
    usual = estimate("basic-rummy", find("basic-rummy").options(4), "1d", 4)
    assert usual.told in shown and usual.lasting in shown

    asked = {"preset": "basic-rummy", "seats": "2", "pace": "60s", "rule_target": "300", "seat_1": "open"}
    part = client.get(reverse("games:length"), asked).content.decode()

    other = estimate("basic-rummy", find("basic-rummy").options(2, {"target": 300}), "60s", 2)
    assert other.told in part and other.lasting in part
    assert "<html" not in part
    assert not Match.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [{}, {"preset": "\x00"}, {"seats": "99"}, {"rule_target": "x", "pace": "never"}, {"rule_hand_size": "25"}]
)
def test_what_cannot_be_read_is_taken_as_usual(wrong):
    answer = Client().get(reverse("games:length"), wrong)

    assert answer.status_code == 200
    assert "deals, with" in answer.content.decode()


def test_the_measure_is_the_same_for_the_same_seed_and_is_written_into_the_table(tmp_path, monkeypatch):
    preset = find("android-rummy")
    assert length_of(preset, 2, 6, 3) == length_of(preset, 2, 6, 3)
    table = tmp_path / "table.py"
    table.write_text(Path(length_table.__file__).read_text())
    monkeypatch.setattr(command.length_table, "__file__", str(table))
    monkeypatch.setattr(command, "PRESETS", (preset,))

    call_command("lengths", deals=4)

    found = {}
    exec(table.read_text(), found)
    assert set(found["LENGTHS"]) == {("android-rummy", 2)}
