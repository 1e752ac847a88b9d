"""A back-up, taken while the site runs as docs/operations.md says, is restored and played on."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from games import tables

from .playing import mover, opened, play_on, take_turn

ROOT = Path(__file__).parents[2]

PLAY_ON = """
import django; django.setup()
from games.models import Match
from tests.games.playing import mover, play_on, take_turn
match = Match.objects.get()
user = mover(match)
take_turn(match, user)
play_on(match, turns=5)
print(match.moves)
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="pg_dump and pg_restore are PostgreSQL's own")
def test_a_copy_of_the_database_taken_in_the_middle_of_a_match_is_played_on(ann, bob, tmp_path):
    match = play_on(opened(ann, bob, bots=1), turns=4)
    take_turn(match, mover(match))
    before = match.moves
    hand = tables.board(match, ann).hand
    with sqlite3.connect(tmp_path / "db.sqlite3") as copy:
        connection.ensure_connection()
        connection.connection.backup(copy)
    copy.close()
    play_on(match, turns=3)
    environment = os.environ | {
        "VAR_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "rummysite.settings",
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("DATABASE_URL", None)
    environment.pop("REDIS_URL", None)

    restored = subprocess.run(
        [sys.executable, "-c", PLAY_ON], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert restored.returncode == 0, restored.stderr
    assert int(restored.stdout) > before
    assert len(hand) > 0
