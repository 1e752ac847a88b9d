"""The replay of a deal in a browser: keys, slider, play, and without scripts. Pictures are kept."""

import re

import pytest
from playwright.sync_api import expect

from tests.games.recorded import by_bots

from .conftest import still

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

CUT_OFF = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('.room *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => `too wide: ${one.outerHTML.slice(0, 90)}`)"""


def test_a_deal_is_replayed_by_keys_by_the_slider_and_by_itself(visit, shot, ann, bob):
    match = by_bots(ann, bob, target=20)
    still(ann)
    page = visit(ann, 390, 844)
    page.goto(f"/matches/{match.pk}/deals/1/")
    nth = page.locator(".scrub label")
    expect(nth).to_have_text(re.compile("Move 1 of "))
    page.keyboard.press("ArrowRight")
    expect(nth).to_have_text(re.compile("Move 2 of "))
    expect(page).to_have_url(re.compile(r"step=2&of=all"))
    page.keyboard.press("End")
    expect(page.locator(".said")).to_contain_text("Score sheet")
    page.keyboard.press("Home")
    expect(nth).to_have_text(re.compile("Move 1 of "))

    page.locator("#step").fill("5")
    expect(nth).to_have_text(re.compile("Move 5 of "))
    expect(page).to_have_url(re.compile(r"step=5"))
    shot(page, "replay-all-390")
    assert page.evaluate(CUT_OFF) == []

    page.get_by_text("As I saw it").click()
    expect(page).to_have_url(re.compile(r"of=\d"))
    shot(page, "replay-mine-390")
    page.get_by_role("button", name="Play").click()
    expect(nth).to_have_text(re.compile("Move 7 of "))
    page.get_by_role("button", name="Stop").click()
    page.set_viewport_size({"width": 1280, "height": 800})
    shot(page, "replay-mine-1280")
    page.goto(f"/matches/{match.pk}/deals/1/?step=30")
    shot(page, "replay-all-1280")
    assert page.evaluate(CUT_OFF) == []


def test_without_scripts_the_slider_has_a_button_and_nothing_that_does_nothing(visit, ann, bob):
    match = by_bots(ann, bob, preset="gin", target=10)
    page = visit(ann, 390, 844, scripts=False)
    page.goto(f"/matches/{match.pk}/deals/1/")
    expect(page.get_by_role("button", name="Play")).to_be_hidden()
    page.locator("#step").press("ArrowRight")
    page.get_by_role("button", name="Go").click()
    expect(page.locator(".scrub label")).to_have_text(re.compile("Move 2 of "))
    page.get_by_role("link", name="Next move").click()
    expect(page.locator(".scrub label")).to_have_text(re.compile("Move 3 of "))
