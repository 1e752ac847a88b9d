"""Sitting down: joining, leaving, starting, links, races for a seat, rematches. Over HTTP, as people do it."""

import re

import pytest
from django.urls import reverse

from accounts.models import User
from games import fairness, lobby
from games.models import Match

from .playing import opened
from .sitting import ended
from .sitting_down import HEX, client, do, drivers, room

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def link(match):
    return reverse("games:invitation", args=[match.token])


@pytest.fixture
def table(ann):
    """A public match of ann with one free seat."""
    return lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")


@pytest.fixture
def large(ann):
    """A public match of ann with two free seats."""
    return lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")


def test_joining_takes_the_free_seat_and_starts_a_full_match(table, bob):
    answer = do(bob, "join", table, cut=HEX)

    table.refresh_from_db()
    assert answer.url == reverse("games:match", args=[table.pk])
    assert table.status == "running"
    seat = table.seats.get(user=bob)
    assert (seat.cut, seat.cut_by) == (HEX, "browser")


def test_a_typed_cut_goes_before_the_one_of_the_browser_and_none_is_marked_as_the_sites(large, bob, cat):
    do(bob, "join", large, cut=HEX, cut_typed="spades")
    do(cat, "join", large)

    assert large.seats.get(user=bob).cut == fairness.clean_cut("spades")
    assert [seat.cut_by for seat in large.seats.all()] == ["server", "typed", "server"]


@pytest.mark.parametrize("name", ["join", "leave", "start", "rematch", "answer", "invite", "new_link"])
def test_reading_an_address_never_acts(table, ann, bob, name):
    before = drivers(table)

    for method in ("get", "head"):
        for user in (ann, bob):
            assert getattr(client(user), method)(reverse(f"games:{name}", args=[table.pk])).status_code == 405
    assert drivers(table) == before


@pytest.mark.parametrize("name", ["leave", "start", "rematch", "answer", "invite", "new_link"])
def test_who_is_not_signed_in_signs_in_and_comes_back_to_the_match(table, name):
    answer = do(None, name, table)

    assert answer.url == f"{reverse('account_login')}?next={reverse('games:match', args=[table.pk])}"


@pytest.mark.parametrize("name", ["leave", "start", "rematch", "answer", "invite", "new_link"])
def test_a_stranger_finds_nothing_to_do_at_a_match(table, cat, name):
    assert do(cat, name, table, answer="yes").status_code == 404


def test_a_stranger_does_not_learn_that_a_private_match_exists(ann, bob, cat):
    private = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)

    assert do(cat, "join", private).status_code == 404
    lobby.join(private.pk, bob, ("", ""), private.token)
    assert do(cat, "join", private).status_code == 404
    assert do(cat, "join", Match(pk=private.pk + 1)).status_code == 404


def test_b30_who_sits_already_gets_no_second_seat_by_any_way(large, ann, bob):
    do(bob, "join", large)
    before = drivers(large)

    for user in (ann, bob):
        for answer in (do(user, "join", large), client(user).post(link(large))):
            assert answer.status_code == 409
            assert "You already have a seat at this match." in answer.content.decode()
    assert drivers(large) == before


def test_b30_the_own_link_leads_to_the_match_and_seats_nobody(table, ann):
    before = drivers(table)

    assert client(ann).get(link(table)).url == reverse("games:match", args=[table.pk])
    assert drivers(table) == before


def test_b30_accepting_a_rematch_twice_is_refused_with_a_sentence(ann, bob, cat):
    again = lobby.rematch(ended(ann, bob, cat).pk, ann)

    assert do(bob, "answer", again, answer="yes").status_code == 302
    before = drivers(again)
    for _ in range(2):
        answer = do(bob, "answer", again, answer="yes")
        assert answer.status_code == 409
        assert "You have answered already." in answer.content.decode()
    assert do(bob, "join", again).status_code == 409
    assert drivers(again) == before


def test_the_second_to_reach_for_the_last_seat_gets_one_clear_sentence(table, bob, cat):
    do(bob, "join", table)

    for answer in (do(cat, "join", table),):
        shown = answer.content.decode()
        assert answer.status_code == 409
        assert shown.count('role="alert"') == 1
        assert "This match has started already." in shown
    assert [user for _driver, user in drivers(table)][1] == bob.pk


def test_a_link_shows_the_table_to_anybody_and_seats_on_post_only(ann, bob):
    private = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True, chosen={"target": 300})
    before = drivers(private)

    for user in (None, bob):
        assert client(user).head(link(private)).status_code == 200
        shown = client(user).get(link(private)).content.decode()
        assert "to 300" in shown
        assert ann.shown_name in shown
        assert private.commitment in shown
    assert drivers(private) == before

    assert client(bob).post(link(private), {"cut": HEX}).url == reverse("games:match", args=[private.pk])
    assert drivers(private)[1] == ("user", bob.pk)


