"""When a reminder comes: half of what a turn has, with bank and gifts and without days off; hours of every clock."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games import agreements, lobby, vacations
from games.models import Match, Notice, NoticeSettings
from games.notices import reminders
from games.terms import Terms

from .playing import CUT, mover

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

DAY = timedelta(days=1)
MONDAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
FRIDAY = datetime(2026, 6, 5, 12, tzinfo=UTC)


def waits(ann, bob, **terms):
    """(match, who is to move, the other); both want to hear at half of the time."""
    match = lobby.open_match(
        ann, "basic-rummy", seats=["open"], pace=terms.pop("pace", "1d"), cut=CUT, terms=Terms(**terms)
    )
    lobby.join(match.pk, bob, CUT)
    chosen = ["half"]
    for user in (ann, bob):
        NoticeSettings.objects.update_or_create(user=user, defaults={"reminders": chosen})
    match = Match.objects.get(pk=match.pk)
    user = mover(match)
    return match, user, bob if user == ann else ann


def told(user):
    reminders.remind(timezone.now())
    return Notice.objects.filter(user=user, kind="reminder").count()


def test_half_of_the_time_is_half_of_turn_and_bank_together(ann, bob):
    with time_machine.travel(MONDAY, tick=False) as clock:
        match, user, _other = waits(ann, bob, bank=5 * 86400, vacations=False)
        assert match.due_at == MONDAY + 6 * DAY
        clock.move_to(MONDAY + 3 * DAY - timedelta(seconds=1))
        assert told(user) == 0
        clock.move_to(MONDAY + 3 * DAY)
        assert (told(user), told(user)) == (1, 1)
        clock.move_to(match.due_at - timedelta(minutes=5))
        assert told(user) == 1


def test_days_off_are_no_part_of_the_half(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as clock:
        match, user, _other = waits(ann, bob, weekend="sat_sun", vacations=False)
        assert match.due_at == datetime(2026, 6, 8, 12, tzinfo=UTC)
        clock.move_to(datetime(2026, 6, 5, 23, 59, tzinfo=UTC))
        assert told(user) == 0
        clock.move_to(datetime(2026, 6, 6, 0, 0, tzinfo=UTC))
        assert told(user) == 1, "twelve hours of Friday are gone, twelve of Monday are left"


def test_a_vacation_is_no_part_of_the_half_and_brings_no_reminder_of_its_own(ann, bob):
    with time_machine.travel(MONDAY, tick=False) as clock:
        match, user, _other = waits(ann, bob, pace="2d")
        clock.shift(timedelta(hours=6))
        vacations.plan(user, datetime(2026, 6, 2).date(), datetime(2026, 6, 11).date())
        clock.move_to(datetime(2026, 6, 2, tzinfo=UTC))
        assert told(user) == 0
        vacation_over = datetime(2026, 6, 12, tzinfo=UTC)
        clock.move_to(vacation_over + timedelta(hours=11))
        assert told(user) == 0, "with the twelve hours before the vacation these are not half of two days"
        clock.move_to(vacation_over + timedelta(hours=12))
        assert told(user) == 1


def test_time_given_counts_and_who_was_told_hears_nothing_because_of_a_pause(ann, bob):
    with time_machine.travel(MONDAY, tick=False) as clock:
        match, user, other = waits(ann, bob, vacations=False)
        agreements.give_time(match.pk, other)
        clock.shift(timedelta(hours=23))
        assert told(user) == 0
        clock.shift(timedelta(hours=1))
        assert told(user) == 1
        clock.shift(timedelta(hours=13))
        agreements.propose(match.pk, user, "pause")
        agreements.answer(match.pk, other, yes=True)
        clock.shift(3 * DAY)
        agreements.go_on(match.pk, user)
        assert told(user) == 1, "the pause moved the deadline; less than half was left before it"


def test_hours_before_the_deadline_may_lie_in_the_bank_and_never_before_the_turn(ann, bob):
    with time_machine.travel(MONDAY, tick=False) as clock:
        match, user, _other = waits(ann, bob, pace="12h", vacations=False)
        NoticeSettings.objects.update(reminders=["1440"])
        clock.move_to(match.due_at - timedelta(minutes=1))
        assert told(user) == 0, "a day before lies before the turn"
        Match.objects.filter(pk=match.pk).update(status="cancelled", ended_at=timezone.now(), due_at=None, wake_at=None)
        match, user, _other = waits(ann, bob, pace="12h", bank=5 * 86400, vacations=False)
        NoticeSettings.objects.update(reminders=["1440"])
        clock.move_to(match.due_at - DAY)
        assert told(user) == 1


def test_the_settings_say_what_half_of_the_time_means(ann):
    client = Client()
    client.force_login(ann)
    page = client.get("/notices/settings/").content.decode()
    assert "Half of the time is half of what you have for this turn" in page
