"""Fixtures that several files of these tests share.

dan takes over seats that others have lost.
"""

import pytest

from games import substitutes
from games.models import BenchPlace


@pytest.fixture
def dan(django_user_model):
    user = django_user_model.objects.create(username="dan")
    BenchPlace.objects.create(user=user, preset="basic-rummy", kind="correspondence")
    return user


@pytest.fixture
def trusted(monkeypatch):
    monkeypatch.setattr(substitutes, "last_turns", lambda user: ["user"] * 20)
