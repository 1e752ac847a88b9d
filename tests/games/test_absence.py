"""Seats whose users are away: nudges, the bench, substitutes, coming back, and what such a match counts."""

from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games import absence, agreements, counting, drafts, lobby, orders, play, substitutes, tables, talk, tape
from games.models import BenchPlace, Match, Move, Notice, Seat, SeatOffer
from games.rules.actions import Discard, DrawStock
from games.rules.orders import Order

from .playing import mover, opened, seat_of, take_turn

pytestmark = pytest.mark.django_db
NOON = "2026-11-30T12:00:00+00:00"


@pytest.fixture
def dan(django_user_model):
    user = django_user_model.objects.create(username="dan")
    BenchPlace.objects.create(user=user, preset="basic-rummy", kind="correspondence")
    return user


@pytest.fixture
def trusted(monkeypatch):
    monkeypatch.setattr(substitutes, "last_turns", lambda user: ["user"] * 20)


def client(user):
    one = Client()
    one.force_login(user)
    return one


def past_due(match):
    Match.objects.filter(pk=match.pk).update(due_at=timezone.now() - timedelta(hours=1), wake_at=timezone.now())
    play.drive(match.pk)
    match.refresh_from_db()


def lose_seat(match, user):
    """The clock plays for the user until the seat is lost; the others take their turns."""
    for _turn in range(12):
        now = mover(match)
        if Seat.objects.get(match=match, user=user).given_up_at is not None:
            return seat_of(match, user)
        past_due(match) if now == user else take_turn(match, now)
    raise AssertionError("the seat was not lost")


def lost(ann, bob, cat, **chosen):
    match = opened(ann, bob, cat, hand_size=12, target=10_000, **chosen)
    return match, lose_seat(match, ann)


def text(user, path):
    answer = client(user).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


# --- nudging ----------------------------------------------------------------------------------------------------------


def test_the_one_to_move_is_nudged_once_a_turn_and_not_too_early(ann, bob, cat):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob)
        awaited = mover(match)
        other = bob if awaited == ann else ann
        path = f"/matches/{match.pk}/"
        assert 'form="nudge"' not in text(other, path)
        early = client(other).post(path + "nudge/")
        assert early.status_code == 409 and "Leave a little more time" in early.content.decode()
        clock.shift(timedelta(hours=12, minutes=1))
        due = Match.objects.get(pk=match.pk).due_at
        assert 'form="nudge"' in text(other, path) and "has not looked at this table yet" in text(other, path)
        assert client(cat).post(path + "nudge/").status_code == 404
        assert client(awaited).post(path + "nudge/").status_code == 409
        assert client(other).post(path + "nudge/").status_code == 302
        again = client(other).post(path + "nudge/")
        assert again.status_code == 409 and "nudged already" in again.content.decode()
        assert 'form="nudge"' not in text(other, path) and "You nudged the player to move." in text(other, path)
        assert [(n.user, n.kind) for n in Notice.objects.filter(kind="nudged")] == [(awaited, "nudged")]
        assert Match.objects.get(pk=match.pk).due_at == due, "a nudge is no time"


def test_when_the_one_to_move_was_here_last_is_told_in_days(ann, bob):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob, pace="14d")
        awaited = mover(match)
        other = bob if awaited == ann else ann
        text(awaited, f"/matches/{match.pk}/")
        assert f"{awaited} has looked at this table today." in text(other, f"/matches/{match.pk}/")
        clock.shift(timedelta(days=3))
        assert f"{awaited} has not been at this table for 3 days." in text(other, f"/matches/{match.pk}/")


# --- the bench --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made_by", "may"),
    [
        (["user"] * 20, True),
        (["user"] * 10, True),
        (["user"] * 9, False),
        (["clock"] + ["user"] * 19, True),
        (["clock", "clock"] + ["user"] * 18, False),
        (["user"] * 20 + ["clock"] * 9, True),
        ([], False),
    ],
)
def test_reliable_is_who_missed_at_most_one_of_the_last_twenty_turns(made_by, may):
    assert substitutes.reliable(made_by) is may


def test_the_last_turns_of_a_user_are_his_own_and_those_of_the_clock_for_him(ann, bob, cat):
    match, _seat = lost(ann, bob, cat)
    play.drive(match.pk)
    assert substitutes.last_turns(ann)[:2] == ["clock", "clock"] and "bot" not in substitutes.last_turns(ann)
    assert set(substitutes.last_turns(bob)) == {"user"}


