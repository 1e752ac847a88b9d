"""What is swapped at the table, and the hand: sorted, moved, its drafts taken back."""

import re

import pytest
from django.urls import reverse

from games import tables
from games.models import Match
from games.rules.actions import DrawStock, Meld
from games.rules.cards import cards

from .playing import do
from .table_pages import OTHERS, hand_of, page_of, post, seen

pytestmark = [pytest.mark.django_db(transaction=True)]


def test_parts_carry_the_hand_only_when_it_has_changed(stacked, sign_in, ann, bob):  # C15
    match = stacked(ann, bob)
    client = sign_in(ann)
    page = page_of(client, match)
    have, hand = (next(c for c in page.controls if c.name == name).value for name in ("have", "hand"))
    there = reverse("games:parts", args=[match.pk])
    assert client.get(there, {"have": have, "hand": hand}).status_code == 204

    do(match, bob, DrawStock())
    html = client.get(there, {"have": have, "hand": hand}).content.decode()
    newer = re.search(r'id="board" data-version="([\d.]+)"', html).group(1)
    assert list(map(int, newer.split("."))) > list(map(int, have.split(".")))
    assert 'id="hand"' not in html and 'id="bar"' in html and 'id="log"' in html
    assert html.lstrip().startswith("<title>")
    html = client.get(there, {"have": have, "hand": "other"}).content.decode()
    assert 'id="hand" hx-swap-oob' in html

    client.post(reverse("games:arrange", args=[match.pk]), {"sort": "rank"})
    html = client.get(there, {"have": newer, "hand": hand}).content.decode()
    assert 'id="hand"' in html, "sorted on another device"


def test_an_act_by_htmx_is_answered_with_all_parts(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    answer = post(sign_in(bob), match, htmx=True, do="draw_stock", seen=seen(match, bob))
    html = answer.content.decode()
    assert answer.status_code == 200
    for part in ("board", "said", "hand", "bar", "score", "log"):
        assert html.count(f'id="{part}"') == 1
    assert "<html" not in html
    refused = post(sign_in(bob), match, htmx=True, do="meld", card=["KC", "KD"], seen=seen(match, bob))
    assert refused.status_code == 200 and "A meld needs at least three cards." in refused.content.decode()


def test_score_and_time_are_sent_again_only_when_they_have_changed(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(bob)
    beside = next(c for c in page_of(client, match).controls if c.name == "beside").value

    def parts(**fields):
        return post(client, match, htmx=True, seen=seen(match, bob), **fields).content.decode()

    html = parts(do="draw_stock", beside=beside)
    assert 'id="bar"' in html and 'id="score"' not in html and 'id="time-now"' not in html
    html = parts(do="discard", card=str(hand_of(match, bob)[0]), beside=beside)
    assert 'id="score"' not in html, "no points in the middle of a deal"
    assert 'id="time-now"' in html, "the time of another runs now"
    there, have = reverse("games:parts", args=[match.pk]), {"have": "0.0", "beside": beside}
    Match.objects.filter(pk=match.pk).update(totals=[7, 0])
    assert 'id="score"' in client.get(there, have).content.decode()


def test_only_my_own_page_lists_what_i_may_do(stacked, sign_in, ann, bob, cat):
    match = stacked(ann, bob)
    do(match, bob, DrawStock())
    assert "data-legal" in page_of(sign_in(bob), match).html
    for user in (ann, cat, None):
        assert "data-legal" not in page_of(sign_in(user), match).html


def test_the_hand_is_sorted_moved_and_laid_also_off_turn(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(ann)
    version = match.version
    assert post(client, match, "arrange", sort="rank").status_code == 303
    assert [c.rank for c in hand_of(match, ann)] == sorted(c.rank for c in cards(OTHERS))
    first = hand_of(match, ann)[0]
    assert post(client, match, "arrange", card=first, step="1").status_code == 303
    assert hand_of(match, ann)[1] == first
    assert post(client, match, "arrange", move=first, step="-1").status_code == 303
    assert hand_of(match, ann)[0] == first
    order = list(reversed(hand_of(match, ann)))
    assert post(client, match, "arrange", htmx=True, order=order).status_code == 200
    assert list(hand_of(match, ann)) == order
    assert post(client, match, "arrange", order=order[:-1]).status_code == 400
    assert post(client, match, "arrange", sort="colour").status_code == 400
    assert post(client, match, "arrange", card=order[:2], step="1").status_code == 400
    match.refresh_from_db()
    assert match.version == version
    kept = post(client, match, "arrange", htmx=True, sort="suit", card=order[:2]).content.decode()
    assert kept.count(" checked>") == 2


def test_a_card_just_drawn_stands_at_the_end_until_it_is_laid_elsewhere(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    do(match, bob, DrawStock())
    assert hand_of(match, bob)[-1] == "2C"
    assert post(sign_in(bob), match, "arrange", move="2C", step="-1").status_code == 303
    assert hand_of(match, bob)[-2] == "2C"
    assert post(sign_in(bob), match, "arrange", sort="rank").status_code == 303
    assert hand_of(match, bob)[-1] == "2C"


def test_drafted_melds_are_taken_back_one_by_one(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("7H 7D 7C")))
    do(match, bob, Meld(cards("4S 5S 6S")))
    page = page_of(client, match)
    undo = next(c for c in page.of() if c.attrs.get("id") == "do-undo")
    assert client.post(undo.attrs["formaction"], {"seen": seen(match, bob)}).status_code == 303
    assert len(tables.board(match, bob).view.melds) == 1
    assert post(client, match, "undo", seen=seen(match, bob)).status_code == 303
    assert post(client, match, "undo", seen=seen(match, bob)).status_code == 400
    assert post(client, match, "undo", seen="1.0").status_code == 409
    assert len(hand_of(match, bob)) == 11
