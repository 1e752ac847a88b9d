"""My tables: sorted by what is to be done, told from my side, each match in one list (FAULTS.md B35)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import drafts, lobby, play, tables, tape
from games.models import Match, Seat
from games.moderation import rulings
from games.rules.actions import DrawStock
from games.telling import last_of_others, told

from .lobby_world import page
from .playing import CUT, do, mover, opened, seat_of, take_turn
from .sitting import ended

pytestmark = pytest.mark.django_db


def forget_tapes():
    """As after a restart: nothing is folded."""
    tape._kept.clear()
    tape._rows.clear()


def test_my_tables_are_sorted_by_what_is_to_be_done(ann, bob):
    for _ in range(3):
        opened(ann, bob)
    waiting = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    over = ended(ann, bob)
    for match in Match.objects.filter(status="running"):
        play.drive(match.pk)

    mine = page(ann).get(reverse("games:tables")).context["mine"]

    running = Match.objects.filter(status="running")
    turn = {m.pk for m in running if m.seats.get(user=ann).index == m.turn}
    assert {row.pk for row in mine.await_me} == turn
    assert {row.pk for row in mine.waiting} == {m.pk for m in running} - turn
    assert [row.pk for row in mine.open] == [waiting.pk]
    assert [row.pk for row in mine.ended] == [over.pk]


def test_the_most_urgent_table_is_first_and_shows_my_hand(ann, bob):
    matches = [opened(ann, bob, pace=pace) for pace in ("3d", "12h", "1d")]
    user = mover(matches[1])

    shown = page(user).get(reverse("games:tables"))

    assert shown.context["mine"].await_me[0].pk == matches[1].pk
    assert len(shown.context["awaiting"][0].hand) == 10
    assert shown.content.decode().count('class="await first"') == 1


@pytest.mark.parametrize("count", [1, 60])
def test_my_tables_cost_few_queries_however_many_they_are(ann, bob, count):
    for _ in range(count):
        match = opened(ann, bob)
        if mover(match) == bob:
            take_turn(match, bob)
    forget_tapes()
    ended(ann, bob)
    lobby.rematch(Match.objects.get(status="over").pk, bob)
    client = page(ann)
    client.get(reverse("games:badge"))

    with CaptureQueriesContext(connection) as queries:
        shown = client.get(reverse("games:tables"))

    assert len(queries) <= 12
    assert len(shown.context["awaiting"]) == count


def test_the_ten_nearest_deadlines_show_my_hand_and_what_happened_last(ann, bob):
    for _ in range(12):
        match = opened(ann, bob)
        if mover(match) == bob:
            take_turn(match, bob)

    awaiting = page(ann).get(reverse("games:tables")).context["awaiting"]

    assert [len(glance.hand) for glance in awaiting] == [10] * 10 + [0, 0]
    assert [bool(glance.sentence) for glance in awaiting] == [True] * 10 + [False] * 2


def test_a_hand_read_with_many_others_is_the_hand_of_its_table(ann, bob):
    matches = [opened(ann, bob) for _ in range(3)]
    for match in matches:
        if mover(match) == bob:
            take_turn(match, bob)
    do(matches[0], ann, DrawStock())
    drafts.set_sort(seat_of(matches[1], ann), "rank")
    forget_tapes()

    awaiting = page(ann).get(reverse("games:tables")).context["awaiting"]

    forget_tapes()
    for glance in awaiting:
        board = tables.board(Match.objects.get(pk=glance.row.pk), ann)
        assert glance.hand == board.hand
        assert glance.sentence == told(last_of_others(board), board)


@pytest.mark.parametrize(
    ("how", "mine", "theirs"),
    [
        ("played", "You won, 30 to 12", "ann won, 30 to 12"),
        ("resigned", "You won by resignation", "ann won by resignation"),
        ("clock", "You won on time", "ann won on time"),
    ],
)
def test_the_result_is_told_to_each_from_the_own_side(ann, bob, how, mine, theirs):
    Match.objects.filter(pk=ended(ann, bob).pk).update(ending=how, winners=[0], totals=[30, 12])

    assert mine in page(ann).get(reverse("games:tables")).content.decode()
    assert theirs in page(bob).get(reverse("games:tables")).content.decode()


def test_a_shared_win_names_all_who_share_it(ann, bob):
    Match.objects.filter(pk=ended(ann, bob).pk).update(ending="played", winners=[0, 1], totals=[30, 30])

    assert "ann and bob share the win with 30 points" in page(ann).get(reverse("games:tables")).content.decode()


def test_no_table_yet_says_what_to_do(ann):
    shown = page(ann).get(reverse("games:tables")).content.decode()

    assert "You sit at no table yet." in shown
    assert reverse("games:new_match") in shown


def test_the_badge_counts_the_tables_that_await_me_and_names_the_next(ann, bob):
    first, second = opened(ann, bob, pace="2d"), opened(ann, bob, pace="1d")
    turns = {match.pk: mover(match) for match in (first, second)}

    for user in (ann, bob):
        mine = [pk for pk in (second.pk, first.pk) if turns[pk] == user]
        answer = page(user).get(reverse("games:badge"))
        address = reverse("games:match", args=mine[:1]) if mine else None
        told = answer.json()
        assert (told["waiting"], told["next"]) == (len(mine), address)
        assert "no-store" in answer.headers["Cache-Control"]


def test_a_stranger_has_no_badge(db):
    assert page().get(reverse("games:badge")).json() == {"waiting": 0, "next": None, "notices": 0}


def test_b35_a_cancelled_match_leaves_the_running_lists_at_once(ann, bob, cat):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")

    page(ann).post(reverse("games:leave", args=[match.pk]))

    match.refresh_from_db()
    assert match.status == "cancelled"
    assert page(cat).get(reverse("games:lobby")).context["rows"] == []
    mine = page(ann).get(reverse("games:tables")).context["mine"]
    assert not (mine.open or mine.waiting or mine.await_me)


def test_b35_a_match_that_ended_stands_once_among_the_finished(ann, bob):
    match = opened(ann, bob)
    play.drive(match.pk)

    play.resign(match.pk, match.seats.get(user=ann).index)

    for user in (ann, bob):
        mine = page(user).get(reverse("games:tables")).context["mine"]
        assert [row.pk for row in mine.ended] == [match.pk]
        assert not (mine.open or mine.waiting or mine.await_me)
        assert page(user).get(reverse("games:badge")).json()["waiting"] == 0


def test_b35_a_declined_rematch_stands_once_among_the_finished(ann, bob):
    old = ended(ann, bob)
    again = lobby.rematch(old.pk, ann)
    lobby.answer(again.pk, bob, yes=False, cut=CUT)

    mine = page(ann).get(reverse("games:tables")).context["mine"]

    assert sorted(row.pk for row in mine.ended) == [old.pk, again.pk]
    assert not (mine.open or mine.invited or mine.waiting)
    assert Seat.objects.filter(match=again).count() == 2


def test_b35_a_profile_tells_of_what_has_ended_once_and_of_nothing_else(ann, bob, mod):
    over, left, broken_off, running = ended(ann, bob), opened(ann, bob), opened(ann, bob), opened(ann, bob)
    play.resign(left.pk, left.seats.get(user=bob).index)
    rulings.abort(broken_off.pk, by=mod, reason="both asked for it")
    cancelled = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    page(ann).post(reverse("games:leave", args=[cancelled.pk]))

    told = page(ann).get(reverse("games:player", args=["ann"])).content.decode()

    for match in (over, left, broken_off):
        assert told.count(f'href="{reverse("games:match", args=[match.pk])}"') == 1
    for match in (running, cancelled):
        assert f"/matches/{match.pk}/" not in told


def test_invitations_and_profiles_are_kept_by_no_browser(ann, bob):
    """FAULTS C13, for the private pages that are no tables."""
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)
    places = [
        reverse("games:invitation", args=[match.token]),
        reverse("games:player", args=["ann"]),
        reverse("games:match", args=[match.pk]),
        reverse("games:people"),
    ]
    for place in places:
        answer = page(ann).get(place, follow=True)
        assert answer.status_code == 200, place
        assert "no-store" in answer["Cache-Control"], place
        assert '"historyCacheSize": 0' in answer.content.decode(), place
