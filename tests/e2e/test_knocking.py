"""Two people in two browsers play whole matches of games with a knock, on a phone and on a desk."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import lobby, play, tables
from games.models import Match
from tests.games.stacking import stack

from .conftest import still

pytestmark = pytest.mark.e2e

STEPS = 1500


def board_of(match: Match, user: Any) -> tables.Board:
    return tables.board(Match.objects.get(pk=match.pk), user)


def press(page: Page, selector: str) -> None:
    """Press a button and wait until the table shows the answer."""
    with page.expect_response(lambda answer: "/act/" in answer.url):
        page.locator(selector).first.click()
    page.wait_for_function("() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')")


def step(page: Page, match: Match, user: Any) -> str:
    """One act, the one that is offered and ends the deal soonest; its name."""
    board = board_of(match, user)
    assert board.view is not None
    page.wait_for_selector(f'input[name=seen][value="{board.seen}"]', state="attached")
    names = {action.name for action in board.view.legal}
    for name, button in (
        ("big_gin", "#do-big-gin"),
        ("knock", "#do-knock"),
        ("pass", "#do-pass"),
        ("done", "#do-done"),
    ):
        if name in names:
            press(page, button)
            return name
    if "draw_stock" in names:
        press(page, "#do-draw")
        return "draw_stock"
    leaves = dict(dict(board.view.own)["leaves"])
    throw = min((a.card for a in board.view.legal if a.name == "discard"), key=lambda card: (leaves[card], -card.key))
    page.locator(f'#hand .hc:has(input[value="{throw}"])').click(position={"x": 14, "y": 20})  # its uncovered corner
    press(page, "#do-discard")
    return "discard"


def play_out(match: Match, pages: dict[Any, Page], on_act: Any) -> Match:
    for _step in range(STEPS):
        play.drive(match.pk)
        match = Match.objects.get(pk=match.pk)
        if match.status == "over":
            return match
        user = next(u for u in pages if u.pk == match.seats.get(index=match.turn).user_id)
        page = pages[user]
        if not page.url.endswith(f"/matches/{match.pk}/"):
            page.goto(f"/matches/{match.pk}/")
        page.wait_for_selector(f'input[name=seen][value="{board_of(match, user).seen}"]', state="attached")
        if page.locator("#do-ready").count():
            on_act("reveal", page)
            page.locator("#do-ready").click()
            page.wait_for_selector("#do-pass, #do-draw, #do-discard")
        deal = match.deal_number
        while (match.turn, match.deal_number) == (match.seats.get(user=user).index, deal) and match.status == "running":
            on_act(step(page, match, user), page)
            match = Match.objects.get(pk=match.pk)
    raise AssertionError("the match did not end")


@pytest.mark.parametrize(
    ("preset", "width"), [("gin", 390), ("oklahoma-gin", 1280), ("hollywood-gin", 390)], ids=lambda value: str(value)
)
def test_two_people_play_a_whole_match_with_knocks(visit, shot, monkeypatch, ann, bob, preset, width):
    """Gin as it comes; in the other two each deal is one in which a knock is near."""
    if preset != "gin":
        hands = ("2S 3S 4S 7H 7D 7C TC JC KD KH", "2H 4H 6S 8S QS KS 9D QH AC 5C")
        stack(monkeypatch, *hands, up="QD", stock="9S 4D QC", every=True)
    height = 844 if width < 760 else 800
    for user in (ann, bob):
        still(user)
    target = 10 if preset == "gin" else 100
    match = lobby.open_match(ann, preset, seats=["open"], pace="1d", chosen={"target": target}, title="Sunday gin")
    lobby.join(match.pk, bob, lobby.cut_from("", ""))
    pages = {ann: visit(ann, width, height), bob: visit(bob, width, height)}
    done: set[str] = set()

    def on_act(what: str, page: Page) -> None:
        if what not in done:
            done.add(what)
            shot(page, f"{preset}-{what}-{width}")

    match = play_out(match, pages, on_act)

    assert match.ending == "played"
    assert {"pass", "draw_stock", "discard"} <= done
    for user, page in pages.items():
        page.goto(f"/matches/{match.pk}/")
        expect(page.locator("main")).to_contain_text(str(max(match.totals)))
        expect(page.locator("main")).to_contain_text("Game bonus")
        shot(page, f"{preset}-over-{user.username}-{width}")
    page.goto(f"/matches/{match.pk}/sheet/")
    expect(page.locator("main")).to_contain_text(str(max(match.totals)))
    shot(page, f"{preset}-sheet-{width}")
