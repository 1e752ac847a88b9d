"""The leak test: redeal the cards that a viewer cannot see, and all that the site sends stays the same byte for byte.

Held fixed: the clock, the CSRF token and the nonce (masked), the commitment (the row of the deal is not touched; only
the order that its secret stands for is changed while the pages are asked again).
"""

import random
import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import absence, drafts, fairness, orders, play, tables, tape
from games.models import Deal, Draft, Feed, Match, Move, Notice, SeatOffer, StandingOrder
from games.notices import keys, mail, tell
from games.notices.kinds import KINDS
from games.pen import running
from games.rules.actions import Discard, DrawStock, Meld, TakeDiscard
from games.rules.orders import Order
from games.writing import writing

from .facts import facts
from .playing import do, legal, mover, opened, seat_of

pytestmark = [pytest.mark.django_db(transaction=True)]

MASKS = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]+'), r"\1-"),
    (re.compile(r'("X-CSRFToken": ?")[^"]+'), r"\1-"),
    (re.compile(r"(&quot;X-CSRFToken&quot;: ?&quot;)[^&]+"), r"\1-"),
    (re.compile(r'(nonce=")[^"]+'), r"\1-"),
)
NOW = "2026-11-30T12:00:00+00:00"


def pages(match, client):
    """Everything that this client can be sent about the match."""
    told = {}
    for name in ("games:match", "games:parts", "games:sheet", "games:since", "games:known", "games:note"):
        told[name] = client.get(reverse(name, args=[match.pk]), {"have": 0, "hand": ""} if "parts" in name else {})
    for name in ("games:fairness", "games:proof", "games:preview"):
        told[name] = client.get(reverse(name, args=[match.pk]))
    for name in ("games:export", "games:export_text"):
        told[name] = client.get(reverse(name, args=[match.pk]))
    told["games:deal"] = client.get(reverse("games:deal", args=[match.pk, match.deal_number]))
    for step in (1, 2, 5, 60):
        told[f"step {step}"] = client.get(reverse("games:since", args=[match.pk]), {"step": step})
    told["games:check"] = client.get(reverse("games:check"), {"match": match.pk})
    told["games:observatory"] = client.get(reverse("games:observatory"))
    for name in ("games:tables", "games:lobby", "games:badge", "games:home", "games:notices", "games:devices"):
        told[name] = client.get(reverse(name))
    for name, token in feeds_of(client).items():
        told[name] = Client().get(reverse(name, args=[token]))
    act = {"do": "discard", "card": "2C", "seen": "1.0"}
    told["stale"] = client.post(reverse("games:act", args=[match.pk]), act)
    told["stale part"] = client.post(reverse("games:act", args=[match.pk]), act, headers={"HX-Request": "true"})
    return {name: (answer.status_code, headers(answer), masked(answer)) for name, answer in told.items()}


def feeds_of(client):
    """The private calendar and feed of who is signed in; their tokens are the same each time."""
    user = client.session.get("_auth_user_id")
    names = {"games:calendar": Feed.Kind.CALENDAR, "games:feed": Feed.Kind.NOTICES} if user else {}
    for name, kind in names.items():
        new = {"key": keys._hashed(f"{name}-{user}"), "made_at": timezone.now()}
        Feed.objects.update_or_create(user_id=user, kind=kind, defaults=new)
    return {name: f"{name}-{user}" for name in names}


def headers(answer):
    return [(name, re.sub(r"nonce-[^']+", "nonce", value)) for name, value in sorted(answer.headers.items())]


def masked(answer):
    text = b"".join(answer).decode() if answer.streaming else answer.content.decode()
    for mask, dash in MASKS:
        text = mask.sub(dash, text)
    return text


def admin_pages(match, client):
    told = {}
    for model in ("match", "seat", "deal", "move"):
        told[model] = client.get(reverse(f"admin:games_{model}_changelist"))
    told["page"] = client.get(reverse("admin:games_match_change", args=[match.pk]))
    deal = Deal.objects.get(match=match, number=match.deal_number)
    told["deal page"] = client.get(reverse("admin:games_deal_change", args=[deal.pk]))
    return {name: (answer.status_code, masked(answer)) for name, answer in told.items()}


def redealt(match, seat, rng):
    """An order of the pack in which only cards hidden from ``seat`` (None: a watcher) have changed places."""
    deal = Deal.objects.get(match=match, number=match.deal_number)
    read = tape.read(match, deal)
    pack = read.game.pack()
    order = list(fairness.order(bytes(deal.secret), tape.cuts_of(match), deal.number, 0, len(pack)))
    hidden = set(read.table.stock)
    for other, hand in enumerate(read.table.hands):
        if other != seat:
            hidden |= set(hand)
    hidden -= {card for event in read.table.events for card in event.cards}  # taken from the discards: all saw it
    places = [i for i, card in enumerate(order) if pack[card] in hidden]
    moved = [order[i] for i in places]
    rng.shuffle(moved)
    for place, card in zip(places, moved, strict=True):
        order[place] = card
    return tuple(order)


