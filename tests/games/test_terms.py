"""The terms of a match: its bank, its weekend, and vacations. What is left of a turn is never more after a halt."""

import datetime as dt
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from games import sweep, vacations
from games.models import Vacation
from games.seats import Refusal
from games.terms import MOST_AWAY

from .playing import mover, seat_of
from .terms_world import DAY, FRIDAY, asides, other, plain_turn, with_terms

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def test_a_bank_is_used_after_the_time_for_a_turn_and_never_comes_back(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, bank=5 * DAY, vacations=False)
        user = mover(match)
        assert match.due_at == FRIDAY + timedelta(days=6)

        now.shift(timedelta(hours=20))
        plain_turn(match, user)
        assert seat_of(match, user).bank == 5 * DAY

        plain_turn(match, mover(match))
        now.shift(timedelta(days=3))
        plain_turn(match, user)
        assert seat_of(match, user).bank == 3 * DAY
        assert seat_of(match, other(user, ann, bob)).bank == 5 * DAY

        plain_turn(match, mover(match))
        assert match.due_at == timezone.now() + timedelta(days=4)


def test_the_clock_takes_the_whole_bank(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, bank=DAY, vacations=False)
        user = mover(match)
        now.move_to(match.due_at + timedelta(seconds=61))
        sweep.sweep()

    assert (seat_of(match, user).bank, seat_of(match, user).missed) == (0, 1)


def test_weekend_days_are_those_of_the_seat_as_its_zone_was_at_the_start(ann, bob):
    for user in (ann, bob):
        user.time_zone = "America/New_York"
        user.save()
    with time_machine.travel(dt.datetime(2026, 10, 30, 16, tzinfo=dt.UTC), tick=False):
        match = with_terms(ann, bob, weekend="sat_sun", vacations=False)
        ann.time_zone = bob.time_zone = "Asia/Tokyo"
        ann.save()
        bob.save()
        mover(match)

    local = match.due_at.astimezone(ZoneInfo("America/New_York"))
    assert (local.date(), local.hour) == (dt.date(2026, 11, 2), 12)  # the clocks went back on Sunday


def test_a_vacation_stops_the_clock_and_adds_nothing(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="3d", bank=5 * DAY)
        user = mover(match)
        now.shift(timedelta(days=1))
        vacations.plan(user, dt.date(2026, 6, 6), dt.date(2026, 6, 20))
        match.refresh_from_db()
        assert match.due_at == dt.datetime(2026, 6, 21, tzinfo=dt.UTC) + timedelta(days=7)

        now.shift(timedelta(days=4))
        vacations.end(user)
        match.refresh_from_db()
        assert match.due_at == timezone.now() + timedelta(days=7)
        assert seat_of(match, user).bank == 5 * DAY
        assert asides(match) == ["vacation_began", "vacation_ended"]
        assert vacations.balance(user, 2026).used == 5


def test_a_planned_vacation_begins_and_ends_by_the_sweep_once_and_the_deadline_knows_it_before(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="7d")
        user = mover(match)
        vacations.plan(user, dt.date(2026, 6, 8), dt.date(2026, 6, 9))
        match.refresh_from_db()
        due = match.due_at
        assert due == FRIDAY + timedelta(days=9)
        for moment in (dt.datetime(2026, 6, 8, 1, tzinfo=dt.UTC), dt.datetime(2026, 6, 10, 1, tzinfo=dt.UTC)):
            now.move_to(moment)
            sweep.sweep()
            sweep.sweep()
        match.refresh_from_db()

    assert asides(match) == ["vacation_began", "vacation_ended"]
    assert match.due_at == due
    assert Vacation.objects.get(user=user).state == "over"


def test_a_vacation_that_is_taken_back_before_it_begins_leaves_the_deadline_as_it_was(ann, bob):
    with time_machine.travel(FRIDAY, tick=False):
        match = with_terms(ann, bob, pace="7d")
        user, due = mover(match), match.due_at
        vacations.plan(user, dt.date(2026, 6, 8), dt.date(2026, 6, 9))
        vacations.end(user)
        match.refresh_from_db()

    assert match.due_at == due
    assert vacations.current(user) is None
    assert asides(match) == []


