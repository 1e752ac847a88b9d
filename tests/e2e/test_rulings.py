"""A moderator decides about a match in the browser, and takes it back; the players see what was decided."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts import roles
from games.models import Match
from tests.games.acts_table import staff
from tests.games.ruling import deals_played

from .conftest import still

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_a_correction_is_made_read_on_the_score_sheet_and_taken_back(
    visit: Callable[..., Page], shot: Callable[[Page, str], None], ann: Any, bob: Any
) -> None:
    match, senior = deals_played(ann, bob, ended=1), staff("senior", roles.SENIOR)
    still(ann)
    before = list(match.totals)
    desk = visit(senior, 1280, 900)
    desk.goto(f"/admin/games/match/{match.pk}/change/")
    shot(desk, "ruling-match")
    desk.get_by_role("link", name="Correct the points of a deal").click()
    desk.get_by_label("Deal:").select_option("1")
    desk.get_by_label("Points of ann").fill("20")
    desk.get_by_label("Points of bob").fill("0")
    desk.get_by_label("Reason").fill("Counted together with both players.")
    shot(desk, "ruling-correct")
    desk.get_by_role("button", name="Correct the points of a deal").click()
    expect(desk.get_by_text("stands in the audit log")).to_be_visible()
    assert Match.objects.get(pk=match.pk).totals == [20, 0]

    phone = visit(ann, 390, 844)
    phone.goto(f"/matches/{match.pk}/sheet/")
    expect(phone.get_by_text("A moderator has corrected the points: you 20, bob 0.")).to_be_visible()
    shot(phone, "ruling-sheet")
    phone.goto("/notices/")
    expect(phone.get_by_text("A moderator has corrected the points of deal 1")).to_be_visible()

    desk.get_by_role("link", name="Take it back").click()
    desk.get_by_label("Reason").fill("They had counted wrongly.")
    desk.get_by_role("button").last.click()
    expect(desk.get_by_text("is taken back")).to_be_visible()
    assert Match.objects.get(pk=match.pk).totals == before