def test_only_those_are_asked_who_like_to_may_and_are_reliable(ann, bob, cat, dan, monkeypatch, django_user_model):
    def bench(name, **more):
        user = django_user_model.objects.create(username=name, **more)
        BenchPlace.objects.create(user=user, preset="basic-rummy", kind="correspondence")
        return user

    bench("guest77", is_guest=True), bench("gone", is_active=False)
    late = bench("late")
    live = django_user_model.objects.create(username="live")
    BenchPlace.objects.create(user=live, preset="basic-rummy", kind="live")
    BenchPlace.objects.create(user=bob, preset="basic-rummy", kind="correspondence")
    monkeypatch.setattr(substitutes, "last_turns", lambda user: ["clock" if user == late else "user"] * 20)
    match, seat = lost(ann, bob, cat)

    assert [offer.user for offer in seat.offers.all()] == [dan]
    assert seat.driver == "bot", "a bot drives meanwhile"
    assert Notice.objects.filter(kind="seat_offered", user=dan, match=match).count() == 1


def test_the_bench_is_a_page_that_the_settings_lead_to(ann):
    assert "/seats/" in text(ann, "/accounts/settings/")
    assert (
        client(ann).post("/seats/", {"presets": ["basic-rummy"], "kinds": ["live", "correspondence"]}).status_code
        == 302
    )
    assert BenchPlace.objects.filter(user=ann).count() == 2 and text(ann, "/seats/").count(" checked") == 3
    assert "Choose at least one game and one pace" in client(ann).post("/seats/", {"kinds": ["live"]}).content.decode()
    assert client(ann).post("/seats/", {}).status_code == 302 and not BenchPlace.objects.filter(user=ann).exists()


# --- taking over and coming back --------------------------------------------------------------------------------------


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
    assert "You are back and play your seat again." in text(ann, f"/matches/{match.pk}/")
    assert "ann is back and plays again." in text(bob, f"/matches/{match.pk}/")
    assert "The bot d" in text(ann, f"/matches/{match.pk}/away/")
    take_turn(match, mover(match))


