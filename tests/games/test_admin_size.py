"""The administration of a large site, 10,000 rows of a kind: lists cost a few queries, and no page loads all users."""

import re
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, Sanction, User
from games.models import Deal, Delivery, Match, Message, Move, Notice, Seat
from games.rules.catalog import find

from .playing import opened

pytestmark = pytest.mark.django_db

MANY = 10_000
"""Rows of each kind."""
OPTIONS = asdict(find("basic-rummy").options(2))
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
        User(username=f"user{n}", name_key=f"user{n}", email=f"u{n}@example.org") for n in range(MANY)
    )
    terms: dict[str, Any] = {"preset": "basic-rummy", "options": OPTIONS, "pace": "1d", "status": "running"}
    matches = Match.objects.bulk_create(
        Match(
            **terms, token=f"token{n}", opener=users[n], chain=b"chain", commitment="c" * 64,
            created_at=now - timedelta(minutes=n), deal_number=1, turn=0,
        )
        for n in range(MANY)
    )  # fmt: skip
    _rows_of(matches, now)
    _rows_about(users, now)


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


def _rows_about(users: list[User], now: Any) -> None:
    notices = Notice.objects.bulk_create(Notice(user=user, kind="friend", key="1", at=now) for user in users)
    Delivery.objects.bulk_create(
        Delivery(notice=notice, channel="email", state="failed", due_at=now, error="refused 550") for notice in notices
    )
    Sanction.objects.bulk_create(
        Sanction(user=user, by=users[0], kind="mute", ground="abuse", reason="Shouted.", at=now - timedelta(hours=n))
        for n, user in enumerate(users)
    )
    AuditEntry.objects.bulk_create(
        AuditEntry(at=now - timedelta(hours=n), by=users[0], user=user, act="mute", reason="Shouted.")
        for n, user in enumerate(users)
    )


NARROWED = (
    ("games_match", "stuck=yes"),
    ("games_match", "status__exact=running&preset__exact=basic-rummy"),
    ("games_delivery", "state__exact=failed&channel__exact=email"),
    ("accounts_sanction", "ending=no&kind__exact=mute"),
    ("accounts_auditentry", "act=mute"),
    ("accounts_user", "is_guest__exact=0"),
)
LISTED = (User, Match, Seat, Deal, Move, Message, Delivery, Sanction, AuditEntry)


def test_lists_and_pages_of_a_large_site_take_few_queries_and_never_load_all_users(office, ann, bob):
    real = opened(ann, bob)
    names = [f"{model._meta.app_label}_{model._meta.model_name}" for model in LISTED]
    rows = [real if model is Match else model.objects.latest("pk") for model in LISTED]
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
    for name, query in NARROWED:
        assert 'id="changelist"' in _cheap(office, reverse(f"admin:{name}_changelist") + f"?{query}")


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
    asked = sum("SAVEPOINT" not in one["sql"] for one in queries.captured_queries)  # these are the test's own
    assert asked <= MOST, (address, asked)
    assert len(seen) <= FEW, (address, len(seen))
    return str(answer.content.decode())


def _choices(page: str) -> list[list[str]]:
    """The choices of each select and of each data list; the links of a filter are choices too."""
    parts = [one.group(0) for one in re.finditer(r"<(select|datalist|details)\b.*?</\1>", page, re.DOTALL)]
    return [re.findall(r"<option\b|<li\b", part) for part in parts]
