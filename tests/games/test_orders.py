"""Standing orders at the table: left, read back, carried out, dropped, taken back; private."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import agreements, drafts, halts, orders, play, tables
from games.models import Draft, Match, Move, Notice, Seat, StandingOrder
from games.rules.actions import Discard, DrawStock, Meld, Pass, TakeDiscard
from games.rules.cards import card, cards
from games.rules.errors import Malformed
from games.rules.knocking import TakeUpcard
from games.rules.orders import Order

from .playing import do, legal, opened, seat_of
from .stacking import stack
from .test_races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

BOBS = "2S 3S 5H 7H 7D 9C TC JD KD QH"
ANNS = "4H 6S 8S QS KS 9D QD AC 5C JH"


def gin(monkeypatch, ann, bob, draws="8D 4C", up="3D", **chosen):
    """Both have passed the upcard, bob has drawn the first card of ``draws`` and thrown the king; ann is to draw."""
    stack(monkeypatch, BOBS, ANNS, up=up, stock=draws)
    match = opened(ann, bob, preset="gin", **chosen)
    do(match, bob, Pass())
    do(match, ann, Pass())
    play.drive(match.pk)
    match.refresh_from_db()
    do(match, bob, Discard(card("KD")))
    return match


def rummy(monkeypatch, ann, bob):
    """Bob has drawn and thrown his king; ann is to draw."""
    stack(monkeypatch, "2S 3S 5H 7H 7D 9C KD", "4H 6S 8S QS KS 9D QD", up="3D", stock="8D TH 7S 6C")
    match = opened(ann, bob, preset="basic-rummy", hand_size=7)
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    return match


def leave(match, user, **how):
    match.refresh_from_db()
    orders.give(match.pk, user, Order(**how), match.version)


def ann_throws(match, ann, one, draw=None):
    do(match, ann, draw or DrawStock())
    do(match, ann, Discard(card(one)))
    play.drive(match.pk)
    match.refresh_from_db()


def seen_order(match, user):
    return tables.board(Match.objects.get(pk=match.pk), user).order


def page(match, user, name="games:match"):
    client = Client()
    client.force_login(user)
    return re.sub(r"\s+", " ", client.get(reverse(name, args=[match.pk])).content.decode())


def told(match, user):
    return set(Notice.objects.filter(match=match, user=user).values_list("kind", flat=True))


def test_an_order_plays_the_turn_and_the_next_player_is_told(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    leave(match, bob, end="drawn_or_named", cards=cards("QH"))
    Notice.objects.all().delete()
    ann_throws(match, ann, "KS", None)

    assert match.turn == seat_of(match, ann).index
    acts = list(Move.objects.filter(match=match, by=Move.By.ORDER).order_by("number").values_list("action", "seat"))
    assert [a["type"] for a, _seat in acts] == ["draw_stock", "discard"]
    assert told(match, ann) == {"your_turn"}
    assert not told(match, bob)
    assert seen_order(match, bob).why == "done"
    assert "Your order has played your turn." in page(match, bob)
    assert "Your order played for you." in page(match, bob)
    assert "order played" not in page(match, ann)


def test_an_order_that_waits_draws_and_tells_its_owner_only(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    leave(match, bob, take_with=cards("7H 7D"))
    Notice.objects.all().delete()
    before = match.due_at
    ann_throws(match, ann, "KS")

    assert match.turn == seat_of(match, bob).index
    assert len(tables.board(match, bob).hand) == 11
    assert match.due_at > before
    assert match.wake_at > match.due_at, "the site has nothing more to do before the clock"
    notice = Notice.objects.get(match=match, user=bob)
    assert (notice.kind, notice.about["order"]) == ("your_turn", "asked")
    assert "waits for your discard" in page(match, bob)
    assert not told(match, ann)
    do(match, bob, Discard(card("QH")))
    assert seen_order(match, bob) is None, "after the own discard nothing is left to tell"


def test_an_order_for_three_turns_lasts_for_three(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob, draws="8D 4C AH 2H 3H 4D 6C")
    leave(match, bob, end="named", cards=cards("QH JD"), turns=3)
    for throw in ("KS", "QS"):
        ann_throws(match, ann, throw)
        assert match.turn == seat_of(match, ann).index
    assert seen_order(match, bob).order == Order(end="named", turns=1)
    ann_throws(match, ann, "QD")

    assert match.turn == seat_of(match, bob).index
    assert seen_order(match, bob).why == "no_card"
    throws = Move.objects.filter(match=match, by=Move.By.ORDER, action__type="discard").order_by("number")
    assert [move.action["card"] for move in throws] == ["QH", "JD"]


def test_a_discard_that_makes_the_meld_is_taken(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob, draws="8D 7S")
    leave(match, bob, take_with=cards("7H 7D"), end="named", cards=cards("QH"))
    ann_throws(match, ann, "7S")
    assert card("7S") in tables.board(match, bob).hand
    assert match.turn == seat_of(match, ann).index


def test_the_dealers_order_passes_the_upcard_and_goes_on(ann, bob, monkeypatch):
    stack(monkeypatch, BOBS, ANNS, up="3D", stock="8D 4C AS")
    match = opened(ann, bob, preset="gin")
    leave(match, ann, passes=True, end="drawn_or_wait")
    do(match, bob, Pass())
    play.drive(match.pk)
    match.refresh_from_db()
    assert match.turn == seat_of(match, bob).index
    assert not seen_order(match, ann).why
    do(match, bob, Discard(card("KD")))
    play.drive(match.pk)
    match.refresh_from_db()
    assert match.turn == seat_of(match, bob).index
    assert Move.objects.filter(match=match, by=Move.By.ORDER).count() == 3


def test_lay_offs_of_an_order_that_waits_lie_in_the_draft(ann, bob, monkeypatch):
    stack(monkeypatch, "2S 3S 5H 8H 8D QC KD", "9H TH JH QS KS 2D 3C", up="3D", stock="8C TS QH 6C 4C")
    match = opened(ann, bob, preset="basic-rummy", hand_size=7)
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    do(match, ann, DrawStock())
    do(match, ann, Meld(cards("9H TH JH")))
    do(match, ann, Discard(card("KS")))
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("QC")))
    leave(match, bob, lay_off=True)
    ann_throws(match, ann, "2D")

    assert [a["type"] for a in Draft.objects.get(seat=seat_of(match, bob)).actions] == ["lay_off"]
    board = tables.board(match, bob)
    assert card("QH") not in board.hand
    drafts.undo(match.pk, seat_of(match, bob), drafts.Seen.read(board.seen))
    assert card("QH") in tables.board(match, bob).hand


def test_a_discard_taken_by_somebody_is_a_surprise(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    leave(match, bob, end="drawn_or_wait")
    ann_throws(match, ann, "QS", TakeDiscard())
    assert match.turn == seat_of(match, bob).index
    assert not Move.objects.filter(match=match, by=Move.By.ORDER).exists()
    assert "Your order was dropped: ann took a card from the discards." in page(match, bob)
    assert Notice.objects.filter(match=match, user=bob, about__order="took").exists()
    assert match.wake_at > match.due_at


def test_an_upcard_taken_by_somebody_is_a_surprise(ann, bob, monkeypatch):
    stack(monkeypatch, BOBS, ANNS, up="3D", stock="8D 4C")
    match = opened(ann, bob, preset="gin")
    leave(match, ann, passes=True)
    do(match, bob, TakeUpcard())
    assert seen_order(match, ann).why == "took", "told before the site has looked at it"
    do(match, bob, Discard(card("KD")))
    play.drive(match.pk)
    assert StandingOrder.objects.get().why == "took"


def test_a_meld_is_a_surprise_and_so_is_a_seat_that_is_given_up(ann, bob, cat, monkeypatch):
    stack(monkeypatch, "2S 3S 5H 7H 7D 9C KD", "9H TH JH QS KS 2D 3C", up="3D", stock="8D TS QH 6C 4S")
    match = opened(ann, bob, preset="basic-rummy", hand_size=7)
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    leave(match, bob, end="drawn_or_wait")
    do(match, ann, DrawStock())
    do(match, ann, Meld(cards("9H TH JH")))
    ann_discards = Discard(card("KS"))
    do(match, ann, ann_discards)
    play.drive(match.pk)
    assert StandingOrder.objects.get().why == "melded"

    three = opened(ann, bob, cat, preset="basic-rummy", hand_size=7)
    play.drive(three.pk)
    three.refresh_from_db()
    mover = three.seats.get(index=three.turn)
    owner, other = list(three.seats.exclude(index=three.turn).order_by("index"))
    leave(three, owner.user, end="drawn_or_wait")
    play.resign(three.pk, other.index)
    assert seen_order(three, owner.user).why == "seats"
    assert mover.user not in (owner.user, other.user)


def test_an_order_waits_for_its_owner_where_he_could_knock(ann, bob, monkeypatch):
    stack(monkeypatch, "2S 3S 4S 7H 7D 7C 9C TC JC KD", ANNS.replace("4H", "4D"), up="3D", stock="KH 5S")
    match = opened(ann, bob, preset="gin")
    do(match, bob, Pass())
    leave(match, bob, end="drawn_or_wait")
    do(match, ann, Pass())
    play.drive(match.pk)
    match.refresh_from_db()
    assert match.turn == seat_of(match, bob).index
    assert seen_order(match, bob).why == "knock"
    assert "you could knock" in page(match, bob)


def test_a_move_of_the_owner_ends_his_order(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    leave(match, bob, end="drawn_or_wait")
    do(match, ann, DrawStock())
    do(match, ann, Discard(card("KS")))
    do(match, bob, DrawStock())  # he is quicker than the site
    play.drive(match.pk)
    assert StandingOrder.objects.get().why == "own"
    assert not Move.objects.filter(match=match, by=Move.By.ORDER).exists()
    assert seen_order(match, bob) is None


def test_an_order_that_the_rules_refuse_is_dropped_and_the_turn_waits(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    leave(match, bob, end="named", cards=cards("QH"))
    row = StandingOrder.objects.get()
    row.order["cards"] = ["KS"]  # a card that he will not hold
    row.save()
    ann_throws(match, ann, "QS")
    assert StandingOrder.objects.get().why == "refused"
    assert match.turn == seat_of(match, bob).index
    assert match.wake_at > match.due_at


def test_no_order_for_an_own_turn_a_live_match_or_cards_of_others(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    match.refresh_from_db()
    for user, order in ((ann, Order()), (bob, Order(end="named", cards=cards("AC"))), (bob, Order(passes=True))):
        with pytest.raises(Malformed):
            orders.give(match.pk, user, order, match.version)
    with pytest.raises(play.Stale):
        orders.give(match.pk, bob, Order(), match.version - 1)
    live = opened(ann, bob, preset="gin", pace="60s")
    with pytest.raises(Malformed):
        orders.give(live.pk, bob if live.turn == 0 else ann, Order(), live.version)
    client = Client()
    client.force_login(bob)
    assert client.get(reverse("games:orders", args=[live.pk])).status_code == 404
    assert not StandingOrder.objects.exists()


def test_an_order_is_read_back_before_it_is_left_and_can_be_removed(ann, bob, cat, monkeypatch):
    match = gin(monkeypatch, ann, bob)
    client, address = Client(), reverse("games:orders", args=[match.pk])
    client.force_login(bob)
    form = client.get(address).content.decode()
    seen = re.search(r'name="seen" value="(\d+)"', form).group(1)
    chosen = {"seen": seen, "draw": "take", "take": ["7H", "7D", "QH"], "end": "named", "throw": ["QH"], "turns": "2"}

    read = re.sub(r"\s+", " ", client.post(address, {**chosen, "do": "check"}).content.decode())
    assert not StandingOrder.objects.exists()
    assert "This is for your next 2 turns" in read
    assert "If one of these lies on the discards, you take it" in read
    saved = client.post(address, {**chosen, "do": "save"})

    assert saved.status_code == 303
    assert StandingOrder.objects.get().order["take_with"] == ["7H", "7D"], "what goes is not collected"
    table = page(match, bob)
    assert "An order waits" in table
    assert reverse("games:remove_order", args=[match.pk]) in table
    client.post(reverse("games:remove_order", args=[match.pk]))
    client.post(reverse("games:remove_order", args=[match.pk]))
    assert "An order waits" not in page(match, bob)
    stranger = Client()
    stranger.force_login(cat)
    assert stranger.get(address).status_code == 404
    assert stranger.post(reverse("games:remove_order", args=[match.pk])).status_code == 404


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"end": "named"}, 422, "Choose the card that may be discarded."),
        ({"draw": "take", "take": ["2S", "KD"]}, 422, "These are not the cards of your hand any more."),
        ({"draw": "take", "take": ["2S", "QH"]}, 422, "No card makes a set or a run with two or more of these."),
        ({"end": "no such thing"}, 422, "These are not the cards of your hand any more."),
        ({"take": ["not a card"]}, 422, "These are not the cards of your hand any more."),
        ({"seen": "999"}, 409, "The table has changed meanwhile."),
        ({"seen": ""}, 409, "The table has changed meanwhile."),
    ],
)
def test_what_is_no_order_is_told_so(ann, bob, monkeypatch, change, status, sentence):
    match = gin(monkeypatch, ann, bob)
    client = Client()
    client.force_login(bob)
    sent = {"seen": str(match.version), "draw": "stock", "end": "wait", "do": "save"} | change
    answer = client.post(reverse("games:orders", args=[match.pk]), sent)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert not StandingOrder.objects.exists()


def test_an_order_left_while_the_other_moves_is_stale_or_is_carried_out(ann, bob, monkeypatch):
    for _race in range(4):
        match = gin(monkeypatch, ann, bob, draws="8D 4C AH 2H")
        do(match, ann, DrawStock())
        version, seen = match.version, tables.board(match, ann).seen

        def throw(match=match, seen=seen):
            drafts.act(match.pk, seat_of(match, ann), Discard(card("KS")), drafts.Seen.read(seen))

        def give(match=match, version=version):
            orders.give(match.pk, bob, Order(end="drawn_or_wait"), version)

        results = at_once(throw, give)
        play.drive(match.pk)
        match.refresh_from_db()
        assert results[0] == "won"
        acted = Move.objects.filter(match=match, by=Move.By.ORDER).exists()
        assert acted == (results[1] == "won")
        assert match.turn == seat_of(match, ann if acted else bob).index


def test_an_order_removed_while_it_acts_acts_wholly_or_not_at_all(ann, bob, monkeypatch):
    for _race in range(4):
        match = gin(monkeypatch, ann, bob, draws="8D 4C AH 2H")
        leave(match, bob, end="drawn_or_wait")
        do(match, ann, DrawStock())
        do(match, ann, Discard(card("KS")))
        mine = seat_of(match, bob)
        results = at_once(
            lambda match=match: play.drive(match.pk),
            lambda match=match, mine=mine: orders.take_back(match.pk, mine),
            lambda match=match, mine=mine: orders.take_back(match.pk, mine),
        )
        play.drive(match.pk)
        match.refresh_from_db()
        assert set(results) == {"won"}
        acts = Move.objects.filter(match=match, by=Move.By.ORDER).count()
        assert acts in (0, 1, 2)
        assert (match.turn == seat_of(match, ann).index) == (acts == 2)
        assert match.wake_at > match.due_at
        assert acts == 2 or StandingOrder.objects.get(seat=mine).why == "removed"


def test_two_drivers_carry_an_order_out_once(ann, bob, monkeypatch):
    match = gin(monkeypatch, ann, bob, draws="8D 4C AH 2H")
    leave(match, bob, end="drawn_or_wait")
    do(match, ann, DrawStock())
    do(match, ann, Discard(card("KS")))
    at_once(*[lambda: play.drive(match.pk)] * 3)
    assert Move.objects.filter(match=match, by=Move.By.ORDER).count() == 2
    assert Seat.objects.filter(match=match).count() == 2
    assert legal(match, ann)


def test_an_order_left_during_a_pause_is_dropped_when_the_site_ends_the_pause_and_the_match_goes_on(
    monkeypatch, ann, bob, time_machine
):
    time_machine.move_to(timezone.now(), tick=False)
    match = gin(monkeypatch, ann, bob)
    agreements.propose(match.pk, ann, "pause")
    agreements.answer(match.pk, bob, yes=True)
    leave(match, bob, end="named", cards=cards("QH"))
    time_machine.shift(halts.LONGEST_PAUSE + timedelta(minutes=1))
    play.drive(match.pk)
    ann_throws(match, ann, "4H")
    assert match.paused_at is None and match.turn == seat_of(match, bob).index and match.due_at is not None
    row = StandingOrder.objects.get(seat=seat_of(match, bob))
    assert row.why == "seats" and row.who is None
    assert "Your order was dropped: who plays, or how, has changed." in page(match, bob)
