"""Talk at a table: who reads and writes, what is told to whom, muting, and that it never disturbs the match."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import lobby, nudge, talk
from games.models import Match, Message, Notice
from games.phrases import PHRASES
from rummysite import limits

from .playing import CUT, opened
from .sitting import ended
from .talking import HX, chat_notices, client, page, say, waits

pytestmark = [pytest.mark.django_db, pytest.mark.pg]


@pytest.fixture(autouse=True)
def old_accounts(monkeypatch):
    """All may write, where nothing else is said."""
    monkeypatch.setitem(limits.NUMBERS, "new_days", 0)
    monkeypatch.setitem(limits.NUMBERS, "new_matches", 0)


def table(user, match):
    return client(user).get(reverse("games:match", args=[match.pk])).content.decode()


def test_a_phrase_is_read_by_each_in_his_own_language_and_kept_as_its_key(ann, bob):
    from django.utils import translation

    match = opened(ann, bob)

    assert say(ann, match, phrase="thanks").status_code == 302

    assert Message.objects.get().phrase == "thanks"
    assert "Thank you!" in page(bob, match)
    with translation.override("de"):
        assert str(PHRASES["thanks"]) == translation.gettext("Thank you!")
    assert len(PHRASES) == 16


def test_a_text_is_plain_and_nothing_in_it_can_be_clicked(ann, bob):
    match = opened(ann, bob)

    say(ann, match, text="  <b>see</b>   https://example.org\n\u202e now ")

    assert Message.objects.get().text == "<b>see</b> https://example.org now"
    shown = page(bob, match)
    assert "&lt;b&gt;see&lt;/b&gt; https://example.org now" in shown
    assert 'href="https://example.org' not in shown


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"text": ""}, "There is nothing to send"),
        ({"text": " \u202e "}, "There is nothing to send"),
        ({"text": "\x00\x07"}, "There is nothing to send"),
        ({"text": "x" * 501}, "A message has at most 500 characters."),
        ({"phrase": "boo"}, "Choose one of the phrases shown."),
        ({}, "There is nothing to send"),
    ],
)
def test_what_cannot_be_said_is_refused_with_a_sentence_and_kept_in_the_box(ann, bob, data, sentence):
    match = opened(ann, bob)

    plain, htmx = say(ann, match, **data), say(ann, match, htmx=True, **data)

    assert (plain.status_code, htmx.status_code) == (422, 200)
    assert sentence in plain.content.decode() and sentence in htmx.content.decode()
    if data.get("text") == "x" * 501:
        assert f'value="{"x" * 500}"' in htmx.content.decode()
    assert not Message.objects.exists()


def test_500_characters_are_not_too_many(ann, bob):
    assert say(ann, opened(ann, bob), text="ж" * 500).status_code == 302


def test_only_those_at_the_table_read_and_write(ann, bob, cat):
    match = opened(ann, bob)
    invited = lobby.open_match(ann, "basic-rummy", seats=["@cat", "open"], pace="1d")
    for one in (match, invited):
        say(ann, one, text="among us")
        for name in ("talk", "talk_news"):
            assert client(cat).get(reverse(f"games:{name}", args=[one.pk])).status_code == 404
        assert say(cat, one, text="me too").status_code == 404
        assert client(cat).post(reverse("games:talk_mute", args=[one.pk])).status_code == 404
        assert "among us" not in table(cat, one)
        assert "talk" not in table(cat, one).split("<main")[-1].split("<footer")[0]
        assert waits(cat, one) == 0
    assert "/login/" in client().get(reverse("games:talk", args=[match.pk])).url
    assert Message.objects.count() == 2


def test_the_room_before_the_start_and_the_ended_match_talk_as_well(ann, bob, cat):
    room = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    lobby.join(room.pk, bob, CUT)
    over = ended(ann, bob)
    for match in (room, over):
        assert say(ann, match, text="here too").status_code == 302
        shown = table(bob, match)
        assert f'hx-get="{reverse("games:talk", args=[match.pk])}"' in shown
        assert 'id="talk-count">1<' in shown
        assert "here too" in page(bob, match)


def test_who_has_left_the_room_reads_no_more_and_what_was_said_stays(ann, bob):
    room = lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="1d")
    lobby.join(room.pk, bob, CUT)
    say(bob, room, text="until later")
    lobby.leave(room.pk, bob)

    assert client(bob).get(reverse("games:talk", args=[room.pk])).status_code == 404
    assert "until later" in page(ann, room)
    lobby.leave(room.pk, ann)
    assert Message.objects.count() == 1


def test_nothing_is_said_at_a_match_that_was_cancelled(ann, bob):
    again = lobby.rematch(ended(ann, bob).pk, ann)
    lobby.answer(again.pk, bob, yes=False, cut=("", ""))

    assert "nobody reads here any more" in say(ann, again, text="oh").content.decode()
    assert "Say something" not in page(ann, again)


def test_guests_and_new_accounts_say_phrases_only(monkeypatch):
    monkeypatch.setitem(limits.NUMBERS, "new_days", 3)
    monkeypatch.setitem(limits.NUMBERS, "new_matches", 3)
    joined = datetime(2026, 1, 1, tzinfo=UTC)

    def why(ended, after, **more):
        return talk.why_phrases_only(User(date_joined=joined, **more), ended, joined + after)

    day, second = timedelta(days=1), timedelta(seconds=1)
    assert why(3, 3 * day) == ""
    assert "In 1 day you can write" in why(3, 3 * day - second)
    assert "In 3 days you can write" in why(9, second)
    assert "when 1 more match of yours has ended" in why(2, 9 * day)
    assert "when 3 more matches of yours have ended" in why(0, 9 * day)
    assert "Guests say phrases only." in why(9, 99 * day, is_guest=True)


def test_the_sentence_stands_where_the_box_would_be_and_a_text_is_refused(ann, bob, monkeypatch):
    monkeypatch.setitem(limits.NUMBERS, "new_days", 3)
    match = opened(ann, bob)

    shown = page(ann, match)

    assert "New accounts say phrases only." in shown
    assert 'name="text"' not in shown
    assert say(ann, match, text="hello there").status_code == 422
    assert say(ann, match, phrase="hello").status_code == 302


def test_the_number_on_the_tab_counts_what_others_said_since_i_looked(ann, bob):
    match = opened(ann, bob)
    for words in ("one", "two"):
        say(ann, match, text=words)
    say(bob, match, text="mine")

    assert (waits(ann, match), waits(bob, match)) == (1, 2)
    news = client(bob).get(reverse("games:talk_news", args=[match.pk]), headers=HX).content.decode()
    assert ">2<" in news and "intersect once" in news and "two" not in news

    heard = client(bob).get(reverse("games:talk", args=[match.pk]), headers=HX).content.decode()

    assert "two" in heard and "<body" not in heard
    assert waits(bob, match) == 0
    assert "intersect" not in client(bob).get(reverse("games:talk_news", args=[match.pk])).content.decode()


def test_one_notice_until_i_have_looked_and_none_of_my_own(ann, bob):
    match = opened(ann, bob)
    Notice.objects.all().delete()
    for words in ("one", "two"):
        say(ann, match, text=words)
    assert (chat_notices(ann), chat_notices(bob)) == (0, 1)
    notice = Notice.objects.get(kind="chat")
    assert notice.about == {"by": ann.pk}

    page(bob, match)
    assert chat_notices(bob) == 0
    say(ann, match, text="three")
    assert chat_notices(bob) == 1


def test_talk_never_raises_the_version_and_the_socket_says_no_word(
    ann, bob, monkeypatch, django_capture_on_commit_callbacks
):
    match = opened(ann, bob)
    before = Match.objects.get(pk=match.pk).version
    sent = []
    monkeypatch.setattr(nudge, "_send", lambda groups, message: sent.append((groups, message)))

    with django_capture_on_commit_callbacks(execute=True):
        talk.say(match.pk, ann, text="a secret word")

    assert Match.objects.get(pk=match.pk).version == before
    bobs = [f"user-{bob.pk}"]
    assert sent == [(bobs, {"type": "notices"}), (bobs, {"type": "talk", "match": match.pk})]


def test_the_socket_passes_on_that_something_was_said():
    from games.consumers import Live

    live, heard = Live(), []

    async def send(text_data):
        heard.append(json.loads(text_data))

    live.send = send
    asyncio.run(live.talk({"type": "talk", "match": 7}))
    assert heard == [{"match": 7, "talk": True}]


def test_a_phrase_leaves_alone_what_is_being_typed_and_a_text_empties_the_box(ann, bob):
    match = opened(ann, bob)

    phrase, text = say(ann, match, htmx=True, phrase="hello"), say(ann, match, htmx=True, text="well")

    assert 'id="talk-form"' not in phrase.content.decode() and "Hello!" in phrase.content.decode()
    assert 'id="talk-form" hx-swap-oob' in text.content.decode() and 'name="text" value=""' in text.content.decode()


def test_older_messages_are_a_link_away(ann, bob, monkeypatch):
    monkeypatch.setattr(talk, "SHOWN", 2)
    match = opened(ann, bob)
    for words in ("first", "second", "third"):
        say(ann, match, text=words)

    shown = page(bob, match)
    assert "first" not in shown and "third" in shown
    older = client(bob).get(reverse("games:talk", args=[match.pk]), {"before": Message.objects.order_by("pk")[1].pk})
    assert "first" in older.content.decode()
    for bad in ("x", "9" * 40, "-1"):
        assert client(bob).get(reverse("games:talk", args=[match.pk]), {"before": bad}).status_code == 200


def test_the_table_asks_no_more_queries_for_the_talk_and_the_talk_no_more_for_many(ann, bob):
    match = opened(ann, bob)

    def queries(address):
        browser = client(bob)
        browser.get(address)
        with CaptureQueriesContext(connection) as found:
            assert browser.get(address).status_code == 200
        return len(found)

    at_table = reverse("games:match", args=[match.pk])
    before, few = queries(at_table), queries(reverse("games:talk", args=[match.pk]))
    for n in range(8):
        say(ann, match, text=f"word {n}")
    assert queries(at_table) == before <= 12
    assert queries(reverse("games:talk", args=[match.pk])) <= max(few, 14)


def test_haste_is_limited_with_a_sentence(ann, bob, settings):
    settings.LIMITED = True
    match = opened(ann, bob)
    with time_machine.travel(timezone.now(), tick=False):  # within one minute of the count
        for _n in range(limits.LIMITS["talk"].user):
            assert say(ann, match, phrase="hello").status_code == 302
        assert say(ann, match, phrase="hello").status_code == 429
        assert "Try again in" in say(ann, match, htmx=True, phrase="hello").content.decode()
        assert say(bob, match, phrase="hello").status_code == 302
