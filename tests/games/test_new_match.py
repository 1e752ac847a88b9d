"""The form of a new match: every option, house rules, what cannot be played, and what it opens."""

import re

import pytest
from django.urls import reverse

from games import lobby
from games.models import Match
from games.preset_texts import OPTION_TEXTS, differences
from games.rule_texts import effect
from games.rules.catalog import PRESETS
from games.rules.options import Choice

from .lobby_world import page

pytestmark = pytest.mark.django_db


def opening(**more):
    return {"preset": "basic-rummy", "seats": "2", "pace": "1d", "who": "lobby", **more}


def post_opening(user, **more):
    return page(user).post(reverse("games:new_match"), opening(**more))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_the_form_offers_every_option_of_the_preset_with_the_usual_value_chosen(ann, preset):
    shown = page(ann).get(reverse("games:new_match"), {"preset": preset.name}).content.decode()

    for offer in preset.offers:
        assert f'name="rule_{offer.name}"' in shown
        assert str(OPTION_TEXTS[offer.name].label) in shown
    for seats in preset.hand_sizes:
        assert re.search(rf'name="seats"[^>]* value="{seats}"', shown)


def test_a_usual_match_opens_with_the_values_of_the_preset_and_leads_to_its_page(ann):
    answer = post_opening(ann, seats="4", cut="ab" * 16)

    match = Match.objects.get()
    assert answer.url == reverse("games:match", args=[match.pk])
    assert (match.status, match.pace, match.private, match.title) == ("open", "1d", False, "")
    assert match.options["hand_size"] == 7
    assert differences(match) == []
    assert [s.driver for s in match.seats.all()] == ["user", "open", "open", "open"]
    mine = match.seats.get(index=0)
    assert (mine.user, mine.cut, mine.cut_by) == (ann, "ab" * 16, "browser")


def test_sending_the_untouched_form_opens_a_usual_match(ann):
    for preset in PRESETS:
        shown = page(ann).get(reverse("games:new_match"), {"preset": preset.name}).content.decode()
        untouched = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown))
        untouched |= dict(re.findall(r'name="(\w+)" value="([^"]*)"[^>]* checked', shown))
        untouched |= dict.fromkeys(re.findall(r'<input type="text"[^>]* name="(rule_\w+)"', shown), "")
        for select in re.findall(r"<select name=.*?</select>", shown, re.DOTALL):
            name = re.search(r'name="(\w+)"', select)[1]
            untouched[name] = re.search(r'value="(\w+)"[^>]* selected', select)[1]

        page(ann).post(reverse("games:new_match"), untouched)

        match = Match.objects.latest("pk")
        assert (match.preset, differences(match)) == (preset.name, [])
        assert len(untouched) > len(preset.offers)


def test_bots_take_the_seats_that_were_given_to_them_and_a_match_with_bots_alone_starts(ann):
    post_opening(ann, seats="3", seat_1="easy", seat_2="easy", pace="none")

    match = Match.objects.get()
    assert match.status == "running"
    assert [s.driver for s in match.seats.all()] == ["user", "bot", "bot"]


def test_seats_beyond_the_number_of_players_are_not_looked_at(ann):
    post_opening(ann, seats="2", seat_1="open", seat_2="easy", seat_5="easy")

    assert Match.objects.get().seats.count() == 2


def test_house_rules_name_and_cut_are_kept_and_shown_as_tags(ann, bob):
    post_opening(
        ann,
        title="Thurs\u202eday",
        rule_target="500",
        rule_ace="wrap",
        rule_final_discard_required="yes",
        rule_stock_recycle_max="3",
        cut_typed="my lucky number",
    )

    match = Match.objects.get()
    assert match.title == "Thursday"
    assert match.options["ace"] == "wrap"
    assert match.options["final_discard_required"] is True
    assert match.seats.get(index=0).cut_by == "typed"
    shown = page(bob).get(reverse("games:lobby")).content.decode()
    for tag in ("to 500", "runs around the ace", "last card discarded", "stock again 3 times"):
        assert tag in shown


def test_a_match_of_some_deals_says_their_number_instead_of_points(ann):
    post_opening(ann, rule_match_end="deals", rule_deals="5", rule_target="99")

    assert differences(Match.objects.get()) == ["5 deals"]


