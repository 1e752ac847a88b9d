"""Reports: from where it happens, kept as it was, adding and closing, and what their people hear of it."""

from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import roles
from accounts.guests import make_guest
from accounts.models import AuditEntry, User
from games import lobby, merging, people, play, talk
from games.models import Match, Message, Notice, Report
from games.moderation import context, hiding, reports
from games.notices.words import sentences
from games.seats import Refusal
from rummysite import limits

from .acts_table import staff
from .playing import mover, opened, seat_of
from .sitting import ended
from .test_races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


def client(user=None):
    browser = Client()
    if user is not None:
        browser.force_login(user)
    return browser


def at(user, match):
    return reverse("games:match", args=[match.pk]), client(user)


def said(match, user, text):
    return Message.objects.create(match=match, user=user, text=text, at=timezone.now())


def send(user, address, **data):
    return client(user).post(address, {"kind": "abuse"} | data)


def player_address(user):
    return reverse("games:report_player", args=[user.username])


def match_address(match):
    return reverse("games:report_match", args=[match.pk])


# --- from where it happens -------------------------------------------------------------------------------------------


def test_a_report_is_made_from_the_page_of_a_player_the_talk_the_table_and_the_result(ann, bob):
    running, over = opened(ann, bob), ended(ann, bob)
    message = said(running, bob, "You are a fool")
    places = {
        player_address(bob): reverse("games:player", args=["bob"]),
        reverse("games:report_message", args=[message.pk]): reverse("games:talk", args=[running.pk]),
        match_address(running): reverse("games:match", args=[running.pk]),
        match_address(over): reverse("games:match", args=[over.pk]),
    }
    browser = client(ann)
    for form, place in places.items():
        assert f'href="{form}"' in browser.get(place).content.decode()
        page = browser.get(form)
        assert page.status_code == 200
        assert "What happens next" in page.content.decode()
        answer = browser.post(form, {"kind": "abuse", "words": "Again and again."}, follow=True)
        assert "You will be told what becomes of it" in answer.content.decode()
    assert Report.objects.filter(reporter=ann, about_user=bob, state="open").count() == 4
    assert Report.objects.get(message=message).match == running


def test_a_title_is_reported_from_the_room_before_the_match_begins(ann, bob):
    waiting = lobby.open_match(ann, "basic-rummy", seats=["open"], pace="1d", title="Bad title")
    place, form = reverse("games:match", args=[waiting.pk]), match_address(waiting)
    assert f'href="{form}"' not in client(ann).get(place).content.decode()
    assert f'href="{form}"' in client(bob).get(place).content.decode()
    assert send(bob, form, kind="name").status_code == 302
    assert Report.objects.get().about_user == ann
    assert "Bad title" in " ".join(context.facts(Report.objects.get().context))


def test_the_form_speaks_the_words_of_players_and_offers_what_fits(ann, bob):
    match = opened(ann, bob)
    page = client(ann).get(match_address(match)).content.decode()
    for words in ("Stopped playing", "Not: slow, but within the agreed time.", "Leaves matches", "Plays unfairly"):
        assert words in page
    message = said(match, bob, "Hm")
    words = client(ann).get(reverse("games:report_message", args=[message.pk])).content.decode()
    assert "Hm" in words and "Stopped playing" not in words


def test_guests_report_too_and_a_stranger_signs_in_first(db, bob):
    guest = make_guest(language="en", time_zone="UTC")
    assert send(guest, player_address(bob)).status_code == 302
    assert Report.objects.get().reporter == guest
    answer = client().get(player_address(bob))
    assert answer.status_code == 302 and "login" in answer["Location"]


def test_what_one_may_not_see_one_cannot_report(ann, bob, cat):
    private = lobby.open_match(ann, "basic-rummy", seats=["@bob"], pace="1d", private=True)
    alone = opened(ann, bots=1)
    message = said(opened(ann, bob), bob, "Hello")
    own = said(message.match, ann, "Hello")
    gone = said(message.match, bob, "Gone")
    Message.objects.filter(pk=gone.pk).update(hidden_at=timezone.now())
    numbers = [reverse("games:report_message", args=[row.pk]) for row in (message, own, gone)]
    for user, address in [
        (cat, match_address(private)),
        (ann, match_address(alone)),
        (cat, numbers[0]),
        (ann, numbers[1]),
        (ann, numbers[2]),
        (ann, player_address(ann)),
        (ann, reverse("games:report_player", args=["nobody"])),
        (ann, reverse("games:report_match", args=[999_999])),
        (ann, reverse("games:report_message", args=[999_999])),
    ]:
        assert client(user).get(address).status_code == 404, address
        assert send(user, address).status_code == 404, address
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"kind": ""}, "Choose what happened."),
        ({"kind": "stalling"}, "Choose one of the values shown."),
        ({"kind": "other", "words": "  "}, "Say in your own words what happened."),
        ({"words": "x" * 1001}, "A report has at most 1000 characters."),
    ],
)
def test_a_form_that_is_wrong_comes_again_with_what_was_typed(ann, bob, data, sentence):
    answer = send(ann, player_address(bob), **data)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Report.objects.exists()