def test_a_stranger_with_a_link_sits_down_as_a_guest_in_one_tap(ann):
    private = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", private=True)
    browser = client()
    page = browser.get(link(private))
    assert "Sit down as a guest" in page.content.decode()
    assert f"{reverse('account_login')}?next={link(private)}" in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]

    answer = browser.post(link(private), {"cut": HEX})

    assert answer.url == reverse("games:match", args=[private.pk])
    seat = private.seats.get(index=1)
    assert (seat.user.is_guest, seat.cut) == (True, HEX)
    assert browser.get(answer.url).status_code == 200


def test_no_guest_is_made_for_a_seat_that_cannot_be_had(ann, bob):
    full, begun = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d"), opened(ann, bob)
    before = User.objects.count()

    for match in (full, begun):
        assert client().post(link(match)).status_code == 409
        assert do(None, "join", match).status_code == 409
    assert User.objects.count() == before


def test_one_address_makes_so_many_guests_by_a_link_and_is_then_told_when_to_come_back(ann):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"] * 5, pace="1d")
    others = [lobby.open_match(ann, "basic-rummy", seats=["open"] * 5, pace="1d") for _ in range(2)]

    codes = [client().post(link(one)).status_code for one in (match, *others) for _ in range(4)]

    assert codes == [302] * 10 + [429] * 2


def test_a_link_is_told_to_no_other_site(table):
    assert client().get(link(table)).headers["Referrer-Policy"] == "strict-origin"


def test_an_unknown_link_is_not_found(bob):
    assert client(bob).get(reverse("games:invitation", args=["0" * 32])).status_code == 404


@pytest.mark.parametrize("address", ["/join/a%00b/", "/join/%ff/", f"/matches/{10**20}/", f"/matches/{10**20}/noted/"])
def test_an_address_that_no_database_can_hold_is_not_found(bob, address):
    assert [client(bob).get(address).status_code, client(bob).post(address).status_code] == [404, 404]


def test_before_the_start_there_is_nothing_to_take_back(table, ann):
    assert do(ann, "undo", table, seen=f"{table.version}.0").status_code == 409


def test_a_link_to_a_match_that_has_begun_says_so_and_has_no_button(ann, bob, cat):
    match = opened(ann, bob)
    Match.objects.filter(pk=match.pk).update(private=True, title="Secret")

    for user in (cat, None):
        for answer in (client(user).get(link(match)), client(user).post(link(match), {"cut": HEX})):
            shown = answer.content.decode()
            assert "This match has started" in shown
            assert 'name="cut"' not in shown
            assert not any(word in shown for word in ("Secret", ">ann<", ">bob<", match.commitment))
        assert client(user).get(reverse("games:match", args=[match.pk]), {"token": match.token}).status_code == 404
    assert match.seats.filter(user=cat).count() == 0


def test_the_link_is_shown_only_to_those_who_sit(large, ann, bob, cat):
    do(bob, "join", large)

    assert f"http://testserver{link(large)}" in room(ann, large)
    assert f"http://testserver{link(large)}" in room(bob, large)
    assert large.token not in room(cat, large)
    assert large.token not in room(None, large)


def test_the_room_shows_the_prints_of_all_cuts_at_once_and_no_cut(large, bob, cat):
    do(bob, "join", large, cut=HEX)

    shown = room(cat, large)

    assert large.commitment in shown
    assert fairness.cut_hash(HEX) in shown
    assert not any(seat.cut in shown for seat in large.seats.all() if seat.cut)


def test_each_finds_the_buttons_that_are_theirs(large, ann, bob, cat):
    do(bob, "join", large)

    def acts(user):
        return set(re.findall(rf"action=\"/matches/{large.pk}/([\w/-]+)/\"", room(user, large)))

    assert acts(ann) == {"start", "leave", "invite", "new-link", "seats/1/remove"}
    assert acts(bob) == {"leave"}
    assert acts(cat) == {"join"}
    assert acts(None) == {"join"}


def test_whoever_opened_the_match_starts_it_with_bots_and_nobody_else(large, ann, bob):
    do(bob, "join", large)

    refused = do(bob, "start", large)
    assert refused.status_code == 409
    assert "Only the one who opened the match can start it." in refused.content.decode()
    assert do(ann, "start", large).status_code == 302

    large.refresh_from_db()
    assert large.status == "running"
    assert [driver for driver, _user in drivers(large)] == ["user", "user", "bot"]


def test_leaving_gives_the_seat_back_and_the_match_to_the_next(large, ann, bob):
    do(bob, "join", large)

    do(ann, "leave", large)

    large.refresh_from_db()
    assert (large.status, large.opener) == ("open", bob)
    assert drivers(large)[0] == ("open", None)


def test_leaving_a_match_that_has_begun_is_refused_with_the_way_out(ann, bob):
    match = opened(ann, bob)

    answer = do(ann, "leave", match)

    assert answer.status_code == 409
    assert "You can resign at its table." in answer.content.decode()


def test_a_cancelled_match_says_so(table, ann, bob):
    do(ann, "leave", table)

    assert "This match was cancelled before it began." in room(bob, table)
    assert do(bob, "join", table).status_code == 409
