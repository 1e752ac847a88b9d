"""The administration of a large site: a list costs a few queries, and no page offers or loads all users."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Deal, Match, Message, Move, Seat

pytestmark = pytest.mark.django_db

USERS, MATCHES, PLAYED = 2_000, 10_000, 300
"""Users, matches, and how many of these have a seat, a move and talk; those lists have a test with 1,000 rows too."""
MOST = 15
"""Queries of a page of the administration."""
FEW = 120
"""So many rows of users a page has at most: those of its list, and a few that it names."""


@pytest.fixture
def office(client, mod):
    """The browser of a moderator of a large site."""
    _many()
    client.force_login(mod)
    return client


def _many() -> None:
    now = timezone.now()
    users = User.objects.bulk_create(
        User(username=f"user{n}", name_key=f"user{n}", email=f"u{n}@example.org") for n in range(USERS)
    )
    terms: dict[str, Any] = {"preset": "basic-rummy", "options": {"players": 2}, "pace": "1d", "status": "running"}
    matches = Match.objects.bulk_create(
        Match(
            **terms, token=f"token{n}", opener=users[n % USERS], chain=b"chain", commitment="c" * 64,
            created_at=now - timedelta(minutes=n), deal_number=1, turn=0,
        )
        for n in range(MATCHES)
    )  # fmt: skip
    _rows_of(matches[:PLAYED], now)


def _rows_of(matches: list[Match], now: Any) -> None:
    Seat.objects.bulk_create(
        Seat(match=match, index=0, user_id=match.opener_id, driven_by_id=match.opener_id, driver="user")
        for match in matches
    )
    deals = Deal.objects.bulk_create(
        Deal(match=match, number=1, dealer=0, secret=b"secret", sheet={}, started_at=now) for match in matches
    )
    Move.objects.bulk_create(
        Move(match=match, deal=deal, number=1, seat=0, action={"type": "draw_stock"}, by="bot", at=now)
        for match, deal in zip(matches, deals, strict=True)
    )
    Message.objects.bulk_create(
        Message(match=match, user_id=match.opener_id, text="Well played", at=now) for match in matches
    )


def test_lists_and_pages_of_a_large_site_take_few_queries_and_never_load_all_users(office):
    names = [f"{model._meta.app_label}_{model._meta.model_name}" for model in (User, Match, Seat, Deal, Move, Message)]
    rows = [model.objects.latest("pk") for model in (User, Match, Seat, Deal, Move, Message)]
    for name, row in zip(names, rows, strict=True):
        listed = reverse(f"admin:{name}_changelist")
        for address in (
            listed,
            f"{listed}?p=2",
            f"{listed}?q=user77",
            reverse(f"admin:{name}_change", args=[row.pk]),
        ):
            page = _cheap(office, address)
            assert all(len(one) < 100 for one in _choices(page)), address


def _cheap(office: Any, address: str) -> str:
    """A page; it took few queries, and loaded few users."""
    loaded = User.from_db.__func__  # type: ignore[attr-defined]
    seen = []

    def counted(cls: Any, *told: Any, **more: Any) -> Any:
        seen.append(cls)
        return loaded(cls, *told, **more)

    with pytest.MonkeyPatch.context() as patch, CaptureQueriesContext(connection) as queries:
        patch.setattr(User, "from_db", classmethod(counted))
        answer = office.get(address)
    assert answer.status_code == 200, address
    assert len(queries) <= MOST, (address, len(queries))
    assert len(seen) <= FEW, (address, len(seen))
    return str(answer.content.decode())


def _choices(page: str) -> list[list[str]]:
    """The choices of each select and of each data list; the links of a filter are choices too."""
    parts = [one.group(0) for one in re.finditer(r"<(select|datalist|details)\b.*?</\1>", page, re.DOTALL)]
    return [re.findall(r"<option\b|<li\b", part) for part in parts]
