"""What sanctions bar at matches, at every door; what a ban does to running matches; who is told how."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import appeals, renaming, sanctions
from accounts.models import Sanction, User
from games import absence, counting, inviting, lobby, people, play, substitutes, talk, together
from games.api import tokens
from games.models import BenchPlace, Match, Notice, Seat
from games.notices import mail as letters
from games.notices import work
from games.seats import Refusal

from .playing import CUT, opened, play_on, seat_of
from .sitting import ended
from .wires import cookie_of, knock, shut, socket, story

pytestmark = [pytest.mark.django_db, pytest.mark.pg]
HOUR = timedelta(hours=1)


def impose(by: Any, user: Any, kind: str, **more: Any) -> Sanction:
    if kind == "suspended":
        more.setdefault("until", timezone.now() + timedelta(days=3))
    entry = sanctions.impose(by, user, kind, ground="abuse", reason="Shouted.", **more)
    user.refresh_from_db()
    return Sanction.objects.get(pk=entry.target_id)


def signed_in(user: Any) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_who_is_muted_says_nothing_and_plays_on(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob)
    impose(mod, ann, "mute", until=timezone.now() + HOUR)

    answer = signed_in(ann).post(reverse("games:talk", args=[match.pk]), {"phrase": "hello"})

    assert answer.status_code == 422
    assert "You may not chat until" in answer.content.decode()
    assert signed_in(ann).get(reverse("games:match", args=[match.pk])).status_code == 200
    assert talk.say(match.pk, bob, phrase="hello")
    with time_machine.travel(timezone.now() + 2 * HOUR, tick=False):
        assert talk.say(match.pk, ann, phrase="hello")  # it has ended by itself


def test_who_is_barred_from_rated_play_sits_at_no_rated_match(ann: Any, bob: Any, cat: Any, mod: Any) -> None:
    over = ended(ann, bob, rated=True)
    mine = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", cut=CUT, rated=True)
    running = opened(ann, cat, rated=True)
    impose(mod, ann, "unrated")
    mine.refresh_from_db()
    assert mine.status == Match.Status.CANCELLED
    assert Match.objects.get(pk=running.pk).status == Match.Status.RUNNING

    theirs = lobby.open_match(bob, "basic-rummy", seats=["open"], pace="1d", cut=CUT, rated=True)
    asked = lobby.open_match(bob, "basic-rummy", seats=["@ann"], pace="1d", cut=CUT, rated=True)
    for act in (
        lambda: lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", cut=CUT, rated=True),
        lambda: lobby.join(theirs.pk, ann, CUT),
        lambda: inviting.answer(asked.pk, ann, yes=True, cut=CUT),
        lambda: lobby.rematch(over.pk, ann),
        lambda: together.rematch(over.pk, ann, 2),
    ):
        with pytest.raises(Refusal, match="may not play rated matches"):
            act()
    assert lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", cut=CUT)


def test_who_may_not_open_joins_others_and_plays_with_bots(ann: Any, bob: Any, cat: Any, mod: Any) -> None:
    over = ended(ann, bob)
    alone = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", cut=CUT, standing=2)
    shared = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", cut=CUT)
    lobby.join(shared.pk, bob, CUT)
    impose(mod, ann, "no_opening")
    assert Match.objects.get(pk=alone.pk).status == Match.Status.CANCELLED
    assert Match.objects.get(pk=shared.pk).status == Match.Status.OPEN

    for seats in (["open"], ["@cat"]):
        with pytest.raises(Refusal, match="may not open matches"):
            lobby.open_match(ann, "basic-rummy", seats=seats, pace="1d", cut=CUT)
    with pytest.raises(Refusal, match="may not open matches"):
        lobby.rematch(over.pk, ann)
    friend = signed_in(ann).post(reverse("games:play_friend"))
    assert friend.status_code == 409
    theirs = lobby.open_match(cat, "basic-rummy", seats=["open"], pace="1d", cut=CUT)
    assert lobby.join(theirs.pk, ann, CUT)
    assert lobby.open_match(ann, "basic-rummy", seats=["easy"], pace="none", cut=CUT)


def test_who_was_asked_by_one_who_may_not_open_cannot_start_it_by_saying_yes(ann: Any, bob: Any, mod: Any) -> None:
    asked = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d", cut=CUT)
    impose(mod, ann, "no_opening")
    assert Match.objects.get(pk=asked.pk).status == Match.Status.CANCELLED
    with pytest.raises((Refusal, Match.DoesNotExist)):
        inviting.answer(asked.pk, bob, yes=True, cut=CUT)


@pytest.mark.parametrize("kind", ["suspended", "banned"])
def test_who_is_shut_out_is_let_in_at_no_door(ann: Any, bob: Any, mod: Any, kind: str) -> None:
    over = ended(ann, bob)
    theirs = lobby.open_match(bob, "basic-rummy", seats=["open"], pace="1d", cut=CUT)
    impose(mod, ann, kind)
    for act in (
        lambda: lobby.open_match(ann, "basic-rummy", seats=["easy"], pace="none", cut=CUT),
        lambda: lobby.join(theirs.pk, ann, CUT),
        lambda: lobby.rematch(over.pk, ann),
    ):
        with pytest.raises(Refusal, match="Your account is"):
            act()
    for asking in (
        lambda: lobby.open_match(bob, "basic-rummy", seats=["@ann"], pace="1d", cut=CUT),
        lambda: lobby.rematch(over.pk, bob),
    ):
        with pytest.raises(Refusal, match="cannot be asked"):
            asking()


def test_a_ban_ends_a_match_for_two_and_the_other_has_won(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob, target=500)
    while match.deal_number < 2:
        play_on(match, turns=1)
    impose(mod, ann, "banned")
    match.refresh_from_db()
    assert match.status == Match.Status.OVER
    assert Seat.objects.get(match=match, user=ann).gone == Seat.Gone.GIVEN_UP
    how = {one.user_id: one.how for one in counting.standings(match, list(match.seats.all()))}
    assert how == {ann.pk: "given_up", bob.pk: "won"}
    assert Notice.objects.filter(user=bob, match=match).exists()


@pytest.mark.parametrize("kind", ["suspended", "banned"])
def test_a_larger_match_goes_on_with_a_bot(ann: Any, bob: Any, cat: Any, mod: Any, kind: str) -> None:
    match = opened(ann, bob, cat)
    sanction = impose(mod, ann, kind)
    seat = seat_of(match, ann)
    assert Match.objects.get(pk=match.pk).status == Match.Status.RUNNING
    assert (seat.driver, seat.driven_by_id) == (Seat.Driver.BOT, None)
    play.drive(match.pk)

    sanctions.lift(mod, sanction, reason="It was a mistake.")
    assert absence.take_back(match.pk, User.objects.get(pk=ann.pk))
    assert seat_of(match, ann).driven_by_id == ann.pk


def test_a_suspension_leaves_a_match_for_two_to_its_clock(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob)
    impose(mod, ann, "suspended")
    assert Match.objects.get(pk=match.pk).status == Match.Status.RUNNING
    assert seat_of(match, ann).driven_by_id == ann.pk


def test_what_has_not_begun_is_given_back(ann: Any, bob: Any, cat: Any, mod: Any) -> None:
    mine = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", cut=CUT)
    lobby.join(mine.pk, bob, CUT)
    asked = lobby.open_match(cat, "basic-rummy", seats=["@ann", "open"], pace="1d", cut=CUT)
    offer = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", cut=CUT, standing=3)
    impose(mod, ann, "banned")
    mine.refresh_from_db()
    assert (mine.status, mine.opener) == (Match.Status.OPEN, bob)
    assert Match.objects.get(pk=offer.pk).status == Match.Status.CANCELLED
    assert not Seat.objects.filter(user=ann, match__in=[mine, asked]).exists()


def test_the_bench_asks_nobody_who_is_shut_out(ann: Any, bob: Any, cat: Any, mod: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(substitutes, "reliable", lambda turns: True)
    dora = User.objects.create(username="dora")
    BenchPlace.objects.create(user=dora, preset="basic-rummy", kind="correspondence")
    match = opened(ann, bob, cat)
    impose(mod, dora, "suspended")
    impose(mod, ann, "banned")
    assert not seat_of(match, ann).offers.exists()


def test_a_token_of_a_program_is_worth_nothing_meanwhile(ann: Any, mod: Any, client: Client) -> None:
    key = {"Authorization": f"Bearer {tokens.make(ann, 'mine', 'own')}"}
    address = reverse("api:me")
    assert client.get(address, headers=key).status_code == 200
    sanction = impose(mod, ann, "banned")
    assert client.get(address, headers=key).status_code == 401
    sanctions.lift(mod, sanction, reason="A mistake.")
    assert client.get(address, headers=key).status_code == 200


def test_a_guest_who_is_shut_out_moves_no_matches_to_an_account(ann: Any, bob: Any, mod: Any) -> None:
    from accounts.guests import make_guest

    guest = make_guest("en", "UTC")
    browser = signed_in(guest)
    session = browser.session
    session["guest_before"] = guest.pk
    session.save()
    impose(mod, guest, "banned")
    answer = browser.get(reverse("account_login"))
    assert answer.status_code == 302
    assert answer["Location"] == reverse("sanctions")


# --- who is told, and how


def test_a_ban_comes_by_letter_whatever_the_settings_say(ann: Any, mod: Any) -> None:
    from games.models import NoticeSettings

    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    off = {"sanctioned.email": "off", "sanctioned.page": "off", "sanctioned.push": "off"}
    NoticeSettings.objects.create(user=ann, matrix=off)
    impose(mod, ann, "mute")
    impose(mod, ann, "banned")
    with time_machine.travel(timezone.now() + HOUR, tick=False):
        work.once()
    [letter] = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert "Your account is banned." in letter.body
    assert "Insults, threats or spam." in letter.body
    assert letters.link(reverse("sanctions")) in letter.body


def test_who_is_banned_gets_no_other_letter(ann: Any, bob: Any, mod: Any) -> None:
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    opened(bob, ann)
    people.befriend(bob, ann)
    impose(mod, ann, "banned")
    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False):
        work.once()
    assert [letter.to for letter in mail.outbox] == [["ann@example.org"]]
    assert "Your account is banned." in mail.outbox[0].body
    assert "Your turn" not in mail.outbox[0].body


def test_each_step_is_told_on_the_site(ann: Any, mod: Any) -> None:
    first = impose(mod, ann, "mute")
    appeal = appeals.appeal(ann, first.pk, "I did not.")
    appeals.answer(mod, appeal, outcome="upheld", reason="You did.")
    sanctions.lift(mod, first, reason="Long enough.")
    renaming.rename(mod, ann, "anna", ground="name", reason="Passes for another.")
    told = signed_in(User.objects.get(pk=ann.pk)).get(reverse("games:notices")).content.decode()
    for sentence in (
        "You may not chat. Insults, threats or spam.",
        "the decision stays as it is",
        "Lifted by a moderator: You may not chat.",
        "you are called anna now",
    ):
        assert sentence in told
    assert reverse("sanctions") in told


def test_nothing_of_a_sanction_is_kept_when_its_transaction_fails(ann: Any, bob: Any, mod: Any) -> None:
    match = opened(ann, bob)
    with pytest.raises(RuntimeError), transaction.atomic():
        impose(mod, ann, "banned")
        raise RuntimeError
    assert Match.objects.get(pk=match.pk).status == Match.Status.RUNNING
    assert not Sanction.objects.exists()
    assert User.objects.get(pk=ann.pk).barred_until is None


def test_a_row_that_was_loaded_before_does_not_lift_a_ban(ann: Any, mod: Any) -> None:
    before = User.objects.get(pk=ann.pk)
    impose(mod, ann, "banned")
    before.display_name = "Ann"
    before.save()
    now = User.objects.get(pk=ann.pk)
    assert now.is_barred
    assert now.display_name == "Ann"


# --- sockets


@pytest.mark.django_db(transaction=True)
def test_sockets_close_at_once_and_stay_closed(ann: Any, bob: Any, mod: Any) -> None:
    match, cookie = opened(ann, bob), cookie_of(ann)
    mine = socket(f"/ws/match/{match.pk}/", cookie=cookie)

    async def told() -> str:
        assert await mine.connect() is None
        await sync_to_async(impose)(mod, ann, "suspended")
        how = await shut(mine)
        await mine.disconnect()
        return how

    assert story(told) == "closed 4401"
    assert not knock("/ws/", cookie=cookie)
