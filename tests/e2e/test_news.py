"""What others do while I am at the table: it is told once, takes nothing from my hands, and waits while I touch."""

import pytest
from playwright.sync_api import expect

from games import drafts, nudge
from games.models import Match
from games.rules.actions import Discard, DrawStock, Meld
from games.rules.cards import card, cards
from tests.games.playing import do, seat_of
from tests.games.stacking import fourteen, melds_on_the_table

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

OPEN = "body[data-ws=open]"


def at_table(visit, match, user, width=1280, height=800):
    page = visit(user, width, height)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(OPEN)
    return page


def up_to_date(page, match):
    version = Match.objects.get(pk=match.pk).version
    page.wait_for_function("n => parseInt(document.querySelector('#board').dataset.version) >= n", arg=version)


def test_each_new_sentence_is_told_once_and_refusals_at_once(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, ann)
    told = page.get_by_role("log", name="What happened")
    expect(told).to_have_text("")

    do(match, bob, DrawStock())
    expect(told).to_have_text("bob drew from the stock.")
    do(match, bob, Meld(cards("AS AD AH")))
    do(match, bob, Discard(card("KD")))
    up_to_date(page, match)
    expect(told.get_by_text("bob drew from the stock.")).to_have_count(1)
    assert told.locator("p").count() == 4
    expect(told.get_by_role("img", name="king of diamonds")).to_have_count(1)
    expect(told).to_contain_text("It is your turn. Draw a card.")

    page.get_by_role("button", name="Draw from the stock").click()
    expect(told).to_contain_text("You drew")
    expect(told.get_by_text("bob discarded")).to_have_count(1)
    page.keyboard.press("m")
    expect(page.get_by_role("alert")).to_have_text("Select the cards that you want to meld.")
    assert page.locator("#room").locator("[aria-live], [role=status], [role=log]:not(#talk-list)").count() == 1


def test_selection_focus_and_scroll_survive_others_moves(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, ann, 390, 844)
    for value in ("2S", "3D"):
        page.locator(f'#hand input[value="{value}"]').check(force=True)
    page.locator('#hand input[value="3D"]').focus()
    page.evaluate("scrollTo(0, 60)")
    scrolled = page.evaluate("scrollY")
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    up_to_date(page, match)
    expect(page.locator("#do-draw")).to_be_visible()

    assert page.locator("#hand input:checked").evaluate_all("all => all.map((one) => one.value).sort()") == ["2S", "3D"]
    assert page.evaluate("document.activeElement.value") == "3D"
    assert page.evaluate("scrollY") == scrolled

    drafts.set_sort(seat_of(match, ann), "rank")  # on another device: the hand itself is drawn anew
    nudge.changed(match.pk, Match.objects.get(pk=match.pk).version, [ann.pk])
    page.evaluate("document.body.dispatchEvent(new CustomEvent('rummy:nudge', {bubbles: true}))")
    page.wait_for_selector("#sort-rank[aria-pressed=true]")
    assert page.locator("#hand input:checked").evaluate_all("all => all.map((one) => one.value).sort()") == ["2S", "3D"]


def test_a_chosen_meld_stays_chosen(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    melds_on_the_table(match, ann, bob)
    page = at_table(visit, match, bob)
    page.locator("#meld1").check(force=True)
    Match.objects.filter(pk=match.pk).update(version=match.version + 1)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('rummy:nudge', {bubbles: true}))")
    up_to_date(page, match)
    expect(page.locator("#meld1")).to_be_checked()


@pytest.mark.parametrize("how", ["pointer", "sheet", "marked text"])
def test_news_wait_while_i_touch_and_come_when_i_let_go(visit, monkeypatch, ann, bob, how):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, ann, 390, 844)
    page.wait_for_timeout(300)
    if how == "pointer":
        box = page.locator("#hand .hc").nth(3).bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 40)
        page.mouse.down()
    elif how == "sheet":
        page.get_by_role("button", name="Score").click()
    else:
        page.evaluate("getSelection().selectAllChildren(document.querySelector('.tname h1'))")
    before = page.locator("#board").get_attribute("data-version")
    do(match, bob, DrawStock())
    page.wait_for_timeout(1200)
    assert page.locator("#board").get_attribute("data-version") == before

    if how == "pointer":
        page.mouse.up()
    elif how == "sheet":
        page.keyboard.press("Escape")
    else:
        page.evaluate("getSelection().removeAllRanges()")
    up_to_date(page, match)


