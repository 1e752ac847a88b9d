"""The clock: deadlines in UTC, the sweep as the judge, absence, and ends that stay ends."""

import datetime as dt
import logging
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from games import drafts, lobby, nudge, play, sweep, tables
from games.models import Draft, Match, Move, Seat
from games.rules.actions import Discard, DrawStock, Meld

from .playing import do, legal, mover, opened, play_on, seat_of
from .sitting import ended

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

GRACE = {"1d": timedelta(seconds=60), "3d": timedelta(seconds=60), "60s": timedelta(seconds=2)}


def row(match: Match) -> dict[str, Any]:
    """The match as it stands in the database."""
    return Match.objects.filter(pk=match.pk).values().get()


def sweep_at(moment: dt.datetime) -> int:
    """What ``manage.py sweep`` does at that moment, with nobody on the site."""
    with time_machine.travel(moment, tick=True):
        return sweep.sweep()


def plain_turn(match: Match, user: Any) -> None:
    """Draw and discard. Nothing goes down, so that no deal ends in the middle of a story."""
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))


def miss(match: Match) -> Any:
    """Let the person to move be overdue and the sweep see it. Returns who that was."""
    user = mover(match)
    sweep_at(match.due_at + GRACE[match.pace] + timedelta(seconds=1))
    match.refresh_from_db()
    return user


def test_a_deadline_is_added_in_real_hours_across_the_change_of_the_clocks(ann, bob):
    new_york = ZoneInfo("America/New_York")
    with time_machine.travel(dt.datetime(2026, 10, 31, 12, tzinfo=dt.UTC), tick=False):
        match = opened(ann, bob, pace="3d")

    assert match.due_at == dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)
    assert match.due_at - match.started_at == timedelta(hours=72)
    assert (match.started_at.astimezone(new_york).hour, match.due_at.astimezone(new_york).hour) == (8, 7)


def test_the_page_shows_the_deadline_in_the_zone_of_its_reader(ann, bob, client):
    with time_machine.travel(dt.datetime(2026, 10, 31, 12, tzinfo=dt.UTC), tick=True):
        match = opened(ann, bob, pace="3d")
        Match.objects.filter(pk=match.pk).update(due_at=dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC))
        for reader in (ann, bob):  # who is to move and who waits
            reader.time_zone = "America/New_York"
            reader.save()
            client.force_login(reader)
            told = client.get(reverse("games:match", args=[match.pk])).content.decode()
            assert "7 a.m." in told
            assert "noon" not in told


