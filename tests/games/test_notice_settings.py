"""How I am told: the settings page, one match muted, what the table says of it."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.closing import close
from games.models import Delivery, MutedMatch, Notice, NoticeSettings
from games.notices import pruning, tell

from .playing import opened
from .test_crawl import Forms

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(ann):
    client = Client()
    client.force_login(ann)
    return client


def chosen(page):
    """What the form would send, each choice as it stands."""
    form = page.context["form"]
    return {field.html_name: field.value() for field in form}


def test_only_what_differs_from_what_is_usual_is_kept(client, ann):
    page = client.get("/notices/settings/")
    asked = chosen(page)
    assert asked["your_turn.email"] == "now" and asked["deal_over.email"] == "off"
    asked |= {"deal_over.email": "digest", "digest_hour": "7", "turn_delay": "15", "reminders": ["half", "60"]}
    assert client.post("/notices/settings/", asked).status_code == 303
    row = NoticeSettings.objects.get(user=ann)
    assert (row.matrix, row.digest_hour, row.turn_delay) == ({"deal_over.email": "digest"}, 7, 15)
    assert row.reminders == ["half", "60"]
    assert chosen(client.get("/notices/settings/"))["deal_over.email"] == "digest"


def test_what_is_no_choice_is_refused_and_changes_nothing(client, ann):
    asked = chosen(client.get("/notices/settings/"))
    for wrong in ({"your_turn.email": "never"}, {"digest_hour": "24"}, {"reminders": ["soon"]}):
        assert client.post("/notices/settings/", asked | wrong).status_code == 400
    assert not NoticeSettings.objects.filter(user=ann).exists()


def test_a_match_is_muted_and_heard_again_by_those_who_sit_there_only(client, ann, bob, cat):
    match = opened(ann, bob)
    address = f"/matches/{match.pk}/mute/"
    part = client.post(address, {"do": "mute"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and "This match is muted" in part and Forms(part).forms
    assert client.post(address, {"do": "mute"}).status_code == 303
    assert MutedMatch.objects.filter(user=ann, match=match).count() == 1
    client.post(address, {"do": "unmute"})
    assert not MutedMatch.objects.exists()
    client.force_login(cat)
    assert client.post(address).status_code == 404
    assert client.get(f"/matches/{match.pk}/notices/").status_code == 404


@time_machine.travel("2026-12-01T14:05:00+00:00", tick=False)
def test_the_table_says_what_i_was_told_last_and_what_follows(client, ann, bob):
    match = opened(ann, bob)
    Notice.objects.all().delete()
    there = f"/matches/{match.pk}/notices/"
    assert "No notice yet." in client.get(there).content.decode()
    tell("nudged", [ann], match, {"by": bob.pk}, key="1")
    assert "Last notice: on the site, <time" in client.get(there).content.decode()
    notice, now = Notice.objects.get(), timezone.now()
    row = Delivery.objects.create(notice=notice, channel="email", due_at=now + timedelta(minutes=5))
    assert "A mail follows, " in client.get(there).content.decode()
    Delivery.objects.filter(pk=row.pk).update(state="sent", sent_at=now)
    assert "Last notice: e-mail, <time" in client.get(there).content.decode()
    Delivery.objects.filter(pk=row.pk).update(state="failed", sent_at=None)
    with CaptureQueriesContext(connection) as made:
        page = client.get(there).content.decode()
    assert "could not be brought: e-mail" in page
    assert len(made) <= 9, [query["sql"][:90] for query in made]
    assert f"/matches/{match.pk}/notices/" in client.get(f"/matches/{match.pk}/").content.decode()


def test_notices_go_after_their_time_and_with_the_account(ann, bob, cat):
    match = opened(ann, bob, cat)
    MutedMatch.objects.create(user=ann, match=match)
    NoticeSettings.objects.create(user=ann)
    tell("friend", [ann, bob], about={"by": cat.pk}, key="1")
    close(ann)
    assert not any(rows.objects.filter(user=ann).exists() for rows in (Notice, MutedMatch, NoticeSettings))
    kept = Notice.objects.filter(user=bob, kind="friend")
    now = timezone.now()
    pruning.prune(now + timedelta(days=89))
    assert kept.exists()
    assert pruning.prune_daily(now) is None
    assert pruning.prune_daily(now + timedelta(days=91)) and not kept.exists()