def test_friends_by_a_link_means_a_private_match(ann, bob):
    post_opening(ann, who="link")

    assert Match.objects.get().private
    assert page(bob).get(reverse("games:lobby")).context["rows"] == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rule_target": "5"}, "Choose a number from 10 to 10000."),
        ({"rule_target": "many"}, "Choose a number from 10 to 10000."),
        ({"rule_target": "٥٠"}, "Choose a number from 10 to 10000."),
        ({"rule_hand_size": "25", "seats": "6"}, "With so many players a hand has 3 to 8 cards."),
        ({"rule_match_end": "deals"}, "Say after how many deals the match ends"),
        ({"rule_ace": "high"}, "Choose one of the values shown."),
        ({"rule_deals": "51"}, "Choose a number from 1 to 50."),
        ({"seats": "7"}, "This game is for 2 to 6 players."),
        ({"preset": "android-rummy", "seats": "3"}, "This game is for 2 players."),
        ({"preset": "poker"}, "Choose one of the games shown."),
        ({"pace": "1y"}, "Choose one of the paces shown."),
        ({"pace": ""}, "Choose a pace."),
        ({"pace": "none"}, "Without a clock all other seats are for bots."),
        ({"title": "x" * 41}, "40"),
        ({"cut_typed": "x" * 201}, "A cut has at most 200 characters."),
    ],
)
def test_what_cannot_be_played_comes_back_with_a_sentence_and_opens_nothing(ann, wrong, sentence):
    answer = post_opening(ann, **wrong)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Match.objects.exists()


def test_a_form_that_comes_back_keeps_what_was_typed(ann):
    shown = post_opening(ann, rule_target="5", rule_ace="wrap", title="Ours", seat_1="easy").content.decode()

    assert 'name="rule_target" value="5"' in shown
    assert re.search(r'name="rule_ace" value="wrap"[^>]* checked', shown)
    assert re.search(r'name="seat_1" value="easy"[^>]* checked', shown)
    assert 'value="Ours"' in shown


def test_choosing_another_game_gives_only_the_form_of_that_game_to_htmx(ann):
    address = reverse("games:new_match")
    part = page(ann).get(address, {"preset": "android-rummy", "pace": "3d"}, headers={"HX-Request": "true"})

    assert "<html" not in part.content.decode()
    assert 'id="opening"' in part.content.decode()
    assert re.search(r'name="pace" value="3d"[^>]* checked', part.content.decode())
    assert "HX-Request" in part.headers["Vary"]


def changed(**more):
    return opening(rule_target="500", rule_ace="wrap", title="Ours", seat_1="easy", **more)


def test_a_difference_from_the_preset_is_explained_by_what_it_changes(ann):
    shown = page(ann).get(reverse("games:new_match"), {"preset": "basic-rummy"}).content.decode()

    assert "King, ace, two is a run too." in shown
    assert "More points make a longer match, fewer a shorter one." in shown
    for preset in PRESETS:
        usual = preset.options()
        for offer in preset.offers:
            for value in offer.values if isinstance(offer, Choice) else (offer.low,):
                if value != getattr(usual, offer.name):
                    assert str(effect(offer.name, value)).endswith(".")


def test_one_house_rule_or_all_go_back_to_the_preset_and_the_rest_of_the_form_stays(ann):
    one = page(ann).post(reverse("games:new_match"), changed(back="rule_target")).content.decode()
    every = page(ann).post(reverse("games:new_match"), changed(back="all")).content.decode()

    assert 'name="rule_target" value=""' in one
    assert re.search(r'name="rule_ace" value="wrap"[^>]* checked', one)
    assert not re.search(r'name="rule_ace" value="wrap"[^>]* checked', every)
    for shown in (one, every):
        assert 'value="Ours"' in shown
        assert re.search(r'name="seat_1" value="easy"[^>]* checked', shown)
        assert "not open yet" not in shown
    assert not Match.objects.exists()


def test_enter_in_a_field_opens_the_match_and_takes_nothing_back(ann):
    shown = page(ann).get(reverse("games:new_match")).content.decode()

    form = shown[shown.index('<form method="post" action="/matches/new/"') :]
    assert "name=" not in re.search(r"<button[^>]*>", form)[0]


def test_what_the_page_tells_of_earlier_turns_is_as_the_opener_likes_it(ann, bob):
    ann.memory = "discards"
    ann.save()

    post_opening(ann)
    post_opening(bob)
    post_opening(bob, pace="60s")

    assert [m.memory for m in Match.objects.order_by("pk")] == ["discards", "all", "none"]


def test_a_long_typed_cut_is_refused_on_sitting_down_and_never_shortened(ann, bob):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    join = reverse("games:join", args=[match.pk])

    answer = page(bob).post(join, {"cut_typed": "x" * 201})

    assert answer.status_code == 409
    assert "A cut has at most 200 characters." in answer.content.decode()
    assert not match.seats.filter(user=bob).exists()
    assert page(bob).post(join, {"cut_typed": "x" * 200}).status_code == 302