def test_at_a_table_of_several_the_reporter_says_who_it_was(ann, bob, cat):
    match = opened(ann, bob, cat)
    assert "Choose who it was." in send(ann, match_address(match)).content.decode()
    assert send(ann, match_address(match), about=ann.pk).status_code == 422
    assert send(ann, match_address(match), about=cat.pk).status_code == 302
    assert Report.objects.get().about_user == cat


def test_nobody_reports_himself(ann):
    with pytest.raises(Refusal):
        reports.report(ann, ann, "abuse")


# --- kept as it was --------------------------------------------------------------------------------------------------


def test_the_talk_around_a_message_is_kept_as_it_was(ann, bob):
    match = opened(ann, bob)
    lines = [said(match, (ann, bob)[n % 2], f"line {n}") for n in range(30)]
    send(ann, reverse("games:report_message", args=[lines[15].pk]))
    Message.objects.filter(pk=lines[15].pk).update(hidden_at=timezone.now())
    told = context.talk(Report.objects.get().context)
    assert [words for _name, _at, words, _this in told] == [f"line {n}" for n in range(5, 26)]
    assert [words for _name, _at, words, this in told if this] == ["line 15"]


def test_a_match_is_kept_with_who_sat_whose_turn_it_was_and_since_when_and_no_card(ann, bob):
    match = opened(ann, bob)
    slow = mover(match)
    other = ann if slow == bob else bob
    send(other, match_address(match), kind="stalling")
    before = Report.objects.get()
    play.resign(match.pk, seat_of(match, slow).index)
    kept, told = before.context, " ".join(context.facts(before.context))
    assert (kept["match"]["version"], kept["match"]["turn"]) == (match.version, match.turn)
    assert f"{slow.username} was to move since" in told
    assert "running" in told and "Seat 2: bob." in told
    for secret in (match.token, bytes(match.chain).hex(), *match.seats.values_list("cut", flat=True)):
        assert secret not in str(kept)
    assert not {"hand", "cards", "stock", "top", "draft"} & set(kept["match"])


def test_a_name_is_kept_as_it_was(ann, bob):
    User.objects.filter(pk=bob.pk).update(display_name="Bad Name")
    send(ann, player_address(bob), kind="name")
    User.objects.filter(pk=bob.pk).update(display_name="")
    assert "shown as Bad Name" in " ".join(context.facts(Report.objects.get().context))


# --- adding, limits, silence -----------------------------------------------------------------------------------------


def test_the_same_once_more_is_added_to_the_first(ann, bob, cat):
    for words in ("First.", "Second.", "Second."):
        send(ann, player_address(bob), words=words)
    send(ann, player_address(bob), kind="cheating")
    send(cat, player_address(bob), words="First.")
    row = Report.objects.get(reporter=ann, kind="abuse")
    assert (row.times, row.words) == (3, "First.\n\nSecond.")
    assert Report.objects.count() == 3


def test_there_are_fewer_reports_a_day_for_new_accounts(ann, cat, django_user_model):
    few, many = limits.LIMITS["report"].new, limits.LIMITS["report"].user
    whom = [django_user_model.objects.create(username=f"user{n}") for n in range(many + 1)]
    codes = [send(ann, player_address(one)).status_code for one in whom[: few + 1]]
    assert codes == [302] * few + [429]
    User.objects.filter(pk=cat.pk).update(date_joined=timezone.now() - timedelta(days=30))
    codes = [send(cat, player_address(one)).status_code for one in whom]
    assert codes == [302] * many + [429]
    with time_machine.travel(timezone.now() + timedelta(days=1, hours=1)):
        assert send(ann, player_address(whom[-1])).status_code == 302


def test_a_report_changes_no_match_and_the_reported_learns_nothing(ann, bob):
    match = opened(ann, bob)
    before = Match.objects.filter(pk=match.pk).values().get(), Notice.objects.filter(user=bob).count()
    send(ann, match_address(match), kind="stalling")
    after = Match.objects.filter(pk=match.pk).values().get(), Notice.objects.filter(user=bob).count()
    assert before == after
    assert "Stopped playing" not in client(bob).get(reverse("games:reports")).content.decode()


def test_what_a_guest_has_reported_goes_along_to_the_account(ann, bob, cat):
    guest = make_guest(language="en", time_zone="UTC")
    both = [reports.report(who, bob, "abuse") for who in (guest, ann)]
    mine = reports.report(guest, bob, "cheating")
    about = reports.report(cat, guest, "abuse")
    self_made = reports.report(guest, ann, "abuse")
    merging.move(guest, ann)
    for row in (*both, mine, about, self_made):
        row.refresh_from_db()
    assert (mine.reporter, about.about_user) == (ann, ann)
    assert both[0].reporter == guest and self_made.reporter == guest


