"""A stranger on a phone: two taps to the first card, a whole deal with one thumb, and an account kept at the end."""

import json
import time

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match

pytestmark = pytest.mark.e2e

MOST_ACTIONS = 60
SECONDS = 90
PHONE = {"width": 390, "height": 844}


class Thumb:
    """Presses things and counts how often."""

    def __init__(self, page: Page) -> None:
        self.page, self.actions = page, 0

    def press(self, selector: str) -> None:
        """One tap; at the table it is done when the answer is there."""
        self.page.locator(selector).first.click()
        self.actions += 1

    def play(self, selector: str) -> None:
        """A tap that the site answers with the table as it stands then."""
        with self.page.expect_response(lambda answer: "/act/" in answer.url):
            self.press(selector)
        self.page.wait_for_function("() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')")

    def select(self, *cards: str) -> None:
        """Taps on cards of the hand."""
        for card in cards:
            self.press(f'#hand .hc:has(input[value="{card}"])')


def state(page: Page) -> str:
    """What the page shows; waits while the others play."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        shown = str(page.locator("#board").get_attribute("data-state"))
        if "over" in shown or page.locator("#do-draw, #do-discard").count():
            return shown
        page.wait_for_timeout(100)
    raise AssertionError("the others never moved")


def take_turn(page: Page, thumb: Thumb) -> None:
    """Draw, put down one meld if there is one, and throw the card just drawn or the first that may go."""
    thumb.play("#do-draw")
    legal = json.loads(page.locator("#acts").get_attribute("data-legal") or "{}")
    if legal.get("melds"):
        thumb.select(*legal["melds"][0])
        thumb.play("#do-meld")
        legal = json.loads(page.locator("#acts").get_attribute("data-legal") or "{}")
    if legal.get("discard"):
        drawn = page.locator("#hand .new input").first
        card = drawn.get_attribute("value") if drawn.count() else None
        thumb.select(card if card in legal["discard"] else legal["discard"][0])
        thumb.play("#do-discard")


def test_a_guest_plays_a_whole_deal_with_few_taps_keeps_the_account_and_finds_the_match_elsewhere(
    browser, site, shot, console
):
    context = browser.new_context(viewport=PHONE, has_touch=True, base_url=site)
    page = context.new_page()
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    page.goto("/")
    shot(page, "front-390")
    thumb = Thumb(page)

    thumb.press("main button:has-text('Play now')")
    while "over" not in state(page):
        take_turn(page, thumb)

    assert thumb.actions < MOST_ACTIONS
    expect(page.get_by_text("Deal 1 is over")).to_be_visible()
    shot(page, "guest-deal-390")
    match, guest = Match.objects.get(), User.objects.get()
    assert guest.is_guest

    page.goto("/tables/")
    page.locator("details.menu summary").click()
    page.get_by_role("link", name="Keep").first.click()
    page.fill("input[name=username]", "Marija")
    page.fill("input[name=password1]", "a quiet evening")
    page.fill("input[name=password2]", "a quiet evening")
    shot(page, "keep-390")
    page.locator("main button[type=submit]").first.click()
    page.wait_for_load_state()
    kept = User.objects.get()
    assert (kept.pk, kept.username, kept.is_guest) == (guest.pk, "Marija", False)

    other = browser.new_context(base_url=site).new_page()
    other.goto("/accounts/login/")
    other.fill("input[name=login]", "Marija")
    other.fill("input[name=password]", "a quiet evening")
    other.press("input[name=password]", "Enter")
    other.wait_for_url("**/tables/")
    expect(other.locator(f'a[href="/matches/{match.pk}/"]').first).to_be_visible()
    shot(other, "found-again-1280")
    context.close()
    other.context.close()
