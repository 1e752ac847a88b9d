"""The profile in a browser: filters swap what is told below them, and the address can be passed on."""

import pytest

from games import recomputing
from tests.games.stacking import over

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_a_filter_changes_the_part_below_it_the_address_and_what_back_shows(visit, monkeypatch, ann, bob):
    over(monkeypatch, ann, bob, target=10)
    recomputing.summaries_of(bob.pk)
    page = visit(bob)
    page.goto("/players/bob/")
    assert page.locator("#h-results").count() == 1
    page.keyboard.press("Tab")
    page.locator(".filter summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Game").select_option("gin")
    page.wait_for_url("**/players/bob/?preset=gin")
    page.wait_for_selector("text=Nothing is told of this choice")
    assert page.locator("#h-results").count() == 0 and page.get_by_label("Game").input_value() == "gin"
    page.get_by_label("One player").fill("ann")
    page.get_by_label("One player").press("Enter")
    page.wait_for_url("**/players/bob/?preset=gin&name=ann")
    page.locator(".filters a").first.click()
    page.wait_for_url("**/players/bob/?name=ann")
    page.wait_for_selector("#h-both")
    table = page.locator(".as-table").first
    table.locator("summary").focus()
    page.keyboard.press("Enter")
    assert table.locator("tbody tr").first.is_visible()
    page.go_back()
    page.wait_for_url("**/players/bob/?preset=gin&name=ann")
    page.wait_for_selector("text=Nothing is told of this choice")
