"""What is not kept: guests who have gone, ended sessions, old addresses. Twice is as once, two at once as one."""

import threading
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import closing, pruning
from accounts.guests import make_guest
from accounts.models import Chore, User
from games import lobby, play
from games.models import Match

from .playing import CUT, opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

DAY = timedelta(days=1)


def guest(days: float) -> User:
    """A guest who was here last so many days ago."""
    made = make_guest("cs", "Europe/Prague")
    then = timezone.now() - days * DAY
    User.objects.filter(pk=made.pk).update(date_joined=then, last_login=then, display_name="Jana")
    return made


def closed(user: User) -> bool:
    user.refresh_from_db()
    return user.closed_at is not None


def aged(match: Match, days: float) -> None:
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now() - days * DAY)


def test_a_guest_who_has_gone_is_closed_as_any_account_is(db: None) -> None:
    gone = guest(31)
    assert pruning.prune(timezone.now())["guests closed"] == 1
    assert closed(gone)
    assert (gone.shown_name, gone.display_name, gone.language, gone.is_active) == ("deleted player", "", "", False)
    assert User.objects.filter(pk=gone.pk).exists()


def test_who_was_here_lately_stays(db: None) -> None:
    lately = guest(29)
    pruning.prune(timezone.now())
    assert not closed(lately)


def test_who_looks_in_is_here(db: None) -> None:
    looking = guest(31)
    client = Client()
    client.force_login(looking)
    User.objects.filter(pk=looking.pk).update(last_login=timezone.now() - 31 * DAY)
    client.get("/lobby/")
    pruning.prune(timezone.now())
    assert not closed(looking)


def test_a_persons_account_is_nobodys_to_prune(ann: User) -> None:
    User.objects.update(date_joined=timezone.now() - 999 * DAY, last_login=None)
    pruning.prune(timezone.now())
    assert not closed(ann)


def test_a_guest_with_a_match_stays_and_an_offer_that_nobody_took_goes(bob: User) -> None:
    running, waiting, ended_lately, ended_long_ago = guest(99), guest(99), guest(99), guest(99)
    opened(running, bob)
    offer = lobby.open_match(waiting, "basic-rummy", seats=["open"], pace="1d", cut=CUT)
    for user, days in ((ended_lately, 29), (ended_long_ago, 31)):
        match = opened(user, bob)
        play.resign(match.pk, 1)
        aged(match, days)
    assert pruning.prune(timezone.now())["guests closed"] == 2
    assert [closed(user) for user in (running, waiting, ended_lately, ended_long_ago)] == [False, True, False, True]
    offer.refresh_from_db()
    assert offer.status == "cancelled"
    assert Match.objects.filter(status="running").count() == 1


def test_a_guest_who_comes_back_at_the_last_moment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    back = guest(31)

    def comes_back(user: User) -> None:
        User.objects.filter(pk=user.pk).update(last_login=timezone.now())

    monkeypatch.setattr(closing, "import_string", lambda _dotted: comes_back)
    assert pruning.prune(timezone.now())["guests closed"] == 0
    assert not closed(back)


def test_ended_sessions_and_the_rows_of_their_devices_go(ann: User) -> None:
    alive, ended = Client(), Client()
    for client in (alive, ended):
        client.post("/accounts/login/", {"login": "ann", "password": "correct horse"})
    Session.objects.filter(pk=ended.session.session_key).update(expire_date=timezone.now() - DAY)
    UserSession.objects.update(created_at=timezone.now() - DAY)
    found = pruning.prune(timezone.now())
    assert (found["sessions that had expired"], found["devices no longer signed in"]) == (1, 1)
    assert UserSession.objects.get().session_key == alive.session.session_key
    assert alive.get("/tables/").status_code == 200


def test_old_addresses_are_forgotten_and_the_session_goes_on(client: Client) -> None:
    client.post("/accounts/guest/", headers={"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"})
    assert "from 127.0.0.1" in client.get("/accounts/sessions/").content.decode()
    UserSession.objects.update(last_seen_at=timezone.now() - 89 * DAY)
    assert pruning.prune(timezone.now())["addresses forgotten"] == 0
    UserSession.objects.update(last_seen_at=timezone.now() - 91 * DAY)
    assert pruning.prune(timezone.now())["addresses forgotten"] == 1
    row = UserSession.objects.get()
    assert (row.ip, row.user_agent) == ("0.0.0.0", "")
    page = client.get("/accounts/sessions/").content.decode()
    assert "from where is no longer kept" in page
    assert "0.0.0.0" not in page


def test_the_command_says_in_counts_what_it_did_and_a_second_time_there_is_nothing(db: None) -> None:
    guest(31)
    guest(45)
    said = [StringIO(), StringIO()]
    for out in said:
        call_command("prune", stdout=out)
    assert said[0].getvalue().splitlines() == [
        "Guests closed: 2.",
        "Sessions that had expired: 0.",
        "Devices no longer signed in: 0.",
        "Addresses forgotten: 0.",
    ]
    assert {line.split()[-1] for line in said[1].getvalue().splitlines()} == {"0."}


def at_once(act: Any, times: int) -> list[Any]:
    barrier, results = threading.Barrier(times), [None] * times

    def run(i: int) -> None:
        try:
            barrier.wait()
            results[i] = act()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_two_at_once_close_each_guest_once(db: None) -> None:
    for _ in range(6):
        guest(31)
    found = at_once(lambda: pruning.prune(timezone.now()), 3)
    assert sum(one["guests closed"] for one in found) == 6


def test_of_several_workers_one_prunes_a_day(db: None) -> None:
    now = timezone.now()
    assert pruning.prune_daily(now) is None  # the first day has only begun
    assert pruning.prune_daily(now + DAY / 2) is None
    guest(31)
    found = at_once(lambda: pruning.prune_daily(now + DAY), 4)
    assert sorted(one["guests closed"] for one in found if one) == [1]
    assert Chore.objects.get().due_at == now + 2 * DAY
    assert pruning.prune_daily(now + 1.5 * DAY) is None


def test_the_background_work_looks_from_time_to_time(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Any] = []
    monkeypatch.setattr(pruning, "prune_daily", looks.append)
    monkeypatch.setattr(pruning, "_looked", pruning.time.monotonic())
    pruning.look()
    assert looks == []
    monkeypatch.setattr(pruning, "_looked", pruning.time.monotonic() - pruning.LOOK)
    pruning.look()
    pruning.look()
    assert len(looks) == 1


def test_the_server_does_it_by_itself(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from rummysite import asgi

    gone = guest(31)
    Chore.objects.create(name="prune", due_at=timezone.now() - DAY)
    monkeypatch.setattr(pruning, "_looked", pruning.time.monotonic() - pruning.LOOK)
    asgi.work()
    assert closed(gone)
