"""Watching: matches in the lobby that are being played, the page of a watcher, and a result worth sharing."""

import io
import re

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.closing import close
from games import lobby, pictures, play
from games import people as acts
from games.models import Match
from games.views import sharing

from .playing import mover, opened, take_turn

pytestmark = pytest.mark.django_db


def of(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def over(*users, **more):
    match = opened(*users, **more)
    play.resign(match.pk, 1)
    return Match.objects.get(pk=match.pk)


def lobby_page(user=None, **query):
    return of(user).get(reverse("games:lobby"), query).content.decode()


def watched(page):
    part = re.search(r'<section class="part watching">.*?</section>', page, re.S)
    return re.findall(r'href="/matches/(\d+)/">Watch', part[0]) if part else []


# Being played


def test_the_lobby_lists_public_matches_that_are_being_played_and_no_others(ann, bob, cat):
    running, private = opened(ann, bob), opened(ann, bob)
    Match.objects.filter(pk=private.pk).update(private=True)
    over(ann, bob)
    lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    assert watched(lobby_page()) == watched(lobby_page(cat)) == [str(running.pk)]
    assert watched(lobby_page(ann)) == [], "the own tables stand elsewhere"
    assert watched(lobby_page(game="gin")) == []
    assert watched(lobby_page(game="basic-rummy", free="2")) == [str(running.pk)]


def test_matches_of_those_who_keep_each_other_at_a_distance_are_not_listed(ann, bob, cat):
    opened(ann, bob)
    acts.ACTS["block"](cat, bob)
    assert watched(lobby_page(cat)) == watched(lobby_page(bob)) == []
    assert len(watched(lobby_page())) == 1


def test_what_is_being_played_costs_the_lobby_two_queries_whatever_its_length(
    ann, bob, cat, django_assert_num_queries, client
):
    opened(ann, bob)
    client.get(reverse("games:lobby"))
    with django_assert_num_queries(3):  # no open match, the running ones, their seats
        client.get(reverse("games:lobby"))
    for _match in range(3):
        opened(ann, bob)
    with django_assert_num_queries(3):
        client.get(reverse("games:lobby"))


# A watcher's page


def test_a_watcher_sees_the_table_and_no_hand_until_the_deal_is_over(ann, bob, cat):
    match = opened(ann, bob)
    take_turn(match, mover(match))
    for user in (cat, None):
        page = of(user).get(reverse("games:match", args=[match.pk])).content.decode()
        assert "You are watching." in page and "Hands stay hidden until the deal is over." in page
        assert 'name="card"' not in page and 'value="draw_stock"' not in page
    play.resign(match.pk, 0)
    page = of().get(reverse("games:match", args=[match.pk])).content.decode()
    assert "The last deal" in page


def test_a_watcher_without_an_account_is_kept_up_to_date_by_asking(ann, bob):
    match = opened(ann, bob)
    trigger = 'hx-trigger="rummy:nudge from:body, every 15s"'
    address = reverse("games:match", args=[match.pk])
    assert trigger in of().get(address).content.decode()
    assert trigger not in of(ann).get(address).content.decode()
    parts, version = reverse("games:parts", args=[match.pk]), match.version
    assert of().get(parts, {"have": version}).status_code == 204
    take_turn(match, mover(match))
    fresh = of().get(parts, {"have": version})
    assert fresh.status_code == 200 and "You are watching." in fresh.content.decode()


# A result worth sharing


def tags(page):
    return dict(re.findall(r'<meta (?:property|name)="((?:og:|twitter:|description)[^"]*)" content="([^"]*)"', page))


def test_a_finished_public_match_has_the_tags_of_a_page_that_is_passed_on(ann, bob, cat):
    match = over(ann, bob)
    Match.objects.filter(pk=match.pk).update(ending="played", winners=[0], totals=[104, 87])
    address = f"http://testserver/matches/{match.pk}/"
    seen = [of(user).get(f"/matches/{match.pk}/?log=all").content.decode() for user in (ann, bob, cat, None)]
    found = [tags(page) for page in seen]
    assert found[0] == found[1] == found[2] == found[3], "the same for everybody, whoever played"
    assert found[0]["og:title"] == "ann wins, 104 to 87 · Basic rummy"
    assert found[0]["description"] == "Basic rummy, 1 day a turn, 1 deal. ann 104, bob 87."
    assert found[0]["og:url"] == address and f'<link rel="canonical" href="{address}">' in seen[3]
    assert found[0]["og:image"] == f"{address}preview.png?language=en"
    assert 'name="robots" content="noindex"' in seen[3]


def test_running_open_and_private_matches_have_neither_tags_nor_picture(ann, bob):
    private = over(ann, bob)
    Match.objects.filter(pk=private.pk).update(private=True)
    waiting = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    for match in (private, waiting, opened(ann, bob)):
        assert not tags(of(ann).get(f"/matches/{match.pk}/").content.decode())
        for user in (ann, None):
            assert of(user).get(reverse("games:preview", args=[match.pk])).status_code == 404


def picture(match, **query):
    answer = of().get(reverse("games:preview", args=[match.pk]), query)
    assert answer.status_code == 200 and answer["Content-Type"] == "image/png"
    assert "public" in answer["Cache-Control"]
    return answer.content


def test_the_picture_is_drawn_once_a_match_and_anew_when_a_name_changes(ann, bob, monkeypatch):
    match, drawn = over(ann, bob), []
    plain = pictures.draw
    monkeypatch.setattr(sharing.pictures, "draw", lambda told: drawn.append(told) or plain(told))
    first = picture(match)
    image = Image.open(io.BytesIO(first))
    assert image.size == (1200, 630) and len(first) < 60_000
    assert picture(match) == first and len(drawn) == 1
    assert [place.name for place in drawn[0].places] == ["ann", "bob"]
    close(bob)
    assert picture(match) != first
    assert [place.name for place in drawn[1].places] == ["ann", "deleted player"]
    page = of().get(f"/matches/{match.pk}/").content.decode()
    assert "deleted player" in tags(page)["description"] and "bob" not in tags(page)["description"]


def test_the_picture_speaks_the_language_that_is_asked_for_and_no_other(ann, bob):
    match = over(ann, bob)
    assert of().get(reverse("games:preview", args=[match.pk]), {"language": "xx"}).status_code == 404
    assert picture(match, language="mk")


def test_long_and_strange_names_fit_the_picture():
    names = ("M" * 60, "žluťoučký кінь", "日本", "")
    places = tuple(pictures.Place(i, name[:1], name, 100 - i) for i, name in enumerate(names))
    assert pictures.draw(pictures.Result("M" * 80, "Gin rummy", "3 deals", places)).startswith(b"\x89PNG")
    assert pictures._drawable("Žд日") == "Žд·"
    assert pictures._font(40).getlength(pictures._fit("M" * 60, 40, 300)) <= 300


def test_those_who_draw_previews_may_read_the_page_of_a_match_and_nothing_else_of_it():
    said = of().get("/robots.txt").content.decode()
    assert "Disallow: /matches/\n" in said
    assert "Allow: /matches/*/$\n" in said and "Allow: /matches/*/preview.png\n" in said
