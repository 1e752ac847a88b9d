"""Seats and time in a moderator's hands; a whole story that is its tape; which list a match stands in (B33, B35)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games import absence, lists, lobby, play, tables
from games.models import Draft, Match, Notice, Seat, Tenure
from games.moderation import rulings, seating
from games.pen import running
from games.seats import Refusal
from games.writing import writing

from .playing import opened, seat_of, take_turn
from .ruling import WHY, deals_played, is_its_tape, nothing_to_correct, on, play_deal

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.fixture
def dan(db):
    return User.objects.create(username="dan")


def by_clock(match):
    """The deadline passes: the clock plays the turn."""
    Match.objects.filter(pk=match.pk).update(due_at=timezone.now() - timedelta(hours=1), wake_at=timezone.now())
    with writing():
        pen = running(match.pk, timezone.now())
        pen.idle()
        pen.close()
    return on(match)


def test_a_bot_plays_on_for_a_seat_until_a_moderator_gives_it_back(ann, bob, mod):
    match = opened(ann, bob, hand_size=3, target=10_000, turn_cap=12)
    seat = Seat.objects.get(match=match, index=on(match).turn)
    mover = seat.user
    Draft.objects.filter(seat=seat).update(sort="own")
    seating.let_bot_drive(match.pk, seat.index, by=mod, reason=WHY)
    is_its_tape(match)
    seat.refresh_from_db()
    assert (seat.driver, seat.driven_by, seat.gone) == ("bot", None, "replaced")
    on(match)
    assert match.status == "running" and match.turn != seat.index
    with pytest.raises(Refusal, match="A moderator"):
        absence.take_back(match.pk, mover)
    with pytest.raises(Refusal):
        seating.let_bot_drive(match.pk, seat.index, by=mod, reason=WHY)
    seating.give_back(match.pk, seat.index, by=mod, reason=WHY)
    seat.refresh_from_db()
    assert (seat.driver, seat.driven_by, seat.gone, seat.given_up_at) == ("user", mover, "", None)
    is_its_tape(match)
    assert [one.why for one in Tenure.objects.filter(seat=seat).order_by("pk")] == ["sat down", "replaced", "put_back"]
    told = Notice.objects.filter(kind="ruled", user=mover).order_by("pk").values_list("about", flat=True)
    assert list(told) == [{"what": "replaced", "seat": seat.index}, {"what": "put_back", "seat": seat.index}]
    with pytest.raises(Refusal):
        seating.give_back(match.pk, seat.index, by=mod, reason=WHY)


def test_who_was_replaced_has_lost_whatever_the_bot_makes_of_the_seat(ann, bob, mod):
    match = opened(ann, bob, hand_size=3, match_end="deals", deals=1, tie_break="shared", turn_cap=12)
    seating.let_bot_drive(match.pk, 0, by=mod, reason=WHY)
    play_deal(match)
    assert match.status == "over" and match.winners == [seat_of(match, bob).index]
    is_its_tape(match)
    nothing_to_correct()


def test_time_is_given_to_the_turn_or_into_the_bank_and_stays_until_it_is_used(ann, bob, mod):
    match = on(opened(ann, bob))
    due, other = match.due_at, 1 - match.turn
    seating.give_time(match.pk, match.turn, timedelta(hours=12), by=mod, reason=WHY)
    seating.give_time(match.pk, other, timedelta(days=1), by=mod, reason=WHY)
    match.refresh_from_db()
    assert match.due_at - due == timedelta(hours=12) and match.wake_at > match.due_at
    assert Seat.objects.get(match=match, index=other).bank == 86_400
    is_its_tape(match)
    with pytest.raises(Refusal):
        seating.give_time(match.pk, 0, timedelta(0), by=mod, reason=WHY)
    alone = on(opened(ann, bots=1, pace="none"))
    with pytest.raises(Refusal, match="no clock"):
        seating.give_time(alone.pk, 0, timedelta(hours=1), by=mod, reason=WHY)


def test_a_match_with_everything_in_it_is_made_anew_from_its_tape_at_every_step(ann, bob, cat, dan, mod):
    match = opened(ann, bob, cat, dan, hand_size=3, target=10_000, turn_cap=12)
    is_its_tape(on(match))
    play.resign(match.pk, seat_of(match, dan).index)
    is_its_tape(on(match))
    rulings.void_deal(match.pk, 1, by=mod, reason=WHY)
    is_its_tape(match)
    is_its_tape(on(match))
    with writing():
        pen = running(match.pk, timezone.now())
        pen.note(0, {"type": "vacation_began"}, "site")
        pen.close()
    is_its_tape(match)
    by_clock(match)
    is_its_tape(match)
    play_deal(match)
    is_its_tape(match)
    points = [5, 0, 0, 0]
    rulings.correct(match.pk, 2, points, by=mod, reason=WHY)
    is_its_tape(match)
    seating.let_bot_drive(match.pk, seat_of(match, bob).index, by=mod, reason=WHY)
    is_its_tape(on(match))
    rulings.abort(match.pk, by=mod, reason=WHY)
    is_its_tape(match)
    rulings.reopen_match(match.pk, by=mod, reason=WHY)
    is_its_tape(match)
    is_its_tape(play_deal(match))
    play.resign(match.pk, seat_of(match, ann).index)
    is_its_tape(on(match))
    play.resign(match.pk, seat_of(match, cat).index)
    match.refresh_from_db()
    assert match.status == "over"
    is_its_tape(match)
    nothing_to_correct()
    rulings.reopen_match(match.pk, by=mod, reason=WHY)
    is_its_tape(on(match))
    assert match.status == "running"
    nothing_to_correct()


def test_what_a_moderator_ends_stands_once_among_the_ended_at_once(client, ann, bob, mod):
    aborted, timed_out, voided, running_one = (opened(ann, bob, hand_size=3, target=10_000) for _n in range(4))
    rulings.abort(aborted.pk, by=mod, reason=WHY)
    by_clock(on(timed_out))
    while timed_out.status == "running":
        by_clock(timed_out)
    rulings.adjudicate(voided.pk, [0], by=mod, reason=WHY)
    cancelled = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", chosen={}, cut=("00" * 16, "browser"))
    lobby.leave(cancelled.pk, ann)
    gone = {aborted.pk, timed_out.pk, voided.pk}
    mine = lists.mine(ann)
    going = [row.pk for row in (*mine.await_me, *mine.waiting, *mine.open, *mine.sent)]
    assert going == [running_one.pk]
    assert sorted(row.pk for row in mine.ended) == sorted(gone)
    assert cancelled.pk not in {row.pk for row in mine.open}
    assert not set(tables.waiting_for(ann).values_list("pk", flat=True)) & gone
    client.force_login(ann)
    page = client.get("/tables/").content.decode()
    assert "Broken off by a moderator: it counts for nobody" in page
    rulings.reopen_match(aborted.pk, by=mod, reason=WHY)
    mine = lists.mine(ann)
    assert aborted.pk in {row.pk for row in (*mine.await_me, *mine.waiting)}
    assert aborted.pk not in {row.pk for row in mine.ended}


def test_what_was_shown_before_a_ruling_shows_no_card_of_the_deal_that_runs(ann, bob, mod):
    match = deals_played(ann, bob, ended=1)
    take_turn(match, on(match) and Seat.objects.get(match=match, index=match.turn).user)
    on(match)
    rulings.correct(match.pk, 1, [3, 0], by=mod, reason=WHY)
    seating.give_time(match.pk, match.turn, timedelta(hours=1), by=mod, reason=WHY)
    deal = match.deals.get(number=2)
    assert deal.ended_at is None and deal.record is None
    board = tables.board(Match.objects.get(pk=match.pk), mod)
    assert board.view is not None and board.view.hands == () and board.view.hand == () and board.hand == ()
    acts = match.tape.filter(by="moderator").values_list("action", flat=True)
    assert [set(act) <= {"type", "deal", "points", "to", "seconds"} for act in acts] == [True, True]
