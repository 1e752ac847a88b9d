"""Make the small site of made-up people that a dump in this folder is of, by the code of the time.

    git worktree add --detach /tmp/then COMMIT && cd /tmp/then
    VAR_DIR=$(mktemp -d) python .../tests/data/keep_site.py .../tests/data/site-after-issue-2.sql.xz

It uses only what every commit has. No session, no password and no key goes into the dump. Secrets are drawn anew each
time, so a dump is made once and kept.
"""

import lzma
import os
import sqlite3
import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, os.getcwd())
os.environ["DJANGO_SETTINGS_MODULE"] = "rummysite.settings"

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from accounts.models import User  # noqa: E402
from games import drafts, lobby, play, tables, tape  # noqa: E402
from games.bots import LEVELS  # noqa: E402
from games.models import Match, Move, Seat  # noqa: E402
from games.rules import catalog  # noqa: E402
from games.rules.actions import DrawStock, Meld  # noqa: E402
from games.rules.view import see  # noqa: E402

CUT = ("00" * 16, "browser")
RNG = Random(7)


def opened(*users: Any, preset: str = "basic-rummy", bots: int = 0, **more: Any) -> Match:
    """A running match of these users and so many bots."""
    seats = ["open"] * (len(users) - 1) + ["easy"] * bots
    match = lobby.open_match(users[0], preset, seats=seats, pace="1d", cut=CUT, **more)
    for user in users[1:]:
        lobby.join(match.pk, user, CUT)
    return Match.objects.get(pk=match.pk)


def turn(match: Match) -> bool:
    """One turn of the person to move, played as an easy bot would; False when the match is over."""
    play.drive(match.pk)
    match.refresh_from_db()
    if match.turn is None:
        return False
    read = tape.read(match, tape.current_deal(match))
    table, actions, seat = read.table, [], match.turn
    while table.actor == seat and table.turns == read.table.turns:
        actions.append(LEVELS["easy"](see(read.game, table, read.sheet, seat, match.memory), read.game, RNG))
        table = read.game.apply(table, seat, actions[-1])
    play.submit(match.pk, seat, actions, by=Move.By.USER)
    match.refresh_from_db()
    return True


def play_into_a_draft(match: Match) -> None:
    """Play until in a later deal somebody has drawn, and put down a meld that is not submitted yet."""
    while match.status == "running":
        play.drive(match.pk)
        match.refresh_from_db()
        seat = Seat.objects.get(match=match, index=match.turn)
        board = tables.board(match, seat.user)
        if match.deal_number > 1 and DrawStock() in board.view.legal:
            drafts.act(match.pk, seat, DrawStock(), drafts.Seen.read(board.seen))
            board = tables.board(Match.objects.get(pk=match.pk), seat.user)
            melds = [action for action in board.view.legal if isinstance(action, Meld)]
            if melds:
                drafts.act(match.pk, seat, melds[0], drafts.Seen.read(board.seen))
                return
        turn(match)
    raise RuntimeError("the match ended before anybody had a meld: once more")


def make() -> None:
    """One match that is over, one with a draft, one with a bot, one of gin where there is gin, one that waits."""
    call_command("migrate", verbosity=0)
    ann, bob, cat = (User.objects.create(username=name, password="!") for name in ("ann", "bob", "cat"))
    rated: dict[str, Any] = {"rated": True} if hasattr(Match, "rated") else {}
    over = opened(ann, bob, chosen={"target": 40, "turn_cap": 12}, **rated)
    while turn(over):
        pass
    play_into_a_draft(opened(ann, bob, chosen={"target": 50}))
    three = opened(bob, cat, bots=1, chosen={"target": 40})
    for _turn in range(5):
        turn(three)
    if "gin" in [preset.name for preset in catalog.PRESETS]:
        gin = opened(cat, ann, preset="gin", chosen={"target": 20})
        for _turn in range(4):
            turn(gin)
    lobby.open_match(ann, "basic-rummy", seats=["open", "open"], pace="3d", chosen={}, cut=CUT)


def keep(target: Path) -> None:
    """The rows as SQL, packed."""
    connection.close()
    base = sqlite3.connect(settings.DATABASES["default"]["NAME"])
    target.write_bytes(lzma.compress("\n".join(base.iterdump()).encode(), preset=9))


make()
keep(Path(sys.argv[1]))
