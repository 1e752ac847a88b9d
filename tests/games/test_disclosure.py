"""What others see of a profile is the user's choice; what is hidden gives nothing away, wherever it could be read."""

import json
import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts import closing
from accounts.guests import make_guest
from games import disclosure, people, recomputing
from games.api import tokens
from games.models import Disclosure, Friendship, Ledger, Summary

from .playing import opened
from .test_leaderboards import over, rate, words

pytestmark = [pytest.mark.django_db, pytest.mark.pg]

ALL, FRIENDS, ME = (dict.fromkeys(disclosure.SECTIONS, to) for to in ("all", "friends", "me"))
HEADINGS = {
    "ratings": "h-ratings",
    "results": "h-results",
    "matches": "h-matches",
    "opponents": "h-opponents",
    "deals": "h-deals",
    "answers": "h-answers",
}


def get(reader, address):
    browser = Client()
    if reader is not None:
        browser.force_login(reader)
    return browser.get(address)


def main(reader, whom, query=""):
    """The middle of the page, without what differs in each answer and without the name."""
    page = get(reader, f"/players/{whom.username}/{query}").content.decode()
    page = re.sub(r'csrfmiddlewaretoken" value="[^"]*"', "", page.partition("<main")[2].partition("</main>")[0])
    return re.sub(rf"\b{whom.username}\b", "X", page).replace(f">{whom.username[0].upper()}<", "><")


def seen(reader, whom, query=""):
    page = main(reader, whom, query)
    return {name for name, heading in HEADINGS.items() if f'id="{heading}"' in page}


def said(choice):
    """A choice as the form sends it."""
    return {f"to-{name}": value for name, value in choice.items()}


def befriend(one, other):
    Friendship.objects.create(asking=one, asked=other, at=timezone.now(), accepted_at=timezone.now())


@pytest.fixture
def past(ann, bob):
    """Ann has something in every section: a rated match against bob, and what its deals came to."""
    match = over(ann, bob, winners=[0], totals=[150, 90], rated=True)
    for user in (ann, bob):
        recomputing.all_ratings()
        Ledger.objects.get_or_create(user=user)
        recomputing.summaries_of(user.pk)
    told = {"deals": 3, "deals_won": 2, "outs": 2, "ended_by_turn": {"4": 2}, "answers": {"18": [5, 9000]}}
    Summary.objects.filter(user=ann).update(**told, caught=1, caught_points=20, points_for=60)
    return match


def test_each_section_is_seen_by_whom_the_user_says(past, ann, bob, cat, mod):
    befriend(cat, ann)
    assert seen(ann, ann) == set(HEADINGS)
    assert seen(None, ann) == seen(mod, ann) == {"ratings", "results", "matches"}, "what holds without a choice"
    disclosure.choose(bob, ALL)
    assert seen(cat, ann) == set(HEADINGS)
    for name in disclosure.SECTIONS:
        disclosure.choose(ann, ME | {name: "all"})
        assert seen(None, ann) == seen(cat, ann) == {name}
        disclosure.choose(ann, ME | {name: "friends"})
        assert (seen(None, ann), seen(mod, ann), seen(cat, ann), seen(ann, ann)) == (
            set(),
            set(),
            {name},
            set(HEADINGS),
        )


def test_what_is_hidden_looks_like_what_does_not_exist(past, ann, bob, cat, mod):
    disclosure.choose(ann, ME)
    for query in ("", "?preset=basic-rummy", "?period=2026", "?against=people", "?name=bob", "?name=mod&against=bots"):
        for reader in (None, mod):
            hidden, nothing = main(reader, ann, query), main(reader, cat, query)
            assert hidden == nothing, query
    assert "Nothing is to be seen here yet." in main(None, ann) and "Filter" not in main(None, ann)
    # one section of which there is nothing tells nothing of the others
    disclosure.choose(ann, ME | {"answers": "all"})
    Summary.objects.filter(user=ann).update(answers={})
    assert main(mod, ann) == main(mod, cat)


def test_whoever_is_blocked_sees_what_a_stranger_sees(past, ann, bob, cat, mod):
    disclosure.choose(ann, FRIENDS | {"results": "all"})
    befriend(cat, ann)
    assert seen(cat, ann) > {"results"}
    people.block(ann, cat)
    assert main(cat, ann).replace("/cat/", "/mod/") == main(mod, ann) and seen(cat, ann) == {"results"}


def test_users_see_their_page_as_a_stranger_does_and_nobody_elses(past, ann, bob, mod):
    told = re.compile(r'<div id="told".*', re.DOTALL)
    for choice in (ALL, ME, FRIENDS | {"matches": "all"}):
        disclosure.choose(ann, choice)
        preview, strange = main(ann, ann, "?as=stranger"), main(None, ann)
        assert "So a stranger sees your profile." in preview
        assert told.search(preview)[0] == told.search(strange)[0]
    disclosure.choose(bob, FRIENDS)
    befriend(ann, bob)
    assert main(ann, bob, "?as=stranger") == main(ann, bob)


