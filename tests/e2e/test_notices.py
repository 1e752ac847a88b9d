"""The bell on a phone, the pages of notices and devices, the manifest that makes the site an app."""

import json
import re

import pytest
from playwright.sync_api import expect

from games.models import Notice
from games.notices import tell
from tests.games.playing import mover, opened

from .conftest import still

pytestmark = pytest.mark.e2e


def test_the_bell_counts_live_and_opening_the_table_quiets_it(visit, ann, bob, shot):
    still(ann)
    match = opened(ann, bob)
    mover(match)
    Notice.objects.all().delete()
    page = visit(ann, 390, 844)
    page.goto("/tables/")
    bell = page.locator("[data-notices-count]")
    expect(bell).to_be_hidden()
    expect(page.locator("body[data-ws=open]")).to_have_count(1)
    tell("nudged", [ann], match, {"by": bob.pk}, key="1")
    expect(bell).to_have_text("1")
    page.get_by_role("link", name="Notices").click()
    expect(page.get_by_text("bob waits for your turn")).to_be_visible()
    for number in range(2, 6):
        tell("friend", [ann], about={"by": bob.pk}, key=str(number))
    expect(page.locator(".told li")).to_have_count(5)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        shot(page, f"notices-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_text("bob waits for your turn").click()
    expect(page.locator("#room")).to_be_visible()
    page.goto("/notices/")
    expect(bell).to_have_text("4")


def test_the_page_of_devices_says_in_words_what_this_browser_can(visit, ann, shot):
    page = visit(ann, 390, 844)
    page.goto("/notices/devices/")
    expect(page.locator("[data-when]:visible")).to_have_count(1)
    assert page.locator("[data-when]:visible").get_attribute("data-when") in ("off", "denied")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        shot(page, f"devices-{width}")
    plain = visit(ann, 390, 844, scripts=False)
    plain.goto("/notices/devices/")
    expect(plain.get_by_text("the page needs JavaScript")).to_be_visible()
    plain.get_by_role("button", name="Make an address").first.click()
    expect(plain.get_by_label("Address")).to_have_value(re.compile(r"/calendar/[\w-]{22}/rummysite\.ics$"))
    shot(plain, "address-390")


def test_the_manifest_has_no_error_and_the_worker_opens_what_is_pushed(visit, ann, bob):
    still(ann)
    match = opened(ann, bob)
    page = visit(ann, 390, 844)
    page.goto("/tables/")
    devtools = page.context.new_cdp_session(page)
    told = devtools.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert (manifest["start_url"], manifest["display"], manifest["name"]) == ("/tables/", "standalone", "Rummysite")
    for icon in manifest["icons"]:
        size = page.evaluate(
            "async (src) => { const i = new Image(); i.src = src; await i.decode(); return `${i.width}x${i.height}`; }",
            icon["src"],
        )
        assert size == icon["sizes"]
    page.context.grant_permissions(["notifications"])
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    devtools.send("ServiceWorker.enable")
    found = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    devtools.send("ServiceWorker.disable")
    devtools.send("ServiceWorker.enable")
    page.wait_for_timeout(200)
    news = {"title": "Basic rummy", "body": "Your turn", "url": f"/matches/{match.pk}/", "tag": "t1"}
    shown = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => [n.body, n.tag])"
    push = {"origin": page.url.split("/tables")[0], "registrationId": found[-1]["registrationId"]}
    for body in ("Your turn", "Your turn, again"):
        devtools.send("ServiceWorker.deliverPushMessage", {**push, "data": json.dumps(news | {"body": body})})
        page.wait_for_function(f"async () => (await ({shown})()).some((one) => one[0] === {json.dumps(body)})")
    assert page.evaluate(shown) == [["Your turn, again", "t1"]]
