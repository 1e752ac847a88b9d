"""Two people in two browsers and two bots play a whole match to its end, as people do: with eyes, taps and buttons."""

import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import lobby, tables
from games.models import Match
from games.rules.actions import Discard, LayOff, Meld
from tests.games.stacking import stack

from .conftest import still

pytestmark = pytest.mark.e2e

TURNS = 400


def board_of(match: Match, user: Any) -> tables.Board:
    return tables.board(Match.objects.get(pk=match.pk), user)


def tap(page: Page, *cards: str) -> None:
    """Select exactly these cards of the hand."""
    for box in page.locator(".hand input[name=card]:checked").all():
        box.uncheck(force=True)
    for card in cards:
        page.locator(f'.hand input[name=card][value="{card}"]').check(force=True)


def press(page: Page, do: str) -> None:
    """Press a button of the action bar or a pile, and wait for its answer."""
    with page.expect_response(lambda response: "/act/" in response.url):
        page.locator(f'button[name=do][value="{do}"]').first.click()
    page.wait_for_load_state("domcontentloaded")


def lay_off(page: Page, meld: int) -> None:
    """Choose the meld; with scripts the tap on it lays off at once, without the button does."""
    target = page.locator(f'input[name=meld][value="{meld}"]')
    if page.locator("body[data-ws]").count():
        with page.expect_response(lambda response: "/act/" in response.url):
            target.click(force=True)
    else:
        target.check(force=True)
        press(page, "lay_off")


def turn(page: Page, match: Match, user: Any) -> None:
    """One turn: draw, put down what goes down, discard."""
    number = board_of(match, user).seen
    press(page, "draw_stock")
    for _act in range(12):
        board = board_of(match, user)
        if not board.my_turn or board.view is None or board.view.phase != "play":
            break
        number = board.seen
        page.wait_for_selector(f'input[name=seen][value="{number}"]', state="attached")
        melds = [a for a in board.view.legal if isinstance(a, Meld)]
        layoffs = [a for a in board.view.legal if isinstance(a, LayOff)]
        if melds:
            tap(page, *melds[0].cards)
            press(page, "meld")
        elif layoffs:
            tap(page, layoffs[0].card)
            lay_off(page, layoffs[0].meld)
        else:
            throw = max(
                (a for a in board.view.legal if isinstance(a, Discard)), key=lambda a: board.game.points(a.card)
            )
            tap(page, throw.card)
            press(page, "discard")


def put_aside(page: Page) -> None:
    """Press on from the result of a deal, if it is shown."""
    button = page.locator("form[action$='/ready/'] button, button[form][formaction$='/ready/']")
    if button.count():
        button.first.click()
        page.wait_for_load_state("domcontentloaded")


def play(match: Match, pages: dict[Any, Page], on_state: Any) -> Match:
    """Turn after turn until the match is over."""
    for _turn in range(TURNS):
        for _wait in range(400):
            match = Match.objects.get(pk=match.pk)
            if match.status == "over" or match.turn is not None:
                break
            time.sleep(0.02)
        if match.status == "over":
            return match
        seat = match.seats.get(index=match.turn)
        if seat.driver == "bot":
            time.sleep(0.03)
            continue
        user = next(u for u in pages if u.pk == seat.user_id)
        page = pages[user]
        page.goto(f"/matches/{match.pk}/")
        on_state(match, user, page)
        put_aside(page)
        turn(page, match, user)
    raise AssertionError("the match did not end")


