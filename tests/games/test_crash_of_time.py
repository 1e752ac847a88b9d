"""The server may die in the middle of an act of time, or after it before anybody is nudged: all or nothing is kept, and
whoever has to hear of it is told by what was kept.
"""

import os
from datetime import timedelta
from unittest import mock

import pytest
import time_machine
from django.utils import timezone

from games import absence, agreements, nudge, play, presence, vacations
from games.models import Match, Move, Notice, Seat, SeatOffer, Tenure, Vacation
from games.notices import work

from .leaving import lost
from .playing import mover
from .terms_world import DAY, FRIDAY, asides, other, plain_turn, with_terms
from .test_crash import DIED, boundaries, dies_at
from .test_halts import goes_live, sits_down

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.pg,
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


@pytest.fixture
def now():
    with time_machine.travel(FRIDAY, tick=False) as clock:
        yield clock


def kept():
    """All that an act of time may write."""
    tables = (Match, Seat, Move, Notice, Vacation, SeatOffer, Tenure)
    return [list(table.objects.order_by("pk").values()) for table in tables]


def in_two(act):
    """Die at each statement of an act: nothing of it is kept, until all of it is; the first time all is there."""
    before = kept()
    for _statement in boundaries(act):
        if kept() != before:
            break
    assert kept() != before


def untold(act):
    """The process dies when the act is committed, before any browser was nudged."""

    def dies(*_what):
        os._exit(DIED)

    def in_the_child():
        with mock.patch.object(nudge, "changed", dies):
            act()

    assert not dies_at(10_000, in_the_child), "nobody would have been nudged"


BOTH_WAYS = pytest.mark.parametrize("die", [in_two, untold])


def told(kind):
    """Who finds a notice of a kind on the page, after the delivery work has looked."""
    work.once()
    rows = Notice.objects.filter(kind=kind)
    assert not rows.filter(spread_at=None).exists()
    return [row.user for row in rows]


@BOTH_WAYS
def test_a_vacation_stops_all_clocks_of_its_user_or_none(ann, bob, cat, now, die):
    matches = [with_terms(ann, other) for other in (bob, cat)]
    for match in matches:
        if mover(match) != ann:
            plain_turn(match, match.seats.get(index=match.turn).user)
    due = [match.due_at for match in matches]
    versions = [match.version for match in matches]

    die(lambda: vacations.plan(ann, vacations.today_of(ann), vacations.today_of(ann)))

    assert vacations.current(ann).state == "running"
    for match, before, version in zip(matches, due, versions, strict=True):
        match.refresh_from_db()
        assert asides(match)[-1:] == ["vacation_began"]
        assert match.due_at == before + (vacations.current(ann).ends_at - timezone.now())
        assert match.version > version, "the pages that are open would not hear of it"


@BOTH_WAYS
def test_a_planned_vacation_that_begins_is_told_at_all_tables_or_begins_again(ann, bob, cat, now, die):
    matches = [with_terms(ann, other) for other in (bob, cat)]
    for match in matches:
        mover(match)
    vacations.plan(ann, vacations.today_of(ann) + timedelta(days=1), vacations.today_of(ann) + timedelta(days=2))
    now.move_to(vacations.current(ann).starts_at + timedelta(seconds=1))

    die(vacations.tell_tables)

    assert vacations.tell_tables() == 0
    assert [asides(match) for match in matches] == [["vacation_began"]] * 2


@BOTH_WAYS
def test_a_pause_begins_with_its_time_kept_and_its_answer_told(ann, bob, now, die):
    match = with_terms(ann, bob)
    mover(match)
    agreements.propose(match.pk, ann, "pause")
    now.shift(timedelta(hours=4))

    die(lambda: agreements.answer(match.pk, bob, yes=True))

    match.refresh_from_db()
    assert asides(match) == ["asked_pause", "paused"]
    assert (match.paused_at, match.due_at, match.frozen) == (timezone.now(), None, 20 * 3600)
    assert match.proposal is None
    assert told("answered") == [ann]


@BOTH_WAYS
def test_time_that_is_given_is_given_once_and_told(ann, bob, now, die):
    match = with_terms(ann, bob)
    user = mover(match)
    due, giver = match.due_at, other(user, ann, bob)

    die(lambda: agreements.give_time(match.pk, giver))

    match.refresh_from_db()
    assert match.due_at == due + timedelta(seconds=DAY)
    assert asides(match) == ["time_given"]
    assert told("time_given") == [user]


@BOTH_WAYS
def test_a_table_goes_live_with_bank_and_time_kept_or_stays_as_it_was(ann, bob, now, die):
    match = with_terms(ann, bob, bank=5 * DAY)
    mover(match)
    sits_down(match, ann, bob)
    agreements.propose(match.pk, ann, "live")

    die(lambda: agreements.answer(match.pk, bob, yes=True))

    match.refresh_from_db()
    assert asides(match) == ["asked_live", "went_live"]
    assert (match.live_at, match.frozen) == (timezone.now(), 6 * DAY)
    assert match.due_at == timezone.now() + timedelta(seconds=60)
    assert told("answered") == [ann]


@BOTH_WAYS
def test_a_live_table_that_falls_back_has_its_time_again_and_who_is_to_move_is_told(ann, bob, now, die):
    match = with_terms(ann, bob)
    user = mover(match)
    goes_live(match, ann, bob)
    Seat.objects.filter(match=match).update(graced_deal=match.deal_number)
    now.shift(timedelta(minutes=3))
    presence.left(match.pk, user.pk)

    die(lambda: play.drive(match.pk))

    match.refresh_from_db()
    assert (match.live_at, match.frozen) == (None, None)
    assert match.due_at == timezone.now() + timedelta(seconds=DAY)
    assert asides(match)[-1] == "live_ended"
    assert told("your_turn")[-1] == user


@BOTH_WAYS
def test_a_seat_is_taken_over_by_one_and_back_by_its_user(ann, bob, cat, dan, trusted, die):
    match, seat = lost(ann, bob, cat)
    offer = SeatOffer.objects.get(user=dan)
    die(lambda: absence.accept(offer.pk, dan))

    seat.refresh_from_db()
    offer.refresh_from_db()
    assert (seat.driver, seat.driven_by, offer.answer) == ("user", dan, "accepted")
    assert Tenure.objects.get(seat=seat, to_move=None).user == dan
    assert asides(match)[-1] == "taken_over"

    absence.take_back(match.pk, ann)
    assert told("seat_back") == [dan]


@BOTH_WAYS
def test_a_seat_that_a_bot_drives_is_back_or_still_away(ann, bob, cat, dan, trusted, die):
    match, seat = lost(ann, bob, cat)
    assert SeatOffer.objects.filter(seat=seat, answer="").exists()

    die(lambda: absence.take_back(match.pk, ann))

    seat.refresh_from_db()
    assert (seat.driver, seat.driven_by, seat.gone) == ("user", ann, "")
    assert not SeatOffer.objects.filter(seat=seat, answer="").exists(), "a seat that is back is offered to nobody"
    assert asides(match)[-1] == "taken_back"
    assert Tenure.objects.get(seat=seat, to_move=None).user == ann
