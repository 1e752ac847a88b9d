"""``manage.py sweep`` and ``manage.py doctor``, and the check of the channel layer."""

import os
import signal
import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from channels.layers import get_channel_layer
from django.core.management import CommandError, call_command
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from accounts.models import User
from games import checks, nudge, sweep
from games.models import Match, Seat

from .playing import mover, opened
from .sitting import ended

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """What it says, and its exit status."""
    capsys.readouterr()
    try:
        call_command("doctor")
        status = 0
    except SystemExit as left:
        status = int(left.code or 0)
    return status, capsys.readouterr().out


def test_the_sweep_plays_what_is_due_once_and_says_how_much_there_was(ann, bob, capsys):
    match = opened(ann, bob)
    mover(match)

    with time_machine.travel(match.due_at + timedelta(seconds=61), tick=True):
        call_command("sweep")
        call_command("sweep")

    told = capsys.readouterr().out.splitlines()
    assert [line.rsplit(" ", 1)[1] for line in told] == ["1.", "0."]
    assert match.tape.filter(by="clock").count() == 2


def test_the_looping_sweep_survives_a_failure_and_ends_when_it_is_told_to(monkeypatch, caplog):
    looks = []

    def look() -> int:
        looks.append(1)
        if len(looks) == 1:
            raise RuntimeError("the database is away")
        if len(looks) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return 0

    monkeypatch.setattr(sweep, "sweep", look)
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    watchdog = threading.Timer(10, os.kill, (os.getpid(), signal.SIGTERM))
    watchdog.start()
    try:
        call_command("sweep", "--loop", "--interval", "0.01")
    finally:
        watchdog.cancel()
        after = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    assert len(looks) == 3
    assert after == before
    assert "it goes on" in caplog.text


def test_an_interval_that_is_none_is_refused_with_a_sentence():
    with pytest.raises(CommandError, match="more than 0"):
        call_command("sweep", "--interval", "0")


def test_the_doctor_is_content_with_a_sound_site(ann, bob, cat, capsys):
    mover(opened(ann, bob))
    mover(opened(ann, bots=2, pace="none"))
    opened(ann, bob, bots=2, pace="60s")
    ended(ann, bob)

    assert doctor(capsys) == (0, "All is well.\n")


@pytest.mark.parametrize("wrong", [{"wake_at": None}, {"due_at": None}, {"due_at": None, "wake_at": None}, "early"])
def test_the_doctor_names_a_match_that_waits_for_nobody(ann, bob, capsys, wrong):
    match = opened(ann, bob)
    mover(match)
    if wrong == "early":
        wrong = {"wake_at": match.due_at - timedelta(hours=1)}
    Match.objects.filter(pk=match.pk).update(**wrong)

    status, told = doctor(capsys)

    assert status == 1
    assert f"Match {match.pk} is stuck" in told


def test_the_doctor_names_a_bot_that_nobody_drives(ann, capsys):
    match = opened(ann, bots=2, pace="none")
    mover(match)
    bot = Seat.objects.filter(match=match, driver="bot").first()
    Match.objects.filter(pk=match.pk).update(turn=bot.index)

    assert f"Match {match.pk} is stuck" in doctor(capsys)[1]


def test_the_doctor_sees_that_no_sweep_runs(ann, bob, capsys):
    match = opened(ann, bob)
    mover(match)

    with time_machine.travel(match.wake_at + timedelta(seconds=50), tick=True):
        assert doctor(capsys)[0] == 0
    with time_machine.travel(match.wake_at + timedelta(seconds=70), tick=True):
        status, told = doctor(capsys)

    assert status == 1
    assert "The sweep is behind: 1 " in told
    assert f"match {match.pk} since" in told


def test_the_doctor_misses_a_channel_layer(db, capsys, monkeypatch):
    monkeypatch.setattr("games.management.commands.doctor.get_channel_layer", lambda: None)

    status, told = doctor(capsys)

    assert status == 1
    assert "There is no channel layer" in told


def test_the_doctor_notices_a_channel_layer_that_does_not_answer(db, capsys, monkeypatch):
    async def dead(group: str, message: dict[str, Any]) -> None:
        raise ConnectionError

    monkeypatch.setattr(get_channel_layer(), "group_send", dead)
    monkeypatch.setattr(nudge, "WAIT", 0.1)

    status, told = doctor(capsys)

    assert status == 1
    assert "does not answer (ConnectionError)" in told


def test_the_doctor_names_migrations_that_have_not_run(db, capsys, monkeypatch):
    class Pending:
        app_label, name = "games", "0099_something"

    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda self, targets: [(Pending, False)])

    status, told = doctor(capsys)

    assert status == 1
    assert "games.0099_something" in told


@pytest.mark.parametrize(
    ("host", "found"), [("127.0.0.1", False), ("::1", False), ("localhost", False), ("0.0.0.0", True)]
)
def test_the_doctor_finds_demo_players_where_others_can_reach_them(db, capsys, monkeypatch, host, found):
    User.objects.create(username="demo1", is_demo=True)
    monkeypatch.setenv("HOST", host)

    status, told = doctor(capsys)

    assert (status == 1) == ("demo players" in told) == found


def test_the_doctor_finds_demo_players_behind_https(db, capsys, settings):
    settings.SESSION_COOKIE_SECURE = True
    User.objects.create(username="demo1", is_demo=True)

    assert doctor(capsys)[0] == 1


def test_the_doctor_says_no_card_and_changes_nothing(ann, bob, capsys):
    match = opened(ann, bob)
    mover(match)
    before = Match.objects.values().get(pk=match.pk)

    with time_machine.travel(timezone.now() + timedelta(days=9), tick=True):
        doctor(capsys)

    assert Match.objects.values().get(pk=match.pk) == before


def test_a_site_without_a_channel_layer_does_not_pass_the_checks(monkeypatch):
    assert checks.channel_layer_is_there(None) == []
    monkeypatch.setattr(checks, "get_channel_layer", lambda: None)

    assert [error.id for error in checks.channel_layer_is_there(None)] == ["games.E001"]
