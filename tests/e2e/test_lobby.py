"""The lobby in a browser: rows come and go where they stand, and nothing moves under a finger."""

from typing import Any

import pytest
from playwright.sync_api import expect

from games import lobby

pytestmark = pytest.mark.e2e

CUT = ("00" * 16, "browser")
OPEN = "body[data-ws=open]"


def offer(user: Any, title: str, preset: str = "basic-rummy") -> Any:
    return lobby.open_match(user, preset, seats=["open"], pace="1d", title=title)


def test_rows_come_and_go_without_a_reload_and_the_focus_stays(visit, ann, bob, cat):
    kept, leaving = offer(ann, "Kept"), offer(ann, "Leaving")
    page = visit(cat)
    page.goto("/lobby/")
    page.wait_for_selector(OPEN)
    page.evaluate("window.same = true")
    page.focus(f"#match-{kept.pk} button")

    coming = offer(bob, "Coming")
    expect(page.locator(f"#match-{coming.pk}")).to_be_visible()
    expect(page.locator("#how-many")).to_have_text("3 matches have a free seat.")
    lobby.join(leaving.pk, bob, CUT)
    expect(page.locator(f"#match-{leaving.pk}")).to_have_count(0)

    assert page.evaluate("window.same")
    assert page.evaluate("document.activeElement.closest('li').id") == f"match-{kept.pk}"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/matches/{kept.pk}/")


def test_a_row_that_has_the_focus_is_said_to_be_taken_and_goes_when_it_is_left(visit, ann, bob, cat):
    wanted = offer(ann, "Wanted")
    page = visit(cat)
    page.goto("/lobby/")
    page.wait_for_selector(OPEN)
    row = page.locator(f"#match-{wanted.pk}")
    page.focus(f"#match-{wanted.pk} button")

    lobby.join(wanted.pk, bob, CUT)

    expect(row).to_contain_text("Taken")
    assert page.evaluate("document.activeElement.closest('li').id") == f"match-{wanted.pk}"
    page.focus("h1 + .btn, .head .btn")
    expect(row).to_have_count(0)


def test_many_changes_in_a_second_are_asked_for_once_or_twice(visit, ann, cat):
    page = visit(cat)
    page.goto("/lobby/")
    page.wait_for_selector(OPEN)
    page.wait_for_timeout(1500)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/lobby/") else None)

    for number in range(8):
        offer(ann, f"Match {number}")
    expect(page.locator("#rows > li")).to_have_count(8)
    page.wait_for_timeout(300)

    assert len(asked) <= 3


def test_the_filters_work_without_scripts(visit, ann, cat):
    offer(ann, "Plain")
    offer(ann, "Other", "android-rummy")
    page = visit(cat, 390, 844, scripts=False)
    page.goto("/lobby/")
    page.locator(".filter summary").click()
    page.select_option("select[name=game]", "android-rummy")
    page.get_by_role("button", name="Show").click()

    expect(page.locator("#rows > li")).to_have_count(1)
    expect(page.locator("#rows")).to_contain_text("Other")
    page.get_by_role("link", name="Android rummy").first.click()
    expect(page.locator("#rows > li")).to_have_count(2)


def test_what_a_match_will_take_follows_the_form_and_a_house_rule_goes_back_in_place(visit, ann):
    page = visit(ann, 390, 844)
    page.goto("/matches/new/?preset=basic-rummy")
    length = page.locator("#length")
    expect(length).to_contain_text("when everybody uses half of the time for a turn")
    before = length.inner_text()
    page.locator("[name=pace][value='60s']").check(force=True)
    expect(length).not_to_have_text(before)
    expect(length).to_contain_text("hours")

    page.locator(".fold summary").first.click()
    page.locator("[name=rule_ace][value=wrap]").check(force=True)
    expect(page.get_by_text("King, ace, two is a run too.")).to_be_visible()
    page.get_by_role("button", name="As usual again (The ace in runs)").click()
    expect(page.locator("[name=rule_ace][value=low]")).to_be_checked()
    expect(page.locator("[name=pace][value='60s']")).to_be_checked()
    expect(page.get_by_text("King, ace, two is a run too.")).to_be_hidden()


@pytest.mark.parametrize(("width", "height", "scripts"), [(390, 844, True), (1280, 800, False)])
def test_a_challenge_is_declined_with_a_reason_that_the_opener_reads(visit, ann, bob, width, height, scripts):
    page = visit(ann, width, height, scripts=scripts)
    page.goto("/matches/new/?preset=android-rummy")
    page.locator("label.chip.named").first.click()
    page.get_by_label("User name for seat 2").fill("Bob")
    expect(page.get_by_text("Only bots: the match starts at once.")).to_be_hidden()
    page.get_by_role("button", name="Open the match").last.click()
    expect(page.locator(".sitting")).to_contain_text("has not answered")

    his = visit(bob, width, height, scripts=scripts)
    his.goto("/tables/")
    his.locator(".decline summary").click()
    his.locator("label.chip", has_text="Another pace, please.").click()
    his.get_by_role("button", name="Decline").click()
    expect(his.get_by_text("You have declined.")).to_be_visible()

    if not scripts:
        page.reload()
    expect(page.locator(".people")).to_contain_text("declined: “Another pace, please.”")


def test_a_link_lets_a_guest_in_and_the_opener_sees_it_at_once(visit, browser, site, ann):
    page = visit(ann, 390, 844)
    page.goto("/matches/new/?preset=basic-rummy")
    page.locator("label.opt", has_text="Friends, by a link").click()
    page.get_by_role("button", name="Open the match").last.click()
    address = page.locator("#link").input_value()

    context = browser.new_context(viewport={"width": 390, "height": 844})
    friend = context.new_page()
    friend.goto(address)
    friend.get_by_role("button", name="Sit down as a guest").click()
    friend.wait_for_url("**/matches/*/")
    expect(page.locator(".sitting")).to_contain_text("Guest")
    context.close()
