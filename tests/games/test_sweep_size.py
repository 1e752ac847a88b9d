"""The sweep of a large site: what is due is found through an index, however many matches run or are over."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import sweep
from games.bench.pouring import like, next_number, pour, settle
from games.models import Match, Seat, SeatOffer, Vacation

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

RUNNING, OVER, AWAY = 5_000, 1_000, 1_000


@pytest.fixture
def large(ann):
    """Running matches that are due later, matches that are over; vacations and offers of seats that are past."""
    now, first = timezone.now(), next_number(Match)
    pattern = Match(preset="basic-rummy", options={}, pace="1d", opener_id=ann.pk, chain=b"", created_at=now)
    rows = []
    for n in range(RUNNING + OVER):
        match = like(pattern, id=first + n, token=f"token{n}", status="running" if n < RUNNING else "over")
        if n < RUNNING:
            match.due_at = match.wake_at = now + timedelta(minutes=1 + n)
        else:
            match.ended_at = now
        rows.append(match)
    pour(Match, rows)
    day, number = now.date(), next_number(Vacation)
    past = Vacation(first_day=day, last_day=day, starts_at=now, ends_at=now, state="over", user_id=ann.pk)
    pour(Vacation, [like(past, id=number + n) for n in range(AWAY)])
    seats, offers = next_number(Seat), next_number(SeatOffer)
    seat = Seat(index=0, driver="user", user_id=ann.pk, driven_by_id=ann.pk)
    pour(Seat, [like(seat, id=seats + n, match_id=first + n) for n in range(AWAY)])
    offer = SeatOffer(user_id=ann.pk, at=now, until=now + timedelta(hours=1), answer="lapsed")
    pour(SeatOffer, [like(offer, id=offers + n, seat_id=seats + n) for n in range(AWAY)])
    settle(Match, Vacation, Seat, SeatOffer)


def plan_of(sql: str) -> str:
    """How the database finds the rows of a query."""
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_what_is_due_among_thousands_is_found_through_an_index(large):
    with CaptureQueriesContext(connection) as queries:
        assert sweep.sweep() == 0
    asked = [query["sql"] for query in queries]
    tables = ("games_match", "games_vacation", "games_seatoffer")
    plans = {name: plan_of(sql) for sql in asked for name in tables if f'FROM "{name}"' in sql}
    assert len(asked) == len(plans) == 3
    assert "match_wake" in plans["games_match"], plans
    assert re.search("vacation_due|vacation_one_at_a_time", plans["games_vacation"]), plans
    assert re.search("seat_offer_waits|seat_offer_open_once", plans["games_seatoffer"]), plans
    assert not any(re.search(r"Seq Scan|SCAN \w+$", plan) for plan in plans.values()), plans
