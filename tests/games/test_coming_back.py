"""Coming back: what happened since the last visit in words and move by move, what one can know, notes, "later"."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import drafts, play, tables, tape
from games.models import Match, Note, Seat
from games.replay import replay
from games.rules.actions import Discard, DrawStock, TakeDiscard
from games.rules.table import Outcome
from games.views import onward

from .playing import do, legal, mover, opened, play_on, seat_of, take_turn

pytestmark = pytest.mark.django_db


def page(user):
    client = Client()
    client.force_login(user)
    return client


def see(user, match, name="games:match", **query):
    return page(user).get(reverse(name, args=[match.pk]), query)


def words(answer):
    """The text of a page, cards as their names."""
    text = re.sub(r'<[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", answer.content.decode())
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def away(match, user, turns=2):
    """The user looks, plays a turn and goes; the others play so many turns."""
    while mover(match) != user:
        take_turn(match, mover(match))
    see(user, match)
    take_turn(match, user)
    see(user, match)
    for _turn in range(turns):
        other = mover(match)
        if other != user and other is not None:
            take_turn(match, other)
    match.refresh_from_db()


# --- in words ---------------------------------------------------------------------------------------------------------


def test_who_comes_back_reads_at_the_table_what_happened_since_and_puts_it_aside(ann, bob, cat):
    match = opened(ann, bob, cat, hand_size=10)
    away(match, ann)

    shown = see(ann, match)

    assert 'id="previously"' in shown.content.decode()
    told = shown.context["page"].previously.lines
    assert any("bob" in line for line in told) and any("cat" in line for line in told)
    assert 'id="previously"' in see(ann, match).content.decode()  # a reload does not eat it
    part = page(ann).get(reverse("games:parts", args=[match.pk]), {"have": 0, "previously": 1})
    assert 'id="previously"' in part.content.decode()
    assert 'id="previously"' not in see(cat, match).content.decode()  # who has just played has missed nothing
    version = Match.objects.get(pk=match.pk).version
    assert page(ann).post(reverse("games:caught_up", args=[match.pk])).status_code == 303
    assert 'id="previously"' not in see(ann, match).content.decode()
    assert Match.objects.get(pk=match.pk).version == version
    assert (
        page(ann).post(reverse("games:caught_up", args=[match.pk]), headers={"HX-Request": "true"}).status_code == 200
    )


def test_news_do_not_come_up_while_one_sits_at_the_table_or_plays(ann, bob):
    match = opened(ann, bob)
    away(match, ann)
    open_page = page(ann).get(reverse("games:parts", args=[match.pk]), {"have": 0})
    assert "previously" not in open_page.content.decode()
    board_seen = see(ann, match)
    assert 'id="previously"' in board_seen.content.decode()
    do(match, ann, DrawStock())
    part = page(ann).get(reverse("games:parts", args=[match.pk]), {"have": 0})
    assert 'id="previously"' not in part.content.decode()


def test_nothing_is_told_on_the_first_visit_nor_in_a_live_match(ann, bob):
    match = opened(ann, bob)
    first = mover(match)
    take_turn(match, first)
    other = bob if first == ann else ann
    assert 'id="previously"' not in see(other, match).content.decode()
    live = opened(ann, bob, pace="60s")
    away(live, ann)
    assert 'id="previously"' not in see(ann, live).content.decode()


def test_a_deal_that_ended_meanwhile_is_told_with_its_result_and_a_way_to_the_sheet(ann, bob):
    match = opened(ann, bob, target=10000, hand_size=6)
    mover(match)
    see(ann, match)
    while match.deal_number == 1:
        play_on(match, turns=1)
    while mover(match) != ann:
        take_turn(match, bob)
    page(ann).post(reverse("games:ready", args=[match.pk]), {"deal": 1})
    # here her turns were sent by a program: she herself has not looked since the beginning
    match.seats.filter(user=ann).update(looked_deal=1, looked_events=1, recap_deal=0, recap_events=0)

    shown = see(ann, match)

    deals = shown.context["page"].previously.deals
    assert [deal.number for deal in deals] == [1]
    assert deals[0].headline in shown.content.decode()
    panel = shown.content.decode().split('id="previously"')[1].split("</section>")[0]
    assert reverse("games:sheet", args=[match.pk]) in panel and reverse("games:since", args=[match.pk]) in panel
    tape._kept.clear()
    client = page(ann)
    with CaptureQueriesContext(connection) as queries:
        shown = client.get(reverse("games:since", args=[match.pk]), {"step": 999})
    assert len(queries) <= 12
    last = shown.context["replay"]
    assert last.steps == last.at <= 60 and last.deal == match.deal_number
    earlier = [replay(match, ann, at) for at in range(last.steps - 4, last.steps)]
    end = next(one for one in earlier if one.ended and one.last)
    assert {"out", "blocked"} & {line.what for line in end.lines}
    assert "The score of deal 1" in words(see(ann, match, "games:since", step=end.at))


# --- move by move -----------------------------------------------------------------------------------------------------


def test_the_replay_steps_through_the_moves_since_my_visit_and_draws_each_table_as_i_saw_it(ann, bob, cat):
    match = opened(ann, bob, cat, hand_size=10)
    away(match, ann)
    mine = seat_of(match, ann).index
    hand = set(tape.read(match, tape.current_deal(match)).table.hands[mine])

    first = replay(match, ann)

    assert first.steps >= 4 and first.at == 1 and not first.again
    for step in range(1, first.steps + 1):
        one = replay(match, ann, step)
        assert set(one.board.view.hand) == hand
        assert one.board.view.hands == () and one.board.view.drawn is None
        assert all(line.seat != mine for line in one.lines) and one.lines
    shown = see(ann, match, "games:since", step=2)
    assert shown.context["replay"].at == 2
    assert "Move 2 of" in words(shown)
    assert 'href="?step=1"' in shown.content.decode() and 'href="?step=3"' in shown.content.decode()
    assert words(see(ann, match, "games:since", step=first.steps)).count("To the table") == 1
    for wrong in ("0", "99999", "x", "-1", "٣"):
        assert see(ann, match, "games:since", step=wrong).status_code == 200


def test_a_replay_is_no_visit_and_is_for_who_has_a_seat(ann, bob, cat):
    match = opened(ann, bob)
    away(match, ann)
    before = Seat.objects.filter(match=match).order_by("pk").values_list()
    rows = list(before)
    see(ann, match, "games:since")
    assert list(before.all()) == rows
    for name in ("games:since", "games:known", "games:note"):
        assert see(cat, match, name).status_code == 404
        assert Client().get(reverse(name, args=[match.pk])).status_code == 302


def test_with_nothing_new_the_replay_goes_back_to_my_turn_before(ann, bob):
    match = opened(ann, bob)
    away(match, ann)
    see(ann, match)
    do(match, ann, DrawStock())
    see(ann, match)
    shown = see(ann, match, "games:since")
    assert shown.context["replay"].again
    assert shown.context["replay"].steps
    assert "Nothing is new" in words(shown)


def test_a_replay_is_told_of_what_the_clock_and_a_resignation_did(ann, bob, cat):
    match = opened(ann, bob, cat)
    away(match, ann)
    play.resign(match.pk, seat_of(match, bob).index)
    match.refresh_from_db()
    told = [line.what for at in range(1, 20) for line in replay(match, ann, at).lines]
    assert "resigned" in told


# --- memory -----------------------------------------------------------------------------------------------------------


def a_deal_with_a_past(users, memory):
    """Some rounds of draws and takes without a meld, so that there is something to remember or to forget."""
    match = opened(*users, preset="gin")
    Match.objects.filter(pk=match.pk).update(memory=memory)
    for turn in range(10):
        user = mover(match)
        actions = legal(match, user)
        passes = [a for a in actions if a.name == "pass"]
        if passes:
            do(match, user, passes[0])
            continue
        takes = [a for a in actions if isinstance(a, TakeDiscard) and turn % 3 == 0]
        draws = takes or [a for a in actions if isinstance(a, DrawStock)]
        if draws:  # else the site has drawn, since nothing else was possible
            do(match, user, draws[0])
        do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))
    match.refresh_from_db()
    return match


@pytest.mark.parametrize("memory", ["all", "discards", "none"])
def test_what_i_know_reaches_as_far_as_the_match_remembers(ann, bob, memory):
    match = a_deal_with_a_past((ann, bob), memory)
    me = mover(match)
    mine = seat_of(match, me).index
    table = tape.read(match, tape.current_deal(match)).table
    thrown = [event.cards[0] for event in table.events if event.kind == "discarded"]
    my_turn = max(i for i, e in enumerate(table.events) if e.seat == mine and e.kind in ("drew", "took"))
    recent = [event.cards[0] for event in table.events[my_turn:] if event.kind == "discarded"]
    assert len(recent) < len(thrown)

    shown = see(me, match, "games:known")

    told = [card for card, seat, _became in shown.context["known"].throws if seat is not None]
    assert told == (thrown if memory in ("all", "discards") else recent)
    held = {card for hand in shown.context["known"].hands for card in hand.cards}
    theirs = set(table.hands[1 - mine])
    assert held <= theirs
    taken = {event.cards[0] for event in table.events if event.kind == "took" and event.seat != mine}
    if memory == "all":
        assert held == taken & theirs and held
    unknown = set(table.stock) | (theirs - held)
    places = {card: place for row in shown.context["known"].rows for card, place, _words in row}
    for card in unknown:
        assert places[card] in ("", "thrown")  # thrown once, and taken when the match no longer remembers it
        if memory == "all":
            assert places[card] == ""


@pytest.mark.parametrize("memory", ["discards", "none"])
def test_the_replay_forgets_what_the_match_forgets(ann, bob, memory):
    match = a_deal_with_a_past((ann, bob), memory)
    me = mover(match)
    Seat.objects.filter(match=match, user=me).update(looked_deal=1, looked_events=0, recap_deal=1, recap_events=0)
    table = tape.read(match, tape.current_deal(match)).table
    mine = seat_of(match, me).index
    my_turn = max(i for i, e in enumerate(table.events) if e.seat == mine and e.kind in ("drew", "took"))

    first = replay(match, me)

    assert first.left_out and first.steps == len(table.events) - my_turn
    assert "This match forgets" in words(see(me, match, "games:since"))
    Match.objects.filter(pk=match.pk).update(memory="all")
    match.refresh_from_db()
    assert replay(match, me).steps > first.steps and not replay(match, me).left_out


# --- notes ------------------------------------------------------------------------------------------------------------


def test_a_note_is_kept_with_its_turn_and_changes_nothing_of_the_match(ann, bob):
    match = play_on(opened(ann, bob), turns=3)
    version, moves = match.version, match.moves
    client, there = page(ann), reverse("games:note", args=[match.pk])

    assert client.post(there, {"text": "He keeps <b>queens</b>.\r\nWatch out."}, follow=True).status_code == 200

    kept = Note.objects.get(match=match, user=ann)
    assert (kept.text, kept.deal) == ("He keeps <b>queens</b>.\nWatch out.", match.deal_number)
    shown = client.get(there).content.decode()
    assert "He keeps &lt;b&gt;queens&lt;/b&gt;." in shown and "Last changed in deal 1, turn" in shown
    match.refresh_from_db()
    assert (match.version, match.moves) == (version, moves)
    long = client.post(there, {"text": "x" * 2001})
    assert long.status_code == 422 and "at most 2000 characters" in long.content.decode()
    assert Note.objects.get(match=match, user=ann).text == kept.text
    part = client.post(there, {"text": "Jacks."}, headers={"HX-Request": "true"})
    assert part.status_code == 200 and "<html" not in part.content.decode() and "is kept" in part.content.decode()
    assert client.post(there, {"text": "nul \x00"}, headers={"HX-Request": "true"}).status_code == 200
    client.post(there, {"text": "  "})
    assert not Note.objects.exists()


def test_a_note_stays_after_the_match_for_its_writer_alone_and_goes_with_the_account(ann, bob):
    match = opened(ann, bob)
    page(ann).post(reverse("games:note", args=[match.pk]), {"text": "Secret plan."})
    play.resign(match.pk, seat_of(match, bob).index)
    assert "Secret plan." in see(ann, match).content.decode()
    for user in (bob,):
        for name in ("games:match", "games:note", "games:since", "games:sheet", "games:known"):
            assert "Secret plan." not in see(user, match, name).content.decode()
    assert "Secret plan." not in Client().get(reverse("games:match", args=[match.pk])).content.decode()
    page(ann).post("/accounts/close/", {"password": "correct horse"})
    assert not Note.objects.exists()


# --- the queue --------------------------------------------------------------------------------------------------------


def awaiting(user, other, count):
    """So many matches in which it is this user's turn, the oldest deadline first."""
    found = []
    while len(found) < count:
        match = opened(user, other)
        if mover(match) != user:
            take_turn(match, other)
        found.append(match)
    return found


