"""Games with a knock at the table: the upcard, the choice of a knock, open hands, lay-offs by hand, sums."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from games import play, tables
from games.models import Draft, Match, Move
from games.rules.actions import Discard, DrawStock, LayOff, Pass
from games.rules.cards import card, cards

from .markup import Page
from .playing import do, legal, mover, opened, seat_of
from .stacking import CHEAP, DEAR, in_play, stack

pytestmark = pytest.mark.django_db(transaction=True)


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def page_of(user, match):
    answer = client_of(user).get(reverse("games:match", args=[match.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def text_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).replace("\u2060", "")


def post(user, match, **fields):
    seen = tables.board(Match.objects.get(pk=match.pk), user).seen
    answer = client_of(user).post(reverse("games:act", args=[match.pk]), {"seen": seen, **fields})
    match.refresh_from_db()
    return answer


# --- the upcard ------------------------------------------------------------------------------------------------------


def test_the_upcard_is_offered_to_the_other_and_then_to_the_dealer(monkeypatch, ann, bob):
    stack(monkeypatch, CHEAP, DEAR, up="3D")
    match = opened(ann, bob, preset="gin")

    first = page_of(bob, match)
    assert 'value="take_upcard" id="do-take"' in first and 'id="do-pass"' in first
    assert 'id="do-pass"' not in page_of(ann, match)

    assert post(bob, match, do="pass").status_code == 303
    assert 'id="do-pass"' in page_of(ann, match)
    assert post(ann, match, do="take_upcard").status_code == 303
    assert match.turn == seat_of(match, ann).index
    assert "took" in text_of(page_of(bob, match))


def test_the_first_draw_after_two_passes_is_made_by_the_site_which_says_so(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob)

    last = match.tape.order_by("number").last()
    assert (last.by, last.action["type"], last.seat) == (Move.By.SITE, "draw_stock", seat_of(match, bob).index)
    assert "Nothing else was possible, so the site moved for you." in text_of(page_of(bob, match))
    assert "so the site moved for bob." in text_of(page_of(ann, match))
    assert {a.name for a in legal(match, bob)} >= {"discard", "knock"}


def test_after_two_passes_the_upcard_is_refused_with_the_rule(monkeypatch, ann, bob):
    stack(monkeypatch, CHEAP, DEAR, up="3D")
    match = opened(ann, bob, preset="gin")
    do(match, bob, Pass())
    do(match, ann, Pass())
    before = match.moves

    answer = post(bob, match, do="draw_discard")

    assert answer.status_code == 422
    assert "passed the upcard" in text_of(answer.content.decode())
    assert Match.objects.get(pk=match.pk).moves == before


def test_taking_the_only_discard_leaves_an_empty_pile_for_everybody(monkeypatch, ann, bob, cat, mod):
    stack(monkeypatch, CHEAP, DEAR, up="3D")
    match = opened(ann, bob, preset="gin")

    assert post(bob, match, do="take_upcard").status_code == 303

    for user in (ann, bob, cat, mod):
        assert "Discards <b>0</b>" in page_of(user, match)
    assert post(bob, match, do="draw_discard").status_code == 422


# --- the knock -------------------------------------------------------------------------------------------------------


def test_a_knock_shows_each_card_that_may_be_thrown_and_what_remains(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob)
    html = page_of(bob, match)

    offered = re.findall(r'name="knock" value="(\w+)"', html)
    assert sorted(offered) == ["KD", "TH"]
    assert text_of(html).count("leaves 10") == 2
    assert 'id="do-knock"' in html
    assert "Knock at 10 or less" in text_of(html)
    assert 'name="knock"' not in page_of(ann, match)


def test_before_drawing_no_knock_is_offered_and_the_deadwood_is_shown(monkeypatch, ann, bob):
    stack(monkeypatch, CHEAP, DEAR, up="3D")
    match = opened(ann, bob, preset="gin")
    html = page_of(bob, match)

    assert 'id="do-knock"' not in html
    assert "Deadwood 10" in text_of(html)


def test_a_card_that_leaves_too_much_is_refused_with_the_limit(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob)
    before = match.moves

    answer = post(bob, match, do="knock", knock="2S")

    assert answer.status_code == 422
    assert "10 points of deadwood at most" in text_of(answer.content.decode())
    assert Match.objects.get(pk=match.pk).moves == before


@pytest.mark.parametrize(
    "fields", [{}, {"knock": "ZZ"}, {"knock": "KD", "melds-KD": "2S 3S"}, {"knock": "KD", "melds-KD": "x" * 200}]
)
def test_a_knock_that_makes_no_sense_changes_nothing(monkeypatch, ann, bob, fields):
    match = in_play(monkeypatch, ann, bob)
    before = match.moves

    assert post(bob, match, do="knock", **fields).status_code in (400, 422)
    assert Match.objects.get(pk=match.pk).moves == before


def test_after_a_knock_both_see_the_hands_the_lay_offs_and_the_sum(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob, anns="5S 4H 6S 8S QS KS 9D QD AC 5C")

    assert post(bob, match, do="knock", knock="KD").status_code == 303

    deal = match.deals.get(number=1)
    scored = deal.outcome["points"][seat_of(match, bob).index]
    for user, headline in ((bob, "You knocked and win the deal"), (ann, "bob knocked and wins the deal")):
        told = text_of(page_of(user, match))
        assert headline in told
        assert f"Deadwood: {scored + 10} − 10" in told
        assert "laid off" in told
    sheet = text_of(client_of(ann).get(reverse("games:sheet", args=[match.pk])).content.decode())
    assert f"{scored + 10} − 10 = {scored}" in sheet


def test_the_melds_may_lie_another_way_and_the_best_is_preselected(monkeypatch, ann, bob):
    hand = "2C 2D 2H 2S 3S 4S 9C TC JC AD"
    match = in_play(monkeypatch, ann, bob, bobs=hand, anns="5H 4H 6S 8H QS KS 9D QD AC 5C", draws="KD", up="3H")
    html = page_of(bob, match)

    ways = re.findall(r'name="melds-KD" value="([^"]+)"( checked)?', html)
    assert len(ways) > 1
    assert [bool(checked) for _way, checked in ways] == [True] + [False] * (len(ways) - 1)
    other = ways[1][0]
    assert post(bob, match, do="knock", knock="KD", **{"melds-KD": other}).status_code == 303
    laid = match.tape.filter(action__type="knock").get().action["melds"]
    assert sorted(map(sorted, laid)) == sorted(sorted(meld.split()) for meld in other.split("|"))


def test_gin_is_named_and_nothing_is_laid_off_against_it(monkeypatch, ann, bob):
    hand = "2S 3S 4S 7H 7D 7C 9C TC JC QC"
    match = in_play(monkeypatch, ann, bob, bobs=hand, draws="KH", anns="2H 4H 6S 8S QS KS 9D QD AC 5C")
    html = page_of(bob, match)
    assert re.search(r'class="pick gin"><input type="radio" name="knock" value="KH"[^>]* checked', html)

    post(bob, match, do="knock", knock="KH")

    told = text_of(page_of(ann, match))
    assert "bob has gin" in told and "Gin bonus 25" in told
    assert "laid off" not in told


def test_big_gin_has_its_button_only_where_it_is_played(monkeypatch, ann, bob):
    hand, draws = "2S 3S 4S 7H 7D 7C 9C TC JC QC", "KC"
    match = in_play(monkeypatch, ann, bob, bobs=hand, draws=draws, big_gin_bonus=50)
    assert 'id="do-big-gin"' in page_of(bob, match)
    assert post(bob, match, do="big_gin").status_code == 303
    assert "Big gin bonus 50" in text_of(page_of(ann, match))

    other = in_play(monkeypatch, ann, bob, bobs=hand, draws=draws)
    assert 'id="do-big-gin"' not in page_of(bob, other)
    refused = post(bob, other, do="big_gin")
    assert refused.status_code == 422
    assert "without that house rule" in text_of(refused.content.decode())


def test_who_wants_to_be_asked_is_asked_before_a_knock_too(monkeypatch, ann, bob):
    bob.confirm_correspondence = True
    bob.save()
    match = in_play(monkeypatch, ann, bob)
    before = match.moves

    asked = post(bob, match, do="knock", knock="KD")

    assert asked.status_code == 200
    assert "Knock and throw" in text_of(asked.content.decode())
    assert Match.objects.get(pk=match.pk).moves == before
    assert post(bob, match, do="knock", knock="KD", sure="KD").status_code == 303


# --- lay-offs by hand ------------------------------------------------------------------------------------------------


def test_a_defender_lays_off_by_hand_takes_back_and_is_done(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob, anns="5S 6S 8H 8S QS KS 9D QD AC 7S", auto_layoff=False)
    post(bob, match, do="knock", knock="KD")
    html = page_of(ann, match)
    assert 'id="do-done"' in html and 'id="do-lay"' in html and 'id="do-discard"' not in html

    melds = tables.board(match, ann).view.melds
    run = next(i for i, meld in enumerate(melds) if "4S" in meld.cards)
    assert post(ann, match, do="lay_off", card="5S", meld=run).status_code == 303
    assert post(ann, match, do="lay_off", card="6S", meld=run).status_code == 303
    assert len(Draft.objects.get(seat=seat_of(match, ann)).actions) == 2
    assert "5S" not in page_of(bob, match).partition('id="place"')[2].partition("<aside")[0]
    seen = tables.board(Match.objects.get(pk=match.pk), ann).seen
    client_of(ann).post(reverse("games:undo", args=[match.pk]), {"seen": seen})
    assert post(ann, match, do="done").status_code == 303

    deal = match.deals.get(number=1)
    told = [m.action for m in deal.moves.order_by("number") if m.action["type"] in ("lay_off", "done")]
    assert [one["type"] for one in told] == ["lay_off", "done"]
    assert told[0]["card"] == "5S"


def test_a_lay_off_that_empties_the_hand_is_played_at_once(monkeypatch, ann, bob):
    anns = "5S 6S 7S 8S 9S 9D 9H AC AD AH"
    match = in_play(monkeypatch, ann, bob, anns=anns, draws="TH", auto_layoff=False)
    post(bob, match, do="knock", knock="KD")
    melds = tables.board(match, ann).view.melds
    run = next(i for i, meld in enumerate(melds) if "4S" in meld.cards)

    for name in ("5S", "6S", "7S", "8S"):
        post(ann, match, do="lay_off", card=name, meld=run)

    assert match.deal_number == 1
    assert post(ann, match, do="done").status_code == 303
    assert match.deals.get(number=1).outcome["kind"] in ("undercut", "tie", "knock")


def test_who_can_lay_off_nothing_is_not_asked(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob, anns="2H 4H 6C 8H QS KS 9D QD AC 5D", auto_layoff=False)
    post(bob, match, do="knock", knock="KD")
    play.drive(match.pk)
    match.refresh_from_db()

    done = match.tape.filter(action__type="done").get()
    assert done.by == Move.By.SITE
    assert match.deals.get(number=1).outcome["kind"] == "knock"


# --- hands, limits, ends ---------------------------------------------------------------------------------------------


def test_melds_are_marked_in_the_hand_and_can_be_sorted_to_the_front(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob)
    board = tables.board(match, bob)
    assert board.sort == "meld"
    assert [str(c) for c in board.hand[-1:]] == ["TH"]
    html = page_of(bob, match)
    marked = re.findall(r'class="hc (in(?: end)?)[^"]*"[^>]*><input type="checkbox" name="card" value="(\w+)"', html)
    assert sorted(value for _mark, value in marked) == sorted(["2S", "3S", "4S", "7H", "7D", "7C", "9C", "TC", "JC"])
    assert sum(mark == "in end" for mark, _value in marked) == 3

    client_of(bob).post(reverse("games:arrange", args=[match.pk]), {"sort": "rank"})
    assert tables.board(match, bob).sort == "rank"


def test_oklahoma_shows_its_limit_the_upcard_and_that_it_counts_double(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob, up="6S", preset="oklahoma-gin", anns="2H 4H 6C 8S QS KS 9D QD AC 5C")
    told = text_of(page_of(bob, match))

    assert "knock at 6" in told and "counts double" in told
    assert 'name="knock"' not in page_of(bob, match)


def test_a_void_deal_says_so_and_the_same_player_deals_again(monkeypatch, ann, bob):
    match = opened(ann, bob, preset="gin", knock_limit=1, target=10)
    for _turn in range(200):
        user = mover(match)
        if match.deal_number > 1:
            break
        options = legal(match, user)
        names = {a.name for a in options}
        if "pass" in names:
            do(match, user, Pass())
        elif "draw_stock" in names:
            do(match, user, DrawStock())
        else:
            do(match, user, next(a for a in options if isinstance(a, Discard)))
    first, second = match.deals.order_by("number")[:2]

    assert first.outcome["kind"] == "void"
    assert first.dealer == second.dealer
    assert "The deal is void: nobody knocked" in text_of(page_of(ann, match))


def finish(match, *users):
    """Play until the match is over: knock as soon as it is legal, else draw and throw what leaves least."""
    for _step in range(6000):
        user = mover(match)
        if user is None:
            break
        board = tables.board(match, user)
        by_name = {}
        for action in board.view.legal:
            by_name.setdefault(action.name, []).append(action)
        own = dict(dict(board.view.own).get("leaves", ()))
        for name in ("big_gin", "knock", "knock_last", "discard", "done", "pass", "draw_stock"):
            if name in by_name:
                best = min(by_name[name], key=lambda a: own.get(getattr(a, "card", None), 0))
                do(match, user, best)
                break
    match.refresh_from_db()
    assert match.status == "over"
    return match


def test_the_final_count_of_a_match_adds_up_from_what_the_page_shows(ann, bob):
    match = finish(opened(ann, bob, preset="gin", target=60, tie_counts_box=True), ann, bob)

    html = client_of(ann).get(reverse("games:sheet", args=[match.pk])).content.decode()
    groups = re.findall(r'<tbody class="p(\d)">(.*?)</tbody>', html, re.S)
    assert len(groups) == 2
    for seat, body in groups:
        numbers = [int(n) for n in re.findall(r"<td>(?:<b>)?(\d+)", body)]
        assert sum(numbers[:-1]) == numbers[-1] == match.totals[int(seat)]
    points = [sum(deal.outcome["points"][seat] for deal in match.deals.all()) for seat in (0, 1)]
    assert max(points) >= 60
    shown = text_of(page_of(ann, match))
    assert str(max(match.totals)) in shown and "Game bonus 100" in shown
    assert str(max(match.totals)) in text_of(client_of(ann).get(reverse("games:tables")).content.decode())


def test_hollywood_has_three_columns_as_on_paper(ann, bob):
    match = finish(opened(ann, bob, preset="hollywood-gin", target=40), ann, bob)

    html = client_of(ann).get(reverse("games:sheet", args=[match.pk])).content.decode()
    tables_ = re.findall(r'<table class="score-sheet column">(.*?)</table>', html, re.S)
    assert len(tables_) == 3
    assert all("closed by" in text_of(one) for one in tables_)
    rows = [len(re.findall(r'<th scope="row">\d+</th>', one)) for one in tables_]
    assert min(rows) >= 1 and sum(rows) > match.deals.exclude(outcome__kind="void").count()
    finals = re.findall(r'whole-sum"><th scope="row">Together</th><td><b>(\d+)', html)
    assert len(finals) == 6
    by_seat = [sum(map(int, finals[seat::2])) for seat in (0, 1)]
    assert by_seat == match.totals


@pytest.mark.parametrize("preset", ["gin", "oklahoma-gin", "hollywood-gin"])
def test_a_person_plays_a_match_against_a_bot_to_its_end(ann, preset):
    match = finish(opened(ann, preset=preset, bots=1, pace="none", target=30), ann)

    assert match.ending == "played"
    assert Page(page_of(ann, match)) is not None


def test_drafts_of_a_lay_off_are_dropped_when_the_clock_plays(monkeypatch, ann, bob):
    match = in_play(monkeypatch, ann, bob, anns="5S 6S 8H 8S QS KS 9D QD AC 7S", auto_layoff=False)
    post(bob, match, do="knock", knock="KD")
    do(
        match,
        ann,
        LayOff(card("5S"), next(i for i, m in enumerate(tables.board(match, ann).view.melds) if "4S" in m.cards)),
    )
    Match.objects.filter(pk=match.pk).update(due_at="2020-01-01T00:00:00Z", wake_at="2020-01-01T00:00:00Z")

    play.drive(match.pk)

    deal = match.deals.get(number=1)
    assert not deal.moves.filter(action__type="lay_off").exists()
    assert deal.moves.filter(action__type="done", by="clock").exists()
    assert cards("5S")[0] in {c for line in deal.outcome["lines"] for c in line[3]}
