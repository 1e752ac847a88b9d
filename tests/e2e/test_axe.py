"""axe-core looks at the table in every state and at the main pages, light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from games.bench.client import session_of
from games.rules.actions import DrawStock
from tests.games.playing import do
from tests.games.stacking import fourteen, melds_on_the_table, over

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def faults(page, name):
    """What axe finds, one line each; nothing that moves while it looks."""
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{name}: {one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def looked(page, path, name):
    wrong = []
    page.emulate_media(reduced_motion="reduce")  # before the theme changes, so that no colour is on its way
    page.goto(path)
    page.wait_for_load_state("networkidle")
    for theme, width in (("light", 390), ("dark", 1280)):  # colours do not depend on the width
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(350)
        wrong += faults(page, f"{name}, {theme}, {width}")
    return wrong


@pytest.fixture
def contexts(browser, site):
    """Pages whose policy lets axe in: it is put into the page by the test."""
    opened = []

    def open_page(user):
        context = browser.new_context(base_url=site, bypass_csp=True)
        opened.append(context)
        page = context.new_page()
        if user is not None:
            context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site}])
        return page

    yield open_page
    for context in opened:
        context.close()


def test_axe_finds_nothing_at_the_table(contexts, monkeypatch, ann, bob, cat):
    match = fourteen(monkeypatch, ann, bob, pace="1d")
    bobs, anns, cats = contexts(bob), contexts(ann), contexts(cat)
    there = f"/matches/{match.pk}/"
    wrong = looked(bobs, there, "draw")
    do(match, bob, DrawStock())
    wrong += looked(cats, there, "watch")
    melds_on_the_table(fourteen(monkeypatch, ann, bob), ann, bob)
    second = f"/matches/{match.pk + 1}/"
    wrong += looked(bobs, second, "mine") + looked(anns, second, "wait")
    bobs.set_viewport_size({"width": 390, "height": 844})
    bobs.locator("#hand input[name=card]").first.check(force=True)
    bobs.keyboard.press("m")
    bobs.wait_for_selector("#said .no")
    wrong += faults(bobs, "refused")
    bobs.keyboard.press("?")
    wrong += faults(bobs, "help")
    ended = over(monkeypatch, ann, bob, target=10_000)
    wrong += looked(anns, f"/matches/{ended.pk}/", "deal over")
    wrong += looked(anns, f"/matches/{ended.pk}/sheet/", "score sheet")
    wrong += looked(anns, f"/matches/{ended.pk}/deals/1/?step=3", "replay, all hands")
    wrong += looked(anns, f"/matches/{ended.pk}/deals/1/?step=3&of=0", "replay, one seat")
    won = over(monkeypatch, ann, bob, target=10)
    wrong += looked(bobs, f"/matches/{won.pk}/", "match over")
    wrong += looked(bobs, "/players/bob/", "own profile") + looked(cats, "/players/bob/", "profile of another")
    assert "\n".join(wrong) == ""


def test_axe_finds_nothing_on_the_main_pages(contexts, monkeypatch, ann, bob):
    fourteen(monkeypatch, ann, bob)
    page, stranger = contexts(ann), contexts(None)
    wrong = []
    for path in (
        "/tables/",
        "/lobby/",
        "/matches/new/",
        "/accounts/settings/",
        "/players/ann/",
        "/my-profile/",
        "/learn/",
        "/programs/tokens/",
        "/programs/",
    ):
        wrong += looked(page, path, path)
    for path in ("/", "/accounts/login/", "/accounts/signup/"):
        wrong += looked(stranger, path, path)
    assert wrong == []
