"""The lobby as a list: its order, its filters, and what it costs."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import finding, lobby
from games.models import Match, Seat

from .playing import opened

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

LOBBY = reverse("games:lobby")


def get(user=None, **query):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(LOBBY, query)


def listed(**query):
    return [row.pk for row in get(**query).context["rows"]]


def made(user, preset="basic-rummy", seats=1, pace="1d", **more):
    return lobby.open_match(user, preset, seats=["open"] * seats, pace=pace, **more).pk


def test_games_that_were_started_most_often_of_late_come_first_then_the_newest(ann, bob, cat):
    for _ in range(2):
        opened(ann, bob, preset="android-rummy")
    opened(ann, bob, preset="solitaired-rummy")
    for _ in range(3):
        opened(ann, bob, preset="basic-rummy")
    Match.objects.filter(preset="basic-rummy").update(started_at=timezone.now() - timedelta(days=40))
    basic, first, solitaired, second = (
        made(cat),
        made(cat, "android-rummy"),
        made(cat, "solitaired-rummy"),
        made(cat, "android-rummy"),
    )

    assert listed() == [second, first, solitaired, basic]


def test_what_is_popular_is_counted_once_a_minute(ann, bob):
    finding.popular()
    with CaptureQueriesContext(connection) as queries:
        finding.popular()
    assert len(queries) == 0

    opened(ann, bob, preset="android-rummy")
    cache.clear()
    assert finding.popular()[0] == "android-rummy"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, {"usual", "live", "big", "changed", "android"}),
        ({"game": "android-rummy"}, {"android"}),
        ({"speed": "live"}, {"live"}),
        ({"speed": "correspondence"}, {"usual", "big", "changed", "android"}),
        ({"free": "3"}, {"big"}),
        ({"free": "1", "speed": "correspondence", "plain": "1"}, {"usual", "android"}),
        ({"plain": "1"}, {"usual", "live", "big", "android"}),
        ({"free": "5"}, set()),
        (
            {"game": "poker", "speed": "\x00", "free": "9", "plain": "maybe"},
            {"usual", "live", "big", "changed", "android"},
        ),
    ],
)
def test_the_address_narrows_the_list(ann, query, found):
    known = {
        "usual": made(ann),
        "live": made(ann, pace="60s"),
        "big": made(ann, seats=3),
        "changed": made(ann, chosen={"target": 500}),
        "android": made(ann, "android-rummy"),
    }

    assert {name for name, pk in known.items() if pk in listed(**query)} == found


def test_filters_are_a_form_without_scripts_and_each_can_be_taken_away_by_a_link(ann):
    shown = get(game="android-rummy", speed="live").content.decode()

    assert '<form method="get" action="/lobby/"' in shown
    assert '<option value="live" selected>' in shown
    assert 'href="/lobby/?speed=live"' in shown
    assert 'href="/lobby/?game=android-rummy"' in shown
    assert 'href="/lobby/">All matches' in shown
    assert "Nobody waits for such a match." in shown


def test_htmx_gets_the_list_alone_with_a_key_for_each_row(ann):
    match = made(ann)
    part = Client().get(LOBBY, headers={"HX-Request": "true"})

    assert "<html" not in part.content.decode()
    assert f'id="match-{match}"' in part.content.decode()
    assert "HX-Request" in part.headers["Vary"]


def test_who_is_invited_to_a_public_match_answers_from_the_lobby(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["@bob", "open"], pace="1d")

    shown = get(bob).content.decode()

    assert f'href="/matches/{match.pk}/">Answer' in shown
    assert "/join/" not in shown


@pytest.mark.parametrize("count", [2, 200])
def test_the_lobby_costs_the_same_few_queries_however_many_wait(ann, count):
    users = [User.objects.create(username=f"user{i}") for i in range(10)]
    for i in range(count):
        match = Match(
            preset="basic-rummy",
            options=_options(),
            token=f"{i:032}",
            opener=users[i % 10],
            pace="1d",
            chain=b"",
            commitment="",
            created_at=timezone.now(),
        )
        match.save()
        free = [Seat(match=match, index=n) for n in (1, 2)]
        Seat.objects.bulk_create(
            [Seat(match=match, index=0, user=users[i % 10], driven_by=users[i % 10], driver="user"), *free]
        )
    client = Client()
    client.force_login(ann)
    client.get(LOBBY)

    for query in ("", "?plain=1&free=2"):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(LOBBY + query)
        assert len(answer.context["rows"]) == min(count, finding.SHOWN)
        assert len(queries) <= 8, [q["sql"][:90] for q in queries]


def _options():
    options = lobby.find("basic-rummy").options(3)
    return {name: getattr(options, name) for name in options.__dataclass_fields__}
