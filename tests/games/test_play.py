"""Play: one way for every move, ends, absence, and what a tape tells."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import fairness, lobby, play, sweep, tables, tape
from games.models import Deal, Draft, Match, Move, Seat, Tenure
from games.rules.actions import Discard, DrawStock, LayOff, Meld, TakeDiscard
from games.rules.errors import Illegal

from .playing import do, legal, mover, opened, play_on, seat_of, take_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


@pytest.mark.parametrize(("preset", "bots"), [("solitaired-rummy", 2), ("basic-rummy", 0), ("android-rummy", 0)])
def test_a_whole_match_ends_by_its_target(ann, bob, preset, bots):
    match = play_on(opened(ann, bob, preset=preset, bots=bots, target=10))

    assert (match.status, match.ending) == ("over", "played")
    assert max(match.totals) >= 10
    assert match.winners == [match.totals.index(max(match.totals))]
    assert match.due_at is match.wake_at is match.turn is None
    assert match.deals.filter(record__isnull=True).count() == 0


def test_six_seats_of_one_person_and_five_bots_play_to_the_end(ann):
    match = play_on(opened(ann, bots=5, pace="none", target=10))

    assert match.status == "over"


def test_the_tape_alone_rebuilds_every_deal_as_it_was_recorded(ann, bob):
    match = play_on(opened(ann, bob, target=10))

    for deal in match.deals.all():
        told = tape.begin(match, deal, tape.cuts_of(match))
        for move in deal.moves.all():
            told = tape.follow(deal, told, move)
        left = {zone: [str(c) for c in cards] for zone, cards in told.table.zones().items()}
        assert left == deal.record["left"]
        assert sum(map(len, left.values())) == 52


def test_a_draw_goes_to_the_tape_at_once_and_melds_wait_in_the_draft(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    before = match.moves

    do(match, user, DrawStock())

    assert match.moves == before + 1
    assert match.tape.last().action == {"type": "draw_stock"}


def test_opponents_are_told_of_a_turn_once_for_its_draw_and_once_for_the_rest(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    before = match.version

    take_turn(match, user)

    assert match.version == before + 2


def test_a_refused_action_changes_nothing(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    other = bob if user == ann else ann
    before = Match.objects.values().get(pk=match.pk)

    with pytest.raises(Illegal, match="not_your_turn"):
        do(match, other, DrawStock())
    with pytest.raises(Illegal, match="wrong_phase"):
        do(match, user, Discard(legal_card(match, user)))

    assert Match.objects.values().get(pk=match.pk) == before


def legal_card(match, user):
    return tables.board(match, user).hand[0]


def test_the_same_submission_twice_is_played_once(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    seat = seat_of(match, user)

    play.submit(match.pk, seat.index, [DrawStock()], by=Move.By.USER, seen=match.version)
    with pytest.raises(play.Stale, match="stale"):
        play.submit(match.pk, seat.index, [DrawStock()], by=Move.By.USER, seen=match.version)

    assert match.tape.filter(action__type="draw_stock").count() == 1


def test_cards_laid_in_a_draft_are_seen_by_nobody_else(ann, bob):
    match = opened(ann, bob, hand_size=20)
    user = mover(match)
    do(match, user, DrawStock())
    meld = next(a for a in legal(match, user) if isinstance(a, Meld))
    version = match.version

    do(match, user, meld)

    other = bob if user == ann else ann
    assert tables.board(match, other).view.melds == ()
    assert tables.board(match, user).view.melds[0].cards
    assert match.version == version


def test_a_resignation_ends_a_match_of_two_and_the_other_wins(ann, bob):
    match = opened(ann, bob, target=10_000)
    while match.deal_number < 2:
        play_on(match, turns=1)

    play.resign(match.pk, seat_of(match, ann).index)

    match.refresh_from_db()
    assert (match.status, match.ending) == ("over", "resigned")
    assert match.winners == [seat_of(match, bob).index]
    assert match.tape.last().action == {"type": "resigned"}
    assert match.deals.last().record["outcome"] is None


def test_a_resignation_at_a_larger_table_hands_the_seat_to_a_bot(ann, bob, cat):
    match = play_on(opened(ann, bob, cat, target=10), turns=4)

    play.resign(match.pk, seat_of(match, ann).index)
    play_on(match)

    seat = seat_of(match, ann)
    assert (seat.driver, seat.user, match.ending) == ("bot", ann, "played")
    assert list(Tenure.objects.filter(seat=seat).values_list("driver", flat=True)) == ["user", "bot"]


def test_when_the_last_person_leaves_the_match_ends(ann):
    match = play_on(opened(ann, bots=3, pace="none"), turns=2)

    play.resign(match.pk, 0)

    match.refresh_from_db()
    assert match.status == "over"
    assert 0 not in match.winners


def test_resigning_twice_changes_nothing_the_second_time(ann, bob, cat):
    match = opened(ann, bob, cat)
    play.resign(match.pk, 0)
    version = Match.objects.get(pk=match.pk).version

    play.resign(match.pk, 0)

    assert Match.objects.get(pk=match.pk).version == version


def test_the_version_grows_with_each_submission_and_moves_count_the_tape(ann, bob):
    match = play_on(opened(ann, bob), turns=5)

    assert match.moves == match.tape.count() == match.tape.last().number


def test_a_basic_rummy_match_reshuffles_by_the_committed_secret(ann, bob):
    match = opened(ann, bob, hand_size=3, turn_cap=60, set_max=3, final_discard_required=True, target=10000)
    while not match.tape.filter(action__type="shuffled").exists():
        user = mover(match)
        do(match, user, DrawStock())
        do(match, user, [a for a in legal(match, user) if isinstance(a, Discard)][-1])

    move = match.tape.get(action__type="shuffled", action__n=1)
    assert (move.seat, move.by, move.action) == (None, "dealer", {"type": "shuffled", "n": 1})


def test_secrets_are_links_of_the_published_chain(ann, bob):
    match = play_on(opened(ann, bob, target=10))

    previous = match.commitment
    for deal in match.deals.all():
        assert fairness.verify_link(previous, deal.record["secret"])
        previous = deal.record["secret"]


def test_the_rematch_keeps_people_and_options_and_moves_the_deal_on(ann, bob):
    match = play_on(opened(ann, bob, target=10, ace="wrap"))
    last = match.deals.last()

    again = lobby.rematch(match.pk, ann)
    lobby.answer(again.pk, bob, yes=True, cut=("", ""))

    again.refresh_from_db()
    assert (again.status, again.options) == ("running", match.options)
    assert again.deals.get().dealer == (last.dealer + 1) % 2


def test_reading_a_table_costs_the_same_however_long_the_match(ann, bob):
    match = play_on(opened(ann, bob), turns=2)
    user = mover(match)
    with CaptureQueriesContext(connection) as first:
        tables.board(Match.objects.get(pk=match.pk), user)
    play_on(match, turns=60)
    user = mover(match)
    with CaptureQueriesContext(connection) as later:
        tables.board(Match.objects.get(pk=match.pk), user)

    assert len(later) <= len(first) + 1


def test_the_clock_drops_the_draft_and_plays_the_whole_turn(ann, bob):
    match = opened(ann, bob, hand_size=20)
    user = mover(match)
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Meld)))

    with time_machine.travel(match.due_at + timedelta(seconds=61), tick=True):
        sweep.sweep()

    match.refresh_from_db()
    assert match.turn != seat_of(match, user).index
    assert Draft.objects.get(seat=seat_of(match, user)).actions == []
    assert list(match.tape.values_list("by", flat=True))[-1] == "clock"
    assert not match.tape.filter(action__type="meld").exists()


def test_the_next_deal_waits_for_everybody_in_live_play(ann, bob):
    match = opened(ann, bob, pace="60s", hand_size=3, turn_cap=10)
    while match.deals.filter(ended_at__isnull=True).exists():
        user = mover(match)
        if user is None:
            break
        take_turn(match, user)

    match.refresh_from_db()
    assert match.turn is None
    play.ready(match.pk, 0, match.deal_number)
    play.drive(match.pk)
    assert Match.objects.get(pk=match.pk).deal_number == 1
    play.ready(match.pk, 1, match.deal_number)
    play.drive(match.pk)
    assert Match.objects.get(pk=match.pk).deal_number == 2


def test_every_seat_has_a_running_tenure_while_the_match_runs(ann, bob):
    match = opened(ann, bob, bots=2)

    assert Tenure.objects.filter(seat__match=match, to_move=None).count() == 4
    assert Seat.objects.filter(match=match).count() == 4
    assert Deal.objects.get(match=match).number == 1
    assert {type(a) for a in legal(match, mover(match))} <= {DrawStock, TakeDiscard, LayOff}