def test_the_sweep_plays_an_overdue_turn_once_though_nobody_looks(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    before = match.moves

    with time_machine.travel(match.due_at + timedelta(minutes=1, seconds=1), tick=True):
        assert sweep.sweep() == 1
        after = row(match)
        assert sweep.sweep() == 0
        assert row(match) == after

    assert list(match.tape.filter(number__gt=before).values_list("by", flat=True)) == ["clock", "clock"]
    match.refresh_from_db()
    assert match.turn != seat_of(match, user).index
    assert match.due_at > timezone.now() + timedelta(days=1)
    assert seat_of(match, user).missed == 1


def test_before_the_grace_is_over_the_sweep_does_nothing(ann, bob):
    match = opened(ann, bob)
    mover(match)
    before = row(match)

    assert sweep_at(match.due_at + timedelta(seconds=59)) == 0
    assert row(match) == before


def test_two_turns_missed_end_a_match_of_two_once_and_both_are_told(ann, bob, monkeypatch):
    match = opened(ann, bob)
    first = miss(match)
    plain_turn(match, mover(match))
    told = []
    monkeypatch.setattr(nudge, "changed", lambda match_id, version, users: told.append(set(users)))

    second = miss(match)
    after = row(match)
    sweep_at(timezone.now() + timedelta(days=30))

    assert first == second
    other = bob if first == ann else ann
    assert (match.status, match.ending, match.winners) == ("over", "abandoned", []), "in its first deal"
    assert match.seats.get(user=first).gone == "given_up" and match.seats.get(user=other).gone == ""
    assert match.due_at is match.wake_at is match.turn is None
    assert row(match) == after
    assert told == [{ann.pk, bob.pk}]
    assert match.tape.last().action == {"type": "given_up"}


def test_a_turn_played_in_time_ends_the_count_of_missed_ones(ann, bob):
    match = opened(ann, bob, target=10_000)
    user = miss(match)
    plain_turn(match, mover(match))
    plain_turn(match, user)
    assert seat_of(match, user).missed == 0
    plain_turn(match, mover(match))

    assert miss(match) == user
    assert match.status == "running"


def test_at_a_larger_table_a_bot_goes_on_for_who_missed_two_turns(ann, bob, cat):
    match = opened(ann, bob, cat, target=10_000)
    user = miss(match)
    while (to_move := mover(match)) != user:
        plain_turn(match, to_move)
    miss(match)

    seat = seat_of(match, user)
    assert (match.status, seat.driver, seat.user) == ("running", "bot", user)
    assert seat.given_up_at is not None
    others = [mover(match) for _turn in range(2)]
    assert user not in others


def test_when_everybody_has_gone_the_match_ends(ann, bob, cat):
    match = opened(ann, bob, cat, target=10_000)
    for _miss in range(6):
        if match.status == "running":
            miss(match)

    assert (match.status, match.ending) == ("over", "abandoned")


def test_in_live_play_a_seat_is_given_up_only_after_three_minutes(ann, bob):
    with time_machine.travel(dt.datetime(2026, 11, 2, 12, tzinfo=dt.UTC), tick=False) as now:
        match = opened(ann, bob, pace="60s")
        mover(match)
        first = match.due_at
        found = []
        for _turn in range(4):
            now.move_to(match.due_at + timedelta(seconds=3))
            sweep.sweep()
            match.refresh_from_db()
            found.append((int((timezone.now() - first).total_seconds()), match.status))
            if match.status == "running":
                plain_turn(match, mover(match))

    assert found == [(3, "running"), (66, "running"), (129, "running"), (192, "over")]
    assert match.ending == "abandoned"  # before the first deal was over


@pytest.mark.parametrize(("pace", "late"), [("1d", 60), ("60s", 2)])
def test_a_submission_within_the_grace_counts(ann, bob, pace, late):
    match = opened(ann, bob, pace=pace)
    user = mover(match)

    with time_machine.travel(match.due_at + timedelta(seconds=late - 0.5), tick=False):
        do(match, user, DrawStock())

    assert match.tape.last().by == "user"


@pytest.mark.parametrize(("pace", "late"), [("1d", 61), ("60s", 3)])
def test_a_submission_that_is_too_late_finds_that_the_clock_has_played(ann, bob, pace, late):
    match = opened(ann, bob, pace=pace)
    user = mover(match)

    with (
        time_machine.travel(match.due_at + timedelta(seconds=late), tick=True),
        pytest.raises(play.Stale, match="late"),
    ):
        do(match, user, DrawStock())

    match.refresh_from_db()
    assert set(match.tape.filter(seat=seat_of(match, user).index).values_list("by", flat=True)) == {"clock"}
    assert match.turn != seat_of(match, user).index


def test_somebody_elses_submission_after_my_deadline_lets_the_clock_act_too(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    other = bob if user == ann else ann

    with (
        time_machine.travel(match.due_at + timedelta(seconds=61), tick=True),
        pytest.raises(play.Stale, match="late"),
    ):
        play.submit(match.pk, seat_of(match, other).index, [DrawStock()], by=Move.By.USER, seen=match.version)

    assert mover(match) == other


def test_the_clock_drops_the_draft_of_the_seat_it_plays_for(ann, bob):
    match = opened(ann, bob, hand_size=20)
    user = mover(match)
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Meld)))
    hand = tables.board(match, user).hand
    drafts.set_order(seat_of(match, user), hand, [str(card) for card in reversed(hand)])

    miss(match)

    draft = Draft.objects.get(seat=seat_of(match, user))
    assert draft.actions == []
    assert draft.order != []
    assert not match.tape.filter(action__type="meld").exists()


