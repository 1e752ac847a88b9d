"""Reports in the administration: the list, the page that tells one, and what is done from there."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import roles
from accounts.models import AuditEntry, Sanction, User
from games.models import Message, Notice, Report
from games.moderation import reports

from .acts_table import staff
from .playing import opened

pytestmark = pytest.mark.django_db

LIST = reverse("admin:games_report_changelist")
WHY = {"ground": "abuse", "reason": "Insults in the talk."}
MOST = 15


@pytest.fixture
def office(client, db):
    """The browser of a plain moderator."""
    client.force_login(staff("junior", roles.MODERATOR))
    return client


def page_of(row: Any) -> str:
    return reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])


def act(model: Any, row: Any, name: str, report: Any = None) -> str:
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_do", args=[row.pk, name])
    return f"{address}?report={report.pk}" if report else address


@pytest.fixture
def insult(ann, bob):
    """Ann has reported what bob said."""
    match = opened(ann, bob)
    message = Message.objects.create(match=match, user=bob, text="You <b>fool</b>", at=timezone.now())
    return reports.report(ann, bob, "abuse", "He <i>shouts</i>.", match=match, message=message)


def test_open_reports_come_first_the_oldest_at_the_top(office, ann, bob, cat, mod):
    rows = [reports.report(ann, bob, kind, "Hm") for kind in ("abuse", "name", "other", "cheating")]
    for row, days in zip(rows, (1, 9, 5, 30), strict=True):
        Report.objects.filter(pk=row.pk).update(at=timezone.now() - timedelta(days=days))
    reports.close(mod, rows[3], outcome="nothing", answer="No.", reason="No.")
    listed = [row.pk for row in office.get(LIST).context["cl"].result_list]
    assert listed == [rows[1].pk, rows[2].pk, rows[0].pk, rows[3].pk]
    narrowed = office.get(LIST, {"state__exact": "closed", "q": "bob"}).context["cl"].result_list
    assert [(row.pk, row.before) for row in narrowed] == [(rows[3].pk, 3)]


def test_reports_of_the_site_are_told_apart(office, ann, bob):
    mine, its = reports.report(ann, bob, "abuse"), reports.report(None, bob, "abuse", "A word.")
    for who, row in (("people", mine), ("site", its)):
        assert [one.pk for one in office.get(LIST, {"made_by": who}).context["cl"].result_list] == [row.pk]


@pytest.mark.parametrize(("name", "query"), [("games_match", "stuck=yes"), ("accounts_sanction", "ending=soon")])
def test_filters_of_ours_can_be_asked_by_the_address(office, name, query):
    assert office.get(f"{reverse(f'admin:{name}_changelist')}?{query}").status_code == 200


def test_the_page_tells_the_report_in_words_and_leads_on(office, insult, bob):
    page = office.get(page_of(insult)).content.decode()
    assert "You &lt;b&gt;fool&lt;/b&gt;" in page and "He &lt;i&gt;shouts&lt;/i&gt;." in page
    assert "The player was called bob" in page and "Seat 2: bob." in page
    for address in (
        reverse("admin:accounts_user_change", args=[bob.pk]),
        reverse("games:player", args=["bob"]),
        page_of(insult.match),
        act(Report, insult, "close_report"),
        act(Message, insult.message, "hide_message", insult),
        act(User, bob, "mute", insult),
    ):
        assert address in page, address
    assert act(Report, insult, "reopen_report") not in page
    assert act(User, bob, "ban") not in page


def test_closing_asks_what_came_of_it_and_for_a_sentence_to_the_reporter(office, insult, ann):
    address = act(Report, insult, "close_report")
    for data in ({"outcome": "acted"}, {"answer": "Thanks."}, {"outcome": "acted", "answer": " "}):
        assert office.post(address, WHY | data).status_code == 400
    assert not AuditEntry.objects.exists()
    assert office.post(address, WHY | {"outcome": "misuse", "answer": "Please do not."}).status_code == 302
    assert Report.objects.get().outcome == "misuse"
    assert Notice.objects.get(user=ann, kind="reported_outcome").about["outcome"] == "misuse"
    assert "closed already" in office.get(address).content.decode()


def test_muting_from_a_report_closes_it_with_the_act(office, insult, ann, bob):
    address = act(User, bob, "mute", insult)
    asked = office.get(address).content.decode()
    assert "Close the report with this" in asked and "Answer to the reporter" in asked
    assert office.post(address, WHY | {"close": "on"}).status_code == 400
    assert not Sanction.objects.exists()
    answer = office.post(address, WHY | {"close": "on", "answer": "Thank you."})
    assert (answer.status_code, answer["Location"]) == (302, page_of(insult))
    insult.refresh_from_db()
    assert (insult.state, insult.outcome, insult.answer) == ("closed", "acted", "Thank you.")
    assert Sanction.objects.get().kind == "mute"
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == ["mute", "close_report"]
    assert Notice.objects.filter(user=ann, kind="reported_outcome").count() == 1


def test_a_report_is_left_open_where_that_is_wanted(office, insult, bob):
    assert office.post(act(Message, insult.message, "hide_message", insult), WHY).status_code == 302
    insult.refresh_from_db()
    assert insult.state == "open" and insult.message.hidden_at is not None


def test_a_report_about_somebody_else_is_not_closed_by_an_act(office, insult, cat):
    for number in (insult.pk, 999_999, "x", "9" * 30):
        address = act(User, cat, "warn") + f"?report={number}"
        assert "Close the report" not in office.get(address).content.decode()
    assert office.post(act(User, cat, "warn", insult), WHY | {"close": "on", "answer": "Hm"}).status_code == 302
    insult.refresh_from_db()
    assert insult.state == "open"


def test_if_the_report_cannot_be_closed_the_act_is_not_done_either(client, insult, ann, bob):
    judge = staff("judge", roles.MODERATOR)
    Report.objects.filter(pk=insult.pk).update(reporter=judge)
    client.force_login(judge)
    answer = client.post(act(User, bob, "warn", insult), WHY | {"close": "on", "answer": "Hm"})
    assert answer.status_code == 400
    assert "reported this yourself" in answer.content.decode()
    assert not Sanction.objects.exists() and not AuditEntry.objects.exists()


def test_a_report_of_the_site_is_closed_without_an_answer(office, bob):
    row = reports.report(None, bob, "name", "A word.")
    assert "the site" in office.get(page_of(row)).content.decode()
    assert office.post(act(Report, row, "close_report"), WHY | {"outcome": "nothing"}).status_code == 302
    assert not Notice.objects.filter(kind="reported_outcome").exists()


def test_operators_and_players_see_no_report(client, insult, ann):
    for user, code in ((staff("clerk", roles.OPERATOR), 403), (ann, 302)):
        client.force_login(user)
        assert client.get(LIST).status_code == code
        assert client.get(page_of(insult)).status_code == code


def test_a_report_can_neither_be_edited_nor_deleted(client, mod, insult):
    client.force_login(mod)
    assert client.post(page_of(insult), {"words": "x"}).status_code == 403
    assert client.post(reverse("admin:games_report_delete", args=[insult.pk]), {"post": "yes"}).status_code == 403
    assert client.get(reverse("admin:games_report_add")).status_code == 403


def test_ten_thousand_reports_are_listed_found_and_shown_within_fifteen_queries(office, ann, bob):
    users = User.objects.bulk_create(User(username=f"user{n}", name_key=f"user{n}") for n in range(500))
    match, now = opened(ann, bob), timezone.now()
    Report.objects.bulk_create(
        Report(
            reporter=users[n % 500],
            about_user=users[(n + 1 + n // 500) % 500],
            kind="abuse",
            match=match if n % 2 else None,
            context={"about": {"user": 1, "name": "user", "shown": "user", "since": now.isoformat()}},
            at=now - timedelta(minutes=n),
            added_at=now,
            **({"state": "closed", "outcome": "nothing", "closed_by": ann, "closed_at": now} if n % 3 else {}),
        )
        for n in range(10_000)
    )
    for address in (
        *(LIST, f"{LIST}?p=3", f"{LIST}?q=user77", f"{LIST}?state__exact=open", f"{LIST}?about_user={users[3].pk}"),
        page_of(Report.objects.latest("pk")),
    ):
        with CaptureQueriesContext(connection) as made:
            assert office.get(address).status_code == 200
        assert len(made) <= MOST, (address, len(made))


def test_the_home_page_names_the_oldest_open_reports(office, ann, bob, cat):
    rows = [reports.report(ann, user, "abuse") for user in (bob, cat)]
    Report.objects.filter(pk=rows[1].pk).update(at=timezone.now() - timedelta(days=2))
    page = office.get(reverse("admin:index")).content.decode()
    assert "2 reports are open." in page
    assert page.index(page_of(rows[1])) < page.index(page_of(rows[0]))
