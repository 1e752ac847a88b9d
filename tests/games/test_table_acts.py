"""Acts at the table: whole turns without scripts, refusals that teach, stale tabs, what the log tells of them."""

import re

import pytest
from django.urls import reverse

from games import play, tables
from games.models import Match
from games.rules.actions import Discard, DrawStock, LayOff, Meld
from games.rules.cards import card, cards

from .markup import Page
from .playing import do
from .table_pages import hand_of, page_of, post, seen

pytestmark = [pytest.mark.django_db(transaction=True)]


def test_a_whole_turn_is_played_without_scripts(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(bob)

    assert page_of(client, match).submit(client, "do", "draw_stock").status_code == 303
    page = page_of(client, match)
    assert page.hand()[-1] == "2C"
    assert "2 of clubs, just drawn" in page.text
    assert page.submit(client, "do", "meld", cards=["7D", "7H", "7C"]).status_code == 303
    page = page_of(client, match)
    assert "not sent yet" in page.text
    assert "not sent yet" not in page_of(sign_in(ann), match).text
    assert page.submit(client, "do", "meld", cards=["5S", "4S", "6S"]).status_code == 303
    page = page_of(client, match)
    assert page.submit(client, "do", "lay_off", cards=["7S", "8S"], meld=1).status_code == 303
    page = page_of(client, match)
    assert page.hand() == ["KC", "KD", "2C"]
    assert page.submit(client, "do", "discard", cards=["KD"]).status_code == 303

    page = page_of(client, match)
    assert "Waiting for ann" in page.text
    hers = page_of(sign_in(ann), match).text
    assert "bob laid off 8 of spades" in hers.replace(" .", ".")
    assert "bob discarded king of diamonds" in hers


def test_cards_laid_off_by_another_carry_his_colour(stacked, sign_in, ann, bob):
    match = stacked(ann, bob, anns="7S 3C 9C JD QS AH TS 5D 6C QH", bobs="7H 7D 7C 4S 5S 6S 2H 8S KD KC")
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("7H 7D 7C")))
    do(match, bob, Discard(card("KD")))
    do(match, ann, DrawStock())
    do(match, ann, LayOff(card("7S"), 0))

    html = page_of(sign_in(ann), match).html
    assert re.search(r'class="tc laid p0 fresh">\s*<svg class="card s[^>]*aria-label="7 of spades"', html)


def test_a_card_that_fits_twice_is_laid_off_only_where_the_player_says(stacked, sign_in, ann, bob):  # A16
    match = stacked(ann, bob)
    client = sign_in(bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("7H 7D 7C")))
    do(match, bob, Meld(cards("4S 5S 6S")))
    before = seen(match, bob)

    answer = post(client, match, do="lay_off", card="7S", seen=before)
    page = Page(answer.content.decode())
    assert answer.status_code == 400
    assert "fits in more than one place" in page.text
    assert seen(match, bob) == before and "7S" in page.hand()

    assert post(client, match, do="lay_off", card="7S", meld="0", seen=before).status_code == 303
    refused = post(client, match, do="lay_off", card="8S", meld="1", seen=seen(match, bob))
    assert refused.status_code == 422 and "a run grows at its ends" in Page(refused.content.decode()).text
    assert post(client, match, "undo", seen=seen(match, bob)).status_code == 303
    assert post(client, match, do="lay_off", card="7S", meld="1", seen=seen(match, bob)).status_code == 303
    assert post(client, match, do="lay_off", card="8S", seen=seen(match, bob)).status_code == 303
    assert [len(meld.cards) for meld in tables.board(match, bob).view.melds] == [3, 5]


def test_several_cards_are_laid_off_all_or_none(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("4S 5S 6S")))
    before = seen(match, bob)
    refused = post(client, match, do="lay_off", card=["KD", "7S"], meld="0", seen=before)
    assert refused.status_code == 422
    assert seen(match, bob) == before
    assert post(client, match, do="lay_off", card=["8S", "7S"], seen=before).status_code == 303
    assert len(tables.board(match, bob).view.melds[0].cards) == 5


def test_an_empty_pile_is_an_ordinary_state(stacked, sign_in, ann, bob, cat):  # A38
    match = stacked(ann, bob)
    client = sign_in(bob)
    assert post(client, match, do="draw_discard", seen=seen(match, bob)).status_code == 303
    for user in (ann, bob, cat, None):
        assert "empty" in page_of(sign_in(user), match).text
    for user in (ann, bob):
        answer = post(sign_in(user), match, do="draw_discard", seen=seen(match, user))
        assert answer.status_code == 422
    answer = post(client, match, do="discard", card="9D", seen=seen(match, bob))
    assert answer.status_code == 422
    assert "You took 9 of diamonds from the discards in this turn" in Page(answer.content.decode()).text


def test_the_same_draw_sent_twice_is_played_once(stacked, sign_in, ann, bob):  # B01
    match = stacked(ann, bob)
    client, told = sign_in(bob), seen(match, bob)
    first = post(client, match, do="draw_stock", seen=told)
    second = post(client, match, do="draw_stock", seen=told)

    board = tables.board(Match.objects.get(pk=match.pk), bob)
    assert (first.status_code, second.status_code) == (303, 409)
    assert len(board.hand) == 11 and board.view.stock == 30
    assert [line.what for line in board.log].count("drew") == 1
    again = post(client, match, htmx=True, do="draw_stock", seen=told)
    assert again.status_code == 200 and "has changed meanwhile" in again.content.decode()


