"""What a match counts for those who left it, how its tape tells them, and the list in which it stands."""

from dataclasses import replace

import pytest
from django.utils import timezone

from games import absence, counting, lobby, play, tape
from games.models import Match, Move, SeatOffer

from .leaving import client, lose_seat, lost, text
from .playing import mover, opened, take_turn

pytestmark = pytest.mark.django_db


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
