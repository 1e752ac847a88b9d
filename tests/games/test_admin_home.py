"""The home of the administration: what waits, for each role its own, in few queries."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import roles, sanctions
from accounts.models import AuditEntry, User
from games.models import Delivery, Match, Notice, Seat
from games.moderation import stuck

from .acts_table import appealed, staff
from .playing import opened

pytestmark = pytest.mark.django_db

MOST = 15
HOME = reverse("admin:index")


def home(user: Any) -> str:
    browser = Client()
    browser.force_login(user)
    answer = browser.get(HOME)
    assert answer.status_code == 200
    return str(answer.content.decode())


def titles(page: str) -> list[str]:
    return re.findall(r'<h2 id="waits-\d+">(.*?)</h2>', page)


def failed(user: Any, error: str, state: str = "failed") -> Delivery:
    notice = Notice.objects.create(user=user, kind="friend", key=f"{error}{Notice.objects.count()}", at=timezone.now())
    return Delivery.objects.create(notice=notice, channel="email", state=state, due_at=timezone.now(), error=error)


def test_each_role_sees_what_waits_for_it(ann: Any, mod: Any) -> None:
    both = ["Matches that are stuck", "Sanctions that end soon", "Today"]
    told = {who: titles(home(staff(f"s{i}", who))) for i, who in enumerate((*roles.ROLES, "staff without a role"))}
    assert [one for one in both if one not in told[roles.MODERATOR]] == []
    assert "Appeals" not in told[roles.MODERATOR]
    assert "Appeals" in told[roles.SENIOR]
    assert "Mail and push" not in told[roles.SENIOR]
    assert set(told[roles.OPERATOR]) == {"Matches that are stuck", "Mail and push", "Today"}
    assert told["staff without a role"] == []
    assert {title for titles_ in told.values() for title in titles_} <= set(titles(home(mod)))


def test_appeals_and_sanctions_that_end_soon_are_named_with_the_way_there(ann: Any, bob: Any, mod: Any) -> None:
    appeal = appealed(ann, mod)
    until = timezone.now() + timedelta(days=2)
    sanctions.impose(mod, bob, "suspended", ground="abuse", reason="Shouted.", until=until)

    page = home(staff("senior", roles.SENIOR))

    assert "1 appeal waits for an answer." in page
    assert reverse("admin:accounts_appeal_change", args=[appeal.pk]) in page
    assert "1 sanction ends within 3 days." in page
    assert "bob: suspended" in page


def test_operators_are_told_of_failing_mail_and_of_no_player(ann: Any) -> None:
    failed(ann, "refused 550")
    failed(ann, "ConnectionRefusedError", "pending")
    opened(ann, User.objects.create(username="zoe"))
    Match.objects.update(wake_at=timezone.now() - timedelta(hours=1))

    page = home(staff("op", roles.OPERATOR))

    assert "Failed in 7 days: 1. Being tried again: 1." in page
    assert "E-mail: refused 550" in page
    assert "1 match is stuck." in page
    assert not re.search(r"\b(ann|zoe)\b", page)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"wake_at": -16}, "The site should have acted, and has not."),
        ({"due_at": -61, "wake_at": -61}, "The deadline has passed, and the clock has not played."),
        ({"turn": None, "due_at": None, "wake_at": None}, "Nobody is awaited"),
        ({"due_at": None, "wake_at": None, "bot": True}, "Nobody is awaited"),
        ({"wake_at": -14}, ""),
        ({"due_at": None, "wake_at": None}, ""),
        ({"due_at": None, "wake_at": None, "paused_at": -60, "turn": None}, ""),
    ],
)
def test_matches_that_do_not_move_are_listed_and_others_not(ann: Any, bob: Any, columns: Any, why: str) -> None:
    match, now = opened(ann, bob), timezone.now()
    match.turn = 0
    if columns.pop("bot", False):
        Seat.objects.filter(match=match).update(driver="bot", driven_by=None)
    for name, value in columns.items():
        setattr(match, name, now + timedelta(minutes=value) if isinstance(value, int) else value)
    match.save()

    assert [one.pk for one in stuck.stuck()] == ([match.pk] if why else [])
    page = home(staff("junior", roles.MODERATOR))
    assert (why or "All matches move.") in page
    assert (reverse("admin:games_match_change", args=[match.pk]) in page) is bool(why)


def test_home_is_cheap_on_a_large_site(ann: Any, mod: Any) -> None:
    now = timezone.now()
    User.objects.bulk_create(User(username=f"u{n}", name_key=f"u{n}", date_joined=now) for n in range(1000))
    Notice.objects.bulk_create(Notice(user=ann, kind="friend", key=str(n), at=now) for n in range(10_000))
    Delivery.objects.bulk_create(
        Delivery(notice=one, channel="email", state="failed", due_at=now, error="refused 550")
        for one in Notice.objects.all()
    )
    Match.objects.bulk_create(
        Match(
            preset="basic-rummy", options={"players": 2}, token=f"t{n}", opener=ann, pace="1d", status="running",
            chain=b"", commitment="", created_at=now, wake_at=now - timedelta(days=1),
        )
        for n in range(10_000)
    )  # fmt: skip
    browser = Client()
    browser.force_login(mod)
    with CaptureQueriesContext(connection) as made:
        page = browser.get(HOME).content.decode()
    assert len(made) <= MOST, [one["sql"][:200] for one in made]
    assert "10000 matches are stuck." in page
    assert "Failed in 7 days: 10000." in page
    assert len(page) < 60_000


def test_an_operator_sends_a_failed_mail_again(ann: Any, mailoutbox: list[Any]) -> None:
    from games.notices.delivery import deliver
    from games.notices.kinds import EMAIL

    User.objects.filter(pk=ann.pk).update(email="ann@example.org")
    EmailAddress.objects.create(user=ann, email="ann@example.org", verified=True, primary=True)
    mail, browser = failed(ann, "refused 550"), Client()
    Notice.objects.update(kind="invited", about={"by": ann.pk})
    browser.force_login(staff("op", roles.OPERATOR))
    again = reverse("admin:games_delivery_do", args=[mail.pk, "send_again"])

    page = browser.get(reverse("admin:games_delivery_changelist") + "?state__exact=failed").content.decode()
    assert "refused 550" in page and "ann@example.org" not in page
    assert browser.post(again, {"reason": "The server is well again."}).status_code == 302
    assert browser.post(again, {"reason": "Once more."}).status_code == 409
    deliver(EMAIL)

    mail.refresh_from_db()
    assert (mail.state, len(mailoutbox)) == ("sent", 1)
    assert AuditEntry.objects.get().details == {"channel": "email", "was": "refused 550"}
