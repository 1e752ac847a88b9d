"""Hands of a running deal: seen with the permission and a reason only, kept, and told to the players afterwards."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts import roles
from accounts.models import AuditEntry
from games import people, play, substitutes, tables
from games.models import BenchPlace, HandsSeen, Match, Notice
from games.moderation import rulings
from games.notices import words

from .acts_table import WHO, staff
from .playing import mover, opened, seat_of
from .ruling import deals_played, play_deal

pytestmark = pytest.mark.django_db

WHY = {"reason": "Two reports say that they tell each other their cards."}
CARD = re.compile(r'aria-label="(?:ace|jack|queen|king|\d+) of (?:clubs|diamonds|hearts|spades)"')


def signed_in(user: Any) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def hands(match: Match) -> str:
    return reverse("admin:games_match_hands", args=[match.pk])


def senior(name: str = "senior") -> Any:
    return staff(name, roles.SENIOR)


@pytest.mark.parametrize("who", WHO)
def test_hands_are_seen_by_who_has_the_permission_by_name_only(ann: Any, bob: Any, who: str) -> None:
    match, by = opened(ann, bob, hand_size=7), staff("somebody", who)
    mover(match)

    asked, seen = signed_in(by).get(hands(match)), signed_in(by).post(hands(match), WHY)

    if who == roles.SENIOR:
        assert (asked.status_code, seen.status_code) == (200, 200)
        assert not CARD.search(asked.content.decode())
        assert "its players are told" in asked.content.decode()
        assert len(CARD.findall(seen.content.decode())) == 14
        assert "no-store" in seen["Cache-Control"]
    else:
        refused = 302 if who == "player" else 403
        assert (asked.status_code, seen.status_code) == (refused, refused)
        assert not HandsSeen.objects.exists() and not AuditEntry.objects.exists()


def test_a_superuser_sees_hands_with_that_permission_given_by_name(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob)
    mover(match)
    mod.user_permissions.add(Permission.objects.get(codename="see_hands"))
    assert signed_in(mod).post(hands(match), WHY).status_code == 200


def test_the_hands_are_those_of_the_table_and_the_look_is_kept_without_a_card(ann: Any, bob: Any) -> None:
    match, by = opened(ann, bob, hand_size=7), senior()
    mover(match)

    page = signed_in(by).post(hands(match), WHY).content.decode()

    kept, entry = HandsSeen.objects.get(), AuditEntry.objects.get()
    match.refresh_from_db()
    assert (kept.by, kept.match, kept.deal.number, kept.move, kept.why) == (by, match, 1, match.moves, WHY["reason"])
    assert kept.told_at is None
    assert (entry.act, entry.by, entry.target_id, entry.reason) == ("see_hands", by, match.pk, WHY["reason"])
    assert entry.details == {"deal": 1, "move": match.moves}
    shown = re.findall(r"<h2>(.*?)</h2>\s*<ul>(.*?)</ul>", page, re.DOTALL)
    assert [name for name, _cards in shown] == ["ann", "bob"]
    from games.faces import card_name

    for (_name, cards), user in zip(shown, (ann, bob), strict=True):
        hand = tables.board(match, user).hand
        assert sorted(re.findall(r'aria-label="(.*?)"', cards)) == sorted(map(card_name, hand))


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001])
def test_without_a_written_reason_nothing_is_shown_or_kept(ann: Any, bob: Any, reason: str) -> None:
    match = opened(ann, bob)
    mover(match)
    answer = signed_in(senior()).post(hands(match), {"reason": reason})
    assert answer.status_code == 400
    assert not CARD.search(answer.content.decode())
    assert not HandsSeen.objects.exists() and not AuditEntry.objects.exists()


def test_who_sits_there_or_has_a_friend_there_sees_no_hand(ann: Any, bob: Any) -> None:
    by, friend = senior("sits"), senior("friend")
    people.befriend(friend, bob)
    people.befriend(bob, friend)
    match = opened(by, bob)
    mover(match)
    for one, sentence in ((by, "You sit at this match"), (friend, "A friend of yours sits at this match")):
        for answer in (signed_in(one).get(hands(match)), signed_in(one).post(hands(match), WHY)):
            assert answer.status_code == 409
            assert sentence in answer.content.decode()
            assert not CARD.search(answer.content.decode())
    assert not HandsSeen.objects.exists()


def test_only_a_deal_that_is_played_has_hands_to_see(ann: Any, bob: Any, mod: Any) -> None:
    match, browser = opened(ann, bob, hand_size=3), signed_in(senior())
    mover(match)
    rulings.abort(match.pk, by=mod, reason="As agreed.")
    answer = browser.get(hands(match))
    assert answer.status_code == 409 and "This match is over." in answer.content.decode()
    assert browser.get(reverse("admin:games_match_hands", args=[999_999])).status_code == 404


def test_the_players_are_told_after_the_deal_and_not_before(ann: Any, bob: Any, cat: Any) -> None:
    match = deals_played(ann, bob, ended=1)
    fairness = reverse("games:fairness", args=[match.pk])
    for _twice in range(2):
        assert signed_in(senior(f"s{_twice}")).post(hands(match), WHY).status_code == 200
    assert not Notice.objects.filter(kind="hands_seen").exists()
    assert "Hands seen by a moderator" not in signed_in(ann).get(fairness).content.decode()

    play_deal(match)

    told = Notice.objects.filter(kind="hands_seen")
    assert {notice.user for notice in told} == {ann, bob} and told.count() == 2
    assert told[0].about == {"deal": 2}
    assert words.sentences(told[:1])[0].startswith("A moderator looked at all hands of deal 2 of")
    page = signed_in(bob).get(fairness).content.decode()
    assert "Hands seen by a moderator" in page and page.count("<li>Deal 2:") == 2
    assert WHY["reason"] not in page and not re.search(r"\bs[01]\b", page)
    assert not HandsSeen.objects.filter(told_at=None).exists()


@pytest.mark.parametrize("end", ["resigned", "aborted", "voided"])
def test_however_the_deal_ends_the_players_are_told(ann: Any, bob: Any, mod: Any, end: str) -> None:
    match = opened(ann, bob, hand_size=3)
    mover(match)
    signed_in(senior()).post(hands(match), WHY)
    if end == "resigned":
        play.resign(match.pk, 0)
    elif end == "aborted":
        rulings.abort(match.pk, by=mod, reason="As agreed.")
    else:
        rulings.void_deal(match.pk, 1, by=mod, reason="As agreed.")
    assert set(Notice.objects.filter(kind="hands_seen").values_list("user", flat=True)) == {ann.pk, bob.pk}


def test_who_has_seen_the_hands_gets_no_seat_at_the_match(ann: Any, bob: Any, cat: Any) -> None:
    match, by = opened(ann, bob, cat, pace="1d"), senior()
    mover(match)
    seat = seat_of(match, ann)
    assert not substitutes.knows_another_hand(seat, by)
    BenchPlace.objects.create(user=by, preset=match.preset, kind="correspondence")
    assert by in substitutes._may_sit(match, seat, "correspondence")
    signed_in(by).post(hands(match), WHY)
    assert substitutes.knows_another_hand(seat, by)
    assert by not in substitutes._may_sit(match, seat, "correspondence")


def test_looks_are_listed_for_seniors_without_a_card(ann: Any, bob: Any) -> None:
    match, by = opened(ann, bob), senior()
    mover(match)
    signed_in(by).post(hands(match), WHY)
    listed = reverse("admin:games_handsseen_changelist")
    assert signed_in(staff("junior", roles.MODERATOR)).get(listed).status_code == 403
    page = signed_in(by).get(listed).content.decode()
    assert WHY["reason"] in page and not CARD.search(page)
