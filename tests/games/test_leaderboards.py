"""Leaderboards and the page of two people: who is shown, to whom, and in what order."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import closing
from accounts.models import User
from games import disclosure, leaderboards
from games.models import Ledger, Match, Rating, Seat
from games.rating_texts import FAMILY_TEXTS, KIND_TEXTS
from games.rules.catalog import FAMILIES

from .playing import opened

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def words(html):
    """The text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", html.partition("<main")[2]).split())


def rate(user, mu, sigma=2.0, *, matches=20, days=1, listed=True, family="gin", kind="live"):
    now = timezone.now()
    fifth = now - timedelta(days=days) if matches >= 5 else None
    row = Rating.objects.create(
        user=user, family=family, kind=kind, mu=mu, sigma=sigma, matches=matches, since=now, updated=now, fifth_at=fifth
    )
    Ledger.objects.update_or_create(user=user, defaults={"listed": listed})
    return row


def names(client, where="?family=gin&kind=live"):
    page = client.get(f"/leaderboards/{where}")
    return [line.user.username for line in page.context["lines"]]


def test_the_list_is_sorted_by_a_cautious_value_and_says_so(client, ann, bob, cat):
    rate(ann, 30, sigma=6, matches=7)
    rate(bob, 26, sigma=1)
    rate(cat, 24, sigma=1)
    assert names(client) == ["bob", "cat", "ann"]
    text = client.get("/leaderboards/?family=gin&kind=live").content.decode()
    assert "1520" in text and "± 20" in text and "1600" in text and "± 120" in text
    assert text.count('<small class="new">provisional</small>') == 1
    assert "less twice that number" in text and "at least 5 rated matches in the last 90 days" in text


def test_each_family_and_pace_has_a_list_of_its_own(client, ann, bob):
    rate(ann, 30)
    rate(bob, 30, family="rummy", kind="correspondence")
    assert names(client) == ["ann"] and names(client, "") == ["bob"]
    assert names(client, "?family=chess&kind=17&page=x") == ["bob"]
    assert set(FAMILY_TEXTS) == set(FAMILIES) and set(KIND_TEXTS) == set(dict(Rating.kind.field.choices))


def test_nobody_is_shown_who_has_not_asked_for_it_played_too_little_or_closed_the_account(client, ann, bob, cat, mod):
    rate(ann, 40, listed=False)
    rate(bob, 40, days=91)
    rate(cat, 40, matches=4)
    rate(mod, 20)
    assert names(client) == ["mod"]
    assert "Nobody stands here yet" in client.get("/leaderboards/").content.decode()


def test_closing_the_account_takes_the_user_out_and_leaves_the_ratings_of_others(client, ann, bob):
    rate(ann, 30)
    rate(bob, 25)
    closing.close(ann)
    assert names(client) == ["bob"]
    assert Rating.objects.filter(user=ann).exists() and not Ledger.objects.get(user=ann).listed


def test_i_say_whether_i_am_shown_and_see_my_place(client, ann, bob):
    rate(ann, 30, listed=False)
    rate(bob, 35)
    client.force_login(ann)
    page = client.get("/leaderboards/?family=gin&kind=live").content.decode()
    assert "You: 1600 ± 40, from 20 matches." in page and "You are shown in no leaderboard." in page
    client.post("/leaderboards/me/?family=gin&kind=live", {"listed": "yes"})
    assert names(client) == ["bob", "ann"]
    assert "Place 2." in client.get("/leaderboards/?family=gin&kind=live").content.decode()
    client.post("/leaderboards/me/", {"listed": "no"})
    assert names(client) == ["bob"]
    assert client.post("/leaderboards/me/", {"listed": "perhaps"}).status_code == 400
    assert client.get("/leaderboards/me/").status_code == 405
    guest = User.objects.create(username="guest-1", is_guest=True)
    client.force_login(guest)
    assert client.post("/leaderboards/me/", {"listed": "yes"}).status_code == 409
    assert "Show me" not in client.get("/leaderboards/").content.decode()


def test_a_long_list_has_pages_and_each_costs_the_same_queries(client, ann):
    rate(ann, 10)
    client.force_login(ann)
    for n in range(leaderboards.PAGE + 3):
        rate(User.objects.create(username=f"user{n}"), 50 - n / 10)
    for page in (1, 2):
        with CaptureQueriesContext(connection) as queries:
            text = client.get(f"/leaderboards/?family=gin&kind=live&page={page}").content.decode()
        assert len(queries) <= 10, [q["sql"][:90] for q in queries]
        assert f"Page {page} of 2" in text
    assert "<td>51</td>" in text and "Place 54." in text


