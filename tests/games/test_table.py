"""The table in the browser: what each reader sees, what each act answers, with and without scripts."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import drafts, fairness, play, tables, tape, wording
from games.faces import card_name
from games.models import Match, Seat
from games.rules.actions import Discard, DrawStock, LayOff, Meld
from games.rules.cards import card, cards, pack
from games.rules.errors import REASONS, Illegal, Malformed

from .markup import Page
from .playing import do, legal, mover, opened, play_on, seat_of, take_turn

pytestmark = [pytest.mark.django_db(transaction=True)]

HTMX = {"HX-Request": "true"}
MELDING = "7H 7D 7C 4S 5S 6S 7S 8S KD KC"
OTHERS = "2D 3C 9C JD QS AH TS 5D 6C QH"


@pytest.fixture
def sign_in():
    def signed(user):
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return signed


@pytest.fixture
def stacked(monkeypatch):
    """A match of two whose first deal is as written: ``bob`` (seat 1) moves first, ``ann`` deals."""

    def opened_so(ann, bob, *, bobs=MELDING, anns=OTHERS, up="9D", stock="2C 3D", **chosen):
        real, whole = fairness.order, pack()
        his, hers = cards(bobs), cards(anns)
        dealt = [one for pair in zip(his, hers, strict=True) for one in pair] + [card(up), *cards(stock)]
        places = tuple(whole.index(one) for one in [*dealt, *(c for c in whole if c not in dealt)])

        def order(secret, cuts, deal, n, size):
            if size == len(cuts):
                return tuple(range(size))
            return places if (deal, n) == (1, 0) else real(secret, cuts, deal, n, size)

        monkeypatch.setattr(fairness, "order", order)
        return opened(ann, bob, preset="basic-rummy", hand_size=len(his), **chosen)

    return opened_so


def page_of(client, match):
    answer = client.get(reverse("games:match", args=[match.pk]))
    assert answer.status_code == 200
    return Page(answer.content.decode())


def post(client, match, name="act", *, htmx=False, **data):
    return client.post(reverse(f"games:{name}", args=[match.pk]), data, headers=HTMX if htmx else {})


def seen(match, user):
    return tables.board(Match.objects.get(pk=match.pk), user).seen


def hand_of(match, user):
    return tables.board(Match.objects.get(pk=match.pk), user).hand


# --- the five states --------------------------------------------------------------------------------------------------


def test_on_my_turn_the_title_says_so_and_both_piles_can_be_pressed(stacked, sign_in, ann, bob):
    page = page_of(sign_in(bob), stacked(ann, bob))

    assert "Your turn · " in page.html
    assert page.button("do", "draw_stock") and page.button("do", "draw_discard")
    assert "Draw a card." in page.text
    assert not page.button("do", "discard")


def test_who_waits_reads_for_whom_since_when_and_until_when(stacked, sign_in, ann, bob):
    page = page_of(sign_in(ann), stacked(ann, bob))

    assert re.search(r"Waiting for bob since .* until tomorrow ", page.text)
    assert "Your turn" not in page.html
    assert not [c for c in page.of() if c.name == "do"]
    assert sorted(page.hand()) == sorted(OTHERS.split())


@pytest.fixture
def short(stacked):
    """A deal that bob ends in its first turn, with 2 x 25 points."""

    def played(ann, bob, **chosen):
        match = stacked(ann, bob, bobs="7H 7D 7C", anns="TD 5C TS", up="9D", stock="2C 3D", **chosen)
        do(match, bob, DrawStock())
        do(match, bob, Meld(cards("7H 7D 7C")))
        do(match, bob, Discard(card("2C")))
        play.drive(match.pk)
        match.refresh_from_db()
        return match

    return played


def test_an_ended_deal_is_spelled_out_until_it_is_put_aside(short, sign_in, ann, bob):
    match, client = short(ann, bob), sign_in(bob)

    page = page_of(client, match)

    assert (match.deal_number, match.status) == (2, "running")
    assert "Deal 1 is over" in page.text and "You went out" in page.text
    assert "10 + 10 + 5 = 25" in page.text
    assert "2 × 25 = 50" in page.text and "doubled" in page.text
    assert "bob deals next." in page.text or "You deal next." in page.text
    assert page.hand() == []
    button = next(c for c in page.of() if c.attrs.get("id") == "do-ready")
    assert client.post(button.attrs["formaction"], {"deal": "1"}).status_code == 303
    assert len(page_of(client, match).hand()) == 3


def test_a_match_that_is_over_shows_its_result_first_and_offers_a_rematch(short, sign_in, ann, bob):
    match = short(ann, bob, target=10)

    page = page_of(sign_in(bob), match)

    assert match.status == "over"
    assert "You win, 50 to 0" in page.text and "10 + 10 + 5 = 25" in page.text
    assert page.forms["rematch"]["action"] == reverse("games:rematch", args=[match.pk])
    assert next(c for c in page.controls if c.attrs.get("id") == "do-rematch").form == "rematch"
    assert "bob wins, 50 to 0" in page_of(sign_in(ann), match).text
    assert "time left" not in page.text


def test_a_watcher_is_told_so_and_gets_no_hand(stacked, sign_in, ann, bob, cat):
    match = stacked(ann, bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("7H 7D 7C")))
    for user in (cat, None):
        page = page_of(sign_in(user), match)
        assert "You are watching." in page.text
        shown = set(re.findall(r"#m?((?:[A2-9TJQK])[CDHS])\"", page.html))
        assert shown == {"9D"}
        for one in (*cards(MELDING), *cards(OTHERS), card("2C"), card("3D")):
            assert one not in re.findall(r"[\"=,#m-]([A2-9TJQK][CDHS])\b", page.html)
            assert card_name(one) not in page.html


def test_a_private_match_is_not_found_by_a_stranger(stacked, sign_in, ann, bob, cat):
    match = stacked(ann, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    for name in ("match", "parts", "sheet"):
        assert sign_in(cat).get(reverse(f"games:{name}", args=[match.pk])).status_code == 404
        assert sign_in(bob).get(reverse(f"games:{name}", args=[match.pk])).status_code == 200
    for name in ("act", "undo", "arrange", "ready", "resign"):
        assert post(sign_in(cat), match, name, seen="1.0").status_code == 404


def test_who_is_not_signed_in_comes_back_to_the_table(stacked, ann, bob):
    match = stacked(ann, bob)
    there = reverse("games:match", args=[match.pk])
    answer = post(Client(), match, do="draw_stock", seen="1.0")
    assert answer.status_code == 302 and answer.url.endswith(f"?next={there}")
    told = post(Client(), match, htmx=True, do="draw_stock", seen="1.0")
    assert told.headers["HX-Reswap"] == "none" and f'<a href="{answer.url}"' in told.content.decode()


# --- what a page costs ------------------------------------------------------------------------------------------------


def test_the_page_takes_at_most_twelve_queries_and_nothing_new_at_most_three(sign_in, ann, bob):
    match = opened(ann, bob, preset="basic-rummy")
    play_on(match, turns=6)
    client = sign_in(mover(match))
    Match.objects.filter(pk=match.pk).update(private=True)
    tape._kept.clear()
    with CaptureQueriesContext(connection) as queries:
        page = page_of(client, match)
    assert len(queries) <= 12, [q["sql"][:90] for q in queries]
    have = next(c for c in page.controls if c.name == "have").value
    Match.objects.filter(pk=match.pk).update(private=False)
    match.refresh_from_db()
    for version in (have, match.version):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(reverse("games:parts", args=[match.pk]), {"have": version})
        assert answer.status_code == 204
        assert len(queries) <= 3, [q["sql"][:90] for q in queries]
        assert not any("games_move" in q["sql"] for q in queries)


def test_a_part_stays_under_thirty_kilobytes_with_six_seats(sign_in, django_user_model):
    users = [django_user_model.objects.create(username=f"player{n}") for n in range(6)]
    match = opened(*users, preset="basic-rummy", hand_size=8)
    sizes = []
    for _turn in range(40):
        user = mover(match)
        match.refresh_from_db()
        if match.deal_number > 1 or user is None:
            break
        answer = sign_in(user).get(reverse("games:parts", args=[match.pk]), {"have": 0})
        sizes.append(len(answer.content))
        take_turn(match, user)
    assert len(sizes) > 5
    assert max(sizes) < 30_000


def test_nothing_of_a_table_is_kept_by_browsers_and_no_card_travels_twice(sign_in, ann, bob, cat):
    match = opened(ann, bob, preset="basic-rummy")
    for _turn in range(6):
        user = mover(match)
        if user is None:
            break
        do(match, user, DrawStock())
        down = [a for a in legal(match, user) if isinstance(a, Meld | LayOff)]
        if down:
            do(match, user, down[0])
        for reader in (ann, bob, cat):
            answer = sign_in(reader).get(reverse("games:match", args=[match.pk]))
            html = answer.content.decode()
            assert "no-store" in answer.headers["Cache-Control"]
            assert 'hx-history="false"' in html and '"historyCacheSize": 0' in html
            names = re.findall(r"\bv-[A-Z0-9]+-\d", html)
            assert len(names) == len(set(names)) <= 20
            ids = re.findall(r' id="([^"]+)"', html)
            assert len(ids) == len(set(ids))
        match.refresh_from_db()
        if match.turn == seat_of(match, user).index and match.status == "running":
            do(match, user, next(a for a in legal(match, user) if isinstance(a, Discard)))


def test_every_form_of_the_table_waits_for_its_answer_and_carries_a_token(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(bob)
    for _state in range(2):
        page = page_of(client, match)
        for form, attrs in page.forms.items():
            assert any(c.name == "csrfmiddlewaretoken" for c in page.controls if c.form == form)
            if "hx-post" in attrs:
                assert attrs["hx-disabled-elt"] and attrs["hx-sync"].startswith("#turn:")
        assert [form for form, attrs in page.forms.items() if "hx-post" in attrs] == ["turn", "time-acts"]
        default = next(c for c in page.controls if c.form == "turn" and c.tag == "button")
        assert "disabled" in default.attrs, "the enter key must play nothing"
        do(match, bob, DrawStock()) if _state == 0 else None


# --- acts -------------------------------------------------------------------------------------------------------------


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


# --- parts ------------------------------------------------------------------------------------------------------------


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
    assert 'id="bar"' in html and 'id="score"' not in html and 'id="more-time"' not in html
    html = parts(do="discard", card=str(hand_of(match, bob)[0]), beside=beside)
    assert 'id="score"' not in html, "no points in the middle of a deal"
    assert 'id="more-time"' in html, "the time of another runs now"
    there, have = reverse("games:parts", args=[match.pk]), {"have": "0.0", "beside": beside}
    Match.objects.filter(pk=match.pk).update(totals=[7, 0])
    assert 'id="score"' in client.get(there, have).content.decode()


def test_only_my_own_page_lists_what_i_may_do(stacked, sign_in, ann, bob, cat):
    match = stacked(ann, bob)
    do(match, bob, DrawStock())
    assert "data-legal" in page_of(sign_in(bob), match).html
    for user in (ann, cat, None):
        assert "data-legal" not in page_of(sign_in(user), match).html


# --- the hand ---------------------------------------------------------------------------------------------------------


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


# --- ends -------------------------------------------------------------------------------------------------------------


def test_resigning_asks_first_and_ends_a_match_of_two(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    client = sign_in(bob)
    asked = client.get(reverse("games:resign", args=[match.pk]))
    assert asked.status_code == 200 and "The match ends" in asked.content.decode()
    match.refresh_from_db()
    assert match.status == "running"
    assert post(client, match, "resign").status_code == 303
    match.refresh_from_db()
    assert match.status == "over"
    hers, his = page_of(sign_in(ann), match).text, page_of(client, match).text
    assert "bob resigned." in hers and "You resigned." in his
    assert "broken off in its first deal, so it counts for nobody" in hers and "by resignation" not in hers + his
    assert "0 to 0" not in hers + his, "points have not decided"
    assert post(client, match, do="draw_stock", seen="1.0").status_code == 409


def test_who_has_resigned_a_match_of_three_watches_it(sign_in, ann, bob, cat):
    match = opened(ann, bob, cat, preset="basic-rummy")
    play.resign(match.pk, 1)
    page = page_of(sign_in(bob), match)
    assert "You have left this match" in page.text and page.hand() == []
    assert post(sign_in(bob), match, "arrange", sort="rank").status_code == 404


def test_the_score_sheet_spells_out_every_deal(short, sign_in, ann, bob):
    match = short(ann, bob)
    play.resign(match.pk, 0)
    text = Page(sign_in(ann).get(reverse("games:sheet", args=[match.pk])).content.decode()).text
    assert "bob went out · All cards put down in one turn: the points are doubled." in text
    assert "+50 2 × 25 = 50 total: 50" in text
    assert "The deal was broken off · It counts for nobody." in text
    assert text.index("bob went out") < text.index("The deal was broken off")


def test_a_late_act_lets_the_clock_play_first(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    told = seen(match, bob)
    past = timezone.now() - timedelta(hours=1)
    Match.objects.filter(pk=match.pk).update(due_at=past, wake_at=timezone.now() + timedelta(hours=1))
    answer = post(sign_in(bob), match, do="draw_stock", seen=told)
    text = Page(answer.content.decode()).text
    assert answer.status_code == 409 and "Your time was up: the clock has played" in text
    assert "Your time was up; the clock played for you." in text
    assert "The time of bob was up" in page_of(sign_in(ann), match).text


def test_every_page_before_the_start_is_the_waiting_room(sign_in, ann):
    from games import lobby

    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    answer = sign_in(ann).get(reverse("games:match", args=[match.pk]))
    assert answer.status_code == 200 and "games/room.html" in [t.name for t in answer.templates]
    assert sign_in(ann).get(reverse("games:sheet", args=[match.pk])).status_code == 404


# --- words ------------------------------------------------------------------------------------------------------------


def test_every_reason_has_a_sentence_of_its_own(stacked, ann, bob):
    match = stacked(ann, bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("7H 7D 7C")))
    board = tables.board(Match.objects.get(pk=match.pk), bob)
    told = {code: str(wording.refusal(Illegal(code, card("KD"), meld=0), board)) for code in REASONS}
    told |= {f"stale {why}": str(wording.refusal(play.Stale(why), board)) for why in ("stale", "late", "over")}
    told["malformed"] = str(wording.refusal(Malformed("x"), board))
    assert all(told.values())
    assert len(set(told.values())) == len(told)


def test_names_cannot_put_markup_into_a_page(stacked, sign_in, ann, bob):
    ann.display_name = "<b>Ann</b>{0}"
    ann.save()
    match = stacked(ann, bob)
    Match.objects.filter(pk=match.pk).update(title="<i>title</i>")
    html = page_of(sign_in(bob), match).html
    assert "<b>Ann" not in html and "<i>title" not in html
    assert Seat.objects.filter(match=match).count() == 2 and drafts.SORTS


def test_a_closed_account_is_a_deleted_player(stacked, sign_in, ann, bob):
    match = stacked(ann, bob)
    play.resign(match.pk, 0)
    ann.is_active = False
    ann.save()
    assert "deleted player" in page_of(sign_in(bob), match).text