def test_the_bar_keeps_its_height_and_its_buttons_their_places(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, ann, 390, 844)
    heights = [page.locator("#acts").bounding_box()]
    do(match, bob, DrawStock())
    do(match, bob, Discard(card("KD")))
    up_to_date(page, match)
    expect(page.locator("#do-draw")).to_be_visible()
    heights.append(page.locator("#acts").bounding_box())
    page.keyboard.press("d")
    expect(page.locator("#do-meld")).to_be_visible()
    heights.append(page.locator("#acts").bounding_box())
    places = page.locator("#do-meld").bounding_box(), page.locator("#do-discard").bounding_box()
    for count in (1, 2, 3):
        page.locator("#hand input[name=card]").nth(count).check(force=True)
        heights.append(page.locator("#acts").bounding_box())
        assert (page.locator("#do-meld").bounding_box(), page.locator("#do-discard").bounding_box()) == places
    assert len({(one["y"], one["height"]) for one in heights}) == 1


def test_who_wants_to_be_asked_confirms_a_discard_or_goes_back(visit, shot, monkeypatch, ann, bob):
    bob.confirm_correspondence = True
    bob.save()
    match = fourteen(monkeypatch, ann, bob, pace="1d")
    do(match, bob, DrawStock())
    page = at_table(visit, match, bob, 390, 844)
    page.locator('#hand input[value="KD"]').check(force=True)
    page.locator("#do-discard").click()
    expect(page.get_by_role("button", name="Back")).to_be_focused()
    expect(page.locator("#ask")).to_contain_text("It ends your turn.")
    expect(page.locator("#ask").get_by_role("img", name="king of diamonds")).to_be_visible()
    shot(page, "asked-390")
    page.keyboard.press("Escape")
    expect(page.locator("#do-meld")).to_be_visible()
    expect(page.locator('#hand input[value="KD"]')).to_be_checked()
    page.locator("#do-discard").click()
    page.wait_for_timeout(600)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#said")).to_contain_text("Waiting for ann")


SOUNDS = """window.notes = [];
window.AudioContext = class { get currentTime() { return 0 } get destination() { return this }
  createOscillator() {
    const one = { frequency: {}, connect: (to) => to, start: () => notes.push(one.frequency.value), stop() {} };
    return one;
  }
  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to };
  } };"""


def test_sound_is_off_unless_switched_on_and_waits_for_a_touch(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, ann)
    assert page.locator("script[src*=sound]").count() == 0
    ann.sound = True
    ann.save()
    page.add_init_script(SOUNDS)
    page.reload()
    page.wait_for_selector(OPEN)
    do(match, bob, DrawStock())
    up_to_date(page, match)
    assert page.evaluate("notes") == [], "no sound before a gesture"
    page.keyboard.press("Shift")
    do(match, bob, Discard(card("KD")))
    expect(page.locator("#do-draw")).to_be_visible()
    page.wait_for_timeout(200)
    assert page.evaluate("notes") == [660, 880]


def test_a_session_that_has_ended_is_said_with_a_link_and_the_selection_stays(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    do(match, bob, DrawStock())
    page = at_table(visit, match, bob)
    page.locator('#hand input[value="KD"]').check(force=True)
    page.context.clear_cookies(name="sessionid")
    page.locator("#do-discard").click()
    expect(page.get_by_role("alert")).to_contain_text("You are not signed in any longer. Nothing is lost.")
    expect(page.locator('#hand input[value="KD"]')).to_be_checked()
    link = page.get_by_role("link", name="Sign in").get_attribute("href")
    assert link.endswith(f"/login/?next=/matches/{match.pk}/")
    assert Match.objects.get(pk=match.pk).version == match.version


def test_the_help_opens_by_key_and_button_closes_by_escape_and_switches_keys_off(visit, shot, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, bob, 390, 844)
    page.locator("#hand input[name=card]").first.focus()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="How to play")
    expect(sheet).to_be_visible()
    shot(page, "help-390")
    expect(sheet).to_contain_text("move the card along your hand")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    assert page.evaluate("document.activeElement.name") == "card"

    page.get_by_role("button", name="How to play with taps, drags and keys").click()
    sheet.get_by_label("Single letters act as keys").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector(OPEN)
    page.keyboard.press("d")
    page.wait_for_timeout(300)
    assert Match.objects.get(pk=match.pk).version == match.version
    without = visit(bob, 390, 844, scripts=False)
    without.goto(f"/matches/{match.pk}/")
    without.get_by_role("button", name="How to play with taps, drags and keys").click()
    expect(without.get_by_role("dialog", name="How to play")).to_be_visible()


def test_a_card_is_moved_by_shift_and_arrows_and_the_place_is_said(visit, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob)
    page = at_table(visit, match, ann)
    cards_of = page.locator("#hand input[name=card]")
    first, second, third = (cards_of.nth(i).get_attribute("value") for i in range(3))
    cards_of.first.focus()
    with page.expect_response("**/hand/"):
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("log", name="What happened")).to_contain_text("place 3 of 13")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.value") == first
    page.reload()
    assert [cards_of.nth(i).get_attribute("value") for i in range(3)] == [second, third, first]
