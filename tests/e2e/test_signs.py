"""A moderator finds a sign on the home page, reads it, and decides: each act by hand once, and one is taken back."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts import roles
from games.models import Sign
from tests.games.acts_table import signed, staff

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_a_sign_is_read_noted_dismissed_opened_again_settled_and_that_taken_back(
    visit: Callable[..., Page], shot: Callable[[Page, str], None], ann: Any, mod: Any
) -> None:
    sign = signed(ann, mod)
    desk = visit(staff("senior", roles.SENIOR), 1280, 900)
    desk.goto("/admin/")
    shot(desk, "signs-home-1280")
    desk.get_by_role("link", name="wins given: ann, opponent").click()
    expect(desk.get_by_text("8 were left by one who was not behind")).to_be_visible()
    shot(desk, "sign-1280")
    desk.set_viewport_size({"width": 390, "height": 844})
    shot(desk, "sign-390")
    for label, state in (
        ("Note that you looked", "looked_at"),
        ("Dismiss", "dismissed"),
        ("Open again", "new"),
        ("Note that something was done", "acted_on"),
    ):
        desk.get_by_role("link", name=label, exact=True).click()
        desk.get_by_label("Reason").fill("Seen with both players.")
        if state == "dismissed":
            shot(desk, "sign-dismiss-390")
        desk.get_by_role("button", name=label).click()
        expect(desk.get_by_text("stands in the audit log")).to_be_visible()
        assert Sign.objects.get(pk=sign.pk).state == state
    desk.get_by_role("link", name="Take it back").click()
    desk.get_by_label("Reason").fill("It was another pair.")
    desk.get_by_role("button").last.click()
    expect(desk.get_by_text("is taken back")).to_be_visible()
    assert Sign.objects.get(pk=sign.pk).state == "new"
    desk.goto("/admin/games/sign/")
    shot(desk, "signs-list-390")
    desk.set_viewport_size({"width": 1280, "height": 900})
    shot(desk, "signs-list-1280")
