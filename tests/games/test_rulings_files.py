"""A ruling in the score sheet, replay, proof, file and what is read in from it."""

import copy
import json
import runpy
from pathlib import Path

import pytest
from django.urls import reverse

from games import importing, tables
from games.api.export import exported
from games.models import Match
from games.moderation import rulings
from games.views.results import sheet_rows

from .ruling import WHY, deals_played, on, play_deal, play_out, points

pytestmark = pytest.mark.django_db
check = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "check_deal.py"))["check"]


@pytest.fixture
def ruled(ann, bob, mod):
    """Deal 1 corrected while deal 2 runs, deal 2 void while it runs, deal 3 played, deal 4 runs."""
    match = deals_played(ann, bob, ended=1)
    rulings.correct(match.pk, 1, [20, 0], by=mod, reason=WHY)
    rulings.void_deal(match.pk, 2, by=mod, reason=WHY)
    on(match)
    return play_deal(match)


def bytes_of(told):
    return json.dumps(told).encode()


def page(client, user, name, *more, match):
    client.force_login(user)
    answer = client.get(reverse(f"games:{name}", args=[match.pk, *more]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_score_sheet_says_what_was_corrected_and_adds_up_by_hand(client, ann, cat, ruled):
    text = page(client, ann, "sheet", match=ruled)
    assert "A moderator has corrected the points: you 20, bob 0." in text
    assert "A moderator has declared the deal void" in text
    board = tables.board(ruled, cat)
    total = [0, 0]
    for row in sheet_rows(board, tables.results(ruled)):
        total = [sum_ + cell[0] for sum_, cell in zip(total, row.cells, strict=True)]
        assert [cell[1] for cell in row.cells] == total
    assert total == ruled.totals
    replayed = page(client, ann, "deal", 2, match=ruled) + page(client, ann, "export_text", match=ruled)
    assert "declared deal 2 void" in replayed and "corrected the points" in replayed
    table = page(client, cat, "match", match=ruled)
    assert table


def test_a_void_deal_keeps_its_number_in_the_proof_and_the_checker_finds_all_well(client, cat, ruled):
    assert "Declared void by a moderator" in page(client, cat, "fairness", match=ruled)
    proof = client.get(reverse("games:proof", args=[ruled.pk])).json()
    assert [(deal["deal"], deal["void"]) for deal in proof["deals"]] == [(1, False), (2, True), (3, False)]
    assert proof["running"] == 4
    assert check(proof) == []


def test_a_file_with_rulings_comes_back_and_lies_about_them_are_refused(client, ann, cat, mod, ruled):
    told = json.loads(bytes_of(exported(ruled)))
    assert told["version"] == 2
    assert [one["action"]["type"] for one in told["rulings"]] == ["corrected", "voided"]
    assert check(told) == []
    row = importing.read_in(bytes_of(told))
    text = client.force_login(cat) or client.get(reverse("games:imported", args=[row.pk])).content.decode()
    assert "A moderator has corrected the points" in text and "declared the deal void" in text
    for change in (
        lambda file: file["rulings"].pop(),
        lambda file: file["rulings"][0]["action"].update(points=[21, 0]),
        lambda file: file["rulings"][0]["action"].update(type="aborted"),
        lambda file: file["result"].update(totals=[1, 1]),
        lambda file: file.update(rulings=[]),
    ):
        false = copy.deepcopy(told)
        change(false)
        with pytest.raises(importing.NotTrue):
            importing.checked(bytes_of(false))


def test_every_end_that_a_moderator_makes_comes_back_from_its_file(ann, bob, mod, ruled):
    rulings.abort(ruled.pk, by=mod, reason=WHY)
    importing.checked(bytes_of(exported(Match.objects.get(pk=ruled.pk))))
    rulings.reopen_match(ruled.pk, by=mod, reason=WHY)
    on(ruled)
    importing.checked(bytes_of(exported(Match.objects.get(pk=ruled.pk))))
    rulings.adjudicate(ruled.pk, [1], by=mod, reason=WHY)
    importing.checked(bytes_of(exported(Match.objects.get(pk=ruled.pk))))


def test_a_match_of_gin_that_went_on_after_its_end_comes_back_from_its_file(ann, bob, mod):
    match = play_out(deals_played(ann, bob, ended=1, preset="gin", target=20))
    rulings.void_deal(match.pk, match.deal_number, by=mod, reason=WHY)
    play_out(match)
    assert len(points(match)) == match.deal_number
    told = json.loads(bytes_of(exported(match)))
    assert importing.checked(bytes_of(told)) == told