def test_a_substitute_gives_the_seat_back_or_the_next_deal_does(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
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
    assert Notice.objects.filter(kind="seat_back", user=ann).exists()


def take_turn_of(match, user):
    """A plain turn of whoever drives the seat to move."""
    match.refresh_from_db()
    board = tables.board(match, user)
    if board.view is None or not board.my_turn:
        play.drive(match.pk)
        match.refresh_from_db()
        return
    for kind in (DrawStock, Discard):
        if match.status == "running" and match.turn == board.me:
            board = tables.board(match, user)
            action = next(a for a in board.view.legal if isinstance(a, kind))
            drafts.act(match.pk, match.seats.get(index=board.me), action, drafts.Seen.read(board.seen))
            match.refresh_from_db()
    play.drive(match.pk)
    match.refresh_from_db()


def test_who_has_resigned_does_not_come_back(ann, bob, cat):
    match = opened(ann, bob, cat)
    play.resign(match.pk, 0, ann)
    with pytest.raises(lobby.Refusal, match="for good"):
        absence.take_back(match.pk, ann)


def test_an_offer_ends_by_time_by_no_and_by_the_user_who_is_back(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    offer = SeatOffer.objects.get(user=dan)
    with time_machine.travel(offer.until + timedelta(minutes=1)), pytest.raises(lobby.Refusal, match="taken by now"):
        absence.accept(offer.pk, dan)
    assert client(dan).post(f"/seats/{offer.pk}/", {"answer": "no"}).status_code == 302
    with pytest.raises(lobby.Refusal, match="taken by now"):
        absence.accept(offer.pk, dan)
    SeatOffer.objects.filter(pk=offer.pk).update(answer="")
    absence.take_back(match.pk, ann)
    with pytest.raises(lobby.Refusal, match="taken by now"):
        absence.accept(offer.pk, dan)


def test_the_hand_is_for_the_driver_and_for_the_user_until_the_deal_ends(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
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


def test_nobody_is_nudged_while_a_match_rests(ann, bob):
    with time_machine.travel(NOON, tick=False) as clock:
        match = opened(ann, bob, pace="3d")
        awaited = mover(match)
        other = bob if awaited == ann else ann
        agreements.propose(match.pk, other, "pause")
        agreements.answer(match.pk, awaited, yes=True)
        clock.shift(timedelta(days=3))
        assert 'form="nudge"' not in text(other, f"/matches/{match.pk}/")
        with pytest.raises(lobby.Refusal, match="Nobody has to be nudged"):
            absence.nudge(match.pk, other)


# --- what it counts ---------------------------------------------------------------------------------------------------


def how(match):
    match.refresh_from_db()
    return [(s.user_id, s.how) for s in counting.standings(match, list(match.seats.order_by("index")))]


def test_a_match_broken_off_in_its_first_deal_counts_for_nobody(ann, bob):
    match = opened(ann, bob)
    play.resign(match.pk, 0)
    match.refresh_from_db()
    assert (match.ending, match.winners, how(match)) == ("abandoned", [], [])
    assert "it counts for nobody" in text(bob, f"/matches/{match.pk}/")
    assert "it counts for nobody" in text(bob, f"/matches/{match.pk}/sheet/")
    assert "it counts for nobody" in text(bob, "/tables/")


@pytest.mark.parametrize("way", ["resigned", "given_up"])
def test_later_the_user_who_left_has_lost_and_the_sheet_says_how(ann, bob, way):
    match = second_deal(ann, bob)
    if way == "resigned":
        play.resign(match.pk, 0)
    else:
        lose_seat(match, ann)
    assert how(match) == [(ann.pk, way), (bob.pk, "won")]
    words = {"resigned": "ann resigned.", "given_up": "ann missed too many turns and lost the seat."}[way]
    sheet = text(bob, f"/matches/{match.pk}/sheet/")
    assert words in sheet and "Who leaves a match has lost it" in sheet


def second_deal(*users, **chosen):
    match = opened(*users, hand_size=7 if len(users) == 2 else 6, target=10_000, **chosen)
    while match.deal_number < 2:
        take_turn(match, mover(match))
        mover(match)
    return match


def test_at_a_larger_table_the_seat_left_is_last_and_the_substitute_has_nothing(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    absence.accept(SeatOffer.objects.get(user=dan).pk, dan)
    Match.objects.filter(pk=match.pk).update(
        status="over", ending="played", winners=[1], turn=None, due_at=None, wake_at=None, ended_at=timezone.now()
    )
    assert how(match) == [(ann.pk, "given_up"), (bob.pk, "won"), (cat.pk, "lost")]
    assert "For a substitute the match does not count." in text(dan, f"/matches/{match.pk}/sheet/")


def test_a_match_with_bots_is_counted_apart(ann, bob):
    match = opened(ann, bob, bots=1)
    Match.objects.filter(pk=match.pk).update(
        status="over", ending="played", winners=[0, 1], turn=None, due_at=None, wake_at=None, ended_at=timezone.now()
    )
    match.refresh_from_db()
    told = counting.standings(match, list(match.seats.order_by("index")))
    assert [(s.user_id, s.how, s.with_bots) for s in told] == [(ann.pk, "shared", True), (bob.pk, "shared", True)]


# --- the tape ---------------------------------------------------------------------------------------------------------


def test_a_match_is_rebuilt_from_its_tape_with_all_who_came_and_went(ann, bob, cat, dan, trusted):
    match, seat = lost(ann, bob, cat)
    absence.accept(SeatOffer.objects.get(user=dan).pk, dan)
    play.resign(match.pk, seat.index, dan)
    absence.take_back(match.pk, ann)
    play.resign(match.pk, 1, bob)
    play.drive(match.pk)
    match.refresh_from_db()
    deal = tape.current_deal(match)
    known = tape.read(match, deal)
    again = tape.begin(match, deal, tape.cuts_of(match))
    drivers = {s.index: s.user_id for s in match.seats.all()}
    for move in Move.objects.filter(deal=deal).order_by("number"):
        again = tape.follow(deal, again, move)
        what = move.action["type"]
        if what in ("resigned", "given_up", "left"):
            drivers[move.seat] = None
        elif what == "taken_over":
            drivers[move.seat] = move.action["user"]
        elif what == "taken_back":
            drivers[move.seat] = match.seats.get(index=move.seat).user_id
    assert replace(again, game=known.game) == known
    assert drivers == {s.index: s.driven_by_id for s in match.seats.all()} == {0: ann.pk, 1: None, 2: cat.pk}


# --- each list has it once (B35) --------------------------------------------------------------------------------------


def test_whatever_way_a_match_ends_it_is_in_the_right_list_exactly_once(ann, bob, cat, mod):
    cancelled = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    lobby.leave(cancelled.pk, ann)
    aborted = opened(ann, bob)
    play.resign(aborted.pk, 1)
    timed_out = second_deal(ann, bob)
    lose_seat(timed_out, bob)
    running = opened(ann, bob, cat)
    open_one = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    page, hall = text(ann, "/tables/"), text(cat, "/lobby/")
    finished = page[page.index("Finished") :]
    assert f"/matches/{cancelled.pk}/" not in page + hall, "nobody sits there any more"
    for match in (aborted, timed_out):
        path = f'href="/matches/{match.pk}/"'
        assert finished.count(path) == page.count(path) == 1
        assert f"/matches/{match.pk}/" not in hall
    assert f'href="/matches/{running.pk}/"' not in finished
    assert f"/matches/{open_one.pk}/" in hall and f"/matches/{running.pk}/" not in hall
    admin = client(mod)
    some_of = {"over": {aborted.pk, timed_out.pk}, "cancelled": {cancelled.pk}}
    some_of |= {"running": {running.pk}, "open": {open_one.pk}}
    for status, some in some_of.items():
        rows = admin.get(f"/admin/games/match/?status__exact={status}").context["cl"].result_list
        assert {row.pk for row in rows} == some
    ended = admin.get("/admin/games/match/?ending__exact=abandoned").context["cl"].result_list
    assert [row.pk for row in ended] == [aborted.pk]
