"""Who is told of what, in the transaction of the event."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import lobby, play
from games.models import Match, MutedMatch, Notice, NoticeSettings, Seat
from games.notices import tell
from games.notices.kinds import KINDS
from games.notices.words import SENTENCES, sentences
from games.rules.actions import DrawStock

from .facts import facts
from .playing import CUT, do, mover, opened, seat_of, take_turn
from .sitting import ended

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def told(user, kind=None):
    kinds = list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))
    return kinds if kind is None else kinds.count(kind)


def other(match, user):
    return next(seat.user for seat in match.seats.exclude(user=user).exclude(user=None))


def test_whose_turn_begins_is_told_once_and_the_mover_is_not(ann, bob):
    match = opened(ann, bob)
    first = mover(match)
    second = other(match, first)
    assert (told(first, "your_turn"), told(second, "your_turn")) == (1, 0)
    Notice.objects.all().delete()
    take_turn(match, first)
    assert mover(match) == second
    assert (told(first), told(second)) == ([], ["your_turn"])


def test_against_bots_alone_nobody_is_told_that_it_is_his_turn(ann):
    match = opened(ann, bots=1)
    take_turn(match, mover(match))
    assert mover(match) == ann
    assert told(ann) == []


def test_who_has_muted_the_match_is_told_nothing_of_it(ann, bob):
    match = opened(ann, bob)
    first = mover(match)
    second = other(match, first)
    MutedMatch.objects.create(user=second, match=match)
    take_turn(match, first)
    assert mover(match) == second
    assert told(second, "your_turn") == 0
    tell("friend", [second], about={"by": first.pk}, key="1")
    assert told(second, "friend") == 1


def test_a_notice_is_part_of_the_move_and_costs_two_queries(ann, bob):
    match = opened(ann, bob)
    with CaptureQueriesContext(connection) as made:
        tell("nudged", [ann], match, {"by": bob.pk}, key="1.1")
    assert len(made) <= 2
    tell("nudged", [ann], match, {"by": bob.pk}, key="1.1")
    assert told(ann, "nudged") == 1


def test_what_is_wanted_by_no_channel_is_not_kept(ann, bob):
    off = {f"nudged.{channel}": "off" for channel in ("page", "email", "push")}
    NoticeSettings.objects.create(user=ann, matrix=off)
    NoticeSettings.objects.create(user=bob, matrix={"nudged.page": "off"})
    tell("nudged", [ann, bob], key="1")
    assert told(ann) == []
    assert not Notice.objects.get(user=bob).listed


def test_an_invitation_is_told_to_the_guest_and_its_answer_to_the_opener(ann, bob, cat):
    match = lobby.open_match(ann, "basic-rummy", seats=["@bob", "open", "open"], pace="1d", cut=CUT)
    assert (told(ann), told(bob)) == ([], ["invited"])
    lobby.answer(match.pk, bob, yes=False, cut=CUT)
    lobby.join(match.pk, cat, CUT)
    assert (told(ann), told(bob), told(cat)) == (["declined", "accepted"], ["invited"], [])
    lobby.remove(match.pk, ann, seat_of(match, cat).index)
    assert told(cat) == ["removed"]


def test_the_end_of_a_match_and_a_rematch_are_told_to_the_others(ann, bob):
    match = ended(ann, bob)
    assert (told(ann, "match_over"), told(bob, "match_over")) == (0, 1)
    again = lobby.rematch(match.pk, bob)
    assert (told(ann, "rematch"), told(bob, "rematch")) == (1, 0)
    lobby.answer(again.pk, ann, yes=False, cut=CUT)
    assert told(bob, "declined") == 1


def test_what_the_clock_did_is_told_to_whom_it_was_done(ann, bob, cat):
    match = opened(ann, bob, cat)
    first = mover(match)
    missed = 0
    while Seat.objects.get(match=match, user=first).given_up_at is None:
        with time_machine.travel(match.due_at + timedelta(seconds=61)):
            user = mover(Match.objects.get(pk=match.pk))
            if user == first:
                continue
            missed += 1
            match.refresh_from_db()
            while mover(match) not in (None, first):
                take_turn(match, mover(match))
        match.refresh_from_db()
    assert told(first, "clock_played") == missed == 2
    assert not Notice.objects.filter(user=first, kind="your_turn", read_at=None).exists()
    assert [told(user, "given_up") for user in (ann, bob, cat)] == [1, 1, 1]


def test_who_resigns_is_told_nothing_and_the_others_that_the_seat_is_given_up(ann, bob, cat):
    match = opened(ann, bob, cat)
    play.resign(match.pk, seat_of(match, cat).index)
    assert [told(user, "given_up") for user in (ann, bob, cat)] == [1, 1, 0]


def test_a_draw_tells_nobody_anything(ann, bob):
    match = opened(ann, bob)
    user = mover(match)
    before = Notice.objects.count()
    do(match, user, DrawStock())
    assert Notice.objects.count() == before


@time_machine.travel("2026-12-01T10:00:00+00:00", tick=False)
def test_each_kind_has_a_sentence_and_all_names_take_two_queries(ann, bob):
    match = opened(ann, bob, preset="gin")
    first = mover(match)
    second = other(match, first)
    assert set(SENTENCES) == set(KINDS)
    Notice.objects.all().delete()
    for kind in KINDS:
        tell(kind, [first], match, facts(kind, by=second.pk, deal=1), key="all")
    rows = list(Notice.objects.select_related("match").order_by("pk"))
    with CaptureQueriesContext(connection) as made:
        told = dict(zip((row.kind for row in rows), sentences(rows), strict=True))
    assert len(made) == 2 and not any("{" in text for text in told.values())
    assert told["your_turn"] == f"Your turn in Gin rummy against {second}, until Wednesday 10 a.m."
    assert told["invited"] == f"{second} invites you to Gin rummy"
    match.refresh_from_db()
    play.resign(match.pk, match.turn)
    assert sentences(Notice.objects.filter(kind="your_turn"))[0] == f"Your turn in Gin rummy against {second}"
