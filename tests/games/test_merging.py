"""A guest signs in to an account: the matches move there, except where both sit."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.guests import make_guest
from accounts.models import User
from games import drafts, lobby, merging, nudge, play, tables
from games.models import Delivery, Draft, Match, Move, MutedMatch, Notice, NoticeSettings, Seat, Tenure
from games.notices import tell
from games.rules.actions import DrawStock
from games.writing import locked, writing

from .playing import CUT, do, legal, mover, opened, play_on, seat_of, take_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

LOGIN = {"login": "ann", "password": "correct horse"}


@pytest.fixture
def guest(db: None) -> User:
    return make_guest("en", "UTC")


@pytest.fixture
def device(guest: User) -> Client:
    client = Client()
    client.force_login(guest)
    return client


def seated(match: Match) -> list[Any]:
    return list(Seat.objects.filter(match=match).order_by("index").values_list("user__username", flat=True))


def test_after_signing_in_the_matches_of_the_guest_are_offered_and_moved(guest, device, ann, bob):
    running, ended = play_on(opened(guest, bob), turns=2), opened(guest, bob)
    play.resign(ended.pk, 1)
    waiting = lobby.open_match(guest, "basic-rummy", seats=["open"], pace="1d", title="Sunday table")

    answer = device.post("/accounts/login/?next=/lobby/", LOGIN)

    assert (answer.status_code, answer["Location"]) == (303, "/accounts/move/?next=%2Flobby%2F")
    page = device.get(answer["Location"]).content.decode()
    assert "Move these 3 matches to your account?" in page
    assert "Sunday table" in page
    assert seated(running) == [guest.username, "bob"]  # asked only
    answer = device.post("/accounts/move/", {"answer": "yes", "next": "/lobby/"}, follow=True)
    assert answer.redirect_chain == [("/lobby/", 303)]
    assert "3 matches are yours now." in answer.content.decode()
    assert seated(running) == seated(ended) == ["ann", "bob"]
    waiting.refresh_from_db()
    assert (seated(waiting), waiting.opener) == (["ann", None], ann)
    assert device.get("/accounts/move/")["Location"] == "/tables/"


def test_where_both_sit_the_guest_stays_and_the_match_is_named(guest, device, ann, bob):
    both = opened(guest, ann)
    other = opened(guest, bob)
    device.post("/accounts/login/", LOGIN)
    page = device.get("/accounts/move/").content.decode()
    assert "Move this match to your account?" in page
    assert "These stay with the guest" in page
    device.post("/accounts/move/", {"answer": "yes"})
    assert seated(both) == [guest.username, "ann"]
    assert seated(other) == ["ann", "bob"]


def test_a_declined_offer_is_forgotten(guest, device, ann, bob):
    match = opened(guest, bob)
    device.post("/accounts/login/", LOGIN)
    assert "can still move to this account" in device.get("/accounts/settings/").content.decode()
    device.post("/accounts/move/", {"answer": "no"})
    device.post("/accounts/move/", {"answer": "yes"})
    assert seated(match) == [guest.username, "bob"]
    assert "can still move" not in device.get("/accounts/settings/").content.decode()


def test_without_matches_nobody_is_asked(guest, device, ann):
    assert device.post("/accounts/login/", LOGIN)["Location"] == "/tables/"


def test_a_wrong_password_leaves_the_guest_signed_in(guest, device, ann):
    answer = device.post("/accounts/login/", LOGIN | {"password": "wrong"})
    assert answer.status_code == 200
    assert device.session["_auth_user_id"] == str(guest.pk)


def test_the_sign_in_page_is_open_to_guests_and_not_to_persons(guest, device, ann):
    assert device.get("/accounts/login/").status_code == 200
    device.force_login(ann)
    assert device.get("/accounts/login/").status_code == 302


def test_a_script_that_signs_in_is_asked_as_well(guest, device, ann, bob):
    opened(guest, bob)
    answer = device.post("/accounts/login/", LOGIN, headers={"X-Requested-With": "XMLHttpRequest"})
    assert (answer.status_code, answer["Location"]) == (303, "/accounts/move/?next=")


@pytest.mark.parametrize("address", ["lobby", "foo", "//evil.example/", "https://evil.example/"])
def test_what_is_no_path_of_this_site_leads_to_the_tables(device, address):
    for path in ("/accounts/move/", "/accounts/guest/"):
        assert device.post(path, {"next": address})["Location"] == "/tables/"


def test_nobody_takes_the_matches_of_a_guest_by_signing_in_elsewhere(guest, ann, bob):
    match = opened(guest, bob)
    stranger = Client()
    stranger.post("/accounts/login/", LOGIN)
    assert stranger.post("/accounts/move/", {"answer": "yes", "guest": guest.pk}).status_code == 302
    assert seated(match) == [guest.username, "bob"]


def test_a_guest_who_has_kept_the_account_meanwhile_keeps_the_matches(guest, device, ann, bob):
    match = opened(guest, bob)
    device.post("/accounts/login/", LOGIN)
    User.objects.filter(pk=guest.pk).update(is_guest=False, username="dora", name_key="dora")
    device.post("/accounts/move/", {"answer": "yes"})
    assert merging.move(guest, ann) == 0
    assert seated(match) == ["dora", "bob"]


def test_the_offer_ends_with_the_session(guest, device, ann, bob):
    match = opened(guest, bob)
    device.post("/accounts/login/", LOGIN)
    device.post("/accounts/logout/")
    device.post("/accounts/login/", LOGIN)
    device.post("/accounts/move/", {"answer": "yes"})
    assert seated(match) == [guest.username, "bob"]


def test_hand_order_and_unfinished_turn_go_along(guest, ann, bob):
    match = opened(guest, bob)
    drafts.set_sort(seat_of(match, guest), "rank")
    hand = tables.board(match, guest).hand
    draft = Draft.objects.get()
    assert merging.move(guest, ann) == 1
    match.refresh_from_db()
    assert tables.board(match, ann).hand == hand
    assert tables.board(match, ann).sort == "rank"
    assert Draft.objects.get().pk == draft.pk
    assert tables.board(match, guest).me is None


def test_the_guest_sees_and_plays_nothing_of_it_any_more(guest, device, ann, bob):
    match = opened(guest, bob)
    while mover(match) != guest:
        take_turn(match, bob)
    seen = tables.board(match, guest).seen
    merging.move(guest, ann)
    answer = device.post(f"/matches/{match.pk}/act/", {"seen": seen, "do": "draw_stock"})
    assert answer.status_code == 404
    match.refresh_from_db()
    take_turn(match, ann)
    assert Move.objects.filter(match=match, seat=0, by="user").exists()


def test_tenures_tell_of_the_move(guest, ann, bob, cat):
    running, ended, left = play_on(opened(guest, bob), turns=2), opened(guest, bob), opened(guest, bob, cat)
    play.resign(ended.pk, 1)
    play.resign(left.pk, 0)
    for match in (running, ended, left):
        match.refresh_from_db()
    merging.move(guest, ann)
    moves = running.moves
    told = Tenure.objects.filter(seat__match=running, seat__index=0).order_by("pk")
    assert list(told.values_list("user", "from_move", "to_move", "why")) == [
        (guest.pk, 1, moves, "sat down"),
        (ann.pk, moves + 1, None, "moved"),
    ]
    for match in (ended, left):
        last = Tenure.objects.filter(seat__match=match, seat__index=0, why="moved").get()
        assert (last.user, last.to_move) == (ann, match.moves)
    assert Tenure.objects.filter(seat__match=left, seat__index=0, to_move=None).get().driver == "bot"
    play.resign(running.pk, 0)
    assert not Tenure.objects.filter(seat__match=running, to_move=None).exists()


def test_all_pages_of_a_moved_match_are_told(guest, ann, bob, monkeypatch):
    match = opened(guest, bob)
    told = []
    monkeypatch.setattr(nudge, "_send", lambda groups, message: told.append((groups, message)))
    merging.move(guest, ann)
    groups, message = told[0]
    assert message == {"type": "nudge", "match": match.pk, "version": match.version + 1}
    assert sorted(groups) == sorted([f"match-{match.pk}", f"user-{ann.pk}", f"user-{bob.pk}"])
    assert told[1] == ([f"user-{guest.pk}"], {"type": "seat.lost", "match": match.pk})


def test_a_page_from_before_is_stale(guest, ann, bob):
    match = opened(guest, bob)
    seen, user = match.version, mover(match)
    merging.move(guest, ann)
    user = ann if user == guest else bob
    with pytest.raises(play.Stale):
        play.submit(match.pk, None, [legal(match, user)[0]], by=Move.By.USER, driver=user, seen=seen)


def at_once(*acts: Any) -> list[Any]:
    """Do all at the same moment; what each gave or how it was refused."""
    barrier, results = threading.Barrier(len(acts)), [None] * len(acts)

    def run(i: int, act: Any) -> None:
        try:
            barrier.wait()
            results[i] = act()
        except (play.Stale, lobby.Refusal, Seat.DoesNotExist) as refused:
            results[i] = refused
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(i, act)) for i, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_moving_twice_at_once_moves_once(guest, ann, bob):
    for _ in range(6):
        opened(guest, bob)
    results = at_once(*[lambda: merging.move(guest, ann)] * 3)
    assert sorted(results) == [0, 0, 6]
    assert Tenure.objects.filter(why="moved").count() == 6


def drawing(match: Match, user: Any) -> Any:
    """A turn as it is sent from the page that its user has now."""
    version = match.version
    return lambda: play.submit(match.pk, None, [DrawStock()], by=Move.By.USER, driver=user, seen=version, draft=0)


def test_moving_against_a_turn_has_an_order(ann, bob):
    for _ in range(6):
        one = make_guest("", "UTC")
        match = opened(one, bob)
        while mover(match) != one:
            take_turn(match, bob)
        before = match.moves
        moved, played = at_once(lambda one=one: merging.move(one, ann), drawing(match, one))
        match.refresh_from_db()
        assert moved == 1
        assert seated(match) == ["ann", "bob"]
        assert match.moves == before + (0 if isinstance(played, Exception) else 1)
        running = Tenure.objects.get(seat__match=match, seat__index=0, to_move=None)
        assert (running.user, running.from_move) == (ann, match.moves + 1)
        do(match, ann, legal(match, ann)[0])


def test_moving_against_the_account_joining_seats_it_once(guest, ann, bob):
    for _ in range(8):
        one = make_guest("", "UTC")
        match = lobby.open_match(one, "basic-rummy", seats=["open", "open"], pace="1d", cut=CUT)
        moved, joined = at_once(
            lambda one=one: merging.move(one, ann), lambda m=match: lobby.join(m.pk, ann, CUT)
        )  # fmt: skip
        names = seated(match)
        assert names.count("ann") == 1
        assert (moved == 1) == isinstance(joined, lobby.Refusal)
        assert (one.username in names) == (moved == 0)


def test_the_offer_costs_the_same_for_many_matches(guest, device, ann, bob):
    def cost() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            device.get("/accounts/move/")
        return len(queries)

    opened(guest, bob)
    device.post("/accounts/login/", LOGIN)
    few = cost()
    for _ in range(5):
        opened(guest, bob)
    assert cost() == few <= 12


def test_a_move_that_tells_the_guest_something_and_the_merging_do_not_wait_for_each_other(guest, ann, bob, monkeypatch):
    match = opened(guest, bob)
    holds_match, holds_users, failed = threading.Event(), threading.Event(), list[Exception]()
    monkeypatch.setattr(merging.people, "move", lambda guest, account: holds_users.set())

    def tells() -> None:
        try:
            with writing():
                locked(match.pk)
                holds_match.set()
                holds_users.wait(1)  # on SQLite writers queue, and the other one waits for all of this
                tell("nudged", [guest], match, {"by": bob.pk})
        except Exception as error:
            failed.append(error)
        finally:
            connection.close()

    other = threading.Thread(target=tells)
    other.start()
    holds_match.wait(5)
    assert merging.move(guest, ann) == 1
    other.join()
    assert failed == []


def awaited(guest, other):
    """A match at which the guest is awaited, and the notice of that."""
    match = opened(guest, other)
    while mover(match) != guest or not Notice.objects.filter(user=guest, kind="your_turn").exists():
        take_turn(match, mover(match))
    return match, Notice.objects.filter(user=guest, kind="your_turn").latest("pk")


def told_of(user):
    return list(Notice.objects.filter(user=user, kind="your_turn").order_by("pk"))


def test_a_turn_that_waits_is_told_to_the_account_by_its_own_channels(guest, ann, bob):
    match, before = awaited(guest, bob)
    Notice.objects.filter(pk=before.pk).update(spread_at=before.at)
    merging.move(guest, ann)
    (now,) = told_of(ann)
    assert (now.key, now.about, now.spread_at, now.read_at) == (before.key, before.about, None, None)
    assert not Notice.objects.filter(pk=before.pk).exists()
    take_turn(match, ann)
    assert len(told_of(ann)) == 1


def test_a_turn_that_a_device_of_the_guest_has_told_is_not_told_again(guest, ann, bob):
    _match, before = awaited(guest, bob)
    Notice.objects.filter(pk=before.pk).update(spread_at=before.at)
    Delivery.objects.create(notice=before, channel="push", state="sent", due_at=before.at, sent_at=before.at)
    merging.move(guest, ann)
    (now,) = told_of(ann)
    assert now.pk == before.pk and now.spread_at is not None
    assert not told_of(guest)


def test_the_account_is_told_as_it_wants_and_what_the_guest_muted_stays_muted(guest, ann, bob):
    muted, _before = awaited(guest, bob)
    MutedMatch.objects.create(user=guest, match=muted)
    merging.move(guest, ann)
    assert not told_of(ann) and MutedMatch.objects.filter(user=ann, match=muted).exists()
    other = make_guest("en", "UTC")
    awaited(other, bob)
    NoticeSettings.objects.create(user=ann, matrix={f"your_turn.{one}": "off" for one in ("page", "email", "push")})
    merging.move(other, ann)
    assert not told_of(ann)
