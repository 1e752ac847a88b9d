"""The table with scripts: answers in the wrong order, buttons that say why, keys, cards dragged into an own order."""

import pytest
from playwright.sync_api import expect

from games import drafts, lobby, tables
from games.models import Match
from games.rules.actions import DrawStock
from tests.games.playing import do, mover, opened, seat_of, take_turn

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def hand(page):
    return [box.get_attribute("value") for box in page.locator("#hand input[name=card]").all()]


def test_an_older_answer_never_overwrites_a_newer_one(visit, ann, bob):  # C15
    match = opened(ann, bob, preset="basic-rummy")
    user = mover(match)
    page = visit(bob if user == ann else ann)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=open]")
    old = page.evaluate("async m => (await fetch(`/matches/${m}/parts/?have=0`)).text()", match.pk)
    take_turn(match, user)
    version = Match.objects.get(pk=match.pk).version
    page.wait_for_selector(f"#board[data-version^='{version}.']")

    page.route("**/parts/**", lambda route: route.fulfill(body=old, content_type="text/html"))
    with page.expect_response("**/parts/**"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('rummy:nudge', {bubbles: true}))")
    page.wait_for_timeout(300)

    expect(page.locator("#board")).to_have_attribute("data-version", f"{version}.0.0")
    expect(page.locator("#do-draw")).to_be_visible()


def test_buttons_say_why_keys_press_them_and_a_refusal_keeps_the_selection(visit, ann, bob):
    match = opened(ann, bob, preset="basic-rummy", hand_size=10)
    user = mover(match)
    page = visit(user, 390, 844)
    page.goto(f"/matches/{match.pk}/")
    page.keyboard.press("d")
    expect(page.locator("#hand input[name=card]")).to_have_count(11)
    expect(page.locator("#do-discard small")).to_have_text("select one card")
    expect(page.locator("#shift")).to_be_hidden()

    page.locator("#hand input[name=card]").nth(0).check(force=True)
    expect(page.locator("#do-discard small")).to_have_text("ends your turn")
    expect(page.locator("#shift")).to_be_visible()
    page.locator("#hand input[name=card]").nth(1).check(force=True)
    expect(page.locator("#do-meld small")).to_have_text("needs 3 cards")
    expect(page.locator("#do-discard")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("m")
    expect(page.locator("#said")).to_contain_text("A meld needs at least three cards.")
    expect(page.locator("#hand input:checked")).to_have_count(2)

    page.keyboard.press("r")
    page.wait_for_selector("#sort-rank[aria-pressed=true]")
    expect(page.locator("#hand input:checked")).to_have_count(2)
    page.locator("#hand input[name=card]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == hand(page)[1]
    page.keyboard.press("Enter")
    assert Match.objects.get(pk=match.pk).version == match.version + 1, "the enter key plays nothing"


def test_a_card_is_dragged_to_another_place_and_stays_there(visit, ann, bob):
    match = opened(ann, bob, preset="basic-rummy", hand_size=7)
    page = visit(ann)
    page.goto(f"/matches/{match.pk}/")
    before = hand(page)
    start, end = page.locator("#hand .hc").first.bounding_box(), page.locator("#hand .hc").last.bounding_box()
    page.mouse.move(start["x"] + 20, start["y"] + 50)
    page.mouse.down()
    page.mouse.move(start["x"] + 60, start["y"] + 50, steps=4)
    with page.expect_response("**/hand/"):
        page.mouse.move(end["x"] + 20, end["y"] + 50, steps=25)
        page.mouse.up()
    page.wait_for_timeout(200)

    assert hand(page) == [*before[1:], before[0]]
    assert list(tables.board(match, ann).hand) == hand(page)
    page.reload()
    assert hand(page) == [*before[1:], before[0]]


def test_a_tap_on_a_meld_that_glows_lays_off_there(visit, ann, bob, monkeypatch):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", chosen={"hand_size": 10})
    lobby.join(match.pk, bob, lobby.cut_from("", ""))
    match.refresh_from_db()
    for _turn in range(200):
        user = mover(match)
        assert user is not None
        do(match, user, DrawStock())
        board = tables.board(match, user)
        lay = [a for a in board.view.legal if a.name == "lay_off"]
        if lay and len(board.hand) > 2:
            break
        take_rest(match, user)
    page = visit(user)
    page.goto(f"/matches/{match.pk}/")
    page.locator(f'#hand input[value="{lay[0].card}"]').check(force=True)
    meld = page.locator(f".meld.fits[data-meld='{lay[0].meld}']")
    expect(meld).to_be_visible()
    meld.locator("input").click(force=True)
    expect(page.locator(f'#hand input[value="{lay[0].card}"]')).to_have_count(0)
    assert tables.board(match, user).laid == {lay[0].card}


def take_rest(match, user):
    """Put down what can be put down and discard, after the draw."""
    turns = tables.board(match, user).view.turns
    while match.status == "running":
        board = tables.board(Match.objects.get(pk=match.pk), user)
        if not board.my_turn or board.view.turns != turns:
            return
        down = [a for a in board.view.legal if a.name == "meld" and len(board.hand) > 5]
        drafts.act(
            match.pk,
            seat_of(match, user),
            down[0] if down else next(a for a in board.view.legal if a.name == "discard"),
            drafts.Seen.read(board.seen),
        )
        match.refresh_from_db()
