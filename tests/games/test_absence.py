"""Seats whose users are away: nudges, the bench, substitutes, coming back, and what such a match counts."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games import absence, agreements, lobby, orders, play, tables, talk
from games.models import BenchPlace, Match, Move, Notice, Seat, SeatOffer
from games.notices import words
from games.rules.actions import DrawStock
from games.rules.orders import Order

from .leaving import client, lose_seat, lost, take_turn_of, text
from .playing import mover, opened, take_turn

pytestmark = pytest.mark.django_db


def test_a_substitute_sees_the_public_state_first_then_plays_for_the_user(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    offer = SeatOffer.objects.get(user=dan)
    page = text(dan, f"/seats/{offer.pk}/")
    assert "ann has left the seat" in page and "bob" in page and "/cards.svg#" not in page.split("<main")[1]
    assert client(bob).get(f"/seats/{offer.pk}/").status_code == 404
    assert client(dan).post(f"/seats/{offer.pk}/", {"answer": "yes"}).status_code == 302

    seat.refresh_from_db()
    assert (seat.user, seat.driven_by, seat.driver) == (ann, dan, "user")
    assert tables.board(match, dan).hand and tables.board(match, dan).drives
    tenures = seat.tenures.order_by("from_move").values_list("driver", "user", "why")
    assert list(tenures) == [("user", ann.pk, "sat down"), ("bot", None, "given_up"), ("user", dan.pk, "taken_over")]
    table = text(bob, f"/matches/{match.pk}/")
    assert "A substitute has taken over the seat of ann." in table and "dan plays" in table
    while mover(match) != ann:
        take_turn(match, mover(match))
    match.refresh_from_db()
    assert list(tables.waiting_for(dan)) == [match] and not tables.waiting_for(ann).exists()
    assert Notice.objects.filter(kind="your_turn", user=dan, match=match).exists()
    play.submit(match.pk, None, [DrawStock()], by=Move.By.USER, driver=dan, seen=match.version, draft=0)
    assert client(ann).post(f"/matches/{match.pk}/act/", {"do": "draw_stock", "seen": "1.0"}).status_code == 404
    assert f"/matches/{match.pk}/" in text(dan, "/tables/")


def test_from_a_bot_the_seat_is_back_at_once_and_what_was_played_is_told(ann, bob, cat):
    match, seat = lost(ann, bob, cat)
    while not match.tape.filter(by="bot").exists():
        take_turn(match, mover(match))
        play.drive(match.pk)
    assert f"/matches/{match.pk}/away/" in text(ann, "/tables/")
    assert f"/matches/{match.pk}/away/" in text(ann, f"/matches/{match.pk}/")
    told = text(ann, f"/matches/{match.pk}/away/")
    assert "The clock d" in told and "The bot d" in told and "Take my seat back" in told
    assert client(bob).post(f"/matches/{match.pk}/seat-back/").status_code == 409
    assert client(ann).post(f"/matches/{match.pk}/seat-back/").status_code == 302
    seat.refresh_from_db()
    assert (seat.driven_by, seat.driver, seat.given_up_at, seat.gone, seat.missed) == (ann, "user", None, "", 0)
    assert told_back(bob) == told_back(cat) == ["ann is back in Basic rummy and plays again instead of the bot"]
    assert told_back(ann) == []
    assert "You are back and play your seat again." in text(ann, f"/matches/{match.pk}/")
    assert "ann is back and plays again." in text(bob, f"/matches/{match.pk}/")
    assert "The bot d" in text(ann, f"/matches/{match.pk}/away/")
    take_turn(match, mover(match))


def test_a_substitute_gives_the_seat_back_or_the_next_deal_does(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat, stock_recycle="none")
    offer = SeatOffer.objects.get(user=dan)
    absence.accept(offer.pk, dan)
    assert client(ann).post(f"/matches/{match.pk}/seat-back/").status_code == 302
    seat.refresh_from_db()
    assert seat.driven_by == dan and seat.wants_back, "not without his consent"
    assert "Give the seat back" in text(dan, f"/matches/{match.pk}/")
    play.resign(match.pk, seat.index, dan)
    seat.refresh_from_db()
    assert (seat.driven_by, seat.gone, seat.wants_back) == (ann, "", False)
    assert tables.board(match, dan).me is None

    lose_seat(match, ann)
    driving_again = SeatOffer.objects.create(
        seat=seat, user=dan, at=timezone.now(), until=timezone.now() + timedelta(1)
    )
    absence.accept(driving_again.pk, dan)
    absence.take_back(match.pk, ann)
    deal = match.deal_number
    while match.deal_number == deal:
        now = mover(match)
        take_turn_of(match, dan if now == ann else now)
    seat.refresh_from_db()
    assert seat.driven_by == ann
    assert told_back(ann) == [
        "Your substitute in Basic rummy has given your seat back to you",
        "A new deal of Basic rummy begins, and your seat is yours again",
    ]
    assert told_back(dan) == [
        "ann is back and asks you for the seat in Basic rummy",
        "ann is back and asks you for the seat in Basic rummy",
        "A new deal of Basic rummy begins, and ann has the seat again that you played. Thank you",
    ]
    assert told_back(bob) == [
        "ann is back in Basic rummy: the substitute has given the seat back",
        "ann is back in Basic rummy and plays again from this deal on",
    ]


def told_back(user):
    """The sentences in which somebody was told of a seat taken back."""
    return words.sentences(Notice.objects.filter(kind="seat_back", user=user).order_by("pk"))


def test_who_has_resigned_does_not_come_back(ann, bob, cat):
    match = opened(ann, bob, cat)
    play.resign(match.pk, 0, ann)
    with pytest.raises(lobby.Refusal, match="for good"):
        absence.take_back(match.pk, ann)


def test_an_offer_ends_by_time_by_no_and_by_the_user_who_is_back(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    offer = SeatOffer.objects.get(user=dan)
    with (
        time_machine.travel(offer.until + timedelta(minutes=1)),
        pytest.raises(lobby.Refusal, match="time to answer is over"),
    ):
        absence.accept(offer.pk, dan)
    assert client(dan).post(f"/seats/{offer.pk}/", {"answer": "no"}).status_code == 302
    with pytest.raises(lobby.Refusal, match="taken by now"):
        absence.accept(offer.pk, dan)
    SeatOffer.objects.filter(pk=offer.pk).update(answer="")
    absence.take_back(match.pk, ann)
    with pytest.raises(lobby.Refusal, match="taken by now"):
        absence.accept(offer.pk, dan)


def test_the_hand_is_for_the_driver_and_for_the_user_until_the_deal_ends(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat, stock_recycle="none")
    absence.accept(SeatOffer.objects.get(user=dan).pk, dan)
    assert tables.board(match, ann).hand and not tables.board(match, ann).drives
    assert tables.board(match, dan).hand == tables.board(match, ann).hand
    play.resign(match.pk, seat.index, dan)
    match.refresh_from_db()
    assert not tables.board(match, dan).hand, "a former substitute sees nothing"
    assert tables.board(match, ann).hand
    deal = match.deal_number
    while match.deal_number == deal:
        take_turn(match, mover(match))
    assert not tables.board(Match.objects.get(pk=match.pk), ann).hand, "another deal is not hers"


def test_a_substitute_has_what_every_driver_has(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    absence.accept(SeatOffer.objects.get(user=dan).pk, dan)
    mover(match)
    hand = tables.board(match, dan).hand
    orders.give(match.pk, dan, Order(end="named", cards=hand[:1]), match.version)
    assert tables.board(Match.objects.get(pk=match.pk), dan).order is not None
    with pytest.raises(Seat.DoesNotExist):
        orders.give(match.pk, ann, Order(end="named", cards=hand[:1]), match.version)
    assert "Mute this match" in text(dan, f"/matches/{match.pk}/notices/")
    talk.say(match.pk, bob, phrase="hello")
    assert Match.objects.annotate(n=talk.unheard(dan)).get(pk=match.pk).n == 1
    assert Match.objects.annotate(n=talk.unheard(ann)).get(pk=match.pk).n == 1


def test_who_has_seen_one_hand_of_a_table_gets_no_other_one_to_see(ann, bob, cat, dan, mod, trusted, django_user_model):
    eve = django_user_model.objects.create(username="eve")
    match = opened(ann, bob, cat, mod, hand_size=10, target=10_000)
    first = lose_seat(match, ann)
    absence.accept(first.offers.get(user=dan).pk, dan)
    play.resign(match.pk, first.index, dan)
    BenchPlace.objects.create(user=eve, preset="basic-rummy", kind="correspondence")
    second = lose_seat(match, bob)
    assert [offer.user for offer in second.offers.all()] == [eve]
    stray = SeatOffer.objects.create(seat=second, user=dan, at=timezone.now(), until=timezone.now() + timedelta(1))
    with pytest.raises(lobby.Refusal, match="know"):
        absence.accept(stray.pk, dan)


def test_what_is_proposed_ends_when_another_sits_down(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    agreements.propose(match.pk, bob, "pause")
    absence.accept(SeatOffer.objects.get(user=dan).pk, dan)
    agreements.propose(match.pk, bob, "pause")
    agreements.answer(match.pk, dan, yes=True)
    play.resign(match.pk, seat.index, dan)
    with pytest.raises(lobby.Refusal, match="no proposal"):
        agreements.answer(match.pk, cat, yes=True)
