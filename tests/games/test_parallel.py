"""Many writers at once on the real application: everybody waits, nobody fails (FAULTS C07)."""

import threading

import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import sweep, tables
from games.models import Match
from games.rules.actions import Discard, DrawStock

from .playing import legal, opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.pg]

WRITERS, MOVES = 8, 20


def test_eight_people_each_make_twenty_moves_while_the_sweep_runs_and_none_is_lost(django_user_model):
    people = [django_user_model.objects.create(username=f"writer{n}") for n in range(WRITERS)]
    matches = [opened(person, bots=1, pace="none", target=10000) for person in people]
    statuses: list[int] = []
    done = threading.Event()

    def sweeping() -> None:
        while not done.is_set():
            sweep.sweep()
            done.wait(0.01)
        connection.close()

    def writing(person, match) -> None:
        client = Client(raise_request_exception=False)
        client.force_login(person)
        made = 0
        while made < MOVES:
            board = tables.board(Match.objects.get(pk=match.pk), person)
            if not board.my_turn:
                client.post(reverse("games:ready", args=[match.pk]), {"deal": board.match.deal_number})
                done.wait(0.01)
                continue
            draw = next((a for a in legal(match, person) if isinstance(a, DrawStock)), None)
            card = next((a.card for a in legal(match, person) if isinstance(a, Discard)), None)
            form = {"do": "draw_stock"} if draw else {"do": "discard", "card": card}
            answer = client.post(reverse("games:act", args=[match.pk]), form | {"seen": board.seen})
            statuses.append(answer.status_code)
            made += answer.status_code == 303
        connection.close()

    sweeper = threading.Thread(target=sweeping)
    writers = [threading.Thread(target=writing, args=pair) for pair in zip(people, matches, strict=True)]
    sweeper.start()
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    done.set()
    sweeper.join()

    assert set(statuses) == {303}
    for match in matches:
        assert match.tape.filter(by="user").count() == MOVES
    assert len(statuses) == WRITERS * MOVES


@pytest.mark.skipif(connection.vendor != "sqlite", reason="settings of the file database")
def test_the_file_database_writes_ahead_and_waits():
    with connections["default"].cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    options = connections["default"].settings_dict["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert options["timeout"] >= 20


@pytest.mark.skipif(connection.vendor != "sqlite", reason="settings of the file database")
def test_new_connections_are_made_while_somebody_writes(ann):
    """Each new connection says that the database writes ahead; where it does already, that waits for nobody."""
    found: list[object] = []

    def reads() -> None:
        try:
            found.append(User.objects.get().username)
        except Exception as error:
            found.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        User.objects.update(language="mk")
        readers = [threading.Thread(target=reads) for _ in range(WRITERS)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout=10)
        assert found == ["ann"] * WRITERS