def test_who_does_not_show_ratings_to_everybody_stands_in_no_leaderboard_and_is_told_why(client, ann, bob):
    rate(ann, 30)
    rate(bob, 25)
    disclosure.choose(ann, dict.fromkeys(disclosure.SECTIONS, "friends"))
    client.force_login(ann)
    assert names(client) == ["bob"]
    text = client.get("/leaderboards/?family=gin&kind=live").content.decode()
    assert "not everybody may see your ratings" in text and "Place 1" not in words(text)
    disclosure.choose(ann, dict.fromkeys(disclosure.SECTIONS, "all"))
    assert names(client) == ["ann", "bob"]


# --- two people


def over(*users, winners, totals, preset="basic-rummy", gone=(), days=0, **columns):
    match = opened(*users, preset=preset, rated=columns.pop("rated", False))
    ended = timezone.now() - timedelta(days=days)
    Seat.objects.filter(match=match, user__in=gone).update(gone="resigned", given_up_at=ended)
    columns = {"status": "over", "ending": "played", "winners": winners, "totals": totals} | columns
    Match.objects.filter(pk=match.pk).update(ended_at=ended, turn=None, due_at=None, wake_at=None, **columns)
    return match


def test_two_people_see_who_has_won_how_often_at_what_and_with_how_many_points(client, ann, bob, cat):
    over(ann, bob, winners=[0], totals=[150, 90], days=9)
    over(bob, ann, winners=[0], totals=[160, 20], days=8)
    over(ann, bob, winners=[0], totals=[30, 10], preset="gin", days=7)
    over(ann, bob, cat, winners=[2], totals=[10, 20, 150], days=6)
    over(ann, bob, winners=[0], totals=[0, 0], gone=[bob], days=5)
    over(ann, bob, winners=[], totals=[0, 0], ending="abandoned", days=4)
    client.force_login(ann)
    page = client.get("/players/ann/bob/")
    text = words(page.content.decode())
    total = page.context["found"].total
    assert (total.one, total.other, total.neither, total.shared, total.matches) == (3, 1, 1, 0, 5)
    assert total.points == [30 + 20 + 150 + 10, 10 + 160 + 90 + 20]
    assert "3 : 1" in text and "From 5 matches since" in text and "ann has won the last match." in text
    assert "Gin rummy 1 : 0" in text and "counts for nobody" in text and "somebody else won" in text
    other = client.get("/players/bob/ann/")
    assert "1 : 3" in words(other.content.decode())


def test_a_streak_is_told_in_its_length(client, ann, bob):
    over(ann, bob, winners=[0], totals=[150, 90], days=9)
    for days in (3, 2, 1):
        over(ann, bob, winners=[1], totals=[50, 190], days=days)
    client.force_login(bob)
    assert "bob has won the last 3 matches in a row." in client.get("/players/ann/bob/").content.decode()


def test_strangers_see_it_only_when_both_show_their_opponents(client, ann, bob, cat):
    match = over(ann, bob, winners=[0], totals=[150, 90], private=True, title="Our secret club")
    client.force_login(cat)
    assert client.get("/players/ann/bob/").status_code == 404
    disclosure.choose(ann, dict.fromkeys(disclosure.SECTIONS, "all"))
    assert client.get("/players/ann/bob/").status_code == 404
    disclosure.choose(bob, dict.fromkeys(disclosure.SECTIONS, "all"))
    page = client.get("/players/ann/bob/").content.decode()
    assert "1 : 0" in page and "Our secret club" not in page and f"/matches/{match.pk}/" not in page
    client.force_login(ann)
    assert "Our secret club" in client.get("/players/ann/bob/").content.decode()


def test_people_without_a_match_read_what_will_be_there_and_nobody_is_a_pair_with_himself(client, ann, bob):
    client.force_login(ann)
    assert "Here will be who has won how often" in client.get("/players/ann/bob/").content.decode()
    for address in ("/players/ann/ann/", "/players/ann/nobody/", "/players/nobody/ann/"):
        assert client.get(address).status_code == 404


def test_a_player_who_is_called_like_an_act_has_a_page_too(client, ann, bob):
    User.objects.create(username="mute")
    client.force_login(ann)
    assert client.get("/players/ann/mute/").status_code == 200
    assert client.get("/players/bob/block/").status_code == 405
    assert client.post("/players/bob/mute/").status_code == 302


def test_the_page_of_two_costs_the_same_queries_however_many_matches(client, ann, bob):
    client.force_login(ann)
    costs = []
    for _round in range(2):
        over(ann, bob, winners=[0], totals=[150, 90])
        with CaptureQueriesContext(connection) as queries:
            client.get("/players/ann/bob/")
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 10
