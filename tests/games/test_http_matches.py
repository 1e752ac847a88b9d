"""Whole matches against bots over HTTP, by plain forms: what a browser without scripts sends, to the last card."""

import pytest
from django.test import Client
from django.urls import reverse

from games import play, tables
from games.models import Match
from games.rules.actions import Discard, DrawStock, LayOff, Meld

from .playing import opened

pytestmark = pytest.mark.django_db(transaction=True)


def form_of(board):
    """The fields of the next plain step of a person: draw, put down what goes down, discard the dearest card."""
    legal = board.view.legal
    if any(isinstance(action, DrawStock) for action in legal):
        return {"do": "draw_stock"}
    for action in legal:
        if isinstance(action, Meld):
            return {"do": "meld", "card": list(action.cards)}
        if isinstance(action, LayOff):
            return {"do": "lay_off", "card": action.card, "meld": action.meld}
    throws = [action.card for action in legal if isinstance(action, Discard)]
    return {"do": "discard", "card": max(throws, key=board.game.points)}


@pytest.mark.parametrize(("preset", "bots"), [("basic-rummy", 1), ("basic-rummy", 5), ("android-rummy", 1)])
def test_a_match_against_bots_is_played_to_its_end_by_plain_forms(ann, preset, bots):
    match = opened(ann, preset=preset, bots=bots, pace="none", target=10)
    client = Client()
    client.force_login(ann)
    address = reverse("games:match", args=[match.pk])
    for _step in range(3000):
        play.drive(match.pk)
        match = Match.objects.get(pk=match.pk)
        if match.status == "over":
            break
        board = tables.board(match, ann)
        answer = client.post(reverse("games:act", args=[match.pk]), form_of(board) | {"seen": board.seen})
        assert (answer.status_code, answer.url) == (303, address)
        assert client.get(address).status_code == 200

    assert (match.status, match.ending) == ("over", "played")
    assert max(match.totals) >= 10
    page = client.get(address).content.decode()
    assert str(max(match.totals)) in page
    sheet = client.get(reverse("games:sheet", args=[match.pk]))
    assert sheet.status_code == 200
    assert str(max(match.totals)) in sheet.content.decode()
