"""How tests look at the page of a table and press its buttons."""

from django.urls import reverse

from games import tables
from games.models import Match

from .markup import Page

HTMX = {"HX-Request": "true"}
MELDING = "7H 7D 7C 4S 5S 6S 7S 8S KD KC"
OTHERS = "2D 3C 9C JD QS AH TS 5D 6C QH"


def page_of(client, match):
    answer = client.get(reverse("games:match", args=[match.pk]))
    assert answer.status_code == 200
    return Page(answer.content.decode())


def post(client, match, name="act", *, htmx=False, **data):
    return client.post(reverse(f"games:{name}", args=[match.pk]), data, headers=HTMX if htmx else {})


def seen(match, user):
    return tables.board(Match.objects.get(pk=match.pk), user).seen


def hand_of(match, user):
    return tables.board(Match.objects.get(pk=match.pk), user).hand
