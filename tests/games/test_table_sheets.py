"""The sheets beside a table: what a refresh leaves as its reader left it, and what help tells."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from .playing import mover, opened, take_turn

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_refresh_changes_what_is_told_of_the_time_and_leaves_the_fold_around_it_alone(ann, bob):
    match = opened(ann, bob)
    client = signed_in(ann)
    page = client.get(reverse("games:match", args=[match.pk])).content.decode()
    assert page.count('<details class="folded"') == 2 and page.count('id="time-terms"') == 1
    take_turn(match, mover(match))
    answer = client.get(reverse("games:parts", args=[match.pk]) + "?have=1.0", headers={"HX-Request": "true"})
    parts = answer.content.decode()
    swapped = re.findall(r'id="(time-\w+)" hx-swap-oob="outerHTML"', parts)
    assert swapped == ["time-now", "time-terms"]
    assert 'id="more-time"' not in parts and "folded" not in parts
    acted = client.post(reverse("games:time", args=[match.pk]), {"do": "pause"}, headers={"HX-Request": "true"})
    told = acted.content.decode()
    assert told.lstrip().startswith('<div id="time-now" hx-get=') and "You propose a pause" in told
    assert 'id="time-terms" hx-swap-oob="outerHTML"' in told and "<details" not in told


def test_help_tells_of_standing_orders_where_there_are_any(ann, bob):
    for pace, there in (("1d", True), ("60s", False)):
        match = opened(ann, bob, pace=pace)
        page = signed_in(ann).get(reverse("games:match", args=[match.pk])).content.decode()
        told = page[page.index('id="s-help"') :]
        assert ("you can leave an order" in told) is there
        assert (reverse("games:orders", args=[match.pk]) in told) is there


def test_the_bar_keeps_its_word_that_i_deal_whole(ann, bob):
    match = opened(ann, bob)
    pages = [signed_in(user).get(reverse("games:match", args=[match.pk])).content.decode() for user in (ann, bob)]
    assert sum('<span class="deals">you deal</span>' in page for page in pages) == 1
