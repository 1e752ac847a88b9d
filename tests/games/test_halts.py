"""A correspondence match goes live and comes back, races at its halts, and its tape alone tells all of it."""

import datetime as dt
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import agreements, clock, presence, sweep, tape, vacations
from games.models import Match, Move, Notice
from games.rules.actions import DrawStock
from games.seats import Refusal

from .playing import do, mover, opened, seat_of
from .terms_world import DAY, FRIDAY, asides, other, plain_turn, with_terms
from .test_races import at_once, submitting, tape_is_whole

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

RACES = 6


def sits_down(match: Match, *users: Any) -> None:
    """They have the page of the match open."""
    for user in users:
        presence.came(match.pk, user.pk)


def goes_live(match: Match, *users: Any) -> None:
    """All are here and agree."""
    sits_down(match, *users)
    agreements.propose(match.pk, users[0], "live")
    for user in users[1:]:
        agreements.answer(match.pk, user, yes=True)
    match.refresh_from_db()


def test_only_a_table_at_which_all_are_can_be_asked_to_go_live(ann, bob):
    match = with_terms(ann, bob)
    mover(match)
    sits_down(match, ann)
    with pytest.raises(Refusal, match="Not all"):
        agreements.propose(match.pk, ann, "live")
    with pytest.raises(Refusal, match="by correspondence"):
        agreements.propose(opened(ann, bob, pace="60s").pk, ann, "pause")


def test_going_live_keeps_time_and_bank_and_going_back_gives_them_back_unchanged(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, bank=5 * DAY)
        user = mover(match)
        now.shift(timedelta(days=2))
        goes_live(match, ann, bob)
        assert match.due_at == timezone.now() + timedelta(seconds=60)
        now.shift(timedelta(seconds=30))
        agreements.go_back(match.pk, bob)
        match.refresh_from_db()

        assert match.due_at == timezone.now() + timedelta(days=4)
        assert seat_of(match, user).bank == 4 * DAY
        assert asides(match) == ["asked_live", "went_live", "went_back"]


def test_a_dropped_seat_is_waited_for_once_a_deal_then_the_table_goes_back_and_no_card_is_played(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="3d")
        user = mover(match)
        now.shift(timedelta(days=1))
        goes_live(match, ann, bob)
        plain_turn(match, user)
        gone = mover(match)
        presence.left(match.pk, gone.pk)
        cards = match.tape.exclude(action__type__in=tape.SITE_ACTS).count()
        due = match.due_at
        now.move_to(due + timedelta(seconds=3))
        sweep.sweep()
        match.refresh_from_db()
        assert match.live_at is not None
        assert match.due_at == due + timedelta(seconds=60)

        plain_turn(match, gone)
        plain_turn(match, mover(match))
        now.move_to(match.due_at + timedelta(seconds=3))
        sweep.sweep()
        sweep.sweep()
        match.refresh_from_db()

        assert match.live_at is None
        assert match.turn == seat_of(match, gone).index
        assert match.due_at == timezone.now() + timedelta(days=3)
        assert match.tape.exclude(action__type__in=tape.SITE_ACTS).count() == cards + 4
        assert seat_of(match, gone).missed == 0
        assert asides(match)[-1] == "live_ended"
        assert Notice.objects.filter(user=gone, kind="your_turn", key__endswith=".back").count() == 1


def test_who_is_here_and_too_slow_takes_the_table_back_with_the_time_of_that_same_turn(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="3d")
        user = mover(match)
        now.shift(timedelta(days=1))
        goes_live(match, ann, bob)
        now.shift(timedelta(seconds=55))
        sits_down(match, ann, bob)
        now.shift(timedelta(seconds=10))
        do(match, user, DrawStock())

        assert match.live_at is None
        assert match.due_at == timezone.now() + timedelta(days=2)
        assert match.tape.last().by == Move.By.USER


def test_a_vacation_does_not_stop_a_table_that_went_live(ann, bob):
    with time_machine.travel(FRIDAY, tick=False):
        match = with_terms(ann, bob)
        user = mover(match)
        goes_live(match, ann, bob)
        due = match.due_at
        vacations.plan(user, FRIDAY.date(), FRIDAY.date())
        match.refresh_from_db()

    assert match.due_at == due
    assert match.frozen == DAY