def test_one_absentee_freezes_no_larger_table_for_more_than_seven_days_in_all(ann, bob, cat):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, cat)
        user = mover(match)
        vacations.plan(user, dt.date(2026, 6, 5), dt.date(2026, 6, 25))
        match.refresh_from_db()
        assert match.due_at == FRIDAY + timedelta(days=8)

        now.shift(timedelta(days=5))
        plain_turn(match, user)
        assert seat_of(match, user).away == 5 * DAY
        for _turn in range(2):
            plain_turn(match, mover(match))
        assert match.due_at == timezone.now() + timedelta(days=1 + 2)
        now.move_to(match.due_at + timedelta(seconds=61))
        sweep.sweep()

    assert seat_of(match, user).away == MOST_AWAY
    assert seat_of(match, user).missed == 1


def test_vacations_stop_no_clock_where_the_match_was_opened_otherwise_nor_in_live_play(ann, bob):
    with time_machine.travel(FRIDAY, tick=False):
        matches = [with_terms(ann, bob, vacations=False), with_terms(ann, bob, pace="60s")]
        before = [(mover(m), m.due_at)[1] for m in matches]
        for user in (ann, bob):
            vacations.plan(user, dt.date(2026, 6, 5), dt.date(2026, 6, 7))
        for match in matches:
            match.refresh_from_db()

    assert [m.due_at for m in matches] == before
    assert asides(matches[0]) == asides(matches[1]) == []


def test_a_vacation_that_starts_when_the_clock_is_due_finds_that_it_has_played(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob)
        user = mover(match)
        now.move_to(match.due_at + timedelta(seconds=61))
        vacations.plan(user, timezone.now().date(), timezone.now().date())
        sweep.sweep()
        match.refresh_from_db()

    assert seat_of(match, user).missed == 1
    assert asides(match) == ["vacation_began"]
    assert match.turn == seat_of(match, other(user, ann, bob)).index


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ((2026, 6, 4), (2026, 6, 6), "today or later"),
        ((2026, 6, 8), (2026, 6, 7), "before the first"),
        ((2026, 6, 8), (2026, 7, 6), "28 days are left in 2026"),
        ((2028, 6, 8), (2028, 6, 9), "too far away"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused_with_a_sentence(ann, client, first, last, said):
    client.force_login(ann)
    with time_machine.travel(FRIDAY, tick=True):
        told = {"do": "plan", "first": dt.date(*first).isoformat(), "last": dt.date(*last).isoformat()}
        answer = client.post(reverse("games:vacation"), told)

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Vacation.objects.exists()


def test_there_is_one_vacation_at_a_time_and_the_days_of_a_year_come_to_an_end(ann):
    with time_machine.travel(FRIDAY, tick=False) as now:
        vacations.plan(ann, dt.date(2026, 6, 5), dt.date(2026, 6, 24))
        with pytest.raises(Refusal, match="already"):
            vacations.plan(ann, dt.date(2026, 6, 5), dt.date(2026, 6, 5))
        row = {
            "first_day": dt.date(2026, 6, 5),
            "last_day": dt.date(2026, 6, 5),
            "starts_at": FRIDAY,
            "ends_at": FRIDAY,
        }
        with pytest.raises(IntegrityError), transaction.atomic():
            Vacation.objects.create(user=ann, **row)
        now.move_to(dt.datetime(2026, 6, 25, 12, tzinfo=dt.UTC))
        sweep.sweep()

        assert vacations.balance(ann, 2026).left == 8
        with pytest.raises(Refusal, match="8 days are left"):
            vacations.plan(ann, dt.date(2026, 12, 20), dt.date(2027, 1, 2))
        vacations.plan(ann, dt.date(2026, 12, 24), dt.date(2027, 1, 20))
