"""Deals that anyone can check: the page of a match, its JSON, and two checkers that share no code with fairness.py."""

import copy
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games import fairness, lobby, play, tables
from games.models import Deal, Match
from games.rules.actions import Discard, DrawStock

from .playing import CUT, do, mover, opened, seat_of

pytestmark = pytest.mark.django_db

CHECKER = Path(__file__).parents[2] / "docs" / "check_deal.py"


def page(match, user=None, name="games:fairness"):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.get(reverse(name, args=[match.pk]))


def told(match, user=None):
    return page(match, user, "games:proof").json()


def three_deals(ann, bob):
    """Two deals played until nobody can go on, each with a reshuffle, and the third broken off."""
    match = opened(ann, bob, hand_size=24, stock_recycle_max=1, target=10000)
    while Deal.objects.filter(match=match, ended_at__isnull=False).count() < 2:
        user = mover(match)
        do(match, user, DrawStock())
        do(match, user, Discard(tables.board(match, user).hand[0]))
    mover(match)
    play.resign(match.pk, 0)
    return Match.objects.get(pk=match.pk)


def checked(record, tmp_path):
    """What the Python checker says, run as a program of its own that cannot see the site's code."""
    (tmp_path / "match.json").write_text(json.dumps(record))
    ran = subprocess.run(
        [sys.executable, "-I", str(CHECKER), "match.json"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return set(ran.stdout.strip().splitlines())


def test_the_checker_of_the_paper_is_the_file_that_is_tested_and_that_the_page_gives(client):
    (code,) = re.findall(
        r"^```python\n(.*?)^```$", (CHECKER.parent / "fairness.md").read_text(encoding="utf-8"), re.M | re.S
    )
    assert CHECKER.read_text(encoding="utf-8") == code
    given = client.get(reverse("games:checker"))
    assert given.content.decode() == code and "check_deal.py" in given["Content-Disposition"]
    assert "import hashlib, hmac, json" in client.get(reverse("games:check")).content.decode()


def test_before_the_start_only_fingerprints_are_shown_and_afterwards_the_cuts(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", cut=("12" * 16, "browser"))
    shown = page(match).content.decode()
    assert match.commitment in shown and fairness.cut_hash("12" * 16) in shown
    assert "12" * 16 not in shown and "12" * 16 not in json.dumps(told(match))
    assert "Nothing has been dealt yet" in shown

    lobby.join(match.pk, bob, CUT)
    shown = page(match).content.decode()
    assert "12" * 16 in shown and told(match)["cuts"] == ["12" * 16, CUT[0]]


def test_secrets_are_shown_of_ended_deals_and_never_of_the_one_that_is_played(ann, bob):
    match = opened(ann, bob, hand_size=24, stock_recycle="none", target=10000)
    while match.deal_number < 2 or match.turn is None:
        user = mover(match)
        do(match, user, DrawStock())
        do(match, user, Discard(tables.board(match, user).hand[0]))
        mover(match)
    links = [fairness.link(bytes(match.chain), n).hex() for n in range(match.deal_number + 2)]
    for text in (page(match, ann).content.decode(), json.dumps(told(match, ann)), json.dumps(told(match))):
        assert all(link in text for link in links[: match.deal_number])
        assert links[match.deal_number] not in text and links[-1] not in text
    assert told(match)["running"] == match.deal_number
    assert "Being played." in page(match).content.decode()


def test_every_number_is_listed_also_void_and_broken_off_ones(ann, bob, tmp_path):
    match = three_deals(ann, bob)
    Deal.objects.filter(match=match, number=2).update(
        outcome={"kind": "void", "scorer": None, "points": [0, 0], "lines": [], "marks": []}
    )
    shown = page(match).content.decode()
    assert re.findall(r'<li value="(\d+)">', shown) == ["1", "2", "3"]
    assert "Void: nobody scores." in shown and "Broken off" in shown
    assert [deal["deal"] for deal in told(match)["deals"]] == [1, 2, 3]
    assert told(match)["running"] is None
    assert checked(told(match), tmp_path) == {"All is well."}


def test_a_changed_cut_a_skipped_number_and_a_redealt_void_deal_are_each_found(ann, bob, tmp_path):
    honest = told(three_deals(ann, bob))
    assert len(honest["deals"][0]["orders"]) > 1
    assert checked(honest, tmp_path) == {"All is well."}

    cut = copy.deepcopy(honest)
    cut["cuts"][1] = "77" * 16
    assert {"deal 1, order 0: wrong cards", "deal 3, order 0: wrong cards"} <= checked(cut, tmp_path)

    skipped = copy.deepcopy(honest)
    del skipped["deals"][1]
    assert checked(skipped, tmp_path) == {"place 2: not deal 2, or no pack", "deal 2: wrong secret"}

    again, secret = copy.deepcopy(honest), hashlib.sha256(b"another")
    deal = again["deals"][1]
    pool = deal["orders"][0]["pool"]
    order = fairness.order(secret.digest(), honest["cuts"], 2, 0, 52)
    deal["secret"] = secret.hexdigest()
    deal["orders"] = [{"n": 0, "size": 52, "pool": pool, "cards": [pool[i] for i in order]}]
    assert checked(again, tmp_path) == {"deal 2: wrong secret", "deal 3: wrong secret"}


def test_a_rematch_has_no_draw_for_the_dealer_and_passes(ann, bob, tmp_path):
    first = opened(ann, bob)
    play.resign(first.pk, 1)
    again = lobby.rematch(first.pk, ann)
    lobby.answer(again.pk, bob, yes=True, cut=CUT)
    play.resign(again.pk, 0)
    record = told(Match.objects.get(pk=again.pk))
    assert "first_dealer" not in record and len(record["deals"]) == 1
    assert checked(record, tmp_path) == {"All is well."}
    assert "A rematch has no draw" in page(again).content.decode()


def test_a_private_match_is_checked_by_its_players_alone(ann, bob, cat):
    match = opened(ann, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    for name in ("games:fairness", "games:proof"):
        assert page(match, ann, name).status_code == 200
        assert [page(match, user, name).status_code for user in (cat, None)] == [404, 404]


def test_no_name_of_a_player_stands_in_the_json(ann, bob):
    match = opened(ann, bob)
    play.resign(match.pk, seat_of(match, ann).index)
    assert not re.search(r"\b(ann|bob)\b", json.dumps(told(match)))


@pytest.mark.parametrize("asked", ["x", "-1", "9" * 19, "٣", "1 2"])
def test_what_is_no_number_of_a_match_is_told_so(client, asked):
    assert "has digits only" in client.get(reverse("games:check"), {"match": asked}).content.decode()


def test_without_scripts_the_page_gives_the_json_the_checker_and_six_sentences(client, ann, bob):
    match = opened(ann, bob)
    shown = client.get(reverse("games:check"), {"match": match.pk}).content.decode()
    assert reverse("games:proof", args=[match.pk]) in shown and reverse("games:checker") in shown
    proved = re.search(r'<ol class="proved">(.*?)</ol>', shown, re.S)[1]
    assert proved.count("<li>") == 6


def test_sheet_table_and_the_ended_match_lead_to_it(client, ann, bob):
    match = opened(ann, bob)
    address = reverse("games:fairness", args=[match.pk])
    client.force_login(ann)
    for name in ("games:match", "games:sheet"):
        assert address in client.get(reverse(name, args=[match.pk])).content.decode()
    play.resign(match.pk, 0)
    assert address in client.get(reverse("games:match", args=[match.pk])).content.decode()


def test_the_page_of_many_deals_needs_few_queries(client, ann, bob, django_assert_max_num_queries):
    match = three_deals(ann, bob)
    for name in ("games:fairness", "games:proof"):
        with django_assert_max_num_queries(8):
            client.get(reverse(name, args=[match.pk]))
