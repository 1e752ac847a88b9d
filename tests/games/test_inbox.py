"""The page of notices, the bell, and the private calendar and feed."""

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import nudge
from games.models import Feed, Match, Notice, NoticeSettings
from games.notices import ics, inbox, keys, tell
from rummysite import limits
from rummysite.limits import Limit

from .playing import mover, opened, seat_of

pytestmark = pytest.mark.django_db
NOW = "2026-11-30T12:00:00+00:00"


def page(user):
    client = Client()
    client.force_login(user)
    return client


def bell(client):
    html = client.get(reverse("games:tables")).content.decode()
    return int(re.search(r"data-notices-count[^>]*>(\d+)", html)[1])


def unread(user):
    return Notice.objects.filter(user=user, read_at=None).count()


def test_notices_stand_there_newest_first_each_a_link_to_its_match(ann, bob):
    match = opened(ann, bob)
    Notice.objects.all().delete()
    tell("nudged", [ann], match, {"by": bob.pk}, key="1")
    tell("friend", [ann], about={"by": bob.pk}, key="2")
    html = page(ann).get(reverse("games:notices")).content.decode()
    friend, nudged = html.index("bob would like to be your friend"), html.index("bob waits for your turn")
    assert friend < nudged
    assert re.search(rf'href="/matches/{match.pk}/"><b><span class="vh">New: </span>bob waits for your turn', html)
    assert "bob" not in page(bob).get(reverse("games:notices")).content.decode().partition("<main")[2]


def test_opening_the_match_reads_its_notices_on_all_devices(ann, bob):
    match, other = opened(ann, bob), opened(ann, bob)
    Notice.objects.all().delete()
    tell("nudged", [ann, bob], match, key="1")
    tell("nudged", [ann], other, key="1")
    phone, desk = page(ann), page(ann)
    assert bell(phone) == bell(desk) == 2
    phone.get(reverse("games:match", args=[match.pk]))
    assert (bell(desk), unread(ann), unread(bob)) == (1, 1, 1)
    assert desk.get(reverse("games:badge")).json()["notices"] == 1


def test_mark_all_as_read_reads_mine_only(ann, bob):
    tell("friend", [ann, bob], key="1")
    client = page(ann)
    assert client.get(reverse("games:read_all")).status_code == 405
    assert client.post(reverse("games:read_all")).status_code == 303
    assert (unread(ann), unread(bob)) == (0, 1)
    assert "Mark all as read" not in client.get(reverse("games:notices")).content.decode()


def test_what_the_user_wants_not_on_the_site_is_not_counted(ann):
    tell("friend", [ann], key="1")
    Notice.objects.update(listed=False)
    client = page(ann)
    assert bell(client) == 0
    assert "Nothing has been told to you yet" in client.get(reverse("games:notices")).content.decode()


def test_older_notices_are_on_further_pages_and_a_page_costs_few_queries(ann, bob):
    match = opened(ann, bob)
    Notice.objects.all().delete()
    for number in range(70):
        tell("nudged", [ann], match, {"by": bob.pk}, key=str(number))
    client = page(ann)
    client.get(reverse("games:notices"))
    with CaptureQueriesContext(connection) as queries:
        first = client.get(reverse("games:notices"))
    assert len(queries) <= 9, [query["sql"][:80] for query in queries]
    assert len(first.context["lines"]) == 30 and "?page=2" in first.content.decode()
    assert len(client.get(reverse("games:notices"), {"page": 3}).context["lines"]) == 10
    for odd in ("0", "x", "999", "-1"):
        assert client.get(reverse("games:notices"), {"page": odd}).status_code == 200


def test_a_name_in_a_notice_is_only_a_name(ann, bob):
    bob.display_name = "<b>{x}</b>"
    bob.save()
    tell("friend", [ann], about={"by": bob.pk}, key="1")
    html = page(ann).get(reverse("games:notices")).content.decode()
    assert "&lt;b&gt;{x}&lt;/b&gt; would like" in html


def test_open_pages_hear_at_once_of_what_changes_no_match(ann, bob, monkeypatch, django_capture_on_commit_callbacks):
    heard = []
    monkeypatch.setattr(nudge, "_send", lambda groups, message: heard.append((groups, message["type"])))
    with django_capture_on_commit_callbacks(execute=True):
        tell("friend", [ann], about={"by": bob.pk}, key="1")
    assert heard == [([nudge.user_group(ann.pk)], "notices")]


def test_strangers_are_asked_to_sign_in(client, db):
    for name in ("notices", "devices"):
        assert "/accounts/login/" in client.get(reverse(f"games:{name}"))["Location"]


# --- calendar and feed ------------------------------------------------------------------------------------------------


def made(user, kind="calendar"):
    """A new private address, as its page shows it."""
    answer = page(user).post(reverse("games:address", args=[kind]), {"do": "make"})
    return re.search(r'value="http://testserver(/[^"]+)"', answer.content.decode())[1]


def unfolded(answer):
    raw = answer.content
    assert raw.endswith(b"\r\n") and b"\n" not in raw.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    return raw.replace(b"\r\n ", b"").decode().split("\r\n")


def test_old_turns_of_a_match_fold_into_the_last_one_and_the_bell_counts_them_as_one(ann, bob):
    match, other = opened(ann, bob), opened(ann, bob)
    Notice.objects.all().delete()
    for number in range(3):
        tell("your_turn", [ann], match, {"deal": 1}, key=f"1.{number}")
        tell("nudged", [ann], match, {"by": bob.pk}, key=f"1.{number}")
    tell("your_turn", [ann], other, {"deal": 1}, key="1.0")
    client = Client()
    client.force_login(ann)
    page = client.get("/notices/")
    kinds = [line.sentence.split(" in ")[0] for line in page.context["lines"]]
    assert kinds == ["Your turn", "bob waits for your turn", "Your turn", *["bob waits for your turn"] * 2]
    assert inbox.unread(ann) == 5
    client.post("/notices/read/")
    assert not Notice.objects.filter(user=ann, read_at=None).exists()


