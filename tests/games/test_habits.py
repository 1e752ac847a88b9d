"""The badge from facts: what answers say of somebody, how it is counted from the tapes, and where it is shown."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.closing import close
from accounts.guests import make_guest
from games import absence, agreements, habits, lobby, merging
from games.models import Habit, Match, Move, Tenure

from .playing import mover, opened, take_turn

MINUTE, HOUR, DAY = 60, 3600, 86400
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def answers(hours, took=3 * HOUR):
    """One answer a day at each of these hours of UTC."""
    return [(NOON.replace(hour=hour) + timedelta(days=day), took) for day, hour in enumerate(hours)]


def test_ten_answers_are_enough_and_nine_tell_nothing():
    assert habits.known_of(answers([19] * 9), UTC) is None
    assert habits.known_of(answers([19] * 10), UTC) == habits.Known(3 * HOUR, "evening")


def test_half_of_the_answers_came_sooner_so_one_long_absence_changes_little():
    some = answers([9] * 10, HOUR) + answers([9], 30 * DAY)
    assert habits.known_of(some, UTC).seconds == HOUR


@pytest.mark.parametrize(
    ("zone", "part"),
    [("UTC", "evening"), ("America/Los_Angeles", "afternoon"), ("Asia/Tokyo", "morning"), ("Asia/Kolkata", "night")],
)
def test_the_part_of_the_day_is_told_in_his_own_zone(zone, part):
    assert habits.known_of(answers([20] * 10), ZoneInfo(zone)).part == part


def test_no_part_is_told_where_the_answers_fall_all_over_the_day():
    assert habits.known_of(answers([2, 2, 2, 9, 9, 9, 14, 14, 19, 19]), UTC).part == ""


@pytest.mark.parametrize(
    ("hour", "part"), [(4, "night"), (5, "morning"), (12, "afternoon"), (17, "evening"), (21, "evening"), (22, "night")]
)
def test_where_a_part_of_the_day_ends(hour, part):
    assert habits.part_of(hour) == part


@pytest.mark.parametrize(
    ("seconds", "part", "words"),
    [
        (20, "", ["answers within minutes"]),
        (38 * MINUTE, "morning", ["answers in about 40 minutes", "mornings"]),
        (3 * HOUR + 20 * MINUTE, "evening", ["answers in about 3 h", "evenings"]),
        (3 * DAY, "night", ["answers in about 3 days", "nights"]),
    ],
)
def test_the_badge_tells_it_coarsely(seconds, part, words):
    assert habits.told(Habit(seconds=seconds, part=part)) == words
    assert habits.told(None) == []


def played(ann, bob, turns, after, pace="3d"):
    """A match in which each turn was taken so long after the one before."""
    with time_machine.travel(NOON, tick=False) as now:
        match = opened(ann, bob, pace=pace, target=1000)
        for _turn in range(turns):
            now.shift(after)
            user = mover(match)
            if user is None:
                break
            take_turn(match, user)
    return match


@pytest.mark.django_db
@pytest.mark.pg
def test_the_daily_count_is_made_of_own_turns_by_correspondence_and_of_nothing_else(ann, bob, cat):
    played(ann, bob, 24, timedelta(hours=2))
    played(ann, cat, 24, timedelta(seconds=5), pace="60s")

    assert habits.count(NOON + timedelta(days=10)) == 2

    assert set(Habit.objects.values_list("user", flat=True)) == {ann.pk, bob.pk}
    assert set(Habit.objects.values_list("seconds", flat=True)) == {2 * HOUR}
    Move.objects.filter(by="user", match__pace="3d").update(by="clock")
    assert habits.count(NOON + timedelta(days=10)) == 0
    assert not Habit.objects.exists()


@pytest.mark.django_db
@pytest.mark.pg
def test_nudges_and_proposals_are_no_answers_and_a_pause_is_nobodys_slowness(ann, bob):
    with time_machine.travel(NOON, tick=False) as now:
        match = opened(ann, bob, pace="3d", target=10_000)
        for _turn in range(12):
            user = mover(match)
            other = bob if user == ann else ann
            now.shift(timedelta(hours=39))
            absence.nudge(match.pk, other)
            now.shift(timedelta(minutes=1))
            agreements.propose(match.pk, other, "pause")
            agreements.answer(match.pk, user, yes=True)
            now.shift(timedelta(days=9))
            agreements.go_on(match.pk, other)
            now.shift(timedelta(hours=2))
            take_turn(match, user)

    habits.count(match.tape.latest("number").at + timedelta(hours=1))
    assert not Habit.objects.exists(), "in sixty days there were fewer than ten answers of each"


def goes_on(match, start, turns, after):
    """Another so many turns of persons, each so long after the one before."""
    with time_machine.travel(start, tick=False) as now:
        for _turn in range(turns):
            user = driver(match)
            now.shift(after)
            take_turn(match, user)
        return timezone.now()


def driver(match):
    mover(match)
    return match.seats.get(index=match.turn).driven_by


@pytest.mark.django_db
@pytest.mark.pg
def test_what_a_substitute_answered_counts_for_him_and_not_for_the_user_of_the_seat(ann, bob, cat):
    match = played(ann, bob, 24, timedelta(hours=2))
    driven = Tenure.objects.filter(seat__match=match, user=ann)
    half = match.tape.count() // 2
    Tenure.objects.create(seat=driven.get().seat, driver="user", user=cat, from_move=1, to_move=half, why="taken_over")
    driven.exclude(user=cat).update(from_move=half + 1)

    habits.count(NOON + timedelta(days=10))
    assert set(Habit.objects.values_list("user", flat=True)) == {bob.pk}, "half of the answers are too few for each"
    driven.update(user=cat)
    habits.count(NOON + timedelta(days=10))
    assert set(Habit.objects.values_list("user", flat=True)) == {bob.pk, cat.pk}


@pytest.mark.django_db
@pytest.mark.pg
def test_what_a_guest_answered_counts_for_the_account_to_which_he_moved(ann, bob):
    guest = make_guest("en", "UTC")
    with time_machine.travel(NOON, tick=False):
        match = opened(guest, bob, pace="3d", target=10_000)
    moved = goes_on(match, NOON, 12, timedelta(hours=2))
    merging.move(guest, ann)
    match.refresh_from_db()
    later = goes_on(match, moved, 12, timedelta(hours=2))

    habits.count(later)
    assert set(Habit.objects.values_list("user", flat=True)) == {ann.pk, bob.pk}


@pytest.mark.django_db
def test_old_turns_count_no_more_and_closing_an_account_takes_the_badge_away(ann, bob):
    played(ann, bob, 24, timedelta(hours=2))
    habits.count(NOON + timedelta(days=10))

    close(ann)
    assert not Habit.objects.filter(user=ann).exists()
    assert habits.count(NOON + timedelta(days=10)) == 1
    assert habits.count(NOON + timedelta(days=90)) == 0


@pytest.mark.django_db
@pytest.mark.pg
def test_it_is_counted_once_a_day_whoever_looks(db):
    assert habits.count_daily(NOON) == 0
    assert habits.count_daily(NOON + timedelta(hours=23)) is None
    assert habits.count_daily(NOON + timedelta(hours=24)) == 0
    assert habits.count_daily(NOON + timedelta(hours=25)) is None


@pytest.mark.django_db
def test_the_badge_stands_on_the_player_page_in_the_room_and_in_the_lobby_without_a_query_a_row(ann, bob, cat):
    for user in (ann, bob):
        Habit.objects.create(user=user, seconds=3 * HOUR, part="evening")
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "easy"], pace="1d")
    client = Client()
    client.force_login(cat)

    def queries():
        client.get(reverse("games:lobby"))
        with CaptureQueriesContext(connection) as found:
            client.get(reverse("games:lobby"))
        return len(found)

    for address in ("/players/ann/", reverse("games:lobby"), reverse("games:match", args=[match.pk])):
        shown = client.get(address).content.decode()
        assert "answers in about 3 h · evenings" in shown, address
        assert shown.count("answers in about") == 1, address
    few = queries()
    for _n in range(4):
        lobby.open_match(bob, "basic-rummy", seats=["open"], pace="1d")
    assert queries() == few
    assert Match.objects.count() == 5
    assert timezone.now() > NOON
