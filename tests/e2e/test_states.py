"""The table in its five states at every width: nothing cut off, no rank hidden, room for a thumb. Pictures are kept."""

import pytest
from playwright.sync_api import Page, expect

from games.rules.actions import DrawStock
from tests.games.playing import do, opened
from tests.games.stacking import LONG, fourteen, in_play, melds_on_the_table, over, six

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]

WIDTHS = {360: 640, 390: 844, 768: 1024, 1280: 800, 1920: 1080}
DRESSES = {
    "light": {"theme": "light"},
    "dark-four": {"theme": "dark", "deck": "four"},
    "large": {"theme": "light", "card_size": "large"},
}

CUT_OFF = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('.room *')].filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => `too wide: ${one.outerHTML.slice(0, 90)}`)"""

HIDDEN = """() => [...document.querySelectorAll('#hand .hc')].filter((card) => {
  card.scrollIntoView({ block: 'center' });
  const box = card.querySelector('.card').getBoundingClientRect();
  const spots = [[.1, .08], [.3, .25], [.1, .4], [.35, .4]];
  const at = ([x, y]) => document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
  return !spots.every((spot) => at(spot)?.closest('.hc') === card);
}).map((card) => `hidden: ${card.textContent}${card.querySelector('input').value}`)"""

SMALL = """() => [...document.querySelectorAll('.room button:not([hidden]), .room a')].filter((one) => {
  const box = one.getBoundingClientRect(), more = getComputedStyle(one, '::before');
  const grown = (side) => (more.content === 'none' ? 0 : -2 * (parseFloat(more[side]) || 0));
  const up = grown('top'), aside = grown('left');
  return box.width && (box.height + up < 43.9 || box.width + aside < 43.9);
}).map((one) => `small: ${one.outerHTML.slice(0, 90)}`)"""

NARROW = """() => [...document.querySelectorAll('#hand .hc')].filter((card) => {
  const next = card.nextElementSibling?.getBoundingClientRect(), box = card.getBoundingClientRect();
  return next && next.left > box.left && next.left - box.left < 43.9;
}).map((card) => `narrow: ${card.querySelector('input').value}`)"""

LEFTS = (
    "() => [...document.querySelectorAll('#hand .hc')].slice(0, 13).map((c) => Math.round(c.getBoundingClientRect().x))"
)


class Looks:
    """Looks at a page at every width, keeps a picture of each, and gathers what is wrong with it."""

    def __init__(self, shot):
        self.shot, self.wrong = shot, []

    def at(self, page: Page, name: str, widths=tuple(WIDTHS), *, narrow=True):
        for width in widths:
            page.set_viewport_size({"width": width, "height": WIDTHS[width]})
            page.wait_for_timeout(150)
            self.shot(page, f"{name}-{width}")
            found = [
                one for check in (CUT_OFF, HIDDEN, SMALL, *([NARROW] if narrow else [])) for one in page.evaluate(check)
            ]
            self.wrong += [f"{name} at {width}: {one}" for one in found]


@pytest.fixture
def looks(shot):
    looking = Looks(shot)
    yield looking
    assert looking.wrong == []


def open_table(visit, user, match, dress="light"):
    for name, value in DRESSES[dress].items():
        setattr(user, name, value)
    user.save()
    page = visit(user)
    page.goto(f"/matches/{match.pk}/")
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.parametrize("dress", DRESSES)
def test_thirteen_and_fourteen_cards_fit_and_a_draw_moves_no_column(visit, looks, monkeypatch, ann, bob, dress):
    ann.display_name = LONG
    ann.save()
    match = fourteen(monkeypatch, ann, bob, pace="1d")
    page = open_table(visit, bob, match, dress)
    before, after = {}, {}
    for lefts in (before, after):
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            lefts[width] = page.evaluate(LEFTS)
        looks.at(page, f"{'draw' if lefts is before else 'drawn'}-{dress}", narrow=dress != "large")
        if lefts is before:
            do(match, bob, DrawStock())
            page.reload()
            page.wait_for_load_state("networkidle")
    assert before == after
    for value in ("TC", "TD", "TH"):
        page.locator(f'#hand input[value="{value}"]').check(force=True)
    looks.at(page, f"selected-{dress}", narrow=dress != "large")


def test_melds_of_mine_and_of_others_fit(visit, looks, monkeypatch, ann, bob):
    match = fourteen(monkeypatch, ann, bob, pace="1d")
    melds_on_the_table(match, ann, bob)
    page = open_table(visit, bob, match, "dark-four")
    page.locator('#hand input[value="7C"]').check(force=True)
    looks.at(page, "mine")
    looks.at(open_table(visit, ann, match), "wait")


def test_six_seats_with_the_widest_names_fit(visit, looks, cat, django_user_model):
    users = [django_user_model.objects.create(username=f"player{n}", display_name=LONG) for n in range(5)]
    looks.at(open_table(visit, cat, six([cat, *users])), "six")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_any_number_of_seats_fits(visit, looks, cat, seats, django_user_model):
    users = [django_user_model.objects.create(username=f"player{n}") for n in range(seats - 1)]
    looks.at(open_table(visit, cat, opened(cat, *users)), f"seats{seats}", (360, 390, 1280))


def test_ends_of_deals_and_matches_and_watched_tables_fit(visit, looks, monkeypatch, ann, bob, cat):
    match = over(monkeypatch, ann, bob, target=10_000)
    page = open_table(visit, ann, match)
    expect(page.locator(".result")).to_be_visible()
    looks.at(page, "deal-over")
    looks.at(open_table(visit, cat, match), "watch")
    looks.at(open_table(visit, bob, over(monkeypatch, ann, bob, target=10), "dark-four"), "match-over")


@pytest.mark.parametrize("code", ["sr-latn", "cs", "pl", "mk"])
def test_the_words_of_every_language_fit(visit, looks, monkeypatch, ann, bob, code):
    bob.language = code
    match = fourteen(monkeypatch, ann, bob, pace="1d")
    do(match, bob, DrawStock())
    page = open_table(visit, bob, match)
    page.locator('#hand input[value="TC"]').check(force=True)
    looks.at(page, f"mine-{code}", (360, 390, 1280))


@pytest.mark.parametrize("code", ["sr-latn", "cs", "pl", "mk"])
def test_the_words_of_a_knock_fit_in_every_language(visit, looks, monkeypatch, ann, bob, code):
    bob.language = code
    looks.at(open_table(visit, bob, in_play(monkeypatch, ann, bob)), f"knock-{code}", (360, 390, 1280))
