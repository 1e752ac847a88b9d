"""The lists of sanctions, appeals and the audit log stay cheap with 10,000 rows."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import roles
from accounts.models import Appeal, AuditEntry, Sanction, User

from .acts_table import staff

pytestmark = pytest.mark.django_db
ROWS, MOST = 10_000, 15


@pytest.fixture
def a_long_history(ann: Any, mod: Any) -> None:
    now = timezone.now()
    people = User.objects.bulk_create(User(username=f"user{i}", name_key=f"user{i}") for i in range(200))
    when = [now - timedelta(hours=i) for i in range(ROWS)]
    sanctions = Sanction.objects.bulk_create(
        Sanction(user=people[i % 200], kind="warning", ground="abuse", reason="x", by=mod, at=when[i])
        for i in range(ROWS)
    )
    Appeal.objects.bulk_create(Appeal(sanction=one, text="No.", at=one.at) for one in sanctions)
    AuditEntry.objects.bulk_create(
        AuditEntry(at=one.at, by=mod, act="warn", user=one.user, target_kind="sanction", target_id=one.pk, reason="x")
        for one in sanctions
    )


def test_long_lists_are_cheap(a_long_history: None, client: Any) -> None:
    client.force_login(staff("senior", roles.SENIOR))
    for name, narrowed in (
        ("sanction", "?kind__exact=warning&q=user7"),
        ("appeal", "?answered_at__isempty=1&q=user7"),
        ("auditentry", "?act=warn&q=user7"),
    ):
        address = reverse(f"admin:accounts_{name}_changelist")
        for query in ("", narrowed, "?at__year=2020"):
            with CaptureQueriesContext(connection) as made:
                answer = client.get(address + query)
            assert answer.status_code == 200, name + query
            assert len(made) <= MOST
