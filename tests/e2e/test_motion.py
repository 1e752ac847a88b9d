"""Cards travel from where they were: each has its name in the page before and after, a hidden one that of its place."""

import pytest
from playwright.sync_api import expect

from games.rules.actions import Discard, DrawStock, Meld
from games.rules.cards import card, cards
from tests.e2e.test_states import CUT_OFF
from tests.games.playing import do
from tests.games.stacking import fourteen

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

WATCH = """window.journeys = []; const real = document.startViewTransition.bind(document);
const PLACES = ['#hand', '#stock', '#discards', '.seat', '.meld'];
const names = () => Object.fromEntries([...document.querySelectorAll('.room *')]
  .map((one) => [getComputedStyle(one).viewTransitionName, PLACES.find((place) => one.closest(place))])
  .filter(([name]) => name.startsWith('c-')));
document.startViewTransition = (change) => { const from = names();
  return real(async () => { await change(); journeys.push([from, names()]); }); };"""


def moved(page, name):
    """From where to where the card has gone in the last transition that shows it in both."""
    return page.evaluate(
        "name => { const other = ([a, b]) => a[name] && b[name] && a[name] !== b[name];"
        " const [from, to] = journeys.findLast(other) || [{}, {}];"
        " return [from[name], to[name]]; }",
        name,
    )


def test_cards_travel_between_stock_hand_table_discards_and_seats(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page, hers = visit(bob), visit(ann)
    for one in (page, hers):
        one.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {WATCH} }})")
        one.goto(f"/matches/{match.pk}/")
        one.wait_for_selector("body[data-ws=open]")
    page.keyboard.press("d")
    expect(page.locator('#hand input[value="TC"]')).to_be_attached()
    page.wait_for_timeout(400)
    assert moved(page, "c-TC-1") == ["#stock", "#hand"]

    for value in ("AS", "AD", "AH"):
        page.locator(f'#hand input[value="{value}"]').check(force=True)
    page.keyboard.press("m")
    expect(page.locator(".meld")).to_have_count(1)
    page.wait_for_timeout(400)
    assert moved(page, "c-AD-1") == ["#hand", ".meld"]
    page.locator('#hand input[value="KD"]').check(force=True)
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("Waiting for ann")
    page.wait_for_timeout(400)
    assert moved(page, "c-KD-1") == ["#hand", "#discards"]
    expect(hers.locator("#do-draw")).to_be_visible()
    hers.wait_for_timeout(400)
    assert moved(hers, "c-KD-1") == [".seat", "#discards"]


@pytest.mark.parametrize("how", ["setting", "system"])
def test_motion_that_is_switched_off_is_off(visit, monkeypatch, ann, bob, how):
    match = fourteen(monkeypatch, ann, bob)
    bob.animation = "off" if how == "setting" else "normal"
    bob.save()
    page = visit(bob)
    page.emulate_media(reduced_motion="reduce" if how == "system" else "no-preference")
    page.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {WATCH} }})")
    page.goto(f"/matches/{match.pk}/")
    page.keyboard.press("d")
    expect(page.locator('#hand input[value="TC"]')).to_be_attached()
    assert page.evaluate("journeys") == []


SEEN = """(at) => { const one = document.querySelector(at), box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return Boolean(top) && one.closest('.pile').contains(top); }"""


def test_forced_colours_zoom_and_large_text_lose_nothing(visit, shot, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("AS AD AH")))
    page = visit(bob, 640, 400)  # 1280 by 800 at 200 %
    page.goto(f"/matches/{match.pk}/")
    page.locator('#hand input[value="KD"]').check(force=True)
    assert page.evaluate(CUT_OFF) == []
    page.locator("#discards").scroll_into_view_if_needed()
    assert page.evaluate(SEEN, "#discards .card"), "the hand covers nothing for good"
    page.locator("#do-discard").scroll_into_view_if_needed()
    expect(page.locator("#do-discard")).to_be_in_viewport()
    shot(page, "zoom-640")
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(200)
    cut = """() => [...document.querySelectorAll('#acts .act, .tabs button')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"""
    shot(page, "text-200")
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(cut) == []
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.emulate_media(forced_colors="active")
    page.wait_for_timeout(100)
    shot(page, "forced-390")
    look = page.locator('#hand .hc:has(input[value="KD"]) .card').evaluate(
        "one => [getComputedStyle(one).forcedColorAdjust, getComputedStyle(one.parentElement).outlineStyle]"
    )
    assert look == ["none", "solid"], "cards keep their colours, a selected one an edge"
    do(match, bob, Discard(card("KD")))
