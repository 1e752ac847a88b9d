"""Fixtures that several files of these tests share.

dan takes over seats that others have lost.
"""

import pytest
from django.test import Client

from games import fairness, substitutes
from games.models import BenchPlace
from games.rules.cards import card, cards, pack

from .playing import opened
from .table_pages import MELDING, OTHERS


@pytest.fixture
def dan(django_user_model):
    user = django_user_model.objects.create(username="dan")
    BenchPlace.objects.create(user=user, preset="basic-rummy", kind="correspondence")
    return user


@pytest.fixture
def trusted(monkeypatch):
    monkeypatch.setattr(substitutes, "last_turns", lambda user: ["user"] * 20)


@pytest.fixture
def sign_in():
    def signed(user):
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return signed


@pytest.fixture
def stacked(monkeypatch):
    """A match of two whose first deal is as written: ``bob`` (seat 1) moves first, ``ann`` deals."""

    def opened_so(ann, bob, *, bobs=MELDING, anns=OTHERS, up="9D", stock="2C 3D", **chosen):
        real, whole = fairness.order, pack()
        his, hers = cards(bobs), cards(anns)
        dealt = [one for pair in zip(his, hers, strict=True) for one in pair] + [card(up), *cards(stock)]
        places = tuple(whole.index(one) for one in [*dealt, *(c for c in whole if c not in dealt)])

        def order(secret, cuts, deal, n, size):
            if size == len(cuts):
                return tuple(range(size))
            return places if (deal, n) == (1, 0) else real(secret, cuts, deal, n, size)

        monkeypatch.setattr(fairness, "order", order)
        return opened(ann, bob, preset="basic-rummy", hand_size=len(his), **chosen)

    return opened_so
