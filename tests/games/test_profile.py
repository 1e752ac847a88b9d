"""The profile: its numbers are those of the Records, at a fixed number of queries, whatever is asked for."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import disclosure, past, profiles
from games.models import Deal, Friendship, Match, RatingChange, Seat
from games.past import Streak
from games.profile_filters import Filters, periods

from .seasons import index_of, played
from .test_leaderboards import over, words

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

ALL = dict.fromkeys(disclosure.SECTIONS, "all")
NOBODY = dict.fromkeys(disclosure.SECTIONS, "me")


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def page(reader, whom, query="", **headers):
    return client(reader).get(f"/players/{whom.username}/{query}", headers=headers)


def text(reader, whom, query=""):
    return words(page(reader, whom, query).content.decode())


def season(ann, bob, cat):
    """Rummy and gin, with people and with a bot, over two months; really played."""
    with time_machine.travel(datetime(2026, 3, 9, 9, tzinfo=UTC)) as clock:
        matches = [played(ann, bob, preset="gin", target=50, seed=3, rated=True)]
        clock.shift(timedelta(days=9))
        matches.append(played(bob, ann, preset="gin", target=10, seed=4, pace="60s", rated=True))
        matches.append(played(ann, bob, cat, target=10, turn_cap=14, seed=5, rated=True))
        clock.shift(timedelta(days=25))
        matches.append(played(ann, cat, target=10, turn_cap=14, seed=6))
        matches.append(played(ann, preset="gin", bots=1, target=10, seed=7))
    assert {match.status for match in matches} == {Match.Status.OVER}
    return matches


def recount(user, matches):
    """What these matches were for a user, counted from outcomes and steps without the code that is tested."""
    found, turns, hours = Counter(), Counter(), Counter()
    for match in matches:
        seat = index_of(match, user)
        found["won"] += match.winners == [seat]
        found["matches"] += 1
        for deal in match.deals.filter(outcome__isnull=False):
            outcome = deal.outcome
            mine = outcome["scorer"] == seat
            found["deals"] += 1
            found["own"] += outcome["points"][seat]
            found["others"] += sum(outcome["points"]) - outcome["points"][seat]
            found["caught"] += outcome["scorer"] not in (None, seat)
            if outcome["scorer"] not in (None, seat):
                lines = [line for line in outcome["lines"] if line[0] in ("left", "deadwood")]
                found["left"] += sum(line[2] for line in lines if line[1] == seat)
            found["deals_won"] += mine
            found[outcome["kind"]] += mine
            steps = deal.record["steps"]
            last = steps[-1]["seat"] if outcome["kind"] == "out" else None
            knocks = [step["seat"] for step in steps if re.search("knock|gin", step["action"]["type"])]
            if (last if outcome["kind"] == "out" else (knocks or [None])[-1]) == seat:
                draws = [e for step in steps for e in step.get("events", ()) if e["kind"] in ("drew", "took")]
                turns[sum(event["seat"] == seat for event in draws)] += 1
            if match.pace == "1d":
                hours.update(_answers(seat, steps))
    return found, turns, hours


def names_at(match):
    return [seat.user and seat.user.username for seat in match.seats.all()]


def _answers(seat, steps):
    times = []
    for before, step in zip(steps, steps[1:], strict=False):
        if step["seat"] == seat and before["seat"] != seat and step["by"] == "user":
            times.append(str(datetime.fromisoformat(step["at"]).hour))
    return times


QUERIES = ["", "?preset=gin", "?period=2026-11&against=bots", "?name=bob", "?name=bob&preset=gin&period=2026"]
CASES = [
    ("all", lambda match, seats: None not in seats, {}),
    ("gin", lambda match, seats: match.preset == "gin" and None not in seats, {"preset": "gin"}),
    ("bots", lambda match, seats: None in seats, {"against": "bots"}),
    ("march", lambda match, seats: match.ended_at.month == 3, {"period": "2026-03"}),
    ("april", lambda match, seats: match.ended_at.month == 4 and None not in seats, {"period": "2026-04"}),
    ("bob", lambda match, seats: "bob" in seats, {"name": "BOB"}),
    ("cat, rummy", lambda match, seats: "cat" in seats, {"name": "cat", "preset": "basic-rummy", "period": "2026"}),
]


def test_the_profile_tells_what_a_recount_from_the_records_finds_in_words_graphs_and_by_any_filter(ann, bob, cat):
    _numbers(season(ann, bob, cat), ann)
    _words(ann)
    _addresses(ann, bob)


def _numbers(season, ann):
    """All numbers are those of a recount from the Records."""
    for name, wanted, asked in CASES:
        some = [match for match in season if wanted(match, names_at(match))]
        found, turns, hours = recount(ann, some)
        told = profiles.profile(ann, ann, Filters.read(asked))
        total = told.deals.total
        assert found["deals"] > 0, name
        points = total.deals, total.points_for, total.points_against
        assert points == (found["deals"], found["own"], found["others"]), name
        ends = total.caught, total.caught_points, total.deals_won
        assert ends == (found["caught"], found["left"], found["deals_won"]), name
        assert total.ended_by_turn == {str(turn): n for turn, n in sorted(turns.items())}, name
        assert {hour: n for hour, (n, _seconds) in total.answers.items()} == hours, name
        ways = (total.outs, total.knocks_won, total.gins, total.undercuts)
        assert ways == (found["out"], found["knock"], found["gin"] + found["big_gin"], found["undercut"] + found["tie"])
        tallies = told.results["bots" if name == "bots" else "people"].values()
        assert sum(tally.matches for tally in tallies) == found["matches"] == told.matches, name
        assert sum(tally.won for tally in tallies) == found["won"], name
        assert sum(one.played.how == "won" for one in told.recent) == found["won"], name


def _words(ann):
    """Ratings, results, opponents and graphs, each with its n."""
    told = profiles.profile(ann, ann, Filters())
    for strength in told.strengths:
        steps = RatingChange.objects.filter(user=ann, family=strength.family, kind=strength.kind).order_by("at")
        assert [step[0] for step in strength.steps] == [change.match_id for change in steps]
        assert strength.steps[-1][2] == strength.now.value and strength.now.matches == len(steps)
    assert {(one.family, one.kind) for one in told.strengths} == {
        ("gin", "correspondence"), ("gin", "live"), ("rummy", "correspondence"),
    }  # fmt: skip
    assert {one.user.username: one.tally.matches for one in told.opponents} == {"bob": 3, "cat": 2}
    shown = text(ann, ann)
    deals = told.deals.total
    assert (
        f"{deals.deals} deals since March 2026 (with people)" in shown
        and "provisional from 1 match, March 2026" in shown
    )
    assert f"from {deals.caught} deals that others won" in shown and f"{deals.deals_won} deals won." in shown
    answers = sum(n for n, _seconds in deals.answers.values())
    assert f"from {answers} turns by correspondence" in shown and "on a clock in" in shown
    assert "The same as a table" in shown and "Everybody sees this" in shown and "Friends see this" in shown
    html = page(ann, ann).content.decode()
    assert html.count('role="img"') == html.count("The same as a table") >= 4
    assert "style=" not in html.partition("<main")[2]


def _addresses(ann, bob):
    """A filtered page has an address of its own, and htmx gets its part."""
    disclosure.choose(ann, ALL)
    whole = page(bob, ann, "?preset=gin&period=2026-03&against=&name=&nonsense=1")
    assert "Gin rummy" in words(whole.content.decode()) and '<option value="gin" selected>' in whole.content.decode()
    part = page(bob, ann, "?preset=gin&period=2026-03&against=&name=", **{"HX-Request": "true"})
    assert part["HX-Push-Url"] == "/players/ann/?preset=gin&period=2026-03" and "HX-Request" in part["Vary"]
    assert "<html" not in part.content.decode() and "no-store" in part["Cache-Control"]
    inner = part.content.decode().strip()
    assert inner in whole.content.decode()
    assert "Nothing is told of this choice" in text(bob, ann, "?period=2020-01&against=bots")
    for odd in ("preset=chess", "period=2026-13", "period=٢٠٢٦", "against=x", "name=%00", "name=a/b", "period=2099"):
        assert page(bob, ann, f"?{odd}").status_code == 200


def test_a_profile_takes_at_most_fifteen_queries_of_however_long_a_past(ann, bob, cat):
    for one, other in ((ann, bob), (bob, cat)):
        Friendship.objects.create(asking=one, asked=other, at=timezone.now(), accepted_at=timezone.now())
    for user in (ann, bob, cat):
        disclosure.choose(user, ALL)
    Friendship.objects.create(asking=ann, asked=cat, at=timezone.now())
    played(ann, bob, preset="gin", target=10, seed=4, rated=True)
    browsers = {"nobody": client(), "ann": client(ann), "bob": client(bob), "cat": client(cat)}
    costs = {}
    for size in (1, 12):
        for n in range(size):
            met = User.objects.create(username=f"met-{size}-{n}")
            over(ann, met, winners=[n % 2], totals=[100, 50], days=n * 9, rated=True)
            over(ann, bob, cat, winners=[0], totals=[100, 50, 1], preset="basic-rummy", days=n)
        for name, browser in browsers.items():
            for query in QUERIES:
                with CaptureQueriesContext(connection) as queries:
                    assert browser.get(f"/players/ann/{query}").status_code == 200
                costs.setdefault((name, query), []).append(len(queries))
    assert {asked: cost for asked, cost in costs.items() if not cost[0] == cost[1] <= 15} == {}


def test_with_one_opponent_the_last_deals_are_told_whenever_their_matches_ended(ann, bob, cat, monkeypatch):
    season(ann, bob, cat)
    of_two = Deal.objects.filter(match__in=Seat.objects.filter(user=bob).values("match"), outcome__isnull=False)
    last = list(of_two.filter(match__seats__user=ann).order_by("-ended_at"))[:3]
    monkeypatch.setattr(profiles, "DEALS_WITH_ONE", 3)
    told = profiles.profile(ann, ann, Filters(name="bob")).deals
    own = sum(deal.outcome["points"][index_of(deal.match, ann)] for deal in last)
    assert (told.total.deals, told.most, told.total.points_for) == (3, 3, own)


def test_rows_of_won_matches_and_of_weeks(ann, bob, cat):
    start = datetime(2026, 6, 1, 12, tzinfo=UTC)  # a Monday
    plan = [(0, 0), (1, 0), (2, None), (3, 0), (9, 1), (30, 0), (38, 0)]
    for days, winner in plan:
        match = over(ann, bob, winners=[0] if winner is None else [winner], totals=[9, 5])
        ending = "abandoned" if winner is None else "played"
        Match.objects.filter(pk=match.pk).update(ended_at=start + timedelta(days=days), ending=ending)
    some = past.of(ann)
    assert past.won_in_a_row(some) == Streak(longest=3, now=2)
    assert past.won_in_a_row(past.of(bob)) == Streak(longest=1, now=0)
    assert past.weeks_in_a_row(some, datetime(2026, 7, 15).date()) == Streak(longest=2, now=2)
    assert past.weeks_in_a_row(some, datetime(2026, 7, 20).date()) == Streak(longest=2, now=0)
    assert past.won_in_a_row([]) == past.weeks_in_a_row([], start.date()) == Streak()
    over(ann, cat, winners=[0, 1], totals=[9, 9])
    assert past.won_in_a_row(past.of(ann)) == Streak(longest=3, now=0)


def test_the_choice_of_periods_goes_back_to_the_first_day():
    years, months = periods(datetime(2024, 11, 30).date(), datetime(2026, 2, 1).date())
    assert years == ["2026", "2025", "2024"] and len(months) == 12
    assert months[:3] == ["2026-02", "2026-01", "2025-12"]
    assert periods(datetime(2026, 2, 28).date(), datetime(2026, 2, 28).date()) == (["2026"], ["2026-02"])