def test_two_people_are_shown_together_only_when_both_show_it(past, ann, bob, cat, mod):
    """The list of opponents, the filter by name and the page of two agree."""
    for anns, bobs, shown in ((ALL, ALL, True), (ALL, ME, False), (ME | {"results": "all"}, ALL, False)):
        disclosure.choose(ann, anns)
        disclosure.choose(bob, bobs)
        assert ("h-opponents" in main(cat, ann)) == shown
        assert (get(cat, "/players/ann/bob/").status_code == 200) == shown
        assert ("h-results" in main(cat, ann, "?name=bob")) == shown
        assert get(bob, "/players/ann/bob/").status_code == 200
        assert main(cat, ann, "?name=bob").replace("bob", "mod") == main(cat, ann, "?name=mod") or shown
    assert "h-results" in main(bob, ann, "?name=bob") and "h-deals" not in main(bob, ann, "?name=bob")
    assert "h-opponents" in main(ann, ann), "the user himself sees all"


def test_a_private_match_is_listed_to_those_who_sat_there_and_programs_get_what_the_page_shows(past, ann, bob, cat):
    private = over(ann, bob, winners=[0], totals=[150, 90], private=True)
    link = f"/matches/{private.pk}/"
    assert link not in main(cat, ann) and link not in main(None, ann)
    assert link in main(bob, ann) and link in main(ann, ann)
    token = tokens.make(cat, "x", "public")

    def results():
        headers = {"Authorization": f"Bearer {token}"}
        answer = Client().get("/api/v1/players/ann/matches", headers=headers)
        return [line["id"] for line in json.loads(answer.content)["matches"]]

    assert results() == [past.pk]
    disclosure.choose(ann, ME)
    assert results() == []


def test_the_choice_is_kept_checked_and_goes_with_the_account(past, ann, bob):
    browser = Client()
    assert browser.get("/my-profile/").status_code == 302
    browser.force_login(ann)
    page = browser.get("/my-profile/").content.decode()
    assert page.count("checked") == len(disclosure.SECTIONS) and "Leaderboards need that everybody may see it." in page
    for bad in ({}, ALL | {"deals": "cats"}, {"ratings": "all"}):
        answer = browser.post("/my-profile/", said(bad))
        assert answer.status_code == 422 and "Choose one of the values shown." in answer.content.decode()
    assert not Disclosure.objects.exists()
    assert browser.post("/my-profile/", said(ME | {"matches": "friends"})).url == "/players/ann/"
    assert browser.post("/my-profile/", said(ME | {"matches": "all"})).status_code == 302
    assert Disclosure.objects.get(user=ann).matches == "all" and Disclosure.objects.get(user=ann).deals == "me"
    closing.close(ann)
    assert not Disclosure.objects.exists() and get(bob, "/players/ann/").status_code == 404
    assert "h-opponents" not in main(bob, bob) and "h-results" in main(bob, bob), "a closed account is no opponent"


def test_a_new_user_reads_what_will_be_there_and_how_to_begin(ann, bob):
    text = words(get(ann, "/players/ann/").content.decode())
    for what in ("Ratings", "Results", "Opponents", "Last matches", "How deals come out", "Time to answer"):
        assert what in text
    assert 'href="/matches/new/"' in main(ann, ann) and "Open your first match" in text
    running = opened(ann, bob)
    assert f"/matches/{running.pk}/" not in main(bob, ann) and "Nothing is to be seen here yet." in main(bob, ann)


def test_guests_have_a_page_without_ratings_and_bots_have_none(ann):
    guest = make_guest("en", "UTC")
    match = over(guest, ann, winners=[0], totals=[100, 5])
    assert "A guest, here since" in main(ann, guest) and f"/matches/{match.pk}/" in main(ann, guest)
    newcomer = make_guest("en", "UTC")
    assert "guests are not rated" in main(newcomer, newcomer)
    bots = opened(ann, bots=1)
    name = bots.seats.exclude(bot_name="").get().bot_name
    assert get(ann, f"/players/{name.split()[-1]}/").status_code == 404


def test_leaderboards_and_the_profile_agree(ann, bob):
    rate(ann, 30)
    assert "1600" in get(None, "/leaderboards/?family=gin&kind=live").content.decode() and "1600" in main(None, ann)
    disclosure.choose(ann, ALL | {"ratings": "friends"})
    befriend(ann, bob)
    assert "1600" not in get(None, "/leaderboards/?family=gin&kind=live").content.decode()
    assert "1600" not in main(None, ann) and "1600" in main(bob, ann)


def test_every_section_and_choice_has_words():
    from games.views.disclosing import SECTION_TEXTS
    from games.views.profile import SEEN

    assert set(SECTION_TEXTS) == set(disclosure.SECTIONS) == set(HEADINGS)
    assert set(SEEN) == set(Disclosure.To)


def test_for_many_at_once_the_same_is_seen_as_for_each(ann, bob, cat):
    choices = (None, ALL, FRIENDS, ME)
    for mine in choices:
        for theirs in choices:
            for who, choice in ((ann, mine), (bob, theirs)):
                Disclosure.objects.filter(user=who).delete()
                if choice:
                    disclosure.choose(who, choice)
            one, other = people.player("ann"), people.player("bob")
            known = [(other.pk, theirs and theirs["opponents"])]
            for reader in (ann, bob, cat, AnonymousUser()):
                for friends in ((), (ann.pk,), (bob.pk,), (ann.pk, bob.pk)):
                    each = disclosure.may_see_pair(one, other, reader, friends)
                    assert [*disclosure.seen_with(one, reader, friends, known)] == [other.pk] * each
