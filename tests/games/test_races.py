"""Races: two acts at the same moment have exactly one winner, and the tape stays whole.

The default sizes keep the suite quick; --full runs 10,000 races. They run on SQLite and on PostgreSQL.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games import absence, inviting, lobby, play, standing, sweep, tables
from games.models import Match, Move, Seat, SeatOffer
from games.pen import running
from games.rules.actions import Discard, DrawStock, TakeDiscard
from games.rules.errors import Refused
from games.writing import writing

from .playing import CUT, do, legal, mover, opened, seat_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

QUICK, FULL = 12, 2000


@pytest.fixture
def races(full):
    return FULL if full else QUICK


def at_once(*acts: Callable[[], Any]) -> list[str]:
    """Do all acts in threads that start together; per act "won" or why it was refused."""
    barrier = threading.Barrier(len(acts))
    results = ["?"] * len(acts)

    def run(i: int, act: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            act()
            results[i] = "won"
        except (play.Stale, Refused, lobby.Refusal, Match.DoesNotExist) as refused:
            results[i] = str(refused) or "refused"
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(i, act)) for i, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def tape_is_whole(match: Match) -> None:
    match.refresh_from_db()
    numbers = list(Move.objects.filter(match=match).order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, match.moves + 1))


def submitting(match: Match, seat: int, action: Any) -> Callable[[], None]:
    version = match.version
    return lambda: play.submit(match.pk, seat, [action], by=Move.By.USER, seen=version)


def ready_to_draw(match: Match, users: Sequence[Any]) -> tuple[Match, Any]:
    """The match, or a new one when it is over, with a person about to draw."""
    if match.status != "running":
        match = opened(*users, target=10000)
    user = mover(match)
    while user is None:
        match = opened(*users, target=10000)
        user = mover(match)
    return match, user


def finish_turn(match: Match, user: Any) -> None:
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))


def test_of_two_equal_draws_one_is_played(ann, bob, races):
    match = opened(ann, bob, target=10000)
    for _race in range(races):
        match, user = ready_to_draw(match, (ann, bob))
        draw = submitting(match, seat_of(match, user).index, DrawStock())
        assert sorted(at_once(draw, draw)) == ["stale", "won"]
        tape_is_whole(match)
        finish_turn(match, user)


def test_of_two_different_draws_in_two_tabs_one_is_played(ann, bob, races):
    match = opened(ann, bob, target=10000)
    for _race in range(races):
        match, user = ready_to_draw(match, (ann, bob))
        seat = seat_of(match, user).index
        results = at_once(submitting(match, seat, DrawStock()), submitting(match, seat, TakeDiscard()))
        assert sorted(results) == ["stale", "won"]
        tape_is_whole(match)
        finish_turn(match, user)


def test_of_two_discards_in_two_tabs_one_is_played(ann, bob, races):
    match = opened(ann, bob, target=10000)
    for _race in range(races):
        match, user = ready_to_draw(match, (ann, bob))
        do(match, user, DrawStock())
        seat = seat_of(match, user).index
        throws = [a for a in legal(match, user) if isinstance(a, Discard)]
        results = at_once(submitting(match, seat, throws[0]), submitting(match, seat, throws[1]))
        assert sorted(results) == ["stale", "won"]
        tape_is_whole(match)


def test_of_a_draw_and_the_clock_one_plays_the_turn(ann, bob, races):
    match = opened(ann, bob, target=10000)
    for _race in range(races):
        match, user = ready_to_draw(match, (ann, bob))
        seat, moves = seat_of(match, user).index, match.moves
        Seat.objects.filter(match=match).update(missed=0, missed_since=None)
        due = timezone.now() - timedelta(hours=1)
        Match.objects.filter(pk=match.pk).update(due_at=due, wake_at=due)
        results = at_once(submitting(match, seat, DrawStock()), sweep.sweep, sweep.sweep)
        assert results[0] in ("late", "stale"), "a late move never counts"
        tape_is_whole(match)
        played = Move.objects.filter(match=match, number__gt=moves, seat=seat)
        assert played.filter(action__type="draw_stock").count() == 1
        assert set(played.values_list("by", flat=True)) == {"clock"}
        assert Seat.objects.get(match=match, index=seat).missed == 1


def test_a_resignation_and_a_move_end_the_match_once(ann, bob, races):
    for _race in range(races):
        match = opened(ann, bob, target=10000)
        user = mover(match)
        seat = seat_of(match, user).index
        results = at_once(submitting(match, seat, DrawStock()), lambda m=match, s=seat: play.resign(m.pk, 1 - s))
        assert results[1] == "won"
        assert results[0] in ("won", "over")
        tape_is_whole(match)
        assert (match.status, match.ending, match.winners) == ("over", "abandoned", [])
        assert match.deals.filter(ended_at__isnull=True).count() == 0


def seat_with_a_bot(ann, bob, cat):
    """A match of three in which ann has lost her seat, and her seat."""
    match = opened(ann, bob, cat, hand_size=12, target=10000)
    with writing():
        pen = running(match.pk, timezone.now())
        pen.give_up(pen.seats[0], "given_up", Move.By.CLOCK)
        pen.close()
    return match, seat_of(match, ann)


def offered(seat, user):
    now = timezone.now()
    return SeatOffer.objects.create(seat=seat, user=user, at=now, until=now + timedelta(hours=1)).pk


def test_two_substitutes_racing_for_a_seat_get_one_seat_and_one_sentence(ann, bob, cat, mod, django_user_model):
    dan = django_user_model.objects.create(username="dan")
    for _race in range(4):
        match, seat = seat_with_a_bot(ann, bob, cat)
        his, theirs = offered(seat, dan), offered(seat, mod)
        results = at_once(lambda o=his: absence.accept(o, dan), lambda o=theirs: absence.accept(o, mod))
        assert sorted(result == "won" for result in results) == [False, True]
        tape_is_whole(match)
        assert match.tape.filter(action__type="taken_over").count() == 1
        assert seat.tenures.filter(to_move=None).count() == 1


def test_taking_back_races_with_a_substitute_and_with_the_bot(ann, bob, cat, mod):
    for race in range(6):
        match, seat = seat_with_a_bot(ann, bob, cat)
        while match.turn != seat.index:  # the bot is about to move, or has the table before its eyes
            match.refresh_from_db()
            user = match.seats.get(index=match.turn).user
            do(match, user, DrawStock())
            finish_turn(match, user)
        offer = offered(seat, mod)
        rival = (lambda o=offer: absence.accept(o, mod)) if race % 2 else (lambda m=match: play.drive(m.pk))
        results = at_once(lambda m=match: absence.take_back(m.pk, ann), rival)
        assert results[0] == "won"
        tape_is_whole(match)
        seat.refresh_from_db()
        assert seat.driven_by in (ann, mod) and (seat.driven_by == ann or seat.wants_back)
        assert seat.tenures.filter(to_move=None).count() == 1
        assert not match.tape.filter(by="bot", number__gt=seat.tenures.last().from_move).exists()


def test_two_people_racing_for_the_last_seat_get_one_seat_and_one_sentence(ann, bob, cat, full):
    for _race in range(50 if full else 5):
        match = lobby.open_match(ann, "android-rummy", seats=["open"], pace="1d")
        results = at_once(lambda m=match: lobby.join(m.pk, bob, CUT), lambda m=match: lobby.join(m.pk, cat, CUT))
        assert sorted(result == "won" for result in results) == [False, True]
        match.refresh_from_db()
        assert match.status == "running"
        assert match.seats.filter(user__in=[bob, cat]).count() == 1


def test_one_person_joining_twice_at_once_sits_once(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")

    results = at_once(*[lambda: lobby.join(match.pk, bob, CUT)] * 2)

    assert sorted(result == "won" for result in results) == [False, True]
    assert Seat.objects.filter(match=match, user=bob).count() == 1


@pytest.fixture
def rooms(full):
    """How often each race of the waiting room is run."""
    return 200 if full else 6


def test_a_removal_and_the_start_have_one_order(ann, bob, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
        lobby.join(match.pk, bob, CUT)
        results = at_once(lambda m=match: lobby.remove(m.pk, ann, 1), lambda m=match: lobby.start(m.pk, ann))
        match.refresh_from_db()
        assert (results[1], match.status) == ("won", "running")
        assert match.seats.filter(user=bob).exists() == (results[0] != "won")
        assert match.absences.filter(user=bob).exists() == (results[0] == "won")
        assert match.seats.filter(driver="bot").count() == (2 if results[0] == "won" else 1)


def test_of_a_removal_and_another_joining_none_gets_the_wrong_seat(ann, bob, cat, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open"] * 3, pace="1d")
        lobby.join(match.pk, bob, CUT)
        results = at_once(lambda m=match: lobby.remove(m.pk, ann, 1), lambda m=match: lobby.join(m.pk, cat, CUT))
        assert results == ["won", "won"]
        assert not match.seats.filter(user=bob).exists()
        assert match.seats.filter(user=cat, driver="user").count() == 1


def test_a_removed_person_who_joins_again_at_once_stays_away(ann, bob, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open"] * 2, pace="1d")
        lobby.join(match.pk, bob, CUT)
        at_once(lambda m=match: lobby.remove(m.pk, ann, 1), lambda m=match: lobby.join(m.pk, bob, CUT))
        assert not match.seats.filter(user=bob).exists()


def test_a_link_seats_somebody_before_it_is_revoked_or_not_at_all(ann, bob, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open"] * 2, pace="1d", private=True)
        old = match.token
        results = at_once(
            lambda m=match: inviting.new_link(m.pk, ann), lambda m=match: lobby.join(m.pk, bob, CUT, m.token)
        )
        match.refresh_from_db()
        assert results[0] == "won"
        assert match.token != old
        assert match.seats.filter(user=bob).exists() == (results[1] == "won")


def test_the_start_waits_for_an_invitation_or_the_invitation_comes_too_late(ann, bob, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
        results = at_once(lambda m=match: inviting.invite(m.pk, ann, "bob"), lambda m=match: lobby.start(m.pk, ann))
        match.refresh_from_db()
        assert sorted(result == "won" for result in results) == [False, True]
        assert match.status == ("open" if results[0] == "won" else "running")
        assert match.seats.filter(driver="invited").exists() == (results[0] == "won")


def test_an_answer_and_its_being_taken_back_have_one_winner(ann, bob, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d")
        results = at_once(
            lambda m=match: inviting.take_back(m.pk, ann, 1),
            lambda m=match: inviting.answer(m.pk, bob, yes=True, cut=CUT),
        )
        assert sorted(result == "won" for result in results) == [False, True]
        match.refresh_from_db()
        assert match.status == ("open" if results[0] == "won" else "running")


def test_two_people_racing_for_an_offer_that_stays_make_one_match_and_one_next_offer(ann, bob, cat, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", standing=5)
        results = at_once(lambda m=match: lobby.join(m.pk, bob, CUT), lambda m=match: lobby.join(m.pk, cat, CUT))
        assert sorted(result == "won" for result in results) == [False, True]
        series = Match.objects.filter(series=match)
        assert sorted(series.values_list("status", flat=True)) == ["open", "running"]


def test_an_offer_is_withdrawn_before_it_is_taken_or_after_and_leaves_nothing_waiting_unasked(ann, bob, rooms):
    for _race in range(rooms):
        match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", standing=5)
        results = at_once(lambda m=match: standing.withdraw(m.pk, ann), lambda m=match: lobby.join(m.pk, bob, CUT))
        assert sorted(result == "won" for result in results) == [False, True]
        open_ones = Match.objects.filter(series=match, status="open").count()
        assert open_ones == (0 if results[0] == "won" else 1)


def test_two_sweeps_at_once_play_each_due_turn_once(ann, bob):
    match = opened(ann, bob, bots=2)
    due = timezone.now() - timedelta(days=9)
    Match.objects.filter(pk=match.pk).update(wake_at=due)
    if match.due_at:
        Match.objects.filter(pk=match.pk).update(due_at=due)

    at_once(sweep.sweep, sweep.sweep, sweep.sweep)

    tape_is_whole(match)
    board = tables.board(match, ann)
    assert board.view is not None
    assert board.view.turns == match.tape.filter(action__type__in=["draw_stock", "draw_discard"]).count()
