"""A whole deal by keyboard alone, finding everything by role and name, as somebody does who does not see the page."""

import pytest
from playwright.sync_api import expect

from games import tables
from games.faces import card_name
from games.models import Match
from games.rules.actions import Discard, LayOff, Meld
from tests.games.playing import mover, opened, take_turn
from tests.games.stacking import stack

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def tab_to(page, role, name, limit=60):
    """Press Tab until the focus is on the control of that role and name."""
    target = page.get_by_role(role, name=name).first
    expect(target).to_be_visible() if role == "button" else expect(target).to_be_attached()
    for _step in range(limit):
        if target.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way by Tab to {role} {name}")


def choose(page, *cards):
    """Go along the hand with arrows and select these cards."""
    page.keyboard.press("Escape")
    boxes = page.get_by_role("group", name="Hand").get_by_role("checkbox")
    boxes.first.focus()
    left = {card_name(card) for card in cards}
    for _step in range(boxes.count()):
        name = page.evaluate("document.activeElement.getAttribute('aria-label')").partition(",")[0]
        if name in left:
            page.keyboard.press("Space")
            left.discard(name)
        page.keyboard.press("ArrowRight")
    assert not left
    assert page.locator("#hand input:checked").count() == len(cards)


def act(page, key):
    with page.expect_response(lambda answer: "/act/" in answer.url):
        page.keyboard.press(key)
    page.wait_for_timeout(100)


def turn(page, match, user, first):
    """Draw, put down what goes down, discard: letters, but the first turn goes by Tab and Enter."""
    if first:
        tab_to(page, "button", "Draw from the stock")
        act(page, "Enter")
    else:
        act(page, "d")
    for _act in range(8):
        board = tables.board(Match.objects.get(pk=match.pk), user)
        if not board.my_turn or board.view.phase != "play":
            return
        page.wait_for_selector(f'input[name=seen][value="{board.seen}"]', state="attached")
        legal = board.view.legal
        melds = [a for a in legal if isinstance(a, Meld)]
        layoffs = [a for a in legal if isinstance(a, LayOff)]
        if melds:
            choose(page, *melds[0].cards)
            act(page, "m")
        elif layoffs:
            choose(page, layoffs[0].card)
            radio = page.get_by_role("listitem").get_by_role("radio").nth(layoffs[0].meld)
            radio.focus()
            page.keyboard.press("Space")
            act(page, "l")
        else:
            choose(page, max((a.card for a in legal if isinstance(a, Discard)), key=board.game.points))
            act(page, "x")


def test_a_whole_deal_is_played_by_keyboard_alone(visit, monkeypatch, ann, bob):
    stack(monkeypatch, "7H 7D 7C 2S 9D KC", "TD 5C TS 8H QC 3S", up="9S", stock="7S JD 2C 4H 2H")
    match = opened(ann, bob, hand_size=6)
    page = visit(bob)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=open]")
    for number in range(40):
        user = mover(match)
        match.refresh_from_db()
        if match.deal_number > 1 or user is None:
            break
        if user == bob:
            expect(page.get_by_role("button", name="Draw from the stock")).to_be_visible()
            turn(page, match, bob, number == 0)
        else:
            take_turn(match, ann)
    expect(page.get_by_role("button", name="Next deal")).to_be_visible()
    expect(page.get_by_role("log", name="What happened")).to_contain_text("The deal is over.")
    tab_to(page, "button", "Next deal")
    with page.expect_response(lambda answer: "/ready/" in answer.url):
        page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Hand")).to_be_visible()


def test_names_and_reading_order_tell_the_table(visit, monkeypatch, ann, bob):
    stack(monkeypatch, "7H 7D 7C 2S 9D KC", "TD 5C TS 8H QC 3S", up="9S", stock="7S JD")
    match = opened(ann, bob, hand_size=6)
    page = visit(bob)
    page.goto(f"/matches/{match.pk}/")
    page.keyboard.press("d")
    hand = page.get_by_role("group", name="Hand")
    drawn = hand.get_by_role("checkbox", name="7 of spades, just drawn")
    expect(drawn).not_to_be_checked()
    drawn.focus()
    page.keyboard.press("Space")
    expect(hand.get_by_role("checkbox", name="7 of spades, just drawn", checked=True)).to_be_attached()
    order = page.evaluate(
        "() => ['.tbar h1', '.seats', '#main', '#said', '#hand', '#acts'].map((one) => document.querySelector(one))"
        ".every((one, i, all) => !i || all[i - 1].compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)"
    )
    assert order, "title, players, table, sentence, hand, buttons"