def test_a_draft_that_the_clock_has_dropped_cannot_be_submitted_later(ann, bob):
    match = opened(ann, bob, hand_size=20)
    user = mover(match)
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Meld)))
    seen = drafts.Seen.read(tables.board(match, user).seen)
    thrown = next(a for a in legal(match, user) if isinstance(a, Discard))
    miss(match)

    with pytest.raises(play.Stale):
        drafts.act(match.pk, seat_of(match, user), thrown, seen)


def test_a_match_that_is_over_has_no_clock_any_more(ann, bob, client):
    match = ended(ann, bob)
    before = row(match)
    seats = list(Seat.objects.filter(match=match).values_list("missed", "given_up_at"))

    with time_machine.travel(timezone.now() + timedelta(days=60), tick=True):
        client.force_login(ann)
        assert sweep.sweep() == 0
        told = client.get(reverse("games:match", args=[match.pk])).content.decode()
        assert sweep.sweep() == 0

    assert row(match) == before
    assert before["due_at"] is before["wake_at"] is None
    assert list(Seat.objects.filter(match=match).values_list("missed", "given_up_at")) == seats
    assert 'class="due' not in told


def test_a_match_against_bots_only_has_no_clock_for_its_person(ann):
    match = opened(ann, bots=2, pace="none")
    mover(match)

    assert match.due_at is match.wake_at is None
    assert sweep_at(timezone.now() + timedelta(days=400)) == 0


def test_others_who_leave_do_not_move_the_deadline(ann, bob, cat):
    match = opened(ann, bob, cat)
    user = mover(match)
    due = match.due_at
    leaver = next(u for u in (ann, bob, cat) if u != user)

    with time_machine.travel(timezone.now() + timedelta(hours=5), tick=True):
        play.resign(match.pk, seat_of(match, leaver).index)

    match.refresh_from_db()
    assert match.due_at == due


def test_drawing_does_not_move_the_deadline_of_the_turn(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    due = match.due_at

    with time_machine.travel(timezone.now() + timedelta(hours=5), tick=True):
        do(match, user, DrawStock())

    assert match.due_at == due


def test_matches_that_cannot_be_driven_do_not_keep_the_others_from_their_turn(ann, bob, monkeypatch, caplog):
    broken, whole = [opened(ann, bob) for _match in range(3)], opened(ann, bob)
    mover(whole)
    really = play.drive

    def drive(match_id: int) -> None:
        if match_id != whole.pk:
            raise RuntimeError("a defect")
        really(match_id)

    monkeypatch.setattr(sweep, "drive", drive)

    with caplog.at_level(logging.ERROR):
        sweep_at(whole.due_at + timedelta(minutes=2))

    assert whole.tape.filter(by="clock").exists()
    assert f"match {broken[0].pk} could not be driven" in caplog.text


def test_a_sweep_ends_at_the_very_moment_of_a_deadline(ann, bob):
    match = opened(ann, bob)
    mover(match)

    with time_machine.travel(match.wake_at, tick=False):
        sweep.sweep()

    match.refresh_from_db()
    assert match.status == "running"


def test_a_seat_given_up_is_driven_on_by_a_bot_in_the_next_deals_too(ann, bob, cat):
    match = opened(ann, bob, cat, target=30)
    play.resign(match.pk, seat_of(match, ann).index)

    play_on(match)

    assert (match.status, match.ending) == ("over", "played")
    assert not match.tape.filter(seat=seat_of(match, ann).index, by="clock").exists()


def test_an_invitation_to_a_rematch_has_no_deadline_yet(ann, bob):
    match = ended(ann, bob)

    again = lobby.rematch(match.pk, ann)

    assert again.due_at is again.wake_at is None
    assert sweep_at(timezone.now() + timedelta(days=60)) == 0
