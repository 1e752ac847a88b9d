"""How tests lose a seat, see pages as its users do, and play for whoever drives it."""

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from games import drafts, play, tables
from games.models import Match, Seat
from games.rules.actions import Discard, DrawStock

from .playing import mover, opened, seat_of, take_turn

NOON = "2026-11-30T12:00:00+00:00"


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
