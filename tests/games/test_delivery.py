"""How notices are brought: once, in time, only while they are true, whatever the mail server does."""

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import lobby, sweep
from games.models import Delivery, Match, MutedMatch, Notice, NoticeSettings, PushSubscription
from games.notices import delivery, push, reminders, tell, work
from games.notices.errors import NotYet
from games.notices.spread import next_digest, spread

from .playing import CUT, mover, opened, take_turn
from .smtp import mail_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock():
    with time_machine.travel(START, tick=False) as moved:
        yield moved


@pytest.fixture
def server(settings):
    with mail_server(settings) as running:
        yield running


@pytest.fixture
def reader(ann):
    """Has confirmed an address."""
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    return ann


def bring():
    spread(timezone.now())
    return delivery.deliver("email")


def states(user):
    return list(Delivery.objects.filter(notice__user=user).order_by("pk").values_list("state", "error"))


def anns_turn(ann, bob):
    """A match in which ann has just been told that it is her turn."""
    match = opened(ann, bob, preset="basic-rummy")
    if mover(match) != ann:
        Notice.objects.all().delete()
        while mover(match) != ann:
            take_turn(match, bob)
    return match


def test_a_mail_of_my_turn_comes_five_minutes_later_in_my_language_and_zone(reader, bob, clock, server):
    reader.time_zone = "Europe/Prague"
    reader.save()
    match = anns_turn(reader, bob)
    Notice.objects.exclude(kind="your_turn").delete()
    assert bring() == 0
    clock.shift(timedelta(minutes=4))
    assert bring() == 0
    clock.shift(timedelta(minutes=1))
    assert (bring(), bring()) == (1, 0)
    (letter,) = server.letters
    assert letter["Subject"] == "Your turn in Basic rummy against bob, until Wednesday 1 p.m."
    assert letter["To"] == "ann@example.org" and letter["Auto-Submitted"] == "auto-generated"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text, html = (part.get_content() for part in letter.iter_parts())
    assert f"/matches/{match.pk}/" in text and f"/matches/{match.pk}/" in html
    assert states(reader) == [("sent", "")]


def test_a_turn_that_was_taken_meanwhile_and_a_muted_match_send_no_mail(reader, bob, clock, server):
    match = anns_turn(reader, bob)
    muted = anns_turn(reader, bob)
    Notice.objects.exclude(kind="your_turn").delete()
    Notice.objects.filter(match=muted).update(read_at=timezone.now())  # an open tab holds nothing back
    spread(timezone.now())
    take_turn(match, reader)
    clock.shift(timedelta(minutes=6))
    Notice.objects.filter(user=bob).delete()
    assert bring() == 1
    assert [state for state, _error in states(reader)] == ["dropped", "sent"]
    MutedMatch.objects.create(user=reader, match=muted)
    tell("nudged", [reader], muted, {"by": bob.pk})
    clock.shift(timedelta(minutes=6))
    assert bring() == 0


def test_only_a_confirmed_address_gets_mail(ann, bob, cat, clock, server):
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=False, primary=True)
    tell("friend", [ann, cat], about={"by": bob.pk}, key="1")
    clock.shift(timedelta(days=2))
    assert bring() == 0 and not Delivery.objects.exists() and not server.calls


def test_all_that_is_due_goes_in_one_letter(reader, bob, clock, server):
    for _match in range(2):
        lobby.open_match(bob, "basic-rummy", seats=["@ann"], pace="1d", cut=CUT)
    clock.shift(timedelta(minutes=2))
    assert bring() == 1
    (letter,) = server.letters
    assert letter["Subject"] == "bob invites you to Basic rummy; and 1 more notice"
    assert letter.get_body(("plain",)).get_content().count("bob invites you") == 2


def test_no_title_of_a_match_begins_a_header_or_holds_up_a_letter(reader, bob, clock, server):
    title = "Tea\r\nBcc: eve@example.org\x00\u2028\u202e"
    match = lobby.open_match(bob, "basic-rummy", seats=["@ann"], pace="1d", cut=CUT)
    Match.objects.filter(pk=match.pk).update(title=title.replace("\x00", ""))
    clock.shift(timedelta(minutes=2))
    assert bring() == 1
    (letter,) = server.letters
    assert letter["Subject"] == "bob invites you to Tea Bcc: eve@example.org" and letter["Bcc"] is None


def test_a_server_that_takes_a_letter_and_hangs_up_gets_it_again_under_the_same_id(reader, bob, clock, server):
    tell("asked", [reader], about={"by": bob.pk}, key="1")
    server.mood = "drop"
    clock.shift(timedelta(minutes=2))
    assert bring() == 0
    tell("asked", [reader], about={"by": bob.pk}, key="2")
    server.mood = ""
    clock.shift(timedelta(seconds=30))
    assert bring() == 0
    clock.shift(timedelta(minutes=2))
    assert bring() == 2
    first, again, other = (letter["Message-ID"] for letter in server.letters)
    assert first == again != other