def a_table_with_a_past(ann, bob, cat, seed):
    """A running deal some turns old, with a draft and an own order of the hand at the seat to move."""
    rng = random.Random(seed)
    match = opened(ann, bob, cat, hand_size=12, target=10000)
    for _turn in range(rng.randrange(2, 9)):
        user = mover(match)
        draws = [a for a in legal(match, user) if isinstance(a, DrawStock | TakeDiscard)]
        do(match, user, rng.choice(draws))
        throws = [a for a in legal(match, user) if isinstance(a, Discard)]
        melds = [a for a in legal(match, user) if isinstance(a, Meld)]
        if melds and rng.random() < 0.5:
            do(match, user, melds[0])
            throws = [a for a in legal(match, user) if isinstance(a, Discard)]
        do(match, user, rng.choice(throws))
    user = mover(match)
    do(match, user, DrawStock())
    melds = [a for a in legal(match, user) if isinstance(a, Meld)]
    if melds:
        do(match, user, melds[0])
    hand = list(tables.board(match, user).hand)
    rng.shuffle(hand)
    drafts.set_order(seat_of(match, user), hand, hand)
    return match


@pytest.mark.parametrize("seed", range(4))
@time_machine.travel(NOW, tick=False)
def test_no_page_depends_on_a_card_that_its_reader_cannot_see(ann, bob, cat, mod, monkeypatch, seed, django_user_model):
    match = a_table_with_a_past(ann, bob, cat, seed)
    assert match.tape.filter(action__type="shuffled").count() == 0
    stranger = django_user_model.objects.create(username="stranger")
    rng = random.Random(seed)
    for user in (ann, bob, cat, stranger, None):
        client = Client()
        if user is not None:
            client.force_login(user)
        seat = seat_of(match, user).index if user in (ann, bob, cat) else None
        pages(match, client)  # a first visit, so that news are no difference
        before = pages(match, client)
        order = redealt(match, seat, rng)

        with monkeypatch.context() as patch:
            patch.setattr(tape, "_kept", type(tape._kept)())
            patch.setattr(tape.fairness, "order", lambda *_args, order=order: order)
            after = pages(match, client)

        for name in before:
            assert after[name] == before[name], f"{name} tells {user} of hidden cards"


@time_machine.travel(NOW, tick=False)
def test_a_seat_that_was_lost_shows_its_hand_to_its_driver_and_its_user_only(
    ann, bob, cat, monkeypatch, django_user_model
):
    dan, eve = (django_user_model.objects.create(username=name) for name in ("dan", "eve"))
    match = opened(ann, bob, cat, hand_size=12, target=10000)
    lose(match, 0)
    for one in (dan, eve):
        absence.accept(offered(seat_of(match, ann), one), one)
        if one == dan:
            play.resign(match.pk, 0, dan)
    match.refresh_from_db()
    hand = list(tables.board(match, eve).hand)
    drafts.set_order(seat_of(match, ann), hand, list(reversed(hand)))
    rng = random.Random(5)
    for user, seat in ((ann, 0), (eve, 0), (dan, None), (bob, 1)):
        client = Client()
        client.force_login(user)

        def told(client=client):
            away = client.get(reverse("games:away", args=[match.pk]))
            return pages(match, client) | {"away": (away.status_code, headers(away), masked(away))}

        told()
        before, order = told(), redealt(match, seat, rng)
        with monkeypatch.context() as patch:
            patch.setattr(tape, "_kept", type(tape._kept)())
            patch.setattr(tape.fairness, "order", lambda *_args, order=order: order)
            after = told()
        for name in before:
            assert after[name] == before[name], f"{name} tells {user} of hidden cards"
    assert tables.board(match, ann).hand and not tables.board(match, dan).hand


def lose(match, index):
    with writing():
        pen = running(match.pk, timezone.now())
        pen.give_up(pen.seats[index], "given_up", "clock")
        pen.close()


def offered(seat, user):
    until = timezone.now() + timedelta(hours=1)
    return SeatOffer.objects.create(seat=seat, user=user, at=timezone.now(), until=until).pk


@time_machine.travel(NOW, tick=False)
def test_no_admin_page_depends_on_any_card_of_a_running_deal(ann, bob, cat, mod, monkeypatch):
    match = a_table_with_a_past(ann, bob, cat, 7)
    client = Client()
    client.force_login(mod)
    before = admin_pages(match, client)
    order = redealt(match, None, random.Random(7))

    with monkeypatch.context() as patch:
        patch.setattr(tape, "_kept", type(tape._kept)())
        patch.setattr(tape.fairness, "order", lambda *_args: order)
        assert admin_pages(match, client) == before


