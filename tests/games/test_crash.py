"""The server may die between any two statements of a move: nothing is half done, and the next sweep carries on."""

import os
import sys

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, connections

from games import play, sweep, tables
from games.models import Deal, Match, Move
from games.rules.actions import Discard, DrawStock

from .playing import do, legal, mover, opened, play_on, seat_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.pg,
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]

DIED, DONE = 9, 0


def dies_at(statement, work):
    """Do ``work`` in a process that is killed at the given database statement; whether it got to its end."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        seen = 0

        def count(execute, sql, params, many, context):
            nonlocal seen
            seen += 1
            if seen == statement:
                os._exit(DIED)
            return execute(sql, params, many, context)

        try:
            with connection.execute_wrapper(count):
                work()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(DONE)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (DIED, DONE), "the work failed by itself"
    return code == DONE


def check_whole(match):
    """The tape, the counters and the table agree."""
    match = Match.objects.get(pk=match.pk)
    numbers = list(match.tape.values_list("number", flat=True))
    assert numbers == list(range(1, match.moves + 1))
    for seat in match.seats.all():
        assert tables.board(match, seat.user or AnonymousUser()).view is not None
    assert match.deals.filter(ended_at__isnull=True).count() <= 1
    return match


def boundaries(work):
    """Kill ``work`` at its first, second, third ... statement until it gets through."""
    for statement in range(1, 200):
        if dies_at(statement, work):
            return
        yield statement
    raise AssertionError("more statements than a move may take")


def test_a_move_is_whole_or_not_at_all_wherever_the_server_dies(ann, bob):
    match = play_on(opened(ann, bob), turns=3)
    user = mover(match)
    do(match, user, DrawStock())
    seat, version, moves = seat_of(match, user).index, match.version, match.moves
    throw = [a for a in legal(match, user) if isinstance(a, Discard)][:1]

    for _statement in boundaries(lambda: play.submit(match.pk, seat, throw, by=Move.By.USER, seen=version)):
        after = check_whole(match)
        assert (after.version, after.moves) in {(version, moves), (version + 1, moves + 1)}
        if after.version != version:
            break

    assert check_whole(match).moves == moves + 1


def test_a_bot_that_died_in_the_middle_of_its_turn_is_carried_on_by_the_next_sweep(ann, bob):
    match = opened(ann, bob, bots=2)
    user = mover(match)
    do(match, user, DrawStock())
    do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))

    for _statement in boundaries(lambda: play.drive(match.pk)):
        check_whole(match)

    sweep.sweep()
    check_whole(match)
    assert mover(match) in (ann, bob)


def test_a_deal_that_ended_as_the_server_died_is_followed_by_the_next(ann, bob):
    match = opened(ann, bob, hand_size=3, turn_cap=10, target=10000)
    while not Deal.objects.filter(match=match, ended_at__isnull=False).exists():
        user = mover(match)
        do(match, user, DrawStock())
        do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))

    for _statement in boundaries(lambda: play.drive(match.pk)):
        assert check_whole(match).deal_number in (1, 2)

    assert check_whole(match).deal_number == 2