def test_later_puts_a_table_behind_the_others_and_never_hides_it(ann, bob):
    first, second, third = awaiting(ann, bob, 3)
    client = page(ann)
    assert client.get(reverse("games:badge")).json()["next"] == f"/matches/{first.pk}/"

    answer = client.post(reverse("games:later", args=[first.pk]))

    assert answer.url == f"/matches/{second.pk}/"
    badge = client.get(reverse("games:badge")).json()
    assert (badge["waiting"], badge["next"]) == (3, f"/matches/{second.pk}/")
    assert see(ann, third).context["page"].others == [second.pk, first.pk]
    assert [glance.row.pk for glance in client.get(reverse("games:tables")).context["awaiting"]] == [
        second.pk,
        third.pk,
        first.pk,
    ]
    assert tables.queue(ann) == list(tables.waiting_for(ann).values_list("pk", flat=True))
    Seat.objects.update(later_until=None)
    assert see(ann, third).context["page"].others == [first.pk, second.pk]
    assert page(bob).post(reverse("games:later", args=[first.pk])).status_code == 302
    cat = type(ann).objects.create(username="kitten")
    assert page(cat).post(reverse("games:later", args=[first.pk])).status_code == 404


def test_who_wants_it_goes_on_to_the_next_table_after_a_turn_and_reads_there_what_was_sent(ann, bob):
    first, second = awaiting(ann, bob, 2)
    client = page(ann)

    def play_and_discard(match, **how):
        do(match, ann, DrawStock())
        board = client.get(reverse("games:match", args=[match.pk])).context["board"]
        card = next(a.card for a in board.view.legal if isinstance(a, Discard))
        act = {"do": "discard", "card": card, "seen": board.seen}
        return client.post(reverse("games:act", args=[match.pk]), act, **how)

    assert play_and_discard(first).url == f"/matches/{first.pk}/"  # off, as it is at first
    take_turn(first, bob)
    type(ann).objects.update(next_by_itself=True)

    answer = play_and_discard(first)

    assert (answer.status_code, answer.url) == (303, f"/matches/{second.pk}/")
    there = client.get(answer.url)
    assert "You discarded" in words(there) and f'<a href="/matches/{first.pk}/">' in there.content.decode()
    assert "just-sent" not in client.get(answer.url).content.decode()
    take_turn(first, bob)
    part = play_and_discard(second, headers={"HX-Request": "true"})
    assert part.headers["HX-Redirect"] == f"/matches/{first.pk}/" and not part.content
    assert "HX-Redirect" not in play_and_discard(first, headers={"HX-Request": "true"}).headers  # nothing waits


def test_a_turn_that_ends_the_deal_stays_at_its_table(ann, bob):
    first, _second = awaiting(ann, bob, 2)
    type(ann).objects.update(next_by_itself=True)
    ann.refresh_from_db()
    now = drafts_now(first, ann)
    assert onward.next_table(request_of(ann), now) is None  # a draw ends no turn
    table = replace(now.tape.table, outcome=Outcome("out", 0, (0, 0)), turn=1 - now.tape.table.turn)
    over = replace(now, tape=replace(now.tape, table=table))
    over.match.turn = None
    assert onward.next_table(request_of(ann), over) is None


def drafts_now(match, user):
    board = tables.board(Match.objects.get(pk=match.pk), user)
    seen = drafts.Seen.read(board.seen)
    now = drafts.act(match.pk, seat_of(match, user), DrawStock(), seen)
    assert now is not None
    return now


def request_of(user):
    request = RequestFactory().post("/")
    request.user = user
    return request
