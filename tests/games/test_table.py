"""The table in the browser: what each reader sees, what each act answers, with and without scripts."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import drafts, play, tables, tape, wording
from games.faces import card_name
from games.models import Match, Seat
from games.rules.actions import Discard, DrawStock, LayOff, Meld
from games.rules.cards import card, cards
from games.rules.errors import REASONS, Illegal, Malformed

from .markup import Page
from .playing import do, legal, mover, opened, play_on, seat_of, take_turn
from .table_pages import MELDING, OTHERS, page_of, post, seen

pytestmark = [pytest.mark.django_db(transaction=True)]


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
