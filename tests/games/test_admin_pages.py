"""The pages of a match and of a user: what is told there, to whom, and which looks are kept."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import audit, linking, renaming, roles, sanctions
from accounts.models import AccountLink, AuditEntry, User
from accounts.refusal import Refusal
from games import people, play, tables
from games.models import Match, Move, Notice, Seat
from games.moderation import reports, rulings, seating
from games.notices import words
from games.rules.actions import DrawStock

from .acts_table import appealed, staff
from .playing import do, mover, opened, take_turn
from .ruling import deals_played
from .sitting import ended

pytestmark = pytest.mark.django_db

MOST = 15
AGENT = "Mozilla/5.0 (Android 14; Mobile) Firefox/130.0"
OTHER = "Mozilla/5.0 (Windows NT 10.0) Chrome/130.0"


def signed_in(user: Any) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def junior(name: str = "junior") -> Any:
    return staff(name, roles.MODERATOR)


def senior(name: str = "senior") -> Any:
    return staff(name, roles.SENIOR)


def page(user: Any, row: Any, what: str = "change", query: str = "") -> str:
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_{what}"
    answer = signed_in(user).get(reverse(name, args=[row.pk]) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def words_of(html: str) -> str:
    text = re.sub(r'<span class="cc [^>]*aria-label="([^"]*)">.*?</span>', r"\1", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).replace("\u2060", "").split())


def story(html: str) -> str:
    return words_of(html[html.index('class="tape"') :].partition("</ol>")[0])


def session(user: Any, address: str, agent: str = AGENT) -> None:
    UserSession.objects.create(user=user, ip=address, user_agent=agent, session_key=f"{user.pk}{address}{agent}"[:40])


# --- the page of a match


def test_a_match_is_told_in_words_with_times_and_by_whom_once_the_deal_is_over(ann: Any, bob: Any) -> None:
    with time_machine.travel("2026-11-30T12:34:56+00:00", tick=False):
        match = deals_played(ann, bob, ended=1)
    by = junior()

    running, over = page(by, match), page(by, match, query="?deal=1")

    assert "12:34:56" in story(running) and "dealt and turned up" in story(running)
    assert "being played" in running
    assert not re.search(r'</span><span class="note">(person|bot|clock|dealer)</span>', running)
    assert "drew from the stock" in story(over) and "discarded" in story(over) and "person" in story(over)
    assert not re.search(r"drew (ace|\d+|jack|queen|king) of", story(over)), "no hand, not even of a deal that is over"
    assert reverse("games:deal", args=[match.pk, 1]) in over


def test_who_plays_for_a_seat_is_told_of_a_running_deal_only_as_all_may_know_it(ann: Any, bob: Any) -> None:
    match = opened(ann, bob, hand_size=7, target=10_000)
    take_turn(match, mover(match))
    before = story(page(junior(), match))
    Move.objects.filter(match=match, by="user").update(by="order")
    from games import tape

    tape._kept.clear()

    assert story(page(junior("another"), match)) == before


def test_no_unseen_card_stands_on_the_page_of_a_running_match(ann: Any, bob: Any) -> None:
    match = opened(ann, bob, hand_size=20)
    user = mover(match)
    do(match, user, DrawStock())
    told = page(senior(), match)
    seen = {str(card) for event in tables.board(match, None_()).view.events for card in event.cards}  # type: ignore[union-attr]
    assert len(re.findall(r'class="cc ', told)) == len(seen) == 1


def None_() -> Any:
    from django.contrib.auth.models import AnonymousUser

    return AnonymousUser()


def test_the_page_of_a_match_tells_seats_clock_rules_and_rulings(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob, hand_size=7, target=55, rated=True)
    mover(match)
    seating.give_time(match.pk, 0, timedelta(hours=6), by=mod, reason="The train had no power.")
    seating.let_bot_drive(match.pk, 1, by=mod, reason="Bob asked us to.")

    told = words_of(page(junior(), match))

    for text in ("Basic rummy", "55", "running", "1 day a turn", "Deadline", "Rated yes", "ann : plays"):
        assert text in told, text
    assert "bob : a bot plays" in told and "replaced by a moderator" in told
    assert "Give time to a seat The train had no power." in told
    assert "Let a bot play a seat Bob asked us to." in told


@pytest.mark.parametrize("state", ["open", "running", "over", "aborted"])
def test_the_page_of_a_match_opens_in_every_state(ann: Any, bob: Any, mod: Any, state: str) -> None:
    if state == "open":
        from games import lobby

        match = lobby.open_match(ann, "gin", seats=["open"], pace="1d", chosen={}, cut=("00" * 16, "browser"))
    elif state == "over":
        match = ended(ann, bob)
    else:
        match = opened(ann, bob)
        if state == "aborted":
            rulings.abort(match.pk, by=mod, reason="As agreed.")
    for query in ("", "?deal=1", "?deal=99", "?deal=x"):
        assert "What happened" in page(junior(f"j{query[-2:]}".replace("=", "")), match, query=query)


def test_addresses_shared_between_seats_are_counted_for_all_and_shown_to_seniors_only(ann: Any, bob: Any) -> None:
    match = opened(ann, bob)
    session(ann, "192.0.2.7")
    session(ann, "192.0.2.8", OTHER)
    session(bob, "192.0.2.7")
    low, high = junior(), senior()

    for by in (low, high):
        told = page(by, match)
        assert "1 address, 1 kind of browser" in words_of(told)
        assert "1 time both at once" in words_of(told)
        assert "192.0.2" not in told
    addresses = reverse("admin:games_match_addresses", args=[match.pk])
    assert signed_in(low).get(addresses).status_code == 403
    assert addresses not in page(low, match) and addresses in page(high, match)
    assert not AuditEntry.objects.filter(act="saw_addresses").exists()
    told = page(high, match, "addresses")
    assert "192.0.2.7" in told and "192.0.2.8" in told and "Firefox on Android" in told
    entry = AuditEntry.objects.get(act="saw_addresses")
    assert (entry.by, entry.target_id, entry.details) == (high, match.pk, {})


def test_addresses_that_are_not_kept_any_more_are_shared_by_nobody(ann: Any, bob: Any) -> None:
    match = opened(ann, bob)
    for user in (ann, bob):
        session(user, "0.0.0.0", "")
    assert "ann and bob: nothing" in words_of(page(junior(), match))


# --- the page of a user


def test_the_page_of_a_user_tells_his_history(ann: Any, bob: Any, mod: Any) -> None:
    over, running = ended(ann, bob), opened(ann, bob)
    play.resign(running.pk, 0)
    signed_in(ann)
    appealed(ann, mod)
    renaming.rename(mod, ann, "annabel", ground="name", reason="It was asked for.")
    linking.link(mod, ann, "bob", reason="The same person wrote us.")

    told = words_of(page(junior(), User.objects.get(pk=ann.pk)))

    for text in (
        "No chat in force Shouted.",
        "Appeal : waits for an answer",
        "2 matches.",
        "2 times resigned.",
        "ann became annabel",
        "Held for the same person: bob",
        "Link accounts The same person wrote us.",
        "Last seen",
    ):
        assert text in told, text
    assert "Basic rummy : " in told
    assert reverse("admin:games_match_change", args=[over.pk]) in page(junior("j2"), ann)
    assert "Held for the same person: annabel" in words_of(page(junior("j3"), bob))


def test_turns_that_the_clock_played_and_seats_that_were_lost_are_counted(ann: Any, bob: Any) -> None:
    match = opened(ann, bob, hand_size=7)
    mover(match)
    seat = Seat.objects.get(match=match, index=Match.objects.get(pk=match.pk).turn)
    Match.objects.update(due_at=timezone.now() - timedelta(hours=2), wake_at=timezone.now())
    play.drive(match.pk)
    assert Move.objects.filter(match=match, by="clock").exists()
    told = words_of(page(junior(), seat.user))
    assert "1 turn that the clock played in 60 days." in told
    assert "1 turn missed just now." in told


def test_e_mail_and_addresses_are_for_seniors_and_devices_for_moderators(ann: Any, bob: Any) -> None:
    session(ann, "192.0.2.7")
    session(bob, "192.0.2.7", OTHER)
    low, high, op = junior(), senior(), staff("op", roles.OPERATOR)
    assert "ann@example.org" not in page(low, ann) and "ann@example.org" in page(high, ann)
    assert "ann@example.org" not in signed_in(high).get(reverse("admin:accounts_user_changelist")).content.decode()
    devices = page(low, ann, "devices")
    assert "Firefox on Android" in devices and "192.0.2" not in devices
    assert "The same address: bob" in words_of(devices)
    assert "192.0.2.7" in page(high, ann, "devices")
    for what in ("change", "devices"):
        assert signed_in(op).get(reverse(f"admin:accounts_user_{what}", args=[ann.pk])).status_code == 403


def test_each_look_at_private_data_is_kept_once_for_moderator_user_and_hour(ann: Any, bob: Any) -> None:
    low, high = junior(), senior()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for by in (low, low, high):
            page(by, ann)
        page(low, bob)
        page(low, ann, "devices")
        page(high, ann, "devices")
        kept = AuditEntry.objects.order_by("pk").values_list("act", "by__username", "user__username")
        assert sorted(kept) == [
            ("saw_addresses", "senior", "ann"),
            ("saw_devices", "junior", "ann"),
            ("saw_user", "junior", "ann"),
            ("saw_user", "junior", "bob"),
            ("saw_user", "senior", "ann"),
        ]
        clock.shift(timedelta(minutes=61))
        page(low, ann)
        assert AuditEntry.objects.filter(act="saw_user", by=low, user=ann).count() == 2


def test_what_is_refused_is_not_kept_as_seen(ann: Any, bob: Any) -> None:
    match = opened(ann, bob)
    for row in (ann, match):
        address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
        assert signed_in(staff(f"op{row._meta.model_name}", roles.OPERATOR)).get(address).status_code == 403
    assert not AuditEntry.objects.exists()


def test_reports_stand_on_both_pages_but_nobody_learns_who_reported_himself(ann: Any, bob: Any) -> None:
    low = junior()
    match = opened(ann, low)
    reports.report(bob, ann, "cheating", "They talk to each other.", match=match)
    reports.report(ann, low, "abuse", "Shouts.", match=match)

    assert "about ann, by bob" in words_of(page(senior("s1"), match))
    assert "about this player, by bob" in words_of(page(low, ann))
    assert "about ann, by bob" in words_of(page(low, bob))
    assert "by ann" not in words_of(page(low, low)) + words_of(page(low, match)) + words_of(page(low, ann))
    assert "about junior, by ann" in words_of(page(senior("s2"), match))


# --- linking accounts


def test_linked_accounts_are_told_reach_over_a_third_and_are_taken_back(ann: Any, bob: Any, cat: Any, mod: Any) -> None:
    linking.link(mod, bob, "ann", reason="Same.")
    entry = linking.link(mod, bob, "Cat", reason="Same.")
    assert linking.linked(ann) == {bob.pk, cat.pk}
    told = words.sentences(Notice.objects.filter(kind="sanctioned", user=cat))
    assert told == ["A moderator holds your account and that of bob for those of one person"]
    with pytest.raises(Refusal, match="linked already"):
        linking.link(mod, ann, "bob", reason="Same.")
    linking.unlink(mod, entry, "They are sisters.")
    assert linking.linked(ann) == {bob.pk}
    assert AccountLink.objects.count() == 2
    with pytest.raises(Refusal):
        linking.unlink(mod, entry, "Again.")


@pytest.mark.parametrize("name", ["nobody", "ann", " ", "mod"])
def test_an_account_is_linked_with_another_players_only(ann: Any, mod: Any, name: str) -> None:
    answer = signed_in(senior()).post(
        reverse("admin:accounts_user_do", args=[ann.pk, "link_accounts"]), {"name": name, "reason": "Same."}
    )
    assert answer.status_code == 400
    assert not AccountLink.objects.exists()


def test_nobody_links_the_account_of_a_friend(ann: Any, bob: Any) -> None:
    by = senior()
    people.befriend(by, bob)
    people.befriend(bob, by)
    answer = signed_in(by).post(
        reverse("admin:accounts_user_do", args=[ann.pk, "link_accounts"]), {"name": "bob", "reason": "Same."}
    )
    assert "friend of yours" in answer.content.decode()
    assert not AccountLink.objects.exists()


def test_a_senior_reads_the_audit_log_but_for_what_others_have_done_about_himself(ann: Any) -> None:
    one, other = senior(), senior("other")
    audit.enter(other, "warn", reason="Shouted at the table.", user=one)
    audit.enter(one, "saw_user", reason="Looked at myself.", user=one)
    audit.enter(other, "warn", reason="Was rude.", user=ann)
    log = reverse("admin:accounts_auditentry_changelist")
    mine, theirs = (signed_in(by).get(log).content.decode() for by in (one, other))
    assert "Was rude." in mine and "Looked at myself." in mine and "Shouted at the table." not in mine
    assert "Shouted at the table." in theirs


# --- how much they cost


def test_the_pages_of_a_busy_match_and_user_are_cheap(ann: Any, bob: Any, mod: Any) -> None:
    match = deals_played(ann, bob, ended=3)
    for n in range(25):
        opened(ann, bob) if n % 5 == 0 else None
        audit_row(mod, ann, match)
    sanctions.impose(mod, ann, "mute", ground="abuse", reason="Shouted.")
    for by in (mod, senior()):
        browser = signed_in(by)
        for row in (match, ann):
            name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
            with CaptureQueriesContext(connection) as made:
                assert browser.get(reverse(name, args=[row.pk])).status_code == 200
            asked = [one["sql"][:150] for one in made if "SAVEPOINT" not in one["sql"]]
            assert len(asked) <= MOST, asked


def audit_row(by: Any, user: Any, match: Match) -> None:
    audit.enter(by, "warn", reason="Shouted.", user=user)
    audit.enter(by, "give_time", reason="Slow train.", target=match)
