"""What a person has set shows at the tables."""

import pytest
from django.test import Client

from games import drafts, tables
from games.models import Draft
from games.rules.cards import by_rank, by_suit

from .playing import mover, opened, seat_of

pytestmark = pytest.mark.django_db


def test_a_hand_lies_as_its_driver_likes_it_until_it_is_laid_anew(ann, bob):
    match = opened(ann, bob)
    hand = tables.board(match, ann).hand
    assert hand == by_suit(hand)
    ann.hand_sort = "rank"
    ann.save()
    board = tables.board(match, ann)
    assert (board.sort, board.hand) == ("rank", by_rank(hand))
    assert tables.board(match, bob).sort == "suit"
    drafts.set_sort(seat_of(match, ann), "suit")
    assert tables.board(match, ann).hand == by_suit(hand)


def test_a_first_draft_of_a_turn_leaves_the_hand_as_it_lies(ann, bob):
    ann.hand_sort = "rank"
    ann.save()
    match = opened(ann, bob)
    drafts.lock(seat_of(match, ann))
    assert Draft.objects.get().sort == ""
    assert tables.board(match, ann).sort == "rank"


def test_a_watcher_has_no_hand_to_sort(cat, ann, bob):
    cat.hand_sort = "rank"
    match = opened(ann, bob)
    assert tables.board(match, cat).hand == ()


def test_the_set_order_is_on_the_page_at_once(ann, bob):
    match = opened(ann, bob)
    client = Client()
    client.force_login(ann)
    assert mover(match)
    before = client.get(f"/matches/{match.pk}/").content
    ann.hand_sort = "rank"
    ann.save()
    assert client.get(f"/matches/{match.pk}/").content != before
