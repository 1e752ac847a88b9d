"""The replay of ended deals, drawn from their Records alone."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import play, records
from games.models import Deal, Match
from games.moments import moments

from .playing import opened, play_on, seat_of
from .recorded import NAMES, by_bots, dealt, tables_of
from .sitting import ended
from .stacking import over

DEALS = [(name, seed, None, {}) for name in NAMES for seed in range(3)]
DEALS += [("basic-rummy", seed, 6, {}) for seed in range(2)]
DEALS += [("solitaired-rummy", 5, 2, {"recycle_keep_top": False, "stock_recycle_max": 3})]


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize(("preset", "seed", "seats", "chosen"), DEALS)
def test_every_moment_of_a_replay_is_the_table_that_was(preset, seed, seats, chosen, wild):
    match, deal, cuts, moves = dealt(preset, seed, seats, wild, **chosen)
    record = records.told_by(match, deal, cuts, moves)
    told = list(moments(record, keeps_top=match.options.get("recycle_keep_top", True)))
    tables, seen = [], 0
    for table in tables_of(match, deal, cuts, moves):
        if len(table.events) > seen:
            tables.append(table)
            seen = len(table.events)
    assert len(told) == len(tables)
    for moment, table in zip(told, tables, strict=True):
        assert [sorted(hand) for hand in moment.hands] == [sorted(hand) for hand in table.hands]
        assert moment.stock == len(table.stock) and moment.pile == table.discards
        assert [(m.kind, m.owner, sorted(m.cards)) for m in moment.melds] == [
            (m.kind, m.owner, sorted(m.cards)) for m in table.melds
        ]
        assert [m.cards for m in moment.melds if m.kind == "run"] == [
            m.cards for m in table.melds if m.kind == "run"
        ], "a run lies from low to high"
    assert sorted(told[-1].face_down) == sorted(record["left"].get("face_down", []))
    assert told[-1].pile == tuple(record["left"]["discards"])


# --- the page ---------------------------------------------------------------------------------------------------------

pages = pytest.mark.django_db


def page(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def see(user, match, number=1, **asked):
    return page(user).get(reverse("games:deal", args=[match.pk, number]), asked)


def words(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pages
def test_an_ended_deal_is_stepped_through_with_all_hands_or_with_what_one_seat_knew(ann, bob, monkeypatch):
    match = over(monkeypatch, ann, bob)
    first = see(ann, match)
    assert first.status_code == 200 and "Move 1 of 4" in words(first)
    assert 'aria-label="7 of hearts"' in first.content.decode(), "bob's hand lies open"
    assert "?step=2&amp;of=all" in first.content.decode()

    drawn = see(ann, match, step=2)
    assert "bob drew" in words(drawn) and 'aria-label="2 of clubs"' in drawn.content.decode()
    mine = see(ann, match, step=2, of=seat_of(match, ann).index)
    assert "bob drew from the stock." in words(mine)
    text = mine.content.decode()
    assert 'aria-label="2 of clubs"' not in text and 'aria-label="7 of hearts"' not in text
    assert 'aria-label="10 of diamonds"' in text
    his = see(ann, match, step=2, of=seat_of(match, bob).index).content.decode()
    assert "As bob saw it" in his and 'aria-label="10 of diamonds"' not in his and 'aria-label="2 of clubs"' in his

    last = see(ann, match, step=4)
    assert "bob went out" in words(last) and reverse("games:sheet", args=[match.pk]) in last.content.decode()
    assert 'rel="next"' not in last.content.decode()


@pages
def test_a_moment_has_an_address_that_works_without_a_script_and_wrong_ones_lead_to_the_nearest(ann, bob, monkeypatch):
    match = over(monkeypatch, ann, bob)
    text = see(ann, match, step=3).content.decode()
    assert '<form class="scrub" method="get"' in text and '<input type="range" id="step" name="step"' in text
    for key in ("Home", "ArrowLeft", "ArrowRight", "End"):
        assert f'aria-keyshortcuts="{key}"' in text
    assert 'href="?step=3&amp;of=all">Link to this moment' in text
    for wrong in ("0", "99999", "9999", "x", "-1", "٣"):
        assert see(ann, match, step=wrong, of=wrong).status_code == 200
    assert see(ann, match, step="9999").context["replay"].last


@pages
def test_the_replay_is_linked_where_a_deal_ends_and_leads_from_deal_to_deal(ann, bob):
    match = by_bots(ann, bob, hand_size=3, match_end="deals", deals=2, tie_break="shared")
    address = reverse("games:deal", args=[match.pk, match.deal_number])
    client = page(ann)
    for name in ("games:match", "games:sheet"):
        assert address in client.get(reverse(name, args=[match.pk])).content.decode()
    assert "Deal before" not in words(see(ann, match)) and match.deal_number > 1
    assert "Deal before" in words(see(ann, match, 2))
    assert "Next deal" in words(see(ann, match, 1, step=9999))
    assert "Next deal" not in words(see(ann, match, match.deal_number, step=9999))


@pages
def test_the_panel_of_a_deal_that_is_over_leads_to_its_replay(ann, bob, monkeypatch):
    match = over(monkeypatch, ann, bob)
    shown = page(ann).get(reverse("games:match", args=[match.pk]))
    assert reverse("games:deal", args=[match.pk, 1]) in shown.content.decode()


@pages
def test_no_deal_that_runs_has_a_replay(ann, bob):
    match = play_on(opened(ann, bob), turns=3)
    assert match.deals.get().ended_at is None
    for user in (ann, bob, None):
        assert see(user, match).status_code == 404
        assert see(user, match, 2).status_code == 404
    assert see(ann, match, 10**17).status_code == 404


@pages
def test_a_replay_is_seen_by_all_who_may_see_the_match_and_of_a_private_one_by_its_players_only(ann, bob, cat):
    public, private = ended(ann, bob), ended(ann, bob)
    Match.objects.filter(pk=private.pk).update(private=True)
    assert [see(user, public).status_code for user in (ann, bob, cat, None)] == [200] * 4
    assert [see(user, private).status_code for user in (ann, bob, cat, None)] == [200, 200, 404, 404]


@pages
def test_a_deal_that_was_broken_off_is_replayed_to_the_moment_of_the_resignation(ann, bob):
    match = opened(ann, bob)
    play_on(match, turns=2)
    play.resign(match.pk, seat_of(match, ann).index)
    shown = see(bob, match, step=9999)
    assert "ann resigned." in words(shown) and "The deal was broken off" in words(shown)


@pages
def test_a_void_deal_is_replayed_like_any_other(ann, bob):
    match, deal, cuts, moves = dealt("gin", 2, None, True, stock_floor=5, turn_cap=10, knock_limit=0)
    record = records.told_by(match, deal, cuts, moves)
    assert record["outcome"]["kind"] == "void"
    row = ended(ann, bob, preset="gin")
    Deal.objects.filter(match=row).update(record=record, sheet=deal.sheet, outcome=record["outcome"])
    assert "void" in words(see(ann, row, step=9999))


@pages
def test_the_clock_and_what_the_site_did_are_told_once_a_turn(ann, bob):
    match, deal, cuts, moves = dealt("basic-rummy", 1, 2)
    for move in moves:
        move.by = "clock" if move.seat is not None else move.by
    lines = [line.what for moment in moments(records.told_by(match, deal, cuts, moves)) for line in moment.lines]
    turns = {move.number for move in moves if move.action["type"] in ("draw_stock", "draw_discard")}
    assert lines.count("clock") == len(turns)


@pages
def test_a_replay_costs_few_queries_and_its_page_does_not_grow_with_the_deal(ann, bob):
    match = by_bots(ann, bob, hand_size=5, match_end="deals", deals=2, tie_break="shared")
    client = page(ann)
    rows = sorted((len(deal.record["steps"]), deal.number) for deal in match.deals.all())
    sizes = []
    for _steps, number in (rows[0], rows[-1]):
        address = reverse("games:deal", args=[match.pk, number])
        client.get(address)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address, {"of": "all", "step": "2"})
        assert len(queries) <= 12, [query["sql"] for query in queries]
        sizes.append(len(answer.content))
    assert abs(sizes[0] - sizes[1]) < 2000