def test_a_pause_and_a_move_at_the_same_moment_both_stand_or_the_move_is_refused(ann, bob):
    for _race in range(RACES):
        match = with_terms(ann, bob)
        user = mover(match)
        agreements.propose(match.pk, other(user, ann, bob), "pause")
        match.refresh_from_db()
        draw = submitting(match, seat_of(match, user).index, DrawStock())
        results = at_once(draw, lambda m=match, u=user: agreements.answer(m.pk, u, yes=True))
        assert results[1] == "won"
        assert results[0] in ("won", "paused")
        tape_is_whole(match)
        assert match.paused_at is not None
        assert match.due_at is None


def test_of_two_answers_at_once_one_ends_the_proposal(ann, bob, cat):
    for _race in range(RACES):
        match = with_terms(ann, bob, cat)
        mover(match)
        agreements.propose(match.pk, ann, "pause")
        results = at_once(
            lambda m=match: agreements.answer(m.pk, bob, yes=True),
            lambda m=match: agreements.answer(m.pk, cat, yes=False),
        )
        assert results[1] == "won"
        tape_is_whole(match)
        assert match.paused_at is match.proposal is None
        assert asides(match) == ["asked_pause", "declined"]


def test_a_vacation_and_the_clock_at_the_same_moment_leave_one_whole_story(ann, bob):
    for _race in range(RACES):
        match = with_terms(ann, bob)
        user = mover(match)
        past = timezone.now() - timedelta(hours=1)
        Match.objects.filter(pk=match.pk).update(due_at=past, wake_at=past)
        today = vacations.today_of(user)
        results = at_once(sweep.sweep, lambda u=user, day=today: vacations.plan(u, day, day), sweep.sweep)
        assert results == ["won"] * 3
        tape_is_whole(match)
        assert seat_of(match, user).missed == 1
        assert asides(match) == ["vacation_began"]
        vacations.end(user)


def test_the_tape_alone_tells_a_match_with_pause_vacation_live_play_and_time_given(ann, bob):
    with time_machine.travel(FRIDAY, tick=False) as now:
        match = with_terms(ann, bob, pace="3d", bank=5 * DAY)
        user = mover(match)
        giver = other(user, ann, bob)
        agreements.give_time(match.pk, giver)
        vacations.plan(user, FRIDAY.date(), FRIDAY.date())
        agreements.propose(match.pk, user, "pause")
        agreements.answer(match.pk, giver, yes=True)
        now.shift(timedelta(days=2))
        sweep.sweep()
        agreements.go_on(match.pk, giver)
        goes_live(match, ann, bob)
        plain_turn(match, user)
        agreements.go_back(match.pk, ann)
        plain_turn(match, mover(match))
        now.move_to(match.due_at + timedelta(seconds=61))
        sweep.sweep()
        match.refresh_from_db()
        deal = match.deals.get(number=match.deal_number)

    kept = tape.read(match, deal)
    told = tape.begin(match, deal, tape.cuts_of(match))
    for move in Move.objects.filter(deal=deal).order_by("number"):
        told = tape.follow(deal, told, move)
    assert (told.table, told.sheet, told.asides, told.number) == (kept.table, kept.sheet, kept.asides, match.moves)
    assert told.table.actor == match.turn
    whats = [one.what for one in told.asides]
    assert {"time_given", "vacation_began", "paused", "vacation_ended", "went_on", "went_live", "went_back"} <= {*whats}


