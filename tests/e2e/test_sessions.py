"""Forms that end a session, in a real browser: the page's own socket closes while the answer is on its way."""

import pytest

from accounts.models import User
from games import lobby
from tests.conftest import PASSWORD
from tests.games.playing import opened

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_a_new_password_leaves_this_browser_signed_in(ann, visit):
    page = visit(ann, 390, 844, by_form=True)
    page.goto("/accounts/password/change/")
    page.wait_for_selector("body[data-ws=open]")
    page.fill("[name=oldpassword]", PASSWORD)
    page.fill("[name=password1]", "another long word")
    page.fill("[name=password2]", "another long word")
    page.press("[name=password2]", "Enter")
    page.wait_for_selector("[role=status]")
    page.goto("/accounts/settings/")
    assert page.locator("h1").inner_text() == "Settings"


def test_a_guest_signs_in_and_is_asked_about_the_matches(ann, bob, visit):
    page = visit(bob, 390, 844, by_form=True)
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    lobby.open_match(bob, "basic-rummy", seats=["open"], pace="1d", title="Sunday table")
    page.goto("/accounts/login/")
    page.wait_for_selector("body[data-ws=open]")
    page.fill("[name=login]", "ann")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.get_by_role("button", name="Move it").click()
    page.wait_for_url("**/tables/")
    assert page.get_by_text("Sunday table").is_visible()


def test_back_after_signing_out_shows_no_hand_and_asks_to_sign_in(ann, bob, visit):
    """FAULTS C13: nothing of a private page is left in the history of the browser."""
    match = opened(ann, bob)
    page = visit(ann, 390, 844, by_form=True)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(".hand input[name=card]", state="attached")
    page.goto("/tables/")
    page.locator("details.menu summary").click()
    page.locator("form[action$='/logout/'] button").click()
    page.wait_for_url(lambda url: "/tables/" not in url)

    page.go_back()
    page.wait_for_load_state()
    assert page.locator("input[name=login]").count() == 1
    page.go_back()
    page.wait_for_load_state()
    assert page.url.endswith(f"/matches/{match.pk}/"), "anybody may watch it"
    assert page.locator(".hand, input[name=card]").count() == 0
    kept = page.evaluate("[...Object.keys(sessionStorage), ...Object.keys(localStorage)]")
    assert set(kept) <= {"htmx-current-path-for-history"}, "an address, and no page"
