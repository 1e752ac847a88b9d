"""The pages around the table: what they show, to whom, and what the forms open."""

import re

import pytest
from django.urls import reverse

from games import lobby
from games.models import Match
from games.preset_texts import GROUPS, OPTION_TEXTS, PRESET_TEXTS, value_name
from games.rules.catalog import PRESETS
from games.rules.options import Choice

from .lobby_world import page
from .playing import opened

pytestmark = pytest.mark.django_db


def test_a_stranger_reads_what_the_site_is_and_may_sign_up():
    shown = page().get("/").content.decode()

    assert "Rummy with friends" in shown
    for name in ("account_signup", "account_login", "games:play_now", "games:play_friend", "games:learn"):
        assert reverse(name) in shown


def test_play_now_on_the_front_page_seats_a_stranger_with_three_bots_at_a_dealt_table(db):
    client = page()
    form = re.search(
        rf'<form method="post" action="{reverse("games:play_now")}">(.*?)</form>', client.get("/").content.decode()
    )
    fields = dict(re.findall(r'name="(preset|bots)" value="([^"]*)"', form[1]))

    answer = client.post(reverse("games:play_now"), fields, follow=True)

    match = Match.objects.get()
    assert answer.redirect_chain == [(reverse("games:match", args=[match.pk]), 302)]
    assert (match.status, match.pace) == ("running", "none")
    assert [seat.driver for seat in match.seats.all()] == ["user", "bot", "bot", "bot"]
    assert "hand" in answer.content.decode()


def test_who_is_signed_in_begins_at_the_own_tables(ann):
    assert page(ann).get("/").url == reverse("games:tables")


@pytest.mark.parametrize("name", ["tables", "new_match"])
def test_own_pages_ask_a_stranger_to_sign_in(name, db):
    answer = page().get(reverse(f"games:{name}"))

    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_every_preset_option_and_value_has_its_text(preset):
    grouped = [name for _heading, names in GROUPS for name in names]

    assert preset.name in PRESET_TEXTS
    for offer in preset.offers:
        text = OPTION_TEXTS[offer.name]
        assert grouped.count(offer.name) == 1
        assert text.label and text.help
        for value in offer.values if isinstance(offer, Choice) else (offer.low, offer.high):
            assert str(value_name(offer.name, value))
            assert str(text.tag(value))


def test_an_empty_lobby_says_what_to_do(ann):
    shown = page(ann).get(reverse("games:lobby")).content.decode()

    assert "Nobody is waiting: open a table yourself" in shown
    assert reverse("games:new_match") in shown.split('id="nobody"')[1]


def test_the_lobby_lists_public_matches_with_a_free_seat_only(ann, bob, cat):
    free = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)
    opened(ann, bob)

    rows = page(cat).get(reverse("games:lobby")).context["rows"]

    assert [row.pk for row in rows] == [free.pk]


def test_a_stranger_may_look_at_the_lobby_and_chooses_in_the_room_how_to_sit_down(ann):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")

    shown = page().get(reverse("games:lobby")).content.decode()

    assert f'href="{reverse("games:match", args=[match.pk])}">Join' in shown
    assert 'method="post"' not in shown.split("<main")[1].split("</main")[0]
    room = page().get(reverse("games:match", args=[match.pk])).content.decode()
    assert "Sit down as a guest" in room
    assert f"{reverse('account_login')}?next={reverse('games:match', args=[match.pk])}" in room


def test_names_and_titles_of_others_are_text_never_markup(ann, bob):
    ann.display_name = "<b>Ann"
    ann.save()
    lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", title="<script>alert(1)</script>")

    shown = page(bob).get(reverse("games:lobby")).content.decode()

    assert "<script>alert" not in shown
    assert "<b>Ann" not in shown
