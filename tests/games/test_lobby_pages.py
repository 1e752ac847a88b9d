"""The pages around the table: what they show, to whom, and what the forms open."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import drafts, lobby, play, tables, tape
from games.models import Match, Seat
from games.preset_texts import GROUPS, OPTION_TEXTS, PRESET_TEXTS, differences, value_name
from games.rule_texts import effect
from games.rules.actions import DrawStock
from games.rules.catalog import PRESETS
from games.rules.options import Choice
from games.telling import last_of_others, told

from .playing import CUT, do, mover, opened, seat_of, take_turn
from .sitting import ended

pytestmark = pytest.mark.django_db


def forget_tapes():
    """As after a restart: nothing is folded."""
    tape._kept.clear()
    tape._rows.clear()


def page(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def opening(**more):
    return {"preset": "basic-rummy", "seats": "2", "pace": "1d", "who": "lobby", **more}


def post_opening(user, **more):
    return page(user).post(reverse("games:new_match"), opening(**more))


def test_a_stranger_reads_what_the_site_is_and_may_sign_up():
    shown = page().get("/").content.decode()

    assert "Rummy with friends" in shown
    for name in ("account_signup", "account_login", "games:play_now", "games:play_friend", "games:learn"):
        assert reverse(name) in shown


def test_play_now_on_the_front_page_seats_a_stranger_with_three_bots_at_a_dealt_table(db):
    client = page()
    form = re.search(
        rf'<form method="post" action="{reverse("games:play_now")}">(.*?)</form>', client.get("/").content.decode()
    )
    fields = dict(re.findall(r'name="(preset|bots)" value="([^"]*)"', form[1]))

    answer = client.post(reverse("games:play_now"), fields, follow=True)

    match = Match.objects.get()
    assert answer.redirect_chain == [(reverse("games:match", args=[match.pk]), 302)]
    assert (match.status, match.pace) == ("running", "none")
    assert [seat.driver for seat in match.seats.all()] == ["user", "bot", "bot", "bot"]
    assert "hand" in answer.content.decode()


def test_who_is_signed_in_begins_at_the_own_tables(ann):
    assert page(ann).get("/").url == reverse("games:tables")


@pytest.mark.parametrize("name", ["tables", "new_match"])
def test_own_pages_ask_a_stranger_to_sign_in(name, db):
    answer = page().get(reverse(f"games:{name}"))

    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


# --- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.name)
def test_every_preset_option_and_value_has_its_text(preset):
    grouped = [name for _heading, names in GROUPS for name in names]

    assert preset.name in PRESET_TEXTS
    for offer in preset.offers:
        text = OPTION_TEXTS[offer.name]
        assert grouped.count(offer.name) == 1
        assert text.label and text.help
        for value in offer.values if isinstance(offer, Choice) else (offer.low, offer.high):
            assert str(value_name(offer.name, value))
            assert str(text.tag(value))


# --- a new match -----------------------------------------------------------------------------------------------------


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


# --- lobby -----------------------------------------------------------------------------------------------------------


def test_an_empty_lobby_says_what_to_do(ann):
    shown = page(ann).get(reverse("games:lobby")).content.decode()

    assert "Nobody is waiting: open a table yourself" in shown
    assert reverse("games:new_match") in shown.split('id="nobody"')[1]


def test_the_lobby_lists_public_matches_with_a_free_seat_only(ann, bob, cat):
    free = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", private=True)
    opened(ann, bob)

    rows = page(cat).get(reverse("games:lobby")).context["rows"]

    assert [row.pk for row in rows] == [free.pk]


def test_a_stranger_may_look_at_the_lobby_and_chooses_in_the_room_how_to_sit_down(ann):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")

    shown = page().get(reverse("games:lobby")).content.decode()

    assert f'href="{reverse("games:match", args=[match.pk])}">Join' in shown
    assert 'method="post"' not in shown.split("<main")[1].split("</main")[0]
    room = page().get(reverse("games:match", args=[match.pk])).content.decode()
    assert "Sit down as a guest" in room
    assert f"{reverse('account_login')}?next={reverse('games:match', args=[match.pk])}" in room


def test_names_and_titles_of_others_are_text_never_markup(ann, bob):
    ann.display_name = "<b>Ann"
    ann.save()
    lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", title="<script>alert(1)</script>")

    shown = page(bob).get(reverse("games:lobby")).content.decode()

    assert "<script>alert" not in shown
    assert "<b>Ann" not in shown


# --- tables ----------------------------------------------------------------------------------------------------------


def test_my_tables_are_sorted_by_what_is_to_be_done(ann, bob):
    for _ in range(3):
        opened(ann, bob)
    waiting = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")
    over = ended(ann, bob)
    for match in Match.objects.filter(status="running"):
        play.drive(match.pk)

    mine = page(ann).get(reverse("games:tables")).context["mine"]

    running = Match.objects.filter(status="running")
    turn = {m.pk for m in running if m.seats.get(user=ann).index == m.turn}
    assert {row.pk for row in mine.await_me} == turn
    assert {row.pk for row in mine.waiting} == {m.pk for m in running} - turn
    assert [row.pk for row in mine.open] == [waiting.pk]
    assert [row.pk for row in mine.ended] == [over.pk]


def test_the_most_urgent_table_is_first_and_shows_my_hand(ann, bob):
    matches = [opened(ann, bob, pace=pace) for pace in ("3d", "12h", "1d")]
    user = mover(matches[1])

    shown = page(user).get(reverse("games:tables"))

    assert shown.context["mine"].await_me[0].pk == matches[1].pk
    assert len(shown.context["awaiting"][0].hand) == 10
    assert shown.content.decode().count('class="await first"') == 1


@pytest.mark.parametrize("count", [1, 60])
def test_my_tables_cost_few_queries_however_many_they_are(ann, bob, count):
    for _ in range(count):
        match = opened(ann, bob)
        if mover(match) == bob:
            take_turn(match, bob)
    forget_tapes()
    ended(ann, bob)
    lobby.rematch(Match.objects.get(status="over").pk, bob)
    client = page(ann)
    client.get(reverse("games:badge"))

    with CaptureQueriesContext(connection) as queries:
        shown = client.get(reverse("games:tables"))

    assert len(queries) <= 12
    assert len(shown.context["awaiting"]) == count


def test_the_ten_nearest_deadlines_show_my_hand_and_what_happened_last(ann, bob):
    for _ in range(12):
        match = opened(ann, bob)
        if mover(match) == bob:
            take_turn(match, bob)

    awaiting = page(ann).get(reverse("games:tables")).context["awaiting"]

    assert [len(glance.hand) for glance in awaiting] == [10] * 10 + [0, 0]
    assert [bool(glance.sentence) for glance in awaiting] == [True] * 10 + [False] * 2


def test_a_hand_read_with_many_others_is_the_hand_of_its_table(ann, bob):
    matches = [opened(ann, bob) for _ in range(3)]
    for match in matches:
        if mover(match) == bob:
            take_turn(match, bob)
    do(matches[0], ann, DrawStock())
    drafts.set_sort(seat_of(matches[1], ann), "rank")
    forget_tapes()

    awaiting = page(ann).get(reverse("games:tables")).context["awaiting"]

    forget_tapes()
    for glance in awaiting:
        board = tables.board(Match.objects.get(pk=glance.row.pk), ann)
        assert glance.hand == board.hand
        assert glance.sentence == told(last_of_others(board), board)


@pytest.mark.parametrize(
    ("how", "mine", "theirs"),
    [
        ("played", "You won, 30 to 12", "ann won, 30 to 12"),
        ("resigned", "You won by resignation", "ann won by resignation"),
        ("clock", "You won on time", "ann won on time"),
    ],
)
def test_the_result_is_told_to_each_from_the_own_side(ann, bob, how, mine, theirs):
    Match.objects.filter(pk=ended(ann, bob).pk).update(ending=how, winners=[0], totals=[30, 12])

    assert mine in page(ann).get(reverse("games:tables")).content.decode()
    assert theirs in page(bob).get(reverse("games:tables")).content.decode()


def test_a_shared_win_names_all_who_share_it(ann, bob):
    Match.objects.filter(pk=ended(ann, bob).pk).update(ending="played", winners=[0, 1], totals=[30, 30])

    assert "ann and bob share the win with 30 points" in page(ann).get(reverse("games:tables")).content.decode()


def test_no_table_yet_says_what_to_do(ann):
    shown = page(ann).get(reverse("games:tables")).content.decode()

    assert "You sit at no table yet." in shown
    assert reverse("games:new_match") in shown


def test_the_badge_counts_the_tables_that_await_me_and_names_the_next(ann, bob):
    first, second = opened(ann, bob, pace="2d"), opened(ann, bob, pace="1d")
    turns = {match.pk: mover(match) for match in (first, second)}

    for user in (ann, bob):
        mine = [pk for pk in (second.pk, first.pk) if turns[pk] == user]
        answer = page(user).get(reverse("games:badge"))
        address = reverse("games:match", args=mine[:1]) if mine else None
        told = answer.json()
        assert (told["waiting"], told["next"]) == (len(mine), address)
        assert "no-store" in answer.headers["Cache-Control"]


def test_a_stranger_has_no_badge(db):
    assert page().get(reverse("games:badge")).json() == {"waiting": 0, "next": None, "notices": 0}


# --- cancelled or over (FAULTS.md B35) --------------------------------------------------------------------------------


def test_b35_a_cancelled_match_leaves_the_running_lists_at_once(ann, bob, cat):
    match = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d")

    page(ann).post(reverse("games:leave", args=[match.pk]))

    match.refresh_from_db()
    assert match.status == "cancelled"
    assert page(cat).get(reverse("games:lobby")).context["rows"] == []
    mine = page(ann).get(reverse("games:tables")).context["mine"]
    assert not (mine.open or mine.waiting or mine.await_me)


def test_b35_a_match_that_ended_stands_once_among_the_finished(ann, bob):
    match = opened(ann, bob)
    play.drive(match.pk)

    play.resign(match.pk, match.seats.get(user=ann).index)

    for user in (ann, bob):
        mine = page(user).get(reverse("games:tables")).context["mine"]
        assert [row.pk for row in mine.ended] == [match.pk]
        assert not (mine.open or mine.waiting or mine.await_me)
        assert page(user).get(reverse("games:badge")).json()["waiting"] == 0


def test_b35_a_declined_rematch_stands_once_among_the_finished(ann, bob):
    old = ended(ann, bob)
    again = lobby.rematch(old.pk, ann)
    lobby.answer(again.pk, bob, yes=False, cut=CUT)

    mine = page(ann).get(reverse("games:tables")).context["mine"]

    assert sorted(row.pk for row in mine.ended) == [old.pk, again.pk]
    assert not (mine.open or mine.invited or mine.waiting)
    assert Seat.objects.filter(match=again).count() == 2