def test_no_page_names_the_secret_the_chain_or_anybodys_draft(ann, bob, cat, mod):
    match = a_table_with_a_past(ann, bob, cat, 3)
    deal = Deal.objects.get(match=match, number=match.deal_number)
    secrets = [bytes(deal.secret).hex(), bytes(match.chain).hex()]
    for user in (ann, bob, cat, mod):
        client = Client()
        client.force_login(user)
        sent = str(pages(match, client)) + (str(admin_pages(match, client)) if user == mod else "")
        assert not any(secret in sent for secret in secrets)


def as_others_see_it(match, *users):
    """All that these users and a moderator are sent, and the notices that all but the owner of the order get."""
    told = []
    for user in users:
        client = Client()
        if user is not None:
            client.force_login(user)
        pages(match, client)
        told.append(pages(match, client))
        if user is not None and user.is_staff:
            told.append({k: v for k, v in admin_pages(match, client).items() if "page" in k or k == "move"})
    notices = Notice.objects.filter(match=match, user__in=[u for u in users if u]).values_list("kind", "key", "about")
    return told, sorted(map(str, notices))


@pytest.mark.parametrize("end", ["wait", "drawn_or_wait"])
@time_machine.travel(NOW, tick=False)
def test_others_see_the_same_with_a_standing_order_and_without(ann, bob, mod, end):
    """Waiting, and played: the order does what the hand would have done, and nothing sent to anybody else differs."""
    match = opened(ann, bob, target=10000)
    mover(match)
    other, owner = (ann, bob) if match.turn == seat_of(match, ann).index else (bob, ann)
    without = as_others_see_it(match, other, mod, None)
    orders.give(match.pk, owner, Order(end=end), match.version)
    assert as_others_see_it(match, other, mod, None) == without

    do(match, other, DrawStock())
    hand = tables.board(match, other).hand
    do(match, other, Discard(hand[0]))
    version = match.version
    play.drive(match.pk)
    match.refresh_from_db()
    ended = match.turn == seat_of(match, other).index
    by_order, number = as_others_see_it(match, other, mod, None), match.moves
    assert Move.objects.filter(match=match, by=Move.By.ORDER).count() == (2 if ended else 1)
    assert match.version == version + (2 if ended else 1), "a draw and a discard, as a hand sends them"

    # the same by hand: the tape is what it was, only the order has never been
    StandingOrder.objects.all().delete()
    Move.objects.filter(match=match, by=Move.By.ORDER).update(by=Move.By.USER)
    tape._kept.clear()
    match.refresh_from_db()
    assert match.moves == number
    assert as_others_see_it(match, other, mod, None) == by_order


def test_a_failing_submission_logs_no_card(ann, bob, cat, caplog, monkeypatch):
    match = a_table_with_a_past(ann, bob, cat, 5)
    seat = next(s for s in match.seats.all() if s.index == match.turn)
    monkeypatch.setattr(play.Pen, "close", lambda self: 1 / 0)
    client = Client(raise_request_exception=False)
    client.force_login(seat.user)
    board = tables.board(Match.objects.get(pk=match.pk), seat.user)

    answer = client.post(
        reverse("games:act", args=[match.pk]), {"do": "discard", "card": board.hand[0], "seen": board.seen}
    )

    assert answer.status_code == 500
    told = caplog.text + answer.content.decode()
    assert "Traceback" not in answer.content.decode()
    others = [c for s in match.seats.all() for c in tables.board(match, s.user).hand]
    assert not any(re.search(rf"\b{card}\b", told) for card in others)
    assert Draft.objects.get(seat=seat).order


@time_machine.travel(NOW, tick=False)
def test_no_mail_depends_on_any_card_and_none_names_one(ann, bob, cat, monkeypatch):
    match = a_table_with_a_past(ann, bob, cat, 7)
    for kind in KINDS:
        tell(kind, [ann, bob, cat], match, facts(kind, by=cat.pk, deal=match.deal_number), key="all")

    def letters():
        told = []
        for user in (ann, bob, cat):
            letter = mail.written(user, "a@example.org", Notice.objects.filter(user=user).order_by("pk"), "id")
            told.append((letter.subject, letter.body, str(letter.alternatives), sorted(letter.extra_headers.items())))
        return told

    before = letters()
    order = redealt(match, None, random.Random(7))
    with monkeypatch.context() as patch:
        patch.setattr(tape, "_kept", type(tape._kept)())
        patch.setattr(tape.fairness, "order", lambda *_args: order)
        assert letters() == before
    assert len(before[0][1].split("\n")) > len(KINDS)
    hands = [card for user in (ann, bob, cat) for card in tables.board(match, user).hand]
    assert not any(re.search(rf"\b{card}\b", text) for card in hands for letter in before for text in letter[:3])
    assert set().union(*(set(notice.about) for notice in Notice.objects.exclude(kind="sanctioned"))) <= {"by", "deal"}