@pytest.mark.parametrize("width", [390, 1280])
def test_two_people_and_two_bots_play_a_whole_match(visit, shot, monkeypatch, ann, bob, width, console):
    """On the phone as the cards come; on the desk each deal is one that ends in the second turn of the first player."""
    height = 844 if width < 760 else 800
    if width > 760:
        hands = ("7H 7D 7C 8S", "TD 5C TS 8H", "QC KS 3S 4H", "AD 6C JS 9H")
        stack(monkeypatch, *hands, up="9S", stock="2D 4D QH 2H 7S", every=True)
    for user in (ann, bob):
        still(user)
    match = lobby.open_match(
        ann,
        "solitaired-rummy",
        seats=["open", "easy", "easy"],
        pace="1d",
        chosen={"target": 30, "hand_size": 4},
        title="Thursday rummy",
    )
    hers, his = visit(ann, width, height), visit(bob, width, height, scripts=False)
    with_scripts = visit(bob, width, height)
    his.goto("/lobby/")
    shot(his, f"lobby-{width}")
    his.get_by_role("button", name="Join").first.click()
    match.refresh_from_db()
    assert match.status == "running"
    pages = {ann: hers, bob: his}
    taken = set()

    def on_state(now: Match, user: Any, page: Page) -> None:
        if now.deal_number > 1:  # one deal without JavaScript is enough
            pages[bob] = with_scripts
        name = f"turn-{user.username}-{width}" if now.moves < 40 else f"late-{user.username}-{width}"
        if name not in taken:
            taken.add(name)
            shot(page, name)

    match = play(match, pages, on_state)

    for user, page in ((ann, hers), (bob, with_scripts)):
        page.goto(f"/matches/{match.pk}/")
        expect(page.locator("body")).to_contain_text(str(max(match.totals)))
        shot(page, f"over-{user.username}-{width}")
    hers.goto(f"/matches/{match.pk}/sheet/")
    shot(hers, f"sheet-{width}")
    expect(hers.locator("body")).to_contain_text(str(max(match.totals)))
    assert (match.status, match.ending) == ("over", "played")


def test_the_other_persons_page_is_told_when_the_turn_comes(visit, shot, ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    lobby.join(match.pk, bob, lobby.cut_from("", ""))
    match.refresh_from_db()
    mover = match.seats.get(index=match.turn).user
    mover, other = (ann, bob) if mover.pk == ann.pk else (bob, ann)
    moving, waiting, elsewhere = visit(mover, 390, 844), visit(other), visit(other)
    moving.goto(f"/matches/{match.pk}/")
    waiting.goto(f"/matches/{match.pk}/")
    elsewhere.goto("/lobby/")
    for page in (waiting, elsewhere):
        page.wait_for_selector("body[data-ws=open]")
    shot(waiting, "waiting-1280")

    turn(moving, match, mover)

    expect(waiting.locator('button[name=do][value="draw_stock"]').first).to_be_visible()
    expect(elsewhere.locator("[data-waiting-count]").first).to_have_text("1")
    expect(elsewhere).to_have_title("(1) Lobby · Rummysite")
    shot(waiting, "told-1280")


def test_a_selection_survives_what_others_do(visit, ann, bob, cat):
    match = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    for user in (bob, cat):
        lobby.join(match.pk, user, lobby.cut_from("", ""))
    match.refresh_from_db()
    people = {u.pk: u for u in (ann, bob, cat)}
    mover = people[match.seats.get(index=match.turn).user_id]
    sitting = people[match.seats.get(index=(match.turn + 2) % 3).user_id]
    page, moving = visit(sitting), visit(mover)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=open]")
    first = page.locator(".hand input[name=card]").first
    first.check(force=True)
    moving.goto(f"/matches/{match.pk}/")

    turn(moving, match, mover)

    page.wait_for_function("n => document.querySelector('#board').dataset.version > n", arg=str(match.version))
    expect(first).to_be_checked()


def test_an_answer_that_brings_nothing_new_leaves_the_selection_alone(visit, ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    lobby.join(match.pk, bob, lobby.cut_from("", ""))
    page = visit(ann)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_selector("body[data-ws=open]")
    first = page.locator(".hand input[name=card]").first
    first.check(force=True)

    with page.expect_response(lambda answer: "/parts/" in answer.url) as asked:
        page.evaluate(
            "() => { for (const field of document.querySelectorAll('[data-have]')) field.value = '0';"
            " document.body.dispatchEvent(new CustomEvent('rummy:nudge', {bubbles: true})); }"
        )

    assert asked.value.status == 200
    page.wait_for_timeout(300)
    expect(first).to_be_checked()
