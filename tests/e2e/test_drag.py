"""Cards dragged by mouse and by finger: each drag does what its button does, and dropped elsewhere nothing happens."""

import re

import pytest
from playwright.sync_api import expect

from games import tables
from games.bench.client import session_of
from games.models import Match
from games.rules.actions import DrawStock, Meld
from games.rules.cards import cards
from tests.games.playing import do
from tests.games.stacking import fourteen

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

MAIN = (640, 300)
"""A place of the table where nothing lies, at 1280 by 800."""


def at_table(visit, match, user, width=1280, height=800):
    page = visit(user, width, height)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=open]")
    return page


def middle(page, place):
    if isinstance(place, tuple):
        return place
    box = page.locator(place).bounding_box()
    return box["x"] + min(20, box["width"] / 2), box["y"] + box["height"] / 2


def pick_up(page, place, to):
    page.mouse.move(*middle(page, place))
    page.mouse.down()
    page.mouse.move(*middle(page, to), steps=12)


def drag(page, place, to):
    pick_up(page, place, to)
    with page.expect_response(re.compile("/act/")):
        page.mouse.up()


def hand(page):
    return [box.get_attribute("value") for box in page.locator("#hand input[name=card]").all()]


def hc(value):
    return f'#hand .hc:has(input[value="{value}"])'


def test_a_turn_is_played_by_dragging(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, bob)

    drag(page, "#stock", hc("AS"))
    expect(page.locator('#hand input[value="TC"]')).to_be_attached()

    for value in ("AS", "AD", "AH"):
        page.locator(f'#hand input[value="{value}"]').check(force=True)
    drag(page, hc("AD"), MAIN)
    expect(page.locator(".meld.draft")).to_have_count(1)

    for value in ("4C", "5C", "6C"):
        page.locator(f'#hand input[value="{value}"]').check(force=True)
    drag(page, hc("5C"), MAIN)
    expect(page.locator(".meld.draft")).to_have_count(2)
    pick_up(page, hc("7C"), ".meld[data-meld='1']")
    expect(page.locator(".meld.fits")).to_have_attribute("data-meld", "1")
    with page.expect_response(re.compile("/act/")):
        page.mouse.up()
    expect(page.locator(".meld[data-meld='1'] .tc")).to_have_count(4)

    drag(page, hc("KD"), "#discards")
    expect(page.locator("#said")).to_contain_text("Waiting for ann")
    match.refresh_from_db()
    board = tables.board(match, ann)
    assert str(board.view.top) == "KD"
    assert [len(meld.cards) for meld in board.view.melds] == [3, 4]


def test_the_top_discard_is_dragged_into_the_hand(visit, monkeypatch, ann, bob):
    page = at_table(visit, fourteen(monkeypatch, ann, bob), bob)
    drag(page, "#discards", hc("AS"))
    expect(page.locator('#hand .held input[value="8C"]')).to_be_attached()


@pytest.mark.parametrize("ending", ["outside", "escape", "one card on the table"])
def test_a_drag_that_ends_nowhere_changes_nothing(visit, monkeypatch, ann, bob, ending):
    match = fourteen(monkeypatch, ann, bob)
    do(match, bob, DrawStock())
    page = at_table(visit, match, bob)
    before, sent = hand(page), []
    page.locator('#hand input[value="TD"]').check(force=True)
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    pick_up(page, hc("2H"), MAIN if ending == "one card on the table" else (400, 20))
    if ending == "escape":
        page.mouse.move(*MAIN, steps=3)
        page.keyboard.press("Escape")
    page.mouse.up()
    page.wait_for_timeout(200)
    assert hand(page) == before
    assert sent == []
    assert page.locator("#hand .drag, .aim").count() == 0
    if ending != "escape":  # which selects nothing
        assert page.locator("#hand input:checked").evaluate_all("all => all.map((one) => one.value)") == ["TD"]


def test_what_the_rules_refuse_teaches_and_leaves_the_cards(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    do(match, bob, DrawStock())
    do(match, bob, Meld(cards("AS AD AH")))
    page = at_table(visit, match, bob)
    drag(page, hc("KD"), ".meld[data-meld='0']")
    expect(page.locator("#said [role=alert]")).to_contain_text("a set takes only cards of its own rank")
    expect(page.locator('#hand .why input[value="KD"]')).to_be_checked()


def touch(page, kind, x, y):
    points = [] if kind in ("touchEnd", "touchCancel") else [{"x": x, "y": y}]
    page.touching.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.fixture
def phone(browser, site, console):
    """A page of a phone, with fingers."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, base_url=site)

    def open_page(user, match):
        page = context.new_page()
        page.on("pageerror", lambda error: console.append(str(error)))
        context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site}])
        page.goto(f"/matches/{match.pk}/")
        page.wait_for_selector("body[data-ws=open]")
        page.touching = context.new_cdp_session(page)
        return page

    yield open_page
    context.close()


def test_a_finger_discards_without_scrolling_and_may_let_go_elsewhere(phone, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    do(match, bob, DrawStock())
    page = phone(bob, match)
    scrolled = page.evaluate("scrollY")

    def swipe(to, end="touchEnd"):
        (x, y), (tx, ty) = middle(page, hc("KD")), to
        touch(page, "touchStart", x, y)
        for step in range(1, 9):
            touch(page, "touchMove", x + (tx - x) * step / 8, y + (ty - y) * step / 8)
        touch(page, end, tx, ty)
        page.wait_for_timeout(300)

    swipe((200, 20))
    swipe(middle(page, "#discards"), "touchCancel")
    assert len(hand(page)) == 14
    assert Match.objects.get(pk=match.pk).version == match.version
    swipe(middle(page, "#discards"))
    expect(page.locator("#said")).to_contain_text("Waiting for ann")
    assert page.evaluate("scrollY") == scrolled