@time_machine.travel(NOW, tick=False)
def test_a_calendar_has_the_deadlines_of_my_turns_with_an_alarm(ann, bob):
    match = opened(ann, bob, pace="1d")
    Match.objects.filter(pk=match.pk).update(title="Tea; cake, ♠ \\ and a very long night, ž")
    first = mover(match)
    second = bob if first == ann else ann
    lines = unfolded(Client().get(made(first)))
    assert lines[0] == "BEGIN:VCALENDAR" and lines[-2] == "END:VCALENDAR"
    assert lines.count("BEGIN:VEVENT") == 1
    due = Match.objects.get(pk=match.pk).due_at
    assert f"DTSTART:{due:%Y%m%dT%H%M%SZ}" in lines
    assert "SUMMARY:Your turn: Tea\\; cake\\, ♠ \\\\ and a very long night\\, ž" in lines
    assert f"URL:http://testserver/matches/{match.pk}/" in lines
    assert lines[lines.index("BEGIN:VALARM") + 2] == "TRIGGER:-PT120M"
    NoticeSettings.objects.create(user=first, reminders=["half", "60", "1440"])
    lines = unfolded(Client().get(made(first)))
    assert [line for line in lines if line.startswith("TRIGGER")] == ["TRIGGER:-PT1440M", "TRIGGER:-PT60M"]
    assert "BEGIN:VEVENT" not in unfolded(Client().get(made(second)))


def test_lines_are_folded_between_signs_and_nothing_begins_a_property_of_its_own():
    at = timezone.now()
    for length in range(60, 80):
        text = "x" * length + "žžž♠♠" + "\r\nATTACH:evil\x00\u2028y"
        raw = ics.calendar("n", [ics.Event("u", at, at, text, "https://x/", [30])])
        assert all(len(line) <= 75 and line.decode() is not None for line in raw.split(b"\r\n"))
        whole = raw.replace(b"\r\n ", b"").decode()
        assert f"SUMMARY:{'x' * length}žžž♠♠\\nATTACH:evil\\ny\r\n" in whole
        assert "\r\nATTACH" not in whole


def test_a_feed_tells_my_notices_as_atom(ann, bob):
    match = opened(ann, bob)
    Notice.objects.all().delete()
    tell("nudged", [ann], match, {"by": bob.pk}, key="1")
    answer = Client().get(made(ann, "notices"))
    assert answer["Content-Type"].startswith("application/atom+xml")
    root, atom = ElementTree.fromstring(answer.content), "{http://www.w3.org/2005/Atom}"
    (entry,) = root.findall(f"{atom}entry")
    assert "bob waits for your turn" in entry.find(f"{atom}title").text
    assert entry.find(f"{atom}link").get("href") == f"http://testserver/matches/{match.pk}/"
    assert unread(ann) == 1  # a program has read it, not its user


@pytest.mark.parametrize("kind", ["calendar", "notices"])
def test_what_has_not_changed_is_not_sent_again_and_no_cache_shares_it(ann, bob, kind):
    opened(ann, bob)
    address = made(ann, kind)
    with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
        first = Client().get(address)
    assert "private" in first["Cache-Control"]
    with time_machine.travel(timezone.now() + timedelta(minutes=9), tick=False):
        again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    tell("friend", [ann], about={"by": bob.pk}, key="9")
    Match.objects.update(due_at=timezone.now() + timedelta(hours=3), turn=seat_of(Match.objects.get(), ann).index)
    assert Client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_an_address_ends_when_a_new_one_is_made_or_its_user_ends_it(ann):
    first = made(ann)
    second = made(ann)
    assert Client().get(first).status_code == 404
    assert Client().get(second).status_code == 200
    page(ann).post(reverse("games:address", args=["calendar"]), {"do": "end"})
    assert Client().get(second).status_code == 404
    assert page(ann).post(reverse("games:address", args=["other"])).status_code == 404


def test_only_the_hash_is_kept_and_one_address_is_not_the_other(ann):
    token = made(ann).split("/")[2]
    assert len(token) == 22
    assert token not in str(list(Feed.objects.values()))
    assert Client().get(reverse("games:feed", args=[token])).status_code == 404


def test_an_address_signs_nobody_in_and_a_closed_account_has_none(ann):
    client = Client()
    address = made(ann)
    assert client.get(address).status_code == 200
    assert not client.cookies
    assert client.get(reverse("games:notices")).status_code == 302
    ann.is_active = False
    ann.save()
    assert client.get(address).status_code == 404


def test_guessing_has_a_limit_that_does_not_shut_out_who_knows(ann, monkeypatch):
    monkeypatch.setitem(limits.LIMITS, "token", Limit(3, 3, 3600))
    address = made(ann)
    for wrong in range(3):
        assert Client().get(f"/feed/wrong{wrong}/").status_code == 404
    assert Client().get("/calendar/wrong/rummysite.ics").status_code == 429
    assert Client().get(address).status_code == 200
    monkeypatch.setitem(limits.LIMITS, "feed", Limit(2, 100, 3600))
    assert [Client().get(address).status_code for _ in range(3)][-1] == 429


def test_each_token_is_new(ann):
    assert keys.make(ann, Feed.Kind.CALENDAR) != keys.make(ann, Feed.Kind.CALENDAR)
