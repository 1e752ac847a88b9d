"""The terms of a match: its bank, its weekend, and vacations. What is left of a turn is never more after a halt."""

import datetime as dt
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from games import agreements, lobby, play, sweep, vacations
from games.models import Match, Notice, Seat, Vacation
from games.notices.current import is_current
from games.rules.actions import Discard, DrawStock
from games.seats import Refusal
from games.terms import MOST_AWAY, Terms

from .playing import CUT, do, legal, mover, opened, seat_of
from .sitting import ended

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

DAY = 24 * 3600
FRIDAY = dt.datetime(2026, 6, 5, 12, tzinfo=dt.UTC)


def with_terms(*users: Any, pace: str = "1d", **terms: Any) -> Match:
    """A running match of basic rummy that no deal ends soon."""
    seats = ["open"] * (len(users) - 1)
    match = lobby.open_match(
        users[0], "basic-rummy", seats=seats, pace=pace, chosen={"target": 10_000}, cut=CUT, terms=Terms(**terms)
    )
    for user in users[1:]:
        lobby.join(match.pk, user, CUT)
    return Match.objects.get(pk=match.pk)


def plain_turn(match: Match, user: Any) -> None:
    """Draw and discard."""
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))


def other(user: Any, *users: Any) -> Any:
    """Somebody else."""
    return next(one for one in users if one != user)


def asides(match: Match) -> list[str]:
    """The notes on the tape."""
    return [m.action["type"] for m in match.tape.all() if m.action["type"] not in ("deal", "draw_stock", "discard")]


# --- the bank


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


# --- the weekend


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


# --- vacations


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


# --- a pause


def test_a_pause_keeps_what_is_left_of_the_turn_and_not_more(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="3d", vacations=False)
        user = mover(match)
        now.shift(timedelta(days=1))
        agreements.propose(match.pk, user, "pause")
        agreements.answer(match.pk, other(user, ann, bob), yes=True)
        match.refresh_from_db()
        assert match.due_at is None
        with pytest.raises(play.Stale, match="paused"):
            do(match, user, DrawStock())

        now.shift(timedelta(days=4))
        assert sweep.sweep() == 0
        agreements.go_on(match.pk, user)
        match.refresh_from_db()

        assert match.due_at == timezone.now() + timedelta(days=2)
        assert asides(match) == ["asked_pause", "paused", "went_on"]


def test_a_pause_ends_by_itself_after_thirty_days_once(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, vacations=False)
        mover(match)
        agreements.propose(match.pk, ann, "pause")
        agreements.answer(match.pk, bob, yes=True)
        now.shift(timedelta(days=30))
        sweep.sweep()
        sweep.sweep()
        match.refresh_from_db()

        assert match.paused_at is None
        assert match.due_at == timezone.now() + timedelta(days=1)
        assert asides(match)[-1:] == ["pause_ended"]


@pytest.mark.parametrize("by_itself", [True, False])
def test_when_a_pause_ends_who_is_to_move_is_told_that_the_time_runs_again(ann, bob, by_itself):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, vacations=False)
        user = mover(match)
        agreements.propose(match.pk, ann, "pause")
        agreements.answer(match.pk, bob, yes=True)
        before = Notice.objects.filter(kind="your_turn", user=user).latest("pk")
        assert not is_current(before, "email"), "in a pause nobody is called to his turn"
        now.shift(timedelta(days=30 if by_itself else 9))
        if by_itself:
            sweep.sweep()
        else:
            agreements.go_on(match.pk, other(user, ann, bob))

        latest = Notice.objects.filter(kind="your_turn", user=user).latest("pk")
        assert latest.at == timezone.now()
        assert is_current(latest, "email")
        assert not is_current(before, "email")


def test_a_pause_needs_everybody_who_plays_and_can_be_declined_or_taken_back(ann, bob, cat):
    match = with_terms(ann, bob, cat)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    agreements.answer(match.pk, bob, yes=True)
    agreements.answer(match.pk, bob, yes=True)
    match.refresh_from_db()
    assert match.paused_at is None
    agreements.answer(match.pk, cat, yes=False)
    with pytest.raises(Refusal, match="no proposal"):
        agreements.answer(match.pk, bob, yes=True)
    agreements.propose(match.pk, bob, "pause")
    with pytest.raises(Refusal, match="Only the one"):
        agreements.withdraw(match.pk, ann)
    asked = Notice.objects.filter(kind="asked", user=cat).latest("pk")
    assert is_current(asked, "email")
    agreements.withdraw(match.pk, bob)
    match.refresh_from_db()
    assert not is_current(asked, "email"), "what was taken back is not mailed"

    assert match.proposal is match.paused_at is None
    assert asides(match) == ["asked_pause", "declined", "asked_pause", "withdrew"]
    assert Notice.objects.filter(kind="asked", user=cat).count() == 2
    assert Notice.objects.filter(kind="answered", user=ann).count() == 2


def test_with_bots_a_pause_begins_at_once_and_no_bot_moves_meanwhile(ann):
    match = opened(ann, bots=2, pace="1d", target=10_000)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    match.refresh_from_db()
    before = match.moves
    play.drive(match.pk)
    match.refresh_from_db()

    assert match.paused_at is not None
    assert match.moves == before


def test_who_resigns_in_a_pause_ends_it_with_the_match(ann, bob):
    match = with_terms(ann, bob)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    agreements.answer(match.pk, bob, yes=True)
    play.resign(match.pk, 0)
    match.refresh_from_db()

    assert (match.status, match.paused_at, match.wake_at) == ("over", None, None)


# --- time given


def test_time_is_given_once_a_turn_by_each_and_goes_before_the_bank(ann, bob, cat):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, cat, bank=5 * DAY, vacations=False)
        user = mover(match)
        givers = [one for one in (ann, bob, cat) if one != user]
        now.shift(timedelta(days=4))
        due = match.due_at
        for giver in givers:
            agreements.give_time(match.pk, giver)
            with pytest.raises(Refusal, match="once a turn"):
                agreements.give_time(match.pk, giver)
        with pytest.raises(Refusal):
            agreements.give_time(match.pk, user)
        match.refresh_from_db()
        assert match.due_at == due + timedelta(days=2)
        plain_turn(match, user)

    assert seat_of(match, user).bank == 2 * DAY
    assert Notice.objects.filter(kind="time_given", user=user).count() == 2


# --- what stays as it was


def test_an_ended_match_has_no_time_left_to_talk_about(ann, bob):
    match = ended(ann, bob)
    with time_machine.travel(timezone.now() + timedelta(days=60), tick=True):
        sweep.sweep()
        for act in (agreements.go_on, agreements.give_time, agreements.go_back):
            with pytest.raises(play.Stale, match="over"):
                act(match.pk, ann)
    before = match.ended_at
    match.refresh_from_db()

    assert (match.due_at, match.wake_at, match.turn_at, match.ended_at) == (None, None, None, before)


def test_a_rematch_and_the_next_match_of_an_offer_have_the_same_terms(ann, bob):
    terms = Terms(bank=3 * DAY, weekend="fri_sat", vacations=False)
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", chosen={}, cut=CUT, standing=2, terms=terms)
    lobby.join(match.pk, bob, CUT)
    following = Match.objects.get(series=match.pk, status="open")
    play.resign(match.pk, 0)
    again = lobby.rematch(match.pk, ann)

    for one in (following, again):
        assert (one.bank, one.weekend, one.vacations) == (3 * DAY, "fri_sat", False)
    assert not Seat.objects.filter(match=following).exclude(bank=0).exists()
