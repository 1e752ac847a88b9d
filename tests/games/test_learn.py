"""Rules pages, glossary and strategy: every game has its page, and no page disagrees with the game."""

import html
import re

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse

from games import lobby
from games.learn import glossary, pages, rummy, strategy
from games.models import Match
from games.opening import Opening
from games.preset_texts import OPTION_TEXTS, PRESET_TEXTS, value_name
from games.rules.catalog import PRESETS, find
from games.rules.melds import shape_of
from games.rules.options import Range

from .markup import Page

EVERY = [preset.name for preset in PRESETS]
RUMMY = [name for name in EVERY if "rummy" in name]
GIN = [name for name in EVERY if "gin" in name]
ADDRESSES = ["/learn/", "/learn/glossary/", "/learn/strategy/", *(f"/learn/{name}/" for name in EVERY)]

pytestmark = pytest.mark.django_db


def text_of(client, address):
    """The words of a page, with the names of the cards that are drawn."""
    page = client.get(address).content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    named = re.sub(r'<[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", main)
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", named).split()))


def test_every_game_of_the_catalog_has_its_page_and_stands_in_the_list(client):
    assert set(pages.PAGES) == set(EVERY)
    index = client.get("/learn/").content.decode()
    for preset in PRESETS:
        assert get_template(f"games/learn/{preset.name}.html")
        assert reverse("games:rules", args=[preset.name]) in index
        assert str(PRESET_TEXTS[preset.name].name) in text_of(client, f"/learn/{preset.name}/")


def test_a_game_that_is_not_there_has_no_page(client):
    assert client.get("/learn/poker/").status_code == 404
    assert client.get("/learn/rummy/").status_code == 404


@pytest.mark.parametrize("name", EVERY)
def test_the_rules_offer_what_the_opening_page_offers(client, name):
    preset = find(name)
    said = text_of(client, f"/learn/{name}/")
    shown = {rule.name.removeprefix("rule_") for _heading, rules in Opening(preset).rules for rule in rules}
    assert shown == {offer.name for offer in preset.offers}
    for offer in preset.offers:
        assert str(OPTION_TEXTS[offer.name].label) in said
        assert str(OPTION_TEXTS[offer.name].help) in said
        values = (offer.low, offer.high) if isinstance(offer, Range) else offer.values
        for value in values:
            assert str(value_name(offer.name, value)) in said


@pytest.mark.parametrize("name", EVERY)
def test_the_usual_values_are_those_of_an_ordinary_match(name):
    preset = find(name)
    usual = {str(r.label): str(r.usual) for _heading, rules in pages.house_rules(preset) for r in rules}
    for offer in preset.offers:
        if offer.name != "hand_size":
            value = value_name(offer.name, getattr(preset.options(), offer.name))
            assert usual[str(OPTION_TEXTS[offer.name].label)] == str(value)


@pytest.mark.parametrize("name", EVERY)
def test_hands_and_stock_are_those_that_are_dealt(client, name):
    preset = find(name)
    page = client.get(f"/learn/{name}/").content.decode()
    assert [row.players for row in rummy.dealt(preset)] == sorted(preset.hand_sizes)
    for row in rummy.dealt(preset):
        game = preset.play(preset.options(row.players))
        table = game.deal(game.new_sheet(0), list(range(52)))
        assert {len(hand) for hand in table.hands} == {row.cards}
        assert len(table.stock) == row.stock
        assert f"<tr><td>{row.players}</td><td>{row.cards}</td><td>{row.stock}</td></tr>" in page


SAYS = {
    "solitaired-rummy": [
        "2 to 4 players",
        "until somebody has 200 points",
        "You need a meld of your own in this deal first",
        "not shuffled",
        "This happens once in a deal",
        "Then nobody scores",
        "no more points than going out in any other way",
        "after 50 turns of each player",
        "1 + 10 + 5 = 16",
        "16 + 22 + 22 = 60",
    ],
    "basic-rummy": [
        "2 to 6 players",
        "until somebody has 150 points",
        "You need no meld of your own",
        "are shuffled and become the new stock",
        "as often as it is needed",
        "count double",
        "2 × 60 = 120",
    ],
    "android-rummy": [
        "2 players, and one deck of 52 cards",
        "until somebody has 100 points",
        "You need a meld of your own in this deal first",
        "at most 2 times in a deal",
        "each player scores the points of the cards that the others hold",
        "1 + 10 + 7 = 18",
        "The first of these two scores 20, the second 18",
        "2 × 16 = 32",
    ],
    "gin": [
        "2 players, and one deck of 52 cards",
        "until somebody has 100 points",
        "no more than 10 points are left after your discard",
        "no more than 2 cards are left in the stock",
        "21 − 9 = 12",
        "9 − 8 + 25 = 26",
        "11 − 0 + 25 = 36",
        "126 + 100 + 3 × 25 = 301",
        "2 × 126 + 100 + 3 × 25 = 427",
        "nobody's box",
    ],
    "oklahoma-gin": [
        "until somebody has 150 points",
        "with a ten or a face card 10",
        "With an ace only gin ends the deal",
        "counts twice",
        "is a box for the player who scores it",
    ],
    "hollywood-gin": [
        "The sheet has three columns",
        "when somebody has 100 points in it",
        "of equal sums the one with more columns",
        "is a box for the player who scores it",
    ],
}


@pytest.mark.parametrize("name", EVERY)
def test_the_page_says_what_is_special_in_its_game(client, name):
    """RULES.md section 5."""
    said = text_of(client, f"/learn/{name}/")
    for sentence in SAYS[name]:
        assert sentence in said, sentence
    others = {sentence for other, some in SAYS.items() if other != name for sentence in some}
    wrong = [s for s in others - set(SAYS[name]) if "somebody has" in s and s in said]
    assert not wrong


@pytest.mark.parametrize("name", RUMMY)
def test_the_sentences_of_the_page_know_every_value_of_its_preset(name):
    """A preset with another value needs another sentence, and this test is where one learns of it."""
    o = find(name).options()
    assert o.match_end == "points"
    assert o.ace == "low"
    assert (o.set_max, o.max_melds_per_turn, o.tie_break) == (4, None, "extra_deal")
    assert (o.forbid_discard_drawn, o.final_discard_required, o.recycle_keep_top) == (True, False, True)
    assert o.stock_recycle in ("turn_over", "shuffle")
    assert o.rummy_bonus in ("none", "concealed")
    assert o.blocked_scoring in ("none", "opponents_total")


@pytest.mark.parametrize("name", GIN)
def test_the_sentences_of_gin_know_every_value_of_its_preset(name):
    o = find(name).options()
    assert (o.match_end, o.deal_rotation, o.box_bonus_to, o.shutout) == (
        "points",
        "loser",
        "winner",
        "double_hand_points",
    )
    assert (o.auto_layoff, o.last_discard_takeable, o.big_gin_bonus) == (True, False, 0)
    assert (o.knock_limit == "upcard") == o.spades_double == (name == "oklahoma-gin")


@pytest.mark.parametrize("name", EVERY)
def test_drawn_melds_are_melds_and_the_others_are_none(name):
    preset = find(name)
    shape = preset.play(preset.options()).shape
    for one in rummy.GOOD:
        kind = shape_of(one.cards, shape)
        assert kind and kind[0] in str(one.text), one.text
    for one in rummy.BAD:
        assert shape_of(one.cards, shape) is None, one.text


def test_a_worked_example_is_what_the_rules_count():
    """SR-23 of RULES.md section 12, and BR-28 with its doubling."""
    game = find("solitaired-rummy").play(find("solitaired-rummy").options())
    assert rummy.worked(game, rummy.CAUGHT).points == 60
    assert rummy.worked(game, ("JD TD 3C", "9H 9C")).doubled == 82


def test_cards_that_are_said_to_help_make_a_meld():
    preset = find("basic-rummy")
    shape = preset.play(preset.options()).shape
    for tip in [*strategy.HAND, *strategy.OTHERS]:
        if tip.wanted and tip.title != "Remember what they take":
            for card in tip.wanted:
                held = [c for c in tip.held if c.rank == card.rank or c.suit == card.suit]
                assert shape_of([*held, card], shape), (tip.title, card)


def test_the_glossary_has_each_word_once_in_all_languages():
    entries = [entry for _heading, some in glossary.GROUPS for entry in some]
    assert set(glossary.TONGUES) == {code for code, _name in settings.LANGUAGES}
    assert len({entry.key for entry in entries}) == len(entries) > 40
    for entry in entries:
        assert all(entry.terms)
        assert not re.search(r"[†*]", "".join(entry.terms))


def test_a_player_finds_the_word_of_his_language(client):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    page = client.get("/learn/glossary/").content.decode()
    assert "<dt>lízací balíček</dt>" in page
    assert '<td lang="mk">залиха, купче</td>' in page
    assert '<th scope="row" lang="en">stock</th>' in page


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_that_explain_ask_the_database_for_reader_and_bell_only(client, ann, address, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get(address).status_code == 200
    client.force_login(ann)
    with django_assert_num_queries(3):  # session, user, unread notices
        assert client.get(address)["Cache-Control"] == "no-store"


def test_an_unchanged_page_is_not_sent_twice(client, ann):
    client.get("/learn/")
    first = client.get("/learn/")
    assert "no-cache" in first["Cache-Control"] and "private" in first["Cache-Control"]
    again = client.get("/learn/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    packed = client.get("/learn/", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert client.get("/learn/", headers={"If-None-Match": packed["ETag"]}).status_code == 304
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "cs"
    assert client.get("/learn/", headers={"If-None-Match": first["ETag"]}).status_code == 200
    client.force_login(ann)
    assert "ETag" not in client.get("/learn/")


def test_a_game_can_be_tried_from_its_rules_without_an_account(client):
    for name in EVERY:
        page = Page(client.get(f"/learn/{name}/").content.decode())
        tries = [i for i, form in page.forms.items() if form["action"] == "/play/now/"]
        assert len(tries) == 1
        fields = {c.name: c.value for c in page.of(tries[0]) if c.name}
        client.logout()
        answer = client.post("/play/now/", fields, follow=True)
        assert answer.status_code == 200
        assert Match.objects.latest("pk").preset == name
        assert f'href="/learn/{name}/"' in answer.content.decode(), "the table leads back to its rules"


def test_who_opens_a_match_or_waits_for_one_finds_the_rules(client, ann):
    client.force_login(ann)
    assert 'href="/learn/android-rummy/"' in client.get("/matches/new/?preset=android-rummy").content.decode()
    match = lobby.open_match(ann, "android-rummy", seats=["open"], pace="3d")
    assert 'href="/learn/android-rummy/"' in client.get(f"/matches/{match.pk}/").content.decode()


def test_all_games_tell_of_house_rules_in_the_same_way(client):
    for name in EVERY:
        page = client.get(f"/learn/{name}/").content.decode()
        assert page.count('<section id="house">') == 1, name
        assert "The lobby and the waiting room name every difference from the usual rules." in page, name
        assert page.count("<dt>") >= 3, name
