"""Summaries: what deals and matches add up to is written when they end, and made anew it is the same."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from operator import attrgetter
from random import Random

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import merging, play, recomputing, summaries
from games.models import Ledger, Match, Summary
from games.rules.catalog import PRESETS

from .playing import opened
from .seasons import index_of, played, turn

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.fixture(autouse=True)
def same_bots(monkeypatch):
    """Bots think alike in every run: else by the number of the match, which goes on from run to run on PostgreSQL."""
    monkeypatch.setattr(play, "_bot_seed", lambda match: f"bot {match.moves}".encode())


def told():
    """All rows as plain values."""
    names = ("user__username", "preset", "opponents", "month", *summaries.COUNTS, "ended_by_turn", "answers")
    return list(Summary.objects.order_by(*names[:4]).values(*names))


def nothing_differs():
    before = told()
    assert sum(found for _user, found in recomputing.all_summaries()) == 0
    assert told() == before
    return before


def answered(deals, seat):
    """How often a seat moved after another; not once, if the first to move has ended the only deal in that turn."""
    both = [pair for deal in deals for pair in pairwise(deal.record["steps"])]
    return sum(step["seat"] == seat != before["seat"] and step["by"] == "user" for before, step in both)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_in_every_game_what_was_written_is_what_records_say(preset, ann, bob, cat):
    seats = [ann, bob, cat][: min(3, max(preset.hand_sizes))]
    # a clock that stands: one that is set back while the cards are dealt would end the play there
    with time_machine.travel(datetime(2026, 3, 1, 9, tzinfo=UTC), tick=False) as clock:
        match = played(*seats, preset=preset.name, target=30, turn_cap=14, seed=5)
        clock.shift(timedelta(days=40))
        other = played(ann, preset=preset.name, bots=1, target=10, turn_cap=14, turns=60)
    rows = nothing_differs()
    deals = match.deals.filter(outcome__isnull=False)
    for user in seats:
        people = summaries.total(summaries.rows(user, preset=preset.name, opponents="people"))
        assert people.month == date(2026, 3, 1)
        assert people.deals == deals.count() > 0
        seat = index_of(match, user)
        assert people.points_for == sum(deal.outcome["points"][seat] for deal in deals)
        assert people.points_for + people.points_against == sum(sum(deal.outcome["points"]) for deal in deals)
        assert people.deals_won == sum(deal.outcome["scorer"] == seat for deal in deals)
        assert people.deals_won + people.caught + people.deals_void == people.deals
        assert sum(people.ended_by_turn.values()) == people.outs + people.knocks + people.gins
        assert sum(n for n, _seconds in people.answers.values()) == answered(deals, seat)
        assert summaries.matches(people) == (match.status == Match.Status.OVER)
    assert {row["opponents"] for row in rows if row["user__username"] == "ann"} == {"people", "bots"}
    with_bots = summaries.total(summaries.rows(ann, opponents="bots"))
    assert with_bots.month == date(2026, 4, 1) and with_bots.deals == other.deals.filter(outcome__isnull=False).count()


def test_a_total_is_what_adding_one_row_after_the_other_gives():
    rows = [
        Summary(won=1, deals=3, ended_by_turn={"9": 2, "12": 1}, answers={"8": [2, 70]}, month=date(2026, 5, 1)),
        Summary(deals=1, points_for=7, month=date(2026, 4, 1)),
        Summary(won=2, ended_by_turn={"12": 1}, answers={"7": [1, 5], "8": [1, 30]}, month=date(2026, 6, 1)),
    ]
    one = summaries.blank((1, "gin", "people", date(2026, 4, 1)))
    for row in rows:
        summaries.add(one, row)
    told, total = attrgetter(*summaries.COUNTS, "ended_by_turn", "answers", "month"), summaries.total(rows)
    assert told(total) == told(one) and list(total.ended_by_turn) == ["9", "12"] and list(total.answers) == ["7", "8"]
    assert rows[0].answers == {"8": [2, 70]}
    for row in rows:
        summaries.add(one, row, -1)
    assert told(one) == told(summaries.blank((1, "gin", "people", date(2026, 4, 1))))


def test_a_knock_a_gin_and_an_undercut_are_told_apart(ann, bob):
    match = played(ann, bob, preset="gin", target=10_000, turns=150, seed=3)
    kinds = [deal.outcome["kind"] for deal in match.deals.filter(outcome__isnull=False)]
    both = summaries.total([*summaries.rows(ann), *summaries.rows(bob)])
    assert both.knocks == sum(kind in ("knock", "undercut", "tie") for kind in kinds)
    assert both.knocks_won == kinds.count("knock") > 0
    assert both.undercuts == both.undercut == sum(kind in ("undercut", "tie") for kind in kinds)
    assert both.gins == kinds.count("gin") + kinds.count("big_gin")
    assert both.deals_void == 2 * kinds.count("void")
    assert both.caught_points > 0


def test_the_time_to_answer_is_counted_by_the_hour_at_which_the_answer_came(ann, bob):
    with time_machine.travel(datetime(2026, 5, 4, 6, tzinfo=UTC), tick=False) as clock:
        match = opened(ann, bob, target=10, turn_cap=10)
        rng = Random(2)
        while match.status == Match.Status.RUNNING:
            clock.shift(timedelta(hours=1))
            turn(match, rng)
    rows = summaries.total([*summaries.rows(ann), *summaries.rows(bob)])
    answers = sum(n for n, _seconds in rows.answers.values())
    at_once = match.deal_number - 1  # the next deal is dealt when somebody comes to play in it
    assert sum(seconds for _n, seconds in rows.answers.values()) == 3600 * (answers - at_once)
    assert rows.answers["7"][0] >= 1 and set(map(int, rows.answers)) <= set(range(24))
    nothing_differs()


def test_a_match_that_one_left_is_lost_and_left_and_the_deal_broken_off_counts_for_nobody(ann, bob):
    match, rng = opened(ann, bob, target=10_000, turn_cap=10), Random(4)
    while not match.deals.filter(outcome__isnull=False).exists():
        turn(match, rng)
    play.drive(match.pk)
    play.resign(match.pk, index_of(match, ann))
    lost, won = (summaries.total(summaries.rows(user)) for user in (ann, bob))
    assert (lost.lost, lost.left, lost.won) == (1, 1, 0)
    assert (won.lost, won.left, won.won) == (0, 0, 1)
    assert lost.deals == won.deals == 1 < match.deals.count()
    nothing_differs()


def test_a_match_broken_off_in_its_first_deal_is_told_as_not_counted(ann, bob):
    match = opened(ann, bob)
    play.resign(match.pk, index_of(match, ann))
    for user in (ann, bob):
        row = summaries.total(summaries.rows(user))
        assert (row.uncounted, summaries.matches(row), row.deals) == (1, 0, 0)
    nothing_differs()


def test_what_others_have_driven_is_no_deal_of_the_user(ann, bob, cat):
    match, rng = opened(ann, bob, cat, target=10_000, turn_cap=10), Random(4)
    while not match.deals.filter(outcome__isnull=False).exists():
        turn(match, rng)
    play.drive(match.pk)
    play.resign(match.pk, index_of(match, cat))
    while match.deals.filter(outcome__isnull=False).count() < 3:
        turn(match, rng)
    assert summaries.total(summaries.rows(cat)).deals == 1
    assert summaries.total(summaries.rows(ann)).deals == 3
    nothing_differs()


def test_the_end_of_a_deal_costs_a_bounded_number_of_queries_and_a_move_none(ann, bob):
    match, rng = opened(ann, bob, target=10_000, turn_cap=10), Random(4)
    costs = {True: set(), False: set()}
    while match.deals.filter(outcome__isnull=False).count() < 3:
        before = match.deals.filter(outcome__isnull=False).count()
        play.drive(match.pk)
        with CaptureQueriesContext(connection) as queries:
            turn(match, rng)
        mine = [q["sql"] for q in queries if "games_summary" in q["sql"] or "games_ledger" in q["sql"]]
        costs[match.deals.filter(outcome__isnull=False).count() > before].add(len(mine))
    assert costs[False] == {0}
    assert max(costs[True]) <= 5


def test_what_a_guest_has_played_goes_to_the_account_and_is_the_same_made_anew(ann, bob):
    guest = User.objects.create(username="guest-1", is_guest=True)
    match = played(guest, bob, target=20, turn_cap=10)
    running = opened(guest, bob, target=10_000, turn_cap=10)
    rng = Random(4)
    while not running.deals.filter(outcome__isnull=False).exists():
        turn(running, rng)
    had = told()
    assert merging.move(guest, ann) == 2
    assert not Summary.objects.filter(user=guest).exists()
    assert [row for row in told() if row["user__username"] == "ann"] == [
        row | {"user__username": "ann"} for row in had if row["user__username"] == "guest-1"
    ]
    assert summaries.matches(summaries.total(summaries.rows(ann))) == 1
    nothing_differs()
    while running.deals.filter(outcome__isnull=False).count() < 2:
        turn(running, rng)
    assert match.status == Match.Status.OVER
    nothing_differs()


def test_wrong_and_lost_rows_are_found_and_put_right(ann, bob, capsys):
    played(ann, bob, target=20, turn_cap=10)
    right = told()
    Summary.objects.filter(user=ann).update(won=77)
    Summary.objects.filter(user=bob).delete()
    Summary.objects.create(user=bob, preset="gin", opponents="bots", month=date(2020, 1, 1), deals=4)
    call_command("recompute", "summaries")
    assert "Users: 2. Rows that were different: 3." in capsys.readouterr().out
    assert told() == right


def test_who_played_before_there_were_summaries_gets_them_once(ann, bob, capsys):
    played(ann, bob, target=20, turn_cap=10)
    right = told()
    Summary.objects.all().delete()
    Ledger.objects.filter(user=ann).update(filled=False)
    call_command("recompute", "summaries", "--missing")
    assert "Users: 1. Rows that were different: 1." in capsys.readouterr().out
    assert told() == [row for row in right if row["user__username"] == "ann"]
    call_command("recompute", "summaries", "--missing")
    assert "Users: 0." in capsys.readouterr().out