def test_a_stale_tab_is_refused_with_the_fresh_table(stacked, sign_in, ann, bob):  # B03
    match = stacked(ann, bob)
    client, old = sign_in(bob), seen(match, bob)
    assert post(client, match, do="draw_stock", seen=old).status_code == 303
    stale = post(client, match, do="draw_stock", seen=old)
    assert stale.status_code == 409 and len(Page(stale.content.decode()).hand()) == 11
    drawn = seen(match, bob)
    assert post(client, match, do="discard", card="KD", seen=drawn).status_code == 303
    stale = post(client, match, do="discard", card="KC", seen=drawn)
    assert stale.status_code == 409 and len(Page(stale.content.decode()).hand()) == 10


def test_a_refused_act_changes_nothing_keeps_the_selection_and_teaches(stacked, sign_in, ann, bob):  # B05
    match = stacked(ann, bob)
    client = sign_in(bob)
    do(match, bob, DrawStock())
    told = seen(match, bob)

    answer = post(client, match, do="meld", card=["KC", "7H", "8S"], seen=told)

    page = Page(answer.content.decode())
    assert answer.status_code == 422
    assert "is no meld. A set is three or four cards of one rank" in page.text
    chosen = [c.value for c in page.of() if c.name == "card" and "checked" in c.attrs]
    assert sorted(chosen) == ["7H", "8S", "KC"]
    assert page.html.count(" why") == 3
    assert seen(match, bob) == told
    assert post(client, match, do="meld", card=["7C", "7H", "7D"], seen=told).status_code == 303


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"do": "discard"}, "Select exactly one card to discard."),
        ({"do": "discard", "card": ["KD", "KC"]}, "Select exactly one card to discard."),
        ({"do": "meld"}, "Select the cards that you want to meld."),
        ({"do": "lay_off"}, "Select the cards that you want to lay off."),
        ({"do": "lay_off", "card": "KD", "meld": "7"}, "could not read"),
        ({"do": "fly"}, "could not read"),
        ({"do": "meld", "card": ["KD", "KD", "KC"]}, "could not read"),
        ({"do": "meld", "card": "1X"}, "could not read"),
        ({"do": "discard", "card": "KD", "seen": "x"}, "could not read"),
        ({}, "could not read"),
    ],
)
def test_what_cannot_be_read_is_answered_with_400_and_the_table(stacked, sign_in, ann, bob, data, sentence):
    match = stacked(ann, bob)
    do(match, bob, DrawStock())
    told = seen(match, bob)
    answer = post(sign_in(bob), match, **{"seen": told, **data})
    assert answer.status_code == 400
    assert sentence in Page(answer.content.decode()).text
    assert seen(match, bob) == told


def test_the_log_tells_each_reader_what_he_may_know(stacked, sign_in, ann, bob, cat):  # B10
    match = stacked(ann, bob, bobs="2H 7D 7C 4S 5S 6S 7S 8S 4C KC", stock="KD 3D")
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("4C")))
    client = sign_in(ann)
    assert post(client, match, do="draw_discard", seen=seen(match, ann)).status_code == 303

    his, hers, watched = (page_of(sign_in(user), match).text for user in (bob, ann, cat))
    assert "You drew king of diamonds" in his and "You discarded 4 of clubs" in his
    assert "bob drew from the stock." in hers and "bob discarded 4 of clubs" in hers
    assert "You took 4 of clubs from the discards" in hers
    assert "ann took 4 of clubs from the discards" in watched and "bob drew from the stock." in watched
    assert "king of diamonds" not in hers + watched


def test_lines_since_the_last_visit_are_marked(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(ann)
    page_of(client, match)
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    page = page_of(client, match)
    assert page.html.count('<li class="new"') == 2
    assert "2 lines are new since your last visit." in page.text
    assert page_of(client, match).html.count('<li class="new"') == 2, "a reload keeps them"


def test_what_i_saw_before_my_own_turn_is_no_news_after_it(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(ann)
    page_of(client, match)
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    drawn = post(client, match, htmx=True, do="draw_stock", seen=seen(match, ann)).content.decode()
    assert "2 lines are new since your last visit." in drawn
    thrown = hand_of(match, ann)[0]
    sent = post(client, match, htmx=True, do="discard", card=thrown, seen=seen(match, ann)).content.decode()
    assert "Waiting for bob" in sent and "since your last visit" not in sent


def test_my_own_resignation_is_no_news_to_me(stacked, sign_in, ann, bob, cat):
    match = stacked(ann, bob)
    pages = {user: sign_in(user) for user in (ann, bob, cat)}
    for client in pages.values():
        page_of(client, match)
    play.resign(match.pk, match.seats.get(user=ann).index)
    assert "since your last visit" not in page_of(pages[ann], match).text
    assert "since your last visit" in page_of(pages[bob], match).text
    assert "since your last visit" not in page_of(pages[cat], match).text, "who only looks on is told of no visits"


def test_the_table_is_painted_when_it_is_whole(stacked, sign_in, ann, bob):
    html = sign_in(ann).get(reverse("games:match", args=[stacked(ann, bob).pk])).content.decode()
    whole = re.search(r'<link rel="expect" href="#([a-z]+)" blocking="render">', html).group(1)
    assert html.index('class="sheets"') < html.index(f'id="{whole}"'), "what comes later would move what is there"
