"""The checker in the browser: an honest match passes, each way of cheating is found, and pasted JSON is read."""

import copy
import json

import pytest
from playwright.sync_api import expect

from games import fairness, play, proofs, tables
from games.models import Deal, Match
from games.rules.actions import Discard, DrawStock
from tests.games.playing import do, mover, opened

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


class Nobody:
    """A reader who is not signed in."""

    is_authenticated = False
    pk = None


def three_deals(ann, bob):
    """Two deals with a reshuffle each, and a third that is broken off."""
    match = opened(ann, bob, hand_size=24, stock_recycle_max=1, target=10000)
    while Deal.objects.filter(match=match, ended_at__isnull=False).count() < 2:
        user = mover(match)
        do(match, user, DrawStock())
        do(match, user, Discard(tables.board(match, user).hand[0]))
    mover(match)
    play.resign(match.pk, 0)
    return Match.objects.get(pk=match.pk)


def changed_cut(match):
    match["cuts"][1] = "77" * 16


def skipped_number(match):
    del match["deals"][1]


def redealt(match):
    """The second number was dealt again with another secret, and all that follows from it fits."""
    deal, secret = match["deals"][1], bytes(range(32))
    pool = deal["orders"][0]["pool"]
    deal["secret"] = secret.hex()
    deal["orders"][0]["cards"] = [pool[i] for i in fairness.order(secret, match["cuts"], 2, 0, 52)]


def another_hand(match):
    hands = match["deals"][0]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def another_draw(match):
    events = [event for step in match["deals"][0]["steps"] for event in step.get("events", ())]
    next(event for event in events if event["kind"] == "drew")["own"] = "XX"


FOUND = (
    (changed_cut, ("Cut of seat 2", "Order of the pack", "First dealer")),
    (skipped_number, ("Numbers dealt: expected 1 to 2 without a gap, found 1, 3.", "Secret: its SHA-256")),
    (redealt, ("Secret: its SHA-256",)),
    (another_hand, ("Hands:",)),
    (another_draw, ("Stock:",)),
)


def test_the_browser_checks_a_match_and_finds_each_way_to_cheat(browser, site, console, shot, ann, bob):
    match = three_deals(ann, bob)
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: console.append(str(error)))
    page.goto(f"{site}/check/?match={match.pk}")
    told = page.get_by_role("status")
    expect(told).to_contain_text("All is well: 26 checks")
    expect(page.locator("#checks details")).to_have_count(4)
    page.locator("#checks summary").nth(1).click()
    shot(page, "check-390")

    honest = json.loads(json.dumps(proofs.proof(tables.board(match, Nobody()))))
    page.get_by_text("Check JSON that you have saved").click()
    for tamper, findings in FOUND:
        told_match = copy.deepcopy(honest)
        tamper(told_match)
        page.get_by_label("The JSON of a match").fill(json.dumps(told_match))
        page.get_by_role("button", name="Check what is pasted").click()
        expect(told).to_contain_text("checks do not hold")
        bad = page.locator("#checks li.bad").all_text_contents()
        assert all(any(text.startswith(begun) for text in bad) for begun in findings), (tamper, bad)
    shot(page, "check-bad-390")
    page.get_by_label("The JSON of a match").fill('{"deals": [{}]}')
    page.get_by_role("button", name="Check what is pasted").click()
    expect(told).to_contain_text("This is not the JSON of a match.")
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.close()


def test_without_webcrypto_the_page_says_so_in_words(browser, site, shot, ann):
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})")
    page.goto(f"{site}/check/")
    expect(page.get_by_role("status")).to_contain_text("only on pages that come over HTTPS or from this machine")
    expect(page.get_by_label("The JSON of a match")).to_be_hidden()
    page.close()