def test_a_crash_after_the_answer_sends_the_same_letter_once_more_when_the_lease_ends(
    reader, bob, clock, server, monkeypatch
):
    tell("asked", [reader], about={"by": bob.pk}, key="1")
    clock.shift(timedelta(minutes=2))

    def die(*args, **kwargs):
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(delivery, "_end", lambda rows, state, error="": die() if state == "sent" else None)
        with pytest.raises(SystemExit):
            bring()
    assert bring() == 0
    clock.shift(delivery.LEASE + timedelta(seconds=1))
    assert bring() == 1
    assert len({letter["Message-ID"] for letter in server.letters}) == 1 and len(server.letters) == 2


def test_a_server_that_is_down_is_tried_again_less_and_less_and_then_comes_up(reader, bob, cat, clock, server):
    EmailAddress.objects.create(user=cat, email="cat@example.org", verified=True, primary=True)
    tell("asked", [reader, cat], about={"by": bob.pk}, key="1")
    server.mood = "421"
    clock.shift(timedelta(minutes=1))
    waits = []
    for _try in range(3):
        assert bring() == 0
        due = Delivery.objects.get(notice__user=reader).due_at
        waits.append(due - timezone.now())
        clock.move_to(due)
    assert waits == [timedelta(minutes=minutes) for minutes in (1, 2, 4)]
    server.mood = ""
    clock.shift(timedelta(minutes=5))
    assert bring() == 2
    assert not NoticeSettings.objects.filter(mail_failing_since__isnull=False).exists()


def test_what_cannot_be_brought_for_days_has_failed_and_the_settings_say_so(reader, bob, clock, server):
    tell("asked", [reader], about={"by": bob.pk}, key="1")
    server.mood = "450"
    clock.shift(timedelta(minutes=2))
    while ("pending", "") in states(reader) or not states(reader) or states(reader)[0][0] == "pending":
        bring()
        clock.shift(timedelta(hours=6))
    assert states(reader) == [("failed", "later 450")]
    assert timezone.now() - START < timedelta(days=6)
    client = Client()
    client.force_login(reader)
    assert "Our mails have not reached you since" in client.get("/notices/settings/").content.decode()
    server.mood = ""
    tell("asked", [reader], about={"by": bob.pk}, key="2")
    clock.shift(timedelta(minutes=2))
    assert bring() == 1
    assert "have not reached" not in client.get("/notices/settings/").content.decode()


def test_an_address_that_is_refused_is_told_at_once(reader, bob, clock, server):
    tell("asked", [reader], about={"by": bob.pk}, key="1")
    server.mood = "550"
    clock.shift(timedelta(minutes=2))
    assert (bring(), states(reader)) == (0, [("failed", "refused 550")])
    client = Client()
    client.force_login(reader)
    assert "has refused our mails since" in client.get("/notices/settings/").content.decode()


def test_a_server_that_hangs_holds_up_no_match(reader, bob, settings, monkeypatch):
    monkeypatch.setattr(work, "_next", {})
    monkeypatch.setattr(work, "_running", {})
    with mail_server(settings) as server:
        server.mood = "hang"
        match = anns_turn(reader, bob)
        Notice.objects.update(at=timezone.now() - timedelta(minutes=9), spread_at=None)
        Match.objects.filter(pk=match.pk).update(wake_at=timezone.now())
        spread(timezone.now())
        began = time.monotonic()
        work.look()
        for _wait in range(200):
            if server.calls:
                break
            time.sleep(0.01)
        assert server.calls == 1 and sweep.sweep() == 1
        work.look()
        assert time.monotonic() - began < 4 and server.calls == 1
        server.let_go.set()
        work.finish()


