"""Without a network: a page of ours instead of the browser's, and nothing private in any cache of it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import lobby
from tests.games.playing import opened

pytestmark = pytest.mark.e2e

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found.sort();
}"""
ALLOWED = {
    "/offline/",
    "/static/site/tokens.css",
    "/static/site/base.css",
    "/static/site/shell.css",
    "/static/site/icon.svg",
}
CONTROLLED = "() => navigator.serviceWorker.controller !== null"


def with_worker(page: Page) -> Page:
    """The page, loaded through the worker: one that was loading while the worker came may have missed it."""
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.reload()
    page.wait_for_function(CONTROLLED)
    return page


@pytest.fixture
def no_network(console: list[str]) -> Any:
    """Take a page's browser off the network and back; what it says of that is not a fault."""

    def switch(page: Page, off: bool) -> None:
        page.context.set_offline(off)
        console[:] = [line for line in console if "ERR_INTERNET_DISCONNECTED" not in line]

    return switch


def test_offline_a_page_of_ours_says_so_and_online_all_is_as_before(visit, ann, bob, no_network, console, shot):
    match = opened(ann, bob)
    page = with_worker(visit(ann, 390, 844, by_form=True))

    no_network(page, True)
    page.goto(f"/matches/{match.pk}/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.btn')).backgroundColor") == "rgb(31, 93, 80)"
    shot(page, "offline-390")

    no_network(page, False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#room")).to_be_visible()
    assert page.url.endswith(f"/matches/{match.pk}/")
    no_network(page, False)


def test_no_page_of_a_match_is_in_a_cache_of_the_worker(visit, ann, bob):
    match = opened(ann, bob)
    page = with_worker(visit(ann, by_form=True))
    for address in (f"/matches/{match.pk}/", "/tables/", "/lobby/", f"/matches/{match.pk}/sheet/"):
        page.goto(address)
    page.goto(f"/matches/{match.pk}/")
    draw = page.locator('button[name=do][value="draw_stock"]').first
    if draw.count():
        draw.click()
        expect(page.locator("#said")).to_be_visible()
    assert set(page.evaluate(KEPT)) == ALLOWED
    kept = page.evaluate("async () => (await (await caches.match('/offline/?language=en')).text())")
    assert "You are offline" in kept
    assert "csrf" not in kept and "<form" not in kept


def test_signing_out_leaves_a_browser_that_works_offline_again(visit, ann, no_network):
    page = with_worker(visit(ann, by_form=True))
    page.locator("details.menu summary").click()
    page.locator("form[action$='/logout/'] button").click()
    page.wait_for_url("**/")
    page.reload()
    with_worker(page)

    no_network(page, True)
    page.goto("/lobby/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    no_network(page, False)
    page.goto("/lobby/")
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()


def test_a_new_build_brings_its_own_offline_page_and_the_old_one_goes(visit, ann, settings):
    page = with_worker(visit(ann, by_form=True))
    old = page.evaluate("() => caches.keys()")
    settings.BUILD = "another"
    page.goto("/lobby/")
    page.wait_for_function("async () => (await caches.keys()).join() === 'offline-another-en'")
    assert old != ["offline-another-en"]
    assert set(page.evaluate(KEPT)) == ALLOWED


def test_the_offline_page_speaks_the_language_of_the_site(visit, ann, no_network):
    page = with_worker(visit(ann, by_form=True))
    page.locator("footer button[value=cs]").click()
    page.wait_for_function("async () => (await caches.keys()).join().endsWith('-cs')")
    page.wait_for_function("() => navigator.serviceWorker.controller.scriptURL.endsWith('=cs')")
    no_network(page, True)
    page.goto("/lobby/")
    assert page.locator("html").get_attribute("lang") == "cs"
    no_network(page, False)


NEWS = "[data-fresh]"


def test_a_table_that_hears_of_a_new_build_says_so_and_does_not_reload(visit, ann, bob, settings, shot):
    match = opened(ann, bob)
    page = visit(ann, 390, 844, by_form=True)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=open]")
    page.evaluate("window.same = true")
    expect(page.locator(NEWS)).to_be_hidden()

    settings.BUILD = "another"
    page.evaluate("document.body.dispatchEvent(new CustomEvent('rummy:nudge', {detail: {match: null, version: null}}))")

    expect(page.locator(NEWS)).to_be_visible()
    expect(page.locator(NEWS)).to_contain_text("A new version is here.")
    shot(page, "new-build-390")
    assert page.evaluate("window.same") is True, "nobody's page is reloaded while they play"

    page.get_by_role("button", name="Refresh").click()
    page.wait_for_function("() => window.same === undefined")
    expect(page.locator("body")).to_have_attribute("data-build", "another")
    expect(page.locator(NEWS)).to_be_hidden()


def test_any_page_hears_of_a_new_build_with_the_badge_and_later_means_later(visit, ann, bob, settings):
    lobby.open_match(bob, "basic-rummy", seats=["open"], pace="1d")
    page = visit(ann, by_form=True)
    page.goto("/lobby/")
    page.wait_for_selector("body[data-ws=open]")
    page.wait_for_timeout(1200)
    settings.BUILD = "another"
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator(NEWS)).to_be_visible()
    page.get_by_role("button", name="Later").click()
    expect(page.locator(NEWS)).to_be_hidden()
