"""Sites of earlier issues (tests/data) come to today: they migrate, their matches go on, their Records open."""

import lzma
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.test import Client

from accounts.models import User
from games import drafts, importing, lobby, play, tables
from games.models import Match, Move, Notice, Seat

from .ruling import is_its_tape, nothing_to_correct, play_out

DATA = Path(__file__).parents[1] / "data"
ISSUES = (2, 3, 4, 5)


@pytest.fixture(params=ISSUES)
def issue(request: pytest.FixtureRequest, tmp_path: Path, django_db_blocker: Any) -> Iterator[int]:
    """The database is that of an earlier issue, migrated to today; it is some minutes after its last move."""
    if connection.vendor != "sqlite":
        pytest.skip("the dumps are of SQLite")
    place = tmp_path / "db.sqlite3"
    packed = (DATA / f"site-after-issue-{request.param}.sql.xz").read_bytes()
    with sqlite3.connect(place) as base:
        base.executescript(lzma.decompress(packed).decode())
    base.close()
    with django_db_blocker.unblock():
        usual = connection.settings_dict["NAME"]
        _turn_to(place)
        try:
            call_command("migrate", verbosity=0)
            with time_machine.travel(Move.objects.latest("at").at + timedelta(minutes=5), tick=True):
                yield request.param
        finally:
            _turn_to(usual)


def _turn_to(name: Any) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
    ContentType.objects.clear_cache()


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def test_a_site_of_an_earlier_issue_goes_on_today(issue: int) -> None:
    over, drafted, *running = Match.objects.exclude(status="open").order_by("pk")
    kept = {deal.pk: deal.record for deal in over.deals.all()}
    _the_draft_is_there(drafted)
    assert Notice.objects.exists() == (issue == 5)
    assert [match.status for match in running] == ["running"] * (len(running))
    for match in (drafted, *running):
        assert play_out(match).ending == "played"
        is_its_tape(match)
    _what_waits_begins()
    assert {deal.pk: deal.record for deal in over.deals.all()} == kept
    for match in (over, drafted, *running):
        _opens(match)
    call_command("recompute", "summaries", missing=True, stdout=StringIO())
    call_command("recompute", "ratings", stdout=StringIO())
    nothing_to_correct()


def _the_draft_is_there(match: Match) -> None:
    """Its driver sees the meld, takes it back, and its cards are in the hand again."""
    seat = Seat.objects.get(match=match, index=match.turn)
    board = tables.board(match, seat.user)
    assert board.my_turn and len(board.steps) == 1
    assert signed_in(seat.user.username).get(f"/matches/{match.pk}/").status_code == 200
    drafts.undo(match.pk, seat, drafts.Seen.read(board.seen))
    after = tables.board(match, seat.user)
    assert len(after.hand) == len(board.hand) + 3 and not after.steps


def _what_waits_begins() -> None:
    match = Match.objects.get(status="open")
    for name in ("bob", "cat"):
        lobby.join(match.pk, User.objects.get(username=name), ("00" * 16, "browser"))
    play.drive(match.pk)
    match.refresh_from_db()
    assert match.status == "running" and match.deal_number == 1


def _opens(match: Match) -> None:
    """Every deal replays, and what is exported is played again by the rules when it is read in."""
    match.refresh_from_db()
    player = match.seats.exclude(user=None).first()
    assert player is not None and player.user is not None
    client = signed_in(player.user.username)
    for deal in match.deals.all():
        assert client.get(f"/matches/{match.pk}/deals/{deal.number}/").status_code == 200
    assert client.get(f"/matches/{match.pk}/match.txt").status_code == 200
    told = client.get(f"/matches/{match.pk}/match.json").content
    assert len(importing.read_in(told).told["deals"]) == match.deals.count()


@pytest.mark.parametrize("number", ISSUES)
def test_a_dump_is_small_and_keeps_no_password_and_no_key(number: int) -> None:
    packed = (DATA / f"site-after-issue-{number}.sql.xz").read_bytes()
    told = lzma.decompress(packed).decode()
    assert len(packed) < 100_000
    assert 'INSERT INTO "django_session"' not in told
    assert "pbkdf2" not in told and "argon2" not in told and "md5$" not in told
    assert settings.SECRET_KEY not in told