def test_two_workers_at_once_send_each_letter_once(reader, bob, cat, server):
    people = [reader, cat]
    EmailAddress.objects.create(user=cat, email="cat@example.org", verified=True, primary=True)
    for number in range(6):
        tell("asked", people, about={"by": bob.pk}, key=str(number))
    Notice.objects.update(at=timezone.now() - timedelta(minutes=2))
    together = threading.Barrier(3)

    def worker():
        together.wait()
        try:
            bring()
        finally:
            connection.close()

    threads = [threading.Thread(target=worker) for _worker in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(states(reader) + states(cat)) == {("sent", "")}
    for name in ("ann", "cat"):
        texts = [x.get_body(("plain",)).get_content() for x in server.letters if x["To"].startswith(name)]
        assert sum(text.count("bob proposes") for text in texts) == 6


def test_what_is_wanted_once_a_day_comes_in_one_letter_at_my_hour(reader, bob, clock, server):
    NoticeSettings.objects.create(user=reader, digest_hour=7, matrix={"asked.email": "digest"})
    reader.time_zone = "Europe/Belgrade"
    reader.save()
    for number in range(3):
        tell("asked", [reader], about={"by": bob.pk}, key=str(number))
    Notice.objects.filter(key="2").update(read_at=timezone.now())
    clock.move_to(datetime(2026, 12, 2, 5, 59, tzinfo=UTC))
    assert bring() == 0
    clock.move_to(datetime(2026, 12, 2, 6, 0, tzinfo=UTC))
    assert bring() == 1
    assert [state for state, _error in states(reader)] == ["sent", "sent", "dropped"]


@pytest.mark.parametrize(
    ("after", "hour", "zone", "due"),
    [
        ("2026-12-01T12:00", 18, "UTC", "2026-12-01T18:00"),
        ("2026-12-01T18:00", 18, "UTC", "2026-12-02T18:00"),
        ("2026-03-28T20:00", 18, "Europe/Prague", "2026-03-29T16:00"),  # summer time begins in that night
        ("2026-10-24T20:00", 18, "Europe/Prague", "2026-10-25T17:00"),  # and ends
        ("2026-03-28T23:00", 2, "Europe/Prague", "2026-03-29T01:00"),  # the hour that is left out
        ("2026-10-25T00:30", 2, "Europe/Prague", "2026-10-26T01:00"),  # the hour that comes twice
    ],
)
def test_the_hour_of_the_day_is_that_of_my_clock(after, hour, zone, due):
    told = next_digest(datetime.fromisoformat(after + "+00:00"), hour, zone)
    assert told == datetime.fromisoformat(due + "+00:00")


def test_reminders_come_at_the_chosen_times_once_each_and_move_with_the_deadline(reader, bob, clock, server):
    NoticeSettings.objects.create(user=reader, reminders=["half", "240", "60", "1440"])
    match = anns_turn(reader, bob)
    due = match.due_at

    def reminded():
        reminders.remind(timezone.now())
        return Notice.objects.filter(user=reader, kind="reminder").count()

    assert reminded() == 0
    clock.move_to(due - timedelta(hours=12))
    assert (reminded(), reminded()) == (1, 1)
    clock.move_to(due - timedelta(hours=3))
    assert reminded() == 2
    later = due + timedelta(days=3)
    Match.objects.filter(pk=match.pk).update(due_at=later, wake_at=later)
    clock.shift(timedelta(hours=1))
    assert reminded() == 2
    bring()
    assert {state for state, _error in states(reader) if _error == ""} <= {"dropped", "pending", "sent"}
    assert not any("ends" in letter["Subject"] for letter in server.letters)
    clock.move_to(later - timedelta(minutes=50))
    assert reminded() == 3
    assert bring() == 0
    clock.shift(timedelta(minutes=1))
    assert bring() == 1
    assert "Your time in Basic rummy against bob ends" in server.letters[-1]["Subject"]
    soon = timezone.now() + timedelta(minutes=1)
    Match.objects.filter(pk=match.pk).update(due_at=soon, live_at=timezone.now())
    assert reminded() == 3, "a table that went live is played at once"
    Match.objects.filter(pk=match.pk).update(due_at=None)
    assert reminded() == 3


def test_the_way_out_of_mails_needs_no_sign_in_and_only_a_press_acts(reader, bob, clock, server):
    tell("asked", [reader], about={"by": bob.pk}, key="1")
    clock.shift(timedelta(minutes=2))
    bring()
    address = server.letters[0]["List-Unsubscribe"].strip("<>").removeprefix("http://127.0.0.1:8000")
    client = Client(enforce_csrf_checks=True)
    page = client.get(address)
    assert page.status_code == 200 and not NoticeSettings.objects.filter(user=reader).exists()
    assert client.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert NoticeSettings.objects.get(user=reader).matrix == {"asked.email": "off"}
    assert client.get("/tables/").status_code == 302
    assert client.post(address.replace("off/", "off/x")).status_code == 404
    tell("asked", [reader], about={"by": bob.pk}, key="2")
    clock.shift(timedelta(minutes=2))
    assert bring() == 0


def test_a_push_that_a_device_did_not_take_is_tried_again_when_its_service_asks(ann, bob, clock, monkeypatch):
    PushSubscription.objects.create(user=ann, endpoint="https://example.org/1", mark="x", made_at=timezone.now())
    answers = [NotYet("503", seconds=600), 1]

    def bring_one(notice):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(push, "bring", bring_one)
    tell("asked", [ann, bob], about={"by": bob.pk}, key="1")
    spread(timezone.now())
    assert delivery.deliver("push") == 0
    clock.shift(timedelta(minutes=9))
    assert delivery.deliver("push") == 0 and answers
    clock.shift(timedelta(minutes=2))
    assert (delivery.deliver("push"), delivery.deliver("push")) == (1, 0)
    assert (states(ann), states(bob)) == ([("sent", "")], [])