def test_all_of_it_stands_in_the_log_and_in_the_sheet_with_the_zone_of_its_reader(ann, bob, cat, client):
    with time_machine.travel(dt.datetime(2026, 10, 31, 12, tzinfo=dt.UTC), tick=False):
        match = with_terms(ann, bob, pace="3d", bank=5 * DAY, weekend="fri_sat")
        match.refresh_from_db()
        Match.objects.filter(pk=match.pk).update(due_at=dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC))
        user = mover(match)
        reader = other(user, ann, bob)
        reader.time_zone = "America/New_York"
        reader.save()
        agreements.give_time(match.pk, reader)
        Match.objects.filter(pk=match.pk).update(due_at=dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC))
        vacations.plan(user, dt.date(2026, 10, 31), dt.date(2026, 11, 1))
        Match.objects.filter(pk=match.pk).update(due_at=dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC))
        client.force_login(reader)
        table = client.get(reverse("games:match", args=[match.pk])).content.decode()
        time = client.get(reverse("games:time", args=[match.pk])).content.decode()

    for said in (f"You gave {user} more time.", f"{user} is on vacation."):
        assert said in table
    for page in (table, time):
        assert "Tuesday 7 a.m." in page
        assert "(America/New_York)" in page
        assert "3 days a turn, then a bank of 5 days" in page
    assert f"{user} is on vacation to the end of Sunday, 1 November." in time
    assert "Fridays and Saturdays do not count" in time
    assert "Give" not in time
    assert "Propose a pause" in time


def test_the_page_of_the_time_acts_by_plain_forms_and_tells_strangers_nothing(ann, bob, cat, client):
    match = with_terms(ann, bob)
    mover(match)
    page = reverse("games:time", args=[match.pk])
    client.force_login(ann)
    assert client.post(page, {"do": "pause"}).status_code == 303
    assert client.post(page, {"do": "pause"}).status_code == 409
    assert client.post(page, {"do": "dance"}).status_code == 400
    assert "Take it back" in client.get(page).content.decode()

    client.force_login(cat)
    assert client.post(page, {"do": "yes"}).status_code == 404
    assert "<button" not in client.get(page).content.decode().split('id="more-time"')[1].split("</section>")[0]
    Match.objects.filter(pk=match.pk).update(private=True)
    assert client.get(page).status_code == 404

    client.force_login(bob)
    table = client.get(reverse("games:match", args=[match.pk])).content.decode()
    assert "ann proposes a pause." in table
    assert client.post(page, {"do": "yes"}, headers={"HX-Request": "true"}).status_code == 200
    assert "Paused since" in client.get(reverse("games:match", args=[match.pk])).content.decode()
    assert "Paused: no time passes" in client.get(reverse("games:tables")).content.decode()
    assert client.get(reverse("games:badge")).json()["waiting"] == 0
    assert client.post(page, {"do": "go_on"}).status_code == 303
    match.refresh_from_db()
    assert match.paused_at is None


def test_the_page_of_a_table_with_all_terms_costs_no_more_than_twelve_queries(ann, bob, client):
    from django.db import connection

    match = with_terms(ann, bob, bank=5 * DAY, weekend="sat_sun")
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    client.force_login(bob)
    page = reverse("games:match", args=[match.pk])
    client.get(page)
    with CaptureQueriesContext(connection) as queries:
        client.get(page)

    assert len(queries) <= 12


def test_the_lobby_the_room_and_the_form_tell_the_terms_before_one_joins(ann, bob, client):
    client.force_login(ann)
    form = {"preset": "basic-rummy", "pace": "3d", "seats": "3", "seat_1": "open", "seat_2": "open"}
    terms = {"bank": "10", "weekend": "sat_sun", "vacations": "yes"}
    opening = reverse("games:new_match")
    refused = client.post(opening, form | terms | {"bank": "1"})
    assert refused.status_code == 422
    assert "no bank, or one of 3, 5, 10 or 20 days" in refused.content.decode()
    live = client.post(opening, form | terms | {"pace": "60s"})
    assert live.status_code == 302
    assert clock.pace_of(Match.objects.latest("pk")).kind == "live"
    assert not Match.objects.exclude(bank=0, weekend="", vacations=False).exists()

    client.post(opening, form | terms)
    match = Match.objects.latest("pk")
    client.force_login(bob)
    lobby = client.get(reverse("games:lobby")).content.decode()
    room = client.get(reverse("games:match", args=[match.pk])).content.decode()
    for page in (lobby, room):
        assert "3 days a turn, then a bank of 10 days" in page
        assert "weekends and vacations do not count" in page
    assert "for each player at most 7 days in this match" in room


def test_a_match_without_a_word_about_terms_has_no_bank_and_vacations_count(ann, client):
    client.force_login(ann)
    client.post(reverse("games:play_friend"))
    match = Match.objects.get()

    assert (match.bank, match.weekend, match.vacations) == (0, "", True)