# --- closing ---------------------------------------------------------------------------------------------------------


def closed(by, row, **more):
    told = {"outcome": "acted", "answer": "Thank you, we have talked to the player.", "reason": "Insults."} | more
    return reports.close(by, row, **told)


def test_the_reporter_hears_what_became_of_it_in_his_language_without_the_other(ann, bob, mod):
    row = reports.report(ann, bob, "abuse", "He shouts.")
    closed(mod, row)
    notice = Notice.objects.get(user=ann, kind="reported_outcome")
    assert sentences([notice]) == ["Your report has been read: a moderator has acted on it"]
    assert not Notice.objects.filter(user=bob).exists()
    page = client(ann).get(reverse("games:reports")).content.decode()
    assert "Thank you, we have talked to the player." in page and "A moderator has acted on it." in page
    assert "mod" not in notice.about and "bob" not in sentences([notice])[0]
    assert reverse("games:reports") in client(ann).get(reverse("games:notices")).content.decode()


def test_a_closed_report_is_closed_once_reopened_and_stands_in_the_log(ann, bob, mod):
    row = reports.report(ann, bob, "abuse")
    closed(mod, row)
    with pytest.raises(Refusal, match="closed already"):
        closed(mod, row)
    reports.reopen(mod, row, reason="There is more.")
    row.refresh_from_db()
    assert (row.state, row.outcome, row.closed_by) == ("open", "", None)
    acts = AuditEntry.objects.filter(target_kind="report", user=bob).order_by("pk")
    assert list(acts.values_list("act", flat=True)) == ["close_report", "reopen_report"]
    assert Notice.objects.filter(user=ann, kind="reported_outcome").count() == 2


def test_after_closing_the_same_is_a_report_of_its_own(ann, bob, mod):
    first = reports.report(ann, bob, "abuse")
    closed(mod, first)
    assert reports.report(ann, bob, "abuse").pk != first.pk
    with pytest.raises(Refusal, match="reported again"):
        reports.reopen(mod, first, reason="Was it right?")


def test_who_is_too_close_does_not_decide(ann, bob, cat, mod):
    judge, peer = staff("judge", roles.MODERATOR), staff("peer", roles.MODERATOR)
    for user, other in ((judge, ann), (ann, judge)):
        people.befriend(user, other)
    elsewhere = opened(judge, cat)
    rows = {
        "about you": reports.report(ann, judge, "abuse"),
        "reported this yourself": reports.report(judge, bob, "abuse"),
        "friend of yours": reports.report(bob, ann, "abuse"),
        "play with this player": reports.report(bob, cat, "abuse"),
        "You sit at this match": reports.report(cat, bob, "other", "Hm", match=elsewhere),
        "one of the staff": reports.report(ann, peer, "abuse"),
    }
    for sentence, row in rows.items():
        with pytest.raises(Refusal, match=sentence):
            closed(judge, row)
    closed(mod, rows["one of the staff"])
    assert AuditEntry.objects.count() == 1


def test_a_report_about_a_closed_account_can_be_closed(ann, bob, mod):
    from accounts.closing import close

    row = reports.report(ann, bob, "abuse")
    close(bob)
    closed(mod, row)
    assert Report.objects.get().state == "closed"


def test_a_hidden_message_is_told_as_hidden_to_all_and_can_be_shown_again(ann, bob, mod):
    match = opened(ann, bob)
    message = said(match, bob, "You are a fool")
    hiding.hide(mod, message, reason="An insult.")
    for user in (ann, bob):
        page = client(user).get(reverse("games:talk", args=[match.pk])).content.decode()
        assert "Hidden by a moderator." in page and "fool" not in page
    with pytest.raises(Refusal, match="hidden already"):
        hiding.hide(mod, message, reason="An insult.")
    hiding.show(mod, message, reason="It was meant well.")
    assert "fool" in client(ann).get(reverse("games:talk", args=[match.pk])).content.decode()
    assert talk.read(match, ann)[0][0].words == "You are a fool"


@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_who_close_at_once_one_is_told_that_it_is_closed(ann, bob, mod):
    other = User.objects.create(username="other", is_staff=True, is_superuser=True)
    row = reports.report(ann, bob, "abuse")
    told = at_once(partial(closed, mod, row), partial(closed, other, row))
    assert sorted(told) == ["This report has been closed already.", "won"]
    assert AuditEntry.objects.filter(act="close_report").count() == 1
    assert Notice.objects.filter(kind="reported_outcome").count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_report_twice_at_once_is_one(ann, bob):
    told = at_once(*[partial(reports.report, ann, bob, "abuse", f"Word {n}.") for n in range(3)])
    assert told == ["won"] * 3
    row = Report.objects.get()
    assert row.times == 3 and all(f"Word {n}." in row.words for n in range(3))
