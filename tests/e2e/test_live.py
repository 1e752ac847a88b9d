"""Told in time, in a browser: badge and title on any page, tabs that agree, and pages that poll without a socket."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import lobby, nudge, play
from games.models import Match, Move
from games.rules.actions import Discard, DrawStock
from tests.games.playing import legal

pytestmark = pytest.mark.e2e

NO_SOCKETS = "window.WebSocket = class { constructor() { throw new Error('refused'); } };"
OPEN = "body[data-ws=open]"


def a_match(ann: Any, bob: Any) -> tuple[Match, Any, Any]:
    """A match, who is to move and who waits."""
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", title="Thursday rummy")
    lobby.join(match.pk, bob, lobby.cut_from("", ""))
    match.refresh_from_db()
    mover = match.seats.get(index=match.turn).user
    return match, mover, bob if mover.pk == ann.pk else ann


def move(match: Match, user: Any) -> None:
    """A whole turn of somebody elsewhere."""
    for kind in (DrawStock, Discard):
        match.refresh_from_db()
        action = next(a for a in legal(match, user) if isinstance(a, kind))
        play.submit(match.pk, match.turn, [action], by=Move.By.USER)


def ready_to_draw(page: Page) -> Any:
    return expect(page.locator('button[name=do][value="draw_stock"]').first)


def test_badge_and_title_tell_on_any_page_that_my_turn_has_come_and_gone(visit, ann, bob):
    match, mover, other = a_match(ann, bob)
    page = visit(other)
    page.goto("/lobby/")
    page.wait_for_selector(OPEN)
    badge = page.locator("[data-waiting-count]").first
    expect(badge).to_be_hidden()
    title = page.title()

    move(match, mover)
    expect(badge).to_have_text("1")
    expect(page).to_have_title(f"(1) {title}")

    move(match, other)
    expect(badge).to_be_hidden()
    expect(page).to_have_title(title)


def test_the_list_of_my_tables_follows_what_happens_and_keeps_the_focus(visit, ann, bob):
    match, mover, other = a_match(ann, bob)
    page = visit(other)
    page.goto("/tables/")
    page.wait_for_selector(OPEN)
    link = page.get_by_role("link", name="Thursday rummy")
    expect(page.get_by_text("is to move")).to_be_visible()
    link.focus()

    move(match, mover)

    expect(page.get_by_role("heading", name="1 table awaits you")).to_be_visible()
    expect(page.locator(".await.first .card").first).to_be_visible()
    expect(link).to_be_focused()


def test_an_answer_half_given_on_the_list_of_tables_is_not_swept_away(visit, ann, bob):
    match, mover, other = a_match(ann, bob)
    lobby.open_match(mover, "basic-rummy", seats=[f"@{other.username}"], pace="1d")
    page = visit(other)
    page.goto("/tables/")
    page.wait_for_selector(OPEN)
    page.locator("#tables details summary").first.click()

    with page.expect_response(lambda answer: answer.url.endswith("/tables/")):
        move(match, mover)

    page.wait_for_timeout(300)
    assert page.locator("#tables details[open]").count() == 1


def test_without_sockets_a_page_polls_each_minute(visit, ann, bob):
    match, mover, other = a_match(ann, bob)
    page = visit(other)
    page.add_init_script(NO_SOCKETS)
    page.clock.install()
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=closed]")
    move(match, mover)
    page.clock.run_for(40_000)
    ready_to_draw(page).to_have_count(0)

    page.clock.run_for(30_000)

    ready_to_draw(page).to_be_visible()


def test_a_page_that_comes_back_to_the_front_asks_at_once(visit, ann, bob):
    match, mover, other = a_match(ann, bob)
    page = visit(other)
    page.add_init_script(NO_SOCKETS)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_timeout(1100)
    move(match, mover)

    page.evaluate("window.dispatchEvent(new Event('focus'))")

    ready_to_draw(page).to_be_visible()


def test_a_lost_message_heals_when_the_socket_comes_back(visit, ann, bob, monkeypatch):
    match, mover, other = a_match(ann, bob)
    page = visit(other)
    page.add_init_script(
        "window.sockets = []; const Real = WebSocket;"
        "window.WebSocket = class extends Real { constructor(...a) { super(...a); window.sockets.push(this); } };"
    )
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(OPEN)
    monkeypatch.setattr(nudge, "changed", lambda *args: None)
    move(match, mover)
    page.wait_for_timeout(300)
    ready_to_draw(page).to_have_count(0)

    page.evaluate("window.sockets[0].close()")

    page.wait_for_selector(OPEN)
    ready_to_draw(page).to_be_visible()


def test_signing_out_in_one_tab_takes_the_hand_out_of_the_other(visit, ann, bob):
    match, mover, _other = a_match(ann, bob)
    page = visit(mover)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(OPEN)
    expect(page.locator(".hand input[name=card]").first).to_be_attached()
    tab = page.context.new_page()
    tab.goto("/lobby/")

    tab.locator("details.menu summary").click()
    tab.locator("form[action$='/logout/'] button").click()

    expect(page.locator(".hand input[name=card]")).to_have_count(0)


def test_who_gives_back_a_seat_in_one_tab_loses_a_private_table_in_the_other(visit, ann, bob, console):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d", private=True)
    lobby.join(match.pk, bob, lobby.cut_from("", ""), match.token)
    page = visit(bob)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector(OPEN)

    lobby.leave(match.pk, bob)

    expect(page.locator("#room")).to_have_count(0)
    console[:] = [line for line in console if "404" not in line]
